//! The first JSON object of a report is read where the last one with the field is meant.

use super::super::edits::insert_after_word;
use super::super::trail::{comes_from, decision, descendants_through, is_here, read_trust, tell};
use super::super::{Context, Finding, Fix, Safety, Sink};
use super::gate::same_value;
use crate::flow::{NodeId, NodeKind, Trust};

/// The lint.
pub(crate) const ID: &str = "missing-require-field";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        if !matches!(node.kind, NodeKind::ExtractJson { require: None }) {
            continue;
        }
        if !is_here(cx, node.place) || read_trust(cx, id) != Trust::Agent {
            continue;
        }
        let Some(path) = decision(cx, id) else { continue };
        let field = deciding_field(cx, id);
        let named = field.as_deref().map_or_else(|| "a field of it".to_owned(), |field| format!("its \"{field}\""));
        let message = format!(
            "{}, and the first JSON object in it is taken although {named} decides: a quoted example or an early draft is read instead of the answer",
            comes_from(cx, id)
        );
        let flag = format!("--require-field {}", field.as_deref().unwrap_or("FIELD"));
        let mut finding = Finding::new(ID, node.place, message)
            .help(format!("add `{flag}`: it takes the last object that has the field"));
        let edit = field.and_then(|_| insert_after_word(cx, node.place, &["extract-json"], &format!(" {flag}")));
        if let Some(edit) = edit {
            finding = finding.fix(Fix { title: format!("Add `{flag}`"), safety: Safety::Safe, edits: vec![edit] });
        }
        sink.push(tell(cx, finding, id, &path));
    }
}

/// The field of the object that decides: of the first reader with a decision behind it.
fn deciding_field(cx: &Context<'_>, id: NodeId) -> Option<String> {
    let through = |kind: &NodeKind| same_value(kind) || matches!(kind, NodeKind::ExtractJson { .. });
    descendants_through(cx.graph, id, through).into_iter().find_map(|reader| {
        let field = match &cx.graph.node(reader).kind {
            NodeKind::ExtractField { field: Some(field), .. } | NodeKind::Field(field) => field,
            NodeKind::Json(tool) => tool.fields.first()?,
            _ => return None,
        };
        decision(cx, reader).map(|_| field.to_string())
    })
}
