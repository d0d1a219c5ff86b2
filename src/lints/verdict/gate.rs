//! What a gate tests and what it does: questions that the lints of this group share.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::Context;
use super::super::trail::{ancestors, ancestors_through, descendants_through, source_step};
use super::super::words::{alarm_field, side};
use crate::flow::{
    AgentForm, CompareOp, DecisionForm, DefaultValue, Effect, Input, Logic, Name, NodeId, NodeKind, Normaliser, Place,
    Role, Source, Trust,
};
use crate::recipe::Action;
use crate::verdict::{Side, Vocabulary};

/// Ways that keep a value what it is.
pub(crate) fn same_value(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Name(_) | NodeKind::Pass(_) | NodeKind::Join | NodeKind::Fallback(_))
}

/// The vocabulary of a normaliser; `None` for task types and for names that the configuration does not define.
pub(crate) fn vocabulary(cx: &Context<'_>, normaliser: &Normaliser) -> Option<Vocabulary> {
    match normaliser {
        Normaliser::Verdict => Some(Vocabulary::work().clone()),
        Normaliser::Loop => Some(Vocabulary::of_loop().clone()),
        Normaliser::Type => None,
        Normaliser::Custom(name) => own(cx, |vocabulary| vocabulary.name == **name),
    }
}

/// The vocabulary that a field's values belong to, by its name.
pub(crate) fn vocabulary_of_field(cx: &Context<'_>, field: &str) -> Option<Vocabulary> {
    match field {
        "verdict" => Some(Vocabulary::work().clone()),
        "loop_verdict" => Some(Vocabulary::of_loop().clone()),
        field => own(cx, |vocabulary| vocabulary.fields.iter().any(|own| own == field)),
    }
}

fn own(cx: &Context<'_>, wanted: impl Fn(&super::super::settings::OwnVocabulary) -> bool) -> Option<Vocabulary> {
    cx.settings.vocabularies.iter().find(|vocabulary| wanted(vocabulary)).map(own_vocabulary)
}

/// A vocabulary as the configuration writes it.
fn own_vocabulary(own: &super::super::settings::OwnVocabulary) -> Vocabulary {
    let outcomes = own.tokens.iter().map(|(canonical, synonyms, passes)| crate::verdict::Outcome {
        canonical: canonical.clone(),
        synonyms: synonyms.clone(),
        side: if *passes { Side::Pass } else { Side::Fail },
    });
    Vocabulary::own(&own.name, outcomes.collect(), &own.default)
}

/// The normaliser that a value came out of, if nothing but passing happened since.
pub(crate) fn normaliser(cx: &Context<'_>, id: NodeId) -> Option<(NodeId, Normaliser)> {
    ancestors_through(cx.graph, id, same_value).into_iter().find_map(|id| match &cx.graph.node(id).kind {
        NodeKind::Normalise(normaliser) => Some((id, normaliser.clone())),
        _ => None,
    })
}

/// The extraction or field that a value is, normalised or not.
pub(crate) fn field(cx: &Context<'_>, id: NodeId) -> Option<(NodeId, Arc<str>)> {
    let through = |kind: &NodeKind| same_value(kind) || matches!(kind, NodeKind::Normalise(_));
    ancestors_through(cx.graph, id, through).into_iter().find_map(|id| match &cx.graph.node(id).kind {
        NodeKind::ExtractField { field: Some(field), .. } | NodeKind::Field(field) => Some((id, Arc::clone(field))),
        NodeKind::Json(tool) => tool.fields.first().map(|field| (id, Arc::clone(field))),
        _ => None,
    })
}

/// The agents' texts that a value came from.
pub(crate) fn agents(cx: &Context<'_>, id: NodeId) -> BTreeSet<NodeId> {
    ancestors(cx.graph, id).into_iter().chain([id]).filter(|id| is_agent(&cx.graph.node(*id).kind)).collect()
}

fn is_agent(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Source(Source::AgentStep { .. } | Source::AgentCli { .. } | Source::AgentOutput { .. }))
}

/// Whether a library of agents answers for the value: it throws where the answer does not hold it.
pub(crate) fn is_guaranteed(cx: &Context<'_>, agents: &BTreeSet<NodeId>) -> bool {
    !agents.is_empty()
        && agents.iter().all(|id| {
            let kind = &cx.graph.node(*id).kind;
            matches!(kind, NodeKind::Source(Source::AgentOutput { form: AgentForm::Guaranteed, .. }))
        })
}

/// The inline prompt of the agent step that a value came from.
pub(crate) fn prompt(cx: &Context<'_>, id: NodeId) -> Option<String> {
    agents(cx, id).into_iter().find_map(|id| {
        let node = cx.graph.node(id);
        let NodeKind::Source(Source::AgentStep { step, .. }) = &node.kind else { return None };
        let (_, found) = source_step(cx, node.place, step)?;
        let Action::Agent(call) = &found.action else { return None };
        Some(call.prompt.as_ref()?.text.text().to_owned())
    })
}

/// Whether a prompt says that a field is a list: containment in it is equality with a member.
pub(crate) fn is_list_in(prompt: &str, field: &str) -> bool {
    let signs = ['"', '`', '\'', ' ', ':', '('];
    prompt.match_indices(field).any(|(at, _)| {
        let after: String = prompt.get(at + field.len()..).unwrap_or_default().chars().take(48).collect();
        let after = after.trim_start_matches(signs);
        if after.starts_with('[') {
            return true;
        }
        // `"labels", a list of words`
        let after = after.strip_prefix(", a").map_or(after, |rest| rest.trim_start_matches('n'));
        let said = after.split([',', ';', '\n', ')']).next().unwrap_or_default().to_ascii_lowercase();
        let is_list = |word: &str| matches!(word, "list" | "array" | "strings" | "string[]");
        let several = ["zero or more", "one or more", "all that"].iter().any(|words| said.contains(words));
        let before = prompt.get(..at).unwrap_or_default().trim_end_matches(signs);
        several || said.split_whitespace().any(is_list) || ends_with_list(before)
    })
}

/// `a list "labels"`, `an array of strings named "labels"`: what stands before a field's name.
fn ends_with_list(before: &str) -> bool {
    let mut words = before.split_whitespace().rev().take(5).peekable();
    words.next_if(|word| matches!(*word, "named" | "called" | "in" | "under"));
    let last = words.next().unwrap_or_default();
    let is_list = |word: &str| matches!(word, "list" | "array");
    is_list(last) || (words.next() == Some("of") && words.next().is_some_and(is_list))
}

/// What stands for a missing verdict where a value is tested: the nearest default on its way, or no text at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The empty text, or null.
    Empty,
    /// This text.
    Text(String),
    /// Something that is not known.
    Unknown,
}

/// See [`Missing`].
pub(crate) fn missing(cx: &Context<'_>, id: NodeId) -> Missing {
    let mut words: BTreeSet<Missing> = BTreeSet::new();
    for input in data(cx, id) {
        if cx.graph.node(input).trust >= Trust::Extracted {
            words.insert(missing_at(cx, input, 0));
        }
    }
    let mut words = words.into_iter();
    match (words.next(), words.next()) {
        (Some(one), None) => one,
        (None, None) => Missing::Empty,
        _ => Missing::Unknown,
    }
}

impl PartialOrd for Missing {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Missing {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |missing: &Self| match missing {
            Self::Empty => (0, String::new()),
            Self::Text(text) => (1, text.clone()),
            Self::Unknown => (2, String::new()),
        };
        key(self).cmp(&key(other))
    }
}

fn missing_at(cx: &Context<'_>, id: NodeId, depth: usize) -> Missing {
    let node = cx.graph.node(id);
    if depth > 32 {
        return Missing::Unknown;
    }
    match &node.kind {
        NodeKind::Normalise(normaliser) => {
            vocabulary(cx, normaliser).map_or(Missing::Unknown, |vocabulary| Missing::Text(vocabulary.default))
        }
        NodeKind::ExtractField { default: Some(DefaultValue { literal, .. }), .. } => text(literal.as_deref()),
        NodeKind::ExtractField { default: None, .. } | NodeKind::Field(_) | NodeKind::Source(_) => Missing::Empty,
        NodeKind::Fallback(fallback) if fallback.dead.is_none() => text(fallback.literal.as_deref()),
        kind if same_value(kind) => {
            let found: BTreeSet<Missing> = data(cx, id)
                .into_iter()
                .filter(|input| cx.graph.node(*input).trust >= Trust::Extracted)
                .map(|input| missing_at(cx, input, depth + 1))
                .collect();
            let mut found = found.into_iter();
            match (found.next(), found.next()) {
                (Some(one), None) => one,
                _ => Missing::Unknown,
            }
        }
        NodeKind::Json(_) | NodeKind::ExtractJson { .. } | NodeKind::FromJson { .. } => Missing::Empty,
        _ => Missing::Unknown,
    }
}

fn text(literal: Option<&str>) -> Missing {
    match literal {
        Some("") => Missing::Empty,
        Some(text) => Missing::Text(text.to_owned()),
        None => Missing::Unknown,
    }
}

fn data(cx: &Context<'_>, id: NodeId) -> Vec<NodeId> {
    cx.graph.node(id).inputs.iter().filter(|input| input.role == Role::Data).map(|input| input.from).collect()
}

/// What follows from a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The decision.
    pub decision: NodeId,
    /// What may happen when the value is true.
    pub when_true: Effect,
    /// What may happen when it is false.
    pub when_false: Effect,
    /// Other values take part.
    pub joined: bool,
}

/// The decisions that a truth value takes part in, and what it does there.
pub(crate) fn outcomes(cx: &Context<'_>, id: NodeId) -> Vec<Outcome> {
    let mut found = Vec::new();
    let mut open = vec![(id, false, false, 0_usize)];
    while let Some((at, turned, joined, depth)) = open.pop() {
        for user in cx.graph.users(at) {
            if user.role != Role::Data || depth > 40 || found.len() > 64 {
                continue;
            }
            match &cx.graph.node(user.from).kind {
                NodeKind::Decide(decision) => {
                    let (when_true, when_false) = if turned {
                        (decision.when_false, decision.when_true)
                    } else {
                        (decision.when_true, decision.when_false)
                    };
                    found.push(Outcome { decision: user.from, when_true, when_false, joined });
                }
                NodeKind::Logic(Logic::Not) => open.push((user.from, !turned, joined, depth + 1)),
                NodeKind::Logic(_) => {
                    let more = cx.graph.node(user.from).inputs.len() > 1;
                    open.push((user.from, turned, joined || more, depth + 1));
                }
                _ => {}
            }
        }
    }
    found
}

/// It lets something happen, and does not end with a failure.
pub(crate) fn opens(effect: Effect) -> bool {
    (effect.acts || effect.passes || effect.sets) && !effect.stops
}

/// Which way a tested word points for a field: `yes` closes a field that raises an alarm.
pub(crate) fn side_for(cx: &Context<'_>, field: Option<&str>, word: &str) -> Option<Side> {
    if let Some(positive) = switched(word) {
        let alarm = field.is_some_and(alarm_field);
        return Some(if positive == alarm { Side::Fail } else { Side::Pass });
    }
    side(cx.settings, word)
}

/// Tests of equality and choices on a value, as far as it stays what it is.
pub(crate) fn tests(cx: &Context<'_>, id: NodeId) -> Vec<NodeId> {
    let through = |kind: &NodeKind| same_value(kind) || matches!(kind, NodeKind::Normalise(_));
    descendants_through(cx.graph, id, through)
        .into_iter()
        .filter(|id| matches!(cx.graph.node(*id).kind, NodeKind::Compare(_) | NodeKind::Choice(_)))
        .collect()
}

/// Python prints `True`, and scripts test `true`.
fn is_same_word(operand: &str, literal: &str) -> bool {
    operand == literal || (matches!(literal, "True" | "False") && operand.eq_ignore_ascii_case(literal))
}

/// Whether a test for exactly this text lets something happen that another text would not.
pub(crate) fn acts_on(cx: &Context<'_>, id: NodeId, literal: &str) -> bool {
    tests(cx, id).into_iter().any(|test| match &cx.graph.node(test).kind {
        NodeKind::Compare(compare)
            if compare.op == CompareOp::Equal
                && compare.operand.as_deref().is_some_and(|operand| is_same_word(operand, literal)) =>
        {
            outcomes(cx, test).into_iter().any(|outcome| {
                let case = matches!(&cx.graph.node(outcome.decision).kind, NodeKind::Decide(d) if d.form == DecisionForm::Case);
                let goes_on = outcome.when_false.stops && !outcome.when_true.stops;
                let acts = opens(outcome.when_true) && !opens(outcome.when_false);
                !case && !outcome.joined && (acts || goes_on)
            })
        }
        NodeKind::Choice(choice) => {
            let arm = choice.arms.iter().find(|arm| !arm.negated && arm.tokens.iter().any(|token| &**token == literal));
            let others_stop = choice.otherwise.is_some_and(|(effect, _)| effect.stops || effect.only_prints());
            // Where other words act as well, this one only chooses a way.
            let is_other = |place: Place| arm.is_none_or(|arm| arm.place != place);
            let chooses = choice.arms.iter().any(|other| is_other(other.place) && opens(other.effect));
            arm.is_some_and(|arm| opens(arm.effect)) && others_stop && !chooses
        }
        _ => false,
    })
}

/// A word of a switch that is on or off.
pub(crate) fn switched(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// Whether a gate opens for this word of a switch because it is not the other word: `[ "$blocked" != true ] && …`,
/// `if [ "$blocked" = true ]; then exit 1; fi`.
pub(crate) fn acts_unless_other(cx: &Context<'_>, id: NodeId, literal: &str) -> bool {
    let Some(state) = switched(literal) else { return false };
    let is_other = |word: &str| switched(word) == Some(!state);
    tests(cx, id).into_iter().any(|test| match &cx.graph.node(test).kind {
        NodeKind::Compare(compare) if compare.op != CompareOp::Order && compare.operand.as_deref().is_some_and(is_other) => {
            outcomes(cx, test).into_iter().any(|outcome| {
                let case = matches!(&cx.graph.node(outcome.decision).kind, NodeKind::Decide(d) if d.form == DecisionForm::Case);
                let (taken, other) = match compare.op {
                    CompareOp::NotEqual => (outcome.when_true, outcome.when_false),
                    _ => (outcome.when_false, outcome.when_true),
                };
                !case && !outcome.joined && !taken.stops && (other.stops || (opens(taken) && !opens(other)))
            })
        }
        NodeKind::Choice(choice) => {
            let named = |wanted: &dyn Fn(&str) -> bool| {
                choice.arms.iter().find(|arm| !arm.negated && arm.tokens.iter().any(|token| wanted(token)))
            };
            let stops = named(&is_other).is_some_and(|arm| arm.effect.stops);
            let falls = choice.otherwise.is_none_or(|(effect, _)| !effect.stops);
            stops && falls && named(&|word| word == literal).is_none()
        }
        _ => false,
    })
}

/// The texts that a tested value can be, where all are known: a normaliser's tokens and texts of the script.
pub(crate) fn possible(cx: &Context<'_>, id: NodeId) -> Option<Possible> {
    let mut possible = Possible::default();
    let inputs = data(cx, id);
    if inputs.is_empty() || !inputs.iter().all(|input| add_possible(cx, *input, &mut possible, 0)) {
        return None;
    }
    Some(possible)
}

/// See [`possible`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Possible {
    /// Normalisers' vocabularies.
    pub vocabularies: Vec<Vocabulary>,
    /// Texts of the script.
    pub literals: BTreeSet<String>,
    /// The case of letters may have been changed.
    pub folded: bool,
}

impl Possible {
    /// Whether a test for this text can ever be true.
    pub fn can_be(&self, text: &str) -> bool {
        let yields = |vocabulary: &Vocabulary| {
            if self.folded { vocabulary.can_yield(&text.to_ascii_uppercase()) } else { vocabulary.can_yield(text) }
        };
        self.vocabularies.iter().any(yields)
            || self.literals.iter().any(|known| known == text || (self.folded && known.eq_ignore_ascii_case(text)))
    }
}

fn add_possible(cx: &Context<'_>, id: NodeId, possible: &mut Possible, depth: usize) -> bool {
    let node = cx.graph.node(id);
    // What is set in a branch leaves an earlier text in place where the branch is not taken.
    // Under the condition of a whole step, its variables are set wherever they are tested.
    let local = matches!(&node.kind, NodeKind::Name(Name::Variable(_)) | NodeKind::Pass(_));
    let perhaps = node.inputs.iter().any(|input| input.role == Role::Control && !(local && is_guard(cx, input.from)));
    match &node.kind {
        _ if depth > 24 || perhaps => false,
        NodeKind::Normalise(normaliser) => match vocabulary(cx, normaliser) {
            Some(vocabulary) => {
                possible.vocabularies.push(vocabulary);
                true
            }
            None => false,
        },
        NodeKind::Fallback(fallback) => {
            let literal = match &fallback.literal {
                Some(literal) => {
                    possible.literals.insert(literal.to_string());
                    true
                }
                None => false,
            };
            literal && all_possible(cx, id, possible, depth)
        }
        kind if same_value(kind) => {
            if matches!(kind, NodeKind::Pass(crate::flow::Pass::Trim)) {
                possible.folded = true;
            }
            match &node.literal {
                Some(literal) if !data(cx, id).iter().any(|input| cx.graph.node(*input).trust >= Trust::Extracted) => {
                    possible.literals.insert(literal.to_string());
                    true
                }
                _ => !data(cx, id).is_empty() && all_possible(cx, id, possible, depth),
            }
        }
        _ => match &node.literal {
            Some(literal) => {
                possible.literals.insert(literal.to_string());
                true
            }
            None => false,
        },
    }
}

/// Whether a truth value is the condition of a step.
fn is_guard(cx: &Context<'_>, test: NodeId) -> bool {
    cx.graph.users(test).iter().any(|user| {
        matches!(&cx.graph.node(user.from).kind, NodeKind::Decide(decision) if decision.form == DecisionForm::Guard)
    })
}

fn all_possible(cx: &Context<'_>, id: NodeId, possible: &mut Possible, depth: usize) -> bool {
    data(cx, id).into_iter().all(|input| add_possible(cx, input, possible, depth + 1))
}

/// An edge of data.
pub(crate) fn is_data(input: Input) -> bool {
    input.role == Role::Data
}

/// What makes two tests tests of one value: the extractions, or the raw texts, that it came from.
pub(crate) fn value(cx: &Context<'_>, id: NodeId) -> BTreeSet<NodeId> {
    let through = |kind: &NodeKind| same_value(kind) || matches!(kind, NodeKind::Normalise(_));
    ancestors_through(cx.graph, id, through)
        .into_iter()
        .filter(|id| {
            matches!(
                cx.graph.node(*id).kind,
                NodeKind::ExtractField { .. } | NodeKind::Field(_) | NodeKind::Source(Source::AgentStep { .. })
            )
        })
        .collect()
}

/// The nodes that the value of a node reaches: its other tests are among them.
pub(crate) fn reached_by_value(cx: &Context<'_>, id: NodeId) -> BTreeSet<NodeId> {
    value(cx, id).into_iter().flat_map(|from| descendants_through(cx.graph, from, |_| true)).collect()
}
