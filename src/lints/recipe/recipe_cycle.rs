//! Recipes that run or extend each other in a circle.

use std::collections::{HashMap, VecDeque};

use super::super::{Context, Finding, Sink, problems};
use crate::recipe::{Action, Dialect, FileId, Link};
use crate::text::Span;

/// The lint.
pub(crate) const ID: &str = "recipe-cycle";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    problems(cx, sink, ID);
    if cx.file.dialect != Dialect::Amplihack {
        return;
    }
    for call in cx.index.calls(cx.file.id).iter().filter(|call| cx.index.is_cyclic(call)) {
        let Some(span) = place(cx, call) else { continue };
        let way = way(cx, call.callee);
        let name = |id: &FileId| {
            let stem = cx.index.file(*id).and_then(|file| file.source.path.file_stem()?.to_str().map(str::to_owned));
            stem.unwrap_or_default()
        };
        let names: Vec<String> = way.iter().map(|id| format!("`{}`", name(id))).collect();
        let (verb, end) = match call.step {
            Some(_) => ("runs", "the engine stops it at `recursion.max_depth`"),
            None => ("extends", "the engine refuses it"),
        };
        let message = if way.len() == 1 {
            format!("this recipe {verb} itself: {end}")
        } else {
            format!("this recipe {verb} itself, by way of {}: {end}", names[..names.len() - 1].join(" and "))
        };
        sink.push(Finding::new(ID, cx.place(span), message));
    }
}

fn place(cx: &Context<'_>, call: &Link) -> Option<Span> {
    match call.step {
        None => cx.file.recipe.extends.as_ref().map(|name| name.span),
        Some(step) => match &cx.file.recipe.steps.get(step)?.action {
            Action::Recipe(call) => Some(call.name.span),
            _ => None,
        },
    }
}

/// The shortest way from a recipe back to the checked one, both included.
fn way(cx: &Context<'_>, from: FileId) -> Vec<FileId> {
    let mut before: HashMap<FileId, FileId> = HashMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        if at == cx.file.id {
            break;
        }
        for call in cx.index.calls(at).iter().filter(|call| cx.index.is_cyclic(call)) {
            if call.callee != from && !before.contains_key(&call.callee) {
                before.insert(call.callee, at);
                queue.push_back(call.callee);
            }
        }
    }
    let mut way = vec![cx.file.id];
    while let Some(previous) = way.last().and_then(|last| before.get(last)) {
        way.push(*previous);
    }
    way.reverse();
    way
}
