//! Markdown, for job summaries and comments on pull requests.

use std::io::{self, Write};

use super::{Report, url};
use crate::lints::Finding;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## recipelint: {}", report.summary())?;
    for findings in report.findings.chunk_by(|a, b| a.place.file == b.place.file) {
        let path = findings.first().map(|finding| report.locate(finding.place).0).unwrap_or_default();
        writeln!(out, "\n### {}\n", code(&path))?;
        writeln!(out, "| line | level | lint | message |\n|---:|---|---|---|")?;
        for finding in findings {
            row(report, finding, out)?;
        }
    }
    Ok(())
}

fn row(report: &Report<'_>, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let (_, start, _) = report.locate(finding.place);
    let lint = match url(finding.lint) {
        Some(url) => format!("[{}]({url})", finding.lint),
        None => finding.lint.to_owned(),
    };
    let mut message = cell(&finding.message);
    if let Some(help) = &finding.help {
        message.push_str("<br>help: ");
        message.push_str(&cell(help));
    }
    writeln!(out, "| {} | {} | {lint} | {message} |", start.line, finding.level.name())
}

/// Text in a cell: backquoted parts stay code, everything else is shown as it is.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    let mut quoted = false;
    // A lone backquote opens no code.
    let mut left = text.matches('`').count();
    for character in text.chars() {
        match character {
            '`' if !quoted && left < 2 => cell.push_str("\\`"),
            '`' => {
                left -= 1;
                quoted = !quoted;
                cell.push('`');
            }
            '|' => cell.push_str("\\|"),
            '\r' | '\n' => cell.push(' '),
            '<' if !quoted => cell.push_str("&lt;"),
            '*' | '_' | '[' | ']' | '\\' if !quoted => {
                cell.push('\\');
                cell.push(character);
            }
            other if other.is_control() => cell.push('\u{FFFD}'),
            other => cell.push(other),
        }
    }
    cell
}

/// Inline code that may hold backquotes.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
