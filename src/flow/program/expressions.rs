//! What an expression is.

use std::rc::Rc;

use super::Machine;
use super::item::{Item, Members, Shape};
use crate::flow::{Effect, FallbackForm, Logic, NodeKind, Pasting, Trust, Value};
use crate::syntax::typescript::{
    Binding, Element, Expression, ExpressionKind, Logical, Pattern, Property, TemplatePart,
};
use crate::text::Span;

impl<'a> Machine<'a, '_> {
    /// Runs an expression.
    pub(super) fn expression(&mut self, expression: &'a Expression) -> Item<'a> {
        if !self.step() {
            return Item::default();
        }
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Name(name) => self.name(name, expression),
            ExpressionKind::String(text) => Item::literal(text.text()),
            ExpressionKind::Number(number) => Item::literal(number),
            ExpressionKind::Boolean(value) => Item::literal(if *value { "true" } else { "false" }),
            ExpressionKind::Null => Item::literal("null"),
            ExpressionKind::Undefined => Item::literal("undefined"),
            ExpressionKind::Template(parts) => self.template(parts),
            ExpressionKind::Tagged { tag, parts } => {
                self.expression(tag);
                let value = self.template(parts).value;
                Item::text(Value { literal: None, ..value })
            }
            ExpressionKind::Regex { .. } | ExpressionKind::Other => Item::default(),
            ExpressionKind::Hole => self.hole(span),
            ExpressionKind::Array(elements) => self.list(elements),
            ExpressionKind::Object(properties) => self.object(properties),
            ExpressionKind::Member { object, property } => {
                if self.apis.of(expression).is_some() {
                    return Item::default();
                }
                let item = self.expression(object);
                self.member(&item, &property.value, property.span)
            }
            ExpressionKind::Index { object, index } => {
                let item = self.expression(object);
                if counts_from_the_end(index) {
                    return self.last_of(&item, span);
                }
                let index = self.expression(index);
                self.indexed(&item, &index, span)
            }
            ExpressionKind::Call { callee, arguments, constructs } => self.call(callee, arguments, *constructs, span),
            ExpressionKind::Function(function) => Item::shaped(Shape::Function(function)),
            ExpressionKind::Class(_) => Item::default(),
            ExpressionKind::Unary { operator, operand } => match operator.as_str() {
                "!" => Item::truth(self.truth(expression)),
                "+" | "-" => Item::text(Value { literal: None, ..self.expression(operand).value }),
                _ => {
                    self.expression(operand);
                    Item::default()
                }
            },
            ExpressionKind::Sum(parts) => {
                let mut value = Value::literal("");
                let mut shape = Shape::Plain;
                for part in parts {
                    let item = self.expression(part);
                    // A place in a text and the length of what was found there.
                    if let Shape::Position { last } = item.shape {
                        shape = Shape::Position { last };
                    }
                    value.append(&item.whole());
                }
                Item { value, shape }
            }
            ExpressionKind::Binary { operator, left, right } if operator == "in" => {
                let key = self.expression(left);
                let object = self.expression(right);
                let keys = keys_of(&object);
                self.is_member(&keys, &key, span)
            }
            ExpressionKind::Binary { operator, left, right } => self.compare(operator, left, right, span),
            ExpressionKind::Logical { operator, left, right } => self.logical(*operator, left, right, span),
            ExpressionKind::Conditional { test, then, otherwise } => self.conditional(test, then, otherwise),
            ExpressionKind::Assign { operator, target, value } => self.assign(operator, target, value),
            ExpressionKind::Await(inner) => self.expression(inner),
            ExpressionKind::Sequence(parts) => {
                let mut last = Item::default();
                for part in parts {
                    last = self.expression(part);
                }
                last
            }
        }
    }

    fn name(&mut self, name: &str, expression: &'a Expression) -> Item<'a> {
        let at = expression.span.start;
        let Some(declaration) = self.apis.fold.scopes.find(name, at) else {
            return Item::shaped(Shape::Global(name.into()));
        };
        if let Some(item) = self.names.get(&declaration.span.start) {
            return item.clone();
        }
        match declaration.binding.clone() {
            Binding::Function(function) => Item::shaped(Shape::Function(function)),
            Binding::Import(module, exported) => {
                if self.apis.of(expression).is_some() {
                    Item::default()
                } else {
                    let module = module.trim_start_matches("node:").trim_start_matches("@actions/");
                    let path = if matches!(exported, "*" | "default") {
                        module.to_owned()
                    } else {
                        format!("{module}.{exported}")
                    };
                    Item::shaped(Shape::Global(path.into()))
                }
            }
            // A function that is kept in a constant further down.
            Binding::Value(value, steps) if steps.is_empty() => match &value.kind {
                ExpressionKind::Function(function) => Item::shaped(Shape::Function(function)),
                ExpressionKind::Array(_) | ExpressionKind::Object(_) | ExpressionKind::String(_) => {
                    self.expression(value)
                }
                _ => Item::default(),
            },
            _ => Item::default(),
        }
    }

    fn template(&mut self, parts: &'a [TemplatePart]) -> Item<'a> {
        let mut value = Value::literal("");
        for part in parts {
            match part {
                TemplatePart::Text(text) => value.append(&Value::literal(text.text())),
                TemplatePart::Value(inner) => value.append(&self.expression(inner).whole()),
            }
        }
        Item::text(value)
    }

    /// `${{ … }}`: its text becomes program text before the program is read.
    fn hole(&mut self, span: Span) -> Item<'a> {
        let place = self.place(span);
        let raw = self.world.text.get(span.range()).unwrap_or_default();
        let inside = raw.trim_start_matches("${{").trim_end_matches("}}").to_owned();
        let value = self.world.environment.hole(self.builder, &inside, place).unwrap_or_default();
        // JSON is JavaScript: `const x = ${{ toJSON(y) }}` is a constant, whatever the text is.
        let constant = inside.trim_start().get(..7).is_some_and(|start| start.eq_ignore_ascii_case("tojson("));
        if !constant && self.builder.trust(&value) >= Trust::Extracted {
            self.builder.on(NodeKind::Paste(Pasting::JavaScript), place, &value);
        }
        Item::text(value)
    }

    fn list(&mut self, elements: &'a [Element]) -> Item<'a> {
        let mut items = Vec::new();
        let mut spread: Option<Item<'a>> = None;
        for element in elements {
            let item = self.expression(&element.value);
            if element.spread {
                if let Shape::TagMatches = item.shape
                    && elements.len() == 1
                {
                    return item;
                }
                match &item.shape {
                    Shape::List(inner) if items.len() + inner.len() < 200 => items.extend(inner.iter().cloned()),
                    _ => {
                        let each = self.each_of(&item);
                        match &mut spread {
                            Some(known) => known.join(&each),
                            None => spread = Some(each),
                        }
                    }
                }
            } else if items.len() < 200 {
                items.push(item);
            }
        }
        match spread {
            Some(mut each) => {
                for item in &items {
                    each.join(item);
                }
                Item::shaped(Shape::Each(Rc::new(each)))
            }
            None => Item::shaped(Shape::List(Rc::new(items))),
        }
    }

    fn object(&mut self, properties: &'a [Property]) -> Item<'a> {
        let mut entries = Vec::new();
        let mut rest: Option<Item<'a>> = None;
        for property in properties {
            match property {
                Property::Value(name, value) => {
                    let item = self.expression(value);
                    entries.push((name.value.clone(), item));
                }
                Property::Computed(key, value) => {
                    self.expression(key);
                    let item = self.expression(value);
                    rest = Some(item);
                }
                Property::Spread(inner) => {
                    let item = self.expression(inner);
                    match &item.shape {
                        Shape::Object(members) => {
                            entries.extend(members.entries.iter().cloned());
                            rest = members.rest.clone().or(rest);
                        }
                        _ => rest = Some(item),
                    }
                }
            }
        }
        Item::object(entries, rest)
    }

    fn logical(&mut self, operator: Logical, left: &'a Expression, right: &'a Expression, span: Span) -> Item<'a> {
        let first = self.expression(left);
        let test = self.truth_of(&first, left.span);
        if operator == Logical::And {
            if let Some(node) = test {
                let yes = self.effect_of_expression(right);
                self.decide(node, left.span, crate::flow::DecisionForm::Program, yes, Effect::default());
            }
            let second = self.under(test, |machine| {
                let item = machine.expression(right);
                let place = machine.place(right.span);
                machine.chosen("&&", place, item)
            });
            return match (&first.shape, &second.shape) {
                (Shape::Truth | Shape::Groups, Shape::Truth) => {
                    let nodes = (first.value.nodes.first().copied(), second.value.nodes.first().copied());
                    Item::truth(self.both(Logic::And, nodes.0, nodes.1, span))
                }
                _ if second.whole().is_plain() && matches!(first.shape, Shape::Truth) => first,
                _ => second,
            };
        }
        if let (Logical::Or, Some(node)) = (operator, test) {
            let no = self.effect_of_expression(right);
            self.decide(node, left.span, crate::flow::DecisionForm::Program, Effect::default(), no);
        }
        if matches!(first.shape, Shape::Truth) {
            let second = self.under(test, |machine| machine.expression(right));
            let other = self.truth_of(&second, right.span);
            return Item::truth(self.both(Logic::Or, test, other, span));
        }
        self.defaulted(first, right, FallbackForm::Expression)
    }

    /// A value, or another where it is missing.
    pub(super) fn defaulted(&mut self, first: Item<'a>, other: &'a Expression, form: FallbackForm) -> Item<'a> {
        let second = self.expression(other);
        let value = first.whole();
        if self.builder.trust(&value) < Trust::Extracted {
            let mut joined = first;
            joined.join(&second);
            return joined;
        }
        let literal = match &second.shape {
            Shape::Object(members) if members.entries.is_empty() && members.rest.is_none() => Some("{}".to_owned()),
            _ => second.value.text().map(std::string::ToString::to_string),
        };
        match literal.as_deref() {
            Some("" | "null" | "undefined" | "[]") => first,
            Some("{}") => {
                let id = self.fallback(&value, Some("{}"), form, other.span);
                Item::node(id).with(Shape::Parsed)
            }
            Some(text) => {
                let id = self.fallback(&value, Some(text), form, other.span);
                Item { value: Value::node(id), shape: first.shape.clone() }
            }
            None => {
                let mut joined = first;
                joined.join(&second);
                joined
            }
        }
    }

    fn conditional(&mut self, test: &'a Expression, then: &'a Expression, otherwise: &'a Expression) -> Item<'a> {
        let node = self.truth(test);
        if let Some(node) = node {
            let (yes, no) = (self.effect_of_expression(then), self.effect_of_expression(otherwise));
            self.decide(node, test.span, crate::flow::DecisionForm::Program, yes, no);
        }
        // `m ? m[1] : 'none'` is a default, `x ? x : y` too.
        let asked = match &test.kind {
            ExpressionKind::Unary { operator, operand } if operator == "!" => operand.name(),
            _ => test.name(),
        };
        let (value, default) = match test.kind {
            ExpressionKind::Unary { .. } => (otherwise, then),
            _ => (then, otherwise),
        };
        if asked.is_some() && root(value) == asked {
            let first = self.expression(value);
            return self.defaulted(first, default, FallbackForm::Expression);
        }
        let place = self.place(then.span);
        let mut joined = self.under(node, |machine| {
            let item = machine.expression(then);
            machine.chosen("?:", place, item)
        });
        let place = self.place(otherwise.span);
        let other = self.under(node, |machine| {
            let item = machine.expression(otherwise);
            machine.chosen("?:", place, item)
        });
        joined.join(&other);
        joined
    }

    fn assign(&mut self, operator: &str, target: &'a Pattern, value: &'a Expression) -> Item<'a> {
        let item = match (operator, target) {
            ("??=" | "||=", Pattern::Name(name)) => {
                let key = self.key(&name.value, name.span.start);
                let old = self.names.get(&key).cloned().unwrap_or_default();
                self.defaulted(old, value, FallbackForm::Expression)
            }
            ("=", _) => self.expression(value),
            (_, Pattern::Name(name)) => {
                let key = self.key(&name.value, name.span.start);
                let mut old = self.names.get(&key).cloned().unwrap_or_default().whole();
                let more = self.expression(value).whole();
                old.append(&more);
                Item::text(old)
            }
            _ => self.expression(value),
        };
        self.bind(target, item.clone());
        item
    }
}

/// `lines.length - 1`
fn counts_from_the_end(index: &Expression) -> bool {
    matches!(&index.kind, ExpressionKind::Binary { operator, left, .. } if operator == "-"
        && matches!(&left.kind, ExpressionKind::Member { property, .. } if property.value == "length"))
}

/// The name that an expression begins with.
fn root(mut expression: &Expression) -> Option<&str> {
    loop {
        match &expression.kind {
            ExpressionKind::Member { object, .. } | ExpressionKind::Index { object, .. } => expression = object,
            ExpressionKind::Call { callee, .. } => expression = callee,
            _ => return expression.name(),
        }
    }
}

/// The keys of an object as a list.
pub(super) fn keys_of<'a>(object: &Item<'a>) -> Item<'a> {
    match &object.shape {
        Shape::Object(members) => {
            let Members { entries, .. } = &**members;
            Item::shaped(Shape::List(Rc::new(entries.iter().map(|(name, _)| Item::literal(name)).collect())))
        }
        _ => Item::text(object.value.clone()),
    }
}
