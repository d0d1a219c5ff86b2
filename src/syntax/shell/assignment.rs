//! Assignments: `a=b`, `a+=b`, `a[i]=b`, `a=(…)`.

use super::ast::{AssignValue, Assignment, PartKind, Word};
use super::expansion::is_name;
use super::lexer::Token;
use super::parser::{Parser, Parts};
use super::word::Mode;

/// What a word at the place of an assignment turned out to be.
pub(super) enum Assigned {
    Assignment(Assignment),
    /// A word that looks like `name[…]` but assigns nothing.
    Word(Word),
}

impl Parser<'_> {
    /// The assignment that stands here. Before the command's name bash reads the index of `name[…]` in one piece,
    /// blanks included (`indexed`).
    pub(super) fn assignment(&mut self, indexed: bool) -> Option<Assigned> {
        let start = self.pos;
        let rest = self.rest(start);
        let name = rest.iter().take_while(|byte| is_name(**byte)).count();
        if name == 0 || rest.first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        match (rest.get(name), rest.get(name + 1)) {
            (Some(b'='), _) | (Some(b'+'), Some(b'=')) => {
                self.pos += name;
                Some(Assigned::Assignment(self.assigned(start, name, None)))
            }
            (Some(b'['), _) if indexed => {
                let open = start + name;
                self.pos = open + 1;
                let (index, closed) = self.balanced((open, open + 1), b'[', b']');
                self.pos += usize::from(closed);
                let assigns =
                    matches!((self.at(self.pos), self.at(self.pos + 1)), (Some(b'='), _) | (Some(b'+'), Some(b'=')));
                Some(if assigns {
                    Assigned::Assignment(self.assigned(start, name, Some(index)))
                } else {
                    Assigned::Word(self.bracketed_word(start, open, index, closed))
                })
            }
            _ => None,
        }
    }

    /// The word that begins with `name[…]` at `start`.
    fn bracketed_word(&mut self, start: usize, open: usize, index: Word, closed: bool) -> Word {
        let close = self.pos;
        let mut parts = Parts::default();
        parts.text(self.slice(start, open), start);
        self.flush(&mut parts, open);
        self.pos = open + 1;
        self.push(&mut parts, PartKind::Pattern("[".to_owned()), open);
        parts.done.extend(index.parts);
        self.pos = close;
        if closed {
            self.push(&mut parts, PartKind::Pattern("]".to_owned()), close - 1);
        }
        let tail = self.word(Mode::Argument);
        parts.done.extend(tail.parts);
        Word { parts: parts.done, span: self.span(start, self.pos) }
    }

    /// The rest of an assignment whose name (and index) was read.
    fn assigned(&mut self, start: usize, name: usize, index: Option<Word>) -> Assignment {
        let append = self.at(self.pos) == Some(b'+');
        self.pos += 1 + usize::from(append);
        let value = if self.at(self.pos) == Some(b'(') {
            let elements = self.array();
            // Bash takes what follows the parenthesis as part of the word, and drops it.
            self.word(Mode::Value);
            AssignValue::Array(elements)
        } else {
            AssignValue::Word(self.word(Mode::Value))
        };
        self.last_end = self.pos;
        self.after_compound = false;
        Assignment {
            name: self.slice(start, start + name).to_owned(),
            name_span: self.span(start, start + name),
            index,
            append,
            value,
            span: self.span(start, self.pos),
        }
    }

    /// The elements of `(…)`.
    fn array(&mut self) -> Vec<(Option<Word>, Word)> {
        let open = self.pos;
        self.pos += 1;
        let mut elements = Vec::new();
        if !self.enter() {
            return elements;
        }
        loop {
            match self.peek() {
                Token::End => {
                    self.unclosed(open, open + 1, "the `(` of this array is never closed");
                    break;
                }
                Token::RightParen => {
                    self.pos += 1;
                    break;
                }
                Token::Newline => self.newline(),
                Token::Word => elements.push(self.element()),
                token => {
                    self.error(
                        self.pos,
                        self.pos + 1,
                        format!("unexpected {} inside the `( )` of an array", token.text()),
                    );
                    self.pos += 1;
                }
            }
        }
        self.leave();
        elements
    }

    fn element(&mut self) -> (Option<Word>, Word) {
        let start = self.pos;
        if self.at(start) != Some(b'[') {
            return (None, self.word(Mode::Argument));
        }
        self.pos += 1;
        let (index, closed) = self.balanced((start, start + 1), b'[', b']');
        self.pos += usize::from(closed);
        match (self.at(self.pos), self.at(self.pos + 1)) {
            (Some(b'='), _) => self.pos += 1,
            (Some(b'+'), Some(b'=')) => self.pos += 2,
            _ => return (None, self.bracketed_word(start, start, index, closed)),
        }
        (Some(index), self.word(Mode::Value))
    }
}
