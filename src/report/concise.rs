//! One line for each finding, for editors and grep.

use std::io::{self, Write};

use super::{Report, harmless};
use crate::lints::Finding;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    report.findings.iter().try_for_each(|finding| writeln!(out, "{}", line(report, finding)))
}

/// `path:line:column: level[lint] message`
pub(super) fn line(report: &Report<'_>, finding: &Finding) -> String {
    let (path, start, _) = report.locate(finding.place);
    let message = finding.message.replace(['\r', '\n'], " ");
    let (level, lint) = (finding.level.name(), finding.lint);
    harmless(&format!("{path}:{}:{}: {level}[{lint}] {message}", start.line, start.column))
}
