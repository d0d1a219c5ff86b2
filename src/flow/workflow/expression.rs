//! GitHub expressions as nodes.

use std::collections::HashSet;
use std::sync::Arc;

use super::lists::{is_list, members};
use super::scope::{Reader, Scope, Text};
use crate::flow::{
    Builder, Compare, CompareOp, Contains, Fallback, FallbackForm, Input, Logic, NodeId, NodeKind, Pass, Place, Role,
    Trust, Value,
};
use crate::recipe::FileId;
use crate::syntax::expression::{Access, Comparison, Expr, ExprKind, Hole, condition_holes, holes};
use crate::text::{Fragment, Span};

/// Evaluates the expressions of one text.
pub(super) struct Evaluator<'e> {
    pub builder: &'e mut Builder,
    pub file: FileId,
    pub fragment: &'e Fragment,
    pub scope: &'e Scope,
    pub reader: Reader,
    /// Places of outputs that do not exist, so that each is told once.
    pub told: &'e mut HashSet<Place>,
}

impl Evaluator<'_> {
    pub(super) fn place(&self, span: Span) -> Place {
        Place { file: self.file, span: self.fragment.locate(span) }
    }

    fn written(&self, span: Span) -> &str {
        self.fragment.text().get(span.range()).unwrap_or_default()
    }

    /// A text with holes: `a ${{ x }} b`. One that is a single hole is its value.
    pub fn whole(&mut self) -> Text {
        let text = self.fragment.text();
        if !text.contains("${{") {
            return Text::of(Value::literal(text));
        }
        let found = holes(text);
        if let [hole] = found.as_slice()
            && text.trim() == self.written(hole.span)
        {
            return self.hole(hole);
        }
        let mut value = Value::literal("");
        let mut at = 0;
        for hole in &found {
            value.append(&Value::literal(text.get(at..hole.span.start).unwrap_or_default()));
            let next = self.hole(hole);
            value.append(&next.value);
            at = hole.span.end;
        }
        value.append(&Value::literal(text.get(at..).unwrap_or_default()));
        Text::of(value)
    }

    /// The value of a hole.
    pub fn hole(&mut self, hole: &Hole) -> Text {
        let text = hole.expression.expr.as_ref().map(|expr| self.text(expr)).unwrap_or_default();
        // `true` or `false`, whatever was tested.
        match self.truth_value(&text.value) {
            Some(_) => {
                let kind = NodeKind::Truthy { negated: false };
                Text::of(Value::node(self.builder.with_trust(kind, self.place(hole.span), &text.value, Trust::Clean)))
            }
            None => text,
        }
    }

    /// An `if:`: the node whose truth it is, its span, and what holds where it is true.
    pub fn condition(&mut self) -> (Option<(NodeId, Span)>, Reader) {
        let found = condition_holes(self.fragment.text());
        let mut reader = Reader::default();
        let whole = match found.as_slice() {
            [hole] if self.fragment.text().trim() == self.written(hole.span) => hole,
            // Text beside a hole makes a condition that is always true.
            _ => {
                for hole in &found {
                    self.hole(hole);
                }
                return (None, reader);
            }
        };
        let Some(expr) = &whole.expression.expr else { return (None, reader) };
        let operands: Vec<&Expr> = match &expr.kind {
            ExprKind::And(operands) => operands.iter().collect(),
            _ => vec![expr],
        };
        reader.holds = operands.iter().map(|operand| plain(self.written(operand.span))).collect();
        reader.holds.push(plain(self.written(expr.span)));
        expr.walk(&mut |node| {
            if let ExprKind::Call(name, _) = &node.kind {
                reader.always |= matches!(name.value.as_str(), "always" | "failure" | "cancelled");
            }
        });
        self.reader.always |= reader.always;
        let node = self.truth(expr);
        (node.map(|node| (node, expr.span)), reader)
    }

    fn logic(&mut self, logic: Logic, nodes: Vec<NodeId>, span: Span) -> Option<NodeId> {
        match nodes.as_slice() {
            [] => None,
            [one] if logic != Logic::Not => Some(*one),
            _ => {
                let inputs = nodes.into_iter().map(|from| Input { from, role: Role::Data }).collect();
                Some(self.builder.graph.add(NodeKind::Logic(logic), self.place(span), inputs, None))
            }
        }
    }

    /// The node whose truth is the expression's; `None` where no text of interest takes part.
    pub fn truth(&mut self, expr: &Expr) -> Option<NodeId> {
        match &expr.kind {
            ExprKind::And(operands) => {
                let nodes = self.guarded(operands, true, Self::truth);
                self.logic(Logic::And, nodes.into_iter().flatten().collect(), expr.span)
            }
            ExprKind::Or(operands) => {
                let nodes = self.guarded(operands, false, Self::truth);
                self.logic(Logic::Or, nodes.into_iter().flatten().collect(), expr.span)
            }
            ExprKind::Not(inner) => {
                if matches!(inner.kind, ExprKind::Name(_) | ExprKind::Path(..)) {
                    let text = self.text(inner);
                    return self.truthy(&text, true, expr.span);
                }
                let node = self.truth(inner)?;
                self.logic(Logic::Not, vec![node], expr.span)
            }
            ExprKind::Compare(left, op, right) => self.compare(left, op.value, right, expr.span),
            ExprKind::Call(name, arguments)
                if matches!(name.value.as_str(), "contains" | "startswith" | "endswith") =>
            {
                self.contains(&name.value, arguments, expr.span)
            }
            _ => {
                let text = self.text(expr);
                self.truthy(&text, false, expr.span)
            }
        }
    }

    /// Evaluates operands from left to right; what the earlier ones say holds for the later ones: that they are true
    /// in `&&`, that they are false in `||`.
    fn guarded<T>(&mut self, operands: &[Expr], truth: bool, evaluate: impl Fn(&mut Self, &Expr) -> T) -> Vec<T> {
        let before = self.reader.holds.len();
        let mut results = Vec::with_capacity(operands.len());
        for operand in operands {
            results.push(evaluate(self, operand));
            if truth {
                let mut open = vec![operand];
                while let Some(operand) = open.pop() {
                    if let ExprKind::And(inner) = &operand.kind {
                        open.extend(inner);
                    }
                    self.reader.holds.push(plain(self.written(operand.span)));
                }
            } else {
                self.reader.holds.extend(self.negation(operand));
            }
        }
        self.reader.holds.truncate(before);
        results
    }

    /// What is known when an operand of `||` is false.
    fn negation(&self, operand: &Expr) -> Option<String> {
        match &operand.kind {
            ExprKind::Not(inner) => Some(plain(self.written(inner.span))),
            ExprKind::Compare(left, op, right) if op.value == Comparison::Equal => {
                Some(format!("{}!={}", plain(self.written(left.span)), plain(self.written(right.span))))
            }
            _ => None,
        }
    }

    /// Truth of a value: what it says for fields, whether there is any for texts.
    fn truthy(&mut self, text: &Text, negated: bool, span: Span) -> Option<NodeId> {
        if text.value.is_plain() {
            return None;
        }
        if let Some(node) = self.truth_value(&text.value) {
            return if negated { self.logic(Logic::Not, vec![node], span) } else { Some(node) };
        }
        let kind = if self.is_field(&text.value) {
            NodeKind::Truthy { negated }
        } else {
            NodeKind::Presence { empty: negated }
        };
        Some(self.builder.with_trust(kind, self.place(span), &text.value, Trust::Clean))
    }

    fn is_field(&self, value: &Value) -> bool {
        value.nodes.iter().any(|id| matches!(self.builder.graph.node(*id).kind, NodeKind::Field(_)))
    }

    /// The node of a value that is itself the result of a test.
    fn truth_value(&self, value: &Value) -> Option<NodeId> {
        let [id] = value.nodes.as_slice() else { return None };
        matches!(
            self.builder.graph.node(*id).kind,
            NodeKind::Contains(_)
                | NodeKind::Compare(_)
                | NodeKind::Logic(_)
                | NodeKind::Presence { .. }
                | NodeKind::Truthy { .. }
        )
        .then_some(*id)
    }

    fn compare(&mut self, left: &Expr, op: Comparison, right: &Expr, span: Span) -> Option<NodeId> {
        let (a, b) = (self.text(left), self.text(right));
        let (subject, other, operand) = if a.value.is_plain() { (b, a, left) } else { (a, b, right) };
        if subject.value.is_plain() {
            return None;
        }
        let op = match op {
            Comparison::Equal => CompareOp::Equal,
            Comparison::NotEqual => CompareOp::NotEqual,
            _ => CompareOp::Order,
        };
        let literal = other.value.text().cloned();
        // `contains(…) == false`: the containment is the test, the comparison only reads it.
        if let (Some(node), Some("true" | "false")) = (self.truth_value(&subject.value), literal.as_deref()) {
            let same = (literal.as_deref() == Some("true")) == (op == CompareOp::Equal);
            return if same { Some(node) } else { self.logic(Logic::Not, vec![node], span) };
        }
        let nothing = matches!(operand.kind, ExprKind::Null) || literal.as_deref() == Some("");
        if nothing && op != CompareOp::Order {
            let kind = NodeKind::Presence { empty: op == CompareOp::Equal };
            return Some(self.builder.with_trust(kind, self.place(span), &subject.value, Trust::Clean));
        }
        let compare = Compare { op, operand: literal, operand_place: Some(self.place(operand.span)) };
        let mut inputs = subject.value.inputs();
        inputs.extend(other.value.inputs());
        Some(self.builder.graph.add(NodeKind::Compare(compare), self.place(span), inputs, None))
    }

    /// `contains`, `startsWith`, `endsWith`. In a list, `contains` is equality with one of its members.
    fn contains(&mut self, function: &str, arguments: &[Expr], span: Span) -> Option<NodeId> {
        let [first, second] = arguments else { return None };
        let (text, part) = (self.text(first), self.text(second));
        if function == "contains" && is_list(first, &text) {
            if part.value.is_plain() && text.value.is_plain() {
                return None;
            }
            let subject = if part.value.is_plain() { &text.value } else { &part.value };
            let operands = if part.value.is_plain() { vec![part.value.text().cloned()] } else { members(first) };
            let nodes = operands
                .into_iter()
                .map(|operand| {
                    let compare =
                        Compare { op: CompareOp::Equal, operand, operand_place: Some(self.place(first.span)) };
                    self.builder.on(NodeKind::Compare(compare), self.place(span), subject)
                })
                .collect();
            return self.logic(Logic::Or, nodes, span);
        }
        let (value, needle) = if text.value.is_plain() {
            (part.value, text.value.text().cloned())
        } else {
            (text.value, part.value.text().cloned())
        };
        if value.is_plain() {
            return None;
        }
        let how = match function {
            "startswith" => "startsWith",
            "endswith" => "endsWith",
            _ => "contains",
        };
        let contains = Contains { how: how.into(), needle, negated: false };
        Some(self.builder.on(NodeKind::Contains(Box::new(contains)), self.place(span), &value))
    }

    /// The value of an expression.
    pub fn text(&mut self, expr: &Expr) -> Text {
        match &expr.kind {
            ExprKind::Null => Text::of(Value::literal("")),
            ExprKind::Bool(value) => Text::of(Value::literal(value.to_string())),
            ExprKind::Number(number) => Text::of(Value::literal(number.to_string())),
            ExprKind::String(text) => Text::of(Value::literal(text.as_str())),
            ExprKind::Name(_) => Text::default(),
            ExprKind::Path(head, accesses) => {
                let (text, used) = match expr.as_read() {
                    Some(read) => self.read(&read.path, expr.span),
                    None => (self.text(head), 1),
                };
                // The context's own name is no access.
                self.fields(text, accesses.get(used.saturating_sub(1)..).unwrap_or_default(), expr.span)
            }
            ExprKind::Call(name, arguments) => self.call(&name.value, arguments, expr.span),
            ExprKind::Not(_) | ExprKind::Compare(..) => {
                self.truth(expr).map(|node| Text::of(Value::node(node))).unwrap_or_default()
            }
            ExprKind::And(operands) => self.and(operands, expr.span),
            ExprKind::Or(operands) => self.or(operands, expr.span),
        }
    }

    /// `c && x`: `x` where `c` is true. What was chosen by a test depends on it.
    fn and(&mut self, operands: &[Expr], span: Span) -> Text {
        let Some((last, tests)) = operands.split_last() else { return Text::default() };
        let before = self.reader.holds.len();
        let nodes: Vec<NodeId> = self.guarded(tests, true, Self::truth).into_iter().flatten().collect();
        self.reader.holds.extend(tests.iter().map(|test| plain(self.written(test.span))).collect::<Vec<_>>());
        let text = self.text(last);
        self.reader.holds.truncate(before);
        // Whether there is a text at all only guards its use.
        let tests: Vec<NodeId> = nodes
            .into_iter()
            .filter(|node| !matches!(self.builder.graph.node(*node).kind, NodeKind::Presence { .. }))
            .collect();
        if tests.is_empty() {
            return Text { empty: None, ..text };
        }
        let mut inputs = text.value.inputs();
        inputs.extend(tests.into_iter().map(|from| Input { from, role: Role::Control }));
        let id = self.builder.graph.add(NodeKind::Join, self.place(span), inputs, None);
        if let Some(literal) = text.value.text() {
            self.builder.graph.set_literal(id, literal.clone());
        }
        Text { value: Value { nodes: vec![id], ..text.value }, empty: None, ..text }
    }

    /// `x || 'y'`
    fn or(&mut self, operands: &[Expr], span: Span) -> Text {
        let texts = self.guarded(operands, false, Self::text);
        let mut result: Option<Text> = None;
        for (text, operand) in texts.into_iter().zip(operands) {
            let Some(before) = &mut result else {
                result = Some(text);
                continue;
            };
            match text.value.text() {
                Some(literal) if literal.is_empty() => before.value.literal = None,
                // `test && 'a' || 'b'` chooses one of two texts.
                Some(_) if self.is_chosen(&before.value) => {
                    before.value.literal = None;
                    before.empty = None;
                }
                Some(literal) if !before.value.is_plain() && text.value.is_plain() => {
                    let fallback = Fallback {
                        literal: Some(literal.clone()),
                        form: FallbackForm::Expression,
                        place: self.place(operand.span),
                        dead: None,
                    };
                    let node = self.builder.on(NodeKind::Fallback(Box::new(fallback)), self.place(span), &before.value);
                    before.value = Value::node(node);
                    before.empty = None;
                }
                _ => {
                    before.value.join(&text.value);
                    before.empty = text.empty;
                    before.schema = None;
                }
            }
        }
        result.unwrap_or_default()
    }

    /// Whether a value was chosen by a test.
    fn is_chosen(&self, value: &Value) -> bool {
        matches!(value.nodes.as_slice(), [id] if matches!(self.builder.graph.node(*id).kind, NodeKind::Join))
    }

    fn call(&mut self, function: &str, arguments: &[Expr], span: Span) -> Text {
        if matches!(function, "contains" | "startswith" | "endswith") {
            return self
                .contains(function, arguments, span)
                .map(|node| Text::of(Value::node(node)))
                .unwrap_or_default();
        }
        if let ("tojson", [argument]) = (function, arguments)
            && let Some(value) = self.whole_context(argument)
        {
            let value = Value::node(self.builder.on(NodeKind::Pass(Pass::Print), self.place(span), &value));
            return Text::of(value);
        }
        let texts: Vec<Text> = arguments.iter().map(|argument| self.text(argument)).collect();
        let mut value = Value::default();
        for text in &texts {
            value.add_nodes(&text.value.nodes);
        }
        match (function, texts.into_iter().next()) {
            ("fromjson", Some(text)) => {
                if value.is_plain() {
                    return Text::default();
                }
                let trust = self.builder.trust(&value).min(Trust::Extracted);
                let kind = NodeKind::FromJson { empty: text.empty };
                let node = self.builder.with_trust(kind, self.place(span), &value, trust);
                Text { value: Value::node(node), schema: text.schema, ..Text::default() }
            }
            ("tojson", Some(text)) => {
                if !value.is_plain() {
                    value = Value::node(self.builder.on(NodeKind::Pass(Pass::Print), self.place(span), &value));
                }
                Text { value, schema: text.schema, ..Text::default() }
            }
            ("success" | "failure" | "always" | "cancelled" | "hashfiles", _) => Text::default(),
            _ => Text::of(value),
        }
    }

    /// Fields of an object.
    fn fields(&mut self, text: Text, accesses: &[Access], span: Span) -> Text {
        let mut text = text;
        for access in accesses {
            if text.value.is_plain() {
                return Text::default();
            }
            let Access::Field(name) = access else {
                let items = text.schema.as_ref().and_then(|schema| schema.get("items").cloned()).map(Arc::new);
                text.schema = items;
                continue;
            };
            let trust = self.builder.trust(&text.value).min(Trust::Extracted);
            let kind = NodeKind::Field(name.value.as_str().into());
            let node = self.builder.with_trust(kind, self.place(span), &text.value, trust);
            let schema = text.schema.as_ref().and_then(|schema| schema.get("properties")?.get(&name.value).cloned());
            let default = self.default_field(&text.value, &name.value, span);
            text = Text { value: Value::node(node), schema: schema.map(Arc::new), ..Text::default() };
            if let Some(fallback) = default {
                let id = self.builder.on(NodeKind::Fallback(Box::new(fallback)), self.place(span), &text.value);
                text.value = Value::node(id);
            }
        }
        text
    }

    /// What a field is where the object is the one that stands in: `fromJSON(x || '{"ok": true}').ok`.
    fn default_field(&self, object: &Value, field: &str, span: Span) -> Option<Fallback> {
        let [parsed] = object.nodes.as_slice() else { return None };
        let parsed = self.builder.graph.node(*parsed);
        if !matches!(parsed.kind, NodeKind::FromJson { .. }) {
            return None;
        }
        let fallback = parsed.inputs.iter().find_map(|input| match &self.builder.graph.node(input.from).kind {
            NodeKind::Fallback(fallback) => Some(fallback),
            _ => None,
        })?;
        let object: serde_json::Value = serde_json::from_str(fallback.literal.as_deref()?).ok()?;
        let literal = match object.get(field)? {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Null => return None,
            value => value.to_string(),
        };
        let place = self.place(span);
        Some(Fallback { literal: Some(literal.into()), form: FallbackForm::Expression, place, dead: None })
    }
}

/// An expression without white space, in lower case: good enough to tell whether two are the same.
pub(super) fn plain(text: &str) -> String {
    let mut text: String = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    while text.starts_with('(') && text.ends_with(')') && is_one_group(&text) {
        text.pop();
        text.remove(0);
    }
    text
}

/// Whether the first parenthesis is closed by the last character.
fn is_one_group(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1 == text.len();
                }
            }
            _ => {}
        }
    }
    false
}
