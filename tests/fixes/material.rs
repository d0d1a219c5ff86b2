//! Every text of the repository that has or could have findings, and checks of it in memory.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recipelint::lints::lints;
use recipelint::workspace::{Disk, Outcome, Request, check, config::Choice};

use super::page::Page;
use super::workspace::Workspace;

/// A workspace with a name for messages, and the lint whose page it stands on.
#[derive(Clone)]
pub struct Case {
    pub name: String,
    /// The lint and whether the example is its bad one.
    pub lint: Option<(&'static str, bool)>,
    pub files: Vec<(String, String)>,
}

/// A folder that does not exist: all files are buffers.
pub fn root() -> PathBuf {
    PathBuf::from("/recipelint-fixes")
}

impl Case {
    /// What is found in it.
    pub fn check(&self) -> (Disk, Request, Outcome) {
        let buffers: HashMap<PathBuf, Arc<str>> =
            self.files.iter().map(|(path, text)| (root().join(path), text.as_str().into())).collect();
        let disk = Disk::with_buffers(buffers);
        let paths = self.files.iter().map(|(path, _)| root().join(path)).collect();
        let request = Request { paths, cwd: root(), config: Choice::None, recognised_only: true, fixes: true };
        let outcome = check(&disk, &request, &|_, _| {}).unwrap();
        (disk, request, outcome)
    }

    pub fn with(&self, files: Vec<(String, String)>) -> Self {
        Self { files, ..self.clone() }
    }
}

/// The examples of the pages, the examples, the corpus.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for lint in lints() {
        let page = Page::read(lint.page);
        for section in ["Bad", "Good"] {
            for (at, Workspace { files }) in page.workspaces(section).into_iter().enumerate() {
                let name = format!("{} {section} {}", lint.id, at + 1);
                cases.push(Case { name, lint: Some((lint.id, section == "Bad")), files });
            }
        }
    }
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["examples", "tests/corpus/amplihack", "tests/corpus/programs", "tests/corpus/workflows"];
    for folder in folders.map(|folder| repository.join(folder)) {
        for entry in sorted(&folder) {
            let name = entry.strip_prefix(repository).unwrap().to_string_lossy().into_owned();
            let mut files = Vec::new();
            collect(&entry, &entry, &mut files);
            if name.contains("/workflows/") {
                files.iter_mut().for_each(|(path, _)| *path = format!(".github/workflows/{path}"));
            }
            cases.push(Case { name, lint: None, files });
        }
    }
    assert!(cases.len() > 150, "only {} cases", cases.len());
    cases
}

fn collect(root: &Path, entry: &Path, files: &mut Vec<(String, String)>) {
    if entry.is_dir() {
        sorted(entry).iter().for_each(|entry| collect(root, entry, files));
    } else if let Ok(text) = fs::read_to_string(entry) {
        let path = entry.strip_prefix(root).unwrap();
        let path = if path.as_os_str().is_empty() { Path::new(entry.file_name().unwrap()) } else { path };
        files.push((path.to_string_lossy().into_owned(), text));
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}
