//! A loop verdict goes through the normaliser for work, or the other way round.

use super::super::edits::replace_text;
use super::super::trail::{ancestors_through, is_here, tell};
use super::super::{Context, Finding, Fix, Safety, Sink};
use super::gate::{prompt, same_value, tests};
use crate::flow::{DefaultValue, NodeId, NodeKind, Normaliser};
use crate::recipe::prompt::names;
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
        if !is_here(cx, node.place) || !is_swapped(cx, id, own, other) {
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

/// The field and its default say whose verdict it is; where they do not, the words of the prompt and of the tests do.
fn is_swapped(cx: &Context<'_>, id: NodeId, own: &Vocabulary, other: &Vocabulary) -> bool {
    match (declared(cx, id, own), declared(cx, id, other)) {
        (true, _) => false,
        (false, true) => true,
        (false, false) => !worded(cx, id, own) && (worded(cx, id, other) || behind(cx, id, other) > 0),
    }
}

/// Whether the field or its default before the normaliser is of a vocabulary.
fn declared(cx: &Context<'_>, id: NodeId, vocabulary: &Vocabulary) -> bool {
    ancestors_through(cx.graph, id, same_value).into_iter().any(|ancestor| {
        let NodeKind::ExtractField { field, default } = &cx.graph.node(ancestor).kind else { return false };
        let is_loop = field.as_deref().is_some_and(|field| field.to_ascii_lowercase().contains("loop"));
        let literal = match default {
            Some(DefaultValue { literal: Some(literal), .. }) => Some(literal),
            _ => None,
        };
        (is_loop && vocabulary.name == Vocabulary::of_loop().name)
            || literal.is_some_and(|literal| vocabulary.outcome(literal).is_some())
    })
}

/// Whether the prompt offers the words of a vocabulary. One word alone may be an ordinary word of the sentence: `PASS`,
/// `DONE`.
fn worded(cx: &Context<'_>, id: NodeId, vocabulary: &Vocabulary) -> bool {
    let Some(prompt) = prompt(cx, id) else { return false };
    let words =
        vocabulary.outcomes.iter().flat_map(|outcome| std::iter::once(&outcome.canonical).chain(&outcome.synonyms));
    words.filter(|word| names(&prompt, word)).count() >= 2
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
