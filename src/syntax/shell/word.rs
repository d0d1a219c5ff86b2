//! Words: unquoted text, patterns, and the quotes and expansions between them.

use super::Holes;
use super::ast::{PartKind, ProcessSubstitution, Word};
use super::parser::{Parser, Parts};

/// Where a word stands, which decides what its unquoted characters mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// An argument, a name, a redirection's target, a `case` pattern: globs and braces are patterns.
    Argument,
    /// The value of an assignment, the left side of a test: no globs.
    Value,
    /// The right side of `==` in `[[ ]]`: extended globs are always on.
    Match,
    /// The right side of `=~`: unquoted text is kept raw as patterns, parentheses group.
    Regex,
}

/// Longest `[…]` or `{a,b}` that becomes one pattern part.
const MAX_PATTERN: usize = 128;

/// Deepest `{a,{b,c}}` that becomes one pattern part.
const MAX_BRACES: usize = 8;

/// Bytes that are plain text in every word.
const PLAIN: [bool; 256] = plain();

const fn plain() -> [bool; 256] {
    let mut table = [true; 256];
    let special = b" \t\n\r;&|<>()'\"`$\\{*?[@+!";
    let mut index = 0;
    while index < special.len() {
        table[special[index] as usize] = false;
        index += 1;
    }
    table
}

impl Parser<'_> {
    /// Reads a word at the current place; empty where none stands.
    pub(super) fn word(&mut self, mode: Mode) -> Word {
        let start = self.pos;
        let mut parts = Parts::default();
        let mut groups = Vec::new();
        let mut bookmark = None;
        if self.at(start) == Some(b'~') && mode != Mode::Regex {
            self.pos += 1;
            self.push(&mut parts, PartKind::Pattern("~".to_owned()), start);
        }
        while let Some(byte) = self.at(self.pos) {
            if PLAIN[usize::from(byte)] {
                self.plain_text(mode, &mut parts);
                continue;
            }
            if byte == b'\n' && !groups.is_empty() && bookmark.is_none() {
                bookmark = Some(self.bookmark(&parts));
            }
            if !self.word_piece(byte, mode, &mut groups, &mut parts) {
                break;
            }
        }
        if let Some(open) = groups.first().copied() {
            self.unclosed_text((open, open + 1), "this `(` of a pattern is never closed", bookmark, &mut parts);
        }
        self.last_end = self.pos;
        self.after_compound = false;
        self.finish(parts, start)
    }

    fn plain_text(&mut self, mode: Mode, parts: &mut Parts) {
        let start = self.pos;
        let rest = self.rest(start);
        let length = rest.iter().position(|byte| !PLAIN[usize::from(*byte)]).unwrap_or(rest.len());
        self.pos += length;
        self.raw_text(start, mode, parts);
    }

    /// Adds `start..self.pos` as it is written.
    fn raw_text(&self, start: usize, mode: Mode, parts: &mut Parts) {
        let text = self.slice(start, self.pos);
        if mode == Mode::Regex {
            self.pattern(start, parts);
        } else {
            parts.text(text, start);
        }
    }

    /// Adds `start..self.pos` as a pattern, joined to a pattern right before it in a regular expression.
    fn pattern(&self, start: usize, parts: &mut Parts) {
        let text = self.slice(start, self.pos);
        self.push(parts, PartKind::Pattern(text.to_owned()), start);
    }

    /// Reads what begins with a byte that is not plain; `false` at the end of the word. `groups` holds the places of
    /// the open parentheses of extended globs and regular expressions.
    fn word_piece(&mut self, byte: u8, mode: Mode, groups: &mut Vec<usize>, parts: &mut Parts) -> bool {
        let start = self.pos;
        match byte {
            b'\'' => self.single_quoted(parts),
            b'"' => self.double_quoted(1, parts),
            b'`' => self.backquoted(false, parts),
            b'$' => {
                if !self.dollar(false, parts) {
                    self.pos += 1;
                    self.raw_text(start, mode, parts);
                }
            }
            b'\\' => self.escaped(mode, parts),
            b'{' => {
                if !(self.holes == Holes::Template && self.take_hole(parts)) {
                    let length = if mode == Mode::Argument { self.brace_pattern() } else { None };
                    self.pos += length.unwrap_or(1);
                    if length.is_some() { self.pattern(start, parts) } else { self.raw_text(start, mode, parts) }
                }
            }
            b'*' | b'?' | b'@' | b'+' | b'!' if self.opens_glob(mode, groups) => {
                groups.push(start + 1);
                self.pos += 2;
                self.pattern(start, parts);
            }
            b'*' | b'?' if mode != Mode::Value => {
                self.pos += 1;
                self.pattern(start, parts);
            }
            b'[' if mode == Mode::Argument || mode == Mode::Match => {
                let length = self.bracket_pattern();
                self.pos += length.unwrap_or(1);
                if length.is_some() { self.pattern(start, parts) } else { self.raw_text(start, mode, parts) }
            }
            b'<' | b'>' if groups.is_empty() && self.at(start + 1) == Some(b'(') => self.process(byte, parts),
            b'(' if mode == Mode::Regex || !groups.is_empty() => {
                groups.push(start);
                self.pos += 1;
                self.pattern(start, parts);
            }
            b')' if !groups.is_empty() => {
                groups.pop();
                self.pos += 1;
                self.pattern(start, parts);
            }
            b'|' if mode == Mode::Regex || !groups.is_empty() => {
                if groups.is_empty() && self.at(start + 1) == Some(b'|') {
                    return false;
                }
                self.pos += 1;
                self.pattern(start, parts);
            }
            b'\r' if groups.is_empty() && self.at(start + 1) == Some(b'\n') => return false,
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' if groups.is_empty() => return false,
            _ => {
                self.pos += 1;
                self.raw_text(start, mode, parts);
            }
        }
        true
    }

    /// A backslash and what it quotes.
    fn escaped(&mut self, mode: Mode, parts: &mut Parts) {
        let start = self.pos;
        let continuation = self.continuation(start);
        if continuation > 0 {
            self.pos += continuation;
            return;
        }
        let length = self.slice(start + 1, self.end).chars().next().map_or(0, char::len_utf8);
        self.pos += 1 + length;
        if mode == Mode::Regex {
            self.pattern(start, parts);
        } else {
            let text = if length == 0 { "\\" } else { self.slice(start + 1, self.pos) };
            parts.text(text, start);
        }
    }

    /// Whether an extended glob's `@(` stands here. Outside `[[ ]]` bash knows them only after `shopt -s extglob`;
    /// without it they are read as such all the same, and reported.
    fn opens_glob(&mut self, mode: Mode, groups: &[usize]) -> bool {
        if self.at(self.pos + 1) != Some(b'(') || mode == Mode::Value || mode == Mode::Regex {
            return false;
        }
        if self.extglob || mode == Mode::Match || !groups.is_empty() {
            return true;
        }
        if self.at(self.pos + 2) == Some(b')') {
            return false;
        }
        let message = "an extended pattern such as `@(a|b)` is a syntax error unless `shopt -s extglob` was run before";
        self.error(self.pos, self.pos + 2, message);
        true
    }

    /// Length of a `[…]` without quotes or expansions.
    fn bracket_pattern(&self) -> Option<usize> {
        let rest = self.rest(self.pos);
        let mut at = 1;
        if matches!(rest.get(at), Some(b'!' | b'^')) {
            at += 1;
        }
        if rest.get(at) == Some(&b']') {
            at += 1;
        }
        while at < MAX_PATTERN {
            match rest.get(at)? {
                b']' => return Some(at + 1),
                b'[' if rest.get(at + 1) == Some(&b':') => {
                    at += 2;
                    while rest.get(at).is_some_and(u8::is_ascii_alphabetic) {
                        at += 1;
                    }
                }
                b'{' if rest.get(at + 1) == Some(&b'{') && self.hole_at(self.pos + at).is_some() => return None,
                byte if *byte == b'[' || is_plain_in_pattern(*byte) => at += 1,
                _ => return None,
            }
        }
        None
    }

    /// Length of a `{a,b}` or `{1..3}` without quotes or expansions.
    fn brace_pattern(&self) -> Option<usize> {
        let rest = self.rest(self.pos);
        let mut depth = 0_usize;
        let mut separated = false;
        for (at, byte) in rest.iter().enumerate().take(MAX_PATTERN) {
            match byte {
                b'{' if at > 0 && rest.get(at + 1) == Some(&b'{') && self.hole_at(self.pos + at).is_some() => {
                    return None;
                }
                b'{' if depth == MAX_BRACES => return None,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return separated.then_some(at + 1);
                    }
                }
                b',' if depth == 1 => separated = true,
                b'.' if depth == 1 && rest.get(at + 1) == Some(&b'.') => separated = true,
                b'*' | b'?' | b'[' => {}
                byte if is_plain_in_pattern(*byte) => {}
                _ => return None,
            }
        }
        None
    }

    /// `<(…)` and `>(…)`
    pub(super) fn process(&mut self, byte: u8, parts: &mut Parts) {
        let start = self.pos;
        let body = self.commands_in_parens(start);
        let kind = PartKind::Process(Box::new(ProcessSubstitution { output: byte == b'>', body }));
        self.push(parts, kind, start);
    }
}

fn is_plain_in_pattern(byte: u8) -> bool {
    PLAIN[usize::from(byte)] || matches!(byte, b'@' | b'+' | b'!')
}
