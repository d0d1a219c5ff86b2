//! The shell or JavaScript matches on agent text, and the match decides.

use super::super::trail::{ancestors_through, comes_from, tell};
use super::super::{Context, Finding, Sink};
use super::tools::{decides_on_prose, is_format_match};
use crate::flow::{Match, MatchHow, NodeId, NodeKind};

/// The lint.
pub(crate) const ID: &str = "match-agent-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Match(found) = &node.kind else { continue };
        let Some(path) = decides_on_prose(cx, id) else { continue };
        if is_format_match(found) || (found.how == MatchHow::Piece && is_looked_into(cx, id, &path)) {
            continue;
        }
        let message = format!(
            "{}, and {} decides: text around the word, or a negation of it, matches as well",
            comes_from(cx, id),
            name(found)
        );
        let finding =
            Finding::new(ID, node.place, message).help(super::super::rewrite::advice(cx, id, &found.patterns));
        let finding = super::super::rewrite::suggest_match(cx, finding, id, found);
        sink.push(tell(cx, finding, id, &path));
    }
}

/// Whether a tool or a pattern reads a piece of a text, before or after it was split off: that is what decides.
fn is_looked_into(cx: &Context<'_>, piece: NodeId, path: &[NodeId]) -> bool {
    let reads = |id: &NodeId| match &cx.graph.node(*id).kind {
        NodeKind::Text(_) | NodeKind::Json(_) => true,
        NodeKind::Match(found) => found.how != MatchHow::Piece,
        _ => false,
    };
    let before = ancestors_through(cx.graph, piece, |kind| !matches!(kind, NodeKind::Text(_)));
    path.iter().chain(&before).any(reads)
}

/// A match as it stands in a sentence.
pub(crate) fn name(found: &Match) -> String {
    let pattern = found.patterns.first().and_then(Option::as_deref).unwrap_or("…");
    match found.how {
        MatchHow::Regex => format!("the regular expression `{pattern}`"),
        MatchHow::Glob => format!("the pattern `{pattern}`"),
        MatchHow::Case => format!("the `case` arm `{pattern}`"),
        MatchHow::Strip => format!("what is left after `{pattern}` is cut off"),
        MatchHow::Replace => format!("what is left after `{pattern}` is replaced"),
        MatchHow::Piece => "a word or line of it, split off by the shell,".to_owned(),
        MatchHow::Expr => format!("`expr` with `{pattern}`"),
        MatchHow::Method(method) => format!("`.{}`", method.trim_start_matches('.')),
    }
}
