//! Tokens of a condition. The engine reads the whole text into tokens before it parses, so a bad character anywhere
//! is the first error, even behind a complete expression.

use super::{ConditionError, ErrorKind};
use crate::text::Span;

/// What a token is. The names and their payloads are those of the engine's own tokens (`src/condition.rs`), because
/// its messages print them: `unexpected token: RParen at position 1`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    String(String),
    Number(f64),
    Ident(String),
    Eq,
    NotEq,
    Lt,
    LtEq,
    Gt,
    GtEq,
    In,
    NotIn,
    And,
    Or,
    Not,
    LParen,
    RParen,
    LBracket,
    RBracket,
    Comma,
    Dot,
}

/// All tokens of the text, or those before the first character that the engine refuses.
pub(super) fn lex(text: &str) -> (Vec<(Token, Span)>, Option<ConditionError>) {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        match lexer.next() {
            Ok(Some(token)) => tokens.push(token),
            Ok(None) => return (tokens, None),
            Err(error) => return (tokens, Some(error)),
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Moves over all characters that `belongs` accepts.
    fn skip(&mut self, belongs: impl Fn(char) -> bool) {
        self.at += self.rest().find(|c| !belongs(c)).unwrap_or(self.rest().len());
    }

    fn next(&mut self) -> Result<Option<(Token, Span)>, ConditionError> {
        self.skip(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
        let start = self.at;
        let rest = self.rest();
        let mut characters = rest.chars();
        let Some(first) = characters.next() else { return Ok(None) };
        let second = characters.next().unwrap_or_default();
        let (token, width) = match (first, second) {
            ('(', _) => (Token::LParen, 1),
            (')', _) => (Token::RParen, 1),
            ('[', _) => (Token::LBracket, 1),
            (']', _) => (Token::RBracket, 1),
            (',', _) => (Token::Comma, 1),
            ('.', _) => (Token::Dot, 1),
            ('=', '=') => (Token::Eq, 2),
            ('!', '=') => (Token::NotEq, 2),
            ('<', '=') => (Token::LtEq, 2),
            ('<', _) => (Token::Lt, 1),
            ('>', '=') => (Token::GtEq, 2),
            ('>', _) => (Token::Gt, 1),
            ('&', '&') => (Token::And, 2),
            ('|', '|') => (Token::Or, 2),
            ('\'' | '"', _) => (self.string(first)?, self.at - start),
            ('0'..='9', _) | ('-', '0'..='9') => (self.number()?, self.at - start),
            (c, _) if c.is_ascii_alphabetic() || c == '_' => (self.word(), self.at - start),
            (c, _) => {
                let span = Span::new(start, start + c.len_utf8());
                return Err(ConditionError::new(ErrorKind::Parse, span, format!("unexpected character: '{c}'")));
            }
        };
        self.at = start + width;
        Ok(Some((token, Span::new(start, self.at))))
    }

    /// A backslash stands for the character after it, whatever it is; one at the very end is kept.
    fn string(&mut self, quote: char) -> Result<Token, ConditionError> {
        let start = self.at;
        let mut value = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            if c == quote {
                self.at = start + at + quote.len_utf8();
                return Ok(Token::String(value));
            }
            match c {
                '\\' => value.push(characters.next().map_or(c, |(_, escaped)| escaped)),
                _ => value.push(c),
            }
        }
        let line = self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
        let span = Span::new(start, start + line);
        Err(ConditionError::new(ErrorKind::Parse, span, "unterminated string".to_owned()))
    }

    fn number(&mut self) -> Result<Token, ConditionError> {
        let start = self.at;
        self.at += 1;
        self.skip(|c| c.is_ascii_digit() || c == '.');
        let written = self.text.get(start..self.at).unwrap_or_default();
        written.parse().map(Token::Number).map_err(|_| {
            ConditionError::new(ErrorKind::Parse, Span::new(start, self.at), format!("invalid number: {written}"))
        })
    }

    /// A name or a keyword. A hyphen belongs to the name only before a letter: `my-var`, but `count -1` is two tokens
    /// and `count-1` is a name and a number.
    fn word(&mut self) -> Token {
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = self.at;
        self.skip(name);
        while let Some(after) = self.rest().strip_prefix('-')
            && after.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            self.at += 1;
            self.skip(name);
        }
        match self.text.get(start..self.at).unwrap_or_default() {
            "and" => Token::And,
            "or" => Token::Or,
            "in" => Token::In,
            "not" => self.not_or_not_in(),
            "true" | "True" => Token::Ident("true".to_owned()),
            "false" | "False" => Token::Ident("false".to_owned()),
            word => Token::Ident(word.to_owned()),
        }
    }

    /// `not in` is one token over blanks only (a tab between them makes two), and only a letter or digit after it
    /// tells a longer word: `not in_progress` is read as `not in` and `_progress`.
    fn not_or_not_in(&mut self) -> Token {
        let after = self.rest().trim_start_matches(' ');
        match after.strip_prefix("in") {
            Some(beyond) if !beyond.starts_with(|c: char| c.is_ascii_alphanumeric()) => {
                self.at = self.text.len() - beyond.len();
                Token::NotIn
            }
            _ => Token::Not,
        }
    }
}
