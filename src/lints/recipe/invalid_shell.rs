//! A script that bash refuses.

use super::super::{Context, Finding, Sink};
use crate::text::Span;

/// The lint.
pub(crate) const ID: &str = "invalid-shell";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (_, script) in cx.file.recipe.scripts() {
        // What follows the first error is often its consequence, and bash stops there too.
        let tree = script.tree();
        let Some(error) = tree.errors.first() else { continue };
        let text = script.fragment.text();
        let end = text.trim_end().len();
        let span = if error.span.start < end {
            let line = text.get(error.span.start..).and_then(|rest| rest.find('\n'));
            let end = line.map_or(error.span.end, |at| error.span.end.min(error.span.start + at));
            script.fragment.locate(Span::new(error.span.start, end))
        } else {
            match text.trim_end().char_indices().next_back() {
                Some((last, _)) => script.fragment.locate(Span::new(last, end)),
                None => script.key,
            }
        };
        let message = format!("bash refuses this script: {}", error.message);
        sink.push(Finding::new(ID, cx.place(span), message));
    }
}
