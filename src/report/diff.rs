//! Unified diffs of mended files.

use similar::TextDiff;

/// The difference between two versions of a file, with three lines around each change; empty when they are equal.
pub fn unified(path: &str, old: &str, new: &str) -> String {
    // As git writes it: `patch -p1` finds an absolute path from the root.
    let path = path.trim_start_matches('/');
    TextDiff::from_lines(old, new)
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}
