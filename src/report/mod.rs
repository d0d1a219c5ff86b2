//! Output formats: one small module each, all with the same input.

mod json;

use std::io::{self, Write};

use crate::lints::{Finding, Level};
use crate::recipe::Index;
use crate::text::{LineColumn, Source, Span, Unit};

/// What every format is given.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The files that findings point to.
    pub index: &'a Index,
    /// In order.
    pub findings: &'a [Finding],
    /// How many files were checked.
    pub files: usize,
}

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One JSON object.
    Json,
}

/// Writes a report.
pub fn write(format: Format, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Json => json::write(report, out),
    }
}

/// The page of a lint on the web; `None` in a build that does not say where its repository is.
pub fn url(lint: &str) -> Option<String> {
    let repository = env!("CARGO_PKG_REPOSITORY");
    (!repository.is_empty()).then(|| format!("{repository}/blob/main/lints/{lint}.md"))
}

impl Report<'_> {
    /// The source a place lies in.
    fn source(&self, place: crate::flow::Place) -> Option<&Source> {
        self.index.file(place.file).map(|file| &file.source)
    }

    /// Number of findings of a level.
    fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }
}

/// Line and column of both ends, counted from 1, columns in characters.
fn range(source: &Source, span: Span) -> (LineColumn, LineColumn) {
    let one_based = |offset| {
        let at = source.position(offset, Unit::Utf32);
        LineColumn { line: at.line + 1, column: at.column + 1 }
    };
    (one_based(span.start), one_based(span.end))
}

/// A path with `/` between its parts, on every system.
fn slashes(path: &std::path::Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace(std::path::MAIN_SEPARATOR, "/") }
}
