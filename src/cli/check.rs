//! `recipelint check`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::mend::{Mend, Next};
use super::selection::{Selection, broken};
use super::terminal::{self, Color};
use super::{Failure, changed, say, watch};
use crate::lints::Level;
use crate::recipe::Action;
use crate::report::{self, Format, Report, Style};
use crate::workspace::baseline::Baseline;
use crate::workspace::{self, Outcome};

/// A run that takes longer shows a bar on a terminal.
const PATIENCE: Duration = Duration::from_millis(700);

/// Arguments of `check`.
#[derive(Clone, Debug, Args)]
pub struct Check {
    #[command(flatten)]
    selection: Selection,
    /// What standard output gets
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write a report to a file as well; may be given several times
    #[arg(long, value_name = "FORMAT=FILE", value_parser = output)]
    output: Vec<(Format, PathBuf)>,
    /// The lowest level that makes the exit code 1
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "warning")]
    fail_on: FailOn,
    /// End with exit code 0 whatever was found
    #[arg(long)]
    exit_zero: bool,
    /// Report only findings that files changed since this git revision take part in
    #[arg(long, value_name = "REV")]
    changed_since: Option<String>,
    /// Leave out the findings of a baseline, see `recipelint baseline`
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    mend: Mend,
    /// Count the findings of each lint
    #[arg(long)]
    statistics: bool,
    /// Check again whenever a file changes
    #[arg(long)]
    watch: bool,
    /// Print findings only
    #[arg(long, short)]
    quiet: bool,
    /// Tell what was read and what was left out
    #[arg(long, short, conflicts_with = "quiet")]
    verbose: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value = "auto")]
    color: Color,
}

/// Levels that can fail a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Info,
}

fn output(text: &str) -> Result<(Format, PathBuf), String> {
    let (format, path) = text.split_once('=').ok_or("write FORMAT=FILE, such as sarif=out.sarif")?;
    if path.is_empty() {
        return Err("a file name is missing behind `=`".to_owned());
    }
    if path == "-" {
        return Err("standard output gets what `--format` says; write a file name".to_owned());
    }
    Format::from_str(format, false).map(|format| (format, PathBuf::from(path))).map_err(|_| {
        let all: Vec<_> = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
        let names: Vec<&str> = all.iter().map(clap::builder::PossibleValue::get_name).collect();
        format!("`{format}` is no format; there are {}", names.join(", "))
    })
}

impl Check {
    /// Checks and reports, once or until the process is ended.
    pub fn run(self) -> Result<ExitCode, Failure> {
        if !self.watch {
            return self.once();
        }
        let reports: Vec<PathBuf> = self.output.iter().map(|(_, path)| path.clone()).collect();
        watch::run(&self.selection, &reports, &|| self.once())
    }

    fn once(&self) -> Result<ExitCode, Failure> {
        let started = Instant::now();
        let (disk, mut request) = self.selection.request()?;
        let reports = self.output.iter().map(|(format, _)| *format).chain([self.format]);
        request.fixes = self.mend.is_wanted() || reports.into_iter().any(Format::shows_fixes);
        let changed = self.changed_since.as_ref().map(|revision| changed::since(revision, &request.cwd)).transpose()?;
        let baseline = self.baseline.as_deref().map(Baseline::read).transpose().map_err(Failure::new)?;
        let narrow = |outcome: &mut Outcome| {
            if let Some(changed) = &changed {
                outcome.keep_changed(changed);
            }
            baseline.as_ref().map(|baseline| baseline.apply(outcome)).unwrap_or_default()
        };
        let bar = Bar::new(self.quiet);
        let result = workspace::check(&disk, &request, &|done, all| bar.show(done, all));
        bar.clear();
        let outcome = result.map_err(|errors| broken(&errors))?;
        let mended = self.mend.run(&disk, &request, outcome, &|outcome| drop(narrow(outcome)), self.quiet)?;
        let mut outcome = match mended {
            Next::Report(outcome) => *outcome,
            Next::Done(code) => return Ok(code),
        };
        let stale = narrow(&mut outcome);
        if let Some(path) = self.baseline.as_ref().filter(|_| !stale.is_empty() && !self.quiet) {
            say(&format!(
                "{} of {} {} gone; `recipelint baseline write` takes them out",
                if stale.len() == 1 { "1 entry".to_owned() } else { format!("{} entries", stale.len()) },
                path.display(),
                if stale.len() == 1 { "is" } else { "are" }
            ));
        }
        self.report(&outcome)?;
        for note in outcome.notes.iter().filter(|note| note.failed || !self.quiet) {
            say(&format!("{}: {}", note.path.display(), note.message));
        }
        if self.verbose {
            tell(&outcome, started.elapsed());
        }
        Ok(self.exit_code(&outcome))
    }

    fn report(&self, outcome: &Outcome) -> Result<(), Failure> {
        let fingerprints = workspace::fingerprints(&outcome.index, &outcome.findings);
        let report = |style| Report {
            index: &outcome.index,
            checked: &outcome.checked,
            findings: &outcome.findings,
            fingerprints: &fingerprints,
            notes: &outcome.notes,
            style,
        };
        if self.format == Format::Github {
            job_summary(&report(Style::default()))?;
        }
        let mut out = BufWriter::new(io::stdout().lock());
        let written = report::write(self.format, &report(terminal::style(self.color)), &mut out)
            .and_then(|()| if self.statistics { statistics(self.format, outcome, &mut out) } else { Ok(()) })
            .and_then(|()| out.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            written => written?,
        }
        // A report that cannot be written takes no other one with it.
        let failures: Vec<String> = self
            .output
            .iter()
            .filter_map(|(format, path)| {
                let error = write_file(*format, &report(Style::default()), path).err()?;
                Some(format!("{}: could not be written: {}", path.display(), workspace::reason(&error)))
            })
            .collect();
        if failures.is_empty() { Ok(()) } else { Err(Failure::new(failures.join("\n"))) }
    }

    fn exit_code(&self, outcome: &Outcome) -> ExitCode {
        let level = match self.fail_on {
            FailOn::Error => Level::Error,
            FailOn::Warning => Level::Warning,
            FailOn::Info => Level::Info,
        };
        if outcome.notes.iter().any(|note| note.failed) {
            ExitCode::from(2)
        } else if !self.exit_zero && outcome.findings.iter().any(|finding| finding.level >= level) {
            ExitCode::from(1)
        } else {
            ExitCode::SUCCESS
        }
    }
}

fn write_file(format: Format, report: &Report<'_>, path: &Path) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    report::write(format, report, &mut file)?;
    file.flush()
}

/// The whole list for the page of the job, where GitHub asks for one.
fn job_summary(report: &Report<'_>) -> Result<(), Failure> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else { return Ok(()) };
    let mut file = File::options().append(true).create(true).open(path)?;
    Ok(report::write(Format::Markdown, report, &mut file)?)
}

/// Findings of each lint, the most first. Formats for programs keep standard output for themselves.
fn statistics(format: Format, outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &outcome.findings {
        *counts.entry(finding.lint).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(lint, count)| (std::cmp::Reverse(*count), *lint));
    let mut err = io::stderr();
    let out: &mut dyn Write = if matches!(format, Format::Human | Format::Concise) { out } else { &mut err };
    counts.iter().try_for_each(|(lint, count)| writeln!(out, "{count:>6}  {lint}"))
}

/// `--verbose`
fn tell(outcome: &Outcome, took: Duration) {
    let around = outcome.index.files().len().saturating_sub(outcome.checked.len());
    say(&format!("{} files checked, {around} read beside them, in {} ms", outcome.checked.len(), took.as_millis()));
    for file in outcome.checked.iter().filter_map(|id| outcome.index.file(*id)) {
        match file.recipe.skipped {
            Some(why) => say(&format!("{}: left out: {why}", file.source.path.display())),
            None => say(&format!("{}: read as {}", file.source.path.display(), file.dialect.name())),
        }
        for step in &file.recipe.steps {
            if let Action::Other(what) = &step.action {
                let at = file.source.position(step.span.start, crate::text::Unit::Utf32);
                say(&format!("{}:{}: {what} is not followed", file.source.path.display(), at.line + 1));
            }
        }
    }
}

/// A bar that appears on a terminal when a run takes long.
struct Bar {
    started: Instant,
    wanted: bool,
    drawn: OnceLock<ProgressBar>,
}

impl Bar {
    fn new(quiet: bool) -> Self {
        Self { started: Instant::now(), wanted: !quiet && io::stderr().is_terminal(), drawn: OnceLock::new() }
    }

    fn show(&self, done: usize, all: usize) {
        if self.wanted && self.started.elapsed() > PATIENCE {
            let bar = self.drawn.get_or_init(|| {
                let bar = ProgressBar::with_draw_target(Some(all as u64), ProgressDrawTarget::stderr());
                let style = ProgressStyle::with_template("{bar:30} {pos}/{len} files").ok();
                bar.set_style(style.unwrap_or_else(ProgressStyle::default_bar));
                bar
            });
            bar.set_position(done as u64);
        }
    }

    fn clear(&self) {
        if let Some(bar) = self.drawn.get() {
            bar.finish_and_clear();
        }
    }
}
