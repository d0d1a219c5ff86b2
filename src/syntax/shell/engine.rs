//! The engine's own idea of here-documents.
//!
//! Before it runs a step's `command` the recipe engine replaces every `{{name}}`, and what it writes depends on whether
//! it takes the line for the body of a here-document. It does not parse bash: it looks for a pattern line by line
//! (`HEREDOC_START_RE` and `render_shell` in the engine's `context.rs`). So `<<<word`, `1<<n` and a `<<EOF` in a comment
//! or a string begin a "here-document" for it, `<<\EOF` does not, and of two on one line the last comes first.

use crate::text::Span;

/// Where a hole stands for the engine, and so what replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HolePlace {
    /// `"$RECIPE_VAR_name"`, the double quotes included.
    Outside,
    /// `$RECIPE_VAR_name`
    UnquotedBody,
    /// The raw value itself.
    QuotedBody,
}

/// Lines that the engine takes for the body of a here-document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineHeredoc {
    /// The lines, their line breaks included, the line with the delimiter excluded.
    pub body: Span,
    /// The delimiter without its quotes.
    pub delimiter: String,
    /// The delimiter is quoted: raw values are pasted into the body.
    pub quoted: bool,
    /// A line with the delimiter ends it; otherwise it takes the rest of the script.
    pub closed: bool,
}

/// The here-documents that the engine sees in `text`, in order.
pub fn engine_heredocs(text: &str) -> Vec<EngineHeredoc> {
    let mut found = Vec::new();
    let mut open: Vec<(String, bool)> = Vec::new();
    let mut body_start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match open.last() {
            None => {
                open = starts(line.strip_suffix('\n').unwrap_or(line));
                body_start = end;
            }
            Some((delimiter, _)) if line.trim() == delimiter => {
                if let Some((delimiter, quoted)) = open.pop() {
                    found.push(EngineHeredoc { body: Span::new(body_start, at), delimiter, quoted, closed: true });
                }
                body_start = end;
            }
            Some(_) => {}
        }
        at = end;
    }
    if let Some((delimiter, quoted)) = open.pop() {
        found.push(EngineHeredoc { body: Span::new(body_start, at), delimiter, quoted, closed: false });
    }
    found
}

/// Where the engine thinks that the hole at `offset` stands. `documents` are those of [`engine_heredocs`].
pub fn hole_place(documents: &[EngineHeredoc], offset: usize) -> HolePlace {
    let at = documents.partition_point(|document| document.body.end <= offset);
    match documents.get(at) {
        Some(document) if document.body.start <= offset && document.quoted => HolePlace::QuotedBody,
        Some(document) if document.body.start <= offset => HolePlace::UnquotedBody,
        _ => HolePlace::Outside,
    }
}

/// Delimiters of the markers in a line, each with whether it is quoted.
fn starts(line: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("<<") {
        let marker = rest.get(at + 2..).unwrap_or_default();
        match delimiter(marker) {
            Some((name, quoted, tail)) => {
                found.push((name.to_owned(), quoted));
                rest = tail;
            }
            None => rest = rest.get(at + 1..).unwrap_or_default(),
        }
    }
    found
}

/// The delimiter after `<<`, whether it is quoted, and what follows it.
fn delimiter(marker: &str) -> Option<(&str, bool, &str)> {
    let marker = marker.strip_prefix('-').unwrap_or(marker).trim_start();
    for quote in ['\'', '"'] {
        if let Some(inner) = marker.strip_prefix(quote) {
            let (name, tail) = identifier(inner)?;
            return Some((name, true, tail.strip_prefix(quote)?));
        }
    }
    let (name, tail) = identifier(marker)?;
    Some((name, false, tail))
}

/// `[A-Za-z_]\w*` at the beginning, and the rest. `\w` has letters and digits of all scripts.
fn identifier(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next()?;
    if !(first.is_ascii_alphabetic() || first == '_') {
        return None;
    }
    let length = text.find(|character: char| !(character.is_alphanumeric() || character == '_')).unwrap_or(text.len());
    text.split_at_checked(length)
}
