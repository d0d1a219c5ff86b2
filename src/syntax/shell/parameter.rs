//! `${…}` with its operators. Bash checks their form only when it expands them, so that every text up to the closing
//! brace is accepted here.

use super::ast::{Parameter, ParameterOp, PartKind, Word};
use super::expansion::is_name;
use super::parser::{Mark, Parser, Parts};

impl Parser<'_> {
    pub(super) fn parameter(&mut self, parts: &mut Parts) {
        let start = self.pos;
        if !self.enter() {
            return;
        }
        self.pos += 2;
        let (prefix, prefix_end) = self.parameter_prefix();
        self.pos = prefix_end;
        let name_end = self.parameter_name();
        let name_start = self.pos;
        let name = self.slice(name_start, name_end).to_owned();
        let name_span = self.span(name_start, name_end);
        self.pos = name_end;
        let mut line = None;
        let (mut index, every) = if name_end > name_start { self.parameter_index() } else { (None, false) };
        let indirect = prefix == Some(b'!');
        let mut op = match prefix {
            Some(b'#') => ParameterOp::Length,
            _ => self.parameter_op(indirect, every, &mut line),
        };
        if self.at(self.pos) != Some(b'}') {
            // What is left has no meaning to bash either: a bad substitution when it runs.
            self.brace_word(&[], false, &mut line);
        }
        if self.at(self.pos) == Some(b'}') {
            self.pos += 1;
        } else {
            let message = "this `${` is never closed";
            if self.recover(line) {
                (index, op) = (None, ParameterOp::Plain);
                self.error(start, start + 2, message);
            } else {
                self.unclosed(start, start + 2, message);
            }
        }
        let kind = PartKind::Parameter(Box::new(Parameter { name, name_span, index, indirect, op }));
        self.push(parts, kind, start);
        self.leave();
    }

    /// `#` for a length or `!` for an indirection, and where the name begins.
    fn parameter_prefix(&self) -> (Option<u8>, usize) {
        let at = self.pos;
        let next = self.at(at + 1);
        let named = next.is_some_and(is_name) || self.hole_at(at + 1).is_some();
        let prefix = match self.at(at) {
            Some(b'#') => {
                named
                    || matches!(next, Some(b'@' | b'*' | b'?' | b'$' | b'!'))
                    || (matches!(next, Some(b'-' | b'#')) && self.at(at + 2) == Some(b'}'))
            }
            Some(b'!') => named || matches!(next, Some(b'@' | b'*' | b'#' | b'?' | b'$')),
            _ => false,
        };
        if prefix { (self.at(at), at + 1) } else { (None, at) }
    }

    /// Where the name that begins here ends.
    fn parameter_name(&self) -> usize {
        let at = self.pos;
        if let Some((_, end)) = self.hole_at(at) {
            return end;
        }
        match (self.at(at), self.at(at + 1)) {
            (Some(b'0'..=b'9'), _) => at + self.rest(at).iter().take_while(|byte| byte.is_ascii_digit()).count(),
            (Some(b'$'), Some(b'{' | b'(')) => at,
            (Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!'), _) => at + 1,
            _ => at + self.rest(at).iter().take_while(|byte| is_name(**byte)).count(),
        }
    }

    /// The index, and whether it is `@` or `*`.
    fn parameter_index(&mut self) -> (Option<Word>, bool) {
        if self.at(self.pos) != Some(b'[') {
            return (None, false);
        }
        let open = self.pos;
        self.pos += 1;
        let (index, closed) = self.balanced_until((open, open + 1), b'[', b']', Some(b'}'));
        let every = matches!(self.slice(open + 1, self.pos), "@" | "*");
        self.pos += usize::from(closed);
        (Some(index), every)
    }

    fn parameter_op(&mut self, indirect: bool, every: bool, line: &mut Option<Mark>) -> ParameterOp {
        let Some(byte) = self.at(self.pos) else { return ParameterOp::Plain };
        match byte {
            b'}' if !indirect => ParameterOp::Plain,
            b'}' if every => ParameterOp::Names,
            b'}' => ParameterOp::Indirect,
            b'*' | b'@' if indirect && self.at(self.pos + 1) == Some(b'}') => {
                self.pos += 1;
                ParameterOp::Names
            }
            b':' if matches!(self.at(self.pos + 1), Some(b'-' | b'=' | b'?' | b'+')) => {
                self.pos += 1;
                self.fallback(true, line)
            }
            b'-' | b'=' | b'?' | b'+' => self.fallback(false, line),
            b':' => {
                self.pos += 1;
                let offset = self.brace_word(b":", false, line);
                let length = (self.at(self.pos) == Some(b':')).then(|| {
                    self.pos += 1;
                    self.brace_word(&[], false, line)
                });
                ParameterOp::Slice { offset, length }
            }
            b'#' | b'%' => {
                let longest = self.doubled(byte);
                let pattern = self.brace_word(&[], true, line);
                ParameterOp::Strip { suffix: byte == b'%', longest, pattern }
            }
            b'/' => self.replacement(line),
            b'^' | b',' | b'~' => {
                let operator = self.pos;
                self.doubled(byte);
                let text = self.slice(operator, self.pos).to_owned();
                self.brace_word(&[], true, line);
                ParameterOp::Case(text)
            }
            b'@' if self.at(self.pos + 2) == Some(b'}') => {
                let letter = self.at(self.pos + 1).filter(u8::is_ascii).map_or('@', char::from);
                self.pos += 2;
                ParameterOp::Transform(letter)
            }
            _ => ParameterOp::Plain,
        }
    }

    /// Moves over an operator that may stand twice, and tells whether it does.
    fn doubled(&mut self, byte: u8) -> bool {
        let twice = self.at(self.pos + 1) == Some(byte);
        self.pos += 1 + usize::from(twice);
        twice
    }

    fn fallback(&mut self, colon: bool, line: &mut Option<Mark>) -> ParameterOp {
        let operator = self.at(self.pos);
        self.pos += 1;
        let word = self.brace_word(&[], false, line);
        match operator {
            Some(b'=') => ParameterOp::Assign { colon, word },
            Some(b'?') => ParameterOp::Error { colon, word },
            Some(b'+') => ParameterOp::Alternative { colon, word },
            _ => ParameterOp::Default { colon, word },
        }
    }

    fn replacement(&mut self, line: &mut Option<Mark>) -> ParameterOp {
        let all = self.doubled(b'/');
        let anchor = self.at(self.pos).filter(|byte| !all && matches!(byte, b'#' | b'%')).map(char::from);
        self.pos += usize::from(anchor.is_some());
        let pattern = self.brace_word(b"/", true, line);
        let with = (self.at(self.pos) == Some(b'/')).then(|| {
            self.pos += 1;
            self.brace_word(&[], false, line)
        });
        ParameterOp::Replace { all, anchor, pattern, with }
    }

    /// A word inside `${…}`: up to the closing brace or one of `stops` outside parentheses. `line` keeps the end of the
    /// first line, where reading goes on if the brace is never closed.
    fn brace_word(&mut self, stops: &[u8], patterns: bool, line: &mut Option<Mark>) -> Word {
        let start = self.pos;
        let mut parts = Parts::default();
        let mut depth = 0_usize;
        loop {
            let at = self.pos;
            let Some(byte) = self.at(at) else { break };
            match byte {
                b'}' => break,
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'\n' if line.is_none() => *line = Some(self.mark()),
                byte if stops.contains(&byte) && (depth == 0 || byte == b'/') => break,
                _ => {}
            }
            match byte {
                b'*' | b'?' if patterns => {
                    self.pos += 1;
                    let text = self.slice(at, self.pos).to_owned();
                    self.push(&mut parts, PartKind::Pattern(text), at);
                }
                b'<' | b'>' if self.at(at + 1) == Some(b'(') => self.process(byte, &mut parts),
                _ => self.grouped_piece(byte, &mut parts),
            }
        }
        self.finish(parts, start)
    }
}
