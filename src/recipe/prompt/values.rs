//! The values that a prompt allows for a field, where it closes the set: alternatives in a JSON shape, enumerations in
//! prose, lists and tables. When in doubt the set is open, and nothing is said.

use super::list::{List, Reader, is_value};
use super::tokens::{Kind, Token};
use crate::text::{Span, Spanned};

/// A field named in a prompt, and what stands behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// The alternatives with their places; never one alone.
    pub closed: Vec<Spanned<String>>,
    /// Something says that there may be others.
    pub open: bool,
}

/// The values behind every mention of a field.
pub fn values(text: &str, found: &[Token<'_>], field: &str) -> Values {
    let mut values = Values::default();
    let mut examples: Vec<(usize, usize, Spanned<String>)> = Vec::new();
    for (at, _) in found.iter().enumerate().filter(|(_, token)| names(token, field)) {
        let list = Reader { text, found, at: at + 1 }.list();
        match list {
            List::Closed(items, _) => values.closed.extend(items),
            List::Open => values.open = true,
            List::One(item, end) => examples.push((at, end, item)),
            List::None => {}
        }
    }
    values.closed.extend(alternatives(found, &examples));
    if values.closed.len() > 1 {
        // A single value elsewhere ("set it to X when …") is one of them, too.
        values.closed.extend(examples.into_iter().map(|(_, _, item)| item));
    }
    values.closed.sort_by(|a, b| a.value.cmp(&b.value));
    values.closed.dedup_by(|a, b| a.value == b.value);
    values.closed.sort_by_key(|item| item.span);
    if values.closed.len() < 2 {
        values.closed.clear();
    }
    values
}

/// The places of the values of all other fields, read once.
pub fn lists(text: &str, found: &[Token<'_>], field: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    for (at, token) in found.iter().enumerate() {
        let name = token.kind == Kind::Quoted
            || (token.kind == Kind::Word && found.get(at + 1).is_some_and(|next| next.text == ":"));
        if name
            && token.text != field
            && is_value(token.text)
            && let List::Closed(items, _) = (Reader { text, found, at: at + 1 }).list()
        {
            spans.extend(items.into_iter().map(|item| item.span));
        }
    }
    spans
}

/// Whether a piece names a field.
pub fn names(token: &Token<'_>, field: &str) -> bool {
    matches!(token.kind, Kind::Word | Kind::Quoted) && token.text == field
}

/// `{"v": "A"}, {"v": "B"} or {"v": "C"}`: whole objects as alternatives.
fn alternatives(found: &[Token<'_>], examples: &[(usize, usize, Spanned<String>)]) -> Vec<Spanned<String>> {
    let mut all = Vec::new();
    for pair in examples.windows(2) {
        let [(_, end, first), (start, _, second)] = pair else { continue };
        let between = found.get(*end..*start).unwrap_or_default();
        let only_signs = between
            .iter()
            .all(|token| matches!(token.text, "}" | "{" | "," | "|" | "`" | "or" | "\n") || token.kind == Kind::Break);
        if only_signs && !between.is_empty() {
            let joined = between.iter().any(|token| matches!(token.text, "or" | "|"));
            all.push((joined, first.clone(), second.clone()));
        }
    }
    if !all.iter().any(|(joined, ..)| *joined) {
        return Vec::new();
    }
    all.into_iter().flat_map(|(_, first, second)| [first, second]).collect()
}
