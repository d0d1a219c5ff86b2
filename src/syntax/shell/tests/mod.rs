#![allow(clippy::unwrap_used, clippy::expect_used)]

mod helpers;
mod limits;
mod mutants;
mod render;
mod spans;
mod trees;
mod verdicts;

use super::ast::Script;
use super::{Holes, Options, parse};

/// Parses without holes.
fn bash(text: &str) -> Script {
    parse(text, Options::default())
}

/// Parses with `{{name}}` holes.
fn template(text: &str) -> Script {
    parse(text, Options { holes: Holes::Template })
}

/// Messages with the text they point at.
fn errors(text: &str) -> Vec<(String, String)> {
    let script = bash(text);
    script.errors.into_iter().map(|error| (text[error.span.range()].to_owned(), error.message)).collect()
}
