//! A schema is given to a tool that never reads it.

use super::super::{Context, Finding, Sink};
use crate::flow::NodeKind;

/// The lint.
pub(crate) const ID: &str = "ignored-schema";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (_, node) in cx.graph.nodes() {
        let NodeKind::IgnoredSchema(schema) = &node.kind else { continue };
        // The schema may stand in a prompt file: whoever uses the tool reports it.
        if schema.user.unwrap_or(node.place).file != cx.file.id {
            continue;
        }
        let message = format!("{} never reads this schema: {}", schema.tool, schema.reason);
        let mut finding = Finding::new(ID, node.place, message)
            .help("treat the answer as prose and read it with `recipelint extract json --require-field …`, or use a version that honours the schema");
        if let Some(user) = schema.user {
            finding = finding.related(user, format!("{} is used here", schema.tool));
        }
        sink.push(finding);
    }
}
