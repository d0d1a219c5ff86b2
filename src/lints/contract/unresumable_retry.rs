//! Retries go on with the agent's session, and this agent has none.

use crate::lints::{Context, Finding, Sink, problems};
use crate::recipe::{Known, Number, System};

pub(super) const ID: &str = "unresumable-retry";

pub(super) fn check(context: &Context<'_>, sink: &mut Sink) {
    for contract in &context.file.recipe.contracts {
        let Known::Known(output) = &contract.output else { continue };
        let Some(retries) = output.retries.known() else { continue };
        let (Number::Int(1..), Some(Err(why))) = (&retries.value, &contract.agent.resumable) else { continue };
        if !contract.call.value.reads_output() || contract.inherited_from.is_some() {
            continue;
        }
        let name = match contract.system {
            System::Sandcastle | System::Yaml => "maxRetries",
            System::Outpost | System::OutpostRecipe => "repairs",
        };
        let message = format!("`{name}` cannot work: it goes on with the agent's session, and {why}");
        let mut finding = Finding::new(ID, context.place(retries.span), message).help(format!(
            "use an agent that keeps its session, or leave `{name}` out and start the run again on an error"
        ));
        if let Some(provider) = &contract.agent.provider {
            finding = finding.related(context.place(provider.span), "the agent");
        }
        sink.push(finding);
    }
    problems(context, sink, ID);
}
