//! `JUnit` XML: a suite for each checked file, a failed case for each finding, one passed case for a clean file. Notes of
//! level `info` are cases with output, not failures.

use std::io::{self, Write};

use super::xml::escape;
use super::{Report, slashes, whole_message};
use crate::lints::{Finding, Level};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let failures = report.findings.iter().filter(|finding| is_failure(finding)).count();
    let mut files = report.checked.to_vec();
    files.extend(report.findings.iter().map(|finding| finding.place.file));
    files.sort_unstable();
    files.dedup();
    let of = |file| report.findings.iter().filter(move |finding| finding.place.file == file);
    let tests: usize = files.iter().map(|file| of(*file).count().max(1)).sum();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"recipelint\" tests=\"{tests}\" failures=\"{failures}\">")?;
    for file in files {
        let Some(path) = report.index.file(file).map(|file| slashes(&file.source.path)) else { continue };
        let path = escape(&path);
        let failed = of(file).filter(|finding| is_failure(finding)).count();
        let tests = of(file).count().max(1);
        writeln!(out, "  <testsuite name=\"{path}\" tests=\"{tests}\" failures=\"{failed}\">")?;
        if of(file).next().is_none() {
            writeln!(out, "    <testcase name=\"no findings\" classname=\"{path}\"/>")?;
        }
        for finding in of(file) {
            let (_, start, _) = report.locate(finding.place);
            let at = format!("{}:{}", start.line, start.column);
            writeln!(out, "    <testcase name=\"{} at {at}\" classname=\"{path}\">", finding.lint)?;
            let message = escape(&finding.message);
            let whole = escape(&whole_message(finding));
            if is_failure(finding) {
                let level = finding.level.name();
                writeln!(out, "      <failure type=\"{level}\" message=\"{message}\">{path}:{at}: {whole}</failure>")?;
            } else {
                writeln!(out, "      <system-out>{path}:{at}: {whole}</system-out>")?;
            }
            writeln!(out, "    </testcase>")?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn is_failure(finding: &Finding) -> bool {
    finding.level >= Level::Warning
}
