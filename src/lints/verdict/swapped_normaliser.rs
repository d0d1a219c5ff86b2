//! A loop verdict goes through the normaliser for work, or the other way round.

use super::super::edits::replace_text;
use super::super::trail::{ancestors_through, is_here, tell};
use super::super::{Context, Finding, Fix, Safety, Sink};
use super::gate::{names, prompt, same_value, tests};
use crate::flow::{DefaultValue, NodeId, NodeKind, Normaliser};
use crate::verdict::Vocabulary;

/// The lint.
pub(crate) const ID: &str = "swapped-normaliser";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let (own, other, fails) = match &node.kind {
            NodeKind::Normalise(Normaliser::Verdict) => (
                Vocabulary::work(),
                Vocabulary::of_loop(),
                "CONTINUE and DONE become INSUFFICIENT_EVIDENCE, and a loop that nobody judged is not stopped",
            ),
            NodeKind::Normalise(Normaliser::Loop) => (
                Vocabulary::of_loop(),
                Vocabulary::work(),
                "every verdict on work becomes STUCK, and work that was verified is stopped",
            ),
            _ => continue,
        };
        // Words of the wrong normaliser are tested behind it because nothing else ever comes out.
        if !is_here(cx, node.place) || before(cx, id, own) > 0 || before(cx, id, other) + behind(cx, id, other) == 0 {
            continue;
        }
        let kind = if own.name == "normalise-verdict" { "a loop verdict" } else { "a verdict on work" };
        let message = format!("{kind} goes through {}: {fails}", own.name);
        let mut finding = Finding::new(ID, node.place, message).help(format!("use {}", other.name));
        if let Some(edit) = replace_text(cx, node.place, &own.name, &other.name) {
            let title = format!("Use {}", other.name);
            finding = finding.fix(Fix { title, safety: Safety::Suggest, edits: vec![edit] });
        }
        sink.push(tell(cx, finding, id, &[]));
    }
}

/// What speaks for a vocabulary before the normaliser: the field, its default, the words of the prompt.
fn before(cx: &Context<'_>, id: NodeId, vocabulary: &Vocabulary) -> usize {
    let mut found = 0;
    for ancestor in ancestors_through(cx.graph, id, same_value) {
        let NodeKind::ExtractField { field, default } = &cx.graph.node(ancestor).kind else { continue };
        let is_loop = field.as_deref().is_some_and(|field| field.to_ascii_lowercase().contains("loop"));
        found += usize::from(is_loop && vocabulary.name == Vocabulary::of_loop().name);
        if let Some(DefaultValue { literal: Some(literal), .. }) = default {
            found += usize::from(vocabulary.outcome(literal).is_some());
        }
    }
    if let Some(prompt) = prompt(cx, id) {
        // One word alone may be an ordinary word of the sentence: `PASS`, `DONE`.
        let words =
            vocabulary.outcomes.iter().flat_map(|outcome| std::iter::once(&outcome.canonical).chain(&outcome.synonyms));
        found += usize::from(words.filter(|word| names(&prompt, word)).count() >= 2);
    }
    found
}

/// Words of a vocabulary that are tested behind the normaliser.
fn behind(cx: &Context<'_>, id: NodeId, vocabulary: &Vocabulary) -> usize {
    let mut found = 0;
    for test in tests(cx, id) {
        found += match &cx.graph.node(test).kind {
            NodeKind::Compare(compare) => {
                usize::from(compare.operand.as_deref().is_some_and(|operand| vocabulary.can_yield(operand)))
            }
            NodeKind::Choice(choice) => {
                choice.arms.iter().flat_map(|arm| &arm.tokens).filter(|token| vocabulary.can_yield(token)).count()
            }
            _ => 0,
        };
    }
    found
}
