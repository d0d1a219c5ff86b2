//! Names of files by a glob: `out/*.txt`.

use std::collections::HashMap;
use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};

use super::Value;

/// What is in the files that a glob names, one after the other.
pub(crate) fn contents(glob: &str, files: &HashMap<Arc<str>, Value>) -> Value {
    let mut all = Value::default();
    if files.is_empty() || !glob.contains(['*', '?']) {
        return all;
    }
    let Some(glob) = matcher(glob) else { return all };
    let mut named: Vec<&Arc<str>> = files.keys().filter(|path| names(&glob, path)).collect();
    named.sort_unstable();
    for content in named.into_iter().filter_map(|path| files.get(path)) {
        all.add_nodes(&content.nodes);
    }
    all
}

/// `*` and `?` stay within a folder, `**` goes through any; every other sign is taken as it is, since a path may hold
/// `${{ … }}`.
fn matcher(glob: &str) -> Option<GlobMatcher> {
    let mut plain = String::new();
    for character in glob.trim_start_matches("./").chars() {
        if matches!(character, '[' | ']' | '{' | '}' | '!' | '\\') {
            plain.push('\\');
        }
        plain.push(character);
    }
    let glob = GlobBuilder::new(&plain).literal_separator(true).backslash_escape(true).build().ok()?;
    Some(glob.compile_matcher())
}

fn names(glob: &GlobMatcher, path: &str) -> bool {
    glob.is_match(path.trim_start_matches("./"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
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
            assert_eq!(names(&matcher(glob).unwrap(), path), wanted, "{glob} {path}");
        }
    }
}
