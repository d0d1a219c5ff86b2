//! An example of the answer that is not what the answer must be.

use super::prompt;
use crate::flow::Place;
use crate::lints::{Context, Finding, Sink, problems};
use crate::recipe::example::{self, Example, fenced, tagged};
use crate::recipe::{Action, Known, OutputKind};
use crate::text::Span;

/// The lint's name.
pub const ID: &str = "invalid-output-example";

/// Reports examples inside the tag of a contract, and in the JSON fence of a prompt whose answer is parsed.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    for contract in &context.file.recipe.contracts {
        let Known::Known(output) = &contract.output else { continue };
        let Known::Known(tag) = &output.tag else { continue };
        if output.kind == OutputKind::Text || tag.value.is_empty() {
            continue;
        }
        let Some(text) = prompt::text(context, contract) else { continue };
        let schema = output.schema.known().map(|schema| &schema.value);
        for example in tagged(&text.text, &tag.value) {
            let place = text.place(example.opening.range());
            report(sink, context, &example, schema, place, Some(output.key));
        }
    }
    for step in &context.file.recipe.steps {
        let Action::Agent(call) = &step.action else { continue };
        let Some(fragment) = call.prompt.as_ref().map(|prompt| &prompt.text) else { continue };
        if step.output.as_ref().is_some_and(|output| output.parse_json) {
            for example in fenced(fragment.text()) {
                let place = context.place(fragment.locate(example.opening));
                report(sink, context, &example, None, place, None);
            }
        }
    }
    problems(context, sink, ID);
}

fn report(
    sink: &mut Sink,
    context: &Context<'_>,
    example: &Example<'_>,
    schema: Option<&serde_json::Value>,
    place: Place,
    key: Option<Span>,
) {
    let Some(found) = example::judge(example.body, schema) else { return };
    let (message, help) = match found {
        example::Finding::NotJson(why) => (
            format!("the example of the answer is not JSON ({why}): an agent that copies its form is refused"),
            "write JSON as it should come back, or a template with `<…>` or `\"A\" | \"B\"` in it",
        ),
        example::Finding::Fails(why) => {
            (format!("the example of the answer fails its own schema: {why}"), "change the example, or the schema")
        }
    };
    let mut finding = Finding::new(ID, place, message).help(help);
    if let Some(key) = key {
        finding = finding.related(context.place(key), "the answer is declared here");
    }
    sink.push(finding);
}
