//! Tags that the system refuses, or that can never stand in a prompt.

use crate::lints::{Context, Finding, Sink, problems};
use crate::recipe::System;

pub(super) const ID: &str = "invalid-output-tag";

pub(super) fn check(context: &Context<'_>, sink: &mut Sink) {
    for contract in &context.file.recipe.contracts {
        let Some(tag) = contract.output.known().and_then(|output| output.tag.known()) else { continue };
        let (message, help) = match contract.system {
            System::Outpost | System::OutpostRecipe if !is_name(&tag.value) => (
                format!("`{}` is no tag that Outpost accepts: a letter, then letters, digits, `_` and `-`", tag.value),
                None,
            ),
            System::Sandcastle | System::Yaml if tag.value.is_empty() => {
                ("the tag is empty, so that the answer would have to stand between `<>` and `</>`".to_owned(), None)
            }
            System::Sandcastle | System::Yaml if tag.value.contains(['<', '>']) => {
                let bare = tag.value.trim_matches(['<', '>', '/']);
                (
                    format!("the tag has angle brackets, so that the prompt would have to hold `<{}>`", tag.value),
                    (!bare.is_empty()).then(|| format!("write the bare name: `{bare}`")),
                )
            }
            _ => continue,
        };
        let mut finding = Finding::new(ID, context.place(tag.span), message);
        finding.help = help;
        sink.push(finding);
    }
    problems(context, sink, ID);
}

/// `^[A-Za-z][A-Za-z0-9_-]*$`, the check of Outpost's `defineJsonResponse`.
fn is_name(tag: &str) -> bool {
    tag.starts_with(|first: char| first.is_ascii_alphabetic())
        && tag.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'))
}
