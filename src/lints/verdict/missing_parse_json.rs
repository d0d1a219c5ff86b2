//! A field is read from an agent step's text that nobody parsed.

use super::super::edits::insert_step_keys;
use super::super::trail::{ancestors_through, decision, is_here};
use super::super::{Context, Finding, Fix, Safety, Sink};
use super::gate::same_value;
use crate::flow::{Name, NodeId, NodeKind, Source};

/// The lint.
pub(crate) const ID: &str = "missing-parse-json";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Field(field) = &node.kind else { continue };
        if !is_here(cx, node.place) {
            continue;
        }
        let Some((source, step, output)) = unparsed(cx, id) else { continue };
        let message = format!(
            "\"{output}.{field}\" is read, but agent step \"{step}\" has no `parse_json: true`: its text is stored as it is, and the field is empty"
        );
        let mut finding = Finding::new(ID, node.place, message)
            .help(format!("add `parse_json: true` to step \"{step}\""))
            .related(cx.graph.node(source).place, format!("step \"{step}\" stores its text unparsed"));
        // A field that decides must not be missing in silence.
        let decides = decision(cx, source).is_some();
        let keys: &[&str] =
            if decides { &["parse_json: true", "parse_json_required: true"] } else { &["parse_json: true"] };
        if cx.graph.node(source).place.file == cx.file.id
            && let Some(edit) = insert_step_keys(cx, &step, keys)
        {
            let title = format!("Add `parse_json: true` to step \"{step}\"");
            finding = finding.fix(Fix { title, safety: Safety::Safe, edits: vec![edit] });
        }
        sink.push(finding);
    }
}

/// The agent step without `parse_json` that a field is read from; other producers of the same name may parse.
fn unparsed(cx: &Context<'_>, id: NodeId) -> Option<(NodeId, String, String)> {
    let sources = ancestors_through(cx.graph, id, same_value);
    let mut found = None;
    let mut names = Vec::new();
    for source in sources {
        match &cx.graph.node(source).kind {
            NodeKind::Name(Name::Output(name)) => names.push(name),
            NodeKind::Source(Source::AgentStep { step, output, parse_json: false, .. }) => {
                found = Some((source, step.to_string(), output.to_string()));
            }
            NodeKind::Source(_) | NodeKind::ExtractJson { .. } | NodeKind::Json(_) => return None,
            _ => {}
        }
    }
    // The output of a script is what the script makes of the text: `jq -n --arg text "$X"` prints an object.
    found.filter(|(_, _, output)| names.first().is_none_or(|name| ***name == **output))
}
