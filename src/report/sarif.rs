//! SARIF 2.1.0 (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>): rules carry the lints' pages, the
//! way that a text took is a code flow, and `partialFingerprints` are those of the baseline.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{OneByOne, Report, range, slashes, url, whole_message};
use crate::flow::Place;
use crate::lints::{self, Finding, Fix, Level, Way};
use crate::text::Unit;

/// The key of the fingerprint: the number changes with the way in which it is made.
const FINGERPRINT: &str = "recipelint/v1";

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut ids: Vec<&str> = report.findings.iter().map(|finding| finding.lint).collect();
    ids.sort_unstable();
    ids.dedup();
    let notifications: Vec<Value> = report
        .notes
        .iter()
        .map(|note| {
            json!({
                "level": if note.failed { "error" } else { "note" },
                "message": { "text": format!("{}: {}", slashes(&note.path), note.message) },
            })
        })
        .collect();
    let run = Run {
        tool: json!({ "driver": {
            "name": "recipelint",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": ids.iter().map(|id| rule(id)).collect::<Vec<_>>(),
        } }),
        column_kind: "unicodeCodePoints",
        invocations: json!([{
            "executionSuccessful": !report.notes.iter().any(|note| note.failed),
            "toolExecutionNotifications": notifications,
        }]),
        results: OneByOne(|| (0..).zip(report.findings).map(|(at, finding)| result(report, &ids, at, finding))),
    };
    let whole = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [run],
    };
    serde_json::to_writer_pretty(&mut *out, &whole)?;
    writeln!(out)
}

#[derive(serde::Serialize)]
struct Log<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [R; 1],
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<R> {
    tool: Value,
    column_kind: &'static str,
    invocations: Value,
    results: R,
}

fn rule(id: &str) -> Value {
    let Some(lint) = lints::lint(id) else { return json!({ "id": id }) };
    let mut rule = json!({
        "id": id,
        "shortDescription": { "text": lint.summary },
        "fullDescription": { "text": why(lint.body()).unwrap_or(lint.summary) },
        "help": { "text": lint.body(), "markdown": lint.body() },
        "defaultConfiguration": { "level": level(lint.level) },
        "properties": { "tags": [lint.group.name()] },
    });
    if let Some(url) = url(id) {
        rule["helpUri"] = json!(url);
    }
    rule
}

/// The first paragraph that a page says of its reason.
fn why(page: &str) -> Option<&str> {
    let (_, section) = page.split_once("## Why")?;
    section.trim_start().split("\n\n").next().map(str::trim).filter(|text| !text.is_empty())
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
        Level::Off => "none",
    }
}

fn result(report: &Report<'_>, ids: &[&str], at: usize, finding: &Finding) -> Value {
    let mut result = json!({
        "ruleId": finding.lint,
        "ruleIndex": ids.binary_search(&finding.lint).unwrap_or_default(),
        "level": level(finding.level),
        "message": { "text": whole_message(finding) },
        "locations": [{ "physicalLocation": physical(report, finding.place) }],
        "partialFingerprints": { FINGERPRINT: report.fingerprint(at) },
    });
    if !finding.related.is_empty() {
        result["relatedLocations"] = (1..)
            .zip(&finding.related)
            .map(|(id, related)| {
                json!({
                    "id": id,
                    "message": { "text": related.message },
                    "physicalLocation": physical(report, related.place),
                })
            })
            .collect();
        if let Some(way) = way(report, finding) {
            result["codeFlows"] = json!([{ "threadFlows": [{ "locations": way }] }]);
        }
    }
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([changes(report, fix)]);
    }
    result
}

/// The places that the text passed, from its source to its sink, with the finding's own between them.
fn way(report: &Report<'_>, finding: &Finding) -> Option<Vec<Value>> {
    let step = |place, message: &str| json!({ "location": { "message": { "text": message }, "physicalLocation": physical(report, place) } });
    let part = |wanted| {
        let related = finding.related.iter().filter(move |related| related.way == wanted);
        related.map(|related| step(related.place, &related.message))
    };
    let mut way: Vec<Value> = part(Way::Before).collect();
    way.push(step(finding.place, &finding.message));
    way.extend(part(Way::After));
    (way.len() > 1).then_some(way)
}

fn changes(report: &Report<'_>, fix: &Fix) -> Value {
    let mut files: Vec<_> = fix.edits.iter().map(|edit| edit.place.file).collect();
    files.sort_unstable();
    files.dedup();
    let changes: Vec<Value> = files
        .into_iter()
        .map(|file| {
            let edits: Vec<_> = fix.edits.iter().filter(|edit| edit.place.file == file).collect();
            let replacements: Vec<Value> = edits
                .iter()
                .map(|edit| {
                    json!({
                        "deletedRegion": region(report, edit.place),
                        "insertedContent": { "text": edit.text },
                    })
                })
                .collect();
            let place = edits.first().map(|edit| edit.place);
            json!({ "artifactLocation": place.map(|place| artifact(report, place)), "replacements": replacements })
        })
        .collect();
    json!({ "description": { "text": fix.title }, "artifactChanges": changes })
}

fn physical(report: &Report<'_>, place: Place) -> Value {
    json!({ "artifactLocation": artifact(report, place), "region": region(report, place) })
}

/// The file, relative to the workspace's root as code scanning wants it.
fn artifact(report: &Report<'_>, place: Place) -> Value {
    let Some(file) = report.index.file(place.file) else { return json!({ "uri": "" }) };
    match report.below_root(place) {
        Some(below) => json!({ "uri": uri(below), "uriBaseId": "%SRCROOT%" }),
        None => json!({ "uri": uri(&file.source.path) }),
    }
}

fn region(report: &Report<'_>, place: Place) -> Value {
    let mut region = Map::new();
    if let Some(source) = report.source(place) {
        let (start, end) = range(source, place.span, Unit::Utf32);
        for (key, value) in [
            ("startLine", start.line),
            ("startColumn", start.column),
            ("endLine", end.line),
            ("endColumn", end.column),
            ("byteOffset", place.span.start),
            ("byteLength", place.span.len()),
        ] {
            region.insert(key.to_owned(), json!(value));
        }
    }
    Value::Object(region)
}

/// A path as a relative or `file` URI, with everything escaped that is neither unreserved nor `/` (RFC 3986).
fn uri(path: &Path) -> String {
    use std::fmt::Write;
    let mut uri = String::new();
    if path.is_absolute() {
        uri.push_str(if path.has_root() && slashes(path).starts_with('/') { "file://" } else { "file:///" });
    }
    for byte in slashes(path).bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
