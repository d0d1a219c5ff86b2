//! Questions that lints ask about an expression.

use super::{Access, Expr, ExprKind};
use crate::text::Span;

/// A context and what is read from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// Names from the context on, in lower case, up to the first `*` or computed index:
    /// `["steps", "ai", "outputs", "text"]`.
    pub path: Vec<String>,
    /// The whole path.
    pub span: Span,
}

impl Expr {
    /// Calls `visit` on this node and all below it, in order of the text. The name that heads a path is part of the
    /// path and not visited by itself.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) | ExprKind::String(_) | ExprKind::Name(_) => {}
            ExprKind::Path(head, accesses) => {
                if !matches!(head.kind, ExprKind::Name(_)) {
                    head.walk(visit);
                }
                for access in accesses {
                    if let Access::Index(index) = access {
                        index.walk(visit);
                    }
                }
            }
            ExprKind::Call(_, operands) | ExprKind::And(operands) | ExprKind::Or(operands) => {
                for operand in operands {
                    operand.walk(visit);
                }
            }
            ExprKind::Not(operand) => operand.walk(visit),
            ExprKind::Compare(left, _, right) => {
                left.walk(visit);
                right.walk(visit);
            }
        }
    }

    /// This node's path, if it is a context or a path from one.
    pub fn as_read(&self) -> Option<Read> {
        let (head, accesses) = match &self.kind {
            ExprKind::Name(_) => (self, [].as_slice()),
            ExprKind::Path(head, accesses) => (head.as_ref(), accesses.as_slice()),
            _ => return None,
        };
        let ExprKind::Name(name) = &head.kind else { return None };
        let fields = accesses.iter().map_while(|access| match access {
            Access::Field(name) => Some(name.value.to_ascii_lowercase()),
            _ => None,
        });
        Some(Read { path: std::iter::once(name.to_ascii_lowercase()).chain(fields).collect(), span: self.span })
    }

    /// All contexts that are read in this node, in order of the text.
    pub fn reads(&self) -> Vec<Read> {
        let mut found = Vec::new();
        self.walk(&mut |expr| found.extend(expr.as_read()));
        found
    }
}
