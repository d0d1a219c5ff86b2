//! `--changed-since REV`: the files that git calls different.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Failure;
use crate::workspace::root_of;

/// The files that differ from a revision or range, and those that git does not know yet, absolute.
pub fn since(revision: &str, cwd: &Path) -> Result<BTreeSet<PathBuf>, Failure> {
    if revision.starts_with('-') || revision.is_empty() {
        return Err(Failure::new(format!("--changed-since: `{revision}` is no revision")));
    }
    let root = root_of(cwd, cwd);
    if !root.repository {
        return Err(Failure::new("--changed-since: this folder is in no git repository"));
    }
    let mut paths =
        git(&root.path, &["diff", "--name-only", "-z", "--no-ext-diff", "--diff-filter=d", revision, "--"])?;
    paths.extend(git(&root.path, &["ls-files", "--others", "--exclude-standard", "-z"])?);
    Ok(paths)
}

/// The paths that a command of git prints.
fn git(root: &Path, arguments: &[&str]) -> Result<BTreeSet<PathBuf>, Failure> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(root)
        .output()
        .map_err(|error| Failure::new(format!("--changed-since: git could not be run: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let name = arguments.first().copied().unwrap_or_default();
        return Err(Failure::new(format!(
            "--changed-since: git {name}: {}; a shallow clone does not have every revision: fetch it first",
            said.trim()
        )));
    }
    let paths = output.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    Ok(paths.map(|path| root.join(path_of(path))).collect())
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    OsStr::new(&*String::from_utf8_lossy(bytes)).into()
}
