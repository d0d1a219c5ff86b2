//! Strings of JavaScript, decoded with a way back to their text.

use crate::text::{Fragment, Piece, Span};

/// Decodes what stands between quotes or in a template string. `span` is the part of `text` without the delimiters,
/// `whole` the literal. Unknown escapes stand for the character itself, as the language has it.
pub(super) fn decode(text: &str, span: Span, whole: Span) -> Fragment {
    let raw = text.get(span.range()).unwrap_or_default();
    let mut decoded = String::with_capacity(raw.len());
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = raw;
    let mut at = span.start;
    while !rest.is_empty() {
        let (taken, value, verbatim) = match rest.find(['\\', '\r']) {
            Some(0) => {
                let (taken, value) = if rest.starts_with('\\') { escape(rest) } else { line_break(rest) };
                (taken, value, false)
            }
            found => {
                let taken = found.unwrap_or(rest.len());
                (taken, rest.get(..taken).unwrap_or_default().to_owned(), true)
            }
        };
        if !value.is_empty() {
            pieces.push(Piece {
                decoded: decoded.len(),
                decoded_len: value.len(),
                source: Span::new(at, at + taken),
                verbatim,
            });
        }
        decoded.push_str(&value);
        at += taken;
        rest = rest.get(taken..).unwrap_or_default();
    }
    Fragment::from_pieces(decoded, pieces, whole)
}

/// CRLF and CR are LF in the value of a template string.
fn line_break(rest: &str) -> (usize, String) {
    (if rest.starts_with("\r\n") { 2 } else { 1 }, "\n".to_owned())
}

/// Length and value of the escape at the start.
fn escape(rest: &str) -> (usize, String) {
    let Some(next) = rest.chars().nth(1) else { return (1, String::new()) };
    let simple = |value: char| (2, value.to_string());
    match next {
        'n' => simple('\n'),
        't' => simple('\t'),
        'r' => simple('\r'),
        'b' => simple('\u{8}'),
        'f' => simple('\u{c}'),
        'v' => simple('\u{b}'),
        '0' => simple('\0'),
        '\n' => (2, String::new()),
        '\r' => (if rest.starts_with("\\\r\n") { 3 } else { 2 }, String::new()),
        'x' => hexadecimal(rest, 2, 2),
        'u' if rest.starts_with("\\u{") => {
            let end = rest.find('}').unwrap_or(3);
            let value = rest.get(3..end).and_then(|digits| u32::from_str_radix(digits, 16).ok());
            match value.and_then(char::from_u32) {
                Some(value) => (end + 1, value.to_string()),
                None => (2, "u".to_owned()),
            }
        }
        'u' => hexadecimal(rest, 2, 4),
        other => (1 + other.len_utf8(), other.to_string()),
    }
}

fn hexadecimal(rest: &str, from: usize, digits: usize) -> (usize, String) {
    let value = rest.get(from..from + digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match value {
        Some(value) => (from + digits, char::from_u32(value).unwrap_or('\u{fffd}').to_string()),
        None => (from, rest.get(1..from).unwrap_or_default().to_owned()),
    }
}
