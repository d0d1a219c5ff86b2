//! Values for the case that there is none: `|| echo X`, `|| V=X`, `if [ -z "$V" ]`.

use std::sync::Arc;

use super::Shell;
use super::shape::{only_assignment, plain_text, printed_literal, tested_empty, tested_presence, whole_variable};
use super::state::Changes;
use super::succeeds::never_fails;
use crate::flow::{Fallback, FallbackForm, NodeKind, Place, Trust, Value};
use crate::recipe::Holes;
use crate::syntax::shell::ast::{AndOr, AndOrOp, AssignValue, Assignment, Command, CommandKind, List, Pipeline};
use crate::text::Span;

impl<'a> Shell<'a, '_> {
    /// Before `|| echo PASS` in a substitution, or `|| V=PASS`: where the stream and the variable stood, and why the
    /// fallback is never taken.
    pub(super) fn fallback_start(
        &mut self,
        op: AndOrOp,
        item: &'a AndOr,
        at: usize,
    ) -> Option<(Value, Option<&'static str>)> {
        if op != AndOrOp::Or {
            return None;
        }
        let (_, pipeline) = item.rest.get(at)?;
        let [Command { kind: CommandKind::Simple(simple), .. }] = pipeline.commands.as_slice() else { return None };
        let dead = if at == 0 { never_fails(&item.first, self.state.pipefail) } else { None };
        if printed_literal(simple).is_some() && self.captured() {
            return self.state.streams.last().map(|stream| (stream.value.clone(), dead));
        }
        let assignment = only_assignment(simple)?;
        let name = assignment.name.as_str();
        let before = self.state.variables.get(name).cloned()?;
        Some((before, dead))
    }

    /// After it: the value is what was there, or the fallback. `tested`: what stands before `||` is a test.
    pub(super) fn fallback_end(
        &mut self,
        (before, dead): (Value, Option<&'static str>),
        pipeline: &'a Pipeline,
        tested: bool,
    ) {
        let [Command { kind: CommandKind::Simple(simple), .. }] = pipeline.commands.as_slice() else { return };
        let place = self.unit.place(pipeline.span);
        let dead =
            dead.filter(|_| self.unit.holes == Holes::Expression || self.builder.trust(&before) >= Trust::Extracted);
        if before.is_plain() && dead.is_none() {
            return;
        }
        let make = |literal: Option<&str>| {
            let fallback = Fallback { literal: literal.map(Arc::from), form: FallbackForm::Or, place, dead };
            NodeKind::Fallback(Box::new(fallback))
        };
        if let Some(literal) = printed_literal(simple) {
            // Nothing, or no lines counted, is what comes out anyway.
            if before.is_plain() && matches!(literal, "" | "0") {
                return;
            }
            let id = self.builder.on(make(Some(literal)), place, &before);
            if before.is_plain() {
                return;
            }
            if let Some(stream) = self.state.streams.last_mut() {
                stream.value = Value::node(id);
            }
        } else if let Some(assignment) = only_assignment(simple) {
            let literal = match &assignment.value {
                AssignValue::Word(word) => plain_text(word),
                AssignValue::Array(_) => None,
            };
            if literal.is_some() {
                let id = self.builder.on(make(literal), place, &before);
                if !before.is_plain() {
                    let mut value = Value::node(id);
                    if tested {
                        // A test chose the word: that way is not to be lost.
                        value.add_nodes(&self.variable(&assignment.name, assignment.name_span).nodes);
                    }
                    self.state.set(&assignment.name, value);
                }
            }
        }
    }

    /// Runs a branch that is taken when a text is missing (`taken`: when the test is true).
    pub(super) fn where_absent<T>(&mut self, test: &'a Pipeline, taken: bool, run: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.absent.len();
        if let Some((word, empty)) = tested_presence(test)
            && empty == taken
        {
            let value = self.word(word);
            if self.builder.trust(&value) >= Trust::Extracted {
                self.absent.push((whole_variable(word), value));
            }
        }
        let result = run(self);
        self.absent.truncate(depth);
        result
    }

    /// `W=X; if [ -n "$V" ]; then W=$(… "$V"); fi`: what was set before stands where there is no text.
    pub(super) fn preset(&mut self, condition: &'a List, changed: &Changes) {
        let [item] = condition.items.as_slice() else { return };
        let Some((word, false)) = tested_presence(&item.first).filter(|_| item.rest.is_empty()) else { return };
        let missing = self.word(word);
        if self.builder.trust(&missing) < Trust::Extracted {
            return;
        }
        for name in changed.names() {
            let Some(value) = self.state.variables.get(name).cloned() else { continue };
            let constant = value.text().is_some() && self.builder.trust(&value) == Trust::Clean;
            let Some(place) = value.written.filter(|_| constant) else { continue };
            self.absent.push((whole_variable(word), missing.clone()));
            let mut stands = self.absent_at(Value { nodes: Vec::new(), ..value.clone() }, Some(name), place);
            self.absent.pop();
            stands.add_nodes(&value.nodes);
            self.state.set(name, stands);
        }
    }

    /// A word of the script that is printed, or set under a name, where a text is missing. Where the missing text itself
    /// is set, that is [`Self::empty_fallback`]'s matter.
    pub(super) fn for_absent(&mut self, value: Value, name: Option<&str>, span: Span) -> Value {
        self.absent_at(value, name, self.unit.place(span))
    }

    fn absent_at(&mut self, value: Value, name: Option<&str>, place: Place) -> Value {
        let is_word = |text: &Arc<str>| {
            text.chars().any(char::is_alphabetic) && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        };
        let (Some((tested, missing)), Some(text)) = (self.absent.last(), value.text().filter(|text| is_word(text)))
        else {
            return value;
        };
        if !value.is_plain() || (name.is_some() && *tested == name) {
            return value;
        }

        let fallback = Fallback { literal: Some(text.clone()), form: FallbackForm::Absent, place, dead: None };
        let id = self.builder.with_trust(NodeKind::Fallback(Box::new(fallback)), place, missing, Trust::Clean);
        self.builder.graph.set_literal(id, text.clone());
        Value { nodes: vec![id], ..value }
    }

    /// `[ -z "$V" ] && V=PASS`: the assignment, and what the variable was.
    pub(super) fn missing_value(&mut self, op: AndOrOp, item: &'a AndOr, at: usize) -> Option<(&'a Assignment, Value)> {
        let (word, empty) = tested_presence(&item.first).filter(|_| at == 0 && op == AndOrOp::And)?;
        let name = whole_variable(word).filter(|_| empty)?;
        let (_, pipeline) = item.rest.first()?;
        let [Command { kind: CommandKind::Simple(simple), .. }] = pipeline.commands.as_slice() else { return None };
        let assignment = only_assignment(simple).filter(|assignment| assignment.name == name)?;
        Some((assignment, self.variable(name, assignment.name_span)))
    }

    /// The constant of an assignment stands for a value that is missing.
    pub(super) fn stands_in(&mut self, assignment: &'a Assignment, before: &Value) {
        let AssignValue::Word(word) = &assignment.value else { return };
        let Some(literal) = plain_text(word).filter(|_| !before.is_plain()) else { return };
        let place = self.unit.place(assignment.span);
        let fallback = Fallback { literal: Some(literal.into()), form: FallbackForm::Empty, place, dead: None };
        let id = self.builder.on(NodeKind::Fallback(Box::new(fallback)), place, before);
        self.state.set(&assignment.name, Value::node(id));
    }

    /// `if [ -z "$V" ]; then V=PASS; fi`
    pub(super) fn empty_fallback(&mut self, condition: &'a List, body: &'a List, _changed: &Changes) {
        let Some(name) = tested_empty(condition) else { return };
        for item in &body.items {
            let [Command { kind: CommandKind::Simple(simple), .. }] = item.first.commands.as_slice() else { continue };
            let Some(assignment) = only_assignment(simple).filter(|assignment| assignment.name == name) else {
                continue;
            };
            let before = self.variable(name, assignment.name_span);
            self.stands_in(assignment, &before);
        }
    }
}
