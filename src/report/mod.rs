//! Output formats: one small module each, all with the same input and `write(&Report, &mut dyn Write)`. What a run
//! means for the exit code is no business of theirs.

mod checkstyle;
mod concise;
mod diff;
mod github;
mod gitlab;
pub mod graph;
mod human;
mod json;
mod junit;
mod markdown;
mod rdjson;
mod sarif;
mod style;
#[cfg(test)]
mod tests;
mod xml;

use std::io::{self, Write};
use std::path::Path;

use serde::{Serialize, Serializer};

use crate::flow::Place;
use crate::lints::{Finding, Level};
use crate::recipe::{FileId, Index};
use crate::text::{LineColumn, Source, Span, Unit};
use crate::workspace::Note;

pub use diff::unified;
pub use style::Style;

/// What every format is given.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The files that findings point to.
    pub index: &'a Index,
    /// The files that were checked.
    pub checked: &'a [FileId],
    /// In order.
    pub findings: &'a [Finding],
    /// One for each finding: what stays the same when lines move (see [`crate::workspace::fingerprints`]).
    pub fingerprints: &'a [String],
    /// What could not be read.
    pub notes: &'a [Note],
    /// How it may look.
    pub style: Style,
}

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Source, place and the way the text took, for people
    Human,
    /// `path:line:column: level[lint] message`, one line each
    Concise,
    /// One JSON object with everything
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions: the worst ten as annotations, the others in a group
    Github,
    /// GitLab code quality
    Gitlab,
    /// junit XML
    Junit,
    /// Checkstyle XML
    Checkstyle,
    /// Reviewdog Diagnostic Format
    Rdjson,
    /// Markdown, for summaries and comments
    Markdown,
}

/// A sequence that is made while it is written: a report of many findings is larger than the texts they are about.
struct OneByOne<F>(F);

impl<F, I> Serialize for OneByOne<F>
where
    F: Fn() -> I,
    I: Iterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl Format {
    /// Whether it shows how findings are mended.
    pub fn shows_fixes(self) -> bool {
        matches!(self, Self::Json | Self::Sarif | Self::Rdjson)
    }
}

/// Writes a report.
pub fn write(format: Format, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Human => human::write(report, out),
        Format::Concise => concise::write(report, out),
        Format::Json => json::write(report, out),
        Format::Sarif => sarif::write(report, out),
        Format::Github => github::write(report, out),
        Format::Gitlab => gitlab::write(report, out),
        Format::Junit => junit::write(report, out),
        Format::Checkstyle => checkstyle::write(report, out),
        Format::Rdjson => rdjson::write(report, out),
        Format::Markdown => markdown::write(report, out),
    }
}

/// The page of a lint on the web; `None` in a build that does not say where its repository is.
pub fn url(lint: &str) -> Option<String> {
    let repository = env!("CARGO_PKG_REPOSITORY");
    (!repository.is_empty()).then(|| format!("{repository}/blob/main/lints/{lint}.md"))
}

impl<'a> Report<'a> {
    /// The source a place lies in.
    fn source(&self, place: Place) -> Option<&'a Source> {
        self.index.file(place.file).map(|file| &file.source)
    }

    /// The file of a place, relative to the workspace's root, for systems that show it in the repository.
    fn below_root(&self, place: Place) -> Option<&'a Path> {
        let location = self.index.file(place.file)?.location.as_deref()?;
        location.strip_prefix(self.index.root()?).ok().filter(|below| !below.as_os_str().is_empty())
    }

    /// The same as text; a file outside of the root as the user named it.
    fn in_repository(&self, place: Place) -> String {
        self.below_root(place).map_or_else(|| self.locate(place).0, slashes)
    }

    /// Path, start and end of a place, counted from 1 in characters.
    fn locate(&self, place: Place) -> (String, LineColumn, LineColumn) {
        match self.source(place) {
            Some(source) => {
                let (start, end) = range(source, place.span, Unit::Utf32);
                (slashes(&source.path), start, end)
            }
            None => (String::new(), LineColumn { line: 1, column: 1 }, LineColumn { line: 1, column: 1 }),
        }
    }

    /// Number of findings of a level.
    fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }

    /// `2 errors and 1 warning in 3 files`
    fn summary(&self) -> String {
        let levels: Vec<String> = [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Info, "note")]
            .into_iter()
            .filter_map(|(level, word)| match self.count(level) {
                0 => None,
                count => Some(plural(count, word)),
            })
            .collect();
        let found = match levels.as_slice() {
            [] => "no findings".to_owned(),
            [only] => only.clone(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        };
        format!("{found} in {}", plural(self.checked.len(), "file"))
    }

    /// The fingerprint of a finding by its position.
    fn fingerprint(&self, at: usize) -> &'a str {
        self.fingerprints.get(at).map_or("", String::as_str)
    }
}

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Whether a character moves the cursor or changes the colours of a terminal: a recipe may hold some, and reports and
/// logs are shown on terminals. Line breaks and tabs are none.
fn drives_terminal(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

/// Without the characters that drive a terminal.
fn harmless(text: &str) -> String {
    text.replace(drives_terminal, "\u{FFFD}")
}

/// Line and column of both ends, counted from 1.
fn range(source: &Source, span: Span, unit: Unit) -> (LineColumn, LineColumn) {
    let one_based = |offset| {
        let at = source.position(offset, unit);
        LineColumn { line: at.line + 1, column: at.column + 1 }
    };
    (one_based(span.start), one_based(span.end))
}

/// A path with `/` between its parts, on every system.
fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace(std::path::MAIN_SEPARATOR, "/") }
}

/// Message and help in one text.
fn whole_message(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    }
}
