//! GitHub's `${{ }}` expressions: holes in a text, and a tree with spans in that text.
//!
//! The crate `github-actions-expressions` (of zizmor) reads them: it is kept up with GitHub's own parser, refuses what
//! GitHub refuses, bounds its depth and knows the bytes of every node. What it does not give is added here: the tree is
//! owned and has the spans of operators and names, chains of `&&` and `||` are flat, and every error has a place.
//! [`MAX_LENGTH`] and [`MAX_OPERATORS`] are checked before it is called, because it nests a chain of operators as
//! deeply as the chain is long.

mod holes;
mod read;
mod reads;
#[cfg(test)]
mod tests;

pub use holes::{Hole, condition_holes, holes};
pub use read::{MAX_DEPTH, MAX_LENGTH, MAX_OPERATORS, parse};
pub use reads::Read;

use crate::text::{Span, Spanned, SyntaxError};

/// An expression without its braces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// The tree; `None` if GitHub would refuse the expression.
    pub expr: Option<Expr>,
    /// Why it would.
    pub error: Option<SyntaxError>,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its bytes, parentheses around it included.
    pub span: Span,
}

/// The kinds of nodes. Names of contexts, properties and functions do not depend on case: they are kept as written
/// where a user wrote them freely, and compared without case.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A string without its quotes.
    String(String),
    /// A context alone (`github`), or the head of a path.
    Name(String),
    /// What is read from a context, from the result of a call, or from parentheses: `steps.ai.outputs['text']`,
    /// `fromJSON(x).verdict`.
    Path(Box<Expr>, Vec<Access>),
    /// A function, its name in lower case, with its arguments.
    Call(Spanned<String>, Vec<Expr>),
    /// `!x`.
    Not(Box<Expr>),
    /// A comparison; texts are compared without case.
    Compare(Box<Expr>, Spanned<Comparison>, Box<Expr>),
    /// `x && y && z`: the first false operand, or the last one.
    And(Vec<Expr>),
    /// `x || y || z`: the first true operand, or the last one.
    Or(Vec<Expr>),
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Access {
    /// `.name` or `['name']`, with the place of the name (of the string).
    Field(Spanned<String>),
    /// `.*` or `[*]`: every item.
    Every(Span),
    /// `[…]` with anything but a string.
    Index(Expr),
}

/// The operators between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}
