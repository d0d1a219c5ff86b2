//! Bash: an own tolerant parser (see `parse`) and its tree.

pub mod ast;

pub use ast::Script;
