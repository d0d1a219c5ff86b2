//! Blocks, branches, loops and `try`.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::Machine;
use super::effects::ends;
use super::item::{Item, Members, Shape};
use crate::flow::{
    Arm, Choice, ChoiceForm, Compare, CompareOp, Decision, DecisionForm, Effect, FallbackForm, Input, Logic, NodeId,
    NodeKind, Role,
};
use crate::syntax::typescript::{Case, Expression, Loop, Pattern, Property, Statement, StatementKind};
use crate::text::Span;

impl<'a> Machine<'a, '_> {
    /// Runs statements; `after` is what follows them. Returns whether the end is never reached.
    pub(super) fn statements(&mut self, statements: &'a [Statement], after: Effect) -> bool {
        let mut behind = Vec::with_capacity(statements.len());
        let mut effect = after;
        for statement in statements.iter().rev() {
            behind.push(effect);
            effect = if ends(statement) { self.effect(statement) } else { self.effect(statement).then(effect) };
        }
        for (statement, after) in statements.iter().zip(behind.into_iter().rev()) {
            if self.statement(statement, after) {
                return true;
            }
        }
        false
    }

    fn statement(&mut self, statement: &'a Statement, after: Effect) -> bool {
        if !self.step() {
            return false;
        }
        match &statement.kind {
            StatementKind::Variables { declarators, .. } => {
                for declarator in declarators {
                    let item = match &declarator.value {
                        Some(value) => self.expression(value),
                        None => Item::default(),
                    };
                    self.bind(&declarator.target, item);
                }
                false
            }
            StatementKind::Expression(expression) => {
                self.expression(expression);
                ends(statement)
            }
            StatementKind::If { .. } => self.branches(statement, after),
            StatementKind::Loop(each) => {
                self.looped(each, after);
                false
            }
            StatementKind::Switch { subject, cases } => self.switch(subject, cases, statement.span, after),
            StatementKind::Try { block, catch, finally } => {
                let ended = self.tried(block, catch.as_ref(), after);
                self.statements(finally, after) || ended
            }
            StatementKind::Return(value) => {
                let item = match value {
                    Some(value) => {
                        let item = self.expression(value);
                        let place = self.place(value.span);
                        self.chosen("return", place, item)
                    }
                    None => Item::default(),
                };
                if let Some(frame) = self.frames.last_mut() {
                    frame.returns.push(item);
                }
                true
            }
            StatementKind::Throw(value) => {
                self.expression(value);
                true
            }
            StatementKind::Break | StatementKind::Continue => true,
            StatementKind::Block(statements) => self.statements(statements, after),
            StatementKind::Class(class) => {
                for (_, value) in &class.fields {
                    self.expression(value);
                }
                false
            }
            StatementKind::Import(_)
            | StatementKind::Export(_)
            | StatementKind::Function(..)
            | StatementKind::Other => false,
        }
    }

    /// Binds a pattern to a value.
    pub(super) fn bind(&mut self, pattern: &'a Pattern, item: Item<'a>) {
        match pattern {
            Pattern::Name(name) => {
                let place = self.place(name.span);
                let item = self.chosen(&name.value, place, item);
                let key = self.key(&name.value, name.span.start);
                self.set(key, item);
            }
            Pattern::Object { properties, rest } => {
                for (key, pattern, default) in properties {
                    let mut member = self.member(&item, &key.value, key.span);
                    if let Some(default) = default {
                        member = self.defaulted(member, default, FallbackForm::Expression);
                    }
                    self.bind(pattern, member);
                }
                if let Some(rest) = rest {
                    let key = self.key(&rest.value, rest.span.start);
                    self.set(key, item);
                }
            }
            Pattern::Array { elements, rest } => {
                for (index, element) in elements.iter().enumerate() {
                    let Some((pattern, default)) = element else { continue };
                    let mut member = match pattern {
                        Pattern::Name(name) => self.piece_at(&item, index, name.span),
                        _ => self.element_at(&item, Some(index)),
                    };
                    if let Some(default) = default {
                        member = self.defaulted(member, default, FallbackForm::Expression);
                    }
                    self.bind(pattern, member);
                }
                if let Some(rest) = rest {
                    let left = match &item.shape {
                        Shape::List(items) => {
                            let left = items.get(elements.len()..).unwrap_or_default();
                            Item::shaped(Shape::List(Rc::new(left.to_vec())))
                        }
                        _ => item,
                    };
                    self.bind(rest, left);
                }
            }
            Pattern::Place(place) => self.change(place, item),
            Pattern::Other(_) => {}
        }
    }

    /// The key of a name: the place of its declaration.
    pub(super) fn key(&self, name: &str, at: usize) -> usize {
        self.apis.fold.scopes.find(name, at).map_or(at, |declaration| declaration.span.start)
    }

    /// `a.b = item`, `a[b] = item`
    fn change(&mut self, place: &'a Expression, item: Item<'a>) {
        use crate::syntax::typescript::ExpressionKind;
        let (object, name) = match &place.kind {
            ExpressionKind::Member { object, property } => (object, Some(property.value.clone())),
            ExpressionKind::Index { object, index } => {
                let index = self.expression(index);
                (object, index.value.text().map(std::string::ToString::to_string))
            }
            _ => return,
        };
        let Some(root) = object.name() else { return };
        let key = self.key(root, object.span.start);
        let at = self.place(place.span);
        let item = self.chosen(name.as_deref().unwrap_or(root), at, item);
        let mut old = self.names.get(&key).cloned().unwrap_or_default();
        match (&old.shape, name) {
            (Shape::Object(members), Some(name)) => {
                let mut members: Members = (**members).clone();
                members.entries.push((name, item));
                old.shape = Shape::Object(members.into());
            }
            _ => old.value.add_nodes(&item.nodes()),
        }
        self.set(key, old);
    }

    /// A decision, unless both branches only print.
    pub(super) fn decide(&mut self, node: NodeId, span: Span, form: DecisionForm, yes: Effect, no: Effect) {
        let moves = |effect: Effect| effect.stops || effect.passes || effect.acts;
        if moves(yes) || moves(no) {
            let decision = Decision { form, when_true: yes, when_false: no };
            let inputs = vec![Input { from: node, role: Role::Data }];
            let place = self.place(span);
            self.builder.graph.add(NodeKind::Decide(decision), place, inputs, None);
        }
    }

    /// Runs something under a test.
    pub(super) fn under<T>(&mut self, test: Option<NodeId>, run: impl FnOnce(&mut Self) -> T) -> T {
        let controls = self.builder.controls.len();
        self.push_control(test);
        let result = run(self);
        self.builder.controls.truncate(controls);
        result
    }

    fn push_control(&mut self, test: Option<NodeId>) {
        if let Some(node) = test {
            self.builder.enter(node);
        }
    }

    /// `if … else if … else`
    fn branches(&mut self, statement: &'a Statement, after: Effect) -> bool {
        let mut tests: Vec<(&'a Expression, &'a Statement)> = Vec::new();
        let mut otherwise: Option<&'a Statement> = None;
        let mut next = Some(statement);
        while let Some(current) = next.take() {
            match &current.kind {
                StatementKind::If { test, then, otherwise: rest } => {
                    tests.push((test, then));
                    next = rest.as_deref();
                }
                _ => otherwise = Some(current),
            }
        }
        let controls = self.builder.controls.len();
        let mut rest_effects = vec![match otherwise {
            Some(otherwise) if ends(otherwise) => self.effect(otherwise),
            Some(otherwise) => self.effect(otherwise).then(after),
            None => after,
        }];
        let only_rest = match otherwise {
            Some(otherwise) => self.effect(otherwise),
            None => Effect::default(),
        };
        for (_, then) in tests.iter().skip(1).rev() {
            let last = rest_effects.last().copied().unwrap_or_default();
            rest_effects.push(self.effect(then).then(last));
        }
        let mut changes: Vec<HashMap<usize, Item<'a>>> = Vec::new();
        let mut leaves = false;
        let mut all_end = true;
        let mut arms = Vec::new();
        let mut nodes = Vec::new();
        for (at, (test, then)) in tests.iter().enumerate() {
            let node = self.truth(test);
            let rest = rest_effects.get(tests.len() - 1 - at).copied().unwrap_or_default();
            let own = self.effect(then);
            let last = at + 1 == tests.len();
            if let Some(node) = node {
                // What follows the whole statement counts for a branch only where the other one never gets there.
                let yes = own;
                let no = if ends(then) {
                    rest
                } else if last {
                    only_rest
                } else {
                    self.effects_between(&tests, at, otherwise)
                };
                let yes = if last && otherwise.is_some_and(ends) && !ends(then) { yes.then(after) } else { yes };
                self.decide(node, test.span, DecisionForm::Program, without_leaving(yes, no), without_leaving(no, yes));
            }
            nodes.push(node);
            arms.push((self.place(test.span), own));
            let mark = self.log.len();
            let ended = self.under(node, |machine| machine.statement(then, after));
            let changed = self.rewind(mark);
            if ended {
                leaves |= !own.stops;
            } else {
                changes.push(changed);
                all_end = false;
            }
            self.push_control(node);
        }
        if let Some(otherwise) = otherwise {
            let mark = self.log.len();
            let ended = self.statement(otherwise, after);
            let changed = self.rewind(mark);
            if ended {
                leaves |= !self.effect(otherwise).stops;
            } else {
                changes.push(changed);
                all_end = false;
            }
        } else {
            all_end = false;
        }
        // What follows a branch that leaves without a failure depends on the test.
        if !leaves {
            self.builder.controls.truncate(controls);
        }
        self.merge(changes, otherwise.is_some());
        self.choice(&nodes, arms, otherwise, after, statement.span);
        all_end
    }

    fn effects_between(
        &self,
        tests: &[(&'a Expression, &'a Statement)],
        at: usize,
        otherwise: Option<&'a Statement>,
    ) -> Effect {
        let rest = tests.iter().skip(at + 1).map(|(_, then)| *then).chain(otherwise);
        rest.fold(Effect::default(), |effect, statement| effect.then(self.effect(statement)))
    }

    /// A chain of tests of one value for equality.
    fn choice(
        &mut self,
        nodes: &[Option<NodeId>],
        arms: Vec<(crate::flow::Place, Effect)>,
        otherwise: Option<&'a Statement>,
        after: Effect,
        span: Span,
    ) {
        let mut subject: Option<Vec<Input>> = None;
        let mut read = Vec::new();
        for (node, (place, effect)) in nodes.iter().zip(arms) {
            let Some((tokens, negated, inputs)) = node.and_then(|node| self.tokens(node)) else { return };
            if subject.as_ref().is_some_and(|subject| *subject != inputs) {
                return;
            }
            subject = Some(inputs);
            read.push(Arm { tokens, negated, effect, place });
        }
        let Some(inputs) = subject.filter(|inputs| !inputs.is_empty()) else { return };
        let otherwise = otherwise.map(|otherwise| (self.effect(otherwise), self.place(otherwise.span)));
        let choice = Choice { form: ChoiceForm::If, arms: read, otherwise, after, alike: Vec::new() };
        let place = self.place(span);
        self.builder.graph.add(NodeKind::Choice(Box::new(choice)), place, inputs, None);
    }

    /// The words that a test compares a value with: one comparison, or alternatives of them.
    fn tokens(&self, node: NodeId) -> Option<(Vec<Arc<str>>, bool, Vec<Input>)> {
        let found = self.builder.graph.node(node);
        match &found.kind {
            NodeKind::Compare(compare) if compare.op != CompareOp::Order => {
                let token = compare.operand.clone()?;
                Some((vec![token], compare.op == CompareOp::NotEqual, found.inputs.clone()))
            }
            NodeKind::Logic(Logic::Or) => {
                let mut tokens = Vec::new();
                let mut subject: Option<Vec<Input>> = None;
                for input in &found.inputs {
                    let (more, negated, inputs) = self.tokens(input.from)?;
                    if negated || subject.as_ref().is_some_and(|subject| *subject != inputs) {
                        return None;
                    }
                    subject = Some(inputs);
                    tokens.extend(more);
                }
                Some((tokens, false, subject?))
            }
            _ => None,
        }
    }

    fn switch(&mut self, subject: &'a Expression, cases: &'a [Case], span: Span, after: Effect) -> bool {
        let item = self.expression(subject);
        let value = item.whole();
        let mut changes = Vec::new();
        let mut arms: Vec<Arm> = Vec::new();
        let mut waiting: Vec<Arc<str>> = Vec::new();
        let mut otherwise = None;
        let mut known = true;
        let mut all_end = true;
        let controls = self.builder.controls.len();
        let default = cases.iter().find(|case| case.value.is_none());
        let rest = default.map_or(Effect::default(), |case| {
            let effect = self.effect_of_all(&case.body);
            Effect { passes: effect.passes && !breaks(&case.body), ..effect }
        });
        for case in cases {
            let own = self.effect_of_all(&case.body);
            // `break` only leaves the switch.
            let own = Effect { passes: own.passes && !breaks(&case.body), ..own };
            let mut node = None;
            match &case.value {
                Some(token) => {
                    let token_item = self.expression(token);
                    let operand = token_item.value.text().cloned();
                    known &= operand.is_some();
                    if !value.is_plain() {
                        let compare = Compare {
                            op: CompareOp::Equal,
                            operand: operand.clone(),
                            operand_place: Some(self.place(token.span)),
                        };
                        let id = self.on(NodeKind::Compare(compare), token.span, &value);
                        self.decide(id, token.span, DecisionForm::Case, own, rest);
                        node = Some(id);
                    }
                    waiting.extend(operand);
                    if !case.body.is_empty() {
                        let tokens = std::mem::take(&mut waiting);
                        arms.push(Arm { tokens, negated: false, effect: own, place: self.place(token.span) });
                    }
                }
                None => otherwise = Some((own, self.place(Span::new(case.span.start, case.span.start + 7)))),
            }
            if case.body.is_empty() {
                continue;
            }
            let mark = self.log.len();
            let ended = self.under(node, |machine| machine.statements(&case.body, after));
            let changed = self.rewind(mark);
            if !ended || breaks(&case.body) {
                changes.push(changed);
                all_end = false;
            }
            self.push_control(node);
        }
        self.builder.controls.truncate(controls);
        let exhaustive = otherwise.is_some();
        self.merge(changes, exhaustive);
        if known && !value.is_plain() && !arms.is_empty() {
            let choice = Choice { form: ChoiceForm::Case, arms, otherwise, after, alike: Vec::new() };
            self.on(NodeKind::Choice(Box::new(choice)), span, &value);
        }
        all_end && exhaustive
    }

    fn looped(&mut self, each: &'a Loop, after: Effect) {
        if let Some(start) = &each.start {
            self.statement(start, after);
        }
        let element = each.each.as_ref().map(|(pattern, list)| {
            let list = self.expression(list);
            (pattern, self.each_of(&list))
        });
        for _ in 0..2 {
            let mark = self.log.len();
            let controls = self.builder.controls.len();
            let test = each.test.as_ref().and_then(|test| {
                let node = self.truth(test)?;
                let effect = self.effect(&each.body);
                self.decide(node, test.span, DecisionForm::While, effect, after);
                Some(node)
            });
            self.push_control(test);
            if let Some((pattern, element)) = &element {
                self.bind(pattern, element.clone());
            }
            self.statement(&each.body, after);
            if let Some(step) = &each.step {
                self.expression(step);
            }
            self.builder.controls.truncate(controls);
            let changed = self.rewind(mark);
            let nothing_new = changed.iter().all(|(key, item)| {
                self.names.get(key).is_some_and(|old| {
                    old.value.literal == item.value.literal && old.nodes().len() == item.nodes().len()
                })
            });
            self.merge(vec![changed], false);
            if nothing_new {
                break;
            }
        }
    }
}

/// To leave early and do nothing is no pass where the other branch acts.
fn without_leaving(effect: Effect, other: Effect) -> Effect {
    let leaves = effect.passes && !effect.acts && !effect.stops && !effect.sets && other.acts;
    if leaves { Effect { passes: false, prints: true, ..effect } } else { effect }
}

/// Whether a `break` of the switch itself ends the arm.
fn breaks(body: &[Statement]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StatementKind::Break => true,
        StatementKind::Block(statements) => breaks(statements),
        StatementKind::If { then, otherwise, .. } => {
            breaks(std::slice::from_ref(then))
                || otherwise.as_deref().is_some_and(|rest| breaks(std::slice::from_ref(rest)))
        }
        _ => false,
    })
}

/// The property of an object literal.
pub(super) fn property<'p>(properties: &'p [Property], name: &str) -> Option<&'p Expression> {
    properties.iter().rev().find_map(|property| match property {
        Property::Value(key, value) if key.value == name => Some(value),
        _ => None,
    })
}
