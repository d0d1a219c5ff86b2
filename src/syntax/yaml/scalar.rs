//! From a scalar as it is written to its fragment. The parser has already decoded the text; the walks here only find
//! out which bytes of the file each part of it came from, by the same rules (YAML 1.2.2, chapters 7.3 and 8.1). Where
//! walk and parser do not agree the text still stands, mapped as one piece.

use std::borrow::Cow;

use crate::text::{Fragment, Piece, Span};

use super::Style;

/// The fragment of a scalar.
///
/// `source` is the text that was parsed, `span` the scalar in it (quotes included; of a block scalar only the header),
/// `indentation` the column of a block scalar's text.
pub(super) fn fragment(source: &str, style: Style, span: Span, indentation: usize, value: Cow<'_, str>) -> Fragment {
    let quote = usize::from(matches!(style, Style::SingleQuoted | Style::DoubleQuoted));
    if let Cow::Borrowed(value) = value {
        return Fragment::verbatim_in(value, span.start + quote, span);
    }
    let mut walk = Walk { source, at: span.start + quote, end: span.end - quote, decoded: 0, pieces: Vec::new() };
    match style {
        Style::Plain | Style::SingleQuoted | Style::DoubleQuoted => walk.flow(style),
        Style::Literal | Style::Folded => walk.block(style == Style::Folded, indentation),
    }
    let value = value.into_owned();
    let mut pieces = walk.finish(value.len());
    let mut span = span;
    if let (Style::Literal | Style::Folded, Some(last)) = (style, pieces.last()) {
        span.end = last.source.end;
    }
    if !agrees(source, &value, &pieces) {
        // The reader took what YAML forbids, such as a comment inside of a plain scalar: the whole stands for the whole.
        pieces = vec![Piece { decoded: 0, decoded_len: value.len(), source: span, verbatim: false }];
    }
    Fragment::from_pieces(value, pieces, span)
}

fn agrees(source: &str, value: &str, pieces: &[Piece]) -> bool {
    let len = pieces.last().map_or(0, |piece| piece.decoded + piece.decoded_len);
    len == value.len()
        && pieces.iter().filter(|piece| piece.verbatim).all(|piece| {
            let written = source.get(piece.source.range());
            written.is_some() && written == value.get(piece.decoded..piece.decoded + piece.decoded_len)
        })
}

/// How a block scalar says it should be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// `-` strips the last line breaks, `+` keeps all, nothing keeps one.
    pub chomping: Option<u8>,
    /// The explicit indentation relative to the parent.
    pub indentation: Option<u8>,
    /// Offset behind the indicators.
    pub end: usize,
    /// Offset of the first byte after the header's line break (the end of the text where there is none).
    pub body: usize,
}

impl Header {
    /// Reads the header of a block scalar whose `|` or `>` stands at `at`.
    pub(super) fn read(source: &str, at: usize) -> Self {
        let bytes = source.as_bytes();
        let mut header = Self { chomping: None, indentation: None, end: at, body: at };
        let mut at = at + 1;
        while let Some(byte @ (b'+' | b'-' | b'0'..=b'9')) = bytes.get(at) {
            match byte {
                b'+' | b'-' => header.chomping = Some(*byte),
                digit => header.indentation = Some(digit - b'0'),
            }
            at += 1;
        }
        header.end = at;
        let line_end = line_end(bytes, at);
        header.body = line_end + break_len(bytes, line_end);
        header
    }
}

/// Whether granit-parser takes a scalar that libyaml does not: an escaped surrogate pair.
pub(super) fn is_read_differently(source: &str, style: Style, fragment: &Fragment) -> bool {
    style == Style::DoubleQuoted
        && fragment
            .pieces()
            .filter(|piece| !piece.verbatim && piece.source.len() == 12)
            .any(|piece| source.get(piece.source.range()).is_some_and(|written| written.starts_with("\\u")))
}

/// Offset of the `|` or `>` that begins the block scalar which follows the token that ends at `from`: between them
/// stand only indicators, properties, comments and blanks.
pub(super) fn header(source: &str, from: usize) -> usize {
    let bytes = source.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'|' | b'>' => break,
            b'#' => at = line_end(bytes, at),
            b'!' | b'&' => at = word_end(bytes, at),
            _ => at += 1,
        }
    }
    at
}

/// Offset behind the indicator (`-`, `:`) that follows the token that ends at `from`; `None` where something else
/// comes first.
pub(super) fn behind_indicator(source: &str, from: usize, indicator: u8) -> Option<usize> {
    let bytes = source.as_bytes();
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'#' => at = line_end(bytes, at),
            byte => return (*byte == indicator).then_some(at + 1),
        }
    }
}

fn word_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).unwrap_or(rest.len())
}

/// Offset of the line break (or the end of the text) at or after `at`.
pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len())
}

/// Length of the line break at `at`: 0 where there is none, 2 for CRLF.
pub(super) fn break_len(bytes: &[u8], at: usize) -> usize {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\r'), Some(b'\n')) => 2,
        (Some(b'\r' | b'\n'), _) => 1,
        _ => 0,
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

struct Walk<'a> {
    source: &'a str,
    at: usize,
    end: usize,
    decoded: usize,
    pieces: Vec<Piece>,
}

impl Walk<'_> {
    fn peek(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.source.as_bytes().get(self.at).copied()).flatten()
    }

    /// Bytes `from..to` of the source stand in the text as they are.
    fn verbatim(&mut self, from: usize, to: usize) {
        let len = to.saturating_sub(from);
        if len == 0 {
            return;
        }
        let source = Span::new(from, to);
        match self.pieces.last_mut() {
            Some(last) if last.verbatim && last.source.end == source.start => {
                last.decoded_len += len;
                last.source.end = source.end;
            }
            _ => self.pieces.push(Piece { decoded: self.decoded, decoded_len: len, source, verbatim: true }),
        }
        self.decoded += len;
    }

    /// Bytes `from..to` of the source stand for `len` bytes of text.
    fn mapped(&mut self, len: usize, from: usize, to: usize) {
        let source = Span::new(from, to);
        self.pieces.push(Piece { decoded: self.decoded, decoded_len: len, source, verbatim: false });
        self.decoded += len;
    }

    /// The line break `from..to` stands for one LF.
    fn line_feed(&mut self, from: usize, to: usize) {
        if self.source.as_bytes().get(from..to) == Some(b"\n") {
            self.verbatim(from, to);
        } else {
            self.mapped(1, from, to);
        }
    }

    /// Cuts the map at the length of the text (chomping).
    fn finish(mut self, len: usize) -> Vec<Piece> {
        while let Some(last) = self.pieces.last_mut() {
            if last.decoded >= len {
                self.pieces.pop();
                continue;
            }
            let over = (last.decoded + last.decoded_len).saturating_sub(len);
            if over > 0 && last.verbatim {
                last.decoded_len -= over;
                last.source.end -= over;
            }
            break;
        }
        self.pieces
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
    }

    /// At the first of one or more line breaks: folds them, and the blanks of the lines between and after them. The
    /// first break is dropped where it was escaped or where others follow, and becomes a space otherwise.
    fn fold_breaks(&mut self, escaped: bool) {
        let bytes = self.source.as_bytes();
        let first = (self.at, self.at + break_len(bytes, self.at));
        self.at = first.1;
        self.skip_blanks();
        let mut more = false;
        while self.peek().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            let len = break_len(bytes, self.at);
            self.line_feed(self.at, self.at + len);
            self.at += len;
            more = true;
            self.skip_blanks();
        }
        if !more && !escaped {
            self.mapped(1, first.0, first.1);
        }
    }

    fn flow(&mut self, style: Style) {
        let mut from = self.at;
        while let Some(byte) = self.peek() {
            match (byte, style) {
                (b'\n' | b'\r', _) => {
                    self.verbatim(from, self.text_end(from));
                    self.fold_breaks(false);
                    from = self.at;
                }
                (b'\'', Style::SingleQuoted) => {
                    self.verbatim(from, self.at);
                    self.mapped(1, self.at, self.at + 2);
                    self.at += 2;
                    from = self.at;
                }
                (b'\\', Style::DoubleQuoted) => {
                    self.verbatim(from, self.at);
                    self.escape();
                    from = self.at;
                }
                _ => self.at += 1,
            }
        }
        self.verbatim(from, self.end);
    }

    /// The end of what was written since `from`, without the blanks before a line break.
    fn text_end(&self, from: usize) -> usize {
        let written = self.source.get(from..self.at).unwrap_or_default();
        from + written.trim_end_matches([' ', '\t']).len()
    }

    /// At a backslash of a double-quoted scalar.
    fn escape(&mut self) {
        let bytes = self.source.as_bytes();
        let start = self.at;
        let (written, decoded) = match bytes.get(start + 1) {
            Some(b'\n' | b'\r') => {
                self.at += 1;
                return self.fold_breaks(true);
            }
            Some(b'x') => (4, self.hexadecimal(start + 2, 2)),
            Some(b'u') => {
                let unit = self.hexadecimal(start + 2, 4);
                if (0xd800..0xdc00).contains(&unit) { (12, 0x1_0000) } else { (6, unit) }
            }
            Some(b'U') => (10, self.hexadecimal(start + 2, 8)),
            Some(b'N' | b'_') => (2, 0x85),
            Some(b'L' | b'P') => (2, 0x2028),
            _ => (2, 0),
        };
        self.at = (start + written).min(self.end);
        self.mapped(char::from_u32(decoded).map_or(1, char::len_utf8), start, self.at);
    }

    fn hexadecimal(&self, from: usize, digits: usize) -> u32 {
        let written = self.source.get(from..from + digits).unwrap_or_default();
        u32::from_str_radix(written, 16).unwrap_or_default()
    }

    /// A block scalar: `at` stands on its `|` or `>`. Everything up to the length of the text is mapped, so that
    /// chomping needs no rule of its own here.
    fn block(&mut self, folded: bool, indentation: usize) {
        let bytes = self.source.as_bytes();
        self.at = Header::read(self.source, self.at).body;
        // The break of the last line with text, and whether that line began with a blank.
        let mut pending: Option<(Span, bool)> = None;
        // Breaks of the empty lines since then.
        let mut empty: Vec<Span> = Vec::new();
        while self.at < bytes.len() {
            let spaces =
                bytes.get(self.at..).unwrap_or_default().iter().take(indentation).take_while(|b| **b == b' ').count();
            let from = self.at + spaces;
            let end = line_end(bytes, from);
            let line_break = Span::new(end, end + break_len(bytes, end));
            if end == from {
                empty.push(line_break);
            } else if spaces < indentation {
                break;
            } else {
                let blank = bytes.get(from).copied().is_some_and(is_blank);
                let fold = folded && !blank && pending.is_some_and(|(_, before)| !before);
                match pending {
                    Some((before, _)) if !fold => self.line_feed(before.start, before.end),
                    Some((before, _)) if empty.is_empty() => self.mapped(1, before.start, before.end),
                    _ => {}
                }
                for line in empty.drain(..) {
                    self.line_feed(line.start, line.end);
                }
                self.verbatim(from, end);
                pending = Some((line_break, blank));
            }
            self.at = line_break.end;
            if line_break.is_empty() {
                break;
            }
        }
        for line in pending.iter().map(|(line, _)| line).chain(&empty) {
            if !line.is_empty() {
                self.line_feed(line.start, line.end);
            }
        }
    }
}
