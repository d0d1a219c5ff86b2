//! Tokens: blanks, comments, operators and reserved words.

use super::ast::CaseEnd;
use super::parser::{Closer, Parser};

/// The token at the current place, as far as the grammar needs to know it before reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    End,
    Newline,
    Semicolon,
    Ampersand,
    AndAnd,
    OrOr,
    /// `|`, or `|&` when true.
    Pipe(bool),
    Arm(CaseEnd),
    LeftParen,
    RightParen,
    Redirect,
    Word,
}

impl Token {
    /// Its text in a message.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::End => "end of the script",
            Self::Newline => "end of the line",
            Self::Semicolon => "`;`",
            Self::Ampersand => "`&`",
            Self::AndAnd => "`&&`",
            Self::OrOr => "`||`",
            Self::Pipe(false) => "`|`",
            Self::Pipe(true) => "`|&`",
            Self::Arm(CaseEnd::Break) => "`;;`",
            Self::Arm(CaseEnd::FallThrough) => "`;&`",
            Self::Arm(CaseEnd::Continue) => "`;;&`",
            Self::LeftParen => "`(`",
            Self::RightParen => "`)`",
            Self::Redirect => "redirection",
            Self::Word => "word",
        }
    }
}

/// A reserved word, which counts only where a command may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    If,
    While,
    Until,
    For,
    Select,
    Case,
    Function,
    Coproc,
    Time,
    In,
    Bang,
    LeftBrace,
    LeftBrackets,
    RightBrackets,
    Closer(Closer),
}

/// A blank, a line break or an operator's first byte: what ends a word.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

impl Parser<'_> {
    /// Length of a line continuation at `offset`. A backslash that ends the text continues nothing, but is no word.
    pub(super) fn continuation(&self, offset: usize) -> usize {
        match (self.at(offset), self.at(offset + 1), self.at(offset + 2)) {
            (Some(b'\\'), Some(b'\n'), _) => 2,
            (Some(b'\\'), Some(b'\r'), Some(b'\n')) => 3,
            (Some(b'\\'), None, _) => 1,
            _ => 0,
        }
    }

    /// The first offset from `offset` on where no line continuation stands.
    pub(super) fn joined(&self, mut offset: usize) -> usize {
        while self.at(offset) == Some(b'\\') {
            match self.continuation(offset) {
                0 => break,
                length => offset += length,
            }
        }
        offset
    }

    /// Whether no word goes on at `offset`.
    pub(super) fn word_ends(&self, offset: usize) -> bool {
        let offset = self.joined(offset);
        match self.at(offset) {
            None => true,
            Some(b'\r') => self.at(offset + 1) == Some(b'\n'),
            Some(b'<' | b'>') => self.at(offset + 1) != Some(b'('),
            Some(byte) => is_meta(byte),
        }
    }

    /// Moves over blanks, line continuations and comments.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.at(self.pos) {
                Some(b' ' | b'\t') => self.pos += 1,
                Some(b'\r') if self.at(self.pos + 1) == Some(b'\n') => self.pos += 1,
                Some(b'\\') => match self.continuation(self.pos) {
                    0 => return,
                    length => self.pos += length,
                },
                Some(b'#') => self.comment(),
                _ => return,
            }
        }
    }

    fn comment(&mut self) {
        let start = self.pos;
        let length = self.slice(start, self.end).find('\n').unwrap_or(self.end - start);
        let text = self.slice(start, start + length);
        let span = self.span(start, start + text.trim_end_matches('\r').len());
        self.comments.push(span);
        self.pos = start + length;
    }

    /// Moves over line breaks too; here-documents that begin after them are read.
    pub(super) fn skip_newlines(&mut self) {
        while self.peek() == Token::Newline {
            self.newline();
        }
    }

    /// The next token. Moves to its first byte.
    pub(super) fn peek(&mut self) -> Token {
        self.skip_blanks();
        let Some(byte) = self.at(self.pos) else { return Token::End };
        match byte {
            b'\n' => Token::Newline,
            b'(' => Token::LeftParen,
            b')' => Token::RightParen,
            b';' | b'&' | b'|' | b'<' | b'>' => self.operator(byte).0,
            b'0'..=b'9' | b'{' if self.descriptor().is_some() => Token::Redirect,
            _ => Token::Word,
        }
    }

    /// The operator at the current place and the offset after it (for redirections that offset is not used).
    fn operator(&self, byte: u8) -> (Token, usize) {
        let one = self.pos + 1;
        let second = self.joined(one);
        let two = second + 1;
        match (byte, self.at(second)) {
            (b';', Some(b';')) => {
                let third = self.joined(two);
                if self.at(third) == Some(b'&') {
                    (Token::Arm(CaseEnd::Continue), third + 1)
                } else {
                    (Token::Arm(CaseEnd::Break), two)
                }
            }
            (b';', Some(b'&')) => (Token::Arm(CaseEnd::FallThrough), two),
            (b';', _) => (Token::Semicolon, one),
            (b'&', Some(b'&')) => (Token::AndAnd, two),
            (b'&', Some(b'>')) => (Token::Redirect, one),
            (b'&', _) => (Token::Ampersand, one),
            (b'|', Some(b'|')) => (Token::OrOr, two),
            (b'|', Some(b'&')) => (Token::Pipe(true), two),
            (b'|', _) => (Token::Pipe(false), one),
            (_, Some(b'(')) if second == one => (Token::Word, one),
            _ => (Token::Redirect, one),
        }
    }

    /// Reads the operator or parenthesis that [`Self::peek`] has found; a word or redirection is left alone.
    pub(super) fn take(&mut self) {
        match self.at(self.pos) {
            Some(b'(' | b')') => self.pos += 1,
            Some(byte @ (b';' | b'&' | b'|')) => self.pos = self.operator(byte).1,
            _ => {}
        }
        self.last_end = self.pos;
    }

    /// The end of what names the descriptor of a redirection (`2` of `2>`, `{fd}` of `{fd}>`) that stands here.
    pub(super) fn descriptor(&self) -> Option<usize> {
        let rest = self.rest(self.pos);
        let length = match rest.first()? {
            b'{' => {
                let name =
                    rest.get(1..)?.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                if name == 0 || rest.get(name + 1) != Some(&b'}') {
                    return None;
                }
                name + 2
            }
            _ => rest.iter().take_while(|byte| byte.is_ascii_digit()).count(),
        };
        let next = rest.get(length)?;
        let process = *next == b'<' || *next == b'>';
        (length > 0 && process && rest.get(length + 1) != Some(&b'(')).then_some(self.pos + length)
    }

    /// The reserved word at the current place, and its length.
    pub(super) fn keyword(&self) -> Option<(Keyword, usize)> {
        let rest = self.rest(self.pos);
        let keyword = match rest.first()? {
            b'!' => Keyword::Bang,
            b'{' => Keyword::LeftBrace,
            b'}' => Keyword::Closer(Closer::Brace),
            b'[' if rest.get(1) == Some(&b'[') => Keyword::LeftBrackets,
            b']' if rest.get(1) == Some(&b']') => Keyword::RightBrackets,
            b'c' | b'd' | b'e' | b'f' | b'i' | b's' | b't' | b'u' | b'w' => {
                let length = rest.iter().take(9).take_while(|byte| byte.is_ascii_lowercase()).count();
                match rest.get(..length)? {
                    b"if" => Keyword::If,
                    b"then" => Keyword::Closer(Closer::Then),
                    b"elif" => Keyword::Closer(Closer::Elif),
                    b"else" => Keyword::Closer(Closer::Else),
                    b"fi" => Keyword::Closer(Closer::Fi),
                    b"do" => Keyword::Closer(Closer::Do),
                    b"done" => Keyword::Closer(Closer::Done),
                    b"case" => Keyword::Case,
                    b"esac" => Keyword::Closer(Closer::Esac),
                    b"for" => Keyword::For,
                    b"select" => Keyword::Select,
                    b"while" => Keyword::While,
                    b"until" => Keyword::Until,
                    b"function" => Keyword::Function,
                    b"coproc" => Keyword::Coproc,
                    b"time" => Keyword::Time,
                    b"in" => Keyword::In,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let length = keyword.length();
        self.word_ends(self.pos + length).then_some((keyword, length))
    }

    /// Reads `keyword` if it stands here, and gives its place.
    pub(super) fn take_keyword(&mut self, keyword: Keyword) -> Option<(usize, usize)> {
        if self.peek() != Token::Word {
            return None;
        }
        match self.keyword() {
            Some((found, length)) if found == keyword => {
                let start = self.pos;
                self.take_word(length);
                Some((start, self.pos))
            }
            _ => None,
        }
    }

    /// Moves over a reserved word of `length` bytes.
    pub(super) fn take_word(&mut self, length: usize) {
        self.pos += length;
        self.last_end = self.pos;
    }
}

impl Keyword {
    fn length(self) -> usize {
        match self {
            Self::If | Self::In | Self::LeftBrackets | Self::RightBrackets => 2,
            Self::While | Self::Until => 5,
            Self::For => 3,
            Self::Select | Self::Coproc => 6,
            Self::Case | Self::Time => 4,
            Self::Function => 8,
            Self::Bang | Self::LeftBrace => 1,
            Self::Closer(closer) => closer.text().len(),
        }
    }
}
