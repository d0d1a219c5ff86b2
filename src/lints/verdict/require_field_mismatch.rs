//! `extract-json` looks for one field, and only another one is read from what it prints.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::edits::replace_word;
use super::super::trail::{decision, descendants_through, is_here, tell};
use super::super::{Context, Finding, Fix, Safety, Sink};
use super::gate::same_value;
use crate::flow::{NodeId, NodeKind, Place};

/// The lint.
pub(crate) const ID: &str = "require-field-mismatch";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::ExtractJson { require: Some(Some(required)) } = &node.kind else { continue };
        if !is_here(cx, node.place) {
            continue;
        }
        let Some(readers) = readers(cx, id) else { continue };
        let fields: BTreeSet<&Arc<str>> = readers.iter().map(|(field, _, _)| field).collect();
        if fields.is_empty() || fields.contains(required) {
            continue;
        }
        // A note that is shown beside a verdict may well be read from the verdict's object.
        let Some((field, reader, place)) = readers.iter().find(|(_, reader, _)| decision(cx, *reader).is_some()) else {
            continue;
        };
        let message = format!(
            "the last object that has \"{required}\" is taken, but only \"{field}\" is read from it: when these are in different objects, the default decides"
        );
        let mut finding = Finding::new(ID, node.place, message)
            .help(format!("require the field that decides: `--require-field {field}`"))
            .related(*place, format!("\"{field}\" is read here"));
        if let ([_], Some(edit)) = (
            fields.iter().collect::<Vec<_>>().as_slice(),
            replace_word(cx, node.place, "--require-field", required, field),
        ) {
            let title = format!("Require \"{field}\"");
            finding = finding.fix(Fix { title, safety: Safety::Safe, edits: vec![edit] });
        }
        let path = decision(cx, *reader).unwrap_or_default();
        sink.push(tell(cx, finding, id, &path));
    }
}

/// The fields that are read from an object, with their readers; `None` where one is not known.
fn readers(cx: &Context<'_>, id: NodeId) -> Option<Vec<(Arc<str>, NodeId, Place)>> {
    let mut readers = Vec::new();
    for reader in descendants_through(cx.graph, id, same_value) {
        let node = cx.graph.node(reader);
        match &node.kind {
            NodeKind::ExtractField { field, .. } => readers.push((field.clone()?, reader, node.place)),
            NodeKind::Field(field) => readers.push((field.clone(), reader, node.place)),
            NodeKind::Json(tool) => {
                for field in &tool.fields {
                    readers.push((field.clone(), reader, node.place));
                }
                if tool.fields.is_empty() {
                    return None;
                }
            }
            NodeKind::ExtractJson { .. } | NodeKind::Act { .. } => return None,
            _ => {}
        }
    }
    Some(readers)
}
