//! Expansions: `$x`, `$( )`, backquotes and arithmetic.

use super::Holes;
use super::ast::{List, Parameter, ParameterOp, PartKind, Substitution, Word};
use super::lexer::Token;
use super::parser::{Closer, Expected, Parser, Parts};

/// Bytes that may be read in vain as arithmetic, as a multiple of the script's length.
const MAX_WASTE: usize = 4;

impl Parser<'_> {
    /// Reads the expansion that begins with the `$` here; `false` where the `$` stands for itself. Inside quotes
    /// `$'` and `$"` are no quotes.
    pub(super) fn dollar(&mut self, quoted: bool, parts: &mut Parts) -> bool {
        let start = self.pos;
        let Some(next) = self.at(start + 1) else { return false };
        match next {
            b'{' if self.holes == Holes::Expression && self.take_hole(parts) => {}
            b'{' if self.holes == Holes::Template && self.hole_at(start + 1).is_some() => return false,
            b'{' => self.parameter(parts),
            b'(' if self.at(start + 2) == Some(b'(') => match self.arithmetic(start, 3) {
                Some(word) => self.push(parts, PartKind::Arithmetic(word), start),
                None => self.substitution(parts),
            },
            b'(' => self.substitution(parts),
            b'[' => {
                self.pos += 2;
                let (word, closed) = self.balanced((start, start + 2), b'[', b']');
                self.pos += usize::from(closed);
                self.push(parts, PartKind::Arithmetic(word), start);
            }
            b'\'' if !quoted => self.ansi_quoted(parts),
            b'"' if !quoted => self.double_quoted(2, parts),
            b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => self.plain_parameter(1, parts),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                let name = self.rest(start + 1).iter().take_while(|byte| is_name(**byte)).count();
                self.plain_parameter(name, parts);
            }
            _ => return false,
        }
        true
    }

    fn plain_parameter(&mut self, length: usize, parts: &mut Parts) {
        let start = self.pos;
        self.pos += 1 + length;
        let name = self.slice(start + 1, self.pos).to_owned();
        let name_span = self.span(start + 1, self.pos);
        let parameter = Parameter { name, name_span, index: None, indirect: false, op: ParameterOp::Plain };
        self.push(parts, PartKind::Parameter(Box::new(parameter)), start);
    }

    fn substitution(&mut self, parts: &mut Parts) {
        let start = self.pos;
        let body = self.commands_in_parens(start);
        let kind = PartKind::Substitution(Box::new(Substitution { body, backquoted: false }));
        self.push(parts, kind, start);
    }

    /// The commands between the parentheses of `$(…)`, `<(…)` or `>(…)`. `bash -n` reads `$((` and `<((` as a pair of
    /// parentheses, whatever stands between them, and as commands only when it runs them.
    pub(super) fn commands_in_parens(&mut self, start: usize) -> List {
        self.pos = start + 2;
        if self.at(self.pos) != Some(b'(') {
            return self.parenthesised(start);
        }
        match self.paired_end(start) {
            Some(end) => {
                let body = self.unjudged(start + 2, end);
                self.pos = self.pos.max(end + 1).min(self.end);
                body
            }
            None if self.pos == start + 2 => self.parenthesised(start),
            None => List { items: Vec::new(), span: self.span(start + 2, start + 2) },
        }
    }

    /// Commands in `start..end` that `bash -n` does not look at.
    fn unjudged(&mut self, start: usize, end: usize) -> List {
        if !self.enter() {
            return List { items: Vec::new(), span: self.span(start, start) };
        }
        let body = self.within(start, end, |parser| {
            let list = parser.list();
            parser.finish_heredocs();
            list
        });
        self.leave();
        body
    }

    /// The parenthesis that closes the outer one of `$((` or `<((` at `start`. `None` where there is none, which was
    /// reported, or where too much was read in vain already.
    fn paired_end(&mut self, start: usize) -> Option<usize> {
        if let Some(end) = self.pairs.get(&start) {
            return *end;
        }
        if self.wasted > MAX_WASTE * self.text.len() {
            return None;
        }
        let mark = self.mark();
        if !self.balanced((start, start + 3), b'(', b')').1 {
            return None;
        }
        let end = self.pos;
        self.wasted += end - start;
        self.pairs.insert(start, Some(end));
        self.rewind(mark);
        Some(end)
    }

    /// The commands of a substitution up to its closing parenthesis. Constructs around it cannot be closed inside.
    fn parenthesised(&mut self, start: usize) -> List {
        if !self.enter() {
            return List { items: Vec::new(), span: self.span(self.pos, self.pos) };
        }
        let mut inside = Expected::default();
        inside.add(&[Closer::Paren]);
        let expected = std::mem::replace(&mut self.expected, inside);
        let mut pending = std::mem::take(&mut self.pending);
        let in_substitution = std::mem::replace(&mut self.in_substitution, true);
        self.last_end = self.pos;
        let body = self.list();
        self.expected = expected;
        self.in_substitution = in_substitution;
        pending.append(&mut self.pending);
        self.pending = pending;
        if self.peek() == Token::RightParen {
            self.pos += 1;
        } else {
            let opener = self.slice(start, start + 2);
            self.unclosed(start, start + 2, format!("this `{opener}` is never closed"));
        }
        self.leave();
        body
    }

    /// `` `…` ``, inside double quotes or not.
    pub(super) fn backquoted(&mut self, quoted: bool, parts: &mut Parts) {
        let start = self.pos;
        let rest = self.rest(start + 1);
        let mut length = 0;
        let mut escaped = false;
        while let Some(byte) = rest.get(length) {
            match byte {
                b'`' => break,
                b'\\' => {
                    escaped = true;
                    length += 2;
                }
                _ => length += 1,
            }
        }
        let close = start + 1 + length;
        if close >= self.end {
            let mut mark = self.mark();
            let line = rest.iter().position(|byte| *byte == b'\n');
            mark.pos = line.map_or(self.end, |length| start + 1 + length);
            self.pos = self.end;
            if self.recover(line.map(|_| mark)) {
                self.error(start, start + 1, "this backquote is never closed");
            } else {
                self.unclosed(start, start + 1, "this backquote is never closed");
            }
        } else {
            self.pos = close + 1;
        }
        let inner = close.min(self.pos);
        let body = self.backquoted_body(start + 1, inner, escaped, quoted);
        let kind = PartKind::Substitution(Box::new(Substitution { body, backquoted: true }));
        self.push(parts, kind, start);
    }

    fn backquoted_body(&mut self, start: usize, end: usize, escaped: bool, quoted: bool) -> List {
        if !escaped {
            return self.unjudged(start, end);
        }
        if !self.enter() {
            return List { items: Vec::new(), span: self.span(start, start) };
        }
        let (text, map) = self.unescaped(start, end, quoted);
        let body = self.embedded(&text, map);
        self.leave();
        body
    }

    /// The text between backquotes as bash reads it, and the place in the script of each of its bytes (one more for
    /// the end).
    fn unescaped(&self, start: usize, end: usize, quoted: bool) -> (String, Vec<usize>) {
        let mut text = String::with_capacity(end - start);
        let mut map = Vec::with_capacity(end - start + 1);
        let mut characters = self.slice(start, end).char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let mut kept = character;
            if character == '\\' {
                let removed =
                    characters.next_if(|(_, next)| matches!(next, '`' | '\\' | '$') || (quoted && *next == '"'));
                kept = removed.map_or(character, |(_, next)| next);
            }
            text.push(kept);
            let place = self.span(start + at, start + at).start;
            map.extend((0..kept.len_utf8()).map(|byte| place + byte));
        }
        map.push(self.span(end, end).start);
        (text, map)
    }

    /// Reads arithmetic after an opening of `open` bytes (`((` or `$((`). `None`, at the opening again, where the
    /// parentheses do not close as `))`, so that the text is commands.
    pub(super) fn arithmetic(&mut self, start: usize, open: usize) -> Option<Word> {
        if self.pairs.contains_key(&start) || self.wasted > MAX_WASTE * self.text.len() {
            return None;
        }
        let opener = (start, start + open);
        let mark = self.mark();
        self.pos = opener.1;
        let (word, closed) = self.balanced(opener, b'(', b')');
        if !closed {
            return Some(word);
        }
        if self.at(self.pos + 1) == Some(b')') {
            self.pos += 2;
            return Some(word);
        }
        let mut end = None;
        if open == 3 {
            self.pos += 1;
            if !self.balanced(opener, b'(', b')').1 {
                return Some(word);
            }
            end = Some(self.pos);
        }
        self.wasted += self.pos - start;
        self.pairs.insert(start, end);
        self.rewind(mark);
        None
    }

    /// Text up to the `close` that matches an `open` before it, as literals, quotes and expansions. Stops at the
    /// closing byte and tells whether it was found.
    pub(super) fn balanced(&mut self, opener: (usize, usize), open: u8, close: u8) -> (Word, bool) {
        self.balanced_until(opener, open, close, None)
    }

    /// Like [`Self::balanced`], but `stop` ends it too.
    pub(super) fn balanced_until(
        &mut self,
        opener: (usize, usize),
        open: u8,
        close: u8,
        stop: Option<u8>,
    ) -> (Word, bool) {
        let start = self.pos;
        let mut parts = Parts::default();
        if !self.enter() {
            return (self.finish(parts, start), false);
        }
        let mut bookmark = None;
        let mut depth = 1_usize;
        let mut closed = false;
        while let Some(byte) = self.at(self.pos) {
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    closed = true;
                    break;
                }
            } else if byte == open {
                depth += 1;
            } else if Some(byte) == stop {
                self.leave();
                return (self.finish(parts, start), false);
            } else if byte == b'\n' && bookmark.is_none() {
                bookmark = Some(self.bookmark(&parts));
            }
            let process = open == b'[' && matches!(byte, b'<' | b'>') && self.at(self.pos + 1) == Some(b'(');
            if process { self.process(byte, &mut parts) } else { self.grouped_piece(byte, &mut parts) }
        }
        self.leave();
        if !closed {
            let text = self.slice(opener.0, opener.1);
            let message = format!("this `{text}` is never closed");
            self.unclosed_text(opener, &message, bookmark, &mut parts);
        }
        (self.finish(parts, start), closed)
    }

    /// One piece of text inside a group (arithmetic, an index, `${…}`), where blanks and operators are plain text.
    pub(super) fn grouped_piece(&mut self, byte: u8, parts: &mut Parts) {
        let start = self.pos;
        match byte {
            b'\'' => self.single_quoted(parts),
            b'"' => self.double_quoted(1, parts),
            b'`' => self.backquoted(false, parts),
            b'$' if self.dollar(false, parts) => {}
            b'{' if self.holes == Holes::Template && self.take_hole(parts) => {}
            b'\\' => {
                let continuation = self.continuation(start);
                let next = self.slice(start + 1, self.end).chars().next();
                self.pos += if continuation > 0 { continuation } else { 1 + next.map_or(0, char::len_utf8) };
                if continuation == 0 {
                    let text = if next.is_none() { "\\" } else { self.slice(start + 1, self.pos) };
                    parts.text(text, start);
                }
            }
            _ => {
                let rest = self.rest(start);
                let plain = rest.iter().skip(1).take_while(|byte| is_plain(**byte)).count();
                self.pos += 1 + plain;
                parts.text(self.slice(start, self.pos), start);
            }
        }
    }
}

/// Bytes that a group takes as text without a look: no quote, expansion, bracket, separator or line break.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b' ' || byte == b'_' || byte >= 0x80
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
