//! From the crate's tree to the own one.

use github_actions_expressions as actions;

use actions::op::{BinExpr, BinOp};
use actions::{SpannedExpr, call, literal::Literal};

use super::{Access, Comparison, Expr, ExprKind, Expression};
use crate::text::{Span, Spanned, SyntaxError};

/// Longest expression that GitHub reads (`ExpressionConstants.MaxLength` of actions/runner), in characters.
pub const MAX_LENGTH: usize = 21_000;

/// Deepest nesting that GitHub reads (`ExpressionConstants.MaxDepth`).
pub const MAX_DEPTH: usize = 50;

/// Most operators that are read here; a limit of this crate.
pub const MAX_OPERATORS: usize = 500;

/// Reads the expression that stands at `span` of the text, without braces. The spans of the tree count in the text.
pub fn parse(text: &str, span: Span) -> Expression {
    let source = text.get(span.range()).unwrap_or_default();
    let reader = Reader { source, start: span.start };
    match reader.expression() {
        Ok(expr) => Expression { expr: Some(expr), error: None },
        Err(error) => Expression { expr: None, error: Some(error) },
    }
}

struct Reader<'a> {
    source: &'a str,
    /// Where the source starts in the text.
    start: usize,
}

impl<'a> Reader<'a> {
    fn expression(&self) -> Result<Expr, SyntaxError> {
        if self.source.chars().nth(MAX_LENGTH).is_some() {
            return Err(self.error(None, format!("longer than the {MAX_LENGTH} characters that GitHub reads")));
        }
        if operators(self.source) > MAX_OPERATORS {
            return Err(self.error(None, format!("more than {MAX_OPERATORS} operators; split this expression")));
        }
        let expr = actions::Expr::parse(self.source).map_err(|error| self.refused(&error))?;
        self.node(&expr, 0)
    }

    /// An error at a place of the source; without one, at its first line.
    fn error(&self, place: Option<Span>, message: String) -> SyntaxError {
        let first_line = || {
            let start = self.source.len() - self.source.trim_start().len();
            let line = self.source.trim_start().lines().next().unwrap_or_default();
            Span::new(start, start + line.trim_end().len())
        };
        SyntaxError { span: place.unwrap_or_else(first_line).shifted(self.start), message }
    }

    fn refused(&self, error: &actions::Error) -> SyntaxError {
        match error {
            actions::Error::Syntax(error) => {
                let rest = self.source.get(error.offset..).unwrap_or_default();
                let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
                let mark = rest.chars().next().filter(|c| !c.is_whitespace()).map_or(0, char::len_utf8);
                let token = if word == 0 { mark } else { word };
                let place = Span::new(error.offset, error.offset + token);
                self.error(Some(place), error.message.to_owned())
            }
            actions::Error::Depth => self.error(None, too_deep()),
            actions::Error::Call(call::Error::UnknownFunction(name)) => {
                self.error(call_of(self.source, name), format!("unknown function `{name}`"))
            }
            actions::Error::Call(call::Error::Arity(function, expected)) => {
                let name = format!("{function:?}");
                self.error(call_of(self.source, &name), format!("`{name}` takes {expected}"))
            }
        }
    }

    fn span(&self, expr: &SpannedExpr<'a>) -> Span {
        Span::new(expr.origin.span.start, expr.origin.span.end).shifted(self.start)
    }

    fn node(&self, expr: &SpannedExpr<'a>, depth: usize) -> Result<Expr, SyntaxError> {
        if depth > MAX_DEPTH {
            return Err(self.error(None, too_deep()));
        }
        let kind = match &expr.inner {
            actions::Expr::Literal(literal) => match literal {
                Literal::Null => ExprKind::Null,
                Literal::Boolean(value) => ExprKind::Bool(*value),
                Literal::Number(value) => ExprKind::Number(*value),
                Literal::String(value) => ExprKind::String(value.to_string()),
            },
            actions::Expr::Identifier(name) => ExprKind::Name(name.as_str().to_owned()),
            actions::Expr::Call(call) => self.call(expr, call, depth)?,
            actions::Expr::Context(context) => return self.path(expr, &context.parts, depth),
            actions::Expr::BinExpr(binary) => self.binary(binary, depth)?,
            actions::Expr::UnExpr { expr: operand, .. } => ExprKind::Not(Box::new(self.node(operand, depth + 1)?)),
            // These two stand in paths only, where `access` reads them.
            actions::Expr::Star => ExprKind::Name("*".to_owned()),
            actions::Expr::Index(inner) => return self.node(inner, depth + 1),
        };
        Ok(Expr { kind, span: self.span(expr) })
    }

    fn call(&self, expr: &SpannedExpr<'a>, call: &call::Call<'a>, depth: usize) -> Result<ExprKind, SyntaxError> {
        let written = self.source.get(expr.origin.span.start..).unwrap_or_default();
        let written = written.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        let start = self.source.len() - written.len();
        let name = written.get(..written.find(|c: char| !name_character(c)).unwrap_or(0)).unwrap_or_default();
        let span = Span::new(start, start + name.len()).shifted(self.start);
        let arguments = call.args.iter().map(|argument| self.node(argument, depth + 1)).collect::<Result<_, _>>()?;
        Ok(ExprKind::Call(Spanned::new(name.to_ascii_lowercase(), span), arguments))
    }

    fn path(&self, expr: &SpannedExpr<'a>, parts: &[SpannedExpr<'a>], depth: usize) -> Result<Expr, SyntaxError> {
        let span = self.span(expr);
        let Some((head, rest)) = parts.split_first() else {
            return Err(self.error(None, "expected an expression".to_owned()));
        };
        let head = self.node(head, depth + 1)?;
        if rest.is_empty() {
            return Ok(Expr { kind: head.kind, span });
        }
        let accesses = rest.iter().map(|part| self.access(part, depth)).collect::<Result<_, _>>()?;
        Ok(Expr { kind: ExprKind::Path(Box::new(head), accesses), span })
    }

    fn access(&self, part: &SpannedExpr<'a>, depth: usize) -> Result<Access, SyntaxError> {
        Ok(match &part.inner {
            actions::Expr::Identifier(name) => Access::Field(Spanned::new(name.as_str().to_owned(), self.span(part))),
            actions::Expr::Star => Access::Every(self.span(part)),
            actions::Expr::Index(inner) => match &inner.inner {
                actions::Expr::Star => Access::Every(self.span(part)),
                actions::Expr::Literal(Literal::String(name)) => {
                    Access::Field(Spanned::new(name.to_string(), self.span(inner)))
                }
                _ => Access::Index(self.node(inner, depth + 1)?),
            },
            _ => Access::Index(self.node(part, depth + 1)?),
        })
    }

    fn binary(&self, binary: &BinExpr<'a>, depth: usize) -> Result<ExprKind, SyntaxError> {
        let comparison = match binary.op {
            BinOp::And => return Ok(ExprKind::And(self.chain(binary, depth)?)),
            BinOp::Or => return Ok(ExprKind::Or(self.chain(binary, depth)?)),
            BinOp::Eq => Comparison::Equal,
            BinOp::Neq => Comparison::NotEqual,
            BinOp::Lt => Comparison::Less,
            BinOp::Le => Comparison::LessOrEqual,
            BinOp::Gt => Comparison::Greater,
            BinOp::Ge => Comparison::GreaterOrEqual,
        };
        let left = self.node(&binary.lhs, depth + 1)?;
        let right = self.node(&binary.rhs, depth + 1)?;
        let between = (binary.lhs.origin.span.end, binary.rhs.origin.span.start);
        let gap = self.source.get(between.0..between.1).unwrap_or_default();
        let start = between.0 + gap.len() - gap.trim_start().len();
        let operator = Span::new(start, start + gap.trim().len()).shifted(self.start);
        Ok(ExprKind::Compare(Box::new(left), Spanned::new(comparison, operator), Box::new(right)))
    }

    /// The operands of a chain of one operator. Parentheses around a part of it do not change its value.
    fn chain(&self, last: &BinExpr<'a>, depth: usize) -> Result<Vec<Expr>, SyntaxError> {
        let mut operands = vec![self.node(&last.rhs, depth + 1)?];
        let mut left = &last.lhs;
        while let actions::Expr::BinExpr(before) = &left.inner
            && before.op == last.op
        {
            operands.push(self.node(&before.rhs, depth + 1)?);
            left = &before.lhs;
        }
        operands.push(self.node(left, depth + 1)?);
        operands.reverse();
        Ok(operands)
    }
}

fn too_deep() -> String {
    format!("nested deeper than the {MAX_DEPTH} levels that GitHub reads")
}

fn name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// About the number of operators: characters outside strings that operators are made of, halved for those of two.
fn operators(source: &str) -> usize {
    let mut quoted = false;
    let marks = source.bytes().filter(|byte| {
        quoted ^= *byte == b'\'';
        !quoted && matches!(byte, b'&' | b'|' | b'=' | b'<' | b'>')
    });
    marks.count() / 2
}

/// The name of a function where it is called, if that is at one place only.
fn call_of(source: &str, name: &str) -> Option<Span> {
    let (source, name) = (source.to_ascii_lowercase(), name.to_ascii_lowercase());
    let called = |start: usize| {
        let before = source.get(..start).unwrap_or_default();
        let after = source.get(start + name.len()..).unwrap_or_default();
        !before.ends_with(name_character) && after.trim_start().starts_with('(')
    };
    let mut places = source.match_indices(&name).map(|(start, _)| start).filter(|start| called(*start));
    let first = places.next();
    first.filter(|_| places.next().is_none()).map(|start| Span::new(start, start + name.len()))
}
