//! Texts as YAML: how each style writes them.

use std::fmt::Write;

use super::scalar::{break_len, line_end};

/// Where a scalar is written.
pub(super) struct Place {
    /// Inside of brackets or as a key: no block scalars.
    pub flow: bool,
    /// The indentation of what the scalar belongs to, in spaces.
    pub parent: usize,
    /// The indentation of lines that belong to the scalar, in spaces.
    pub body: usize,
    /// The line break of the file.
    pub line_break: &'static str,
}

impl Place {
    /// The place of the scalar that begins at `start`.
    pub(super) fn new(source: &str, start: usize, flow: bool) -> Self {
        let bytes = source.as_bytes();
        let line = source.get(..start).unwrap_or_default().rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let before = source.get(line..start).unwrap_or_default();
        let mut parent = before.len() - before.trim_start_matches(' ').len();
        let mut dash = None;
        while let Some(rest) = before.get(parent..).and_then(|rest| rest.strip_prefix('-')) {
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            if blanks == 0 {
                break;
            }
            dash = Some(parent);
            parent += 1 + blanks;
        }
        // Behind `- ` alone the scalar is an item of the sequence; on a line of its own any deeper line belongs to it.
        let (parent, body) = match dash {
            Some(dash) if before.len() <= parent => (dash, dash + 2),
            None if before.len() <= parent => (parent.saturating_sub(1), parent),
            _ => (parent, parent + 2),
        };
        let first = line_end(bytes, 0);
        let line_break = match (bytes.get(first), break_len(bytes, first)) {
            (_, 2) => "\r\n",
            (Some(b'\r'), _) => "\r",
            _ => "\n",
        };
        Self { flow, parent, body, line_break }
    }

    fn indent(&self) -> String {
        " ".repeat(self.body)
    }

    /// Text for a flow scalar: each run of line feeds is written as one more, as the first is folded away.
    pub(super) fn folded(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('\n') {
            let (line, breaks) = rest.split_at(at);
            let next = breaks.trim_start_matches('\n');
            out.push_str(line);
            for _ in 0..=breaks.len() - next.len() {
                out.push_str(self.line_break);
            }
            out.push_str(&self.indent());
            rest = next;
        }
        out.push_str(rest);
        out
    }

    /// Text for the lines of a block scalar. The first line gets the `missing` indentation, each run of line feeds is
    /// written with `more` breaks, and `continued` says that text follows on the last line.
    pub(super) fn lines(&self, text: &str, missing: &str, more: usize, continued: bool) -> String {
        let mut out = String::with_capacity(text.len());
        let mut lines = text.split('\n').peekable();
        let mut indent = missing.to_owned();
        let mut run = false;
        while let Some(line) = lines.next() {
            let last = lines.peek().is_none();
            if !line.is_empty() || (last && continued) {
                out.push_str(&indent);
            }
            out.push_str(line);
            if !last {
                let breaks = if run && line.is_empty() { 1 } else { 1 + more };
                for _ in 0..breaks {
                    out.push_str(self.line_break);
                }
                run = true;
            }
            if !line.is_empty() {
                run = !last;
            }
            indent = self.indent();
        }
        out
    }
}

/// Header and body of a block scalar, the body without the break of its last line; `None` for a text that needs
/// another style.
pub(super) fn literal(text: &str, place: &Place, folded: bool) -> Option<(String, String)> {
    let content = text.trim_end_matches('\n');
    let first = content.trim_start_matches('\n');
    if first.is_empty() || text.contains('\r') {
        return None;
    }
    let mut header = String::from(if folded { ">" } else { "|" });
    if first.starts_with([' ', '\t']) {
        write!(header, "{}", place.body - place.parent).ok()?;
    }
    let breaks = text.len() - content.len();
    header.push_str(match breaks {
        0 => "-",
        1 => "",
        _ => "+",
    });
    let mut body = String::with_capacity(text.len() + place.body * 8);
    let mut before: Option<&str> = None;
    let mut empty = 0;
    for line in content.split('\n') {
        if line.is_empty() {
            empty += 1;
            continue;
        }
        let blank = |line: &str| line.starts_with([' ', '\t']);
        let fold = folded && before.is_some_and(|before| !blank(before) && !blank(line));
        let breaks = empty + usize::from(before.is_some()) + usize::from(fold);
        for _ in 0..breaks {
            body.push_str(place.line_break);
        }
        body.push_str(&place.indent());
        body.push_str(line);
        before = Some(line);
        empty = 0;
    }
    for _ in 1..breaks {
        body.push_str(place.line_break);
    }
    Some((header, body))
}

/// A text between double quotes: everything but printable characters is escaped.
pub(super) fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let code = u32::from(character);
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            '\u{85}' => out.push_str("\\N"),
            '\u{2028}' => out.push_str("\\L"),
            '\u{2029}' => out.push_str("\\P"),
            '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{code:04x}");
            }
            _ if code < 0x20 || (0x7f..0xa0).contains(&code) => {
                let _ = write!(out, "\\x{code:02x}");
            }
            _ => out.push(character),
        }
    }
    out
}

/// Whether a plain scalar is read as a text, and not as null, a boolean or a number.
pub(super) fn is_text(text: &str) -> bool {
    matches!(serde_yaml::from_str(text), Ok(serde_yaml::Value::String(read)) if read == text)
}

/// The rule by which a text cannot be written without quotes (YAML 1.2.2, 7.3.3).
pub(super) fn plain_rule(text: &str, flow: bool) -> Option<&'static str> {
    let mut characters = text.chars();
    let first = characters.next()?;
    let second = characters.next();
    let separated = second.is_none_or(|second| second == ' ');
    if text.contains(['\n', '\r']) {
        Some("a plain scalar cannot hold a line break")
    } else if text.contains(": ") || text.contains(":\t") || text.ends_with(':') {
        Some("a plain scalar cannot hold `: `")
    } else if text.contains(" #") || text.contains("\t#") {
        Some("a plain scalar cannot hold ` #`, which begins a comment")
    } else if text.starts_with([' ', '\t']) || text.ends_with([' ', '\t']) {
        Some("a plain scalar cannot begin or end with a blank")
    } else if ",[]{}#&*!|>'\"%@`".contains(first) || ("-?:".contains(first) && separated) {
        Some("a plain scalar cannot begin with an indicator")
    } else if flow && text.contains([',', '[', ']', '{', '}']) {
        Some("a plain scalar inside of brackets cannot hold `,`, `[`, `]`, `{` or `}`")
    } else {
        None
    }
}
