//! `extract-field` without a default: no verdict is the empty text.

use super::super::edits::append;
use super::super::rewrite::safe_default;
use super::super::trail::{comes_from, decision, descendants_through, is_here, tell};
use super::super::{Context, Finding, Fix, Safety, Sink};
use super::gate::same_value;
use crate::flow::{NodeId, NodeKind, Trust};

/// The lint.
pub(crate) const ID: &str = "missing-default";

/// `[ -z "$URL" ] && exit 1`: that there may be none is the question itself.
fn only_asks_presence(cx: &Context<'_>, id: NodeId) -> bool {
    descendants_through(cx.graph, id, same_value).into_iter().all(|id| match &cx.graph.node(id).kind {
        NodeKind::Presence { .. } | NodeKind::Act { .. } | NodeKind::Show => true,
        kind => same_value(kind),
    })
}

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::ExtractField { field, default: None } = &node.kind else { continue };
        if !is_here(cx, node.place) || node.trust < Trust::Extracted {
            continue;
        }
        let Some(path) = decision(cx, id) else { continue };
        // `${V:-unknown}` later on is a default as well.
        if path.iter().any(|step| matches!(cx.graph.node(*step).kind, NodeKind::Fallback(_)))
            || only_asks_presence(cx, id)
        {
            continue;
        }
        let name = field.as_deref().unwrap_or("the field");
        let default = safe_default(name);
        let message = format!(
            "{}, and \"{name}\" decides without a default: when there is no verdict, an empty text is tested",
            comes_from(cx, id)
        );
        let mut finding = Finding::new(ID, node.place, message)
            .help(format!("add the value on which the gate stays closed, such as `--default {default}`"));
        if let Some(edit) = append(cx, node.place, &format!(" --default {default}")) {
            let title = format!("Add `--default {default}`");
            finding = finding.fix(Fix { title, safety: Safety::Suggest, edits: vec![edit] });
        }
        sink.push(tell(cx, finding, id, &path));
    }
}
