//! Where `${{ }}` stands in a text.

use super::{Expression, read};
use crate::text::{Span, SyntaxError};

/// An expression in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Hole {
    /// From `$` to the last brace; of a bare `if:` its text without white space around it.
    pub span: Span,
    /// The expression, with spans in the text.
    pub expression: Expression,
}

/// The holes of a text, from left to right. A `}}` inside a string of the expression does not close it; a hole that
/// nothing closes is the last one, and an error, as GitHub has it.
pub fn holes(text: &str) -> Vec<Hole> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find("${{")).map(|offset| at + offset) {
        let inside = start + 3;
        let Some(length) = closing(text.get(inside..).unwrap_or_default()) else {
            let line = text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, |line| line.trim_end().len());
            let span = Span::new(start, start + line);
            let error = SyntaxError { span, message: "no `}}` closes this `${{`".to_owned() };
            found.push(Hole { span, expression: Expression { expr: None, error: Some(error) } });
            break;
        };
        at = inside + length + 2;
        let expression = read::parse(text, Span::new(inside, inside + length));
        found.push(Hole { span: Span::new(start, at), expression });
    }
    found
}

/// The holes of an `if:`, which is an expression as a whole where it has no `${{`. Where text stands beside a hole,
/// GitHub joins both to a string, which is true.
pub fn condition_holes(text: &str) -> Vec<Hole> {
    if text.contains("${{") {
        return holes(text);
    }
    let start = text.len() - text.trim_start().len();
    let span = Span::new(start, start + text.trim().len());
    if span.is_empty() { Vec::new() } else { vec![Hole { span, expression: read::parse(text, span) }] }
}

/// Where the `}}` stands that closes an expression: outside its strings, in which `''` is a quote.
fn closing(inside: &str) -> Option<usize> {
    let mut quoted = false;
    let mut brace = false;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b'}' if !quoted && brace => return Some(at - 1),
            _ => {}
        }
        brace = byte == b'}' && !quoted;
    }
    None
}
