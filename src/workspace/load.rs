//! The files of a run and those around them, as an index: recipes that call or are called, and the prompts, agents and
//! configurations that files speak of. Those are read to understand the targets, and not reported on.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::discover::walker;
use super::disk::{Disk, reason, shown};
use super::read::{read, read_as};
use super::{Note, Target};
use crate::recipe::{Dialect, File, FileId, Index, MentionKind};

/// At most so many entries of a workspace are looked at for neighbours of single files.
const MAX_ENTRIES: usize = 50_000;
/// The same for a folder that is no repository: it may be a home.
const MAX_ENTRIES_OUTSIDE: usize = 5_000;
/// At most so many neighbours are read.
const MAX_NEIGHBOURS: usize = 5_000;
/// Mentions of mentions of mentions are not followed further.
const MAX_ROUNDS: usize = 4;

/// An index, and which of its files are to be reported on.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// All files that were read.
    pub index: Index,
    /// The files that were asked for.
    pub checked: Vec<FileId>,
    /// What could not be read, and named files that are no recipes.
    pub notes: Vec<Note>,
    /// The files that were given to be kept beside the others, in order.
    pub extra: Vec<FileId>,
}

/// What to read.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The files to report on.
    pub targets: &'a [Target],
    /// The folders that were walked for them.
    pub folders: &'a [PathBuf],
    /// All recipes that were met in the folders are targets.
    pub complete: bool,
    /// Absolute.
    pub cwd: &'a Path,
    /// Other folders with recipes, absolute.
    pub search_paths: Vec<PathBuf>,
}

/// Reads the targets and what they may refer to; `extra` files are put beside them. The result is the same for any number
/// of threads.
pub fn load(disk: &Disk, plan: &Plan<'_>, extra: impl Iterator<Item = File>) -> Loaded {
    let Plan { targets, folders, complete, cwd, search_paths } = plan;
    let mut loaded = Loaded::default();
    let mut files = Files::default();
    let results: Vec<_> = targets
        .par_iter()
        .map(|target| (target, without_trees(read(disk, &target.path, &shown(&target.path, cwd), target.named))))
        .collect();
    for (target, result) in results {
        let note = |message, failed| Note { path: shown(&target.path, cwd), message, failed };
        match result {
            Ok(Some(file)) => {
                if file.dialect == Dialect::Unknown && file.errors.is_empty() {
                    let message = "is nothing that recipelint knows, so there was nothing to check".to_owned();
                    loaded.notes.push(note(message, false));
                }
                loaded.checked.push(files.add(file));
            }
            Ok(None) => {}
            Err(error) => {
                loaded.notes.push(note(format!("could not be read: {}; the rest was checked", reason(&error)), true));
            }
        }
    }
    loaded.extra = extra.map(|file| files.add(file)).collect();
    // A walked folder holds its files; the first file's own folder would leave the others outside.
    let first = folders.iter().chain(targets.iter().map(|target| &target.path)).next();
    let root = root_of(first.map_or(*cwd, PathBuf::as_path), cwd);
    let all_met = *complete && folders.iter().any(|folder| root.path.starts_with(folder));
    if !all_met && files.all.iter().any(|file| has_neighbours(file)) {
        let limit = if root.repository { MAX_ENTRIES } else { MAX_ENTRIES_OUTSIDE };
        add_neighbours(disk, &root.path, limit, cwd, &mut files);
    }
    for folder in search_paths.iter().filter(|path| !folders.iter().any(|folder| path.starts_with(folder))) {
        add_neighbours(disk, folder, MAX_ENTRIES_OUTSIDE, cwd, &mut files);
    }
    let mut from = 0;
    for _ in 0..MAX_ROUNDS {
        let until = files.all.len();
        for file in mentioned(disk, &files, from, &root.path, cwd) {
            files.add(file);
        }
        if files.all.len() == until {
            break;
        }
        from = until;
    }
    loaded.index = Index::new(files.all).with_root(root.path).with_search_paths(search_paths.clone());
    loaded
}

/// Files in the order of their numbers.
#[derive(Debug, Default)]
struct Files {
    all: Vec<Arc<File>>,
    paths: BTreeSet<PathBuf>,
}

impl Files {
    fn add(&mut self, mut file: File) -> FileId {
        file.id = FileId(self.all.len() as u32);
        let id = file.id;
        self.paths.extend(file.location.clone());
        self.all.push(Arc::new(file));
        id
    }
}

/// Most files are looked at long after they are read, and together their trees would fill the memory.
fn without_trees(file: io::Result<Option<File>>) -> io::Result<Option<File>> {
    let file = file?;
    file.iter().for_each(File::drop_trees);
    Ok(file)
}

/// Where recipes run: the repository, else the working directory if the file lies below it, else the file's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Absolute.
    pub path: PathBuf,
    /// It is a repository, so all of it belongs together.
    pub repository: bool,
}

/// Finds the root of a file or folder.
pub fn root_of(path: &Path, cwd: &Path) -> Root {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    if let Some(repository) = folder.ancestors().find(|folder| folder.join(".git").exists()) {
        return Root { path: repository.to_owned(), repository: true };
    }
    let path = if folder.starts_with(cwd) { cwd } else { folder };
    Root { path: path.to_owned(), repository: false }
}

/// Whether other files that it does not mention matter to a file.
fn has_neighbours(file: &File) -> bool {
    !matches!(file.dialect, Dialect::Program | Dialect::Contracts | Dialect::Unknown)
}

/// Names of recipes, agents and workflows end so.
const RECIPES: &[&str] = &["yaml", "yml", "agentuse"];
/// The same with programs, which use prompts.
const USERS_OF_PROMPTS: &[&str] = &["yaml", "yml", "agentuse", "ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"];

/// Reads the recipes, agents and workflows of a folder that are not among the targets; programs too where a prompt is
/// among them.
fn add_neighbours(disk: &Disk, folder: &Path, limit: usize, cwd: &Path, files: &mut Files) {
    let prompts = files.all.iter().any(|file| file.dialect == Dialect::Prompt);
    let endings = if prompts { USERS_OF_PROMPTS } else { RECIPES };
    let paths: Vec<PathBuf> = walker(folder)
        .build()
        .take(limit)
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(ignore::DirEntry::into_path)
        .filter(|path| endings.iter().any(|ending| path.extension().is_some_and(|e| e == *ending)))
        .filter(|path| !files.paths.contains(path))
        .take(MAX_NEIGHBOURS)
        .collect();
    let found: Vec<File> =
        paths.par_iter().filter_map(|path| without_trees(read(disk, path, &shown(path, cwd), false)).ok()?).collect();
    for file in found {
        files.add(file);
    }
}

/// The files that the files from number `from` on speak of and that are there.
fn mentioned(disk: &Disk, files: &Files, from: usize, root: &Path, cwd: &Path) -> Vec<File> {
    let index = Index::new(Vec::new()).with_root(root);
    let mut wanted: Vec<(PathBuf, MentionKind)> = Vec::new();
    for file in files.all.iter().skip(from) {
        for mention in &file.recipe.mentions {
            let candidates = index.candidates(file, mention);
            if let Some(path) = candidates.into_iter().find(|path| disk.is_file(path) && stays_inside(path, root))
                && !files.paths.contains(&path)
            {
                wanted.push((path, mention.kind));
            }
        }
    }
    wanted.sort_by(|a, b| a.0.cmp(&b.0));
    wanted.dedup_by(|a, b| a.0 == b.0);
    wanted.par_iter().filter_map(|(path, kind)| read_as(disk, path, &shown(path, cwd), *kind).ok()).collect()
}

/// The files that one file speaks of, that are there and not in the index.
pub(super) fn mentioned_by(disk: &Disk, file: &File, index: &Index, root: &Path) -> Vec<File> {
    let mut found: Vec<File> = Vec::new();
    for mention in &file.recipe.mentions {
        let candidates = index.candidates(file, mention);
        if let Some(path) = candidates.into_iter().find(|path| disk.is_file(path) && stays_inside(path, root))
            && index.at(&path).is_none()
            && !found.iter().any(|file| file.location.as_ref() == Some(&path))
            && let Ok(more) = read_as(disk, &path, &shown(&path, root), mention.kind)
        {
            found.push(more);
        }
    }
    found
}

/// A link may lead out of the workspace; such a file is not read.
fn stays_inside(path: &Path, root: &Path) -> bool {
    match (path.canonicalize(), root.canonicalize()) {
        (Ok(path), Ok(root)) => path.starts_with(root),
        _ => true,
    }
}
