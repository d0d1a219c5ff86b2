//! A pattern over the user's own words decides what a classifier step should say as a field.

use std::sync::Arc;

use super::super::patterns::{Language, regexes, words};
use super::super::trail::{decision, is_here, read_trust, subject, tell};
use super::super::{Context, Finding, Sink};
use super::tools::{is_format_check, is_format_match};
use crate::flow::{MatchHow, NodeKind, Trust};
use crate::recipe::Dialect;

/// The lint.
pub(crate) const ID: &str = "prose-intent";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    // In workflows a word in a title or comment is the documented way to start things (`@claude`, `[skip ci]`).
    if matches!(cx.file.recipe.dialect, Dialect::Workflow | Dialect::Action) {
        return;
    }
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        if !is_here(cx, node.place) || read_trust(cx, id) != Trust::User {
            continue;
        }
        let reads = match &node.kind {
            NodeKind::Text(tool) => {
                let parts: Vec<Option<Arc<str>>> = tool
                    .patterns
                    .iter()
                    .flat_map(|program| match program {
                        Some(program) => {
                            regexes(&tool.tool, program).into_iter().map(|part| Some(part.into())).collect()
                        }
                        None => vec![None],
                    })
                    .collect();
                tool.pattern_based && has_words(&parts, Language::Regex) && !is_format_check(tool)
            }
            NodeKind::Match(found) => {
                let language = match found.how {
                    MatchHow::Regex | MatchHow::Expr | MatchHow::Method(_) => Language::Regex,
                    _ => Language::Glob,
                };
                has_words(&found.patterns, language) && !is_format_match(found)
            }
            NodeKind::Contains(found) => {
                found.needle.as_deref().is_some_and(|needle| !words(needle, Language::Glob).is_empty())
            }
            _ => false,
        };
        if !reads {
            continue;
        }
        let Some(path) = decision(cx, id) else { continue };
        let message = format!(
            "{} holds the user's own words, and a pattern over them decides: whoever says the same in other words is misunderstood",
            subject(cx, id)
        );
        let help = "let an agent step with `parse_json: true` classify the text into a field, and test that field for equality";
        sink.push(tell(cx, Finding::new(ID, node.place, message).help(help), id, &path));
    }
}

/// A pattern with words in it. One that takes a number along is after a reference (`issues/[0-9]+`), not a wish.
fn has_words(patterns: &[Option<Arc<str>>], language: Language) -> bool {
    patterns.iter().any(|pattern| {
        pattern.as_deref().is_none_or(|pattern| {
            let number = ["[0-9]", "\\d", "[[:digit:]]", "{40}"].iter().any(|class| pattern.contains(class));
            !number && words(pattern, language).iter().any(|word| word.chars().count() >= 3)
        })
    })
}
