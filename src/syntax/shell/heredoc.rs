//! Here-documents: their bodies are read at the next line break after the operator.

use super::ast::Word;
use super::parser::{Body, Parser, Pending};

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
        let start = self.pos;
        let search = (document.delimiter.clone(), document.strip_tabs, self.in_substitution);
        if self.missing.get(&search).is_some_and(|(from, to)| *from <= start && self.end <= *to) {
            self.pos = self.end;
            return (self.end, false);
        }
        let mut at = start;
        while let Some(found) = self.slice(at, self.end).find(&document.delimiter) {
            let delimiter = at + found;
            let after = delimiter + document.delimiter.len();
            let line = start + self.slice(start, delimiter).rfind('\n').map_or(0, |found| found + 1);
            let next = self.slice(delimiter, self.end).find('\n').map_or(self.end, |found| delimiter + found + 1);
            let indent = self.slice(line, delimiter);
            if (indent.is_empty() || document.strip_tabs && indent.bytes().all(|byte| byte == b'\t'))
                && let Some(body_end) = self.unjoined(start, line, document)
            {
                let rest = self.slice(after, next);
                if rest.trim_end_matches(['\r', '\n']).is_empty() {
                    self.pos = next;
                    return (body_end, true);
                }
                // Inside `$( )` bash also takes `EOF)`, and reads on after the delimiter.
                if self.in_substitution && rest.contains(')') {
                    self.pos = after;
                    return (body_end, true);
                }
            }
            if next >= self.end {
                break;
            }
            at = next;
        }
        self.missing.insert(search, (start, self.end));
        self.pos = self.end;
        (self.end, false)
    }

    /// Where the line that begins at `line` begins for bash, which joins continued lines unless the delimiter is
    /// quoted; `None` where it is the rest of another line.
    fn unjoined(&self, start: usize, mut line: usize, document: &Pending) -> Option<usize> {
        while !document.quoted && line > start {
            let before = self.slice(start, line - 1);
            let before = before.strip_suffix('\r').unwrap_or(before);
            if before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0 {
                break;
            }
            let previous = before.rfind('\n').map_or(0, |found| found + 1);
            if before.len() - previous > 1 {
                return None;
            }
            line = start + previous;
        }
        Some(line)
    }
}
