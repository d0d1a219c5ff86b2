//! Which names of the context a condition reads.

use super::{Access, AccessKind, Condition, Expr, ExprKind};
use crate::text::Span;

/// A name of the context and what is read from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Read<'a> {
    /// The name.
    pub name: &'a str,
    /// Its place.
    pub name_span: Span,
    /// The steps that follow it.
    pub accesses: &'a [Access],
    /// The name with its steps.
    pub span: Span,
}

impl<'a> Read<'a> {
    /// The fields that lead to the value, up to the first method or index: `goal` and `status` of
    /// `x.goal['status'].lower()`.
    pub fn fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.accesses.iter().map_while(|access| match &access.kind {
            AccessKind::Field(name) | AccessKind::Key(name) => Some(name.value.as_str()),
            _ => None,
        })
    }
}

impl Condition {
    /// All names that are read, in order of the text.
    pub fn reads(&self) -> Vec<Read<'_>> {
        self.expr.as_ref().map(Expr::reads).unwrap_or_default()
    }
}

impl Expr {
    /// All names that are read in this node, in order of the text.
    pub fn reads(&self) -> Vec<Read<'_>> {
        let mut found = Vec::new();
        self.walk(&mut |expr| match &expr.kind {
            ExprKind::Name(name) => found.push(Read { name, name_span: expr.span, accesses: &[], span: expr.span }),
            ExprKind::Path(head, accesses) => {
                if let ExprKind::Name(name) = &head.kind {
                    found.push(Read { name, name_span: head.span, accesses, span: expr.span });
                }
            }
            _ => {}
        });
        found
    }

    /// This node's name and steps, if it is a name or a path from one.
    pub fn as_read(&self) -> Option<Read<'_>> {
        match &self.kind {
            ExprKind::Name(name) => Some(Read { name, name_span: self.span, accesses: &[], span: self.span }),
            ExprKind::Path(head, accesses) => {
                let ExprKind::Name(name) = &head.kind else { return None };
                Some(Read { name, name_span: head.span, accesses, span: self.span })
            }
            _ => None,
        }
    }

    /// Calls `visit` on this node and all below it, in order of the text. The head of a path that is a plain name is
    /// part of the path and not visited by itself.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Missing | ExprKind::String(_) | ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Name(_) => {}
            ExprKind::List(items) | ExprKind::Call(_, items) | ExprKind::And(items) | ExprKind::Or(items) => {
                for item in items {
                    item.walk(visit);
                }
            }
            ExprKind::Group(inner) | ExprKind::Not(inner) => inner.walk(visit),
            ExprKind::Compare(left, _, right) => {
                left.walk(visit);
                right.walk(visit);
            }
            ExprKind::Path(head, accesses) => {
                if !matches!(head.kind, ExprKind::Name(_)) {
                    head.walk(visit);
                }
                for access in accesses {
                    if let AccessKind::Method(_, arguments) = &access.kind {
                        for argument in arguments {
                            argument.walk(visit);
                        }
                    }
                }
            }
        }
    }

    /// The node inside any parentheses.
    pub fn unwrapped(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Group(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }
}
