//! What is read of a value.

use std::rc::Rc;
use std::sync::Arc;

use super::Machine;
use super::item::{Item, Library, Shape};
use crate::flow::{
    AgentForm, Fallback, FallbackForm, Input, Match, MatchHow, NodeKind, Pass, Place, Role, Source, Trust, Value,
    is_plural,
};
use crate::text::Span;

impl<'a> Machine<'a, '_> {
    /// `item.name`
    pub(super) fn member(&mut self, item: &Item<'a>, name: &str, span: Span) -> Item<'a> {
        match &item.shape {
            Shape::Global(path) => self.global(path, name, span),
            Shape::Run(library, call) => {
                let mut found = self.of_run(*library, *call, name);
                // Which of several runs it is was chosen by a test.
                if found.value.is_plain() {
                    found.value.add_nodes(&item.value.nodes);
                }
                found
            }
            Shape::Turn(library, call) => match name {
                "text" | "content" | "output" | "stdout" | "message" | "result" | "raw" => {
                    self.answer(*library, *call, name, AgentForm::Prose)
                }
                _ => Item::default(),
            },
            Shape::Object(members) => {
                let found = members.entries.iter().rev().find(|(known, _)| known == name).map(|(_, item)| item.clone());
                let mut found = match (found, &members.rest) {
                    (Some(found), _) => found,
                    (None, Some(rest)) => self.member(rest, name, span),
                    (None, None) => Item::default(),
                };
                // A constant of an object that a test chose was chosen by that test.
                if found.value.is_plain() {
                    found.value.add_nodes(&item.value.nodes);
                }
                found
            }
            Shape::List(_) | Shape::Each(_) | Shape::TagMatches | Shape::Field { .. } if name == "length" => {
                Item { value: item.whole(), shape: Shape::Length }
            }
            Shape::Parsed | Shape::Field { .. } => self.field(item, name, span),
            Shape::Groups if name == "groups" => item.clone().with(Shape::Plain),
            Shape::Plain | Shape::Groups if name == "length" => item.clone().with(Shape::Length),
            Shape::Plain | Shape::Groups if name == "index" => item.clone().with(Shape::Position { last: false }),
            // A member of something that only is known to hold an agent's words.
            Shape::Plain if self.builder.trust(&item.value) >= Trust::Extracted => {
                Item::text(Value { literal: None, ..item.value.clone() })
            }
            _ => Item::default(),
        }
    }

    /// A member of an object that was read from JSON.
    fn field(&mut self, item: &Item<'a>, name: &str, span: Span) -> Item<'a> {
        if item.value.is_plain() {
            return Item::default();
        }
        let trust = self.builder.trust(&item.value).min(Trust::Extracted);
        let place = self.place(span);
        let id = self.builder.with_trust(NodeKind::Field(name.into()), place, &item.value, trust);
        // An agent program's own envelope holds its prose.
        if matches!(name, "result" | "response") && self.is_envelope(&item.value) {
            let id = self.builder.with_trust(NodeKind::Pass(Pass::Envelope), place, &item.value, Trust::Agent);
            return Item::node(id);
        }
        let shape = Shape::Field { many: is_plural(name) };
        match self.default_field(&item.value, name) {
            Some((text, place)) => {
                let fallback = Fallback { literal: Some(text), form: FallbackForm::Expression, place, dead: None };
                let value = Value::node(id);
                Item::node(self.builder.on(NodeKind::Fallback(Box::new(fallback)), place, &value)).with(shape)
            }
            None => Item::node(id).with(shape),
        }
    }

    /// What a field is where the object is the one that stands in: `JSON.parse(x || '{"ok": true}').ok`.
    fn default_field(&self, object: &Value, field: &str) -> Option<(Arc<str>, Place)> {
        let [id] = object.nodes.as_slice() else { return None };
        let mut node = self.builder.graph.node(*id);
        if matches!(node.kind, NodeKind::Json(_)) {
            let [input] = node.inputs.as_slice() else { return None };
            node = self.builder.graph.node(input.from);
        }
        let NodeKind::Fallback(fallback) = &node.kind else { return None };
        let object: serde_json::Value = serde_json::from_str(fallback.literal.as_deref()?).ok()?;
        let text = match object.get(field)? {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Null => return None,
            value => value.to_string(),
        };
        Some((text.into(), fallback.place))
    }

    /// Whether a text is the JSON envelope that an agent program puts around its prose.
    pub(super) fn is_envelope(&self, value: &Value) -> bool {
        let mut open = value.nodes.clone();
        let mut steps = 0;
        while let Some(id) = open.pop() {
            steps += 1;
            if steps > 200 {
                return false;
            }
            let node = self.builder.graph.node(id);
            if let NodeKind::Source(
                Source::AgentCli { form: AgentForm::Envelope, .. }
                | Source::AgentOutput { form: AgentForm::Envelope, .. },
            ) = &node.kind
            {
                return true;
            }
            if matches!(node.kind, NodeKind::Name(_) | NodeKind::Pass(Pass::Print | Pass::Trim) | NodeKind::Join) {
                let data = node.inputs.iter().filter(|input| input.role == Role::Data);
                open.extend(data.map(|input| input.from));
            }
        }
        false
    }

    /// `item[index]`
    pub(super) fn indexed(&mut self, item: &Item<'a>, index: &Item<'a>, span: Span) -> Item<'a> {
        if let Some(text) = index.value.text().map(std::string::ToString::to_string) {
            return match text.parse::<usize>() {
                Ok(at) => self.piece_at(item, at, span),
                Err(_) => self.member(item, &text, span),
            };
        }
        match &item.shape {
            // `LABELS[verdict]`: the key decides which one it is, by equality.
            Shape::Object(_) if !index.whole().is_plain() => {
                let inputs = index.whole().nodes.into_iter().map(|from| Input { from, role: Role::Control }).collect();
                let place = self.place(span);
                Item::node(self.builder.graph.add(NodeKind::Join, place, inputs, None))
            }
            Shape::Global(path) if path.as_ref() == "process.env" => Item::default(),
            _ => self.element_at(item, None),
        }
    }

    /// An element by its number: one line or word of an agent's prose is cut out of it.
    pub(super) fn piece_at(&mut self, item: &Item<'a>, index: usize, span: Span) -> Item<'a> {
        if matches!(&item.shape, Shape::Global(path) if path.as_ref() == "process.argv") {
            let place = self.place(span);
            let name = format!("argument:{}", index.wrapping_sub(2));
            let value = self.world.environment.variable(self.builder, &name, place);
            return value.map(Item::text).unwrap_or_default();
        }
        let element = self.element_at(item, Some(index));
        if matches!(item.shape, Shape::Each(_)) { self.piece(element, span) } else { element }
    }

    /// The element at the end: a piece of an agent's prose, too, where the list is one that prose was split into.
    pub(super) fn last_of(&mut self, list: &Item<'a>, span: Span) -> Item<'a> {
        let element = self.element_at(list, None);
        if matches!(list.shape, Shape::Each(_)) { self.piece(element, span) } else { element }
    }

    /// One of the pieces that an agent's prose was split into.
    pub(super) fn piece(&mut self, element: Item<'a>, span: Span) -> Item<'a> {
        let split = matches!(element.value.nodes.as_slice(), [id]
            if matches!(self.builder.graph.node(*id).kind, NodeKind::Pass(Pass::Print)));
        if !split || self.builder.trust(&element.value) < Trust::Agent {
            return element;
        }
        let found = Match { how: MatchHow::Method("split"), patterns: vec![None], negated: false };
        let place = self.place(span);
        let value = element.whole();
        Item::node(self.builder.on(NodeKind::Match(Box::new(found)), place, &value))
    }

    /// An element by its number, where that is known.
    pub(super) fn element_at(&mut self, item: &Item<'a>, index: Option<usize>) -> Item<'a> {
        match (&item.shape, index) {
            (Shape::List(items), Some(index)) => items.get(index).cloned().unwrap_or_default(),
            (Shape::Groups, _) => item.clone().with(Shape::Plain),
            (Shape::Parsed | Shape::Field { .. }, _) => item.clone(),
            // The last match of a tag's expression is what the contract of a tag says, the first is a guess.
            (Shape::TagMatches, None) => item.clone().with(Shape::Groups),
            (Shape::TagMatches, Some(_)) => self.first_match(item),
            (Shape::List(_) | Shape::Each(_), _) => item.element(),
            (Shape::Plain, _) => Item::text(Value { literal: None, ..item.value.clone() }),
            _ => Item::default(),
        }
    }

    fn first_match(&mut self, item: &Item<'a>) -> Item<'a> {
        let Some(id) = item.value.nodes.first().copied() else { return Item::default() };
        let node = self.builder.graph.node(id);
        let (inputs, place) = (node.inputs.clone(), node.place);
        let found = Match { how: MatchHow::Regex, patterns: vec![None], negated: false };
        let id = self.builder.graph.add(NodeKind::Match(Box::new(found)), place, inputs, None);
        Item::node(id).with(Shape::Groups)
    }

    /// What a loop over a value sees.
    pub(super) fn each_of(&mut self, list: &Item<'a>) -> Item<'a> {
        match &list.shape {
            Shape::TagMatches => list.clone().with(Shape::Groups),
            Shape::Parsed | Shape::Field { .. } => list.clone(),
            Shape::Turn(..) => list.clone(),
            _ => list.element(),
        }
    }

    /// What a run returned.
    fn of_run(&mut self, library: Library, call: Span, name: &str) -> Item<'a> {
        match (library, name) {
            (Library::Sandcastle, "stdout") | (Library::Outpost, "text") => {
                self.answer(library, call, name, AgentForm::Prose)
            }
            (Library::Sandcastle, "output") | (Library::Outpost, "value") => self.typed(library, call, name),
            (Library::Sandcastle, "iterations") | (Library::Outpost, "turns" | "conversation") | (_, "turns") => {
                Item::shaped(Shape::Each(Rc::new(Item::shaped(Shape::Turn(library, call)))))
            }
            _ => Item::default(),
        }
    }

    /// What the contract of a run holds: an object, unless the contract is a text.
    fn typed(&mut self, library: Library, call: Span, name: &str) -> Item<'a> {
        let shape = if self.texts.contains(&call) { Shape::Plain } else { Shape::Parsed };
        self.answer(library, call, name, AgentForm::Guaranteed).with(shape)
    }

    fn answer(&mut self, library: Library, call: Span, name: &str, form: AgentForm) -> Item<'a> {
        let key = (library, call, name.to_owned());
        if let Some(id) = self.sources.get(&key) {
            return Item::node(*id);
        }
        let trust = if form == AgentForm::Prose { Trust::Agent } else { Trust::Extracted };
        let source = Source::AgentOutput { origin: library.package().into(), output: name.into(), form };
        let place = self.place(call);
        let id = self.builder.source(source, place, trust);
        self.sources.insert(key, id);
        Item::node(id)
    }

    /// Members of what the program finds around it.
    fn global(&mut self, path: &str, name: &str, span: Span) -> Item<'a> {
        if path == "process.env" {
            let place = self.place(span);
            return match self.world.environment.variable(self.builder, name, place) {
                Some(value) => Item::text(value),
                None => Item::default(),
            };
        }
        Item::shaped(Shape::Global(format!("{path}.{name}").into()))
    }
}
