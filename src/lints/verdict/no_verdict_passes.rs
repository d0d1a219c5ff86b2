//! A gate opens when there is no verdict at all.

use std::collections::{BTreeMap, BTreeSet};

use super::super::trail::{ancestors_through, comes_from, is_here, read_trust, tell};
use super::super::words::{alarm_field, permission_field, verdict_field};
use super::super::{Context, Finding, Sink};
use super::gate::{
    Missing, agents, field, is_data, is_guaranteed, missing, normaliser, opens, reached_by_value, same_value, side_for,
    switched, value, vocabulary_of_field,
};
use crate::flow::{Compare, CompareOp, Decision, DecisionForm, Effect, Logic, NodeId, NodeKind, Normaliser, Trust};
use crate::verdict::{Direction, Side};

/// The lint.
pub(crate) const ID: &str = "no-verdict-passes";

/// Deepest nesting of connectives that is looked into.
const DEEPEST: usize = 40;

/// A test at the leaf of a condition.
#[derive(Clone, Copy, Debug)]
struct Atom {
    id: NodeId,
    /// Where it is tested: a truth may have been printed as `true` or `false` before.
    tested: NodeId,
    /// An odd number of `not` stands before it.
    turned: bool,
    /// `or` stands above it.
    alternative: bool,
}

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Decide(decision) = &node.kind else { continue };
        if matches!(decision.form, DecisionForm::Case | DecisionForm::Exit) || !is_here(cx, node.place) {
            continue;
        }
        let mut atoms = Vec::new();
        for input in node.inputs.iter().filter(|input| is_data(**input)) {
            collect(cx, input.from, false, false, 0, &mut atoms);
        }
        let mut groups: BTreeMap<BTreeSet<NodeId>, Vec<Atom>> = BTreeMap::new();
        for atom in atoms {
            let agents = agents(cx, atom.id);
            if !agents.is_empty() && !is_guaranteed(cx, &agents) && read_trust(cx, atom.id) >= Trust::Extracted {
                groups.entry(agents).or_default().push(atom);
            }
        }
        for (source, atoms) in groups {
            let parts = node.inputs.iter().filter(|input| is_data(**input));
            let total = parts.map(|input| truth(cx, input.from, &source, 0)).reduce(or).flatten();
            if let Some(atom) = atoms.iter().find(|atom| lets_pass(cx, **atom, &atoms, decision, total)) {
                report(cx, sink, *atom, id);
            }
        }
    }
}

fn collect(cx: &Context<'_>, id: NodeId, turned: bool, alternative: bool, depth: usize, atoms: &mut Vec<Atom>) {
    let node = cx.graph.node(id);
    match &node.kind {
        NodeKind::Logic(logic) if depth < DEEPEST => {
            let turned = turned != (*logic == Logic::Not);
            // `not (a and b)` is an alternative of denials.
            let joins = match logic {
                Logic::Or => !turned,
                Logic::And => turned,
                Logic::Not => false,
            };
            for input in node.inputs.iter().filter(|input| is_data(**input)) {
                collect(cx, input.from, turned, alternative || joins, depth + 1, atoms);
            }
        }
        _ => {
            let (inner, flips) = printed_truth(cx, id).unwrap_or((id, false));
            atoms.push(Atom { id: inner, tested: id, turned: turned != flips, alternative });
        }
    }
}

/// The comparison whose truth a tested text tells (`jq '.blocked == true'`, tested for `true`), and whether the test
/// turns it round.
fn printed_truth(cx: &Context<'_>, id: NodeId) -> Option<(NodeId, bool)> {
    let flips = match &cx.graph.node(id).kind {
        NodeKind::Compare(compare) => {
            let state = switched(compare.operand.as_deref()?)?;
            match compare.op {
                CompareOp::Equal => !state,
                CompareOp::NotEqual => state,
                CompareOp::Order => return None,
            }
        }
        NodeKind::Truthy { negated } => *negated,
        _ => return None,
    };
    let is_truth = |id: &NodeId| matches!(&cx.graph.node(*id).kind, NodeKind::Compare(compare) if compare.operand.is_some() && compare.op != CompareOp::Order);
    ancestors_through(cx.graph, id, same_value).into_iter().find(is_truth).map(|inner| (inner, flips))
}

/// The truth of a condition when an agent said nothing; `None` where it depends on other things.
fn truth(cx: &Context<'_>, id: NodeId, absent: &BTreeSet<NodeId>, depth: usize) -> Option<bool> {
    let node = cx.graph.node(id);
    match &node.kind {
        _ if depth >= DEEPEST => None,
        NodeKind::Logic(logic) => {
            let mut parts =
                node.inputs.iter().filter(|input| is_data(**input)).map(|i| truth(cx, i.from, absent, depth + 1));
            match logic {
                Logic::And => parts.fold(Some(true), and),
                Logic::Or => parts.fold(Some(false), or),
                Logic::Not => parts.next().flatten().map(|truth| !truth),
            }
        }
        _ if agents(cx, id) != *absent => None,
        NodeKind::Compare(compare) => compared(&missing(cx, id), compare),
        NodeKind::Truthy { negated } => Some(*negated),
        NodeKind::Presence { empty } => (missing(cx, id) == Missing::Empty).then_some(*empty),
        NodeKind::Contains(found) => Some(found.negated),
        _ => None,
    }
}

fn compared(missing: &Missing, compare: &Compare) -> Option<bool> {
    let operand = compare.operand.as_deref()?;
    let equal = match missing {
        Missing::Empty => operand.is_empty(),
        Missing::Text(text) => text == operand,
        Missing::Unknown => return None,
    };
    match compare.op {
        CompareOp::Equal => Some(equal),
        CompareOp::NotEqual => Some(!equal),
        CompareOp::Order => Some(false),
    }
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// Whether this test is what opens the gate without a verdict.
fn lets_pass(cx: &Context<'_>, atom: Atom, group: &[Atom], decision: &Decision, total: Option<bool>) -> bool {
    let opens_true = opens(decision.when_true) && total != Some(false);
    // `[ "$V" = BAD ] || ./deploy`
    let opens_false = decision.form == DecisionForm::AndOr && opens(decision.when_false) && total != Some(true);
    let found_field = field(cx, atom.id).map(|(_, field)| field);
    match &cx.graph.node(atom.id).kind {
        NodeKind::Compare(compare) => {
            let Some(operand) = compare.operand.as_deref() else { return false };
            // `''` and `{}` are how shells and engines write nothing.
            if !operand.contains(char::is_alphanumeric) {
                let empty = (compare.op == CompareOp::Equal) != atom.turned;
                return empty && opens_true && atom.alternative && beside_a_pass(cx, atom, group);
            }
            let unequal = match compare.op {
                CompareOp::NotEqual => !atom.turned,
                CompareOp::Equal => atom.turned,
                CompareOp::Order => return false,
            };
            // A status or a count that is compared with 0 is no word of an answer.
            if operand == "0" && found_field.is_none() {
                return false;
            }
            if compared(&missing(cx, atom.id), compare) == Some(compare.op == CompareOp::Equal) || is_count(cx, atom.id)
            {
                // The default is this very word, or it is a number in any case.
                return false;
            }
            // The default is the other word of the switch: `open-default` says so.
            if let (Missing::Text(text), Some(field)) = (missing(cx, atom.id), found_field.as_deref())
                && switched(&text).is_some_and(|state| switched(operand) == Some(!state) && state != alarm_field(field))
            {
                return false;
            }
            let side = side_for(cx, found_field.as_deref(), operand);
            let verdict = found_field.as_deref().is_none_or(|field| verdict_field(cx.settings, field))
                || normaliser(cx, atom.id).is_some();
            // `x.duplicate != true` is `not x.duplicate`.
            let allows = |field: &str| permission_field(field) && !alarm_field(field);
            let off = unequal
                && switched(operand) == Some(true)
                && found_field.as_deref().is_some_and(|field| !allows(field));
            let refuses = off
                || match side {
                    Some(side) => !side.opens(),
                    // `if [ "$choice" != upgrade ]; then exit 0; fi` leaves, and does nothing.
                    None => verdict && !(unequal && leaves(decision.when_true)),
                };
            // `until [ "$s" = DONE ]`, `[ "$s" = DONE ] || again`: another round for everything that is not the end.
            let looped = || {
                let vocabulary = found_field.as_deref().and_then(|field| vocabulary_of_field(cx, field));
                vocabulary.is_some_and(|vocabulary| vocabulary.direction == Direction::Stop)
            };
            let round = decision.form == DecisionForm::While
                || matches!(normaliser(cx, atom.id), Some((_, Normaliser::Loop)))
                || looped();
            let otherwise = matches!(decision.form, DecisionForm::While | DecisionForm::AndOr);
            let repeats = (unequal && opens_true) || (!unequal && otherwise && opens(decision.when_false));
            if round && repeats && side == Some(Side::Pass) {
                // Where the loop's body looks for the other outcomes, it ends by itself.
                let own = value(cx, atom.id);
                let others = reached_by_value(cx, atom.id).into_iter().any(|id| {
                    id != atom.id && matches!(cx.graph.node(id).kind, NodeKind::Compare(_)) && value(cx, id) == own
                });
                return !others || decision.form == DecisionForm::Guard;
            }
            refuses && ((unequal && opens_true) || (!unequal && opens_false && side.is_some()))
        }
        NodeKind::Truthy { negated } if *negated != atom.turned => {
            let allows = found_field.as_deref().is_some_and(|field| permission_field(field) && !alarm_field(field));
            opens_true && found_field.is_some() && !allows
        }
        // `if (v.violation) return;` and on as if nothing were wrong.
        NodeKind::Truthy { .. } if decision.form == DecisionForm::Program => {
            let refuses = found_field.as_deref().is_some_and(|field| !permission_field(field) || alarm_field(field));
            refuses && opens(decision.when_false) && !opens(decision.when_true) && total != Some(true)
        }
        NodeKind::Presence { empty } if *empty != atom.turned => {
            opens_true && atom.alternative && beside_a_pass(cx, atom, group)
        }
        _ => false,
    }
}

/// It only ends, with success.
fn leaves(effect: Effect) -> bool {
    effect.passes && !effect.acts && !effect.sets
}

/// A tool counted something in the text: there is a number, whatever the agent said.
fn is_count(cx: &Context<'_>, id: NodeId) -> bool {
    ancestors_through(cx.graph, id, same_value)
        .into_iter()
        .any(|id| matches!(&cx.graph.node(id).kind, NodeKind::Text(tool) if tool.numeric))
}

/// `no text, or the word that passes`: another test of the condition looks for a word that is no refusal.
fn beside_a_pass(cx: &Context<'_>, atom: Atom, group: &[Atom]) -> bool {
    group.iter().any(|other| match &cx.graph.node(other.id).kind {
        NodeKind::Compare(compare) if other.id != atom.id && (compare.op == CompareOp::Equal) != other.turned => {
            let operand = compare.operand.as_deref().unwrap_or_default();
            let field = field(cx, other.id).map(|(_, field)| field);
            operand.contains(char::is_alphanumeric) && side_for(cx, field.as_deref(), operand).is_none_or(Side::opens)
        }
        _ => false,
    })
}

fn report(cx: &Context<'_>, sink: &mut Sink, atom: Atom, decision: NodeId) {
    let node = cx.graph.node(atom.id);
    let place = cx.graph.node(atom.tested).place;
    let name = field(cx, atom.id).map(|(_, field)| field.to_string());
    let what = name.as_deref().unwrap_or("the answer");
    let how = match &node.kind {
        NodeKind::Compare(compare) => match compare.operand.as_deref() {
            Some("") | None => "an empty answer counts as a yes".to_owned(),
            Some(operand) => format!("everything but `{operand}` passes, a missing \"{what}\" included"),
        },
        NodeKind::Truthy { .. } => format!("a missing \"{what}\" counts as false"),
        _ => "an empty answer counts as a yes".to_owned(),
    };
    let message = format!("{}, and the gate opens without a verdict: {how}", comes_from(cx, atom.id));
    let help = "test for the value that allows it: `== 'the passing value'`, so that no answer keeps the gate closed";
    sink.push(tell(cx, Finding::new(ID, place, message).help(help), atom.id, &[atom.id, decision]));
}
