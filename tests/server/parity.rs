//! The server finds what `check` finds, on the same trees.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::client::{Client, uri};
use super::page::Page;

/// Lint, file, line and column from 0 in characters.
type Mark = (String, String, u64, u64);

#[test]
fn server_and_command_line_agree() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let mut trees: Vec<PathBuf> = Vec::new();
    let mut tree = |files: &[(String, String)]| {
        let tree = root.join(format!("{:03}", trees.len()));
        // A tree is a repository of its own, as on anyone's disk.
        std::fs::create_dir_all(tree.join(".git")).unwrap();
        for (path, text) in files {
            let path = tree.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        trees.push(tree);
    };
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in entries(&home.join("lints")) {
        let page = Page::read(&std::fs::read_to_string(&page).unwrap());
        for section in ["Bad", "Good"] {
            page.workspaces(section).iter().for_each(|workspace| tree(&workspace.files));
        }
    }
    tree(&files_below(&home.join("examples")));
    for group in entries(&home.join("tests/corpus")) {
        for case in entries(&group) {
            if case.is_dir() {
                tree(&files_below(&case));
            } else {
                let name = case.file_name().unwrap().to_str().unwrap();
                let path = if group.ends_with("workflows") { format!(".github/workflows/{name}") } else { name.into() };
                tree(&[(path, std::fs::read_to_string(&case).unwrap())]);
            }
        }
    }
    assert!(trees.len() > 100, "only {} trees", trees.len());

    let folders: Vec<Value> = trees.iter().map(|tree| json!({"uri": uri(tree), "name": "t"})).collect();
    let capabilities = json!({"general": {"positionEncodings": ["utf-32"]}, "textDocument": {"diagnostic": {}}});
    let mut client = Client::with(&root, &json!({"workspaceFolders": folders, "capabilities": capabilities}));
    let report = client.request("workspace/diagnostic", &json!({"previousResultIds": []}));
    let mut told: BTreeMap<String, BTreeSet<Mark>> = BTreeMap::new();
    for item in report["items"].as_array().unwrap() {
        let address = item["uri"].as_str().unwrap();
        let below = address.strip_prefix(&format!("{}/", uri(&root))).unwrap();
        let (tree, path) = below.split_once('/').unwrap();
        let marks = told.entry(tree.to_owned()).or_default();
        for one in item["items"].as_array().unwrap() {
            let start = &one["range"]["start"];
            let (line, column) = (start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap());
            marks.insert((one["code"].as_str().unwrap_or_default().to_owned(), path.to_owned(), line, column));
        }
    }
    let mut wrong = Vec::new();
    let mut all = 0;
    for tree in &trees {
        let name = tree.file_name().unwrap().to_str().unwrap();
        let checked = checked(tree, &["."]);
        all += checked.len();
        let told = told.remove(name).unwrap_or_default();
        for missing in checked.difference(&told) {
            wrong.push(format!("{name}: only `check` finds {missing:?}"));
        }
        for extra in told.difference(&checked) {
            wrong.push(format!("{name}: only the server finds {extra:?}"));
        }
    }
    assert!(all > 100, "only {all} findings");
    assert!(wrong.is_empty(), "{} of {all} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the command line finds in a folder.
pub fn checked(folder: &Path, arguments: &[&str]) -> BTreeSet<Mark> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recipelint"));
    command.args(["check", "--format", "json", "--exit-zero"]).args(arguments);
    let output = command.current_dir(folder).output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let findings = value["findings"].as_array().unwrap().iter();
    findings
        .map(|one| {
            let number = |key: &str| one["start"][key].as_u64().unwrap();
            (text(&one["lint"]), text(&one["path"]), number("line") - 1, number("column") - 1)
        })
        .collect()
}

fn files_below(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(entries(&path));
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            files.push((path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned(), text));
        }
    }
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}
