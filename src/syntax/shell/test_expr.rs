//! `[[ … ]]`.

use super::ast::{CommandKind, TestExpr, TestKind, Word};
use super::lexer::{Keyword, Token};
use super::parser::Parser;
use super::word::Mode;
use crate::text::Span;

const UNARY: &[u8] = b"abcdefghknoprstuvwxzGLNORS";
const BINARY: [&str; 13] = ["==", "=", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-ef", "-nt", "-ot"];

impl Parser<'_> {
    /// The expression after `[[`, and the `]]`.
    pub(super) fn test_command(&mut self, opener: (usize, usize)) -> CommandKind {
        let errors = self.errors.len();
        let muted = self.muted;
        let expr = self.test_or();
        self.skip_newlines();
        if self.take_keyword(Keyword::RightBrackets).is_some() {
            return CommandKind::Test(Box::new(expr));
        }
        if self.errors.len() == errors || muted > 0 {
            let end = self.token_end().min(self.end);
            if self.peek() == Token::End {
                self.unclosed(opener.0, opener.1, "`[[` has no `]]`");
            } else {
                let text = self.slice(self.pos, end);
                self.error(self.pos, end, format!("unexpected `{}` inside `[[ ]]`", text.trim_end()));
            }
        }
        self.skip_to_brackets();
        CommandKind::Test(Box::new(expr))
    }

    /// After an error: behind the `]]`, or to the end of the line.
    fn skip_to_brackets(&mut self) {
        loop {
            match self.peek() {
                Token::End | Token::Newline | Token::Semicolon => return,
                Token::Word => {
                    if self.take_keyword(Keyword::RightBrackets).is_some() {
                        return;
                    }
                    let at = self.pos;
                    self.word(Mode::Argument);
                    if self.pos == at {
                        self.pos += 1;
                    }
                }
                Token::Redirect => self.pos += 1,
                _ => self.take(),
            }
        }
    }

    fn test_or(&mut self) -> TestExpr {
        self.chain(Token::OrOr, Self::test_and, TestKind::Or)
    }

    fn test_and(&mut self) -> TestExpr {
        self.chain(Token::AndAnd, Self::test_term, TestKind::And)
    }

    /// Operands joined by one operator. Both operators are associative, so that the tree is kept flat in depth: a
    /// balanced one.
    fn chain(
        &mut self,
        operator: Token,
        operand: fn(&mut Self) -> TestExpr,
        join: fn(Box<TestExpr>, Box<TestExpr>) -> TestKind,
    ) -> TestExpr {
        let first = operand(self);
        if self.peek() != operator {
            return first;
        }
        let mut operands = vec![first];
        while self.peek() == operator {
            self.take();
            operands.push(operand(self));
        }
        while operands.len() > 1 {
            let mut joined = Vec::with_capacity(operands.len().div_ceil(2));
            let mut pairs = operands.into_iter();
            while let Some(left) = pairs.next() {
                joined.push(match pairs.next() {
                    Some(right) => {
                        let span = left.span.to(right.span);
                        TestExpr { kind: join(Box::new(left), Box::new(right)), span }
                    }
                    None => left,
                });
            }
            operands = joined;
        }
        operands.pop().unwrap_or(TestExpr { kind: TestKind::Unreadable, span: self.span(self.pos, self.pos) })
    }

    fn test_term(&mut self) -> TestExpr {
        self.skip_newlines();
        let mut bangs = Vec::new();
        while let Some((start, _)) = self.take_keyword(Keyword::Bang) {
            bangs.push(start);
            self.skip_newlines();
        }
        let mut term = self.test_primary();
        let negated = bangs.len() % 2 == 1;
        if let Some(start) = bangs.first() {
            let span = self.span(*start, *start).to(term.span);
            if negated {
                term = TestExpr { kind: TestKind::Not(Box::new(term)), span };
            } else {
                term.span = span;
            }
        }
        term
    }

    fn test_primary(&mut self) -> TestExpr {
        let token = self.peek();
        let start = self.pos;
        if token == Token::LeftParen {
            return self.test_group();
        }
        if token != Token::Word || self.at_brackets() {
            let end = self.token_end();
            let found = if token == Token::Word { "`]]`" } else { token.text() };
            self.error(start, end, format!("an expression is missing in `[[ ]]`: {found} follows"));
            return self.unreadable(start);
        }
        if let Some(operator) = self.unary_operator() {
            self.take_word(2);
            if self.peek() != Token::Word || self.at_brackets() {
                self.error(start, start + 2, format!("`{operator}` has no argument"));
                return self.unreadable(start);
            }
            let word = self.word(Mode::Value);
            let span = self.span(start, self.last_end);
            self.skip_newlines();
            return TestExpr { kind: TestKind::Unary(operator, word), span };
        }
        let left = self.word(Mode::Value);
        self.test_binary(start, left)
    }

    fn test_group(&mut self) -> TestExpr {
        let start = self.pos;
        if !self.enter() {
            return self.unreadable(start);
        }
        self.take();
        let mut expr = self.test_or();
        self.skip_newlines();
        if self.peek() == Token::RightParen {
            self.take();
        } else {
            self.unclosed(start, start + 1, "this `(` inside `[[ ]]` has no `)`");
        }
        expr.span = self.span(start, self.last_end);
        self.skip_newlines();
        self.leave();
        expr
    }

    /// What follows the left side of a test.
    fn test_binary(&mut self, start: usize, left: Word) -> TestExpr {
        let token = self.peek();
        let operator = match token {
            Token::AndAnd | Token::OrOr | Token::RightParen => None,
            Token::Word if self.at_brackets() => None,
            _ => {
                let found = self.binary_operator();
                if found.is_none() {
                    let end = self.token_end();
                    let text = self.slice(self.pos, end);
                    let message = match token {
                        Token::Word => format!("`{text}` is no operator of `[[ ]]`"),
                        token => format!("an operator of `[[ ]]` is missing: {} follows", token.text()),
                    };
                    self.error(self.pos, end, message);
                    return self.unreadable(start);
                }
                found
            }
        };
        let Some(operator) = operator else {
            let span = left.span;
            return TestExpr { kind: TestKind::Word(left), span };
        };
        let mode = match operator {
            "=~" => Mode::Regex,
            "==" | "=" | "!=" => Mode::Match,
            _ => Mode::Value,
        };
        let token = self.peek();
        let regex = mode == Mode::Regex && (token == Token::LeftParen || token == Token::Pipe(false));
        if !(regex || token == Token::Word) || self.at_brackets() {
            let end = self.token_end();
            self.error(self.pos, end, format!("`{operator}` has no right side"));
            return self.unreadable(start);
        }
        let right = self.word(mode);
        let span = self.span(start, self.last_end);
        self.skip_newlines();
        TestExpr { kind: TestKind::Binary(left, operator.to_owned(), right), span }
    }

    fn unreadable(&self, start: usize) -> TestExpr {
        let span: Span = self.span(start, self.last_end.max(start));
        TestExpr { kind: TestKind::Unreadable, span }
    }

    fn at_brackets(&self) -> bool {
        matches!(self.keyword(), Some((Keyword::RightBrackets, _)))
    }

    fn unary_operator(&self) -> Option<String> {
        let letter = self.at(self.pos + 1).filter(|letter| UNARY.contains(letter))?;
        (self.at(self.pos) == Some(b'-') && self.word_ends(self.pos + 2)).then(|| format!("-{}", char::from(letter)))
    }

    /// Reads the binary operator that stands here.
    fn binary_operator(&mut self) -> Option<&'static str> {
        for operator in ["<", ">"] {
            if self.slice(self.pos, self.pos + 1) == operator {
                let next = self.at(self.pos + 1);
                if matches!(next, Some(b'(' | b'<' | b'>' | b'&' | b'|')) {
                    return None;
                }
                self.pos += 1;
                return Some(operator);
            }
        }
        let found = BINARY.into_iter().find(|operator| {
            self.slice(self.pos, self.pos + operator.len()) == *operator && self.word_ends(self.pos + operator.len())
        })?;
        self.take_word(found.len());
        Some(found)
    }
}
