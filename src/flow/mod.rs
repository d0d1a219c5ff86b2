//! The flow graph: agent text followed through scripts, steps and recipes. Trust lints are queries on it; hovers and
//! `recipelint graph` draw it; the related places of a finding are a path in it.
//!
//! [`groups`] says which files are analysed together, [`analyse`] makes the graph of a group.

mod analyse;
mod builder;
mod condition;
mod decision;
mod glob;
mod graph;
mod groups;
mod links;
mod node;
mod options;
mod place;
pub mod program;
mod prose_inputs;
mod recipe;
pub mod shell;
mod sink;
#[cfg(test)]
mod tests;
mod value;
mod workflow;

pub use analyse::analyse;
pub use builder::Builder;
pub use decision::*;
pub use graph::Graph;
pub use groups::{Group, groups};
pub use node::*;
pub use options::{Helper, Options, Stage};
pub use place::Place;
pub use sink::*;
pub(crate) use value::is_plural;
pub use value::{TEMPORARY, Value};

/// An environment of which nothing is known.
struct Nothing;

impl<'a> shell::Environment<'a> for Nothing {
    fn variable(&mut self, _: &mut Builder, _: &str, _: Place) -> Option<Value> {
        None
    }

    fn hole(&mut self, _: &mut Builder, _: &str, _: Place) -> Option<Value> {
        None
    }

    fn script(&self, _: &str) -> Option<shell::Unit<'a>> {
        None
    }
}
