//! The prompt opens the tag and never closes it: the pair is what is read.

use super::prompt;
use crate::lints::{Context, Edit, Finding, Fix, Safety, Sink, problems};
use crate::recipe::Known;

pub(super) const ID: &str = "unclosed-output-tag";

pub(super) fn check(context: &Context<'_>, sink: &mut Sink) {
    for contract in &context.file.recipe.contracts {
        let Known::Known(output) = &contract.output else { continue };
        let Some(tag) = output.tag.known().filter(|tag| !tag.value.is_empty()) else { continue };
        if !contract.call.value.reads_output() || prompt::demands_tag(context, contract) != Some(true) {
            continue;
        }
        let Some(text) = prompt::text(context, contract) else { continue };
        let (opening, closing) = (format!("<{}>", tag.value), format!("</{}>", tag.value));
        let Some((start, _)) =
            text.text.match_indices(&opening).find(|(at, _)| !is_mention(&text.text, at + opening.len()))
        else {
            continue;
        };
        let rest = text.text.get(start + opening.len()..).unwrap_or_default();
        if rest.contains(&closing) || (!text.is_inline() && rest.contains("{{")) {
            continue;
        }
        let message =
            format!("`{opening}` is never closed here, and only what stands between it and `{closing}` is read");
        let mut finding = Finding::new(ID, text.place(start..start + opening.len()), message)
            .help(format!("show the whole pair: `{opening}…{closing}`"))
            .related(context.place(tag.span), "the tag is configured here");
        let line = rest.find('\n').unwrap_or(rest.len());
        let end = start + opening.len() + rest.get(..line).unwrap_or_default().trim_end().len();
        let place = if text.is_inline() { text.end() } else { text.place(end..end) };
        finding = finding.fix(Fix {
            title: format!("Write `{closing}`"),
            safety: Safety::Suggest,
            edits: vec![Edit { place, text: closing }],
        });
        sink.push(finding);
    }
    problems(context, sink, ID);
}

/// `<plan>` is only named: "in `<plan>` tags", "the <plan> block".
fn is_mention(text: &str, after: usize) -> bool {
    let rest = text.get(after..).unwrap_or_default();
    let rest = rest.trim_start_matches(['`', '"', '\'', '*', ')', ' ', '\t', '\n', '\r']);
    let word: String = rest.chars().take_while(|letter| letter.is_alphabetic()).collect::<String>().to_lowercase();
    matches!(word.as_str(), "tag" | "tags" | "block" | "blocks" | "element" | "elements" | "xml" | "section" | "pair")
}
