//! Agent text stands where the shell splits it, globs it or reads it as grammar.

use super::super::quoting;
use super::super::trail::{comes_from, is_closed, is_here, read_trust, tell};
use super::super::{Context, Finding, Sink};
use crate::flow::{Execution, Misuse, NodeId, NodeKind, Trust};

/// The lint.
pub(crate) const ID: &str = "unquoted-agent-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Unquoted(misuse) = &node.kind else { continue };
        // A field is data like the rest, but short: what `echo` and options do to it is no surprise to anybody.
        let least = match misuse {
            Misuse::Split | Misuse::Format | Misuse::Pattern => Trust::Extracted,
            Misuse::Echo | Misuse::Option => Trust::Agent,
        };
        if !is_here(cx, node.place) || read_trust(cx, id) < least || is_closed(cx, id) {
            continue;
        }
        if *misuse == Misuse::Split && runs_as_command(cx, id) {
            continue;
        }
        let (consequence, help) = explain(*misuse);
        let message = format!("{}, and {consequence}", comes_from(cx, id));
        let finding = quoting::quote(cx, Finding::new(ID, node.place, message).help(help), *misuse);
        sink.push(tell(cx, finding, id, &[]));
    }
}

/// The text is the command itself, which is worse than splitting it and is reported as that.
fn runs_as_command(cx: &Context<'_>, id: NodeId) -> bool {
    let node = cx.graph.node(id);
    node.inputs.iter().flat_map(|input| cx.graph.users(input.from)).any(|user| {
        let user = cx.graph.node(user.from);
        matches!(user.kind, NodeKind::Execute(Execution::Command)) && user.place.span.covers(node.place.span)
    })
}

fn explain(misuse: Misuse) -> (&'static str, &'static str) {
    match misuse {
        Misuse::Split => {
            ("the shell splits it at blanks and expands `*` and `?` in it to names of files", "put it in double quotes")
        }
        Misuse::Format => (
            "`printf` takes it as its format: `%` and backslashes in it are directives",
            "write `printf '%s' \"$text\"`",
        ),
        Misuse::Echo => (
            "`echo` hands it to a pipe: a text that begins with `-n` or `-e` is lost, and backslashes may change",
            "write `printf '%s\\n' \"$text\" | …`",
        ),
        Misuse::Option => ("a text that begins with `-` becomes an option of the command", "put `--` before it"),
        Misuse::Pattern => (
            "it is used as a pattern: `*` in it matches anything",
            "put it in double quotes, or use `grep -F -- \"$text\"`",
        ),
    }
}
