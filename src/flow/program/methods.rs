//! Methods of texts and lists.

use std::rc::Rc;
use std::sync::Arc;

use super::Machine;
use super::item::{Item, Shape};
use crate::flow::{Match, MatchHow, NodeId, NodeKind, Pass, Trust, Value};
use crate::syntax::typescript::{Element, Expression, ExpressionKind};
use crate::text::Span;

impl<'a> Machine<'a, '_> {
    /// `receiver.name(arguments)`
    pub(super) fn method(
        &mut self,
        receiver: &Item<'a>,
        object: &'a Expression,
        name: &str,
        arguments: &'a [Element],
        span: Span,
    ) -> Item<'a> {
        if let Some(library) = self.runs(receiver, name, arguments) {
            self.arguments(arguments);
            return Item::shaped(Shape::Run(library, span));
        }
        if let Shape::Host(library) = receiver.shape {
            self.arguments(arguments);
            let makes = name.starts_with("create") || name.starts_with("open");
            return if makes { Item::shaped(Shape::Host(library)) } else { Item::default() };
        }
        if let Shape::Object(_) = receiver.shape {
            let member = self.member(receiver, name, span);
            if let Shape::Function(function) = member.shape {
                let items = self.arguments(arguments);
                return self.invoke(function, &items);
            }
        }
        if let Some(pattern) = self.regex(object)
            && matches!(name, "test" | "exec")
        {
            let items = self.arguments(arguments);
            let text = items.first().cloned().unwrap_or_default();
            let found = self.matched(&text, Some(pattern), MatchHow::Regex, span);
            return if name == "test" { as_truth(found) } else { found };
        }
        let listed = matches!(receiver.shape, Shape::Field { many: false })
            && matches!(name, "map" | "flatMap" | "filter" | "find" | "some" | "every" | "forEach" | "reduce");
        if (listed || receiver.is_list() || matches!(receiver.shape, Shape::Parsed))
            && let Some(item) = self.list_method(receiver, object, name, arguments, span)
        {
            return item;
        }
        if matches!(name, "then" | "finally") {
            let items = self.arguments(arguments);
            return match items.first() {
                Some(function) if name == "then" => self.callback(function, std::slice::from_ref(receiver)),
                _ => receiver.clone(),
            };
        }
        if name == "catch" {
            let items = self.arguments(arguments);
            if let Some(function) = items.first() {
                let stand_in = self.callback(function, &[]);
                if !stand_in.whole().is_plain() {
                    let mut joined = receiver.clone();
                    joined.join(&stand_in);
                    return joined;
                }
            }
            return receiver.clone();
        }
        if receiver.whole().is_plain() {
            return self.method_of_other(object, receiver, name, arguments, span);
        }
        self.text_method(receiver, name, arguments, span)
    }

    /// The receiver is nothing that is followed; its arguments may be.
    fn method_of_other(
        &mut self,
        object: &'a Expression,
        receiver: &Item<'a>,
        name: &str,
        arguments: &'a [Element],
        span: Span,
    ) -> Item<'a> {
        let items = self.arguments(arguments);
        match name {
            "includes" | "has" | "indexOf" => {
                let wanted = items.first().cloned().unwrap_or_default();
                self.is_member(receiver, &wanted, span)
            }
            "push" | "unshift" | "add" | "set" => {
                self.added(object, &items, span);
                Item::default()
            }
            "map" | "flatMap" | "filter" | "find" | "some" | "every" | "forEach" | "reduce" => {
                let result = match items.first() {
                    Some(function) => self.callback(function, &[]),
                    None => Item::default(),
                };
                match name {
                    "map" | "flatMap" => Item::shaped(Shape::Each(Rc::new(result))),
                    _ => result,
                }
            }
            "concat" | "replace" | "replaceAll" | "join" | "padEnd" | "padStart" => {
                let mut value = Value::default();
                for item in items {
                    value.add_nodes(&item.nodes());
                }
                Item::text(value)
            }
            "trim" | "toLowerCase" | "toUpperCase" | "toString" => receiver.clone(),
            _ => {
                self.acted_by_method(name, &items, span);
                Item::default()
            }
        }
    }

    fn acted_by_method(&mut self, name: &str, items: &[Item<'a>], span: Span) {
        for item in items {
            if let Shape::Function(function) = item.shape {
                self.invoke(function, &[]);
            }
        }
        let mut value = Value::default();
        for item in items {
            value.add_nodes(&item.nodes());
        }
        if !value.is_plain() {
            self.on(NodeKind::Act { program: name.into() }, span, &value);
        }
    }

    /// `list.push(item)`: the list holds it from now on, if the tests that are open hold.
    fn added(&mut self, object: &'a Expression, items: &[Item<'a>], span: Span) {
        let Some(name) = object.name() else { return };
        let key = self.key(name, object.span.start);
        let place = self.place(span);
        let mut list = self.names.get(&key).cloned().unwrap_or_default();
        let mut each = if list.is_list() { list.element() } else { Item::default() };
        for item in items {
            let item = self.chosen(name, place, item.clone());
            each.join(&item);
        }
        list.shape = Shape::Each(Rc::new(each));
        self.set(key, list);
    }

    fn list_method(
        &mut self,
        list: &Item<'a>,
        object: &'a Expression,
        name: &str,
        arguments: &'a [Element],
        span: Span,
    ) -> Option<Item<'a>> {
        let element = self.each_of(list);
        Some(match name {
            "map" | "flatMap" => {
                let items = self.arguments(arguments);
                let each = self.callback(items.first()?, &[element]);
                let each = if name == "flatMap" && each.is_list() { each.element() } else { each };
                Item::shaped(Shape::Each(Rc::new(each)))
            }
            "forEach" => {
                let items = self.arguments(arguments);
                self.callback(items.first()?, &[element]);
                Item::default()
            }
            "filter" | "find" | "findLast" | "some" | "every" | "findIndex" => {
                let items = self.arguments(arguments);
                let answer = match items.first() {
                    Some(function) => self.callback(function, std::slice::from_ref(&element)),
                    None => Item::default(),
                };
                let test = self.truth_of(&answer, span);
                match name {
                    "some" | "every" | "findIndex" => match test {
                        Some(_) => Item::truth(test),
                        None => Item::truth(
                            (!element.whole().is_plain()).then(|| self.presence(&element.whole(), false, span)),
                        ),
                    },
                    _ => {
                        let place = self.place(span);
                        let found = self.under(test, |machine| machine.chosen(name, place, element));
                        if name == "filter" { Item::shaped(Shape::Each(Rc::new(found))) } else { found }
                    }
                }
            }
            "includes" | "has" | "indexOf" => {
                let items = self.arguments(arguments);
                let wanted = items.first().cloned().unwrap_or_default();
                self.is_member(list, &wanted, span)
            }
            "push" | "unshift" | "add" => {
                let items = self.arguments(arguments);
                self.added(object, &items, span);
                Item::default()
            }
            "at" | "pop" | "shift" => {
                let items = self.arguments(arguments);
                let last = name == "pop"
                    || items.first().and_then(|item| item.value.text()).is_some_and(|text| text.starts_with('-'));
                match list.shape {
                    Shape::TagMatches if last => self.element_at(list, None),
                    _ => {
                        let element = self.element_at(list, Some(0).filter(|_| name == "shift"));
                        if matches!(list.shape, Shape::Each(_)) { self.piece(element, span) } else { element }
                    }
                }
            }
            "join" => Item::text(Value { literal: None, ..list.whole() }),
            "slice" | "reverse" | "sort" | "flat" | "toSorted" | "toReversed" | "concat" | "values" | "keys"
            | "entries" => {
                self.arguments(arguments);
                list.clone()
            }
            "reduce" => {
                let items = self.arguments(arguments);
                let start = items.get(1).cloned().unwrap_or_default();
                self.callback(items.first()?, &[start, element])
            }
            _ => return None,
        })
    }

    fn text_method(&mut self, text: &Item<'a>, name: &str, arguments: &'a [Element], span: Span) -> Item<'a> {
        let items = self.arguments(arguments);
        let pattern = match arguments.first() {
            Some(first) => self.pattern(&first.value, items.first()),
            None => Pattern::Unknown,
        };
        match name {
            "trim" | "trimStart" | "trimEnd" | "toLowerCase" | "toUpperCase" | "toString" | "normalize"
            | "toLocaleLowerCase" | "toLocaleUpperCase" | "valueOf" => self.same(text, Pass::Trim, span),
            "includes" | "startsWith" | "endsWith" => {
                let method = match name {
                    "includes" => "includes",
                    "startsWith" => "startsWith",
                    _ => "endsWith",
                };
                if pattern.is_meaningless() || pattern.is_signal() {
                    let value = text.whole();
                    return Item::truth(Some(self.presence(&value, false, span)));
                }
                let found = self.matched(text, pattern.text(), MatchHow::Method(method), span);
                as_truth(found)
            }
            "indexOf" | "lastIndexOf" => {
                let last = name == "lastIndexOf";
                if pattern.is_meaningless() || (last && pattern.is_tag()) || pattern.is_closing_tag() {
                    return text.clone().with(Shape::Position { last });
                }
                let found = self.matched(text, pattern.text(), MatchHow::Method("indexOf"), span);
                found.with(Shape::Groups)
            }
            "match" | "search" => {
                if pattern.is_meaningless() {
                    return self.same(text, Pass::Print, span);
                }
                self.matched(text, pattern.text(), MatchHow::Regex, span)
            }
            "matchAll" => {
                if pattern.is_meaningless() {
                    return self.same(text, Pass::Print, span);
                }
                if pattern.is_tag() && self.builder.trust(&text.value) == Trust::Agent {
                    let place = self.place(span);
                    let kind = NodeKind::ExtractJson { require: Some(None) };
                    let id = self.builder.with_trust(kind, place, &text.value, Trust::Extracted);
                    return Item::node(id).with(Shape::TagMatches);
                }
                let found = self.matched(text, pattern.text(), MatchHow::Regex, span);
                Item::shaped(Shape::Each(Rc::new(found)))
            }
            "replace" | "replaceAll" => {
                let trims = pattern.is_meaningless();
                if trims {
                    return self.same(text, Pass::Trim, span);
                }
                let method = if name == "replace" { "replace" } else { "replaceAll" };
                let found = self.matched(text, pattern.text(), MatchHow::Method(method), span);
                found.with(Shape::Plain)
            }
            "split" => {
                let pieces = if pattern.is_meaningless() || matches!(pattern, Pattern::Unknown) {
                    self.same(text, Pass::Print, span)
                } else {
                    self.matched(text, pattern.text(), MatchHow::Method("split"), span).with(Shape::Plain)
                };
                Item::shaped(Shape::Each(Rc::new(pieces)))
            }
            "slice" | "substring" | "substr" => {
                let from_last = matches!(items.first().map(|item| &item.shape), Some(Shape::Position { last: true }));
                let cut = self.same(text, Pass::Print, span);
                if from_last { cut.with(Shape::Tail) } else { cut }
            }
            "at" | "charAt" | "concat" | "padEnd" | "padStart" | "repeat" | "codePointAt" => {
                self.same(text, Pass::Print, span)
            }
            "localeCompare" => Item::truth(Some(self.presence(&text.whole(), false, span))),
            "push" | "unshift" | "add" | "set" => Item::default(),
            _ => {
                self.acted_by_method(name, &items, span);
                Item::default()
            }
        }
    }

    /// A match on a text; both its result and its truth.
    fn matched(&mut self, text: &Item<'a>, pattern: Option<String>, how: MatchHow, span: Span) -> Item<'a> {
        let value = text.whole();
        if value.is_plain() {
            return Item::default();
        }
        let meaningless =
            pattern.as_deref().is_some_and(|pattern| how == MatchHow::Regex && is_meaningless(pattern, true));
        if meaningless {
            return Item::text(value);
        }
        let found = Match { how, patterns: vec![pattern.map(Arc::from)], negated: false };
        let id: NodeId = self.on(NodeKind::Match(Box::new(found)), span, &value);
        if self.builder.trust(&value) < Trust::Extracted {
            return Item::truth(Some(id));
        }
        Item { value: Value::node(id), shape: Shape::Groups }
    }

    /// The pattern of a regular expression, also by the name of a constant.
    fn regex(&self, expression: &'a Expression) -> Option<String> {
        match &self.apis.fold.resolve(expression).kind {
            ExpressionKind::Regex { pattern, .. } => Some(pattern.clone()),
            ExpressionKind::Call { callee, arguments, .. } if callee.name() == Some("RegExp") => {
                let first = &arguments.first()?.value;
                Some(self.apis.fold.literal(first).map_or_else(String::new, |text| text.value))
            }
            _ => None,
        }
    }

    fn pattern(&self, expression: &'a Expression, item: Option<&Item<'a>>) -> Pattern {
        if let Some(regex) = self.regex(expression) {
            return Pattern::Regex(regex);
        }
        match item.and_then(|item| item.value.text()) {
            Some(text) => Pattern::Text(text.to_string()),
            None => Pattern::Unknown,
        }
    }
}

fn as_truth(item: Item<'_>) -> Item<'_> {
    match item.shape {
        Shape::Groups | Shape::Truth => item.with(Shape::Truth),
        _ => item,
    }
}

/// What a method looks for.
enum Pattern {
    Regex(String),
    Text(String),
    Unknown,
}

impl Pattern {
    fn text(&self) -> Option<String> {
        match self {
            Self::Regex(text) | Self::Text(text) => Some(text.clone()),
            Self::Unknown => None,
        }
    }

    /// Braces, fences, blanks: the form of the text, no word of it.
    fn is_meaningless(&self) -> bool {
        match self {
            Self::Regex(pattern) => is_meaningless(pattern, true),
            Self::Text(text) => is_meaningless(text, false),
            Self::Unknown => false,
        }
    }

    /// `</verdict>`: where a tag ends is no guess once its beginning is found.
    fn is_closing_tag(&self) -> bool {
        match self {
            Self::Text(text) => text.starts_with("</") && text.ends_with('>'),
            Self::Regex(_) | Self::Unknown => false,
        }
    }

    /// The completion signals of Sandcastle and Outpost: a contract of their own.
    fn is_signal(&self) -> bool {
        match self {
            Self::Text(text) => text.starts_with("<promise>") || text.starts_with("<outpost>"),
            Self::Regex(_) | Self::Unknown => false,
        }
    }

    /// `<verdict>`, `/<verdict>([\s\S]*?)<\/verdict>/g`
    fn is_tag(&self) -> bool {
        match self {
            Self::Regex(pattern) => pattern.starts_with('<') && pattern.contains("<\\/"),
            Self::Text(text) => text.starts_with('<') && text.ends_with('>'),
            Self::Unknown => false,
        }
    }
}

/// Whether a pattern has no word: what is left of it without escapes, classes and the name of a fence is punctuation.
fn is_meaningless(pattern: &str, regex: bool) -> bool {
    let mut left = String::new();
    let mut characters = pattern.chars().peekable();
    let mut class = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' if regex => {
                characters.next();
            }
            '[' if regex => class = true,
            ']' if regex => class = false,
            _ if class => {}
            _ => left.push(character),
        }
    }
    let left = left.to_lowercase().replace("json", "").replace("(?:", "").replace("(?<", "");
    left.chars().all(|character| character.is_ascii() && !character.is_ascii_alphanumeric())
}
