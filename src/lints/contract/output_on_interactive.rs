//! Structured output on a call that never reads it.

use crate::lints::{Context, Finding, Sink, problems};
use crate::recipe::{Call, Known};

pub(super) const ID: &str = "output-on-interactive";

pub(super) fn check(context: &Context<'_>, sink: &mut Sink) {
    for contract in &context.file.recipe.contracts {
        let call = contract.call.value;
        let Known::Known(output) = &contract.output else { continue };
        if call.reads_output() {
            continue;
        }
        let help = match call {
            Call::Interactive => "a person talks to the agent here: ask for the output in a `run()` of its own",
            _ => {
                "only the top-level `run()` reads structured output: call it with the same sandbox provider and branch"
            }
        };
        let message =
            format!("{} does not read structured output: `output` is ignored and the result has none", call.name());
        sink.push(
            Finding::new(ID, context.place(output.key), message)
                .help(help)
                .related(context.place(contract.call.span), "the call"),
        );
    }
    problems(context, sink, ID);
}
