//! A file's text with its lines.

use std::path::PathBuf;
use std::sync::Arc;

use super::Span;

/// The text of one file, immutable and cheap to clone.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path as the user should see it: relative to the working directory where that is possible.
    pub path: PathBuf,
    /// The whole text as it stands on disk (a byte-order mark and CRLF kept).
    pub text: Arc<str>,
    /// Where its lines start.
    pub lines: Arc<LineIndex>,
}

impl Source {
    /// Indexes a text.
    pub fn new(path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let lines = Arc::new(LineIndex::new(&text));
        Self { path: path.into(), text, lines }
    }

    /// The text of a span; empty where the span does not fit the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Line and column of an offset, both counted from 0, the column in `unit`.
    pub fn position(&self, offset: usize, unit: Unit) -> LineColumn {
        self.lines.position(&self.text, offset, unit)
    }
}

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16.
    Utf16,
    /// Characters (Unicode scalar values).
    Utf32,
}

/// A position, both parts counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// Line.
    pub line: usize,
    /// Column in the unit that was asked for.
    pub column: usize,
}

/// Byte offsets of line starts. Lines end at LF, CRLF or a lone CR, as LSP and YAML have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// Files of more than 4 GB are never read.
    starts: Box<[u32]>,
}

impl LineIndex {
    /// Indexes a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                starts.push((at + 1) as u32);
            }
        }
        Self { starts: starts.into() }
    }

    /// Number of lines; a text that ends with a line break has an empty last line.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never: even an empty text has one line.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The line (from 0) that holds an offset.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= offset).saturating_sub(1)
    }

    /// Offset of the first byte of a line (from 0); the end of the text for lines beyond it.
    pub fn start(&self, line: usize, text: &str) -> usize {
        self.starts.get(line).map_or(text.len(), |start| *start as usize)
    }

    /// The span of a line (from 0) without its line break.
    pub fn span(&self, line: usize, text: &str) -> Span {
        let start = self.start(line, text);
        let end = self.start(line + 1, text);
        let body = text.get(start..end).unwrap_or_default();
        Span::new(start, start + body.trim_end_matches(['\n', '\r']).len())
    }

    /// Line and column of an offset, both from 0.
    pub fn position(&self, text: &str, offset: usize, unit: Unit) -> LineColumn {
        let offset = offset.min(text.len());
        let line = self.line(offset);
        let start = self.start(line, text);
        let mut end = offset;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = text.get(start..end).unwrap_or_default();
        let column = match unit {
            Unit::Utf8 => before.len(),
            Unit::Utf16 => before.chars().map(char::len_utf16).sum(),
            Unit::Utf32 => before.chars().count(),
        };
        LineColumn { line, column }
    }

    /// The offset of a position, clamped to the line (without its break) and to whole characters.
    pub fn offset(&self, text: &str, position: LineColumn, unit: Unit) -> usize {
        let span = self.span(position.line, text);
        let body = text.get(span.range()).unwrap_or_default();
        let mut left = position.column;
        for (at, character) in body.char_indices() {
            let width = match unit {
                Unit::Utf8 => character.len_utf8(),
                Unit::Utf16 => character.len_utf16(),
                Unit::Utf32 => 1,
            };
            if left < width {
                return span.start + at;
            }
            left -= width;
        }
        span.end
    }
}
