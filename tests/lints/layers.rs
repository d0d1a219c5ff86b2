//! A layer uses only the layers that stand before it, and no files use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

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

/// The names from the crate's root to a module or an item.
type Names = Vec<String>;

#[test]
fn layers_import_only_earlier_ones() {
    let height = |layer: &str| LAYERS.iter().position(|row| row.contains(&layer));
    let mut wrong = Vec::new();
    for (module, used) in uses() {
        let Some(from) = height(&module[0]) else { continue };
        for other in used.iter().map(|path| path[0].as_str()).collect::<BTreeSet<_>>() {
            let Some(to) = height(other) else { continue };
            let allowed = other == module[0] || module[0] != "verdict" && to < from;
            if !allowed {
                wrong.push(format!("{} uses crate::{other}", module.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A module and the modules inside it are one thing, so that they may know each other.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let uses = uses();
    let mut open: BTreeMap<&Names, BTreeSet<&Names>> = uses
        .iter()
        .map(|(module, used)| {
            let other = |target: &&Names| !target.starts_with(module);
            (module, used.iter().filter_map(|path| home(&uses, path)).filter(other).collect())
        })
        .collect();
    let name = |path: &str| path.split("::").map(str::to_owned).collect::<Names>();
    let passed_on = open[&name("lints::check")].contains(&name("lints::registry"));
    assert!(passed_on, "`lints()` is not seen to come from the registry: this test has become blind");
    // Takes away what uses nothing that is left, or is used by nothing that is left, until only circles are left.
    loop {
        let before = open.len();
        let used: BTreeSet<&Names> = open.values().flatten().copied().collect();
        open.retain(|module, targets| !targets.is_empty() && used.contains(module));
        let left: BTreeSet<&Names> = open.keys().copied().collect();
        open.values_mut().for_each(|targets| targets.retain(|target| left.contains(target)));
        if open.len() == before {
            break;
        }
    }
    let left: Vec<String> = open
        .iter()
        .map(|(module, used)| {
            let used: Vec<String> = used.iter().map(|target| target.join("::")).collect();
            format!("{} uses {}", module.join("::"), used.join(", "))
        })
        .collect();
    assert!(left.is_empty(), "in a circle, or between two:\n{}", left.join("\n"));
}

/// The module in whose file a path ends: where a module passes a name on, that of the name's own module.
fn home<'a>(uses: &'a BTreeMap<Names, BTreeSet<Names>>, path: &[String]) -> Option<&'a Names> {
    let length = (1..=path.len()).rev().find(|length| uses.contains_key(&path[..*length]))?;
    let (module, used) = uses.get_key_value(&path[..length])?;
    let Some(name) = path.get(length) else { return Some(module) };
    let passed_on =
        used.iter().find(|inner| inner.len() > path.len() && inner.starts_with(module) && inner.last() == Some(name));
    passed_on.and_then(|inner| home(uses, inner)).or(Some(module))
}

/// Every module with a file of its own, tests excluded (these may look around), and the paths that it names.
fn uses() -> BTreeMap<Names, BTreeSet<Names>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses = BTreeMap::new();
    let mut open = vec![(source, Names::new())];
    while let Some((folder, above)) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            let module: Names = above.iter().cloned().chain((stem != "mod").then(|| stem.to_owned())).collect();
            if path.is_dir() && stem != "tests" {
                open.push((path, module));
            } else if path.is_file() && stem != "tests" && !above.is_empty() {
                let used = paths(&fs::read_to_string(&path).unwrap(), &module);
                uses.insert(module, used);
            }
        }
    }
    assert!(uses.len() > 50, "only {} files were looked at", uses.len());
    uses
}

/// What a module's text names by `crate::…`, `super::…` or `use …`.
fn paths(text: &str, module: &[String]) -> BTreeSet<Names> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let code: String =
        code.lines().filter(|line| !line.trim_start().starts_with("//")).map(|l| l.to_owned() + "\n").collect();
    let starts = ["crate::", "super::", "use "].iter().flat_map(|word| code.match_indices(word).map(|(at, _)| at));
    let mut paths = BTreeSet::new();
    for start in starts.filter(|at| !code[..*at].ends_with("::")) {
        for mut path in expand(code[start..].trim_start_matches("use ")) {
            let ups = path.iter().take_while(|name| *name == "super").count();
            if path[0] == "crate" {
                path.remove(0);
            } else {
                path.splice(..ups, module[..module.len().saturating_sub(ups)].iter().cloned());
            }
            if !path.is_empty() {
                paths.insert(path);
            }
        }
    }
    paths
}

/// The paths of `a::{b, c::{d, e}}` at the start of a text.
fn expand(text: &str) -> Vec<Names> {
    let (mut path, mut outer, mut done) = (Names::new(), Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        rest = &rest[name.len().max(next.len_utf8())..];
        match next {
            _ if !name.is_empty() => path.push(name),
            ':' => {}
            '{' => outer.push(path.len()),
            ',' | '}' if !outer.is_empty() => {
                done.push(path.clone());
                path.truncate(outer[outer.len() - 1]);
                if next == '}' {
                    outer.pop();
                }
            }
            ' ' | '\n' if !outer.is_empty() => {}
            _ => break,
        }
    }
    done.push(path);
    done.retain(|path| !path.is_empty());
    done
}
