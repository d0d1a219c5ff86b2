//! The engine's conditions as nodes.

use std::sync::Arc;

use super::{Builder, Compare, CompareOp, Contains, Input, Logic, NodeId, NodeKind, Pass, Place, Role, Trust, Value};
use crate::recipe::FileId;
use crate::syntax::condition::{Access, AccessKind, Comparison, Expr, ExprKind, Function, Method};
use crate::text::{Fragment, Span};

/// A condition's text and what its names stand for.
pub(super) struct Conditions<'c, 'b> {
    pub builder: &'b mut Builder,
    pub file: FileId,
    pub fragment: &'c Fragment,
    pub look_up: &'c dyn Fn(&str) -> Option<Value>,
}

impl Conditions<'_, '_> {
    fn place(&self, span: Span) -> Place {
        Place { file: self.file, span: self.fragment.locate(span) }
    }

    /// The node whose truth is the condition's; `None` where no text of interest takes part.
    pub fn truth(&mut self, expr: &Expr) -> Option<NodeId> {
        match &expr.kind {
            ExprKind::And(items) => self.logic(Logic::And, items, expr.span),
            ExprKind::Or(items) => self.logic(Logic::Or, items, expr.span),
            ExprKind::Not(inner) => {
                if let Some(value) = self.plain_value(inner) {
                    return self.truthy(&value, true, expr.span);
                }
                let node = self.truth(inner)?;
                let inputs = vec![Input { from: node, role: Role::Data }];
                Some(self.builder.graph.add(NodeKind::Logic(Logic::Not), self.place(expr.span), inputs, None))
            }
            ExprKind::Group(inner) => self.truth(inner),
            ExprKind::Compare(left, op, right) => self.compare(left, op.value, right, expr.span),
            ExprKind::Call(function, arguments) => {
                let value = arguments.first().map(|argument| self.value(argument))?;
                if value.is_plain() {
                    return None;
                }
                match function.value {
                    Function::Len | Function::Bool => self.truthy(&value, false, expr.span),
                    _ => self.truthy(&value, false, expr.span),
                }
            }
            ExprKind::Path(_, accesses)
                if accesses.iter().any(|access| matches!(access.kind, AccessKind::Method(..))) =>
            {
                let value = self.value(expr);
                value.nodes.first().copied()
            }
            ExprKind::Name(_) | ExprKind::Path(..) => {
                let value = self.value(expr);
                self.truthy(&value, false, expr.span)
            }
            _ => None,
        }
    }

    /// A name or a field that stands alone as a truth value.
    fn plain_value(&mut self, expr: &Expr) -> Option<Value> {
        match &expr.unwrapped().kind {
            ExprKind::Name(_) => Some(self.value(expr.unwrapped())),
            ExprKind::Path(_, accesses)
                if !accesses.iter().any(|access| matches!(access.kind, AccessKind::Method(..))) =>
            {
                Some(self.value(expr.unwrapped()))
            }
            _ => None,
        }
    }

    fn logic(&mut self, logic: Logic, items: &[Expr], span: Span) -> Option<NodeId> {
        let nodes: Vec<NodeId> = items.iter().filter_map(|item| self.truth(item)).collect();
        if nodes.is_empty() {
            return None;
        }
        let inputs = nodes.into_iter().map(|from| Input { from, role: Role::Data }).collect();
        Some(self.builder.graph.add(NodeKind::Logic(logic), self.place(span), inputs, None))
    }

    /// Truth of a value: whether there is any text for whole texts, what the value says for fields.
    fn truthy(&mut self, value: &Value, negated: bool, span: Span) -> Option<NodeId> {
        if value.is_plain() {
            return None;
        }
        let kind =
            if self.is_field(value) { NodeKind::Truthy { negated } } else { NodeKind::Presence { empty: negated } };
        Some(self.builder.with_trust(kind, self.place(span), value, Trust::Clean))
    }

    fn is_field(&self, value: &Value) -> bool {
        value.nodes.iter().any(|id| matches!(self.builder.graph.node(*id).kind, NodeKind::Field(_)))
    }

    fn compare(&mut self, left: &Expr, op: Comparison, right: &Expr, span: Span) -> Option<NodeId> {
        if matches!(op, Comparison::In | Comparison::NotIn) {
            return self.containment(left, op, right, span);
        }
        let (a, b) = (self.value(left), self.value(right));
        // `text.find('X') >= 0`: the containment is the node, the comparison only reads it.
        let (subject, other, operand) = if a.is_plain() { (b, a, left) } else { (a, b, right) };
        if subject.is_plain() {
            return None;
        }
        if let Some(id) =
            subject.nodes.iter().find(|id| matches!(self.builder.graph.node(**id).kind, NodeKind::Contains(_)))
        {
            return Some(*id);
        }
        let op = match op {
            Comparison::Equal => CompareOp::Equal,
            Comparison::NotEqual => CompareOp::NotEqual,
            _ => CompareOp::Order,
        };
        if other.text().is_some_and(|text| text.is_empty()) && op != CompareOp::Order {
            let empty = op == CompareOp::Equal;
            return Some(self.builder.with_trust(
                NodeKind::Presence { empty },
                self.place(span),
                &subject,
                Trust::Clean,
            ));
        }
        let operand_place = Some(self.place(operand.span));
        let compare = Compare { op, operand: other.text().cloned(), operand_place };
        let mut inputs = subject.inputs();
        inputs.extend(other.inputs());
        Some(self.builder.graph.add(NodeKind::Compare(compare), self.place(span), inputs, None))
    }

    fn containment(&mut self, left: &Expr, op: Comparison, right: &Expr, span: Span) -> Option<NodeId> {
        let negated = op == Comparison::NotIn;
        // `x in ['a', 'b']` is equality with one of them.
        if let ExprKind::List(items) = &right.unwrapped().kind {
            let value = self.value(left);
            if value.is_plain() {
                return None;
            }
            let op = if negated { CompareOp::NotEqual } else { CompareOp::Equal };
            let nodes: Vec<NodeId> = items
                .iter()
                .map(|item| {
                    let operand = literal(item);
                    let compare = Compare { op, operand, operand_place: Some(self.place(item.span)) };
                    self.builder.on(NodeKind::Compare(compare), self.place(span), &value)
                })
                .collect();
            if nodes.len() == 1 {
                return nodes.first().copied();
            }
            let inputs = nodes.into_iter().map(|from| Input { from, role: Role::Data }).collect();
            let logic = if negated { Logic::And } else { Logic::Or };
            return Some(self.builder.graph.add(NodeKind::Logic(logic), self.place(span), inputs, None));
        }
        let text = self.value(right);
        let part = self.value(left);
        // A text in a constant: `x in 'a,b'`.
        let (value, needle) = if text.is_plain() { (part, text.text().cloned()) } else { (text, literal(left)) };
        if value.is_plain() {
            return None;
        }
        let contains = Contains { how: op.name().into(), needle, negated };
        Some(self.builder.on(NodeKind::Contains(Box::new(contains)), self.place(span), &value))
    }

    /// The value of an operand.
    fn value(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Name(name) => (self.look_up)(name).unwrap_or_default(),
            ExprKind::Path(head, accesses) => {
                let mut value = self.value(head);
                for access in accesses {
                    value = self.access(value, access, head.span, expr.span);
                }
                value
            }
            ExprKind::Group(_) | ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Compare(..) => {
                self.truth(expr).map(Value::node).unwrap_or_default()
            }
            ExprKind::Call(function, arguments) => {
                let mut value = Value::default();
                for argument in arguments {
                    let next = self.value(argument);
                    value.add_nodes(&next.nodes);
                }
                if value.is_plain() {
                    return Value::default();
                }
                match function.value {
                    Function::Len | Function::Bool => {
                        let kind = NodeKind::Presence { empty: false };
                        Value::node(self.builder.with_trust(kind, self.place(expr.span), &value, Trust::Clean))
                    }
                    _ => Value::node(self.builder.on(NodeKind::Pass(Pass::Trim), self.place(expr.span), &value)),
                }
            }
            _ => literal(expr).map(Value::literal).unwrap_or_default(),
        }
    }

    fn access(&mut self, value: Value, access: &Access, head: Span, whole: Span) -> Value {
        if value.is_plain() {
            return value;
        }
        let place = self.place(head.to(access.span));
        match &access.kind {
            AccessKind::Field(name) | AccessKind::Key(name) => {
                let trust = self.builder.trust(&value).min(Trust::Extracted);
                Value::node(self.builder.with_trust(NodeKind::Field(name.value.as_str().into()), place, &value, trust))
            }
            AccessKind::Index(_) | AccessKind::Missing => value,
            AccessKind::Method(method, arguments) => {
                let needle = arguments.first().and_then(literal);
                match method.value {
                    Method::Strip | Method::Lstrip | Method::Rstrip | Method::Lower | Method::Upper | Method::Title => {
                        Value::node(self.builder.on(NodeKind::Pass(Pass::Trim), place, &value))
                    }
                    Method::Join => value,
                    Method::Startswith
                    | Method::Endswith
                    | Method::Replace
                    | Method::Split
                    | Method::Count
                    | Method::Find => {
                        let contains =
                            Contains { how: format!(".{}", method.value.name()).into(), needle, negated: false };
                        let place = self.place(whole);
                        Value::node(self.builder.on(NodeKind::Contains(Box::new(contains)), place, &value))
                    }
                }
            }
        }
    }
}

/// The text of a constant.
fn literal(expr: &Expr) -> Option<Arc<str>> {
    match &expr.unwrapped().kind {
        ExprKind::String(text) => Some(text.as_str().into()),
        ExprKind::Bool(value) => Some(value.to_string().into()),
        ExprKind::Number(number) => Some(number.to_string().into()),
        _ => None,
    }
}
