//! `recipelint baseline`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::selection::Selection;
use super::{Failure, say};
use crate::report::{self, Format, Report, Style};
use crate::workspace::baseline::Baseline as Known;
use crate::workspace::{self, Outcome};

/// Arguments of `baseline`.
#[derive(Debug, Args)]
pub struct Baseline {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Write the findings of now; an existing baseline only loses entries that are gone
    Write {
        #[command(flatten)]
        selection: Selection,
        #[command(flatten)]
        file: BaselineFile,
        /// Write an existing baseline anew, with new findings
        #[arg(long)]
        renew: bool,
    },
    /// Fail on findings that are not in the baseline, and on entries that are gone
    Check {
        #[command(flatten)]
        selection: Selection,
        #[command(flatten)]
        file: BaselineFile,
    },
}

#[derive(Debug, Args)]
struct BaselineFile {
    /// The baseline
    #[arg(long, value_name = "FILE", default_value = "recipelint-baseline.json")]
    baseline: PathBuf,
}

impl Baseline {
    /// Writes or checks.
    pub fn run(self) -> Result<ExitCode, Failure> {
        match self.what {
            What::Write { selection, file, renew } => write(&selection.check()?, &file.baseline, renew),
            What::Check { selection, file } => check(selection.check()?, &file.baseline),
        }
    }
}

fn write(outcome: &Outcome, path: &Path, renew: bool) -> Result<ExitCode, Failure> {
    let code = tell_notes(outcome);
    let mut new = 0;
    let baseline = if path.exists() && !renew {
        let known = Known::read(path).map_err(Failure::new)?;
        let mut rest = outcome.clone();
        let stale = known.apply(&mut rest);
        new = rest.findings.len();
        known.without(&stale)
    } else {
        Known::of(outcome)
    };
    baseline.write(path).map_err(|error| Failure::new(format!("{}: could not be written: {error}", path.display())))?;
    say(&format!("{} holds {}", path.display(), count(baseline.len(), "finding")));
    if new > 0 {
        say(&format!("{} not added: mend them, or write the baseline anew with --renew", were(new, "new finding")));
    }
    Ok(code)
}

fn check(mut outcome: Outcome, path: &Path) -> Result<ExitCode, Failure> {
    let known = Known::read(path).map_err(Failure::new)?;
    let stale = known.apply(&mut outcome);
    let fingerprints = workspace::fingerprints(&outcome.index, &outcome.findings);
    let report = Report {
        index: &outcome.index,
        checked: &outcome.checked,
        findings: &outcome.findings,
        fingerprints: &fingerprints,
        notes: &outcome.notes,
        style: Style::default(),
    };
    let mut out = io::stdout().lock();
    report::write(Format::Concise, &report, &mut out)?;
    for one in &stale {
        writeln!(out, "{}: gone: {}: {}", one.path, one.lint, one.message)?;
    }
    let code = tell_notes(&outcome);
    let (new, gone) = (count(outcome.findings.len(), "new finding"), count(stale.len(), "entry that is gone"));
    say(&format!("{}: {new}, {}", path.display(), gone.replace("entry that is gones", "entries that are gone")));
    let clean = outcome.findings.is_empty() && stale.is_empty();
    Ok(if code != ExitCode::SUCCESS || clean { code } else { ExitCode::from(1) })
}

fn tell_notes(outcome: &Outcome) -> ExitCode {
    for note in &outcome.notes {
        say(&format!("{}: {}", note.path.display(), note.message));
    }
    if outcome.notes.iter().any(|note| note.failed) { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

fn count(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn were(number: usize, word: &str) -> String {
    format!("{} {}", count(number, word), if number == 1 { "was" } else { "were" })
}
