//! Recipes and workflows in `tests/corpus`, with marks for everything that is to be found in them and nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::workspace::{Mark, Workspace, difference};

/// Lints that only give hints: expected where a mark says so, else ignored.
const HINTS: [&str; 3] = ["unused-output", "unchecked-parse-json", "multiple-output-contracts"];

#[test]
fn the_corpus_gives_what_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut wrong = Vec::new();
    let mut cases = 0;
    for (name, case) in cases_below(&root) {
        cases += 1;
        let expected = case.expected();
        let found: Vec<(Mark, String)> = case
            .found()
            .into_iter()
            .filter(|(mark, _)| !HINTS.contains(&mark.0.as_str()) || expected.contains(mark))
            .collect();
        if let Some(difference) = difference(&expected, &found) {
            wrong.push(format!("{name}:\n{difference}"));
        }
        if name.contains("clean") && !expected.is_empty() {
            wrong.push(format!("{name} is called clean and has marks"));
        }
        let lines: BTreeSet<&str> = case.files.iter().flat_map(|(_, text)| text.lines()).collect();
        assert!(!lines.is_empty(), "{name} is empty");
    }
    assert!(cases > 20, "only {cases} cases were found");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A case is a file or a folder directly below a group's folder. Single workflows are put where workflows belong.
fn cases_below(root: &Path) -> Vec<(String, Workspace)> {
    let mut cases = Vec::new();
    for group in sorted(root) {
        for entry in sorted(&group) {
            let name = entry.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            let mut files = Vec::new();
            if entry.is_dir() {
                collect(&entry, &entry, &mut files);
            } else {
                let file = entry.file_name().unwrap().to_string_lossy().into_owned();
                let path = if name.starts_with("workflows/") { format!(".github/workflows/{file}") } else { file };
                files.push((path, fs::read_to_string(&entry).unwrap()));
            }
            cases.push((name, Workspace { files }));
        }
    }
    cases
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in sorted(folder) {
        if entry.is_dir() {
            collect(root, &entry, files);
        } else {
            let path = entry.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            files.push((path, fs::read_to_string(&entry).unwrap()));
        }
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}
