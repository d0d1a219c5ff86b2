//! A `parse_json` step decides, and nobody handles an answer that could not be parsed.

use std::collections::BTreeSet;

use super::super::edits::insert_step_keys;
use super::super::trail::{decision, descendants_through, is_here, tell};
use super::super::{Context, Finding, Fix, Safety, Sink};
use super::gate::same_value;
use crate::flow::{NodeId, NodeKind, Place, Source};

/// The lint.
pub(crate) const ID: &str = "unchecked-parse-json";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    let mut told: BTreeSet<Place> = BTreeSet::new();
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Source(Source::AgentStep { step, output, parse_json: true, required: false }) = &node.kind else {
            continue;
        };
        if !is_here(cx, node.place) || told.contains(&node.place) || handles_prose(cx, id) {
            continue;
        }
        let Some(path) = decision(cx, id) else { continue };
        told.insert(node.place);
        let message = format!(
            "step \"{step}\" decides through \"{output}\" without `parse_json_required: true`: when its answer is no JSON, the raw text is stored, every field is empty, and the recipe goes on"
        );
        let mut finding = Finding::new(ID, node.place, message)
            .help("add `parse_json_required: true`, or test for the missing field before you act");
        if let Some(edit) = insert_step_keys(cx, step, &["parse_json_required: true"]) {
            let title = "Add `parse_json_required: true`".to_owned();
            finding = finding.fix(Fix { title, safety: Safety::Safe, edits: vec![edit] });
        }
        sink.push(tell(cx, finding, id, &path));
    }
}

/// A reader of the whole text that would notice prose: an extraction, or a test whether there is anything.
fn handles_prose(cx: &Context<'_>, id: NodeId) -> bool {
    let through = |kind: &NodeKind| same_value(kind) || matches!(kind, NodeKind::Field(_));
    descendants_through(cx.graph, id, through)
        .into_iter()
        .any(|id| matches!(cx.graph.node(id).kind, NodeKind::ExtractJson { .. } | NodeKind::Fallback(_)))
}
