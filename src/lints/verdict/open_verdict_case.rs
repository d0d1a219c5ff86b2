//! A chain of tests on a verdict lets everything through that it does not name.

use std::collections::BTreeSet;

use super::super::trail::{ancestors_through, descendants_through, is_here, read_trust, subject, tell};
use super::super::words::{alarm_field, permission_field, verdict_field};
use super::super::{Context, Finding, Sink};
use super::gate::{
    Missing, Outcome, acts_on, agents, field, is_guaranteed, missing, normaliser, opens, outcomes, reached_by_value,
    same_value, side_for, switched, tests, value, vocabulary,
};
use crate::flow::{Arm, Choice, ChoiceForm, CompareOp, DecisionForm, Effect, NodeId, NodeKind, Place, Role, Trust};
use crate::verdict::{Direction, Side, Vocabulary};

/// The lint.
pub(crate) const ID: &str = "open-verdict-case";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        if !is_here(cx, node.place) || read_trust(cx, id) < Trust::Extracted {
            continue;
        }
        if is_guaranteed(cx, &agents(cx, id)) {
            continue;
        }
        match &node.kind {
            NodeKind::Choice(choice) => {
                if let Some((place, why)) = open_choice(cx, id, choice) {
                    report(cx, sink, id, place, why);
                }
            }
            NodeKind::Compare(compare) if compare.op == CompareOp::Equal => {
                let Some(token) = compare.operand.as_deref() else { continue };
                let gate = Gate::of(cx, id);
                let stops = outcomes(cx, id).into_iter().any(|outcome| {
                    let form = match &cx.graph.node(outcome.decision).kind {
                        NodeKind::Decide(decision) => decision.form,
                        _ => DecisionForm::Exit,
                    };
                    let stops = outcome.when_true.stops && !outcome.when_false.stops;
                    form == DecisionForm::AndOr && stops && !outcome.joined
                });
                if stops
                    && gate.refuses(cx, token)
                    && gate.is_verdict
                    && !gate.is_closed_switch(&[token])
                    && !gate.never(token)
                    && !tested_for_pass(cx, id)
                {
                    report(cx, sink, id, node.place, WHY_MISSING);
                }
            }
            _ => {}
        }
    }
}

const WHY_MISSING: &str = "every other verdict, and none at all, goes on in silence";
const WHY_CATCH_ALL: &str = "its last branch lets everything else pass, no verdict included";
const WHY_LOOP: &str = "a loop verdict must stop on everything that is not CONTINUE, no verdict included";

fn report(cx: &Context<'_>, sink: &mut Sink, id: NodeId, place: Place, why: &str) {
    let message = format!("{} is an agent's verdict, and this chain of tests is open: {why}", subject(cx, id));
    let help = "name the verdict that passes, and let `*)` or `else` stop: `WORK_VERIFIED) … ;; *) echo \"no proof\" >&2; exit 1 ;;`";
    let finding = super::super::rewrite::close(cx, Finding::new(ID, place, message).help(help), id);
    sink.push(tell(cx, finding, id, &[]));
}

/// What is known of the tested value.
struct Gate {
    field: Option<String>,
    vocabulary: Option<Vocabulary>,
    missing: Missing,
    is_verdict: bool,
}

impl Gate {
    fn of(cx: &Context<'_>, id: NodeId) -> Self {
        let field = field(cx, id).map(|(_, field)| field.to_string());
        let vocabulary = normaliser(cx, id).and_then(|(_, normaliser)| vocabulary(cx, &normaliser));
        // A whole answer is a verdict; what was cut out of one is reported where it was cut.
        let whole = field.is_none() && !is_cut(cx, id);
        let named = whole
            || field.as_deref().is_some_and(|field| {
                verdict_field(cx.settings, field) || alarm_field(field) || permission_field(field)
            });
        Self { is_verdict: vocabulary.is_some() || named, missing: missing(cx, id), field, vocabulary }
    }

    fn side(&self, cx: &Context<'_>, token: &str) -> Option<Side> {
        self.vocabulary.as_ref().and_then(|v| v.side(token)).or_else(|| side_for(cx, self.field.as_deref(), token))
    }

    /// The normaliser never prints this word.
    fn never(&self, token: &str) -> bool {
        self.vocabulary.as_ref().is_some_and(|vocabulary| !vocabulary.can_yield(token))
    }

    fn refuses(&self, cx: &Context<'_>, token: &str) -> bool {
        self.side(cx, token).is_some_and(|side| !side.opens())
    }

    fn continues(&self, cx: &Context<'_>, arm: &Arm) -> bool {
        arm.tokens.iter().any(|token| self.side(cx, token) == Some(Side::Continue))
    }

    /// A switch whose default closes the gate: `blocked` is true when nothing was said. For words that is not enough, as
    /// any other word passes.
    ///
    /// Where the default is the other word of the switch, it is what opens the gate, and `open-default` says so.
    fn is_closed_switch(&self, tokens: &[&str]) -> bool {
        let Missing::Text(text) = &self.missing else { return false };
        let word = matches!(text.as_str(), "true" | "false" | "yes" | "no");
        word && (tokens.contains(&text.as_str())
            || (self.opens_by_default() && tokens.iter().any(|token| switched(token) != switched(text))))
    }

    /// `--default false` for an alarm, `--default true` for a permission.
    fn opens_by_default(&self) -> bool {
        let (Missing::Text(text), Some(field)) = (&self.missing, &self.field) else { return false };
        let alarm = alarm_field(field);
        switched(text) == Some(!alarm) && (alarm || permission_field(field))
    }
}

/// A text tool or a match made this text out of another one.
fn is_cut(cx: &Context<'_>, id: NodeId) -> bool {
    ancestors_through(cx.graph, id, same_value)
        .into_iter()
        .any(|id| matches!(cx.graph.node(id).kind, NodeKind::Text(_) | NodeKind::Match(_)))
}

fn open_choice(cx: &Context<'_>, id: NodeId, choice: &Choice) -> Option<(Place, &'static str)> {
    let tokens = || choice.arms.iter().flat_map(|arm| arm.tokens.iter());
    if tokens().any(|token| token.contains(['*', '?', '['])) || choice.arms.iter().any(|arm| arm.negated) {
        return None;
    }
    let gate = Gate::of(cx, id);
    if tokens().all(|token| gate.never(token)) {
        // `unreachable-verdict` says so: with a word that can be there, the chain may well be closed.
        return None;
    }
    // A whole answer without a field is a verdict where it is tested for the words of one.
    let named = gate.is_verdict && (gate.field.is_some() || gate.vocabulary.is_some());
    let known = named || tokens().any(|token| gate.side(cx, token).is_some());
    if !known || tested_for_pass(cx, id) {
        return None;
    }
    let refusing = |arm: &&Arm| arm.tokens.iter().any(|token| gate.refuses(cx, token));
    let stopping = |arm: &&Arm| arm.effect.stops;
    let closing: Vec<&Arm> = choice.arms.iter().filter(|arm| stopping(arm) || refusing(arm)).collect();
    let passing: Vec<&Arm> = choice.arms.iter().filter(|arm| !stopping(arm) && !refusing(arm)).collect();
    let closed: Vec<&str> =
        closing.iter().filter(|arm| arm.effect.stops).flat_map(|arm| arm.tokens.iter().map(|t| &**t)).collect();
    if gate.is_closed_switch(&closed) {
        return None;
    }
    let place = || {
        choice.arms.first().filter(|_| choice.form == ChoiceForm::If).map_or(cx.graph.node(id).place, |arm| arm.place)
    };
    if gate.vocabulary.as_ref().is_some_and(|vocabulary| vocabulary.direction == Direction::Stop) {
        let says_so = |at: Place| {
            let continues: Vec<&Arm> = choice.arms.iter().filter(|arm| gate.continues(cx, arm)).collect();
            sets_a_pass(cx, id, &continues, at)
        };
        return (open_loop(cx, choice, &gate) || choice.otherwise.is_some_and(|(_, at)| says_so(at)))
            .then(|| (choice.otherwise.map_or_else(place, |(_, place)| place), WHY_LOOP));
    }
    let work = Vocabulary::work();
    let degrades = gate.field.as_deref() == Some("verdict")
        || gate.vocabulary.as_ref().is_some_and(|vocabulary| vocabulary.direction == Direction::Degrade)
        || tokens().any(|token| work.can_yield(token));
    match choice.otherwise {
        // A warning, and on: what a verdict on work may do when nobody can tell.
        Some((effect, _)) if degrades && effect.prints && !effect.acts && !effect.sets => None,
        Some((effect, at)) => {
            let same = choice
                .alike
                .iter()
                .filter_map(|arm| choice.arms.get(*arm))
                .any(|arm| !stopping(&arm) && !refusing(&arm));
            let passes = if passing.is_empty() {
                !closing.is_empty() && (effect.acts || effect.passes) && !effect.stops
            } else if same {
                // The last branch does what the arm that passes does.
                !effect.stops
            } else {
                // Where the arm that passes only goes on, so does a last branch that says nothing or ends with success.
                let goes_on = passing.iter().all(|arm| !arm.effect.acts);
                let silent = effect == Effect::default();
                let succeeds = effect.passes && !effect.again && !effect.prints && !effect.acts;
                closing.iter().any(|arm| arm.effect.stops)
                    && !effect.stops
                    && if goes_on {
                        effect.passes || effect.acts || silent
                    } else {
                        succeeds || (silent && choice.after.acts)
                    }
            };
            let place = if choice.form == ChoiceForm::If { place() } else { at };
            (passes || sets_a_pass(cx, id, &passing, at)).then_some((place, WHY_CATCH_ALL))
        }
        None => {
            let covered = gate.vocabulary.as_ref().is_some_and(|vocabulary| {
                vocabulary.outcomes.iter().all(|outcome| tokens().any(|token| **token == *outcome.canonical))
            });
            let stops = closing.iter().any(|arm| arm.effect.stops);
            let goes_on = passing.iter().all(|arm| !arm.effect.acts && !arm.effect.sets);
            let after_stops = choice.after.stops && !choice.after.acts;
            let falls = stops && (goes_on || choice.after.acts) && !after_stops;
            // `ok=1; [ "$v" = FAILED ] && ok=0; [ "$ok" = 1 ] && …`: what was set before is what passes.
            let unset = || passing.is_empty() && closing.iter().any(|arm| sets_the_only_refusal(cx, id, arm));
            (!covered && (falls || unset())).then(|| (place(), WHY_MISSING))
        }
    }
}

/// A loop goes on although nobody said CONTINUE.
fn open_loop(cx: &Context<'_>, choice: &Choice, gate: &Gate) -> bool {
    let continues = choice.arms.iter().any(|arm| gate.continues(cx, arm));
    match choice.otherwise {
        Some((effect, _)) => effect.acts && !effect.stops,
        None => !continues && choice.after.acts && !choice.after.stops,
    }
}

/// An arm sets a word, and a later gate opens for everything but this word.
fn sets_the_only_refusal(cx: &Context<'_>, id: NodeId, arm: &Arm) -> bool {
    arm.effect.sets
        && reached_by_value(cx, id)
            .into_iter()
            .flat_map(|test| cx.graph.users(test))
            .filter(|user| user.role == Role::Control)
            .any(|user| {
                let chosen = cx.graph.node(user.from);
                let word = chosen.literal.as_deref().map(str::trim).filter(|text| !text.is_empty());
                let here = chosen.place.file == arm.place.file && chosen.place.span.start >= arm.place.span.start;
                here && word.is_some_and(|word| opens_unless(cx, user.from, word))
            })
}

/// Whether a test of a value opens its gate where it is not this word.
fn opens_unless(cx: &Context<'_>, id: NodeId, word: &str) -> bool {
    // `rc=1` before `exit "$rc"`
    let fails = word.parse::<u8>().is_ok_and(|status| status != 0);
    let mut opened = fails
        && descendants_through(cx.graph, id, same_value).into_iter().any(
            |id| matches!(&cx.graph.node(id).kind, NodeKind::Decide(decision) if decision.form == DecisionForm::Exit),
        );
    for test in tests(cx, id) {
        let NodeKind::Compare(compare) = &cx.graph.node(test).kind else { continue };
        let Some(operand) = compare.operand.as_deref() else { return false };
        let same = match compare.op {
            CompareOp::Equal => operand == word,
            CompareOp::NotEqual => operand != word,
            CompareOp::Order => return false,
        };
        for outcome in outcomes(cx, test) {
            let (taken, other) =
                if same { (outcome.when_true, outcome.when_false) } else { (outcome.when_false, outcome.when_true) };
            opened |= (taken.stops && !other.stops) || (!opens(taken) && opens(other));
        }
    }
    opened
}

/// The last branch sets or prints a word that passes: one of the pass side, or, where it is the word of the arms that
/// pass (or no arm passes), one that a later gate opens for.
fn sets_a_pass(cx: &Context<'_>, id: NodeId, passing: &[&Arm], otherwise: Place) -> bool {
    let start = cx.graph.node(id).place.span.start;
    let tests = reached_by_value(cx, id);
    let chosen: BTreeSet<NodeId> = tests
        .iter()
        .flat_map(|test| cx.graph.users(*test))
        .filter(|user| user.role == Role::Control)
        .map(|user| user.from)
        .collect();
    let word = |id: NodeId| {
        let text = cx.graph.node(id).literal.as_deref().map(str::trim).filter(|text| !text.is_empty());
        // `ok=true` into a file of the runner.
        text.map(|text| text.split_once('=').map_or(text, |(_, value)| value))
    };
    let is_after = |id: NodeId, at: usize| {
        let place = cx.graph.node(id).place;
        place.file == otherwise.file && place.span.start >= at
    };
    let within = |id: NodeId| {
        cx.graph.node(id).inputs.iter().any(|input| {
            let test = cx.graph.node(input.from);
            input.role == Role::Control
                && test.place.file == otherwise.file
                && test.place.span.start >= start
                && test.place.span.start <= otherwise.span.start
        })
    };
    let says_a_pass = |text: &str| {
        passing.is_empty()
            || chosen.iter().any(|other| {
                word(*other) == Some(text)
                    && passing.iter().any(|arm| is_after(*other, arm.place.span.start))
                    && !is_after(*other, otherwise.span.start)
            })
    };
    chosen.iter().filter(|id| is_after(**id, otherwise.span.start) && within(**id)).any(|id| {
        word(*id).is_some_and(|text| {
            side_for(cx, None, text).is_some_and(Side::opens) || (says_a_pass(text) && acts_on(cx, *id, text))
        })
    })
}

/// Arms of a `case` are judged together, as a choice; so is the status of a `case` that ends a script.
fn is_case(cx: &Context<'_>, outcome: &Outcome) -> bool {
    matches!(&cx.graph.node(outcome.decision).kind, NodeKind::Decide(decision)
        if decision.form == DecisionForm::Case || (decision.form == DecisionForm::Exit && outcome.joined))
}

/// Another test of the same value asks for the verdict that passes, and closes the gate that this one leaves open.
fn tested_for_pass(cx: &Context<'_>, id: NodeId) -> bool {
    let own = value(cx, id);
    let here = cx.graph.node(id).place;
    // Arms of the same chain are no other tests.
    let end = match &cx.graph.node(id).kind {
        NodeKind::Choice(choice) => {
            let arms = choice.arms.iter().map(|arm| arm.place).chain(choice.otherwise.map(|(_, place)| place));
            arms.map(|place| place.span.end).fold(here.span.end, usize::max)
        }
        _ => here.span.end,
    };
    reached_by_value(cx, id).into_iter().any(|other| {
        let node = cx.graph.node(other);
        if other == id || node.place.file != here.file || node.place.span.start <= end {
            return false;
        }
        let closes = match &node.kind {
            NodeKind::Compare(compare) => {
                let passes =
                    compare.operand.as_deref().and_then(|operand| side_for(cx, None, operand)).is_some_and(Side::opens);
                passes
                    && outcomes(cx, other).into_iter().filter(|outcome| !is_case(cx, outcome)).any(|outcome| {
                        match compare.op {
                            CompareOp::Equal => outcome.when_false.stops || opens(outcome.when_true),
                            CompareOp::NotEqual => outcome.when_true.stops || opens(outcome.when_false),
                            CompareOp::Order => false,
                        }
                    })
            }
            NodeKind::Choice(choice) => choice.otherwise.is_some_and(|(effect, _)| effect.stops),
            _ => false,
        };
        closes && !own.is_empty() && value(cx, other) == own
    })
}
