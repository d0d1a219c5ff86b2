//! Reviewdog Diagnostic Format (<https://github.com/reviewdog/reviewdog/tree/master/proto/rdf>): columns count bytes from
//! 1, a suggestion is a fix within the finding's file.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{OneByOne, Report, range, slashes, url, whole_message};
use crate::flow::Place;
use crate::lints::{Finding, Fix, Level};
use crate::text::{Span, Unit};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let diagnostics = OneByOne(|| report.findings.iter().map(|finding| diagnostic(report, finding)));
    serde_json::to_writer_pretty(&mut *out, &Whole { source: json!({ "name": "recipelint" }), diagnostics })?;
    writeln!(out)
}

#[derive(serde::Serialize)]
struct Whole<D> {
    source: Value,
    diagnostics: D,
}

fn diagnostic(report: &Report<'_>, finding: &Finding) -> Value {
    let mut diagnostic = json!({
        "message": whole_message(finding),
        "location": location(report, finding.place),
        "severity": match finding.level {
            Level::Error => "ERROR",
            Level::Warning => "WARNING",
            Level::Info | Level::Off => "INFO",
        },
        "code": { "value": finding.lint },
    });
    if let Some(url) = url(finding.lint) {
        diagnostic["code"]["url"] = json!(url);
    }
    let related: Vec<Value> = finding
        .related
        .iter()
        .map(|related| json!({ "message": related.message, "location": location(report, related.place) }))
        .collect();
    if !related.is_empty() {
        diagnostic["related_locations"] = json!(related);
    }
    if let Some(suggestion) = finding.fix.as_ref().and_then(|fix| suggestion(report, finding, fix)) {
        diagnostic["suggestions"] = json!([suggestion]);
    }
    diagnostic
}

/// A fix as one replacement, because suggestions are taken one by one: from its first to its last edit, with what stands
/// between them. None where it changes another file too.
fn suggestion(report: &Report<'_>, finding: &Finding, fix: &Fix) -> Option<Value> {
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| edit.place.span);
    let (first, last) = (edits.first()?, edits.last()?);
    if edits.iter().any(|edit| edit.place.file != finding.place.file) {
        return None;
    }
    let source = report.source(finding.place)?;
    let mut text = String::new();
    let mut at = first.place.span.start;
    for edit in &edits {
        text.push_str(source.text.get(at..edit.place.span.start)?);
        text.push_str(&edit.text);
        at = edit.place.span.end;
    }
    let whole = Place { file: finding.place.file, span: Span::new(first.place.span.start, last.place.span.end) };
    Some(json!({ "range": location(report, whole)["range"], "text": text }))
}

fn location(report: &Report<'_>, place: Place) -> Value {
    let Some(source) = report.source(place) else { return json!({ "path": "" }) };
    let (start, end) = range(source, place.span, Unit::Utf8);
    json!({
        "path": slashes(&source.path),
        "range": {
            "start": { "line": start.line, "column": start.column },
            "end": { "line": end.line, "column": end.column },
        },
    })
}
