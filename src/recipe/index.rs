//! Who is who in a workspace: plain data over files that were read already.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::links::{Links, by_stem, refer_alike};
use super::names::Names;
use super::readers::Readers;
use super::{Base, File, FileId, Lazy, Link, Mention};

/// All files that a run knows, and how to find them. Built once; lints and the server ask it and never touch the disk.
#[derive(Clone, Debug, Default)]
pub struct Index {
    files: Vec<Arc<File>>,
    by_location: HashMap<PathBuf, FileId>,
    root: Option<PathBuf>,
    search_paths: Vec<PathBuf>,
    /// Made when first asked for.
    links: OnceLock<Arc<Links>>,
    /// By the file's number.
    known: Vec<Known>,
    stems: OnceLock<BTreeMap<String, Vec<FileId>>>,
}

/// What was asked of a file.
#[derive(Clone, Debug, Default)]
struct Known {
    names: Lazy<Names>,
    readers: Lazy<Readers>,
}

impl Index {
    /// An index over files whose ids are their positions.
    pub fn new(files: Vec<Arc<File>>) -> Self {
        let by_location = files.iter().filter_map(|file| Some((file.location.clone()?, file.id))).collect();
        let known = vec![Known::default(); files.len()];
        Self { files, by_location, known, ..Self::default() }
    }

    /// Puts a file in the place of the one that had its number, or behind all others. What is known of the others stays,
    /// and so do the calls between files if the new text leads to the same files as the old one; whether it does is the
    /// answer.
    pub fn put(&mut self, file: Arc<File>) -> bool {
        let at = file.id.0 as usize;
        let alike = self.files.get(at).is_some_and(|known| refer_alike(known, &file));
        if let Some(location) = &file.location
            && !alike
        {
            self.by_location.insert(location.clone(), file.id);
        }
        if alike {
            self.forget_readers_of(at);
        } else {
            self.forget_readers();
        }
        if let (Some(slot), Some(known)) = (self.files.get_mut(at), self.known.get_mut(at)) {
            *slot = file;
            *known = Known::default();
        } else {
            self.files.push(file);
            self.known.push(Known::default());
        }
        if !alike {
            self.links = OnceLock::new();
            self.stems = OnceLock::new();
        }
        alike
    }

    /// The same with the workspace's root (absolute): the working directory in which the systems run.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.forget_readers();
        Self { root: Some(root.into()), links: OnceLock::new(), ..self }
    }

    /// The same with folders in which the engine looks for recipes first (`-R`), absolute, in order.
    #[must_use]
    pub fn with_search_paths(mut self, search_paths: Vec<PathBuf>) -> Self {
        self.forget_readers();
        Self { search_paths, links: OnceLock::new(), ..self }
    }

    /// The text of a file changed, and with it what its group reads.
    fn forget_readers_of(&mut self, at: usize) {
        let Some(old) = self.known.get(at).and_then(|known| known.readers.get()) else { return };
        let of_group = |known: &&Known| known.readers.get().is_some_and(|readers| Arc::ptr_eq(&readers, &old));
        self.known.iter().filter(of_group).for_each(|known| drop(known.readers.take()));
    }

    fn forget_readers(&mut self) {
        self.known.iter().for_each(|known| drop(known.readers.take()));
    }

    /// Drops the trees of a file and what was made of them: nothing more will be asked of it, or little.
    pub fn forget(&self, file: FileId) {
        if let Some(known) = self.known.get(file.0 as usize) {
            known.names.take();
            known.readers.take();
        }
        if let Some(file) = self.file(file) {
            file.drop_trees();
        }
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

    fn links(&self) -> &Links {
        self.links.get_or_init(|| {
            Arc::new(Links::new(&self.files, &self.by_location, self.root.as_deref(), &self.search_paths))
        })
    }

    /// The recipes that a recipe runs or extends, as far as the engine would find them.
    pub fn calls(&self, caller: FileId) -> &[Link] {
        self.links().calls.get(&caller).map_or(&[], Vec::as_slice)
    }

    /// The recipes that run or extend a recipe.
    pub fn callers(&self, callee: FileId) -> &[Link] {
        self.links().callers.get(&callee).map_or(&[], Vec::as_slice)
    }

    /// The recipe that a step runs; for `None` the one that the file extends.
    pub fn callee(&self, caller: FileId, step: Option<usize>) -> Option<&Arc<File>> {
        self.calls(caller).iter().find(|call| call.step == step).and_then(|call| self.file(call.callee))
    }

    /// Whether a recipe would run or extend itself by way of this call.
    pub fn is_cyclic(&self, link: &Link) -> bool {
        self.links().is_cyclic(link)
    }

    /// The recipes whose file has this name, wherever they are, for suggestions.
    pub fn recipes_named(&self, stem: &str) -> Vec<&Arc<File>> {
        self.stems().get(stem).into_iter().flatten().filter_map(|id| self.file(*id)).collect()
    }

    /// All recipes by the name of their file.
    pub fn stems(&self) -> &BTreeMap<String, Vec<FileId>> {
        self.stems.get_or_init(|| by_stem(&self.files))
    }

    /// Where the names of a recipe's context are written.
    pub fn names(&self, file: &File) -> Arc<Names> {
        match self.known.get(file.id.0 as usize) {
            Some(known) => known.names.get_or_make(|| Names::of(file)),
            None => Arc::new(Names::of(file)),
        }
    }

    /// Names that are read somewhere in the group of recipes that run each other to which a file belongs.
    pub fn readers(&self, file: FileId) -> Arc<Readers> {
        let cell = |id: FileId| self.known.get(id.0 as usize).map(|known| &known.readers);
        if let Some(readers) = cell(file).and_then(Lazy::get) {
            return readers;
        }
        let group = self.group(file);
        let mut readers = Readers::default();
        for file in group.iter().filter_map(|id| self.file(*id)) {
            readers.add(&self.names(file));
        }
        let readers = Arc::new(readers);
        for cell in group.into_iter().filter_map(cell) {
            cell.offer(&readers);
        }
        readers
    }

    /// A recipe with those that it runs or extends and those that run or extend it, and so on.
    fn group(&self, file: FileId) -> BTreeSet<FileId> {
        let mut group = BTreeSet::new();
        let mut open = vec![file];
        while let Some(id) = open.pop() {
            if group.insert(id) {
                open.extend(self.calls(id).iter().map(|call| call.callee));
                open.extend(self.callers(id).iter().map(|call| call.caller));
            }
        }
        group
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
