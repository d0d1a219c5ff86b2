//! YAML with spans.

mod tree;

pub use tree::{Comment, Data, Document, Entry, Node, Scalar, Style};
