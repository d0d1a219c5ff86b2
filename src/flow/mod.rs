//! The flow graph: agent text followed through scripts, steps and recipes. Trust lints are queries on it; hovers and
//! `recipelint graph` draw it; the related places of a finding are a path in it.

mod graph;

pub use graph::*;
