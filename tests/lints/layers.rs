//! A layer uses only the layers that stand before it.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up; layers of one row do not know each other.
const LAYERS: &[&[&str]] = &[
    &["text"],
    &["syntax"],
    &["recipe"],
    &["verdict"],
    &["flow"],
    &["lints"],
    &["fix"],
    &["workspace"],
    &["report"],
    &["server"],
    &["cli"],
];

#[test]
fn layers_import_only_earlier_ones() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (height, row) in LAYERS.iter().enumerate() {
        for layer in *row {
            for file in files_of(&source, layer) {
                seen += 1;
                let text = fs::read_to_string(&file).unwrap();
                for other in imports(&text) {
                    let Some(target) = LAYERS.iter().position(|row| row.contains(&other.as_str())) else { continue };
                    let allowed =
                        if *layer == "verdict" { other == "verdict" } else { target < height || other == *layer };
                    if !allowed {
                        wrong.push(format!("{} uses crate::{other}", file.strip_prefix(&source).unwrap().display()));
                    }
                }
            }
        }
    }
    assert!(seen > 50, "only {seen} files were looked at");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn files_of(source: &Path, layer: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![source.join(layer)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    let single = source.join(format!("{layer}.rs"));
    if single.is_file() {
        files.push(single);
    }
    files
}

/// Names of modules behind `crate::`, tests of the modules excluded: these may look around.
fn imports(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut names = Vec::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for (at, _) in line.match_indices("crate::") {
            let rest = &line[at + "crate::".len()..];
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            names.push(name);
            if let Some(list) = rest.strip_prefix('{') {
                let list = list.split(['}', ';']).next().unwrap_or_default();
                for part in list.split(',') {
                    names.push(part.trim().split("::").next().unwrap_or_default().to_owned());
                }
            }
        }
    }
    names
}
