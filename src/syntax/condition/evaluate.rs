//! Evaluation in reading order, with a context or without one. Without one every name is unknown, and what is left is
//! what holds for all contexts: errors that no value avoids, and conditions that no value changes.

use std::borrow::Cow;

use serde_json::Value;

use super::{AccessKind, Condition, ConditionError, ErrorKind, Expr, ExprKind, Stop, values};
use crate::text::Span;

/// A value, or `None` if it is not known.
type Known<'v> = Option<Cow<'v, Value>>;

/// Evaluates as the engine does: nothing is short-circuited, so an error in any operand is an error of the condition.
/// `context` is the object of all names; anything else counts as an empty one.
pub fn evaluate(condition: &Condition, context: &Value) -> Result<bool, ConditionError> {
    let truth = run(condition.expr.as_ref(), condition.stop.as_ref(), Some(context))?;
    truth.ok_or_else(|| {
        let span = condition.expr.as_ref().map_or(Span::default(), |expr| expr.span);
        ConditionError::new(ErrorKind::Limit, span, "a text that is built here is too long to be evaluated".to_owned())
    })
}

/// Evaluates with nothing known of the names.
pub(super) fn constant(expr: Option<&Expr>, stop: Option<&Stop>) -> Result<Option<bool>, ConditionError> {
    run(expr, stop, None)
}

fn run(expr: Option<&Expr>, stop: Option<&Stop>, context: Option<&Value>) -> Result<Option<bool>, ConditionError> {
    match (expr, stop) {
        (_, Some(Stop::Lexical(error))) | (None, Some(Stop::Grammar(error))) => Err(error.clone()),
        (Some(expr), stop) => Evaluator { context, stop }.truth(expr),
        (None, None) => Ok(None),
    }
}

struct Evaluator<'v> {
    context: Option<&'v Value>,
    stop: Option<&'v Stop>,
}

impl<'v> Evaluator<'v> {
    /// The grammar error, once all that stands before it has been evaluated.
    fn check(&self, expr: &Expr) -> Result<(), ConditionError> {
        match self.stop {
            Some(Stop::Grammar(error) | Stop::Lexical(error)) if !expr.complete => Err(error.clone()),
            _ => Ok(()),
        }
    }

    fn truth(&self, expr: &Expr) -> Result<Option<bool>, ConditionError> {
        let truth = match &expr.kind {
            ExprKind::Or(operands) => self.chain(operands, true)?,
            ExprKind::And(operands) => self.chain(operands, false)?,
            ExprKind::Not(operand) => self.truth(operand)?.map(|truth| !truth),
            ExprKind::Compare(left, comparison, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                left.zip(right).map(|(left, right)| values::compare(&left, comparison.value, &right))
            }
            _ => return Ok(self.value(expr)?.map(|value| values::is_true(&value))),
        };
        self.check(expr)?;
        Ok(truth)
    }

    /// Operands of which one that is `deciding` decides.
    fn chain(&self, operands: &[Expr], deciding: bool) -> Result<Option<bool>, ConditionError> {
        let mut result = Some(!deciding);
        for operand in operands {
            match self.truth(operand)? {
                Some(truth) if truth == deciding => result = Some(deciding),
                None if result == Some(!deciding) => result = None,
                _ => {}
            }
        }
        Ok(result)
    }

    fn value<'e>(&self, expr: &'e Expr) -> Result<Known<'e>, ConditionError>
    where
        'v: 'e,
    {
        let value = match &expr.kind {
            ExprKind::Missing => None,
            ExprKind::String(value) => Some(Cow::Owned(Value::from(value.as_str()))),
            ExprKind::Number(value) => Some(Cow::Owned(values::number(*value))),
            ExprKind::Bool(value) => Some(Cow::Owned(Value::Bool(*value))),
            ExprKind::Name(name) => self.context.map(|context| lookup(Cow::Borrowed(context), name)),
            ExprKind::List(items) => self.list(items)?,
            ExprKind::Call(function, arguments) => {
                let arguments = self.values(arguments)?;
                self.check(expr)?;
                values::call(function.value, &arguments).map_err(|message| error(expr.span, message))?.map(Cow::Owned)
            }
            ExprKind::Path(head, _) => self.path(expr, head)?,
            ExprKind::Group(_) | ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) => {
                let inner = if let ExprKind::Group(inner) = &expr.kind { inner } else { expr };
                self.truth(inner)?.map(|truth| Cow::Owned(Value::Bool(truth)))
            }
        };
        self.check(expr)?;
        Ok(value)
    }

    fn values<'e>(&self, exprs: &'e [Expr]) -> Result<Vec<Known<'e>>, ConditionError>
    where
        'v: 'e,
    {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    fn list<'e>(&self, items: &'e [Expr]) -> Result<Known<'e>, ConditionError>
    where
        'v: 'e,
    {
        let items = self.values(items)?;
        let items = items.into_iter().map(|item| item.map(Cow::into_owned)).collect::<Option<Vec<_>>>();
        Ok(items.map(|items| Cow::Owned(Value::Array(items))))
    }

    fn path<'e>(&self, path: &'e Expr, head: &'e Expr) -> Result<Known<'e>, ConditionError>
    where
        'v: 'e,
    {
        let ExprKind::Path(_, accesses) = &path.kind else { return Ok(None) };
        let mut value = self.value(head)?;
        for (at, access) in accesses.iter().enumerate() {
            let arguments = match &access.kind {
                AccessKind::Method(_, arguments) => self.values(arguments)?,
                _ => Vec::new(),
            };
            if at + 1 == accesses.len() {
                self.check(path)?;
            }
            let Some(known) = value else { continue };
            value = match &access.kind {
                AccessKind::Field(name) | AccessKind::Key(name) => Some(lookup(known, &name.value)),
                AccessKind::Index(index) => Some(item(known, index.value)),
                AccessKind::Method(method, _) => values::method(&known, method.value, &arguments)
                    .map_err(|message| error(access.span, message))?
                    .map(Cow::Owned),
                AccessKind::Missing => None,
            };
        }
        Ok(value)
    }
}

fn error(span: Span, message: String) -> ConditionError {
    ConditionError::new(ErrorKind::Parse, span, message)
}

/// The property of an object; null for everything else.
fn lookup<'v>(value: Cow<'v, Value>, name: &str) -> Cow<'v, Value> {
    match value {
        Cow::Borrowed(value) => value.get(name).map_or(Cow::Owned(Value::Null), Cow::Borrowed),
        Cow::Owned(value) => Cow::Owned(value.get(name).cloned().unwrap_or_default()),
    }
}

/// The item of an array; null for everything else.
fn item(value: Cow<'_, Value>, index: usize) -> Cow<'_, Value> {
    match value {
        Cow::Borrowed(value) => value.get(index).map_or(Cow::Owned(Value::Null), Cow::Borrowed),
        Cow::Owned(value) => Cow::Owned(value.get(index).cloned().unwrap_or_default()),
    }
}
