//! Placeholders without a value, and values without a placeholder.

use super::prompt::{self, Lookup};
use crate::flow::Place;
use crate::lints::{Context, Finding, Level, Sink, problems};
use crate::recipe::{Arguments, Call, Contract, ContractText, File, Known, System};
use crate::syntax::template;

pub(super) const ID: &str = "unfilled-placeholder";

pub(super) fn check(context: &Context<'_>, sink: &mut Sink) {
    for contract in &context.file.recipe.contracts {
        let Known::Known(prompt) = &contract.prompt else { continue };
        if contract.system == System::OutpostRecipe {
            continue;
        }
        match &prompt.text {
            ContractText::Inline(_) => inline(context, contract, prompt.key, sink),
            ContractText::File(path) => {
                built_in(context, contract, sink);
                if let Lookup::Found(file) = prompt::lookup(context, contract.system, path) {
                    placeholders(context, contract, file, sink);
                }
            }
        }
    }
    problems(context, sink, ID);
}

/// Placeholders that have a value without being given one: Sandcastle's since 0.1.7, Outpost's.
fn built_ins(system: System) -> &'static [&'static str] {
    match system {
        System::Sandcastle | System::Yaml => &["SOURCE_BRANCH", "TARGET_BRANCH"],
        System::Outpost | System::OutpostRecipe => &["WORK_BRANCH", "BASE_BRANCH"],
    }
}

/// The option that holds the values.
fn option(system: System) -> &'static str {
    match system {
        System::Sandcastle | System::Yaml => "promptArgs",
        System::Outpost | System::OutpostRecipe => "values",
    }
}

/// An inline prompt is sent as it is, and arguments for it are refused. Sandcastle lets an empty object pass.
fn inline(context: &Context<'_>, contract: &Contract, prompt: crate::text::Span, sink: &mut Sink) {
    let Known::Known(arguments) = &contract.arguments else { return };
    if arguments.entries.is_empty() && (arguments.open || contract.system != System::Outpost) {
        return;
    }
    let name = option(contract.system);
    let finding = if let Some(original) = contract.inherited_from {
        let message = format!(
            "{} takes over `{name}` from the run that it goes on with, and arguments are refused beside an inline prompt",
            contract.call.value.name()
        );
        Finding::new(ID, context.place(contract.call.span), message)
            .help(format!("give `{name}: {{}}` in the options"))
            .related(context.place(original), "this run has them")
    } else {
        let message = format!("an inline prompt is sent as it is: with `{name}` beside it the call is refused");
        Finding::new(ID, context.place(arguments.key), message)
            .help("put the values in with a template string, or move the prompt to a file")
            .related(context.place(prompt), "the inline prompt")
    };
    sink.push(finding);
}

/// Built-in placeholders must not be given.
fn built_in(context: &Context<'_>, contract: &Contract, sink: &mut Sink) {
    let Known::Known(arguments) = &contract.arguments else { return };
    for argument in &arguments.entries {
        let name = &argument.name.value;
        if built_ins(contract.system).contains(&name.as_str()) {
            let message = format!("`{name}` is filled by the system itself, and giving it is refused");
            let help = "take another name for this value, in the prompt file too".to_owned();
            sink.push(Finding::new(ID, context.place(argument.name.span), message).help(help));
        }
    }
}

fn placeholders(context: &Context<'_>, contract: &Contract, file: &File, sink: &mut Sink) {
    let holes = template::placeholders(&file.source.text);
    let empty = Arguments::default();
    let arguments = match &contract.arguments {
        Known::Unknown(_) => return,
        Known::Absent => &empty,
        Known::Known(arguments) => arguments,
    };
    let option = option(contract.system);
    let asks = contract.call.value == Call::Interactive;
    for hole in &holes {
        if built_ins(contract.system).contains(&hole.name.as_str()) || asks {
            continue;
        }
        let place = Place { file: file.id, span: hole.span };
        let given = arguments.entries.iter().rfind(|argument| argument.name.value == hole.name);
        let finding = match given {
            Some(argument) if argument.missing && !arguments.open => {
                let message = format!("`{}` has no value: `{option}` gives it as null or undefined", hole.name);
                Finding::new(ID, place, message).related(context.place(argument.name.span), "given here")
            }
            None if !arguments.open => {
                let message = format!("`{{{{{}}}}}` has no value in `{option}`, and the call is refused", hole.name);
                let mut finding = Finding::new(ID, place, message)
                    .related(context.place(contract.call.span), "this call sends the prompt");
                let near = arguments
                    .entries
                    .iter()
                    .map(|argument| argument.name.value.as_str())
                    .find(|name| strsim::damerau_levenshtein(name, &hole.name) <= 2);
                finding.help = Some(match near {
                    Some(near) => format!("`{option}` has `{near}`"),
                    None => format!(
                        "give it in `{option}`; if the agent shall see the braces, write them in another way, there is no escape"
                    ),
                });
                finding
            }
            _ => continue,
        };
        sink.push(finding);
    }
    for argument in &arguments.entries {
        let name = &argument.name.value;
        let used = holes.iter().any(|hole| &hole.name == name);
        if !used && !built_ins(contract.system).contains(&name.as_str()) {
            let message = format!("the prompt file never uses `{name}`");
            let mut finding = Finding::new(ID, context.place(argument.name.span), message)
                .related(Place { file: file.id, span: crate::text::Span::at(0) }, "the prompt file");
            finding.own_level = Some(Level::Info);
            sink.push(finding);
        }
    }
}
