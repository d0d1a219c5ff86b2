//! Who is who in a workspace: plain data over files that were read already.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{Base, File, FileId, Mention};

/// All files that a run knows, and how to find them. Built once; lints and the server ask it and never touch the disk.
#[derive(Clone, Debug, Default)]
pub struct Index {
    files: Vec<Arc<File>>,
    by_location: HashMap<PathBuf, FileId>,
    root: Option<PathBuf>,
}

impl Index {
    /// An index over files whose ids are their positions.
    pub fn new(files: Vec<Arc<File>>) -> Self {
        let by_location = files.iter().filter_map(|file| Some((file.location.clone()?, file.id))).collect();
        Self { files, by_location, root: None }
    }

    /// The same with the workspace's root (absolute): the working directory in which the systems run.
    #[must_use]
    pub fn with_root(self, root: impl Into<PathBuf>) -> Self {
        Self { root: Some(root.into()), ..self }
    }

    /// The workspace's root.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
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

    /// Where a mentioned path leads, without a look at the disk: the places to try, nearest first. Empty when it leaves
    /// the root or when there is no place to resolve it from.
    pub fn candidates(&self, from: &File, mention: &Mention) -> Vec<PathBuf> {
        let written = Path::new(&mention.path.value);
        let folder = from.location.as_deref().and_then(Path::parent);
        let bases: Vec<&Path> = match mention.base {
            Base::Root => self.root.as_deref().or(folder).into_iter().collect(),
            Base::Here => folder.into_iter().collect(),
            Base::Upward => folder
                .into_iter()
                .flat_map(Path::ancestors)
                .take_while(|folder| self.root.as_deref().is_none_or(|root| folder.starts_with(root)))
                .collect(),
        };
        bases
            .into_iter()
            .map(|base| normal(&base.join(written)))
            .filter(|path| self.root.as_deref().is_none_or(|root| path.starts_with(root)))
            .collect()
    }

    /// The file that a mention means, if it was loaded.
    pub fn mentioned(&self, from: &File, mention: &Mention) -> Option<&Arc<File>> {
        self.candidates(from, mention).iter().find_map(|path| self.at(path))
    }
}

/// A path without `.` and `..`, as text: links are not followed.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}
