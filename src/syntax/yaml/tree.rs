//! The tree.

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
