//! Reviewdog Diagnostic Format: columns count bytes from 1, suggestions are fixes within the finding's file.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Report, range, slashes, url, whole_message};
use crate::flow::Place;
use crate::lints::Level;
use crate::text::Unit;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let diagnostics: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| {
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
            let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
            let suggestions: Vec<Value> = edits
                .filter(|edit| edit.place.file == finding.place.file)
                .map(|edit| json!({ "range": location(report, edit.place)["range"], "text": edit.text }))
                .collect();
            if !suggestions.is_empty() {
                diagnostic["suggestions"] = json!(suggestions);
            }
            diagnostic
        })
        .collect();
    let whole = json!({ "source": { "name": "recipelint" }, "diagnostics": diagnostics });
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    writeln!(out)
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
