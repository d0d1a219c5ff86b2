//! A JSON reader gets an agent's prose.

use super::super::rewrite;
use super::super::trail::{comes_from, decision, is_here, read_trust, tell};
use super::super::{Context, Finding, Sink};
use crate::flow::{NodeKind, Trust};

/// The lint.
pub(crate) const ID: &str = "jq-agent-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Json(tool) = &node.kind else { continue };
        if !is_here(cx, node.place) || read_trust(cx, id) != Trust::Agent {
            continue;
        }
        // A pretty print for the log, with nothing behind it.
        let users = cx.graph.users(id);
        let prints = tool.fields.is_empty() && matches!(&*tool.tool, "jq" | "gojq" | "jaq" | "yq");
        let shown = prints && users.iter().all(|user| matches!(cx.graph.node(user.from).kind, NodeKind::Show));
        if shown && !users.is_empty() && decision(cx, id).is_none() {
            continue;
        }
        let message = format!(
            "{}, and `{}` reads it as JSON: prose around the object breaks it, and a quoted example is taken for the answer",
            comes_from(cx, id),
            tool.tool
        );
        let finding = Finding::new(ID, node.place, message).help(rewrite::json_advice(cx, id, tool));
        let finding = rewrite::insert_extraction(cx, finding, id, tool);
        sink.push(tell(cx, finding, id, &[]));
    }
}
