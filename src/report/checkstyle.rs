//! Checkstyle XML: a file element for each file with findings.

use std::io::{self, Write};

use super::xml::escape;
use super::{Report, whole_message};
use crate::lints::Level;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<checkstyle version=\"10.0\">")?;
    let same_file = |a: &crate::lints::Finding, b: &crate::lints::Finding| a.place.file == b.place.file;
    for findings in report.findings.chunk_by(same_file) {
        let path = findings.first().map(|finding| report.locate(finding.place).0).unwrap_or_default();
        writeln!(out, "  <file name=\"{}\">", escape(&path))?;
        for finding in findings {
            let (_, start, _) = report.locate(finding.place);
            let severity = match finding.level {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Info | Level::Off => "info",
            };
            writeln!(
                out,
                "    <error line=\"{}\" column=\"{}\" severity=\"{severity}\" message=\"{}\" source=\"recipelint.{}\"/>",
                start.line,
                start.column,
                escape(&whole_message(finding)),
                finding.lint
            )?;
        }
        writeln!(out, "  </file>")?;
    }
    writeln!(out, "</checkstyle>")
}
