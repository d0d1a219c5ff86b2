//! Reading on after an error: half-typed text keeps what stands around the broken lines.
//!
//! After an error the next line that begins where an open block collection has its keys or its `-` is read as a text
//! of its own, and what it holds goes on with that collection. Collections deeper than it are closed as they are.

use crate::text::{Fragment, Span};

use super::build::{Builder, Outcome};
use super::scalar::{break_len, line_end};
use super::{Data, Node, Style};

/// Texts with more errors than this are read no further.
const MAX_RESUMES: usize = 1_000;

/// So many times the length of the text may be read again before lines are given up, to keep the time linear.
const MAX_REREAD: usize = 2;

impl Builder<'_> {
    /// Reads the whole text, across errors.
    pub(super) fn read(&mut self) {
        let mut start = 0;
        let mut reread = 0;
        for _ in 0..MAX_RESUMES {
            let outcome = self.run(start);
            if let Outcome::Error(at) = outcome {
                self.cut_flow();
                self.cut_plain(at);
            }
            let next = match outcome {
                Outcome::End => break,
                Outcome::Dedent(at) if at >= self.text.len() => break,
                Outcome::Dedent(at) => self.line_start(at),
                // What the parser had in hand when it met the error may have begun long before it (a quote that does
                // not end), so that the lines behind the last complete token are read again.
                Outcome::Error(at) if reread <= MAX_REREAD * self.text.len() => {
                    reread += at.saturating_sub(self.last);
                    self.next_line(self.last)
                }
                Outcome::Error(at) => self.next_line(at.max(self.last)),
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
        if self.document.second.is_some() {
            return None;
        }
        self.skipped = 0;
        self.reopen();
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
                let readable = item || looks_like_a_key(content);
                let outside =
                    self.frames.first().is_none_or(|root| !root.is_mapping() && !item && column <= root.column);
                if readable && outside {
                    // A scalar or an item before keys is a broken first line.
                    self.frames.clear();
                    self.document.root = None;
                    return Some(line);
                }
                if item && self.waits_for_value(column) {
                    return Some(line);
                }
                if let Some(at) = self.fitting(column, item).filter(|_| readable) {
                    self.close_to(at + 1);
                    self.finish_entry();
                    return Some(line);
                }
            }
            line = self.next_line(line);
        }
        None
    }

    /// The innermost open collection that a line at `column` may go on with: one that begins there, or else, as the
    /// broken line may be the one that the collection was opened with, one that this line stands deeper than the
    /// parent of and less deep than the content of.
    fn fitting(&self, column: usize, item: bool) -> Option<usize> {
        let fits = |at: &usize| self.frames.get(*at).is_some_and(|frame| !frame.flow && frame.is_mapping() != item);
        let column_of = |at: usize| self.frames.get(at).map(|frame| frame.column);
        let exact = (0..self.frames.len()).rev().filter(fits).find(|at| column_of(*at) == Some(column));
        exact.or_else(|| {
            (0..self.frames.len()).rev().filter(fits).find(|at| {
                let below_parent = at.checked_sub(1).and_then(column_of).is_none_or(|parent| parent < column);
                let content = if item { column_of(at + 1) } else { None }.or(column_of(*at));
                below_parent && content.is_some_and(|content| column < content)
            })
        })
    }

    /// A flow collection with an error in it keeps what stands on its first line: a bracket that is not closed yet
    /// swallows the lines behind it.
    fn cut_flow(&mut self) {
        let Some(at) = self.frames.iter().position(|frame| frame.flow) else { return };
        self.frames.truncate(at + 1);
        let Some(frame) = self.frames.last_mut() else { return };
        let start = frame.node.span.start;
        let line = start + line_end(self.text.get(start..).unwrap_or_default().as_bytes(), 0);
        frame.key = None;
        match &mut frame.node.data {
            Data::Mapping(entries) => entries.retain(|entry| entry.value.span.end <= line),
            Data::Sequence(items) => items.retain(|item| item.span.end <= line),
            _ => {}
        }
        self.last = line;
        self.close_to(at);
    }

    /// A plain scalar goes on over the lines below it: where it has run into the line with the error, it ends with its
    /// first line.
    fn cut_plain(&mut self, error: usize) {
        let line = self.line_start(error);
        let node = match self.frames.last_mut() {
            None => self.document.root.as_mut(),
            Some(frame) => match (&mut frame.key, &mut frame.node.data) {
                (Some(key), _) => Some(key),
                (None, Data::Mapping(entries)) => entries.last_mut().map(|entry| &mut entry.value),
                (None, Data::Sequence(items)) => items.last_mut(),
                _ => None,
            },
        };
        let Some(Node { span, data: Data::Scalar(scalar), .. }) = node else { return };
        if scalar.style == Style::Plain && span.start < line && line < span.end {
            let written = self.text.get(span.range()).unwrap_or_default();
            let first = written.split(['\n', '\r']).next().unwrap_or_default().trim_end();
            scalar.fragment = Fragment::verbatim(first, span.start);
            *span = scalar.fragment.span();
            self.last = span.end;
        }
    }

    /// Whether a sequence at `column` is the value that the innermost mapping waits for.
    fn waits_for_value(&self, column: usize) -> bool {
        self.frames.last().is_some_and(|frame| !frame.flow && frame.key.is_some() && column >= frame.column)
    }

    /// Opens the block collections again that end where the tree ends: a broken line that is indented less than they
    /// are has closed them too early.
    fn reopen(&mut self) {
        let mut next = None;
        if self.frames.is_empty() {
            next = self.document.root.take_if(|root| is_block_collection(self.text, root));
        }
        loop {
            if let Some(node) = next.take() {
                let column = node.span.start - self.line_start(node.span.start);
                self.reopen_as(node, column);
            }
            let Some(frame) = self.frames.last_mut() else { return };
            if frame.flow || frame.key.is_some() {
                return;
            }
            next = match &mut frame.node.data {
                Data::Sequence(items) => items.pop_if(|item| is_block_collection(self.text, item)),
                Data::Mapping(entries) => {
                    let open = |value: &Node| value.span.is_empty() || is_block_collection(self.text, value);
                    entries.pop_if(|entry| open(&entry.value)).and_then(|entry| {
                        frame.key = Some(entry.key);
                        Some(entry.value).filter(|value| !value.span.is_empty())
                    })
                }
                _ => None,
            };
            if next.is_none() {
                return;
            }
        }
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

fn is_block_collection(text: &str, node: &Node) -> bool {
    let flow = text.get(node.span.start..).is_some_and(|text| text.starts_with(['[', '{']));
    !flow && matches!(node.data, Data::Mapping(_) | Data::Sequence(_))
}

fn looks_like_a_key(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with(':') || line.contains(": ") || line.contains(":\t") || line.starts_with('?')
}
