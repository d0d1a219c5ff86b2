//! Reading on after an error: half-typed text keeps what stands around the broken lines.
//!
//! After an error the next line that begins where an open block collection has its keys or its `-` is read as a text
//! of its own, and what it holds goes on with that collection. Collections deeper than it are closed as they are.

use crate::text::Span;

use super::build::{Builder, Outcome};
use super::scalar::{break_len, line_end};

/// Texts with more errors than this are read no further.
const MAX_RESUMES: usize = 1_000;

impl Builder<'_> {
    /// Reads the whole text, across errors.
    pub(super) fn read(&mut self) {
        let mut start = 0;
        for _ in 0..MAX_RESUMES {
            let next = match self.run(start) {
                Outcome::End => break,
                Outcome::Dedent(at) => self.line_start(at),
                // The line with the error may be an innocent one behind a broken one, so it is tried again, unless
                // that has been done or a part of it is in the tree.
                Outcome::Error(at) => match self.line_start(at) {
                    line if line > start && self.last <= line => line,
                    line => self.next_line(line.max(start)),
                },
            };
            match self.resume(next) {
                Some(line) if line > start => start = line,
                _ => break,
            }
        }
        self.close_to(0);
    }

    /// The first line at or after `line` that goes on with an open collection; closes those that are deeper.
    fn resume(&mut self, mut line: usize) -> Option<usize> {
        if self.document.second.is_some() || (self.frames.is_empty() && self.document.root.is_some()) {
            return None;
        }
        self.skipped = 0;
        self.lost_comments(line);
        while line < self.text.len() {
            let end = line_end(self.text.as_bytes(), line);
            let written = self.text.get(line..end).unwrap_or_default();
            let content = written.trim_start_matches(' ');
            let column = written.len() - content.len();
            if content.starts_with('#') {
                self.comment(Span::new(line + column, end));
            } else if column == 0 && (content.starts_with("---") || content.starts_with("...")) {
                return None;
            } else if !content.trim().is_empty() {
                let item =
                    content.strip_prefix('-').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
                let fits = self
                    .frames
                    .iter()
                    .rposition(|frame| !frame.flow && frame.column == column && frame.is_mapping() != item);
                if let Some(at) = fits {
                    self.close_to(at + 1);
                    self.finish_entry();
                    return Some(line);
                }
                if self.frames.is_empty() {
                    return Some(line);
                }
            }
            line = self.next_line(line);
        }
        None
    }

    /// Comments that the parser had not yet given when it met the error.
    fn lost_comments(&mut self, end: usize) {
        let known = self.document.comments.last().map_or(0, |comment| comment.span.end);
        let mut line = self.next_line(self.last.max(known));
        while line < end {
            let line_end = line_end(self.text.as_bytes(), line);
            let written = self.text.get(line..line_end).unwrap_or_default();
            if written.trim_start().starts_with('#') {
                self.comment(Span::new(line + written.len() - written.trim_start().len(), line_end));
            }
            line = self.next_line(line);
        }
    }

    pub(super) fn line_start(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or_default();
        before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
    }

    fn next_line(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        let end = line_end(bytes, offset);
        end + break_len(bytes, end)
    }
}
