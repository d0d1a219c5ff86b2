//! Quoted text: `'…'`, `$'…'`, `"…"` and what stands inside double quotes.

use super::Holes;
use super::ast::{PartKind, WordPart};
use super::parser::{Parser, Parts};

impl Parser<'_> {
    /// `'…'`
    pub(super) fn single_quoted(&mut self, parts: &mut Parts) {
        let start = self.pos;
        let close = self.slice(start + 1, self.end).find('\'').map(|length| start + 1 + length);
        let inner = self.close_raw(start, 1, close, "this single quote is never closed");
        let kind = match self.holes_in(start + 1, inner) {
            Some(parts) => PartKind::SingleQuotedWithHoles(parts),
            None => PartKind::SingleQuoted(self.slice(start + 1, inner).to_owned()),
        };
        self.push(parts, kind, start);
    }

    /// `$'…'`
    pub(super) fn ansi_quoted(&mut self, parts: &mut Parts) {
        let start = self.pos;
        let mut close = None;
        let mut at = start + 2;
        while let Some(byte) = self.at(at) {
            match byte {
                b'\\' => at += 2,
                b'\'' => {
                    close = Some(at);
                    break;
                }
                _ => at += 1,
            }
        }
        let inner = self.close_raw(start, 2, close, "this `$'` is never closed");
        let kind = match self.holes_in(start + 2, inner) {
            Some(mut parts) => {
                for part in &mut parts {
                    if let PartKind::Literal(text) = &mut part.kind {
                        *text = unescape(text);
                    }
                }
                PartKind::SingleQuotedWithHoles(parts)
            }
            None => PartKind::AnsiQuoted(unescape(self.slice(start + 2, inner))),
        };
        self.push(parts, kind, start);
    }

    /// Moves behind the closing quote at `close`. Where there is none, reports it and stops at the end of the line.
    /// Gives the end of the quoted text.
    fn close_raw(&mut self, start: usize, open: usize, close: Option<usize>, message: &str) -> usize {
        if let Some(close) = close {
            self.pos = close + 1;
            return close;
        }
        let mut mark = self.mark();
        let line = self.slice(start, self.end).find('\n');
        mark.pos = line.map_or(self.end, |length| start + length);
        self.pos = self.end;
        if self.recover(line.map(|_| mark)) {
            self.error(start, start + open, message);
        } else {
            self.unclosed(start, start + open, message);
        }
        self.pos
    }

    /// `"…"`, and `$"…"` with `open` 2.
    pub(super) fn double_quoted(&mut self, open: usize, parts: &mut Parts) {
        let start = self.pos;
        self.pos += open;
        let mut inner = Parts::default();
        let mut bookmark = None;
        loop {
            let at = self.pos;
            let rest = self.rest(at);
            let length = rest.iter().position(|byte| is_special(*byte)).unwrap_or(rest.len());
            if length > 0 {
                inner.text(self.slice(at, at + length), at);
                self.pos += length;
            }
            match self.at(self.pos) {
                None => {
                    self.unclosed_text(
                        (start, start + open),
                        "this double quote is never closed",
                        bookmark,
                        &mut inner,
                    );
                    self.flush(&mut inner, self.pos);
                    break;
                }
                Some(b'"') => {
                    self.flush(&mut inner, self.pos);
                    self.pos += 1;
                    break;
                }
                Some(b'\n') => {
                    if bookmark.is_none() {
                        bookmark = Some(self.bookmark(&inner));
                    }
                    inner.text("\n", self.pos);
                    self.pos += 1;
                }
                Some(byte) => self.quoted_piece(byte, b"$`\"\\", &mut inner),
            }
        }
        self.push(parts, PartKind::DoubleQuoted(inner.done), start);
    }

    /// An expansion, an escape (a backslash quotes only `escapes`), a hole or a single byte inside double quotes or a
    /// here-document.
    pub(super) fn quoted_piece(&mut self, byte: u8, escapes: &[u8], parts: &mut Parts) {
        let start = self.pos;
        match byte {
            b'$' if self.dollar(true, parts) => {}
            b'`' => self.backquoted(true, parts),
            b'{' if self.holes == Holes::Template && self.take_hole(parts) => {}
            b'\\' => {
                let continuation = self.continuation(start);
                if continuation > 0 {
                    self.pos += continuation;
                } else if self.at(start + 1).is_some_and(|next| escapes.contains(&next)) {
                    self.pos += 2;
                    parts.text(self.slice(start + 1, self.pos), start);
                } else {
                    self.pos += 1;
                    parts.text("\\", start);
                }
            }
            _ => {
                self.pos += 1;
                parts.text(self.slice(start, self.pos), start);
            }
        }
    }

    /// The parts of a here-document's body `start..end`.
    pub(super) fn body_parts(&mut self, start: usize, end: usize, strip_tabs: bool) -> Vec<WordPart> {
        self.within(start, end, |parser| {
            let mut parts = Parts::default();
            let mut line_start = true;
            while let Some(byte) = parser.at(parser.pos) {
                let at = parser.pos;
                if line_start && strip_tabs && byte == b'\t' {
                    parser.flush(&mut parts, at);
                    parser.pos += 1;
                    continue;
                }
                line_start = byte == b'\n';
                let rest = parser.rest(at);
                let length = rest.iter().position(|byte| is_special(*byte)).unwrap_or(rest.len());
                if length > 0 {
                    parser.pos += length;
                    parts.text(parser.slice(at, parser.pos), at);
                } else {
                    parser.quoted_piece(byte, b"$`\\", &mut parts);
                }
            }
            parser.flush(&mut parts, parser.pos);
            parser.finish_heredocs();
            parts.done
        })
    }
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'$' | b'`' | b'\\' | b'{' | b'\n')
}

/// Decodes the escapes of `$'…'`.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let Some((&escape, tail)) = rest.split_first() else {
            bytes.push(b'\\');
            break;
        };
        rest = tail;
        match escape {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'a' => bytes.push(7),
            b'b' => bytes.push(8),
            b'e' | b'E' => bytes.push(27),
            b'f' => bytes.push(12),
            b'v' => bytes.push(11),
            b'\\' | b'\'' | b'"' | b'?' => bytes.push(escape),
            b'c' => {
                if let Some((&control, tail)) = rest.split_first() {
                    bytes.push(control.to_ascii_uppercase() ^ 64);
                    rest = tail;
                }
            }
            b'0'..=b'7' => {
                let (value, tail) = number(rest, 2, 8, u32::from(escape - b'0'));
                bytes.push(value as u8);
                rest = tail;
            }
            b'x' => {
                let (value, tail) = number(rest, 2, 16, 0);
                bytes.push(value as u8);
                rest = tail;
            }
            b'u' | b'U' => {
                let (value, tail) = number(rest, if escape == b'u' { 4 } else { 8 }, 16, 0);
                let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = tail;
            }
            _ => bytes.extend_from_slice(&[b'\\', escape]),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads up to `most` digits after a number that begins with `value`.
fn number(mut rest: &[u8], most: usize, radix: u32, mut value: u32) -> (u32, &[u8]) {
    for _ in 0..most {
        let Some((&byte, tail)) = rest.split_first() else { break };
        let Some(digit) = char::from(byte).to_digit(radix) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        rest = tail;
    }
    (value, rest)
}
