//! Who is who in a workspace: plain data over files that were read already.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{File, FileId};

/// All files that a run knows, and how to find them. Built once; lints and the server ask it and never touch the disk.
#[derive(Clone, Debug, Default)]
pub struct Index {
    files: Vec<Arc<File>>,
    by_location: HashMap<PathBuf, FileId>,
}

impl Index {
    /// An index over files whose ids are their positions.
    pub fn new(files: Vec<Arc<File>>) -> Self {
        let by_location = files.iter().filter_map(|file| Some((file.location.clone()?, file.id))).collect();
        Self { files, by_location }
    }

    /// All files in the order of their ids.
    pub fn files(&self) -> &[Arc<File>] {
        &self.files
    }

    /// A file by its number.
    pub fn file(&self, id: FileId) -> Option<&Arc<File>> {
        self.files.get(id.0 as usize)
    }

    /// A file by its absolute path.
    pub fn at(&self, location: &Path) -> Option<&Arc<File>> {
        self.by_location.get(location).and_then(|id| self.file(*id))
    }
}
