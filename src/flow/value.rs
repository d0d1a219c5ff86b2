//! Abstract texts.

use std::sync::Arc;

use super::{Graph, Input, NodeId, Place, Role, Trust};

/// What is known of a text: its exact characters, or the nodes that it is made of, or nothing (an ordinary text of no
/// interest, which has neither).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// The exact text, where it is known. The path of a temporary file is a made-up text that starts with [`TEMPORARY`].
    pub literal: Option<Arc<str>>,
    /// How it begins, where only that is known: `severity=` of `severity=$X`.
    pub prefix: Option<Arc<str>>,
    /// Where the text is written, for one that is written in one piece: a constant keeps it on its way through
    /// variables and arguments.
    pub written: Option<Place>,
    /// Nodes whose text is part of it, without duplicates.
    pub nodes: Vec<NodeId>,
}

/// A longer text, in bytes, is not kept: a loop over `x="$x$x"` would fill the memory.
const LONGEST: usize = 65_536;

/// First character of the made-up names of temporary files: no script can write it by accident.
pub const TEMPORARY: char = '\u{1}';

impl Value {
    /// A text that stands in the script.
    pub fn literal(text: impl Into<Arc<str>>) -> Self {
        Self { literal: Some(text.into()), ..Self::default() }
    }

    /// The text of a node.
    pub fn node(id: NodeId) -> Self {
        Self { nodes: vec![id], ..Self::default() }
    }

    /// Whether nothing is known of it.
    pub fn is_plain(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The greatest trust (least trusted) of its parts.
    pub fn trust(&self, graph: &Graph) -> Trust {
        self.nodes.iter().map(|id| graph.node(*id).trust).max().unwrap_or_default()
    }

    /// The exact text, unless it is a made-up name.
    pub fn text(&self) -> Option<&Arc<str>> {
        self.literal.as_ref().filter(|text| !text.contains(TEMPORARY))
    }

    /// Its nodes as data inputs.
    pub fn inputs(&self) -> Vec<Input> {
        self.nodes.iter().map(|id| Input { from: *id, role: Role::Data }).collect()
    }

    /// One text or the other.
    pub fn join(&mut self, other: &Self) {
        if self.literal != other.literal {
            self.literal = None;
            self.prefix = None;
            self.written = None;
        }
        self.add_nodes(&other.nodes);
    }

    /// This text followed by another.
    pub fn append(&mut self, other: &Self) {
        self.written = other.written.filter(|_| self.literal.as_deref() == Some(""));
        self.literal = match (self.literal.take(), &other.literal) {
            (Some(a), Some(b)) if a.is_empty() => Some(b.clone()),
            (Some(a), Some(b)) if b.is_empty() => Some(a),
            (Some(a), Some(b)) if a.len() + b.len() <= LONGEST => Some(format!("{a}{b}").into()),
            (Some(a), Some(_)) => {
                self.prefix = Some(a);
                None
            }
            (Some(a), None) => {
                self.prefix = if a.is_empty() { other.prefix.clone() } else { Some(a) };
                None
            }
            (None, _) => None,
        };
        self.add_nodes(&other.nodes);
    }

    /// Adds parts.
    pub fn add_nodes(&mut self, nodes: &[NodeId]) {
        for id in nodes {
            if !self.nodes.contains(id) {
                self.nodes.push(*id);
            }
        }
    }
}

/// Whether a field's name says that it holds several things: `labels`, but not `status` and `pass`.
pub(crate) fn is_plural(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("list") || (name.ends_with('s') && !["ss", "us", "is", "as"].iter().any(|end| name.ends_with(end)))
}
