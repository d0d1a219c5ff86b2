//! A name is read before the step that makes it.

use super::super::{Context, Finding, Sink};
use crate::recipe::names::{Names, Role};
use crate::recipe::{Dialect, Given, Scopes};

/// The lint.
pub(crate) const ID: &str = "use-before-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    if cx.file.dialect != Dialect::Amplihack {
        return;
    }
    let names = cx.index.names(cx.file);
    let scopes = Scopes::new(cx.index);
    for one in names.uses.iter().filter(|one| one.role == Role::Read) {
        let Some(step) = one.step else { continue };
        let before = names.before(step);
        if scopes.open_from(cx.file.id).is_some_and(|open| open <= before) {
            continue;
        }
        let candidates = scopes.candidates(cx.file, one);
        let firsts: Vec<(usize, &String)> =
            candidates.iter().filter_map(|name| Some((scopes.first(cx.file.id, name)?, name))).collect();
        let Some((first, name)) = firsts.iter().min() else { continue };
        let elsewhere = |name: &String| matches!(scopes.given(cx.file.id, name), Given::Always | Given::Sometimes(_));
        if *first <= before || candidates.iter().any(elsewhere) {
            continue;
        }
        let made = producer(&names, name, *first);
        let called = || names.calls.iter().copied().find(|step| names.after(*step) == *first);
        let Some(producer) = made.or_else(called) else { continue };
        let Some(output) = cx.file.recipe.steps.get(producer) else { continue };
        let id = output.id.as_ref().map_or("", |id| &id.value);
        let why = if producer == step {
            "this step itself makes it, when it is done".to_owned()
        } else if producer < step {
            format!("step `{id}` makes it, and runs at the same time as this one")
        } else if names.before(producer) == before {
            format!("step `{id}` makes it, in the same parallel group")
        } else {
            format!("step `{id}` makes it later")
        };
        let mut finding = Finding::new(ID, cx.place(one.span), format!("`{name}` is empty here: {why}"));
        let span = output.output.as_ref().map_or(output.span, |output| output.name.span);
        finding = finding.related(cx.place(span), "made here");
        sink.push(finding.help("move the step that makes it up, or give the name a default under `context`"));
    }
}

/// The step of this recipe that brings a name to those from `first` on.
fn producer(names: &Names, name: &str, first: usize) -> Option<usize> {
    names.outputs.get(name)?.iter().copied().find(|step| names.after(*step) == first)
}
