//! A text tool reads agent text, and what it finds decides.

use super::super::trail::{comes_from, tell};
use super::super::{Context, Finding, Sink};
use super::tools::{decides_on_prose, is_format_check, is_reported_elsewhere, is_sentinel};
use crate::flow::NodeKind;

/// The lint.
pub(crate) const ID: &str = "grep-agent-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes() {
        let NodeKind::Text(tool) = &node.kind else { continue };
        let Some(path) = decides_on_prose(cx, id) else { continue };
        if is_sentinel(cx.settings, tool) || is_format_check(tool) || is_reported_elsewhere(cx, id, tool) {
            continue;
        }
        let verb = if tool.pattern_based { "finds" } else { "cuts" };
        let message = format!(
            "{}, and what `{}` {verb} in it decides: a quoted example, a negation or another wording turns the result round",
            comes_from(cx, id),
            tool.tool
        );
        let finding = Finding::new(ID, node.place, message).help(super::super::rewrite::advice(cx, id, &tool.patterns));
        let finding = super::super::rewrite::suggest(cx, finding, id, &tool.patterns);
        sink.push(tell(cx, finding, id, &path));
    }
}
