//! The linter's own JSON: one object, stable, for programs.

use std::io::{self, Write};

use super::{OneByOne, Report, range, url};
use crate::lints::{Edit, Finding, Fix, Level, Related, Safety};
use crate::text::Unit;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let summary = Summary {
        files: report.checked.len(),
        findings: report.findings.len(),
        errors: report.count(Level::Error),
        warnings: report.count(Level::Warning),
        infos: report.count(Level::Info),
    };
    let findings = OneByOne(|| report.findings.iter().map(|finding| One::new(report, finding)));
    serde_json::to_writer_pretty(&mut *out, &Whole { version: 1, findings, summary })?;
    writeln!(out)
}

#[derive(serde::Serialize)]
struct Whole<F> {
    version: u32,
    findings: F,
    summary: Summary,
}

#[derive(serde::Serialize)]
struct Summary {
    files: usize,
    findings: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
}

#[derive(serde::Serialize)]
struct One<'a> {
    lint: &'a str,
    level: Level,
    message: &'a str,
    #[serde(flatten)]
    place: Option<Place>,
    related: Vec<Other<'a>>,
    help: Option<&'a str>,
    url: Option<String>,
    fix: Option<Mending<'a>>,
}

#[derive(serde::Serialize)]
struct Mending<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<Replacement<'a>>,
}

#[derive(serde::Serialize)]
struct Replacement<'a> {
    text: &'a str,
    #[serde(flatten)]
    place: Option<Place>,
}

#[derive(serde::Serialize)]
struct Other<'a> {
    message: &'a str,
    #[serde(flatten)]
    place: Option<Place>,
}

#[derive(serde::Serialize)]
struct Place {
    path: String,
    start: Point,
    end: Point,
}

#[derive(serde::Serialize)]
struct Point {
    line: usize,
    column: usize,
    offset: usize,
}

impl<'a> One<'a> {
    fn new(report: &Report<'_>, finding: &'a Finding) -> Self {
        let other = |related: &'a Related| Other { message: &related.message, place: place(report, related.place) };
        Self {
            lint: finding.lint,
            level: finding.level,
            message: &finding.message,
            place: place(report, finding.place),
            related: finding.related.iter().map(other).collect(),
            help: finding.help.as_deref(),
            url: url(finding.lint),
            fix: finding.fix.as_ref().map(|fix| Mending::new(report, fix)),
        }
    }
}

impl<'a> Mending<'a> {
    fn new(report: &Report<'_>, fix: &'a Fix) -> Self {
        let edit = |edit: &'a Edit| Replacement { text: &edit.text, place: place(report, edit.place) };
        Self { title: &fix.title, safe: fix.safety == Safety::Safe, edits: fix.edits.iter().map(edit).collect() }
    }
}

fn place(report: &Report<'_>, place: crate::flow::Place) -> Option<Place> {
    let source = report.source(place)?;
    let (start, end) = range(source, place.span, Unit::Utf32);
    Some(Place {
        path: super::slashes(&source.path),
        start: Point { line: start.line, column: start.column, offset: place.span.start },
        end: Point { line: end.line, column: end.column, offset: place.span.end },
    })
}
