//! recipelint: does any decision in this recipe rest on an agent's prose?
//!
//! The map, from the ground up; a layer uses only those above it in this list:
//!
//! - [`text`]: sources, spans, columns, and fragments: decoded text with a way back to the file.
//! - [`syntax`]: parsers without meaning: YAML, bash, conditions, templates, expressions, TypeScript.
//! - [`recipe`]: the one model, and `dialects`, which lower each format to it.
//! - [`verdict`]: the contract for reading an agent's verdict, as pure functions.
//! - [`flow`]: the flow graph: where a text came from, what was done to it, where it decides.
//! - [`lints`]: one function per lint, its page in `lints/`; registry, suppressions.
//! - `fix`: edits: collect, resolve conflicts, check again, write.
//! - [`workspace`]: discovery of files, configuration, the index, the parallel run.
//! - [`report`]: output formats.
//! - [`cli`] and `server`: thin shells around the rest.

pub mod cli;
pub mod fix;
pub mod flow;
pub mod lints;
pub mod recipe;
pub mod report;
pub mod server;
pub mod syntax;
pub mod text;
pub mod verdict;
pub mod workspace;
