//! An output that the agent action does not have is read.

use super::super::edits::replace_text;
use super::super::trail::is_here;
use super::super::{Context, Finding, Fix, Safety, Sink};
use crate::flow::{NodeKind, Source};

/// The lint.
pub(crate) const ID: &str = "unknown-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (_, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Source(Source::NoSuchOutput { origin, output, known, reason }) = &node.kind else { continue };
        if !is_here(cx, node.place) {
            continue;
        }
        let message = match reason {
            Some(reason) => format!("\"{output}\" of {origin} is always empty here: {reason}"),
            None => format!("{origin} has no output \"{output}\": it is always empty, and what tests it never changes"),
        };
        let names: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
        let mut finding = Finding::new(ID, node.place, message);
        if reason.is_none() {
            finding = finding.help(format!("its outputs are {}", names.join(", ")));
            if let Some(first) = names.first()
                && let Some(edit) = replace_text(cx, node.place, &format!(".{output}"), &format!(".{first}"))
            {
                let title = format!("Read \"{first}\"");
                finding = finding.fix(Fix { title, safety: Safety::Suggest, edits: vec![edit] });
            }
        } else {
            finding = finding.help("ask for it: a schema makes the action fill this output");
        }
        sink.push(finding);
    }
}
