//! Here-documents: their bodies are read at the next line break after the operator.

use super::ast::Word;
use super::parser::Parser;

/// A here-document whose body comes after the next line break.
#[derive(Debug)]
pub(super) struct Pending {
    id: usize,
    delimiter: String,
    quoted: bool,
    strip_tabs: bool,
}

/// A body that was read.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) word: Word,
    /// The delimiter was found.
    pub(super) closed: bool,
}

impl Parser<'_> {
    /// Notes that a body comes, unless the delimiter is missing. Its number is that of the last of `bodies`.
    pub(super) fn expect_heredoc(&mut self, delimiter: Option<String>, quoted: bool, strip_tabs: bool) {
        if let Some(delimiter) = delimiter {
            self.pending.push(Pending { id: self.bodies.len(), delimiter, quoted, strip_tabs });
        }
        self.bodies.push(None);
    }

    /// Moves over the line break here, and over the here-documents that begin after it.
    pub(super) fn newline(&mut self) {
        self.pos += 1;
        if !self.pending.is_empty() {
            self.read_heredocs();
        }
    }

    /// Reads what is still expected where the text ends.
    pub(super) fn finish_heredocs(&mut self) {
        self.read_heredocs();
    }

    fn read_heredocs(&mut self) {
        for document in std::mem::take(&mut self.pending) {
            let start = self.pos;
            let (end, closed) = self.find_delimiter(&document);
            let after = self.pos;
            let parts = if document.quoted {
                self.raw_parts(start, end, document.strip_tabs)
            } else {
                self.body_parts(start, end, document.strip_tabs)
            };
            self.pos = self.pos.max(after);
            let word = Word { parts, span: self.span(start, end) };
            if let Some(body) = self.bodies.get_mut(document.id) {
                *body = Some(Body { word, closed });
            }
        }
    }

    /// Finds the line with the delimiter and moves behind it, its line break included. Gives the end of the body.
    fn find_delimiter(&mut self, document: &Pending) -> (usize, bool) {
        let mut continued = false;
        while self.pos < self.end {
            let start = self.pos;
            let length = self.slice(start, self.end).find('\n');
            let next = length.map_or(self.end, |length| start + length + 1);
            let line = self.slice(start, length.map_or(self.end, |length| start + length));
            let written = line.strip_suffix('\r').unwrap_or(line);
            let text = if document.strip_tabs { written.trim_start_matches('\t') } else { written };
            if !continued {
                if text == document.delimiter {
                    self.pos = next;
                    return (start, true);
                }
                // Inside `$( )` bash also takes `EOF)`, and reads on after the delimiter.
                if self.in_substitution && text.starts_with(&document.delimiter) {
                    let indent = written.len() - text.len();
                    let after = start + indent + document.delimiter.len();
                    if self.slice(after, next).contains(')') {
                        self.pos = after;
                        return (start, true);
                    }
                }
            }
            continued = !document.quoted && written.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
            self.pos = next;
        }
        (self.end, false)
    }
}
