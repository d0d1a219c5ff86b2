//! A small workspace on disk, what is expected of it, and what the library finds in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use recipelint::workspace::{Disk, Request, check, config::Choice};

/// An expected or a real finding: lint, file, line from 1.
pub type Mark = (String, String, usize);

/// Files by their paths relative to the root.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub files: Vec<(String, String)>,
}

impl Workspace {
    /// What the marks in the files say: `#~ lint`, `//~ lint`, `<!--~ lint -->` on the line of the finding, and
    /// `#~ @12 lint` anywhere for line 12.
    pub fn expected(&self) -> BTreeSet<Mark> {
        let mut marks = BTreeSet::new();
        for (path, text) in &self.files {
            for (at, line) in text.lines().enumerate() {
                for (lints, place) in marks_in(line) {
                    for lint in lints {
                        marks.insert((lint, path.clone(), place.unwrap_or(at + 1)));
                    }
                }
            }
        }
        marks
    }

    /// Everything that is found, each with its message.
    pub fn found(&self) -> Vec<(Mark, String)> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (path, text) in &self.files {
            let file = root.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        check_folder(&root, vec![root.clone()])
    }
}

/// Runs the library on paths below a folder.
pub fn check_folder(root: &Path, paths: Vec<PathBuf>) -> Vec<(Mark, String)> {
    let request = Request { paths, cwd: root.to_path_buf(), config: Choice::None, ..Request::default() };
    let outcome = check(&Disk::default(), &request, &|_, _| {}).unwrap();
    outcome
        .findings
        .iter()
        .map(|finding| {
            let file = outcome.index.file(finding.place.file).unwrap();
            let line = file.source.lines.line(finding.place.span.start) + 1;
            let path = file.source.path.to_string_lossy().replace('\\', "/");
            ((finding.lint.to_owned(), path, line), finding.message.clone())
        })
        .collect()
}

/// The marks of a line: lints, and the line where it is not this one.
fn marks_in(line: &str) -> Vec<(Vec<String>, Option<usize>)> {
    let mut found = Vec::new();
    for (opening, closing) in [("#~ ", ""), ("//~ ", ""), ("<!--~ ", "-->")] {
        let Some(at) = line.rfind(opening) else { continue };
        let before = line[..at].chars().next_back();
        if before.is_some_and(|c| !c.is_whitespace()) {
            continue;
        }
        let mut body = line[at + opening.len()..].trim();
        if let Some(shorter) = body.strip_suffix(closing) {
            body = shorter.trim();
        }
        let mut place = None;
        if let Some(rest) = body.strip_prefix('@') {
            let (number, lints) = rest.split_once(' ').unwrap();
            place = Some(number.parse().unwrap());
            body = lints.trim();
        }
        found.push((body.split(',').map(|lint| lint.trim().to_owned()).collect(), place));
    }
    found
}

/// Says what is missing and what is too much; `None` where all is well.
pub fn difference(expected: &BTreeSet<Mark>, found: &[(Mark, String)]) -> Option<String> {
    let seen: BTreeSet<&Mark> = found.iter().map(|(mark, _)| mark).collect();
    let mut lines = Vec::new();
    for mark in expected.iter().filter(|mark| !seen.contains(mark)) {
        lines.push(format!("  missing  {}:{} {}", mark.1, mark.2, mark.0));
    }
    for (mark, message) in found.iter().filter(|(mark, _)| !expected.contains(mark)) {
        lines.push(format!("  too much {}:{} {}: {message}", mark.1, mark.2, mark.0));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}
