//! The tree.

use std::collections::HashMap;

use crate::text::{Fragment, Span, SyntaxError};

/// A YAML file.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The first document; `None` for an empty file. Where the text is broken it holds what could be read.
    pub root: Option<Node>,
    /// What is wrong with the text, duplicate keys included.
    pub errors: Vec<SyntaxError>,
    /// Comments in order.
    pub comments: Vec<Comment>,
    /// Where the nodes with an anchor start, in order, by the anchor's name.
    pub(super) anchors: HashMap<String, Vec<usize>>,
    /// The text has something that this crate's parser may read otherwise than the engine's: a tag, an alias, a key
    /// that is not a name, a directive, an escaped surrogate pair.
    pub(super) unusual: bool,
    /// Where a second document begins; only the first is read.
    pub(super) second: Option<Span>,
    /// The error that says that the text is beyond a limit (depth, aliases).
    pub(super) over_limit: Option<SyntaxError>,
    /// The first error that is a duplicate key.
    pub(super) duplicate: Option<SyntaxError>,
}

impl Document {
    /// The node with an anchor (the last, where the name is given twice).
    pub fn anchor(&self, name: &str) -> Option<&Node> {
        self.find(*self.anchors.get(name)?.last()?, name)
    }

    /// What a node stands for: the node itself, or the one that an alias refers to, which is the last one before the
    /// alias with that anchor. It may hold aliases in turn; the parser has seen to it that following all of them
    /// ends, within [`MAX_ALIASED_NODES`](super::MAX_ALIASED_NODES) and [`MAX_DEPTH`](super::MAX_DEPTH).
    pub fn resolve<'a>(&'a self, node: &'a Node) -> &'a Node {
        let Data::Alias(name) = &node.data else { return node };
        let Some(starts) = self.anchors.get(name) else { return node };
        let before = starts.partition_point(|start| *start < node.span.start);
        before.checked_sub(1).and_then(|at| self.find(*starts.get(at)?, name)).unwrap_or(node)
    }

    /// Where a second document begins; only the first is read.
    pub fn second(&self) -> Option<Span> {
        self.second
    }

    /// The anchored node at a place: collections are in source order, so each level is a binary search.
    fn find(&self, start: usize, anchor: &str) -> Option<&Node> {
        let mut node = self.root.as_ref()?;
        while !(node.span.start == start && node.anchor.as_deref() == Some(anchor)) {
            node = match &node.data {
                Data::Sequence(items) => {
                    let at = items.partition_point(|item| item.span.start <= start);
                    items.get(at.checked_sub(1)?)?
                }
                Data::Mapping(entries) => {
                    let at = entries.partition_point(|entry| entry.key.span.start <= start);
                    let entry = entries.get(at.checked_sub(1)?)?;
                    if entry.value.span.start <= start { &entry.value } else { &entry.key }
                }
                _ => return None,
            };
        }
        Some(node)
    }
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// With its `#`.
    pub span: Span,
    /// Nothing but white space stands before it on its line.
    pub alone: bool,
}

/// A value.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value in the file; for block collections from the first key or `-` to the end of the last value.
    pub span: Span,
    /// What it is.
    pub data: Data,
    /// `!tag`
    pub tag: Option<String>,
    /// `&anchor`
    pub anchor: Option<String>,
}

/// Kinds of value.
#[derive(Clone, Debug)]
pub enum Data {
    /// Any scalar, null included.
    Scalar(Scalar),
    /// In source order, duplicates kept.
    Mapping(Vec<Entry>),
    /// In source order.
    Sequence(Vec<Node>),
    /// `*name`. Left as a name: whoever needs the value looks the anchor up.
    Alias(String),
}

/// A scalar.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// How it is written.
    pub style: Style,
    /// Its decoded text and the way back.
    pub fragment: Fragment,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: Node,
    /// The value; an empty plain scalar where nothing is written.
    pub value: Node,
}

impl Entry {
    /// Key and value.
    pub fn span(&self) -> Span {
        self.key.span.to(self.value.span)
    }
}

impl Node {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        self.scalar().map(|scalar| scalar.fragment.text())
    }

    /// The scalar.
    pub fn scalar(&self) -> Option<&Scalar> {
        match &self.data {
            Data::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The entries of a mapping; empty for anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.data {
            Data::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a sequence; empty for anything else.
    pub fn items(&self) -> &[Node] {
        match &self.data {
            Data::Sequence(items) => items,
            _ => &[],
        }
    }

    /// The entry of a key (the first, where it is written twice).
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key.text() == Some(key))
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// Whether this is a mapping.
    pub fn is_mapping(&self) -> bool {
        matches!(self.data, Data::Mapping(_))
    }
}
