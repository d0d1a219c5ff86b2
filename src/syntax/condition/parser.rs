//! The recursive-descent parser. It stops at the first grammar error, as the engine does, and keeps what it has read.

use super::lexer::{self, Token};
use super::{Access, AccessKind, Comparison, ConditionError, ErrorKind, Expr, ExprKind, Function, Method, Stop};
use super::{MAX_LENGTH, MAX_PARENTHESES};
use crate::text::{Span, Spanned};

/// Deepest nesting of lists, calls and `not`s that is read here. The engine has no such limit (it would overflow its
/// stack first); this one keeps the tree shallow enough to be walked.
const MAX_DEPTH: usize = 128;

pub(super) fn parse(text: &str) -> (Option<Expr>, Option<Stop>, Option<Span>) {
    if text.len() > MAX_LENGTH {
        let message = format!("condition expression too long ({} bytes, max {MAX_LENGTH})", text.len());
        let line = text.lines().next().map_or(0, str::len);
        let error = ConditionError::new(ErrorKind::Parse, Span::new(0, line), message);
        return (None, Some(Stop::Lexical(error)), None);
    }
    let (tokens, lexical) = lexer::lex(text);
    let mut parser = Parser { tokens, position: 0, parentheses: 0, depth: 0, error: None };
    let expr = parser.or();
    let rest = parser.unread().filter(|_| lexical.is_none() && expr.complete);
    let expr = if matches!(expr.kind, ExprKind::Missing) { None } else { Some(expr) };
    let stop = lexical.map(Stop::Lexical).or(parser.error.map(Stop::Grammar));
    (expr, stop, rest)
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    position: usize,
    parentheses: usize,
    depth: usize,
    error: Option<ConditionError>,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.position).map(|(token, _)| token)
    }

    /// The span of the token to be read next; behind the last one, empty.
    fn here(&self) -> Span {
        let end = || Span::at(self.tokens.last().map_or(0, |(_, span)| span.end));
        self.tokens.get(self.position).map_or_else(end, |(_, span)| *span)
    }

    fn advance(&mut self) -> Span {
        let span = self.here();
        self.position += 1;
        span
    }

    fn eat(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.position += 1;
        }
        found
    }

    /// The end of the last token that was read.
    fn last_end(&self) -> usize {
        self.position.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |(_, span)| span.end)
    }

    fn unread(&self) -> Option<Span> {
        let first = self.tokens.get(self.position)?.1;
        self.tokens.last().map(|(_, last)| first.to(*last))
    }

    /// Keeps the first error.
    fn fail(&mut self, kind: ErrorKind, span: Span, message: impl Into<String>) {
        if self.error.is_none() {
            self.error = Some(ConditionError::new(kind, span, message.into()));
        }
    }

    /// A node from `start` to the last token read.
    fn node(&self, start: usize, kind: ExprKind) -> Expr {
        Expr { kind, span: Span::new(start, self.last_end()), complete: self.error.is_none() }
    }

    /// Behind the last token, not before the next: so it lies within the node that lacks it.
    fn missing(&self) -> Expr {
        Expr { kind: ExprKind::Missing, span: Span::at(self.last_end()), complete: false }
    }

    fn or(&mut self) -> Expr {
        self.chain(&Token::Or, Self::and, ExprKind::Or)
    }

    fn and(&mut self) -> Expr {
        self.chain(&Token::And, Self::not, ExprKind::And)
    }

    fn chain(&mut self, operator: &Token, operand: fn(&mut Self) -> Expr, kind: fn(Vec<Expr>) -> ExprKind) -> Expr {
        let start = self.here().start;
        let first = operand(self);
        if self.error.is_some() || self.peek() != Some(operator) {
            return first;
        }
        let mut operands = vec![first];
        while self.error.is_none() && self.eat(operator) {
            operands.push(operand(self));
        }
        self.node(start, kind(operands))
    }

    fn not(&mut self) -> Expr {
        let start = self.here().start;
        if !self.eat(&Token::Not) {
            return self.comparison();
        }
        let operand = self.nested(Self::not);
        self.node(start, ExprKind::Not(Box::new(operand)))
    }

    fn comparison(&mut self) -> Expr {
        let start = self.here().start;
        let left = self.primary();
        if self.error.is_some() {
            return left;
        }
        let comparison = match self.peek() {
            Some(Token::Eq) => Comparison::Equal,
            Some(Token::NotEq) => Comparison::NotEqual,
            Some(Token::Lt) => Comparison::Less,
            Some(Token::LtEq) => Comparison::LessOrEqual,
            Some(Token::Gt) => Comparison::Greater,
            Some(Token::GtEq) => Comparison::GreaterOrEqual,
            Some(Token::In) => Comparison::In,
            Some(Token::NotIn) => Comparison::NotIn,
            _ => return left,
        };
        let operator = Spanned::new(comparison, self.advance());
        let right = self.primary();
        self.node(start, ExprKind::Compare(Box::new(left), operator, Box::new(right)))
    }

    fn primary(&mut self) -> Expr {
        let start = self.here().start;
        let head = self.atom();
        let mut accesses = Vec::new();
        while self.error.is_none() && matches!(self.peek(), Some(Token::Dot | Token::LBracket)) {
            let opening = self.here().start;
            let kind = if self.eat(&Token::Dot) { self.dot() } else { self.bracket() };
            accesses.push(Access { kind, span: Span::new(opening, self.last_end()) });
        }
        if accesses.is_empty() {
            return head;
        }
        self.node(start, ExprKind::Path(Box::new(head), accesses))
    }

    fn dot(&mut self) -> AccessKind {
        let Some(Token::Ident(name)) = self.peek().cloned() else {
            self.fail(ErrorKind::Parse, self.here(), "expected method name after '.'");
            return AccessKind::Missing;
        };
        let span = self.advance();
        if self.peek() == Some(&Token::LParen) {
            let Some(method) = Method::named(&name) else {
                let safe: Vec<_> = Method::ALL.iter().map(|method| method.name()).collect();
                let message = format!("method '.{name}()' is not allowed. Safe methods: {safe:?}");
                self.fail(ErrorKind::Unsafe, span, message);
                return AccessKind::Field(Spanned::new(name, span));
            };
            return AccessKind::Method(Spanned::new(method, span), self.arguments());
        }
        if name.contains("__") {
            self.fail(ErrorKind::Unsafe, span, format!("dunder property '{name}' is not allowed"));
        }
        AccessKind::Field(Spanned::new(name, span))
    }

    fn bracket(&mut self) -> AccessKind {
        self.advance();
        let token = self.peek().cloned();
        let span = self.here();
        let kind = match token {
            Some(Token::String(key)) => {
                self.advance();
                if key.contains("__") {
                    self.fail(ErrorKind::Unsafe, span, format!("dunder key '{key}' is not allowed"));
                }
                AccessKind::Key(Spanned::new(key, span))
            }
            Some(Token::Number(number)) => {
                self.advance();
                if !number.is_finite() || number < 0.0 || number.fract() != 0.0 {
                    let message = format!("array index must be a non-negative integer, got {number}");
                    self.fail(ErrorKind::Parse, span, message);
                }
                #[expect(clippy::cast_sign_loss, reason = "the engine's conversion, which saturates")]
                AccessKind::Index(Spanned::new(number as usize, span))
            }
            Some(other) => {
                let message = format!("expected string key or numeric index inside brackets, got {other:?}");
                self.fail(ErrorKind::Parse, span, message);
                AccessKind::Missing
            }
            None => {
                self.fail(ErrorKind::Parse, span, "unexpected end of expression inside brackets");
                AccessKind::Missing
            }
        };
        if self.error.is_none() && !self.eat(&Token::RBracket) {
            self.fail(ErrorKind::Parse, self.here(), "expected ']'");
        }
        kind
    }

    /// The arguments of a call, from its opening to its closing parenthesis.
    fn arguments(&mut self) -> Vec<Expr> {
        self.advance();
        let arguments = self.items(&Token::RParen, Self::primary);
        if self.error.is_none() && !self.eat(&Token::RParen) {
            self.fail(ErrorKind::Parse, self.here(), "expected ')'");
        }
        arguments
    }

    /// Items between commas, of which one may follow the last, up to (not including) `closing`.
    fn items(&mut self, closing: &Token, item: fn(&mut Self) -> Expr) -> Vec<Expr> {
        let mut items = Vec::new();
        if self.peek() == Some(closing) {
            return items;
        }
        loop {
            items.push(self.nested(item));
            if self.error.is_some() || !self.eat(&Token::Comma) || self.peek() == Some(closing) {
                return items;
            }
        }
    }

    fn nested(&mut self, inner: fn(&mut Self) -> Expr) -> Expr {
        if self.depth == MAX_DEPTH {
            let message =
                format!("lists, calls and 'not' are nested over {MAX_DEPTH} levels deep; split this condition");
            self.fail(ErrorKind::Limit, self.here(), message);
            return self.missing();
        }
        self.depth += 1;
        let expr = inner(self);
        self.depth -= 1;
        expr
    }

    fn atom(&mut self) -> Expr {
        let span = self.here();
        let Some(token) = self.peek().cloned() else {
            self.fail(ErrorKind::Parse, span, "unexpected end of expression");
            return self.missing();
        };
        let kind = match token {
            Token::String(value) => {
                self.advance();
                ExprKind::String(value)
            }
            Token::Number(value) => {
                self.advance();
                ExprKind::Number(value)
            }
            Token::Ident(name) => {
                self.advance();
                self.name_or_call(name, span)
            }
            Token::LParen => self.group(),
            Token::LBracket => self.list(),
            other => {
                let message = format!("unexpected token: {other:?} at position {}", self.position);
                self.fail(ErrorKind::Parse, span, message);
                return self.missing();
            }
        };
        self.node(span.start, kind)
    }

    fn name_or_call(&mut self, name: String, span: Span) -> ExprKind {
        if name.contains("__") {
            self.fail(ErrorKind::Unsafe, span, format!("dunder identifier '{name}' is not allowed"));
            return ExprKind::Name(name);
        }
        match Function::named(&name) {
            Some(function) if self.peek() == Some(&Token::LParen) => {
                ExprKind::Call(Spanned::new(function, span), self.arguments())
            }
            _ if name == "true" || name == "false" => ExprKind::Bool(name == "true"),
            _ => ExprKind::Name(name),
        }
    }

    fn group(&mut self) -> ExprKind {
        let opening = self.advance();
        if self.parentheses == MAX_PARENTHESES {
            let message = format!("condition expression too deeply nested (max {MAX_PARENTHESES} levels)");
            self.fail(ErrorKind::Parse, opening, message);
            return ExprKind::Group(Box::new(self.missing()));
        }
        self.parentheses += 1;
        let inner = self.or();
        self.parentheses -= 1;
        if self.error.is_none() && !self.eat(&Token::RParen) {
            self.fail(ErrorKind::Parse, self.here(), "expected ')'");
        }
        ExprKind::Group(Box::new(inner))
    }

    fn list(&mut self) -> ExprKind {
        self.advance();
        let items = self.items(&Token::RBracket, Self::atom);
        if self.error.is_none() && !self.eat(&Token::RBracket) {
            self.fail(ErrorKind::Parse, self.here(), "expected ']' to close list literal");
        }
        ExprKind::List(items)
    }
}
