//! Model text is written to the runner's files under a delimiter that it may contain.

use super::super::trail::{comes_from, is_closed, is_here, read_trust, tell};
use super::super::{Context, Finding, Sink};
use crate::flow::{NodeKind, Trust};

/// The lint.
pub(crate) const ID: &str = "fixed-delimiter";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Framed(framing) = &node.kind else { continue };
        let Some(delimiter) = &framing.delimiter else { continue };
        if !is_here(cx, node.place) || read_trust(cx, id) < Trust::Extracted || is_closed(cx, id) {
            continue;
        }
        let message = format!(
            "{}, and it is written to ${} between lines `{delimiter}`: a line `{delimiter}` in it ends the value, and the lines behind it set other names",
            comes_from(cx, id),
            framing.file
        );
        let help = "make the delimiter in the script: `delimiter=\"text_$(openssl rand -hex 16)\"`, and write it before and after";
        sink.push(tell(cx, Finding::new(ID, node.place, message).help(help), id, &[]));
    }
}
