//! A field is read from the printed summary of a sub-recipe.

use super::super::{Context, Finding, Sink};
use crate::flow::Place;
use crate::recipe::names::{NameUse, Spelling};
use crate::recipe::{Action, File, Index, Scopes};

/// The lint.
pub(crate) const ID: &str = "summary-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    let names = cx.index.names(cx.file);
    let scopes = Scopes::new(cx.index);
    for one in names.uses.iter().filter(|one| one.role.is_read()) {
        let Some(step) = one.step else { continue };
        let Some((name, fields, producer)) = summary_read(cx, &scopes, one, step) else { continue };
        let Some((place, recipe)) = producer else { continue };
        let field = fields.join(".");
        let mut finding = Finding::new(
            ID,
            cx.place(one.span),
            format!("`{name}` is the printed summary of the run of `{recipe}`, a text: it has no `{field}`, which is empty here"),
        )
        .related(place, "the summary");
        let first = fields.first().map(String::as_str).unwrap_or_default();
        if scopes.first(cx.file.id, first).is_some() {
            finding = finding
                .help(format!("`{first}` of the sub-recipe is in the context under its own name: read `{first}`"));
        } else {
            finding = finding.help("what the steps of a sub-recipe leave is in the context under their own names");
        }
        sink.push(finding);
    }
}

type Producer = Option<(Place, String)>;

/// The variable and the fields of a read, and who made the variable.
fn summary_read(
    cx: &Context<'_>,
    scopes: &Scopes<'_>,
    one: &NameUse,
    step: usize,
) -> Option<(String, Vec<String>, Producer)> {
    if one.spelling == Spelling::Alias {
        return None;
    }
    let names = cx.index.names(cx.file);
    // In the recipe itself: the last step before this one that leaves the name.
    let own = scopes.candidates(cx.file, one).into_iter().filter_map(|name| {
        let fields = one.of(&name).filter(|fields| !fields.is_empty())?;
        let last = last_producer(cx.index, cx.file, &name, step)?;
        Some((name, fields, summary_of(cx.file, last)))
    });
    if let Some(found) = own.max_by_key(|(name, ..)| name.len()) {
        return Some(found);
    }
    if one.spelling == Spelling::Variable || one.fields.is_empty() || names.declared.contains(&one.name) {
        return None;
    }
    let callers = cx.index.callers(cx.file.id);
    let producer = callers.iter().find_map(|call| {
        let caller = cx.index.file(call.caller)?;
        let last = last_producer(cx.index, caller, &one.name, call.step?)?;
        summary_of(caller, last)
    });
    Some((one.name.clone(), one.fields.clone(), producer))
}

fn last_producer(index: &Index, file: &File, name: &str, step: usize) -> Option<usize> {
    let names = index.names(file);
    let before = names.before(step);
    names.outputs.get(name)?.iter().copied().filter(|at| names.after(*at) <= before).max()
}

/// The output of a step that runs a recipe.
fn summary_of(file: &File, step: usize) -> Producer {
    let step = file.recipe.steps.get(step)?;
    let Action::Recipe(call) = &step.action else { return None };
    let span = step.output.as_ref()?.name.span;
    Some((Place { file: file.id, span }, call.name.value.clone()))
}
