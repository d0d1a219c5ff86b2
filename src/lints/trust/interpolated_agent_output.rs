//! Agent text is pasted into program text before the shell or JavaScript reads it.

use super::super::rewrite;
use super::super::trail::{comes_from, is_here, paste_name, read_trust, tell};
use super::super::{Context, Finding, Sink};
use crate::flow::{NodeKind, Pasting, Trust};

/// The lint.
pub(crate) const ID: &str = "interpolated-agent-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Paste(pasting) = &node.kind else { continue };
        if !is_here(cx, node.place) || read_trust(cx, id) < Trust::Extracted {
            continue;
        }
        let consequence = match pasting {
            Pasting::Heredoc(delimiter) => {
                format!(
                    "a line \"{delimiter}\" in it ends the document, and the rest of the agent's text runs as a script"
                )
            }
            Pasting::Program(_) | Pasting::Run => "a quote, `$(…)` or a newline in it runs as a command".to_owned(),
            Pasting::JavaScript => "a quote or a backtick in it runs as code".to_owned(),
        };
        let message = format!("{}, and it is pasted into {}: {consequence}", comes_from(cx, id), paste_name(pasting));
        let finding = Finding::new(ID, node.place, message).help(advice(pasting));
        let finding = rewrite::unpaste(cx, finding, node.place, pasting);
        sink.push(tell(cx, finding, id, &[]));
    }
}

fn advice(pasting: &Pasting) -> &'static str {
    match pasting {
        Pasting::Heredoc(_) => {
            "write the text with `printf '%s\\n' \"$RECIPE_VAR_name\" > file`, or take the quotes off the delimiter so that the engine leaves a variable there"
        }
        Pasting::Program(_) => {
            "keep the program text in single quotes and pass the text as an argument: `bash -c 'use \"$1\"' _ \"$text\"`"
        }
        Pasting::Run => "set it in the step's `env:` and expand the variable in double quotes",
        Pasting::JavaScript => "set it in the step's `env:` and read `process.env.NAME`",
    }
}
