//! Abstract values of JavaScript.

use std::rc::Rc;

use crate::flow::{NodeId, Value};
use crate::syntax::typescript::Function;
use crate::text::Span;

/// Most levels of objects and lists that are looked into.
const DEEPEST: usize = 6;
/// Most nodes that are gathered from one item.
const MOST: usize = 64;

/// What is known of a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Item<'a> {
    /// Its text, and what that is made of.
    pub value: Value,
    /// What can be done with it.
    pub shape: Shape<'a>,
}

/// What a value is beside its text.
#[derive(Clone, Debug, Default)]
pub(super) enum Shape<'a> {
    /// A text, a number, or something unknown.
    #[default]
    Plain,
    /// `true` or `false`: its only node is the test.
    Truth,
    /// `x.length`: a number that only tells whether there is anything.
    Length,
    /// Where a text has something without meaning (a brace, a line break): looked for from the end or from the start.
    Position {
        /// `lastIndexOf`
        last: bool,
    },
    /// A part of a text that begins at the last of its braces: what scans for the last object reads.
    Tail,
    /// The result of a regular expression: `null`, or groups.
    Groups,
    /// All matches of a tag's expression: only the last one is by the contract.
    TagMatches,
    /// An object out of JSON: its members are fields.
    Parsed,
    /// Such a field: a text, a number, a list or another object. `many`: its name says that it holds several things.
    Field {
        /// `labels`, `reasons`
        many: bool,
    },
    /// An object whose members are known.
    Object(Rc<Members<'a>>),
    /// A list whose elements are known one by one.
    List(Rc<Vec<Item<'a>>>),
    /// A list of such elements.
    Each(Rc<Item<'a>>),
    /// A function of the file.
    Function(&'a Function),
    /// What makes agents run: a sandbox, a worktree.
    Host(Library),
    /// What a run returned.
    Run(Library, Span),
    /// One turn of a run: any text of it is the agent's.
    Turn(Library, Span),
    /// Where a name of the program's surroundings leads: `core`, `github.rest.issues`, `process.env`, `JSON`.
    Global(Rc<str>),
}

/// Members of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Members<'a> {
    /// In order; of two equal ones the later one counts.
    pub entries: Vec<(String, Item<'a>)>,
    /// What members that are not listed may be.
    pub rest: Option<Item<'a>>,
}

/// Libraries that run agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Library {
    /// `@ai-hero/sandcastle`
    Sandcastle,
    /// `@elie-laloum/outpost`
    Outpost,
}

impl Library {
    /// The package's name.
    pub fn package(self) -> &'static str {
        match self {
            Self::Sandcastle => "@ai-hero/sandcastle",
            Self::Outpost => "@elie-laloum/outpost",
        }
    }
}

impl<'a> Item<'a> {
    /// A text.
    pub fn text(value: Value) -> Self {
        Self { value, shape: Shape::Plain }
    }

    /// The text of a node.
    pub fn node(id: NodeId) -> Self {
        Self::text(Value::node(id))
    }

    /// A known text.
    pub fn literal(text: &str) -> Self {
        Self::text(Value::literal(text))
    }

    /// A truth value.
    pub fn truth(node: Option<NodeId>) -> Self {
        match node {
            Some(id) => Self { value: Value::node(id), shape: Shape::Truth },
            None => Self::default(),
        }
    }

    /// Something with a shape and no text.
    pub fn shaped(shape: Shape<'a>) -> Self {
        Self { value: Value::default(), shape }
    }

    /// The same value with another shape.
    pub fn with(self, shape: Shape<'a>) -> Self {
        Self { shape, ..self }
    }

    /// An object.
    pub fn object(entries: Vec<(String, Item<'a>)>, rest: Option<Item<'a>>) -> Self {
        Self::shaped(Shape::Object(Rc::new(Members { entries, rest })))
    }

    /// All nodes of the value and of what it holds.
    pub fn nodes(&self) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        self.gather(&mut nodes, DEEPEST);
        nodes
    }

    /// The same as a value.
    pub fn whole(&self) -> Value {
        Value { literal: self.value.literal.clone(), nodes: self.nodes(), ..Value::default() }
    }

    fn gather(&self, nodes: &mut Vec<NodeId>, left: usize) {
        if nodes.len() >= MOST {
            return;
        }
        for id in &self.value.nodes {
            if !nodes.contains(id) {
                nodes.push(*id);
            }
        }
        let Some(left) = left.checked_sub(1) else { return };
        match &self.shape {
            Shape::Object(members) => {
                members.entries.iter().for_each(|(_, item)| item.gather(nodes, left));
                members.rest.iter().for_each(|item| item.gather(nodes, left));
            }
            Shape::List(items) => items.iter().for_each(|item| item.gather(nodes, left)),
            Shape::Each(item) => item.gather(nodes, left),
            _ => {}
        }
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        matches!(self.shape, Shape::List(_) | Shape::Each(_) | Shape::TagMatches | Shape::Field { many: true })
    }

    /// An element, whichever.
    pub fn element(&self) -> Self {
        match &self.shape {
            Shape::List(items) => {
                let mut items = items.iter();
                let mut joined = items.next().cloned().unwrap_or_default();
                items.for_each(|item| joined.join(item));
                joined
            }
            Shape::Each(item) => (**item).clone(),
            _ => Self::text(Value { literal: None, ..self.value.clone() }),
        }
    }

    /// One value or the other.
    pub fn join(&mut self, other: &Self) {
        let shape = std::mem::take(&mut self.shape);
        self.shape = match (shape, &other.shape) {
            (Shape::Plain, shape) if self.value.is_plain() => shape.clone(),
            (shape, Shape::Plain) if other.value.is_plain() => shape,
            (Shape::Plain, Shape::Position { last }) => Shape::Position { last: *last },
            (Shape::List(a), Shape::List(b)) if a.len() + b.len() > 40 || a.len() != b.len() => {
                let mut each = Self::shaped(Shape::List(a)).element();
                each.join(&Self::shaped(Shape::List(b.clone())).element());
                Shape::Each(Rc::new(each))
            }
            (Shape::List(a), Shape::Each(_)) => {
                let mut each = Self::shaped(Shape::List(a)).element();
                each.join(&other.element());
                Shape::Each(Rc::new(each))
            }
            (Shape::Each(a), Shape::List(_) | Shape::Each(_)) => {
                let mut each = (*a).clone();
                each.join_below(&other.element());
                Shape::Each(Rc::new(each))
            }
            // An object of the file that stands in for one that was read.
            (shape @ (Shape::Parsed | Shape::Field { .. }), Shape::Object(object)) => {
                let read = Self { value: self.value.clone(), shape };
                Shape::Object(Rc::new(Members { entries: object.entries.clone(), rest: Some(read) }))
            }
            (Shape::Object(object), Shape::Parsed | Shape::Field { .. }) => {
                Shape::Object(Rc::new(Members { entries: object.entries.clone(), rest: Some(other.clone()) }))
            }
            (Shape::Object(a), Shape::Object(b)) => Shape::Object(Rc::new(joined_members(&a, b))),
            (Shape::Truth, Shape::Truth) => Shape::Plain,
            (shape, _) => shape,
        };
        self.value.join(&other.value);
    }

    fn join_below(&mut self, other: &Self) {
        self.value.join(&other.value);
        if matches!(self.shape, Shape::Plain) {
            self.shape = other.shape.clone();
        }
    }
}

fn joined_members<'a>(a: &Members<'a>, b: &Members<'a>) -> Members<'a> {
    let mut entries = a.entries.clone();
    for (name, item) in &b.entries {
        match entries.iter_mut().rfind(|(known, _)| known == name) {
            Some((_, known)) => known.join_below(item),
            None => entries.push((name.clone(), item.clone())),
        }
    }
    Members { entries, rest: a.rest.clone().or_else(|| b.rest.clone()) }
}
