//! Redirections.

use super::ast::{HereDocument, PartKind, Redirect, RedirectKind, Word, WordPart};
use super::lexer::Token;
use super::parser::Parser;
use super::word::Mode;

impl Parser<'_> {
    /// Reads the redirections that stand here.
    pub(super) fn redirects(&mut self) -> Vec<Redirect> {
        let mut redirects = Vec::new();
        while self.peek() == Token::Redirect {
            redirects.push(self.redirect());
        }
        redirects
    }

    /// Reads the redirection at the current place.
    pub(super) fn redirect(&mut self) -> Redirect {
        let start = self.pos;
        let mut fd = None;
        if let Some(end) = self.descriptor() {
            fd = self.slice(start, end).parse().ok();
            self.pos = end;
        }
        let described = self.pos > start;
        let operator = self.redirect_operator();
        let kind = if operator == "<<" || operator == "<<-" {
            self.heredoc(operator == "<<-")
        } else {
            let target = self.redirect_target(operator);
            match operator {
                "<" => RedirectKind::Input(target),
                ">>" => RedirectKind::Append(target),
                "<<<" => RedirectKind::HereString(target),
                "<>" => RedirectKind::ReadWrite(target),
                "<&" => RedirectKind::DuplicateInput(target),
                ">&" if described || is_descriptor(&target) => RedirectKind::DuplicateOutput(target),
                ">&" | "&>" => RedirectKind::OutputAndError(target),
                "&>>" => RedirectKind::AppendOutputAndError(target),
                _ => RedirectKind::Output(target),
            }
        };
        self.last_end = self.pos;
        self.after_compound = false;
        Redirect { fd, kind, span: self.span(start, self.pos) }
    }

    /// Reads the operator; the longest that fits.
    fn redirect_operator(&mut self) -> &'static str {
        const OPERATORS: [&str; 12] = ["&>>", "<<<", "<<-", "&>", ">>", "<<", "<&", ">&", "<>", ">|", "<", ">"];
        for operator in OPERATORS {
            let mut at = self.pos;
            let matches = operator.bytes().all(|byte| {
                at = self.joined(at);
                at += 1;
                self.at(at - 1) == Some(byte)
            });
            if matches {
                self.pos = at;
                return operator;
            }
        }
        self.pos += 1;
        ">"
    }

    /// The word after `operator`. Only after `<&` and `>&` it may be a number right before another redirection.
    fn redirect_target(&mut self, operator: &str) -> Word {
        let operator_end = self.pos;
        let token = self.peek();
        if operator.ends_with('&') && self.at(self.pos) == Some(b'-') {
            let start = self.pos;
            self.pos += 1;
            let kind = PartKind::Literal("-".to_owned());
            return Word {
                parts: vec![WordPart { kind, span: self.span(start, self.pos) }],
                span: self.span(start, self.pos),
            };
        }
        if token == Token::Word || operator.ends_with('&') && self.descriptor().is_some() {
            return self.word(Mode::Argument);
        }
        let found = token.text();
        self.error(operator_end - 1, operator_end, format!("this redirection has no target: {found} follows"));
        self.pos = operator_end;
        Word { parts: Vec::new(), span: self.span(operator_end, operator_end) }
    }

    fn heredoc(&mut self, strip_tabs: bool) -> RedirectKind {
        self.peek();
        let start = self.pos;
        self.redirect_target("<<");
        let raw = self.slice(start, self.pos);
        let quoted = raw.contains(['\'', '"', '\\']);
        let delimiter = if quoted { unquoted(raw) } else { raw.to_owned() };
        let id = self.bodies.len();
        self.expect_heredoc((!raw.is_empty()).then(|| delimiter.clone()), quoted, strip_tabs);
        // The body is not read yet; its number stands in for it until the whole script is.
        let body = Word { parts: Vec::new(), span: crate::text::Span::at(id) };
        RedirectKind::HereDocument(HereDocument { delimiter, quoted, strip_tabs, body, closed: false })
    }
}

/// Whether the target of `>&` is a descriptor: digits, `-`, or an expansion that will give one.
fn is_descriptor(target: &Word) -> bool {
    match target.parts.as_slice() {
        [part] => match &part.kind {
            PartKind::Literal(text) => {
                let digits = text.strip_suffix('-').unwrap_or(text);
                digits.bytes().all(|byte| byte.is_ascii_digit())
            }
            PartKind::Parameter(_) => true,
            _ => false,
        },
        _ => false,
    }
}

/// A delimiter without its quotes.
fn unquoted(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut quote = None;
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\'' | '"', None) => quote = Some(character),
            (character, Some(open)) if character == open => quote = None,
            ('\\', None) => text.extend(characters.next()),
            _ => text.push(character),
        }
    }
    text
}
