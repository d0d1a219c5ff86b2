//! Structured output is read of exactly one iteration.

use std::collections::HashSet;

use crate::lints::{Context, Edit, Finding, Fix, Level, Safety, Sink, problems};
use crate::recipe::{Known, Number, System};

pub(super) const ID: &str = "multi-iteration-output";

pub(super) fn check(context: &Context<'_>, sink: &mut Sink) {
    let mut shared = HashSet::new();
    for contract in &context.file.recipe.contracts {
        let Known::Known(output) = &contract.output else { continue };
        if !contract.call.value.reads_output() {
            continue;
        }
        let what = match contract.system {
            System::Sandcastle | System::Yaml => "iterations",
            System::Outpost | System::OutpostRecipe => "passes",
        };
        let name = contract.call.value.name();
        let mut finding = match &contract.iterations {
            Known::Absent => continue,
            Known::Known(number) if number.value == Number::Int(1) => continue,
            Known::Known(number) => {
                let written = match &number.value {
                    Number::Int(value) => value.to_string(),
                    Number::Other(text) => text.clone(),
                };
                let message =
                    format!("structured output is read of exactly one of the {what}, and {written} is refused");
                let finding = Finding::new(ID, context.place(number.span), message);
                if contract.span.covers(number.span) {
                    finding.fix(Fix {
                        title: "Write `1`".to_owned(),
                        safety: Safety::Safe,
                        edits: vec![Edit { place: context.place(number.span), text: "1".to_owned() }],
                    })
                } else if !shared.insert(number.span) {
                    continue;
                } else {
                    // Options that several calls may share: another number there would change the other calls.
                    finding.related(context.place(contract.call.span), "the call that is refused")
                }
            }
            Known::Unknown(span) => {
                let message = format!(
                    "{name} with structured output refuses any number of {what} but 1, and this one only shows at run time"
                );
                let mut finding = Finding::new(ID, context.place(*span), message);
                finding.own_level = Some(Level::Info);
                finding
            }
        };
        finding = finding
            .help("ask for the output in a run of its own, after the one that works in a loop")
            .related(context.place(output.key), "structured output is asked for here");
        sink.push(finding);
    }
    problems(context, sink, ID);
}
