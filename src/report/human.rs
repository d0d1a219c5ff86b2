//! For people: the source with the place, the way the text took, and what to write instead.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;

use codespan_reporting::diagnostic::{Diagnostic, Label, Severity};
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::{self, Config};

use super::style::Ansi;
use super::{Report, drives_terminal, slashes, url};
use crate::flow::Place;
use crate::lints::{Finding, Level};
use crate::recipe::FileId;
use crate::text::Source;

/// A source line over this many bytes is not shown.
const MAX_LINE: usize = 1_000;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let config = Config::default();
    let sources = Sources::new(report);
    for finding in report.findings {
        let mut buffer = Vec::new();
        let diagnostic = diagnostic(report, finding);
        match term::emit_to_write_style(&mut Ansi::new(&mut buffer, report.style), &config, &sources, &diagnostic) {
            Ok(()) => out.write_all(&buffer)?,
            Err(Error::Io(error)) => return Err(error),
            Err(_) => writeln!(out, "{}\n", super::concise::line(report, finding))?,
        }
    }
    writeln!(out, "{}", report.summary())
}

fn diagnostic(report: &Report<'_>, finding: &Finding) -> Diagnostic<FileId> {
    let severity = match finding.level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
        Level::Info | Level::Off => Severity::Note,
    };
    let mut labels = Vec::new();
    let mut notes = Vec::new();
    if is_shown(report, finding.place) {
        labels.push(Label::primary(finding.place.file, finding.place.span.range()));
    } else {
        let (path, start, _) = report.locate(finding.place);
        notes.push(format!("at {path}:{}:{}, in a line too long to be shown", start.line, start.column));
    }
    for related in &finding.related {
        if is_shown(report, related.place) {
            let label = Label::secondary(related.place.file, related.place.span.range());
            labels.push(label.with_message(printable(&related.message)));
        } else {
            let (path, start, _) = report.locate(related.place);
            notes.push(format!("{path}:{}:{}: {}", start.line, start.column, printable(&related.message)));
        }
    }
    notes.extend(finding.help.as_ref().map(|help| format!("help: {}", printable(help))));
    Diagnostic::new(severity)
        .with_code(report.style.link(finding.lint, url(finding.lint).as_deref()))
        .with_message(printable(&finding.message))
        .with_labels(labels)
        .with_notes(notes)
}

fn is_shown(report: &Report<'_>, place: Place) -> bool {
    report.source(place).is_some_and(|source| {
        let (first, last) = (source.lines.line(place.span.start), source.lines.line(place.span.end));
        [first, last].iter().all(|line| source.lines.span(*line, &source.text).len() <= MAX_LINE)
    })
}

/// The text without the characters that drive a terminal. Every byte keeps its place.
fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(drives_terminal) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            harmful if drives_terminal(harmful) => shown.extend(std::iter::repeat_n('?', harmful.len_utf8())),
            other => shown.push(other),
        }
    }
    Cow::Owned(shown)
}

/// The files that findings show, for codespan-reporting, which asks for each of them many times.
struct Sources<'r> {
    report: &'r Report<'r>,
    shown: HashMap<FileId, Cow<'r, str>>,
}

impl<'r> Sources<'r> {
    fn new(report: &'r Report<'r>) -> Self {
        let mut shown = HashMap::new();
        let places = report
            .findings
            .iter()
            .flat_map(|finding| finding.related.iter().map(|related| related.place).chain([finding.place]));
        for place in places {
            if let Some(source) = report.source(place) {
                shown.entry(place.file).or_insert_with(|| printable(&source.text));
            }
        }
        Self { report, shown }
    }

    fn get(&self, id: FileId) -> Result<&Source, Error> {
        self.report.index.file(id).map(|file| &file.source).ok_or(Error::FileMissing)
    }
}

impl<'a> Files<'a> for Sources<'_> {
    type FileId = FileId;
    type Name = String;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<String, Error> {
        self.get(id).map(|source| slashes(&source.path))
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        self.shown.get(&id).map(AsRef::as_ref).ok_or(Error::FileMissing)
    }

    fn line_index(&'a self, id: FileId, byte: usize) -> Result<usize, Error> {
        self.get(id).map(|source| source.lines.line(byte.min(source.text.len())))
    }

    fn line_range(&'a self, id: FileId, line: usize) -> Result<Range<usize>, Error> {
        let source = self.get(id)?;
        if line >= source.lines.len() {
            return Err(Error::LineTooLarge { given: line, max: source.lines.len() });
        }
        Ok(source.lines.start(line, &source.text)..source.lines.start(line + 1, &source.text))
    }
}
