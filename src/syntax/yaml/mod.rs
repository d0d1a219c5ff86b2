//! YAML with spans.
//!
//! Which parser answers which question: granit-parser's events make the tree, the spans and the comments; its verdict
//! on half-typed text is an error value beside what could be read. What the engine would accept is
//! [`engine_error`]'s question alone, answered by `serde_yaml`, the reader that the engine uses.

mod build;
mod edit;
mod engine;
mod keys;
mod resync;
mod scalar;
#[cfg(test)]
mod tests;
mod tree;
mod write;

pub use build::{MAX_ALIASED_NODES, MAX_DEPTH, parse};
pub use edit::EditError;
pub use engine::{engine_error, refused_as};
pub use tree::{Comment, Data, Document, Entry, Node, Scalar, Style};
