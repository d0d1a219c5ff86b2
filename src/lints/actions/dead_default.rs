//! A fallback that can never be taken.

use super::super::rewrite;
use super::super::trail::{is_here, tell};
use super::super::{Context, Finding, Sink};
use crate::flow::{HELPER_SUCCEEDS, NodeKind};

/// The lint.
pub(crate) const ID: &str = "dead-default";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Fallback(fallback) = &node.kind else { continue };
        let Some(why) = fallback.dead else { continue };
        if !is_here(cx, fallback.place) {
            continue;
        }
        let literal = fallback.literal.as_deref().unwrap_or("the fallback");
        let message = format!("`{literal}` never takes the place of a missing text: {why}");
        let help = "test the text itself: `${value:-fallback}`, or switch `pipefail` on where a failure earlier in the pipe matters";
        let finding = Finding::new(ID, fallback.place, message).help(help);
        let filled = why == HELPER_SUCCEEDS;
        let finding = rewrite::revive(cx, finding, fallback.place, fallback.literal.as_deref(), filled);
        sink.push(tell(cx, finding, id, &[]));
    }
}
