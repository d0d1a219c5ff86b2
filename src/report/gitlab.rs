//! GitLab code quality: a JSON array (<https://docs.gitlab.com/ci/testing/code_quality/>).

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Report, whole_message};
use crate::lints::Level;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let issues: Vec<Value> = report
        .findings
        .iter()
        .enumerate()
        .map(|(at, finding)| {
            let (_, start, end) = report.locate(finding.place);
            json!({
                "description": whole_message(finding),
                "check_name": finding.lint,
                "fingerprint": report.fingerprint(at),
                "severity": match finding.level {
                    Level::Error => "major",
                    Level::Warning => "minor",
                    Level::Info | Level::Off => "info",
                },
                "location": { "path": report.in_repository(finding.place), "lines": { "begin": start.line, "end": end.line } },
            })
        })
        .collect();
    serde_json::to_writer_pretty(&mut *out, &issues)?;
    writeln!(out)
}
