//! `recipelint check`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::Failure;
use super::terminal::{self, Color};
use crate::lints::Level;
use crate::report::{self, Format, Report};
use crate::workspace::config::Choice;
use crate::workspace::{self, Disk, Request};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Files, folders and globs
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Colour the output
    #[arg(long, value_enum, default_value = "auto", global = true)]
    color: Color,
    /// Ignore configuration files
    #[arg(long)]
    no_config: bool,
    /// End with exit code 0 whatever was found
    #[arg(long)]
    exit_zero: bool,
}

impl Check {
    /// Checks and reports.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let config = if self.no_config { Choice::None } else { Choice::Nearest };
        let request = Request { paths: self.paths, cwd: std::env::current_dir()?, config };
        let outcome = workspace::check(&Disk::default(), &request, &|_, _| ()).map_err(|_| "x")?;
        let fingerprints = workspace::fingerprints(&outcome.index, &outcome.findings);
        let report = Report {
            index: &outcome.index,
            checked: &outcome.checked,
            findings: &outcome.findings,
            fingerprints: &fingerprints,
            notes: &outcome.notes,
            style: terminal::style(self.color),
        };
        let mut out = io::stdout().lock();
        report::write(self.format, &report, &mut out)?;
        out.flush()?;
        for note in &outcome.notes {
            eprintln!("recipelint: {}: {}", note.path.display(), note.message);
        }
        let bad = outcome.findings.iter().any(|finding| finding.level >= Level::Warning);
        Ok(if outcome.notes.iter().any(|note| note.failed) {
            ExitCode::from(2)
        } else if bad && !self.exit_zero {
            ExitCode::from(1)
        } else {
            ExitCode::SUCCESS
        })
    }
}
