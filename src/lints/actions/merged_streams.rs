//! A verdict is looked for in standard output and standard error together.

use super::super::trail::{ancestors, decision, is_here, read_trust, subject, tell};
use super::super::trust::tools::is_reported_elsewhere;
use super::super::{Context, Finding, Sink};
use crate::flow::{NodeId, NodeKind, Place, Source, Trust};

/// The lint.
pub(crate) const ID: &str = "merged-streams";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let looks = match &node.kind {
            NodeKind::Text(tool) => !is_reported_elsewhere(cx, id, tool),
            NodeKind::Match(_) | NodeKind::Contains(_) | NodeKind::ExtractJson { .. } => true,
            _ => false,
        };
        if !looks || !is_here(cx, node.place) || read_trust(cx, id) != Trust::Agent {
            continue;
        }
        let Some((program, redirection)) = merged(cx, id) else { continue };
        let Some(path) = decision(cx, id) else { continue };
        let message = format!(
            "a verdict is looked for in {}, which holds standard output and standard error of {program}: warnings, progress and an echoed prompt count as the answer",
            subject(cx, id)
        );
        let finding = Finding::new(ID, node.place, message)
            .help("keep standard error apart (`2> agent.log`), and let the program write its last message to a file")
            .related(redirection, "both streams are put together here");
        sink.push(tell(cx, finding, id, &path));
    }
}

fn merged(cx: &Context<'_>, id: NodeId) -> Option<(String, Place)> {
    ancestors(cx.graph, id).into_iter().find_map(|id| match &cx.graph.node(id).kind {
        NodeKind::Source(Source::AgentCli { program, merged: Some(place), .. }) => Some((program.to_string(), *place)),
        _ => None,
    })
}
