//! Open buffers. Edits are applied here at once, under one lock and without waiting for anything, so that their order is
//! the order in which they arrived.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ropey::Rope;
use tower_lsp::lsp_types::{TextDocumentContentChangeEvent, Url};

use super::convert::path_of;
use crate::text::Unit;

/// A buffer.
#[derive(Clone, Debug)]
pub struct Document {
    /// As the client counts.
    pub version: i32,
    /// Its text.
    pub text: Rope,
    /// Where it lies, or a made-up place for one that was never saved.
    pub path: PathBuf,
    /// It changed since the worker last looked.
    pub fresh: bool,
}

/// All open buffers.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    all: Arc<Mutex<HashMap<Url, Document>>>,
}

/// What happened to a buffer since the worker last looked.
#[derive(Clone, Debug)]
pub struct Change {
    /// Which.
    pub uri: Url,
    /// Its place.
    pub path: PathBuf,
    /// Its text.
    pub text: Arc<str>,
}

impl Documents {
    fn lock(&self) -> MutexGuard<'_, HashMap<Url, Document>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A buffer was opened.
    pub fn open(&self, uri: Url, version: i32, text: &str) {
        let path = path_of(&uri);
        self.lock().insert(uri, Document { version, text: Rope::from_str(text), path, fresh: true });
    }

    /// A buffer was edited. An edit of an unknown buffer is none of ours, and one that is older than the text came too
    /// late: its places are those of another text.
    pub fn edit(&self, uri: &Url, version: i32, changes: &[TextDocumentContentChangeEvent], unit: Unit) {
        let mut all = self.lock();
        let Some(document) = all.get_mut(uri).filter(|document| version >= document.version) else { return };
        for change in changes {
            match change.range {
                Some(range) => {
                    let start = char_at(&document.text, range.start, unit);
                    let end = char_at(&document.text, range.end, unit).max(start);
                    document.text.remove(start..end);
                    document.text.insert(start, &change.text);
                }
                None => document.text = Rope::from_str(&change.text),
            }
        }
        document.version = version;
        document.fresh = true;
    }

    /// A buffer was closed; its place.
    pub fn close(&self, uri: &Url) -> Option<PathBuf> {
        self.lock().remove(uri).map(|document| document.path)
    }

    /// The buffers that changed since the last call.
    pub fn take_changes(&self) -> Vec<Change> {
        let mut all = self.lock();
        let mut changes: Vec<Change> = all
            .iter_mut()
            .filter(|(_, document)| document.fresh)
            .map(|(uri, document)| {
                document.fresh = false;
                Change { uri: uri.clone(), path: document.path.clone(), text: document.text.to_string().into() }
            })
            .collect();
        changes.sort_by(|a, b| a.uri.cmp(&b.uri));
        changes
    }

    /// All buffers count as changed.
    pub fn refresh(&self) {
        for document in self.lock().values_mut() {
            document.fresh = true;
        }
    }

    /// Whether a change waits for the worker.
    pub fn has_changes(&self) -> bool {
        self.lock().values().any(|document| document.fresh)
    }

    /// The version of an open buffer.
    pub fn version(&self, uri: &Url) -> Option<i32> {
        self.lock().get(uri).map(|document| document.version)
    }

    /// Whether a buffer of this place is open.
    pub fn is_open(&self, path: &Path) -> bool {
        self.lock().values().any(|document| document.path == path)
    }

    /// All open buffers with their places.
    pub fn open_buffers(&self) -> Vec<(Url, PathBuf)> {
        let mut all: Vec<_> = self.lock().iter().map(|(uri, document)| (uri.clone(), document.path.clone())).collect();
        all.sort();
        all
    }

    /// The text of an open buffer.
    #[cfg(test)]
    pub fn text(&self, uri: &Url) -> Option<String> {
        self.lock().get(uri).map(|document| document.text.to_string())
    }
}

/// The character at a position, clamped to its line (without the break) and to the text.
fn char_at(text: &Rope, position: tower_lsp::lsp_types::Position, unit: Unit) -> usize {
    let line = position.line as usize;
    if line >= text.len_lines() {
        return text.len_chars();
    }
    let start = text.line_to_char(line);
    let slice = text.line(line);
    let mut length = slice.len_chars();
    while length > 0 && matches!(slice.char(length - 1), '\n' | '\r') {
        length -= 1;
    }
    let wanted = position.character as usize;
    let column = match unit {
        Unit::Utf32 => wanted.min(length),
        Unit::Utf16 => slice.utf16_cu_to_char(wanted.min(slice.char_to_utf16_cu(length))),
        Unit::Utf8 => slice.byte_to_char(wanted.min(slice.char_to_byte(length))),
    };
    start + column
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use tower_lsp::lsp_types::{Position, Range};

    fn edited(text: &str, unit: Unit, edits: &[((u32, u32), (u32, u32), &str)]) -> String {
        let documents = Documents::default();
        let uri = Url::parse("file:///a/b.yaml").unwrap();
        documents.open(uri.clone(), 1, text);
        for (at, (start, end, new)) in edits.iter().enumerate() {
            let change = TextDocumentContentChangeEvent {
                range: Some(Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1))),
                range_length: None,
                text: (*new).to_owned(),
            };
            documents.edit(&uri, i32::try_from(at).unwrap() + 2, &[change], unit);
        }
        documents.text(&uri).unwrap()
    }

    #[test]
    fn positions_count_in_the_agreed_unit() {
        assert_eq!(edited("😀é x", Unit::Utf16, &[((0, 3), (0, 4), "")]), "😀éx");
        assert_eq!(edited("😀é x", Unit::Utf8, &[((0, 6), (0, 7), "")]), "😀éx");
        assert_eq!(edited("😀é x", Unit::Utf32, &[((0, 2), (0, 3), "")]), "😀éx");
    }

    #[test]
    fn positions_behind_the_end_are_clamped() {
        assert_eq!(edited("ab\r\ncd", Unit::Utf16, &[((0, 99), (0, 99), "!")]), "ab!\r\ncd");
        assert_eq!(edited("ab", Unit::Utf16, &[((9, 0), (9, 0), "!")]), "ab!");
        assert_eq!(edited("a\u{2028}b\nc", Unit::Utf16, &[((1, 0), (1, 1), "d")]), "a\u{2028}b\nd");
    }

    #[test]
    fn edits_of_one_message_see_each_other() {
        assert_eq!(edited("x", Unit::Utf16, &[((0, 1), (0, 1), "y"), ((0, 2), (0, 2), "z")]), "xyz");
    }
}
