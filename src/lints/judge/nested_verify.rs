//! A judge that is to be judged itself.

use super::judge_with_approval::user_key;
use super::{judge_of, pairs, removal};
use crate::flow::Place;
use crate::lints::{Context, Edit, Finding, Fix, Safety, Sink};

/// The lint's name.
pub const ID: &str = "nested-verify";

/// Reports `verify` on judges, in the judge's file.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    for pair in pairs(context) {
        let Some(verify) = pair.judge.recipe.agent.as_ref().and_then(|agent| agent.verify.as_ref()) else { continue };
        // Where the two judge each other, each needs its `verify` for its own runs.
        let mutual = judge_of(pair.judge, context.index).is_some_and(|judge| judge.id == pair.user.id);
        let message = if mutual {
            "this agent and its judge judge each other: while one judges, its own `verify` is ignored"
        } else {
            "`verify` on an agent that is used as a judge is ignored"
        };
        let mut finding = Finding::new(ID, Place { file: pair.judge.id, span: verify.key }, message);
        finding.scope = verify.span;
        if let Some((key, _)) = user_key(pair.user) {
            finding = finding.related(Place { file: pair.user.id, span: key }, "used as judge here");
        }
        finding =
            if mutual {
                finding.help("make the judge an agent of its own")
            } else {
                let span = removal(&pair.judge.source.text, verify.span);
                let edits = vec![Edit { place: Place { file: pair.judge.id, span }, text: String::new() }];
                finding
                    .help("remove it; if the agent also runs by itself, make the judge an agent of its own")
                    .fix(Fix { title: "Remove `verify`".to_owned(), safety: Safety::Safe, edits })
            };
        sink.push(finding);
    }
}
