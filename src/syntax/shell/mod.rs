//! Bash: an own tolerant parser and its tree.
//!
//! [`parse`] reads what bash 5.2 reads, in one pass over the bytes, and says in [`Script::errors`] what `bash -n` would
//! refuse. It differs from `bash -n` on purpose in three places: `[[ … ]]` without an expression is an error (bash
//! reports it only when it runs the line), extended globs are read as such once the script names `extglob`
//! (`bash -n` never runs the `shopt`), and a carriage return before a line feed is a blank.

mod assignment;
pub mod ast;
mod commands;
mod compound;
pub mod engine;
mod expansion;
mod heredoc;
mod hole;
mod lexer;
mod parameter;
mod parser;
mod quotes;
mod redirect;
mod test_expr;
pub mod visit;
mod word;
pub mod words;

#[cfg(test)]
mod tests;

pub use ast::Script;

use crate::text::{Span, SyntaxError};
use parser::Parser;

/// Longest script that is read, in bytes. A longer one gives one error and an empty tree.
pub const MAX_BYTES: usize = 1_000_000;

/// Deepest nesting of compound commands, substitutions and `${…}` taken together.
pub const MAX_DEPTH: usize = 200;

/// How a script is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The templating whose holes the script may have.
    pub holes: Holes,
}

/// Which holes a script may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Holes {
    /// None: braces are bash's own.
    #[default]
    None,
    /// `{{name}}`, the name of `A-Z a-z 0-9 _ . -` and no blanks (the engine's `TEMPLATE_RE` in its `context.rs`).
    Template,
    /// `${{ expression }}` of GitHub Actions, up to the first `}}` outside the expression's `'…'` strings.
    Expression,
}

/// Parses a script. Never fails and never panics: see [`Script::errors`].
pub fn parse(text: &str, options: Options) -> Script {
    if text.len() > MAX_BYTES {
        let message = format!("this script is longer than {MAX_BYTES} bytes and was not read");
        let errors = vec![SyntaxError { span: Span::at(0), message }];
        return Script { errors, ..Script::default() };
    }
    Parser::new(text, options.holes).script()
}
