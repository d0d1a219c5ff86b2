//! Agent text reaches a place where it is executed.

use super::super::trail::{comes_from, execution_name, is_closed, is_here, read_trust, tell};
use super::super::{Context, Finding, Sink};
use crate::flow::{Execution, NodeId, NodeKind, Pasting, Trust};

/// The lint.
pub(crate) const ID: &str = "eval-agent-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Execute(execution) = &node.kind else { continue };
        if !is_here(cx, node.place) || read_trust(cx, id) < Trust::Extracted || is_closed(cx, id) {
            continue;
        }
        if matches!(execution, Execution::Stdin(_)) && is_pasted(cx, id) {
            continue;
        }
        let message = format!(
            "{}, and {}: whoever can influence the agent runs commands here",
            comes_from(cx, id),
            execution_name(execution)
        );
        sink.push(tell(cx, Finding::new(ID, node.place, message).help(advice(execution)), id, &[]));
    }
}

/// All that the agent wrote in this program stands in it as a template of a quoted here-document: reported there.
fn is_pasted(cx: &Context<'_>, id: NodeId) -> bool {
    let mut untrusted =
        cx.graph.node(id).inputs.iter().filter(|input| cx.graph.node(input.from).trust >= Trust::Extracted);
    untrusted.all(|input| {
        let mut users = cx.graph.users(input.from).iter();
        users.any(|user| matches!(cx.graph.node(user.from).kind, NodeKind::Paste(Pasting::Heredoc(_))))
    })
}

fn advice(execution: &Execution) -> &'static str {
    match execution {
        Execution::Arithmetic => {
            "check the text first with `[[ \"$x\" =~ ^[0-9]+$ ]]` and a safe value otherwise, or compare with `[ \"$x\" -lt 80 ]`"
        }
        Execution::Program(_) | Execution::Spawned(_) | Execution::Remote => {
            "keep the program text fixed and hand the text over as an argument (`bash -c 'use \"$1\"' _ \"$x\"`) or on standard input"
        }
        Execution::Name(_) | Execution::Indirect => {
            "let a `case` of exact tokens choose among fixed names; the agent's text must not name variables"
        }
        Execution::Option(_) => "put the text behind `--`, or let a `case` of exact tokens choose a fixed option",
        Execution::JavaScript => "read the text from `process.env` and use it as data",
        _ => {
            "let the agent choose from a fixed list by an extracted field, and run a command that stands in the recipe"
        }
    }
}
