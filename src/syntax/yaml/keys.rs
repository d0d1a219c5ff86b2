//! Keys that are written twice.

use std::collections::HashMap;

use crate::text::{Span, SyntaxError};

use super::build::{Builder, MAX_ERRORS};
use super::{Entry, Node, Style};

/// Up to this many keys are compared with each other.
const FEW_KEYS: usize = 16;

impl Builder<'_> {
    /// Duplicate keys, which the parser takes and the engine's reader does not.
    pub(super) fn duplicates(&mut self, entries: &[Entry]) {
        if entries.len() < 2 {
            return;
        }
        let mut seen: HashMap<(&str, bool), Span> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            let Some(key) = Key::of(&entry.key) else {
                self.document.unusual = true;
                continue;
            };
            self.document.unusual |= key.typed;
            // Nearly all mappings are small, and then comparing is faster than hashing.
            let first = if entries.len() <= FEW_KEYS {
                let before = entries.get(..at).unwrap_or_default();
                before.iter().find(|before| Key::of(&before.key) == Some(key)).map(|before| before.key.span)
            } else {
                let first = seen.get(&(key.text, key.typed)).copied();
                seen.entry((key.text, key.typed)).or_insert(entry.key.span);
                first
            };
            if let Some(first) = first {
                self.duplicate(key.text, first, entry.key.span);
            }
        }
    }

    fn duplicate(&mut self, key: &str, first: Span, span: Span) {
        if self.document.errors.len() < MAX_ERRORS {
            let line = self.line(first.start);
            let error = SyntaxError {
                span,
                message: format!("the key `{key}` is already written on line {line} of this mapping"),
            };
            self.document.duplicate.get_or_insert_with(|| error.clone());
            self.error(error);
        }
    }

    fn line(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or_default();
        let carriage_returns = before.matches('\r').count() - before.matches("\r\n").count();
        1 + before.matches('\n').count() + carriage_returns
    }
}

/// What makes a key the same as another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key<'a> {
    text: &'a str,
    /// It may be read as something else than its text. Then it is not the same as a quoted key with that text, and
    /// the same as others with another text (`1` and `0x1`), which only the engine's reader finds.
    typed: bool,
}

impl<'a> Key<'a> {
    fn of(node: &'a Node) -> Option<Self> {
        let scalar = node.scalar()?;
        let text = scalar.fragment.text();
        let name = text.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '/');
        let word = || ["null", "true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
        Some(Self { text, typed: scalar.style == Style::Plain && (!name || word()) })
    }
}
