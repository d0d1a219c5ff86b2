//! A rubric here and a judge that has its own.

use crate::lints::{Context, Finding, Sink};

/// The lint's name.
pub const ID: &str = "judge-with-criteria";

/// Reports `criteria` beside `judge`.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    let Some(verify) = context.file.recipe.agent.as_ref().and_then(|agent| agent.verify.as_ref()) else { return };
    if let (Some((criteria, _)), Some((judge, _))) = (&verify.criteria, &verify.judge) {
        let message = "`criteria` and `judge` exclude each other: the agent is not loaded";
        sink.push(
            Finding::new(ID, context.place(*criteria), message)
                .help("move the rubric into the judge's instructions, or drop `judge`")
                .related(context.place(*judge), "the judge brings its own rubric"),
        );
    }
}
