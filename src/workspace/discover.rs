//! Which files are meant: arguments are files, folders and globs; folders are walked as git sees them.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::Note;
use super::disk::{Disk, absolute, shown};

/// Hidden folders in which recipes live.
const HIDDEN: &[&str] =
    &[".agents", ".agentuse", ".amplihack", ".claude", ".forgejo", ".gitea", ".github", ".outpost", ".sandcastle"];

/// Folders of other people's code.
const FOREIGN: &[&str] = &["node_modules"];

/// Endings of files that can be recipes, agents or programs that run agents. Prompt files and scripts are found
/// through those that use them.
const ENDINGS: &[&str] = &["yaml", "yml", "agentuse", "ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"];

/// A file to check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// Absolute.
    pub path: PathBuf,
    /// The user wrote this path, so it is read whatever it is.
    pub named: bool,
}

/// What the arguments mean.
#[derive(Clone, Debug, Default)]
pub struct Discovery {
    /// In order of path, each once.
    pub targets: Vec<Target>,
    /// The folders among the arguments, absolute.
    pub folders: Vec<PathBuf>,
    /// Folders that could not be read, arguments that mean nothing.
    pub notes: Vec<Note>,
    /// More lies in the folders than was wanted, and the rest was not looked at.
    pub cut: bool,
}

/// Finds the files that arguments mean. `meet` is told of every file on the way, whatever it is. Of each folder at most
/// `most` files and folders are looked at.
pub fn discover(disk: &Disk, arguments: &[PathBuf], cwd: &Path, most: usize, meet: &mut dyn FnMut(&Path)) -> Discovery {
    let mut found = Discovery::default();
    let mut outside = Vec::new();
    let mut walk = |folder: &Path, glob: Option<&globset::GlobMatcher>, found: &mut Discovery| {
        walk(folder, cwd, most, glob, found, meet, &mut outside);
    };
    for argument in arguments {
        let path = absolute(argument, cwd);
        if path.is_dir() {
            walk(&path, None, &mut found);
            found.folders.push(path);
        } else if disk.is_file(&path) || path.exists() {
            found.targets.push(Target { path, named: true });
        } else if path.is_symlink() {
            found.note(&path, cwd, "this link leads nowhere");
        } else if is_glob(argument) {
            of_glob(&path, cwd, &mut found, &mut walk);
        } else {
            found.note(&path, cwd, "there is no such file or folder");
        }
    }
    if let Some(first) = outside.first() {
        let message = match outside.len() {
            1 => "is a link that leads out of the checked folder, so it was not followed".to_owned(),
            more => format!("and {} other links lead out of the checked folder, so they were not followed", more - 1),
        };
        found.notes.push(Note { path: shown(first, cwd), message, failed: false });
    }
    found.targets.sort_by(|a, b| a.path.cmp(&b.path).then(b.named.cmp(&a.named)));
    found.targets.dedup_by(|a, b| a.path == b.path);
    found
}

impl Discovery {
    fn note(&mut self, path: &Path, cwd: &Path, message: &str) {
        self.notes.push(Note { path: shown(path, cwd), message: message.to_owned(), failed: true });
    }
}

fn is_glob(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '[', '{'])
}

/// A glob that the shell did not expand: walked from its longest plain folder, and it means only what it matches.
fn of_glob(
    path: &Path,
    cwd: &Path,
    found: &mut Discovery,
    walk: &mut dyn FnMut(&Path, Option<&globset::GlobMatcher>, &mut Discovery),
) {
    let glob = match globset::GlobBuilder::new(&path.to_string_lossy()).literal_separator(true).build() {
        Ok(glob) => glob.compile_matcher(),
        Err(error) => return found.note(path, cwd, &format!("not a glob: {}", error.kind())),
    };
    let folder: PathBuf = path.components().take_while(|part| !is_glob(Path::new(part.as_os_str()))).collect();
    let before = found.targets.len();
    walk(&folder, Some(&glob), found);
    if found.targets.len() == before {
        found.note(path, cwd, "this glob matches no file");
    }
}

/// Walks a folder in order of names. Links are not followed, so nothing outside is read and no loop is met; those that
/// lead out are told in `outside`.
fn walk(
    folder: &Path,
    cwd: &Path,
    most: usize,
    glob: Option<&globset::GlobMatcher>,
    found: &mut Discovery,
    meet: &mut dyn FnMut(&Path),
    outside: &mut Vec<PathBuf>,
) {
    for (number, entry) in walker(folder).build().enumerate() {
        if number >= most {
            found.cut = true;
            break;
        }
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                let path = entry.path();
                meet(path);
                if glob.map_or_else(|| may_be_recipe(path), |glob| glob.is_match(path)) {
                    found.targets.push(Target { path: path.to_owned(), named: false });
                }
            }
            Ok(entry) if entry.path_is_symlink() && leads_out(entry.path(), folder) => {
                outside.push(entry.into_path());
            }
            Ok(_) => {}
            Err(error) => found.notes.push(unreadable(&error, folder, cwd)),
        }
    }
}

/// Whether a link leads to a folder or a possible recipe outside of the folder that is walked.
fn leads_out(link: &Path, folder: &Path) -> bool {
    let (Ok(target), Ok(folder)) = (link.canonicalize(), folder.canonicalize()) else { return false };
    !target.starts_with(folder) && (target.is_dir() || may_be_recipe(&target))
}

/// The walk that every part of this program uses, so that all see the same files.
pub(super) fn walker(folder: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(folder);
    builder.hidden(false).follow_links(false).require_git(false).sort_by_file_name(Ord::cmp).filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !FOREIGN.contains(&&*name) && (!name.starts_with('.') || HIDDEN.contains(&&*name))
    });
    builder
}

/// Whether a file's name lets it be something that this linter reads.
pub(super) fn may_be_recipe(path: &Path) -> bool {
    path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| ENDINGS.contains(&ending))
        && !path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".d.ts"))
}

fn unreadable(error: &ignore::Error, folder: &Path, cwd: &Path) -> Note {
    fn path_of(error: &ignore::Error) -> Option<&Path> {
        match error {
            ignore::Error::WithPath { path, .. } => Some(path),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
            _ => None,
        }
    }
    let path = path_of(error).unwrap_or(folder);
    let reason = error.io_error().map_or_else(|| error.to_string(), super::disk::reason);
    Note { path: shown(path, cwd), message: format!("could not be read: {reason}; the rest was checked"), failed: true }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_walk_ends_where_it_is_told_to() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.yaml", "b.yaml", "c.yaml"] {
            std::fs::write(folder.path().join(name), "name: n").unwrap();
        }
        let arguments = [folder.path().to_owned()];
        let found = |most| discover(&Disk::default(), &arguments, folder.path(), most, &mut |_| {});
        // The folder itself is the first that is met.
        let cut = found(3);
        assert_eq!((cut.targets.len(), cut.cut), (2, true));
        let whole = found(4);
        assert_eq!((whole.targets.len(), whole.cut), (3, false));
    }
}
