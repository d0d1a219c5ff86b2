//! Texts whose form was checked before they are used: `[[ $n =~ ^[0-9]+$ ]] || exit 1`.

use std::collections::HashSet;

use super::super::Context;
use super::super::trail::ancestors_through;
use super::tools::{is_format_check, is_format_match};
use crate::flow::{NodeId, NodeKind};

/// Whether the text that a node reads went through a check of its characters that stands before it and decides.
pub(crate) fn is_validated(cx: &Context<'_>, id: NodeId) -> bool {
    let place = cx.graph.node(id).place;
    let used = names(cx, id);
    cx.graph.nodes().any(|(check, node)| {
        let form = match &node.kind {
            NodeKind::Text(tool) => is_format_check(tool),
            NodeKind::Match(found) => is_format_match(found),
            _ => false,
        };
        form && node.place.file == place.file
            && node.place.span.start < place.span.start
            && names(cx, check).iter().any(|name| used.contains(name))
            && cx.graph.decides(check).is_some()
    })
}

/// The variables and extractions that a node reads, not what these are made of.
fn names(cx: &Context<'_>, id: NodeId) -> HashSet<NodeId> {
    let through = |kind: &NodeKind| matches!(kind, NodeKind::Pass(_) | NodeKind::Join | NodeKind::Fallback(_));
    ancestors_through(cx.graph, id, through)
        .into_iter()
        .filter(|id| !matches!(cx.graph.node(*id).kind, NodeKind::Source(_)))
        .collect()
}
