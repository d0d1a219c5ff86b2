//! Lists, pipelines and simple commands.

use super::assignment::Assigned;
use super::ast::{AndOr, AndOrOp, Command, CommandKind, Function, List, Pipeline, Simple, Word};
use super::lexer::{Keyword, Token};
use super::parser::{Closer, Parser};
use super::word::Mode;

/// Builtins whose arguments bash reads as assignments, arrays included.
const DECLARATIONS: [&str; 8] = ["declare", "export", "local", "readonly", "typeset", "alias", "eval", "let"];

impl Parser<'_> {
    /// Reads commands up to something that an open construct waits for, or to the end.
    pub(super) fn list(&mut self) -> List {
        let mut items: Vec<AndOr> = Vec::new();
        let place = self.last_end;
        loop {
            let token = self.peek();
            match token {
                Token::End => break,
                Token::Newline => self.newline(),
                Token::RightParen if self.expected.has(Closer::Paren) => break,
                Token::Arm(_) if self.expected.has(Closer::Arm) => break,
                Token::RightParen => self.stray("stray `)`: no `(` is open here"),
                Token::Arm(_) => self.stray(&format!("stray {}: no `case` arm is open here", token.text())),
                Token::Semicolon | Token::Ampersand | Token::AndAnd | Token::OrOr | Token::Pipe(_) => {
                    self.stray(&format!("unexpected {}: no command stands before it", token.text()));
                }
                Token::LeftParen | Token::Redirect | Token::Word => {
                    if let Some(closer) = self.closer() {
                        if self.expected.has(closer) {
                            break;
                        }
                        self.stray_word(closer);
                        continue;
                    }
                    let mut item = self.and_or();
                    self.separator(&mut item);
                    if items.is_empty() {
                        // Most lists have one item.
                        items.reserve_exact(1);
                    }
                    items.push(item);
                }
            }
        }
        let span = match (items.first(), items.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => self.span(place, place),
        };
        // The trees of a whole group are kept while it is checked, and most lists are short.
        items.shrink_to_fit();
        List { items, span }
    }

    /// What ends an and-or list.
    fn separator(&mut self, item: &mut AndOr) {
        match self.peek() {
            Token::Semicolon => self.take(),
            Token::Ampersand => {
                self.take();
                item.background = true;
            }
            Token::Newline => self.newline(),
            Token::Word if self.after_compound && self.closer().is_some() => {}
            token @ (Token::Word | Token::LeftParen | Token::Redirect) => {
                let end = self.token_end();
                let text = self.slice(self.pos, end);
                let message = match token {
                    Token::Word => format!("unexpected `{text}`: a `;` or a new line is missing before it"),
                    _ => format!("unexpected {}", token.text()),
                };
                self.error(self.pos, end, message);
            }
            _ => {}
        }
    }

    /// Where the word or operator that begins here ends, roughly: for messages.
    pub(super) fn token_end(&self) -> usize {
        let length = self.rest(self.pos).iter().take_while(|byte| !super::lexer::is_meta(**byte)).take(40).count();
        let mut end = (self.pos + length.max(1)).min(self.end);
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        end
    }

    fn stray(&mut self, message: &str) {
        let start = self.pos;
        self.take();
        self.error(start, self.pos, message);
    }

    fn stray_word(&mut self, closer: Closer) {
        let start = self.pos;
        self.take_word(closer.text().len());
        let text = closer.text();
        let opener = match closer {
            Closer::Then | Closer::Elif | Closer::Else | Closer::Fi => "no `if` is open here",
            Closer::Do | Closer::Done => "no loop is open here",
            Closer::Esac | Closer::Arm => "no `case` is open here",
            Closer::Brace => "no `{` is open here",
            Closer::Paren => "no `(` is open here",
        };
        self.error(start, self.pos, format!("stray `{text}`: {opener}"));
    }

    /// The closing word that stands here.
    pub(super) fn closer(&self) -> Option<Closer> {
        match self.keyword() {
            Some((Keyword::Closer(closer), _)) => Some(closer),
            _ => None,
        }
    }

    fn and_or(&mut self) -> AndOr {
        let first = self.pipeline();
        let mut span = first.span;
        let mut rest = Vec::new();
        loop {
            let op = match self.peek() {
                Token::AndAnd => AndOrOp::And,
                Token::OrOr => AndOrOp::Or,
                _ => break,
            };
            let operator = self.pos;
            self.take();
            let operator = (operator, self.pos);
            self.skip_newlines();
            if !self.command_follows(operator) {
                break;
            }
            let pipeline = self.pipeline();
            span = span.to(pipeline.span);
            rest.push((op, pipeline));
        }
        AndOr { first, rest, background: false, span }
    }

    /// Whether a command stands here, as it must after the operator at `operator`; reports it if not.
    fn command_follows(&mut self, (start, end): (usize, usize)) -> bool {
        let token = self.peek();
        let found = match token {
            Token::Word | Token::Redirect | Token::LeftParen => match self.closer() {
                None => return true,
                Some(closer) => format!("`{}`", closer.text()),
            },
            token => token.text().to_owned(),
        };
        let operator = self.slice(start, end);
        self.error(start, end, format!("a command is missing after `{operator}`: {found} follows"));
        false
    }

    fn pipeline(&mut self) -> Pipeline {
        let start = self.pos;
        let mut negated = false;
        let mut prefix = None;
        while matches!(self.at(self.pos), Some(b'!' | b't')) {
            if let Some(place) = self.take_keyword(Keyword::Bang) {
                negated = !negated;
                prefix = Some(place);
            } else if let Some(place) = self.take_keyword(Keyword::Time) {
                prefix = Some(place);
                self.time_options();
            } else {
                break;
            }
            self.skip_blanks();
        }
        if let Some(place) = prefix {
            let bare = matches!(self.peek(), Token::Newline | Token::Semicolon | Token::End);
            if bare || !self.command_follows(place) {
                let span = self.span(start, self.last_end);
                let kind = CommandKind::Simple(Simple::default());
                let commands =
                    vec![Command { kind, redirects: Vec::new(), span: self.span(self.last_end, self.last_end) }];
                return Pipeline { negated, commands, stderr_too: Vec::new(), span };
            }
        }
        let mut commands = vec![self.command()];
        let mut stderr_too = Vec::new();
        while let Token::Pipe(both) = self.peek() {
            let operator = self.pos;
            self.take();
            let operator = (operator, self.pos);
            self.skip_newlines();
            if let Some((start, end)) = self.take_keyword(Keyword::Bang) {
                self.error(start, end, "`!` may not stand inside a pipeline");
            }
            if !self.command_follows(operator) {
                break;
            }
            stderr_too.push(both);
            commands.push(self.command());
        }
        commands.shrink_to_fit();
        Pipeline { negated, commands, stderr_too, span: self.span(start, self.last_end) }
    }

    /// `-p` and `--` after `time`.
    fn time_options(&mut self) {
        self.skip_blanks();
        for option in ["-p", "--"] {
            if self.slice(self.pos, self.pos + 2) == option && self.word_ends(self.pos + 2) {
                self.take_word(2);
                self.skip_blanks();
            }
        }
    }

    /// Reads one command with its redirections. One begins here.
    pub(super) fn command(&mut self) -> Command {
        let token = self.peek();
        let start = self.pos;
        match self.keyword_at(token) {
            _ if token == Token::LeftParen => return self.compound_command(),
            Some((keyword, _)) if keyword.opens_compound() => return self.compound_command(),
            Some((Keyword::Function, _)) => return self.function_keyword(),
            Some((Keyword::Coproc, _)) => return self.coproc(),
            Some((Keyword::In | Keyword::RightBrackets | Keyword::Closer(_), length)) => {
                let text = self.slice(start, start + length);
                self.error(start, start + length, format!("unexpected `{text}`"));
            }
            _ => {}
        }
        self.simple(None)
    }

    /// The reserved word here, where the token is a word.
    fn keyword_at(&self, token: Token) -> Option<(Keyword, usize)> {
        if token == Token::Word { self.keyword() } else { None }
    }

    /// A compound command with its redirections.
    pub(super) fn compound_command(&mut self) -> Command {
        let start = self.pos;
        let kind = if self.enter() {
            let kind = self.compound();
            self.leave();
            kind
        } else {
            CommandKind::Unreadable
        };
        self.after_compound = true;
        let redirects = self.redirects();
        Command { kind, redirects, span: self.span(start, self.last_end.max(start)) }
    }

    /// A simple command or a function definition; `first` is a word of it that was read already.
    pub(super) fn simple(&mut self, first: Option<(usize, Word)>) -> Command {
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        let mut declares = false;
        let start = first.as_ref().map_or(self.pos, |(start, _)| *start);
        simple.words.extend(first.map(|(_, word)| word));
        loop {
            match self.peek() {
                Token::Redirect => redirects.push(self.redirect()),
                Token::Word => {
                    let at = self.pos;
                    let word = if simple.words.is_empty() {
                        match self.assignment(true) {
                            Some(Assigned::Assignment(assignment)) => {
                                simple.assignments.push(assignment);
                                continue;
                            }
                            Some(Assigned::Word(word)) => word,
                            None => self.word(Mode::Argument),
                        }
                    } else if declares {
                        match self.assignment(false) {
                            Some(Assigned::Assignment(assignment)) => {
                                simple.words.push(super::words::outline(&assignment));
                                simple.declared.push(assignment);
                                continue;
                            }
                            Some(Assigned::Word(word)) => word,
                            None => self.word(Mode::Argument),
                        }
                    } else {
                        self.word(Mode::Argument)
                    };
                    if self.pos == at {
                        // A byte that no word takes: go on behind it.
                        self.pos += 1;
                        continue;
                    }
                    let name_end = self.pos;
                    if simple.words.is_empty() {
                        declares = DECLARATIONS.contains(&self.slice(at, name_end));
                        let alone = simple.assignments.is_empty() && redirects.is_empty();
                        if alone && self.peek() == Token::LeftParen && self.take_parens() {
                            return self.function(start, (at, name_end));
                        }
                    }
                    simple.words.push(word);
                }
                Token::LeftParen => self.unexpected_paren(),
                _ => break,
            }
        }
        self.after_compound = false;
        simple.words.shrink_to_fit();
        simple.assignments.shrink_to_fit();
        redirects.shrink_to_fit();
        Command { kind: CommandKind::Simple(simple), redirects, span: self.span(start, self.last_end.max(start)) }
    }

    /// A `(` among the words of a simple command.
    fn unexpected_paren(&mut self) {
        let start = self.pos;
        let message = if self.slice(0, start).ends_with('=') {
            "unexpected `(`: an array can be assigned only before a command's name or after `declare`, `local` and the like"
        } else {
            "unexpected `(`: quote it, or separate the commands with `;`"
        };
        self.error(start, start + 1, message);
        self.pos += 1;
        self.last_end = self.pos;
        if self.enter() {
            self.expected.add(&[Closer::Paren]);
            self.list();
            self.expected.remove(&[Closer::Paren]);
            if self.peek() == Token::RightParen {
                self.take();
            }
            self.leave();
        }
    }

    /// Reads `()` if it stands here.
    fn take_parens(&mut self) -> bool {
        let mark = self.mark();
        let last_end = self.last_end;
        self.pos += 1;
        self.skip_blanks();
        if self.at(self.pos) == Some(b')') {
            self.pos += 1;
            self.last_end = self.pos;
            return true;
        }
        self.rewind(mark);
        self.last_end = last_end;
        false
    }

    /// `function name …`
    fn function_keyword(&mut self) -> Command {
        let start = self.pos;
        self.take_word("function".len());
        if self.peek() != Token::Word {
            let found = self.peek().text();
            self.error(start, start + "function".len(), format!("`function` needs a name: {found} follows"));
            let span = self.span(start, self.last_end);
            return Command { kind: CommandKind::Unreadable, redirects: Vec::new(), span };
        }
        let name_start = self.pos;
        self.word(Mode::Value);
        let name = (name_start, self.pos);
        if self.peek() == Token::LeftParen {
            self.take_parens();
        }
        self.function(start, name)
    }

    /// The body of a function whose name stands at `name`.
    fn function(&mut self, start: usize, name: (usize, usize)) -> Command {
        self.skip_newlines();
        let token = self.peek();
        let opens = matches!(self.keyword_at(token), Some((keyword, _)) if keyword.opens_compound());
        let body = if opens || token == Token::LeftParen {
            self.compound_command()
        } else {
            let text = self.slice(name.0, name.1);
            let message = format!("the function `{text}` needs a compound command as its body, such as `{{ …; }}`");
            self.error(name.0, name.1, message);
            let at = self.span(self.last_end, self.last_end);
            Command { kind: CommandKind::Unreadable, redirects: Vec::new(), span: at }
        };
        let function =
            Function { name: self.slice(name.0, name.1).to_owned(), name_span: self.span(name.0, name.1), body };
        let span = self.span(start, self.last_end);
        Command { kind: CommandKind::Function(Box::new(function)), redirects: Vec::new(), span }
    }

    fn coproc(&mut self) -> Command {
        let start = self.pos;
        self.take_word("coproc".len());
        let token = self.peek();
        let inner = match token {
            Token::LeftParen => self.compound_command(),
            Token::Word if matches!(self.keyword(), Some((keyword, _)) if keyword.opens_compound()) => {
                self.compound_command()
            }
            Token::Word if matches!(self.keyword(), None | Some((Keyword::Time, _))) => {
                let at = self.pos;
                let assigned = self.assignment(true).is_some();
                self.pos = at;
                if assigned {
                    self.simple(None)
                } else {
                    let word = self.word(Mode::Argument);
                    let token = self.peek();
                    match self.keyword() {
                        Some((keyword, _)) if keyword.opens_compound() => self.compound_command(),
                        Some((keyword, length)) if keyword != Keyword::Time => {
                            let end = self.pos + length;
                            let text = self.slice(self.pos, end);
                            self.error(self.pos, end, format!("unexpected `{text}` after the name of a `coproc`"));
                            self.simple(Some((at, word)))
                        }
                        _ if token == Token::LeftParen => self.compound_command(),
                        _ => self.simple(Some((at, word))),
                    }
                }
            }
            Token::Redirect => self.simple(None),
            _ => {
                self.error(start, start + "coproc".len(), "`coproc` needs a command");
                let at = self.span(self.last_end, self.last_end);
                Command { kind: CommandKind::Unreadable, redirects: Vec::new(), span: at }
            }
        };
        let span = self.span(start, self.last_end);
        Command { kind: CommandKind::Coproc(Box::new(inner)), redirects: Vec::new(), span }
    }
}

impl Keyword {
    pub(super) fn opens_compound(self) -> bool {
        matches!(
            self,
            Self::If
                | Self::While
                | Self::Until
                | Self::For
                | Self::Select
                | Self::Case
                | Self::LeftBrace
                | Self::LeftBrackets
        )
    }
}
