//! The engine's own verdict.

use crate::text::{Span, SyntaxError};

use super::Document;
use super::build::token_at;

/// Flow collections open at once beyond which `serde_yaml` is not asked about a broken text: its scanner takes time
/// that grows with the square of this depth.
const MAX_OPEN: usize = 2_000;

/// What `serde_yaml` 0.9, the reader of the amplihack engine, refuses in a text when it reads it into any value, with
/// the place. `document` is the tree of the same text. See [`refused_as`].
pub fn engine_error(text: &str, document: &Document) -> Option<SyntaxError> {
    refused_as::<serde_yaml::Value>(text, document)
}

/// What `serde_yaml` refuses when it reads a text into a type of the engine.
///
/// `serde_yaml` decides, but it need not be asked about every text: where the tree has no error and nothing of the list
/// at [`Document::unusual`], the two parsers agree (a property test says so), and this costs one scan for bytes that
/// they read differently.
pub fn refused_as<T: serde::de::DeserializeOwned>(text: &str, document: &Document) -> Option<SyntaxError> {
    if let Some(error) = &document.over_limit {
        return Some(error.clone());
    }
    let unusual = document.unusual || has_unusual_characters(text);
    if document.errors.is_empty() && document.second.is_none() && !unusual {
        return None;
    }
    if !document.errors.is_empty() && most_open(text) > MAX_OPEN {
        return document.errors.first().cloned();
    }
    let error = serde_yaml::from_str::<T>(text).err()?;
    let message = without_positions(&error.to_string());
    if let Some(duplicate) = document.duplicate.as_ref().filter(|_| message.contains("duplicate entry")) {
        return Some(duplicate.clone());
    }
    if message.contains("more than one document") {
        return Some(more_than_one_document(text, document, message));
    }
    let span = match error.location() {
        Some(location) => token_at(text, byte_offset(text, location.index())),
        None => document.errors.first().map_or_else(|| token_at(text, 0), |error| error.span),
    };
    Some(SyntaxError { span, message })
}

fn more_than_one_document(text: &str, document: &Document, message: String) -> SyntaxError {
    if document.second.is_none() && text.starts_with('\u{feff}') {
        let message = "the engine's YAML reader refuses the byte-order mark at the start of this file".to_owned();
        return SyntaxError { span: Span::new(0, '\u{feff}'.len_utf8()), message };
    }
    let start = document.second.map_or(0, |second| second.start);
    SyntaxError { span: token_at(text, start), message }
}

/// What the two parsers read differently: line breaks of YAML 1.1 that are none in 1.2 (libyaml reads the former,
/// granit-parser the latter), a byte-order mark, which `serde_yaml` takes for the first of two documents, NUL, at which
/// granit-parser stops, and tabs before the first word of a line, which granit-parser takes in more places.
fn has_unusual_characters(text: &str) -> bool {
    let breaks = ['\u{85}', '\u{2028}', '\u{2029}', '\u{feff}'];
    text.contains('\0') || has_leading_tab(text) || (!text.is_ascii() && breaks.iter().any(|c| text.contains(*c)))
}

fn has_leading_tab(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('\t') {
        let (before, tab) = rest.split_at(at);
        let before = before.trim_end_matches([' ', '-', '?', ':']);
        if before.is_empty() || before.ends_with(['\n', '\r']) {
            return true;
        }
        rest = tab.trim_start_matches(['\t', ' ']);
    }
    false
}

fn most_open(text: &str) -> usize {
    let mut open = 0_usize;
    let mut most = 0;
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// `serde_yaml` counts characters.
fn byte_offset(text: &str, characters: usize) -> usize {
    text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)
}

/// The message without its ` at line 3 column 5`, which the span says better.
fn without_positions(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some(at) = rest.find(" at line ") {
        let (before, position) = rest.split_at(at);
        out.push_str(before);
        let position = position.trim_start_matches(" at line ").trim_start_matches(|c: char| c.is_ascii_digit());
        rest = position.trim_start_matches(" column ").trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out.push_str(rest);
    out
}
