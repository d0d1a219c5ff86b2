//! A recipe that the engine will not find.

use super::super::{Context, Finding, Sink, problems};
use super::nearest::nearest;
use crate::recipe::{Action, Dialect, is_parent_name, is_sub_recipe_name};
use crate::text::Spanned;

/// The lint.
pub(crate) const ID: &str = "unknown-reference";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    problems(cx, sink, ID);
    if cx.file.dialect != Dialect::Amplihack {
        return;
    }
    if let Some(parent) = &cx.file.recipe.extends
        && cx.index.callee(cx.file.id, None).is_none()
    {
        let message = format!("the engine finds no recipe `{}` to extend, and the run fails", parent.value);
        let refused = (!is_parent_name(&parent.value)).then_some(GRAMMAR);
        sink.push(unknown(cx, parent, message, refused));
    }
    for (at, step) in cx.file.recipe.steps.iter().enumerate() {
        let Action::Recipe(call) = &step.action else { continue };
        if call.name.value.is_empty() || cx.index.callee(cx.file.id, Some(at)).is_some() {
            continue;
        }
        let message = format!("the engine finds no recipe `{}`, and the step fails", call.name.value);
        let refused = (!is_sub_recipe_name(&call.name.value)).then_some(GRAMMAR);
        sink.push(unknown(cx, &call.name, message, refused));
    }
}

const GRAMMAR: &str = "a recipe is named by its file without folder and ending, in letters, digits, `_` and `-`";

fn unknown(cx: &Context<'_>, name: &Spanned<String>, message: String, refused: Option<&'static str>) -> Finding {
    let finding = Finding::new(ID, cx.place(name.span), message);
    if let Some(grammar) = refused {
        return finding.help(grammar);
    }
    if let Some(elsewhere) = cx.index.recipes_named(&name.value).first() {
        let path = elsewhere.source.path.display();
        return finding.help(format!(
            "`{path}` has this name, but the engine does not look there: move it beside this recipe or into \
             `amplifier-bundle/recipes`, or name its folder in `search-paths`"
        ));
    }
    let own_name = |file: &std::sync::Arc<crate::recipe::File>| {
        file.dialect == Dialect::Amplihack && file.recipe.name.as_ref().is_some_and(|own| own.value == name.value)
    };
    if let Some(named) = cx.index.files().iter().find(|file| own_name(file)) {
        let path = named.source.path.display();
        return finding.help(format!("`{path}` has this `name`, but the engine goes by the file's name"));
    }
    match nearest(&name.value, cx.index.stems().keys().map(String::as_str)) {
        Some(known) => finding.help(format!("did you mean `{known}`?")),
        None => finding.help(
            "the engine looks for `NAME.yaml` beside the recipe, in the working directory and in \
             `amplifier-bundle/recipes`; other folders are named in `search-paths`",
        ),
    }
}
