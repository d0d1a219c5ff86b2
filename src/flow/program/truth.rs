//! What a test asks: nodes whose truth decides.

use std::sync::Arc;

use super::Machine;
use super::item::{Item, Shape};
use crate::flow::{Compare, CompareOp, Input, Logic, NodeId, NodeKind, Role, Trust, Value};
use crate::syntax::typescript::{Expression, ExpressionKind, Logical};
use crate::text::Span;

impl<'a> Machine<'a, '_> {
    /// The node whose truth is that of an expression; `None` where nothing that is followed takes part.
    pub(super) fn truth(&mut self, expression: &'a Expression) -> Option<NodeId> {
        if !self.step() {
            return None;
        }
        match &expression.kind {
            ExpressionKind::Logical { operator: Logical::And, left, right } => {
                let first = self.truth(left);
                let second = self.under(first, |machine| machine.truth(right));
                self.both(Logic::And, first, second, expression.span)
            }
            ExpressionKind::Logical { operator: Logical::Or, left, right } => {
                let first = self.truth(left);
                let second = self.under(first, |machine| machine.truth(right));
                self.both(Logic::Or, first, second, expression.span)
            }
            ExpressionKind::Unary { operator, operand } if operator == "!" => {
                let node = self.truth(operand)?;
                Some(self.not(node, expression.span))
            }
            ExpressionKind::Await(inner) => self.truth(inner),
            _ => {
                let item = self.expression(expression);
                self.truth_of(&item, expression.span)
            }
        }
    }

    /// The truth of a value as such.
    pub(super) fn truth_of(&mut self, item: &Item<'a>, span: Span) -> Option<NodeId> {
        let value = item.whole();
        if value.is_plain() {
            return None;
        }
        match item.shape {
            Shape::Truth | Shape::Groups => value.nodes.first().copied(),
            Shape::Length | Shape::Position { .. } => Some(self.presence(&value, false, span)),
            _ => {
                let whole = matches!(item.shape, Shape::Parsed | Shape::Each(_) | Shape::List(_) | Shape::Object(_));
                match self.builder.trust(&value) {
                    Trust::Agent | Trust::User => Some(self.presence(&value, false, span)),
                    Trust::Extracted if whole => Some(self.presence(&value, false, span)),
                    _ => Some(self.on(NodeKind::Truthy { negated: false }, span, &value)),
                }
            }
        }
    }

    pub(super) fn presence(&mut self, value: &Value, empty: bool, span: Span) -> NodeId {
        let place = self.place(span);
        self.builder.with_trust(NodeKind::Presence { empty }, place, value, Trust::Clean)
    }

    pub(super) fn not(&mut self, node: NodeId, span: Span) -> NodeId {
        let place = self.place(span);
        let inputs = vec![Input { from: node, role: Role::Data }];
        self.builder.graph.add(NodeKind::Logic(Logic::Not), place, inputs, None)
    }

    /// Both truth values together.
    pub(super) fn both(&mut self, logic: Logic, a: Option<NodeId>, b: Option<NodeId>, span: Span) -> Option<NodeId> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => {
                let place = self.place(span);
                let inputs = [a, b].map(|from| Input { from, role: Role::Data }).to_vec();
                Some(self.builder.graph.add(NodeKind::Logic(logic), place, inputs, None))
            }
            (a, b) => a.or(b),
        }
    }

    /// `left == right` and the like.
    pub(super) fn compare(
        &mut self,
        operator: &str,
        left: &'a Expression,
        right: &'a Expression,
        span: Span,
    ) -> Item<'a> {
        let (a, b) = (self.expression(left), self.expression(right));
        let op = match operator {
            "==" | "===" => CompareOp::Equal,
            "!=" | "!==" => CompareOp::NotEqual,
            "<" | ">" | "<=" | ">=" => CompareOp::Order,
            _ => return Item::default(),
        };
        // `typeof x === 'string'` asks for the form.
        if [left, right].iter().any(|side| is_typeof(side)) {
            return Item::default();
        }
        let (subject, other, other_span) =
            if a.whole().is_plain() { (&b, &a, left.span) } else { (&a, &b, right.span) };
        let value = subject.whole();
        if value.is_plain() {
            return Item::default();
        }
        let literal = other.value.text().map(std::string::ToString::to_string);
        let turned = op == CompareOp::NotEqual;
        // `x !== null`, `x === ''`: whether there is anything.
        let nothing = matches!(literal.as_deref(), Some("" | "null" | "undefined"));
        match subject.shape {
            Shape::Truth if matches!(literal.as_deref(), Some("true" | "false")) => {
                let node = value.nodes.first().copied();
                let denied = (literal.as_deref() == Some("false")) != turned;
                return Item::truth(node.map(|node| if denied { self.not(node, span) } else { node }));
            }
            Shape::Groups | Shape::Position { .. } | Shape::Length | Shape::Truth => {
                let denied = matches!(
                    (operator, literal.as_deref()),
                    ("==" | "===", Some("-1" | "0" | "null" | "undefined")) | ("<", Some("0" | "1"))
                );
                if matches!(subject.shape, Shape::Length | Shape::Position { .. }) {
                    return Item::truth(Some(self.presence(&value, denied, span)));
                }
                let node = value.nodes.first().copied();
                return Item::truth(node.map(|node| if denied { self.not(node, span) } else { node }));
            }
            _ => {}
        }
        if nothing && op != CompareOp::Order {
            return Item::truth(Some(self.presence(&value, !turned, span)));
        }
        let compare = Compare { op, operand: literal.map(Arc::from), operand_place: Some(self.place(other_span)) };
        let mut inputs = value.inputs();
        inputs.extend(other.whole().inputs().into_iter().filter(|input| !value.nodes.contains(&input.from)));
        let place = self.place(span);
        Item::truth(Some(self.builder.graph.add(NodeKind::Compare(compare), place, inputs, None)))
    }

    /// Whether a value is one of a list's members: equality with each.
    pub(super) fn is_member(&mut self, list: &Item<'a>, wanted: &Item<'a>, span: Span) -> Item<'a> {
        let (subject, others) = if wanted.whole().is_plain() {
            (list.element(), vec![wanted.clone()])
        } else {
            let members = match &list.shape {
                Shape::List(items) => items.to_vec(),
                _ => vec![list.element()],
            };
            (wanted.clone(), members)
        };
        let value = subject.whole();
        if value.is_plain() {
            return Item::default();
        }
        let mut result = None;
        for other in others {
            let compare = Compare { op: CompareOp::Equal, operand: other.value.text().cloned(), operand_place: None };
            let mut inputs = value.inputs();
            inputs.extend(other.whole().inputs().into_iter().filter(|input| !value.nodes.contains(&input.from)));
            let place = self.place(span);
            let node = self.builder.graph.add(NodeKind::Compare(compare), place, inputs, None);
            result = self.both(Logic::Or, result, Some(node), span);
        }
        Item::truth(result)
    }
}

fn is_typeof(expression: &Expression) -> bool {
    matches!(&expression.kind, ExpressionKind::Unary { operator, .. } if operator == "typeof")
}
