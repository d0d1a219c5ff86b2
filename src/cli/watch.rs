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
/// `reports`: files that a run writes.
pub fn run(
    selection: &Selection,
    reports: &[PathBuf],
    once: &dyn Fn() -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    let fail = |error: notify::Error| Failure::new(format!("--watch: {error}"));
    if selection.paths.iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::new("--watch: standard input cannot be watched"));
    }
    let cwd = std::env::current_dir()?;
    let (sender, changes) = mpsc::channel();
    let own: Vec<PathBuf> = reports.iter().map(|path| absolute(path, &cwd)).chain(streams()).collect();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| matters(&event, &own)) {
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

/// Reading is no change, nor is what git does to its own files, nor what a run writes itself.
fn matters(event: &notify::Event, own: &[PathBuf]) -> bool {
    let git = |path: &Path| path.components().any(|part| part.as_os_str() == ".git");
    !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(|path| !git(path) && !own.contains(path))
}

/// The files that standard output and standard error go to, where the system tells.
fn streams() -> impl Iterator<Item = PathBuf> {
    ["/proc/self/fd/1", "/proc/self/fd/2"].into_iter().filter_map(|link| std::fs::read_link(link).ok())
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

#[cfg(test)]
mod tests {
    use notify::event::{AccessKind, CreateKind};

    use super::*;

    #[test]
    fn a_run_is_not_woken_by_what_it_writes() {
        let event = |kind: EventKind, path: &str| notify::Event::new(kind).add_path(PathBuf::from(path));
        let created = EventKind::Create(CreateKind::File);
        let own = [PathBuf::from("/w/report.json")];
        assert!(matters(&event(created, "/w/x.yaml"), &own));
        assert!(!matters(&event(created, "/w/report.json"), &own));
        assert!(!matters(&event(created, "/w/.git/index"), &own));
        assert!(!matters(&event(EventKind::Access(AccessKind::Read), "/w/x.yaml"), &own));
    }
}
