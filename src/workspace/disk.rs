//! Files, read with limits; an editor's open buffers lie over them.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// No file over this many bytes is read.
pub const READ_LIMIT: u64 = 10_000_000;

/// Where texts come from: open buffers first, then the disk.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    buffers: HashMap<PathBuf, Arc<str>>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Text.
    Text(Arc<str>),
    /// Not UTF-8: the text up to the first byte that is wrong, and that byte's value (none at a cut-off character).
    NotUtf8 {
        /// The text before it.
        before: Arc<str>,
        /// The byte.
        byte: Option<u8>,
    },
    /// Over [`READ_LIMIT`]: the start of the text, and the size in bytes.
    TooLarge {
        /// The first 64 KiB, cut at a whole character.
        head: Arc<str>,
        /// Size of the file.
        size: u64,
    },
}

impl Contents {
    /// The text as far as it was read, to tell the format by.
    pub fn start(&self) -> &str {
        match self {
            Self::Text(text) | Self::NotUtf8 { before: text, .. } | Self::TooLarge { head: text, .. } => text,
        }
    }
}

impl Disk {
    /// The disk below some open buffers, by absolute path.
    pub fn with_buffers(buffers: HashMap<PathBuf, Arc<str>>) -> Self {
        Self { buffers }
    }

    /// The open buffers.
    pub fn buffers(&self) -> &HashMap<PathBuf, Arc<str>> {
        &self.buffers
    }

    /// Puts a text over the file of this name.
    pub fn put(&mut self, path: PathBuf, text: Arc<str>) {
        self.buffers.insert(path, text);
    }

    /// Takes the text over a file away.
    pub fn remove(&mut self, path: &Path) {
        self.buffers.remove(path);
    }

    /// Reads a file.
    pub fn read(&self, path: &Path) -> io::Result<Contents> {
        if let Some(text) = self.buffers.get(path) {
            let size = text.len() as u64;
            return Ok(if size > READ_LIMIT {
                let head = text.get(..text.floor_char_boundary(64 << 10)).unwrap_or_default();
                Contents::TooLarge { head: head.into(), size }
            } else {
                Contents::Text(text.clone())
            });
        }
        let file = fs::File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
        }
        let size = metadata.len();
        let limit = if size > READ_LIMIT { 64 << 10 } else { READ_LIMIT + 1 };
        let mut bytes = Vec::with_capacity(size.min(limit) as usize);
        file.take(limit).read_to_end(&mut bytes)?;
        if size > READ_LIMIT || bytes.len() as u64 > READ_LIMIT {
            bytes.truncate(64 << 10);
            return Ok(Contents::TooLarge { head: valid_prefix(bytes).0.into(), size: size.max(READ_LIMIT + 1) });
        }
        Ok(match valid_prefix(bytes) {
            (text, None) => Contents::Text(text.into()),
            (text, Some(byte)) => Contents::NotUtf8 { before: text.into(), byte },
        })
    }

    /// Whether there is such a file.
    pub fn is_file(&self, path: &Path) -> bool {
        self.buffers.contains_key(path) || path.is_file()
    }
}

/// The text as far as it is UTF-8, and the byte after it where that is not the end.
fn valid_prefix(bytes: Vec<u8>) -> (String, Option<Option<u8>>) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let utf8 = error.utf8_error();
            let valid = utf8.valid_up_to();
            let mut bytes = error.into_bytes();
            let byte = utf8.error_len().and_then(|_| bytes.get(valid).copied());
            bytes.truncate(valid);
            (String::from_utf8(bytes).unwrap_or_default(), Some(byte))
        }
    }
}

/// An absolute path without `.` and `..`; links are not followed, so that users see the names they know.
pub fn absolute(path: &Path, cwd: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in cwd.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// A path as users see it: relative to the working directory where it lies below it.
pub fn shown(path: &Path, cwd: &Path) -> PathBuf {
    match path.strip_prefix(cwd) {
        Ok(below) if !below.as_os_str().is_empty() => below.to_owned(),
        _ => path.to_owned(),
    }
}

/// An I/O error without the number of the operating system.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text.get(..at).unwrap_or(&text).to_lowercase(),
        None => text,
    }
}
