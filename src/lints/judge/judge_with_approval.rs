//! A judge that stops for a human.

use super::pairs;
use crate::flow::Place;
use crate::lints::{Context, Finding, Sink};

/// The lint's name.
pub const ID: &str = "judge-with-approval";

/// Reports the gates of judges, in the judge's file.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    for pair in pairs(context) {
        let Some(agent) = &pair.judge.recipe.agent else { continue };
        for (kind, span) in &agent.gates {
            let message = format!(
                "a judge cannot stop for a human: `{}` makes it a judge error, and the output is delivered unjudged",
                kind.key()
            );
            let mut finding = Finding::new(ID, Place { file: pair.judge.id, span: *span }, message)
                .help("remove the gate, or name another agent as judge");
            if let Some((key, _)) = user_key(pair.user) {
                finding = finding.related(Place { file: pair.user.id, span: key }, "used as judge here");
            }
            sink.push(finding);
        }
    }
}

/// The key that names the judge.
pub(super) fn user_key(user: &crate::recipe::File) -> Option<(crate::text::Span, &str)> {
    let (key, path) = user.recipe.agent.as_ref()?.verify.as_ref()?.judge.as_ref()?;
    Some((*key, &path.value))
}
