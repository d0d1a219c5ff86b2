//! Synonyms of one outcome are tested inline, or a verdict is compared without its normaliser.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::rewrite::{self, Tested, stage};
use super::super::trail::{ancestors, comes_from, decision, is_here, read_trust, tell};
use super::super::{Context, Finding, Sink};
use super::gate::{agents, field, normaliser, prompt, value, vocabulary_of_field};
use crate::flow::{AgentForm, Choice, CompareOp, NodeId, NodeKind, Place, Source, Trust};
use crate::recipe::Dialect;
use crate::recipe::prompt::names;
use crate::verdict::Vocabulary;

/// The lint.
pub(crate) const ID: &str = "unnormalised-verdict";

/// A place where an agent's word is tested.
struct Test {
    id: NodeId,
    place: Place,
    tokens: Vec<Arc<str>>,
    /// In a condition of the engine or an expression, not in a script.
    guard: bool,
}

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    // All tests of one value are mended by one normaliser: the first one is reported.
    let mut values: BTreeMap<BTreeSet<NodeId>, Vec<Test>> = BTreeMap::new();
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let found: Vec<(Place, Vec<Arc<str>>)> = match &node.kind {
            NodeKind::Compare(compare) if compare.op != CompareOp::Order => {
                compare.operand.iter().map(|operand| (node.place, vec![Arc::clone(operand)])).collect()
            }
            NodeKind::Choice(choice) => arms(choice),
            _ => continue,
        };
        if !is_here(cx, node.place) || read_trust(cx, id) < Trust::Extracted || normaliser(cx, id).is_some() {
            continue;
        }
        let value = value(cx, id);
        if value.is_empty() {
            continue;
        }
        let guard = decision(cx, id).is_some_and(|path| is_guard(cx, &path));
        let tests = values.entry(value).or_default();
        tests.extend(found.into_iter().map(|(place, tokens)| Test { id, place, tokens, guard }));
    }
    for tests in values.into_values() {
        if let Some(finding) = judge(cx, &tests) {
            sink.push(finding);
        }
    }
}

fn arms(choice: &Choice) -> Vec<(Place, Vec<Arc<str>>)> {
    choice.arms.iter().map(|arm| (arm.place, arm.tokens.clone())).collect()
}

fn is_guard(cx: &Context<'_>, path: &[NodeId]) -> bool {
    path.last().is_some_and(|last| match &cx.graph.node(*last).kind {
        NodeKind::Decide(decision) => decision.form == crate::flow::DecisionForm::Guard && path.len() <= 4,
        _ => false,
    })
}

fn judge(cx: &Context<'_>, tests: &[Test]) -> Option<Finding> {
    let first = tests.first()?;
    let (vocabulary, why) = synonyms(cx, tests).or_else(|| without_normaliser(cx, tests))?;
    let test = tests.iter().find(|test| reported(&vocabulary, test, &why)).unwrap_or(first);
    let normaliser = stage(cx, &vocabulary.name);
    let message = match &why {
        Why::Synonyms(words) => format!(
            "{}, and {} are listed as words for one outcome: the next synonym that the agent picks is not among them",
            comes_from(cx, test.id),
            words.join(", ")
        ),
        Why::Compared(word) => format!(
            "{}, and it is compared with `{word}` as the agent spelt it: `passed`, `Verified` or `SUCCESS` mean the same and do not match",
            comes_from(cx, test.id)
        ),
    };
    let help = format!("send the value through `{normaliser}` and test its words only");
    let path = decision(cx, test.id).unwrap_or_default();
    let finding = tests
        .iter()
        .filter(|other| other.place != test.place)
        .take(4)
        .fold(Finding::new(ID, test.place, message).help(help), |finding, other| {
            finding.related(other.place, "it is tested here as well")
        });
    let tested: Vec<Tested> =
        tests.iter().map(|test| Tested { id: test.id, place: test.place, tokens: test.tokens.clone() }).collect();
    Some(tell(cx, rewrite::normalise(cx, finding, &tested, &vocabulary), test.id, &path))
}

enum Why {
    Synonyms(Vec<String>),
    Compared(String),
}

fn reported(vocabulary: &Vocabulary, test: &Test, why: &Why) -> bool {
    match why {
        Why::Synonyms(words) => test.tokens.iter().any(|token| words.iter().any(|word| **word == **token)),
        Why::Compared(_) => test.tokens.iter().any(|token| vocabulary.outcome(token).is_some()),
    }
}

/// Two words for one outcome among the tests.
fn synonyms(cx: &Context<'_>, tests: &[Test]) -> Option<(Vocabulary, Why)> {
    let own = tests.first().and_then(|test| field(cx, test.id)).and_then(|(_, field)| vocabulary_of_field(cx, &field));
    let known = own.into_iter().chain([Vocabulary::work().clone(), Vocabulary::of_loop().clone()]);
    for vocabulary in known {
        let mut outcomes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for token in tests.iter().flat_map(|test| &test.tokens) {
            if let Some(canonical) = vocabulary.canonical(token) {
                let words = outcomes.entry(canonical.to_owned()).or_default();
                if !words.iter().any(|word| word.eq_ignore_ascii_case(token)) {
                    words.push(token.to_string());
                }
            }
        }
        let Some(words) = outcomes.into_values().find(|words| words.len() > 1) else { continue };
        // A condition on words that the prompt offers is closed by the prompt.
        let guards = tests.iter().all(|test| test.guard);
        let offered = tests.first().and_then(|test| prompt(cx, test.id));
        if guards && offered.is_some_and(|prompt| words.iter().all(|word| names(&prompt, word))) {
            continue;
        }
        if tests.first().is_some_and(|test| is_typed(cx, test.id)) {
            continue;
        }
        return Some((vocabulary, Why::Synonyms(words)));
    }
    None
}

/// A schema closes the set of words.
fn is_typed(cx: &Context<'_>, id: NodeId) -> bool {
    agents(cx, id).into_iter().any(|id| {
        matches!(
            cx.graph.node(id).kind,
            NodeKind::Source(
                Source::AgentOutput { form: AgentForm::Typed | AgentForm::Guaranteed, .. }
                    | Source::AgentCli { form: AgentForm::Typed, .. }
            )
        )
    })
}

/// A verdict that a script extracted, or a whole raw answer, compared with a word of its vocabulary.
fn without_normaliser(cx: &Context<'_>, tests: &[Test]) -> Option<(Vocabulary, Why)> {
    if matches!(cx.file.recipe.dialect, Dialect::Workflow | Dialect::Action | Dialect::Program) {
        return None;
    }
    tests.iter().find_map(|test| {
        let vocabulary = if test.guard {
            raw_vocabulary(cx, test).filter(|vocabulary| {
                let prompt = prompt(cx, test.id);
                let offered = |token: &Arc<str>| prompt.as_deref().is_some_and(|prompt| names(prompt, token));
                !test.tokens.iter().all(|token| vocabulary.outcome(token).is_none() || offered(token))
            })
        } else {
            extracted_vocabulary(cx, test).or_else(|| raw_vocabulary(cx, test))
        }?;
        let word = test.tokens.iter().find(|token| vocabulary.outcome(token).is_some())?;
        Some((vocabulary.clone(), Why::Compared(word.to_string())))
    })
}

fn extracted_vocabulary(cx: &Context<'_>, test: &Test) -> Option<Vocabulary> {
    let (node, field) = field(cx, test.id)?;
    matches!(cx.graph.node(node).kind, NodeKind::ExtractField { .. }).then(|| vocabulary_of_field(cx, &field)).flatten()
}

/// The vocabulary of a whole raw answer, by the word that it is compared with.
fn raw_vocabulary(cx: &Context<'_>, test: &Test) -> Option<Vocabulary> {
    let raw = read_trust(cx, test.id) == Trust::Agent
        && !ancestors(cx.graph, test.id).iter().any(|id| {
            matches!(
                cx.graph.node(*id).kind,
                NodeKind::Text(_) | NodeKind::Match(_) | NodeKind::Json(_) | NodeKind::Field(_)
            )
        });
    let known = || [Vocabulary::work(), Vocabulary::of_loop()].into_iter();
    let exact = |vocabulary: &&Vocabulary| {
        test.tokens.iter().any(|token| vocabulary.outcome(token).is_some() && token.chars().all(|c| !c.is_lowercase()))
    };
    raw.then(|| known().find(exact).cloned()).flatten()
}
