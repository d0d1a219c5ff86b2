//! The files of a run and those around them, as an index.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::disk::{Disk, reason, shown};
use super::{Note, Target, read};
use crate::recipe::{Dialect, File, FileId, Index};

/// An index, and which of its files are to be reported on.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// All files that were read.
    pub index: Index,
    /// The files that were asked for.
    pub checked: Vec<FileId>,
    /// What could not be read, and named files that are no recipes.
    pub notes: Vec<Note>,
}

/// Reads the targets and what they may refer to.
pub fn load(disk: &Disk, targets: &[Target], cwd: &Path) -> Loaded {
    let read: Vec<(PathBuf, bool, std::io::Result<Option<File>>)> = targets
        .par_iter()
        .map(|target| {
            let path = &target.path;
            (path.clone(), target.named, read(disk, path, &shown(path, cwd), target.named))
        })
        .collect();
    let mut loaded = Loaded::default();
    let mut files = Vec::new();
    for (path, _, result) in read {
        match result {
            Ok(Some(mut file)) => {
                file.id = FileId(files.len() as u32);
                if file.dialect == Dialect::Unknown && file.errors.is_empty() {
                    let message = "is nothing that recipelint knows, so there was nothing to check".to_owned();
                    loaded.notes.push(Note { path: shown(&path, cwd), message, failed: false });
                }
                loaded.checked.push(file.id);
                files.push(Arc::new(file));
            }
            Ok(None) => {}
            Err(error) => {
                let message = format!("could not be read: {}; the rest was checked", reason(&error));
                loaded.notes.push(Note { path: shown(&path, cwd), message, failed: true });
            }
        }
    }
    loaded.index = Index::new(files);
    loaded
}
