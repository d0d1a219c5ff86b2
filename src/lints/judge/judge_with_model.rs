//! A model beside a judge that declares its own.

use super::removal;
use crate::lints::{Context, Edit, Finding, Fix, Safety, Sink};

/// The lint's name.
pub const ID: &str = "judge-with-model";

/// Reports `model` beside `judge`.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    let Some(verify) = context.file.recipe.agent.as_ref().and_then(|agent| agent.verify.as_ref()) else { return };
    if let (Some(model), Some((judge, _))) = (verify.model, &verify.judge) {
        let message = "`model` is for the built-in judge and excludes `judge`: the agent is not loaded";
        let place = context.place(removal(&context.file.source.text, model));
        sink.push(
            Finding::new(ID, context.place(model), message)
                .help("the judge's own file says which model it uses")
                .related(context.place(*judge), "this agent is the judge")
                .fix(Fix {
                    title: "Remove `model`".to_owned(),
                    safety: Safety::Safe,
                    edits: vec![Edit { place, text: String::new() }],
                }),
        );
    }
}
