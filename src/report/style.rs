//! Colours and hyperlinks of terminals, as escape sequences.

use std::io::{self, Write};

use codespan_reporting::diagnostic::{LabelStyle, Severity};
use codespan_reporting::term::WriteStyle;

/// What a terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// ANSI colours.
    pub color: bool,
    /// OSC 8 hyperlinks.
    pub links: bool,
}

/// A writer that colours what codespan-reporting writes.
pub(super) struct Ansi<'a> {
    out: &'a mut dyn Write,
    color: bool,
}

impl<'a> Ansi<'a> {
    pub(super) fn new(out: &'a mut dyn Write, style: Style) -> Self {
        Self { out, color: style.color }
    }

    fn set(&mut self, code: &str) -> io::Result<()> {
        if self.color { write!(self.out, "\x1b[0m\x1b[{code}m") } else { Ok(()) }
    }
}

/// The SGR code of a severity.
fn color_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Bug | Severity::Error => "31",
        Severity::Warning => "33",
        Severity::Note => "36",
        Severity::Help => "32",
    }
}

impl Write for Ansi<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl WriteStyle for Ansi<'_> {
    fn set_header(&mut self, severity: Severity) -> io::Result<()> {
        self.set(&format!("1;{}", color_of(severity)))
    }

    fn set_header_message(&mut self) -> io::Result<()> {
        self.set("1")
    }

    fn set_line_number(&mut self) -> io::Result<()> {
        self.set("34")
    }

    fn set_note_bullet(&mut self) -> io::Result<()> {
        self.set("34")
    }

    fn set_source_border(&mut self) -> io::Result<()> {
        self.set("34")
    }

    fn set_label(&mut self, severity: Severity, label: LabelStyle) -> io::Result<()> {
        self.set(if label == LabelStyle::Primary { color_of(severity) } else { "34" })
    }

    fn reset(&mut self) -> io::Result<()> {
        if self.color { write!(self.out, "\x1b[0m") } else { Ok(()) }
    }
}

impl Style {
    /// A text that leads to an address where the terminal can do that.
    pub(super) fn link(self, text: &str, url: Option<&str>) -> String {
        match url {
            Some(url) if self.links => format!("\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"),
            _ => text.to_owned(),
        }
    }
}
