//! `--watch`: the same run again whenever something below the checked paths changes.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::Duration;

use notify::event::EventKind;
use notify::{RecursiveMode, Watcher};

use super::selection::Selection;
use super::{Failure, say};
use crate::workspace::absolute;

/// Editors write in several steps: so long must nothing happen before the next run.
const QUIET: Duration = Duration::from_millis(100);

/// Runs, and runs again on each change. Ends only with the process, or when nothing can be watched any more.
pub fn run(selection: &Selection, once: &dyn Fn() -> Result<ExitCode, Failure>) -> Result<ExitCode, Failure> {
    let fail = |error: notify::Error| Failure::new(format!("--watch: {error}"));
    if selection.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::new("--watch: standard input cannot be watched"));
    }
    let cwd = std::env::current_dir()?;
    let (sender, changes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| matters(&event)) {
            let _ = sender.send(());
        }
    })
    .map_err(fail)?;
    for folder in folders(&selection.paths, &cwd) {
        watcher.watch(&folder, RecursiveMode::Recursive).map_err(fail)?;
    }
    loop {
        if io::stdout().is_terminal() {
            let _ = write!(io::stdout(), "\x1b[2J\x1b[H");
        }
        if let Err(failure) = once() {
            say(&failure.message);
        }
        say("watching for changes");
        if changes.recv().is_err() {
            return Ok(ExitCode::SUCCESS);
        }
        while changes.recv_timeout(QUIET).is_ok() {}
    }
}

/// Reading is no change, nor is what git does to its own files.
fn matters(event: &notify::Event) -> bool {
    !matches!(event.kind, EventKind::Access(_))
        && event.paths.iter().any(|path| !path.components().any(|part| part.as_os_str() == ".git"))
}

/// The folders of the arguments; for files and globs the nearest folder that exists.
fn folders(paths: &[PathBuf], cwd: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = paths
        .iter()
        .filter_map(|path| absolute(path, cwd).ancestors().find(|path| path.is_dir()).map(Path::to_owned))
        .collect();
    folders.sort();
    folders.dedup();
    folders
}
