//! A prompt tells the agent to write the runner's own files.

use std::collections::BTreeSet;

use super::super::{Context, Finding, Sink};
use crate::flow::{NodeKind, Place};
use crate::recipe::{Dialect, File, MentionKind};
use crate::text::Span;

/// The lint.
pub(crate) const ID: &str = "agent-writes-env";

/// The files with which a step changes the steps behind it.
const FILES: [&str; 3] = ["GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH"];

/// Words of an order.
const ORDERS: &[&str] = &[
    "write", "append", "add", "put", "set", "store", "save", "echo", "print", "export", "record", "emit", "output",
    "pipe", "run",
];

/// Words that begin a question.
const QUESTIONS: &[&str] = &["why", "what", "how", "which", "does", "is", "are"];

/// Words that turn an order into its contrary.
const DENIALS: &[&str] =
    &["never", "not", "don't", "without", "avoid", "cannot", "no", "instead", "nor", "must't", "forbidden"];

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    let mut prompts: BTreeSet<Place> = cx
        .graph
        .nodes()
        .filter(|(_, node)| matches!(node.kind, NodeKind::Prompt) && node.place.file == cx.file.id)
        .map(|(_, node)| node.place)
        .collect();
    if matches!(cx.file.recipe.dialect, Dialect::Workflow | Dialect::Action) {
        for mention in cx.file.recipe.mentions.iter().filter(|mention| mention.kind == MentionKind::Prompt) {
            if let Some(file) = cx.index.mentioned(cx.file, mention) {
                prompts.insert(Place { file: file.id, span: Span::new(0, file.source.text.len()) });
            }
        }
    }
    let mut told: BTreeSet<Place> = BTreeSet::new();
    for prompt in prompts {
        let file: &File = match cx.index.file(prompt.file) {
            _ if prompt.file == cx.file.id => cx.file,
            Some(file) => file,
            None => continue,
        };
        for (place, name) in orders(file, prompt) {
            if !told.insert(place) {
                continue;
            }
            let message = format!(
                "the prompt tells the agent to write ${name}: whatever the agent reads can then set variables, outputs or programs of the steps behind it"
            );
            let help = "let the agent answer with a field under a schema, and write the file in a step of your own from a list of allowed values";
            sink.push(Finding::new(ID, place, message).help(help));
        }
    }
}

/// Mentions of the files in sentences that order something.
fn orders(file: &File, prompt: Place) -> Vec<(Place, &'static str)> {
    let text = file.source.slice(prompt.span);
    let mut found = Vec::new();
    for name in FILES {
        for (at, _) in text.match_indices(name) {
            let before = text.get(..at).unwrap_or_default();
            // A sentence ends at a full stop with a blank, at an empty line, at a list item.
            let start = [". ", ".\n", "! ", "? ", "?\n", "\n\n", "\n- ", "\n* ", ": |"]
                .iter()
                .filter_map(|end| before.rfind(end).map(|at| at + end.len()))
                .max()
                .unwrap_or(0);
            let sentence = before.get(start..).unwrap_or_default().to_lowercase();
            let words: Vec<&str> = sentence.split(|c: char| !(c.is_alphanumeric() || c == '\'')).collect();
            let orders = sentence.contains('>') || words.iter().any(|word| ORDERS.contains(word));
            let denies = words.iter().any(|word| DENIALS.contains(word) || word.ends_with("n't"));
            let asks = words.iter().find(|word| !word.is_empty()).is_some_and(|word| QUESTIONS.contains(word));
            if orders && !denies && !asks {
                let start = prompt.span.start + at;
                found.push((Place { file: prompt.file, span: Span::new(start, start + name.len()) }, name));
            }
        }
    }
    found.sort();
    found
}
