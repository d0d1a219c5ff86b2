//! A verdict is looked for in standard output and standard error together.

use super::super::edits::{in_script, script_at};
use super::super::trail::{ancestors, decision, is_here, read_trust, subject, tell};
use super::super::trust::tools::is_reported_elsewhere;
use super::super::{Context, Finding, Fix, Safety, Sink};
use crate::flow::{NodeId, NodeKind, Place, Source, Trust};
use crate::text::Span;

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
        let finding = apart(cx, finding, redirection);
        sink.push(tell(cx, finding, id, &path));
    }
}

/// Takes `2>&1` away, so that standard error stays what it was: a log.
fn apart(cx: &Context<'_>, finding: Finding, redirection: Place) -> Finding {
    let edits = || {
        let (script, range) = script_at(cx, redirection)?;
        let text = script.fragment.text();
        let written = text.get(range.range())?;
        let before = text.get(..range.start)?;
        let (span, new) = match written {
            "2>&1" => (Span::new(before.trim_end_matches([' ', '\t']).len(), range.end), ""),
            _ if written.starts_with("&>") => (Span::new(range.start, range.start + 2), ">"),
            // The command before `|&`.
            _ => {
                let pipe = range.end + text.get(range.end..)?.find("|&")?;
                let between = text.get(range.end..pipe)?;
                (between.trim_matches([' ', '\t', '\n', '\\']).is_empty()).then_some(())?;
                (Span::new(pipe, pipe + 2), "|")
            }
        };
        Some(vec![in_script(cx, script, span, new)?])
    };
    match edits() {
        Some(edits) => {
            let title = "Keep standard error apart".to_owned();
            finding.fix(Fix { title, safety: Safety::Suggest, edits })
        }
        None => finding,
    }
}

fn merged(cx: &Context<'_>, id: NodeId) -> Option<(String, Place)> {
    ancestors(cx.graph, id).into_iter().find_map(|id| match &cx.graph.node(id).kind {
        NodeKind::Source(Source::AgentCli { program, merged: Some(place), .. }) => Some((program.to_string(), *place)),
        _ => None,
    })
}
