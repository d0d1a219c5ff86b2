//! All scripts of a recipe.

use crate::recipe::{Action, Recipe, Script};

/// The scripts of the hooks and of the steps, each with the place of its step.
pub(super) fn scripts(recipe: &Recipe) -> impl Iterator<Item = (Option<usize>, &Script)> {
    let hooks = recipe.hooks.iter().map(|(_, script)| (None, script));
    let steps = recipe.steps.iter().enumerate().filter_map(|(at, step)| match &step.action {
        Action::Script(script) => Some((Some(at), script)),
        _ => None,
    });
    hooks.chain(steps)
}
