//! A name that nothing defines.

use super::super::{Context, Finding, Sink};
use super::nearest::nearest;
use crate::recipe::names::{NameUse, Role, Spelling};
use crate::recipe::{Dialect, FileId, Given, Link, Scopes};

/// The lint.
pub(crate) const ID: &str = "undefined-variable";

/// Words for "nothing" that authors write into conditions: the engine takes them for names without a value, which is
/// what was meant.
const NOTHING: &[&str] = &["none", "None", "null", "Null", "NULL", "nil", "undefined"];

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    if cx.file.dialect != Dialect::Amplihack {
        return;
    }
    let names = cx.index.names(cx.file);
    let scopes = Scopes::new(cx.index);
    let parents = cx.index.calls(cx.file.id).iter().filter(|call| call.step.is_none());
    let parent_declares =
        |parent: &Link| cx.index.file(parent.callee).is_some_and(|file| !cx.index.names(file).declared.is_empty());
    let declares = !names.declared.is_empty() || parents.into_iter().any(parent_declares);
    let known = scopes.known(cx.file);
    for one in names.uses.iter().filter(|one| one.role.is_read() && one.spelling != Spelling::Alias) {
        if one.spelling == Spelling::Condition && NOTHING.contains(&one.name.as_str()) {
            continue;
        }
        let open = scopes.open_from(cx.file.id);
        let before = one.step.map_or(usize::MAX, |step| names.before(step));
        if open.is_some_and(|open| open <= before) {
            continue;
        }
        let candidates = scopes.candidates(cx.file, one);
        if candidates.iter().any(|name| scopes.first(cx.file.id, name).is_some()) {
            continue;
        }
        let meant = candidates.iter().find_map(|name| nearest(name, known.iter().map(String::as_str)));
        // Whoever plans for a missing value may know why; a name that is misspelt always is one.
        if one.role == Role::ReadIfSet && meant.is_none() {
            continue;
        }
        let given: Vec<Given> = candidates.iter().map(|name| scopes.given(cx.file.id, name)).collect();
        if given.contains(&Given::Always) {
            continue;
        }
        let shown = shown(one);
        let sometimes = given.iter().find_map(|given| match given {
            Given::Sometimes(without) => Some(without),
            _ => None,
        });
        let message = match (sometimes, given.first()) {
            (Some(without), _) => {
                format!("`{shown}` is not defined when {} runs this recipe: {}", callers(cx, without), empty(one))
            }
            (None, Some(Given::Never(without))) => {
                format!("`{shown}` is defined neither here nor by {}: {}", callers(cx, without), empty(one))
            }
            _ if !declares => continue,
            _ => format!("`{shown}` is defined nowhere: {}", empty(one)),
        };
        let mut finding = Finding::new(ID, cx.place(one.span), message);
        for call in sometimes.into_iter().flatten() {
            if let Some(place) = place(cx, call) {
                finding = finding.related(place, "runs this recipe without it");
            }
        }
        let help = match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("declare `{}` under `context`, if it comes from the command line", base(&candidates, one)),
        };
        sink.push(finding.help(help));
    }
    for (name, span) in &names.unfilled {
        // Of other names, the braces are text of another template language.
        let known = scopes.first(cx.file.id, name).is_some() || known.contains(name);
        if !known {
            continue;
        }
        let message = format!("`{}` is no template for the engine: it stays as it is", cx.file.source.slice(*span));
        let help = format!("write `{{{{{name}}}}}` or `{{{{{name}.field}}}}`: no white space, and no index");
        sink.push(Finding::new(ID, cx.place(*span), message).help(help));
    }
}

/// The shortest name that may be meant.
fn base(candidates: &[String], one: &NameUse) -> String {
    candidates.first().cloned().unwrap_or_else(|| one.name.clone())
}

/// The name as it is written.
fn shown(one: &NameUse) -> String {
    match one.spelling {
        Spelling::Variable => format!("$RECIPE_VAR_{}", one.name),
        Spelling::Template => format!("{{{{{}}}}}", one.whole()),
        _ => one.name.clone(),
    }
}

fn empty(one: &NameUse) -> &'static str {
    match one.spelling {
        Spelling::Condition => "it is null here, `==` is false and `!=` is true",
        _ => "it is empty here",
    }
}

fn callers(cx: &Context<'_>, calls: &[Link]) -> String {
    let mut files: Vec<FileId> = calls.iter().map(|call| call.caller).collect();
    files.sort_unstable();
    files.dedup();
    let name =
        |id: &FileId| cx.index.file(*id).map(|file| format!("`{}`", file.source.path.display())).unwrap_or_default();
    let more = files.len().saturating_sub(3);
    let mut text = files.iter().take(3).map(name).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text = format!("{text} and {more} more");
    }
    text
}

fn place(cx: &Context<'_>, call: &Link) -> Option<crate::flow::Place> {
    let caller = cx.index.file(call.caller)?;
    let step = caller.recipe.steps.get(call.step?)?;
    let crate::recipe::Action::Recipe(target) = &step.action else { return None };
    Some(crate::flow::Place { file: call.caller, span: target.name.span })
}
