//! `recipelint check --fix`: applying fixes from the command line.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use super::{Failure, say};
use crate::fix::Policy;
use crate::lints::{Fix, Safety};
use crate::report;
use crate::workspace::{self, Disk, Mended, Note, Outcome, Request};

/// Which fixes are applied, and whether they are written.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Mend {
    /// Apply fixes that keep the meaning
    #[arg(long)]
    fix: bool,
    /// Apply proposals too, with or without --fix: read them afterwards
    #[arg(long)]
    unsafe_fixes: bool,
    /// Print what fixes would change as a unified diff, and write nothing; exit code 1 when there is a difference
    #[arg(long)]
    diff: bool,
}

/// What is left to do after mending.
pub(super) enum Next {
    /// Report these findings.
    Report(Box<Outcome>),
    /// Everything is printed.
    Done(ExitCode),
}

impl Mend {
    /// Whether any of the options is given.
    pub(super) fn is_wanted(self) -> bool {
        self.fix || self.unsafe_fixes || self.diff
    }

    /// Applies what was asked for to the findings that `narrow` leaves. Without any of the options the outcome goes on as
    /// it is.
    pub(super) fn run(
        self,
        disk: &Disk,
        request: &Request,
        outcome: Outcome,
        narrow: &dyn Fn(&mut Outcome),
        quiet: bool,
    ) -> Result<Next, Failure> {
        if !self.is_wanted() {
            return Ok(Next::Report(Box::new(outcome)));
        }
        let policy = if self.unsafe_fixes { Policy::Suggested } else { Policy::Safe };
        let mut mended = workspace::mend(disk, request, outcome, policy, narrow)
            .map_err(|errors| super::selection::broken(&errors))?;
        if !quiet {
            for skipped in &mended.skipped {
                // Nothing is written where only the difference is printed.
                let line = if self.diff { skipped.old_line } else { skipped.line };
                let place = format!("{}:{line}", skipped.path.display());
                say(&format!("{place}: the fix of {} was left out: {}", skipped.lint, skipped.reason));
            }
        }
        let proposals = if quiet || self.unsafe_fixes { 0 } else { proposals(&mended.outcome, narrow) };
        if proposals > 0 {
            let left = plural(proposals, "fix is a proposal", "fixes are proposals");
            say(&format!("{left}: --unsafe-fixes applies proposals, --diff --unsafe-fixes shows them"));
        }
        if self.diff {
            return self.print_diff(&mended);
        }
        // Text that came in goes out, mended or not: a pipe may be what puts it back.
        let mut standard_input = disk.buffers().values().next().cloned();
        for (path, (old, new)) in &mended.changed {
            if disk.buffers().contains_key(path) {
                standard_input = Some(new.clone());
            } else if let Err(error) = workspace::write(path, old, new) {
                let message = format!("could not be written: {}", workspace::reason(&error));
                mended.outcome.notes.push(Note { path: path.clone(), message, failed: true });
            }
        }
        if !quiet && mended.applied > 0 {
            let files = mended.changed.len();
            say(&format!("{} applied in {}", plural(mended.applied, "fix", "fixes"), plural(files, "file", "files")));
        }
        if let Some(text) = standard_input {
            std::io::stdout().lock().write_all(text.as_bytes())?;
            return Ok(Next::Done(ExitCode::SUCCESS));
        }
        Ok(Next::Report(Box::new(mended.outcome)))
    }

    fn print_diff(self, mended: &Mended) -> Result<Next, Failure> {
        let mut out = std::io::stdout().lock();
        for (path, (old, new)) in &mended.changed {
            let shown = mended.outcome.index.at(path).map_or(path.as_path(), |file| &file.source.path);
            out.write_all(report::unified(&shown.display().to_string(), old, new).as_bytes())?;
        }
        let failed: Vec<&Note> = mended.outcome.notes.iter().filter(|note| note.failed).collect();
        failed.iter().for_each(|note| say(&format!("{}: {}", note.path.display(), note.message)));
        let code = match (failed.is_empty(), mended.changed.is_empty()) {
            (false, _) => 2,
            (true, changed_nothing) => u8::from(!changed_nothing),
        };
        Ok(Next::Done(ExitCode::from(code)))
    }
}

/// The findings left that only a proposal would mend.
fn proposals(outcome: &Outcome, narrow: &dyn Fn(&mut Outcome)) -> usize {
    let mut left = outcome.clone();
    narrow(&mut left);
    let is_proposal = |fix: &Fix| fix.safety == Safety::Suggest;
    left.findings.iter().filter(|finding| finding.fix.as_ref().is_some_and(is_proposal)).count()
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
