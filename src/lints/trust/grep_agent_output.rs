//! A text tool reads agent text, and what it finds decides.

use super::super::trail::{comes_from, tell};
use super::super::verdict::gate::{agents, field, outcomes};
use super::super::{Context, Finding, Sink};
use super::tools::{decides_on_prose, is_format_check, is_reported_elsewhere, is_sentinel};
use crate::flow::{Logic, NodeId, NodeKind};

/// The lint.
pub(crate) const ID: &str = "grep-agent-output";

/// A guard that can only stop, beside a test of the verdict that was extracted from the same text:
/// `[ "$VERDICT" = HOLLOW_SUCCESS ] || grep -q 'VERDICT: FAILED' <<< "$TEXT"`.
fn is_second_guard(cx: &Context<'_>, id: NodeId) -> bool {
    let own = agents(cx, id);
    let beside = |or: NodeId| {
        cx.graph.node(or).inputs.iter().any(|other| {
            let compares = matches!(cx.graph.node(other.from).kind, NodeKind::Compare(_));
            compares && field(cx, other.from).is_some() && agents(cx, other.from) == own
        })
    };
    let joined = cx
        .graph
        .users(id)
        .iter()
        .any(|user| matches!(cx.graph.node(user.from).kind, NodeKind::Logic(Logic::Or)) && beside(user.from));
    joined && outcomes(cx, id).iter().all(|outcome| outcome.when_true.stops && !outcome.when_false.stops)
}

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Text(tool) = &node.kind else { continue };
        let Some(path) = decides_on_prose(cx, id) else { continue };
        let allowed = is_sentinel(cx.settings, tool) || is_format_check(tool) || is_second_guard(cx, id);
        if allowed || is_reported_elsewhere(cx, id, tool) {
            continue;
        }
        let verb = if tool.pattern_based { "finds" } else { "cuts" };
        let message = format!(
            "{}, and what `{}` {verb} in it decides: a quoted example, a negation or another wording turns the result round",
            comes_from(cx, id),
            tool.tool
        );
        let finding = Finding::new(ID, node.place, message).help(super::super::rewrite::advice(cx, id, &tool.patterns));
        let finding = super::super::rewrite::suggest_tool(cx, finding, id, tool);
        sink.push(tell(cx, finding, id, &path));
    }
}
