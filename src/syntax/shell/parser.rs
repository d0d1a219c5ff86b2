//! The parser's state, its errors and its recovery.

use std::cell::Cell;
use std::collections::HashMap;

use super::ast::{List, PartKind, Script, Word, WordPart};
use super::{Holes, MAX_DEPTH, visit};
use crate::text::{Span, SyntaxError};

/// Most errors that one script reports.
const MAX_ERRORS: usize = 100;

/// How often a text that is not closed may be read again from its first line's end, so that time stays linear.
const MAX_RECOVERIES: usize = 16;

/// What can end a list besides the end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closer {
    Then,
    Elif,
    Else,
    Fi,
    Do,
    Done,
    Esac,
    Brace,
    Paren,
    /// `;;`, `;&`, `;;&`
    Arm,
}

impl Closer {
    const COUNT: usize = 10;

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Then => "then",
            Self::Elif => "elif",
            Self::Else => "else",
            Self::Fi => "fi",
            Self::Do => "do",
            Self::Done => "done",
            Self::Esac => "esac",
            Self::Brace => "}",
            Self::Paren => ")",
            Self::Arm => ";;",
        }
    }
}

/// The closers that some open construct waits for, each with the number of constructs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected([u16; Closer::COUNT]);

impl Expected {
    pub(super) fn add(&mut self, closers: &[Closer]) {
        for closer in closers {
            if let Some(count) = self.0.get_mut(*closer as usize) {
                *count = count.saturating_add(1);
            }
        }
    }

    pub(super) fn remove(&mut self, closers: &[Closer]) {
        for closer in closers {
            if let Some(count) = self.0.get_mut(*closer as usize) {
                *count = count.saturating_sub(1);
            }
        }
    }

    pub(super) fn has(&self, closer: Closer) -> bool {
        self.0.get(closer as usize).is_some_and(|count| *count > 0)
    }
}

/// Lengths of everything that grows, to take back what a failed reading has added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) pos: usize,
    errors: usize,
    comments: usize,
    pending: usize,
    bodies: usize,
}

/// A here-document whose body comes after the next line break.
#[derive(Debug)]
pub(super) struct Pending {
    /// Its place in `bodies`.
    pub(super) id: usize,
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    pub(super) strip_tabs: bool,
}

/// The body of a here-document that was read.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) word: Word,
    /// The delimiter was found.
    pub(super) closed: bool,
}

/// A recursive-descent parser over the bytes of one text.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) pos: usize,
    /// Reading stops here: the end of the text, or of a here-document or backquoted part of it.
    pub(super) end: usize,
    pub(super) holes: Holes,
    /// Extended globs may stand anywhere: the script names `extglob`.
    pub(super) extglob: bool,
    pub(super) depth: usize,
    /// Over zero where bash reads text without judging it: backquotes and here-documents.
    pub(super) muted: usize,
    /// One past the last token.
    pub(super) last_end: usize,
    /// The last token ended a compound command, so that a closing word may follow without a separator.
    pub(super) after_compound: bool,
    pub(super) expected: Expected,
    pub(super) in_substitution: bool,
    pub(super) pending: Vec<Pending>,
    pub(super) bodies: Vec<Option<Body>>,
    /// Delimiters (with `<<-`, inside `$( )`) that a range of the text was searched for in vain.
    pub(super) missing: HashMap<(String, bool, bool), (usize, usize)>,
    pub(super) comments: Vec<Span>,
    pub(super) errors: Vec<SyntaxError>,
    /// Places of `((`, `$((` and `<((` that are no arithmetic, and of the parenthesis that closes the outer one of the
    /// latter two.
    pub(super) pairs: HashMap<usize, Option<usize>>,
    /// Bytes read in vain as arithmetic.
    pub(super) wasted: usize,
    /// `${{` without an end that were met.
    pub(super) failed_holes: Cell<u32>,
    /// An error tells already that the text ends too early.
    end_reported: bool,
    recoveries: usize,
    too_deep: bool,
    /// For a text that is not part of the script as it stands: the place in the script of each of its bytes.
    pub(super) map: Option<Vec<usize>>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, holes: Holes) -> Self {
        Self {
            text,
            pos: 0,
            end: text.len(),
            holes,
            extglob: text.contains("extglob"),
            depth: 0,
            muted: 0,
            last_end: 0,
            after_compound: false,
            expected: Expected::default(),
            in_substitution: false,
            pending: Vec::new(),
            bodies: Vec::new(),
            missing: HashMap::new(),
            comments: Vec::new(),
            errors: Vec::new(),
            pairs: HashMap::new(),
            wasted: 0,
            failed_holes: Cell::new(0),
            end_reported: false,
            recoveries: 0,
            too_deep: false,
            map: None,
        }
    }

    pub(super) fn script(mut self) -> Script {
        let body = self.program();
        self.comments.sort_unstable_by_key(|span| span.start);
        self.errors.sort_by_key(|error| error.span.start);
        Script { body, comments: self.comments, errors: self.errors }
    }

    /// Reads everything, here-documents put where they belong.
    fn program(&mut self) -> List {
        let mut body = self.list();
        self.finish_heredocs();
        if !self.bodies.is_empty() {
            visit::heredocs_mut(&mut body, &mut |document, operator| {
                let body = self.bodies.get_mut(document.body.span.start).and_then(Option::take);
                let absent = Body { word: Word { parts: Vec::new(), span: Span::at(operator.end) }, closed: false };
                let body = body.unwrap_or(absent);
                document.body = body.word;
                document.closed = body.closed;
            });
        }
        body
    }

    /// Reads `text`, which stands in this script with its bytes at `map`, as a script of its own whose errors bash
    /// would not report.
    pub(super) fn embedded(&mut self, text: &str, map: Vec<usize>) -> List {
        let mut inner = Parser::new(text, self.holes);
        inner.extglob = true;
        inner.depth = self.depth;
        inner.muted = 1;
        inner.map = Some(map);
        let body = inner.program();
        self.comments.append(&mut inner.comments);
        if inner.too_deep {
            self.give_up();
        }
        body
    }

    pub(super) fn at(&self, offset: usize) -> Option<u8> {
        if offset < self.end { self.text.as_bytes().get(offset).copied() } else { None }
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end.min(self.end)).unwrap_or_default()
    }

    /// The bytes from `offset` to the end of what is read.
    pub(super) fn rest(&self, offset: usize) -> &'t [u8] {
        self.text.as_bytes().get(offset..self.end).unwrap_or_default()
    }

    /// A span of the script from offsets of the text.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        match &self.map {
            None => Span::new(start, end),
            Some(map) => {
                let place = |offset: usize| map.get(offset).or(map.last()).copied().unwrap_or_default();
                Span::new(place(start), place(end))
            }
        }
    }

    pub(super) fn error(&mut self, start: usize, end: usize, message: impl Into<String>) {
        if self.muted == 0 && !self.too_deep && self.errors.len() < MAX_ERRORS {
            let span = self.span(start, end);
            self.errors.push(SyntaxError { span, message: message.into() });
        }
    }

    /// Reports that what starts at `start` is never closed. At the end of the text only the innermost is reported, and
    /// none where something behind its start was wrong already: bash does not come further than that.
    pub(super) fn unclosed(&mut self, start: usize, end: usize, message: impl Into<String>) {
        if self.muted > 0 {
            return;
        }
        if self.pos >= self.end {
            let opened = self.span(start, end).start;
            let wrong = self.errors.iter().any(|error| error.span.start > opened);
            if std::mem::replace(&mut self.end_reported, true) || wrong {
                return;
            }
        }
        self.error(start, end, message);
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            pos: self.pos,
            errors: self.errors.len(),
            comments: self.comments.len(),
            pending: self.pending.len(),
            bodies: self.bodies.len(),
        }
    }

    pub(super) fn rewind(&mut self, mark: Mark) {
        if self.too_deep {
            return;
        }
        self.pos = mark.pos;
        self.errors.truncate(mark.errors);
        self.comments.truncate(mark.comments);
        self.pending.truncate(mark.pending);
        self.bodies.truncate(mark.bodies);
        self.end_reported = false;
    }

    /// After a quoted text without its closing quote: goes back to the first line break inside it, so that the
    /// following lines are read as commands. Tells whether it went back.
    pub(super) fn recover(&mut self, mark: Option<Mark>) -> bool {
        let Some(mark) = mark else { return false };
        if self.recoveries >= MAX_RECOVERIES || self.too_deep {
            return false;
        }
        self.recoveries += 1;
        self.rewind(mark);
        true
    }

    /// One level deeper; `false` where the script is nested too deeply, which ends the reading.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            return true;
        }
        self.give_up();
        false
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    fn give_up(&mut self) {
        if !self.too_deep {
            let message =
                format!("nested too deeply: more than {MAX_DEPTH} levels; the rest of the script was not read");
            let span = self.span(self.pos, self.pos + 1);
            self.errors.push(SyntaxError { span, message });
            self.too_deep = true;
        }
        self.pos = self.end;
    }

    /// Reads `start..end` with `read` as a text of its own that bash does not judge, then goes on where it was.
    pub(super) fn within<T>(&mut self, start: usize, end: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.pos, self.end, self.last_end, self.end_reported, self.after_compound);
        let expected = std::mem::take(&mut self.expected);
        let pending = std::mem::take(&mut self.pending);
        let in_substitution = std::mem::take(&mut self.in_substitution);
        self.pos = start;
        self.last_end = start;
        self.end = end;
        self.muted += 1;
        let result = read(self);
        self.muted -= 1;
        (self.pos, self.end, self.last_end, self.end_reported, self.after_compound) = outer;
        self.expected = expected;
        self.pending = pending;
        self.in_substitution = in_substitution;
        if self.too_deep {
            self.pos = self.end;
        }
        result
    }
}

/// Collects the parts of a word; neighbouring plain text becomes one literal.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) done: Vec<WordPart>,
    pub(super) literal: String,
    pub(super) literal_start: usize,
}

impl Parts {
    /// Adds a part. Most words have one, so that the first takes the room of one.
    fn add(&mut self, kind: PartKind, span: Span) {
        if self.done.is_empty() {
            self.done.reserve_exact(1);
        }
        self.done.push(WordPart { kind, span });
    }

    /// Adds text that was written at `at`.
    pub(super) fn text(&mut self, text: &str, at: usize) {
        if self.literal.is_empty() {
            self.literal_start = at;
        }
        self.literal.push_str(text);
    }
}

/// Where [`Parser::recover`] returns to inside a text with parts.
pub(super) struct Bookmark {
    pub(super) mark: Mark,
    parts: usize,
    literal: usize,
    literal_start: usize,
}

impl Parser<'_> {
    pub(super) fn bookmark(&self, parts: &Parts) -> Bookmark {
        Bookmark {
            mark: self.mark(),
            parts: parts.done.len(),
            literal: parts.literal.len(),
            literal_start: parts.literal_start,
        }
    }

    /// Reports a text that is never closed, goes back to `bookmark` and drops the parts read after it.
    pub(super) fn unclosed_text(
        &mut self,
        (start, end): (usize, usize),
        message: &str,
        bookmark: Option<Bookmark>,
        parts: &mut Parts,
    ) {
        let mark = bookmark.as_ref().map(|bookmark| bookmark.mark);
        if self.recover(mark) {
            if let Some(bookmark) = bookmark {
                cut(parts, &bookmark);
            }
            self.error(start, end, message);
        } else {
            self.unclosed(start, end, message);
        }
    }

    /// Ends the current literal at `end`.
    pub(super) fn flush(&self, parts: &mut Parts, end: usize) {
        if !parts.literal.is_empty() {
            let text = std::mem::take(&mut parts.literal);
            parts.add(PartKind::Literal(text), self.span(parts.literal_start, end));
        }
    }

    /// Adds a part that was written at `start..self.pos`.
    pub(super) fn push(&self, parts: &mut Parts, kind: PartKind, start: usize) {
        self.flush(parts, start);
        parts.add(kind, self.span(start, self.pos));
    }

    /// The word of the parts from `start` to here.
    pub(super) fn finish(&self, mut parts: Parts, start: usize) -> Word {
        self.flush(&mut parts, self.pos);
        parts.done.shrink_to_fit();
        Word { parts: parts.done, span: self.span(start, self.pos) }
    }
}

/// Drops what `parts` got after the bookmark. The literal of that moment may have become a part since.
fn cut(parts: &mut Parts, bookmark: &Bookmark) {
    let literal = match parts.done.get_mut(bookmark.parts).map(|part| &mut part.kind) {
        Some(PartKind::Literal(text)) => std::mem::take(text),
        Some(_) => String::new(),
        None => std::mem::take(&mut parts.literal),
    };
    parts.done.truncate(bookmark.parts);
    parts.literal_start = bookmark.literal_start;
    parts.literal = literal;
    parts.literal.truncate(bookmark.literal);
}
