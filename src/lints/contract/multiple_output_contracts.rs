//! One prompt that asks for the same signal in two forms.

use crate::lints::{Context, Finding, Sink, problems};
use crate::recipe::{Action, prompt};

/// The lint's name.
pub const ID: &str = "multiple-output-contracts";

/// Reports prompts of agent steps that ask for a JSON field and for a line of the same name.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    for step in &context.file.recipe.steps {
        let Action::Agent(call) = &step.action else { continue };
        let Some(fragment) = call.prompt.as_ref().map(|prompt| &prompt.text) else { continue };
        let Some(double) = prompt::double(fragment.text()) else { continue };
        let message = format!(
            "the prompt asks for {} as a line and as a field of the object: the two can contradict each other",
            double.name
        );
        sink.push(
            Finding::new(ID, context.place(fragment.locate(double.line)), message)
                .help("keep the field, and drop the line")
                .related(context.place(fragment.locate(double.field)), "the field"),
        );
    }
    problems(context, sink, ID);
}
