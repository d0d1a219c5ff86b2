//! Parsers without meaning: each turns text into a tree with spans, yields a tree for half-typed text too, and
//! returns errors as values. None of them knows what a recipe is.

pub mod condition;
pub mod expression;
pub mod shell;
pub mod template;
pub mod typescript;
pub mod yaml;
