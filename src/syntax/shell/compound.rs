//! Compound commands.

use super::ast::{ArithmeticFor, Case, CaseArm, CaseEnd, CommandKind, For, If, List, While, Word};
use super::lexer::{Keyword, Token};
use super::parser::{Closer, Parser};
use super::word::Mode;
use crate::text::Span;

type Place = (usize, usize);

impl Parser<'_> {
    /// Reads the compound command that begins here.
    pub(super) fn compound(&mut self) -> CommandKind {
        let start = self.pos;
        if self.peek() == Token::LeftParen {
            return self.parentheses();
        }
        let Some((keyword, length)) = self.keyword() else { return CommandKind::Unreadable };
        self.take_word(length);
        let opener = (start, self.pos);
        match keyword {
            Keyword::If => self.if_command(opener),
            Keyword::While | Keyword::Until => {
                let condition = self.body(opener, &[Closer::Do, Closer::Done]);
                let body = self.do_group(opener);
                CommandKind::While(Box::new(While { until: keyword == Keyword::Until, condition, body }))
            }
            Keyword::For if self.at_double_paren() => self.arithmetic_for(opener),
            Keyword::For | Keyword::Select => self.for_command(opener, keyword == Keyword::Select),
            Keyword::Case => self.case_command(opener),
            Keyword::LeftBrackets => self.test_command(opener),
            Keyword::LeftBrace => {
                let body = self.body(opener, &[Closer::Brace]);
                self.close(Closer::Brace, opener);
                CommandKind::Group(Box::new(body))
            }
            _ => CommandKind::Unreadable,
        }
    }

    /// `((…))` or `(…)`
    fn parentheses(&mut self) -> CommandKind {
        let start = self.pos;
        if self.at(start + 1) == Some(b'(')
            && let Some(word) = self.arithmetic(start, 2)
        {
            self.last_end = self.pos;
            return CommandKind::Arithmetic(word);
        }
        self.take();
        let opener = (start, self.pos);
        let body = self.body(opener, &[Closer::Paren]);
        self.close(Closer::Paren, opener);
        CommandKind::Subshell(Box::new(body))
    }

    /// A list that one of `closers` ends. An empty one is an error.
    fn body(&mut self, opener: Place, closers: &[Closer]) -> List {
        self.expected.add(closers);
        let list = self.list();
        self.expected.remove(closers);
        if list.items.is_empty() && self.peek() != Token::End {
            let end = self.token_end();
            let found = self.slice(self.pos, end);
            let text = self.slice(opener.0, opener.1);
            self.error(self.pos, end, format!("a command is missing before `{found}` (in the `{text}` above)"));
        }
        list
    }

    /// Reads a closing word or parenthesis. If it does not stand here, what does is reported, as bash does it; at the
    /// end of the script the opener is.
    fn close(&mut self, closer: Closer, opener: Place) {
        if self.take_closer(closer) {
            return;
        }
        let text = self.slice(opener.0, opener.1);
        let closer = closer.text();
        if self.peek() == Token::End {
            self.unclosed(opener.0, opener.1, format!("`{text}` has no `{closer}`"));
        } else {
            let (start, end) = (self.pos, self.token_end());
            let found = self.slice(start, end);
            self.unclosed(start, end, format!("the `{text}` above has no `{closer}` before this `{found}`"));
        }
    }

    fn take_closer(&mut self, closer: Closer) -> bool {
        match (closer, self.peek()) {
            (Closer::Paren, Token::RightParen) | (Closer::Arm, Token::Arm(_)) => self.take(),
            (_, Token::Word) if self.closer() == Some(closer) => self.take_word(closer.text().len()),
            _ => return false,
        }
        true
    }

    fn if_command(&mut self, opener: Place) -> CommandKind {
        use Closer::{Elif, Else, Fi, Then};
        let mut branches = Vec::new();
        let mut otherwise: Option<List> = None;
        let mut keyword = opener;
        loop {
            let condition = self.body(keyword, &[Then, Elif, Else, Fi]);
            let body = if self.take_closer(Then) {
                let then = (self.last_end - "then".len(), self.last_end);
                self.body(then, &[Elif, Else, Fi])
            } else {
                let text = self.slice(keyword.0, keyword.1);
                self.unclosed(keyword.0, keyword.1, format!("`{text}` has no `then`"));
                self.absent()
            };
            branches.push((condition, body));
            let at = self.pos;
            if !self.take_closer(Elif) {
                break;
            }
            keyword = (at, self.pos);
        }
        let at = self.pos;
        if self.take_closer(Else) {
            let place = (at, self.pos);
            otherwise = Some(self.body(place, &[Fi]));
        }
        self.close(Fi, opener);
        CommandKind::If(Box::new(If { branches, otherwise }))
    }

    /// The list of a missing part.
    fn absent(&self) -> List {
        List { items: Vec::new(), span: self.span(self.last_end, self.last_end) }
    }

    /// `do … done` of the loop that begins at `opener`.
    fn do_group(&mut self, opener: Place) -> List {
        let at = self.pos;
        if self.take_closer(Closer::Do) {
            let place = (at, self.pos);
            let body = self.body(place, &[Closer::Done]);
            self.close(Closer::Done, opener);
            return body;
        }
        let text = self.slice(opener.0, opener.1);
        self.unclosed(opener.0, opener.1, format!("`{text}` has no `do`"));
        self.take_closer(Closer::Done);
        self.absent()
    }

    /// The body of `for` and `select`: `do … done` or `{ … }`.
    fn loop_body(&mut self, opener: Place) -> List {
        if let Some(place) = self.take_keyword(Keyword::LeftBrace) {
            let body = self.body(place, &[Closer::Brace]);
            self.close(Closer::Brace, place);
            return body;
        }
        if self.closer() == Some(Closer::Do) || matches!(self.peek(), Token::End) {
            return self.do_group(opener);
        }
        let text = self.slice(opener.0, opener.1);
        self.error(opener.0, opener.1, format!("`{text}` has no `do`"));
        // The loop's commands are kept where only the word `do` is missing.
        self.expected.add(&[Closer::Done]);
        let body = self.list();
        self.expected.remove(&[Closer::Done]);
        self.take_closer(Closer::Done);
        body
    }

    fn for_command(&mut self, opener: Place, select: bool) -> CommandKind {
        let name_start = if self.peek() == Token::Word { self.pos } else { self.last_end };
        if self.peek() == Token::Word {
            self.word(Mode::Value);
        } else {
            let text = self.slice(opener.0, opener.1);
            self.error(opener.0, opener.1, format!("`{text}` needs a variable"));
        }
        let name_end = self.last_end.max(name_start);
        let mut words = None;
        let broken = self.peek() == Token::Newline;
        if self.peek() == Token::Semicolon {
            self.take();
        }
        self.skip_newlines();
        if self.take_keyword(Keyword::In).is_some() {
            words = Some(self.for_words(opener));
        } else if !broken && self.last_end == name_end && self.take_keyword_is(Keyword::LeftBrace) {
            self.error(self.pos, self.pos + 1, "a `;` or a new line is missing before `{`");
        }
        let body = self.loop_body(opener);
        CommandKind::For(Box::new(For {
            select,
            variable: self.slice(name_start, name_end).to_owned(),
            variable_span: self.span(name_start, name_end),
            words,
            body,
        }))
    }

    fn take_keyword_is(&mut self, keyword: Keyword) -> bool {
        self.peek() == Token::Word && matches!(self.keyword(), Some((found, _)) if found == keyword)
    }

    /// The words after `in`, and what ends them.
    fn for_words(&mut self, opener: Place) -> Vec<Word> {
        let mut words = Vec::new();
        while self.peek() == Token::Word {
            let at = self.pos;
            words.push(self.word(Mode::Argument));
            if self.pos == at {
                break;
            }
        }
        match self.peek() {
            Token::Semicolon => self.take(),
            Token::Newline | Token::End => {}
            token => {
                let text = self.slice(opener.0, opener.1);
                let message = format!("unexpected {} among the words of this `{text}`", token.text());
                self.error(self.pos, self.token_end(), message);
                self.skip_to_line_end();
            }
        }
        self.skip_newlines();
        words
    }

    /// Moves over words and operators to the next `;` or line break.
    fn skip_to_line_end(&mut self) {
        loop {
            match self.peek() {
                Token::End | Token::Newline => break,
                Token::Semicolon => {
                    self.take();
                    break;
                }
                Token::Word => {
                    let at = self.pos;
                    self.word(Mode::Argument);
                    if self.pos == at {
                        self.pos += 1;
                    }
                }
                Token::Redirect => {
                    self.redirect();
                }
                _ => self.take(),
            }
        }
    }

    fn at_double_paren(&mut self) -> bool {
        self.peek() == Token::LeftParen && self.at(self.pos + 1) == Some(b'(')
    }

    fn arithmetic_for(&mut self, opener: Place) -> CommandKind {
        let start = self.pos;
        let header = if let Some(word) = self.arithmetic(start, 2) {
            if separators(self.slice(start + 2, self.pos.saturating_sub(2))) != 2 {
                let message = "`for ((…))` needs three expressions with `;` between them";
                self.error(start, start + 2, message);
            }
            word
        } else {
            self.error(start, start + 2, "this `((` has no `))`");
            self.pos = start + 2;
            let (word, closed) = self.balanced((start, start + 2), b'(', b')');
            self.pos += usize::from(closed);
            word
        };
        self.last_end = self.pos;
        if self.peek() == Token::Semicolon {
            self.take();
        }
        self.skip_newlines();
        let body = self.loop_body(opener);
        CommandKind::ArithmeticFor(Box::new(ArithmeticFor { header, body }))
    }

    fn case_command(&mut self, opener: Place) -> CommandKind {
        let keyword = self.span(opener.0, opener.1);
        let subject = if self.peek() == Token::Word {
            self.word(Mode::Value)
        } else {
            self.error(opener.0, opener.1, "`case` needs a word to match");
            Word { parts: Vec::new(), span: self.span(self.last_end, self.last_end) }
        };
        self.skip_newlines();
        if self.take_keyword(Keyword::In).is_none() {
            self.unclosed(opener.0, opener.1, "`case` has no `in`");
            return CommandKind::Case(Box::new(Case { subject, arms: Vec::new(), keyword }));
        }
        let mut arms = Vec::new();
        let errors = self.errors.len();
        loop {
            self.skip_newlines();
            if self.take_closer(Closer::Esac) {
                break;
            }
            if self.peek() == Token::End || !self.case_arm(&mut arms) {
                // A pattern without `)` is where bash stops.
                if self.errors.len() == errors {
                    self.unclosed(opener.0, opener.1, "`case` has no `esac`");
                }
                break;
            }
        }
        CommandKind::Case(Box::new(Case { subject, arms, keyword }))
    }

    /// Reads one arm; `false` where something stands that ends an outer construct.
    fn case_arm(&mut self, arms: &mut Vec<CaseArm>) -> bool {
        let mark = self.mark();
        let last_end = self.last_end;
        let outer_closer = match self.peek() {
            Token::RightParen => self.expected.has(Closer::Paren),
            _ => self.closer().is_some_and(|closer| self.expected.has(closer)),
        };
        if self.peek() == Token::RightParen && outer_closer {
            return false;
        }
        if self.peek() == Token::LeftParen {
            self.take();
            self.skip_blanks();
        }
        let start = self.pos;
        let mut patterns = Vec::new();
        while self.peek() == Token::Word {
            patterns.push(self.word(Mode::Argument));
            if self.peek() != Token::Pipe(false) {
                break;
            }
            self.take();
            if self.peek() != Token::Word {
                self.error(self.last_end - 1, self.last_end, "a pattern is missing after `|`");
            }
        }
        let first = patterns.first().map_or_else(|| self.span(start, start), |pattern| pattern.span);
        if !self.take_closer(Closer::Paren) {
            if outer_closer {
                self.rewind(mark);
                self.last_end = last_end;
                return false;
            }
            if !self.pattern_without_paren(start) {
                return true;
            }
        } else if patterns.is_empty() {
            self.error(self.last_end - 1, self.last_end, "a pattern is missing before `)`");
        }
        self.expected.add(&[Closer::Arm, Closer::Esac]);
        let body = self.list();
        self.expected.remove(&[Closer::Arm, Closer::Esac]);
        let mut end = CaseEnd::Break;
        let mut goes_on = true;
        if let Token::Arm(found) = self.peek() {
            end = found;
            self.take();
        } else if self.closer() != Some(Closer::Esac) {
            goes_on = self.peek() == Token::End;
        }
        let span = Span::new(first.start, self.span(start, self.last_end).end);
        arms.push(CaseArm { patterns, body, end, span });
        goes_on
    }

    /// Reports a pattern that no `)` ends. Moves behind the `)` if one stands on this line and tells whether it does;
    /// else behind the line or the `;;`.
    fn pattern_without_paren(&mut self, start: usize) -> bool {
        let end = self.last_end.max(start + 1);
        self.error(start, end, "a `)` is missing after this pattern");
        loop {
            match self.peek() {
                Token::RightParen => {
                    self.take();
                    return true;
                }
                Token::Arm(_) => {
                    self.take();
                    return false;
                }
                Token::End => return false,
                Token::Newline => {
                    self.newline();
                    return false;
                }
                Token::Word => {
                    if self.closer() == Some(Closer::Esac) {
                        return false;
                    }
                    let at = self.pos;
                    self.word(Mode::Argument);
                    if self.pos == at {
                        self.pos += 1;
                    }
                }
                Token::Redirect => {
                    self.redirect();
                }
                _ => self.take(),
            }
        }
    }
}

/// Number of `;` outside quotes and parentheses.
fn separators(text: &str) -> usize {
    let mut quote = None;
    let mut depth = 0_usize;
    let mut count = 0;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => {
                bytes.next();
            }
            (byte, Some(open)) if byte == open => quote = None,
            (b'\'' | b'"' | b'`', None) => quote = Some(byte),
            (b'(' | b'{', None) => depth += 1,
            (b')' | b'}', None) => depth = depth.saturating_sub(1),
            (b';', None) if depth == 0 => count += 1,
            _ => {}
        }
    }
    count
}
