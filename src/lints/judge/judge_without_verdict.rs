//! A judge that is never told how to give its verdict.

use super::judge_with_approval::user_key;
use super::pairs;
use crate::flow::Place;
use crate::lints::{Context, Finding, Sink};
use crate::recipe::prompt;

/// The lint's name.
pub const ID: &str = "judge-without-verdict";

/// Reports judges whose instructions do not name `submit_verdict`, or ask for JSON text besides.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    for pair in pairs(context) {
        let Some(agent) = &pair.judge.recipe.agent else { continue };
        let text = agent.body.text();
        let told = text.to_lowercase().replace(['-', ' ', '`'], "_").contains("submit_verdict");
        let json = prompt::asks_for_json(text);
        let message = match (told, json) {
            (true, None) => continue,
            (true, Some(_)) => {
                "the judge is asked for JSON text besides `submit_verdict`: the call alone is the verdict"
            }
            (false, Some(_)) => {
                "the judge is asked for JSON text and never told to call `submit_verdict`: text is only read as a last resort"
            }
            (false, None) => {
                "the judge is never told to call `submit_verdict`: without a verdict the output is delivered unjudged"
            }
        };
        let mut finding = Finding::new(ID, Place { file: pair.judge.id, span: agent.first_line }, message)
            .help("say: call `submit_verdict` once, with `pass` and a `critique` that can be acted on");
        if let Some(span) = json {
            let place = Place { file: pair.judge.id, span: agent.body.locate(span) };
            finding = finding.related(place, "JSON is asked for here");
        }
        if let Some((key, _)) = user_key(pair.user) {
            finding = finding.related(Place { file: pair.user.id, span: key }, "used as judge here");
        }
        sink.push(finding);
    }
}
