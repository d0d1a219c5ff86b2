//! The flow graph: agent text followed through scripts, steps and recipes. Trust lints are queries on it; hovers and
//! `recipelint graph` draw it; the related places of a finding are a path in it.

mod builder;
mod graph;
mod options;
mod shell;
mod value;

pub use builder::Builder;
pub use graph::*;
pub use options::{Helper, Options, Stage};
pub use value::{TEMPORARY, Value};
