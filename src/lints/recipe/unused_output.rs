//! An output that nobody reads.

use super::super::{Context, Finding, Sink};
use crate::recipe::Dialect;

/// The lint.
pub(crate) const ID: &str = "unused-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    if cx.file.dialect != Dialect::Amplihack || !cx.file.errors.is_empty() {
        return;
    }
    let readers = cx.index.readers(cx.file.id);
    let steps = &cx.file.recipe.steps;
    // What the last step leaves is the result of the recipe, for people and other programs.
    for step in steps.iter().take(steps.len().saturating_sub(1)) {
        let Some(output) = &step.output else { continue };
        if readers.reads(&output.name.value) {
            continue;
        }
        let message = format!("nothing reads `{}`", output.name.value);
        sink.push(Finding::new(ID, cx.place(output.name.span), message).help("remove `output`, or read it"));
    }
}
