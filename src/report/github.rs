//! Workflow commands of GitHub Actions. GitHub shows ten annotations of a step and drops the rest without a word, so the
//! worst ten are annotations and all others stand in a group of the log.

use std::io::{self, Write};

use super::{Report, concise, plural, whole_message};
use crate::lints::{Finding, Level};

/// As many annotations of a step as GitHub shows.
const SHOWN: usize = 10;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut worst: Vec<&Finding> = report.findings.iter().collect();
    worst.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    let (shown, others) = worst.split_at(worst.len().min(SHOWN));
    for finding in shown {
        annotation(report, finding, out)?;
    }
    if !others.is_empty() {
        let count = others.len();
        writeln!(out, "::group::{} that GitHub would not show as annotations", plural(count, "more finding"))?;
        others.iter().try_for_each(|finding| writeln!(out, "{}", concise::line(report, finding)))?;
        writeln!(out, "::endgroup::")?;
    }
    writeln!(out, "recipelint: {}", report.summary())
}

fn annotation(report: &Report<'_>, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info | Level::Off => "notice",
    };
    let (_, start, end) = report.locate(finding.place);
    let path = report.in_repository(finding.place);
    write!(out, "::{command} file={},line={},endLine={}", property(&path), start.line, end.line)?;
    if start.line == end.line {
        write!(out, ",col={},endColumn={}", start.column, end.column)?;
    }
    writeln!(out, ",title={}::{}", property(finding.lint), data(&whole_message(finding)))
}

/// A message, escaped as the runner reads it (actions/toolkit, `escapeData`).
fn data(text: &str) -> String {
    super::harmless(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property, escaped as the runner reads it (`escapeProperty`).
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
