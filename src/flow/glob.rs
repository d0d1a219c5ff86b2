//! Names of files by a glob: `out/*.txt`.

use std::collections::HashMap;
use std::sync::Arc;

use super::Value;

/// What is in the files that a glob names, one after the other.
pub(crate) fn contents(glob: &str, files: &HashMap<Arc<str>, Value>) -> Value {
    let mut all = Value::default();
    if glob.contains(['*', '?']) {
        let mut named: Vec<&Arc<str>> = files.keys().filter(|path| names(glob, path)).collect();
        named.sort_unstable();
        for content in named.into_iter().filter_map(|path| files.get(path)) {
            all.add_nodes(&content.nodes);
        }
    }
    all
}

/// Whether a glob names a path: `*` and `?` stay within a folder, `**` (the first one) goes through any.
fn names(glob: &str, path: &str) -> bool {
    let segments: Vec<&str> = path.trim_start_matches("./").split('/').collect();
    let parts: Vec<&str> = glob.trim_start_matches("./").split('/').collect();
    let all = |parts: &[&str], segments: &[&str]| {
        parts.len() == segments.len() && parts.iter().zip(segments).all(|(part, segment)| fits(part, segment))
    };
    let Some(at) = parts.iter().position(|part| *part == "**") else { return all(&parts, &segments) };
    let (before, behind) = (parts.get(..at).unwrap_or_default(), parts.get(at + 1..).unwrap_or_default());
    let Some(last) = segments.len().checked_sub(behind.len()).filter(|last| *last >= before.len()) else {
        return false;
    };
    all(before, segments.get(..before.len()).unwrap_or_default())
        && all(behind, segments.get(last..).unwrap_or_default())
}

/// One folder's or file's name: the last `*` takes as much as is needed, so this is bounded by the product of the lengths.
fn fits(part: &str, name: &str) -> bool {
    let (part, name): (Vec<char>, Vec<char>) = (part.chars().collect(), name.chars().collect());
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(character) = name.get(seen) {
        match part.get(at) {
            Some('*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || wanted == character => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((from, taken)) = star else { return false };
                star = Some((from, taken + 1));
                at = from + 1;
                seen = taken + 1;
            }
        }
    }
    part.iter().skip(at).all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_name_paths() {
        for (glob, path, wanted) in [
            ("out/*.txt", "out/a.txt", true),
            ("out/*.txt", "out/verdict-${{ matrix.judge }}.txt", true),
            ("out/*.txt", "out/deep/a.txt", false),
            ("./*.md", "a.md", true),
            ("*", "a.md", true),
            ("a?c*", "abcd", true),
            ("*a*b*", "xaxxbx", true),
            ("*a*b", "xaxxbx", false),
            ("out/**/a.md", "out/a.md", true),
            ("out/**/*.md", "out/x/y/a.md", true),
            ("out/**", "out/x/y/a.md", true),
            ("out/**/a.md", "a.md", false),
            ("out/*.txt", "out/a.md", false),
        ] {
            assert_eq!(names(glob, path), wanted, "{glob} {path}");
        }
    }
}
