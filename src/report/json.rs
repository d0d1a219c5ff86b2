//! The linter's own JSON: one object, stable, for programs.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Report, range, url};
use crate::flow::Place;
use crate::lints::Level;
use crate::text::{LineColumn, Unit};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
            let mut object = json!({ "lint": finding.lint, "level": finding.level, "message": finding.message });
            place(report, finding.place, &mut object);
            object["related"] = finding
                .related
                .iter()
                .map(|related| {
                    let mut object = json!({ "message": related.message });
                    place(report, related.place, &mut object);
                    object
                })
                .collect();
            object["help"] = json!(finding.help);
            object["url"] = json!(url(finding.lint));
            object
        })
        .collect();
    let whole = json!({
        "version": 1,
        "findings": findings,
        "summary": {
            "files": report.checked.len(),
            "findings": report.findings.len(),
            "errors": report.count(Level::Error),
            "warnings": report.count(Level::Warning),
            "infos": report.count(Level::Info),
        },
    });
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    writeln!(out)
}

fn place(report: &Report<'_>, place: Place, object: &mut Value) {
    let Some(source) = report.source(place) else { return };
    let (start, end) = range(source, place.span, Unit::Utf32);
    let point = |at: LineColumn, offset: usize| json!({ "line": at.line, "column": at.column, "offset": offset });
    object["path"] = json!(super::slashes(&source.path));
    object["start"] = point(start, place.span.start);
    object["end"] = point(end, place.span.end);
}
