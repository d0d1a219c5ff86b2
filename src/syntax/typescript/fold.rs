//! What an expression is, as far as constants of the same file tell.

use std::cell::Cell;
use std::sync::Arc;

use super::ast::{Expression, ExpressionKind, Program, Property, TemplatePart};
use super::scope::{Binding, Scopes, Step};
use crate::text::{Fragment, Span, Spanned};

/// Steps that one question may take: constants can double each other, or go in a circle.
const MAX_STEPS: usize = 4_000;

/// Steps that may be under way at once.
const MAX_NESTING: usize = 48;

/// What is left of the steps of one question.
struct Fuel {
    steps: Cell<usize>,
    nesting: Cell<usize>,
}

impl Fuel {
    fn new() -> Self {
        Self { steps: Cell::new(MAX_STEPS), nesting: Cell::new(MAX_NESTING) }
    }

    /// Runs a step, if there is fuel for it.
    fn step<T>(&self, run: impl FnOnce() -> Option<T>) -> Option<T> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        self.nesting.set(self.nesting.get().checked_sub(1)?);
        let value = run();
        self.nesting.set(self.nesting.get() + 1);
        value
    }
}

/// A part of a text that is put together.
#[derive(Clone, Debug)]
pub enum Folded {
    /// Known text.
    Text(Arc<Fragment>),
    /// Something that only shows at run time.
    Unknown(Span),
}

/// The constants of a program.
#[derive(Clone, Debug)]
pub struct Fold<'a> {
    /// Its names.
    pub scopes: Scopes<'a>,
}

/// An object with spreads of known objects opened.
#[derive(Clone, Debug, Default)]
pub struct Members<'a> {
    /// Keys with their values in order; of two equal keys the later one counts.
    pub entries: Vec<(&'a Spanned<String>, &'a Expression)>,
    /// Keys that an unknown spread or computed key may have set before or after; those written after the last of
    /// these are certain all the same, see [`Members::get`].
    pub open: bool,
    /// Number of leading entries that an unknown part may have replaced.
    uncertain: usize,
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub enum Member<'a> {
    /// It is not there.
    Absent,
    /// It may be there, or is replaced by something unknown.
    Unknown,
    /// It is this.
    Known(&'a Spanned<String>, &'a Expression),
}

impl<'a> Members<'a> {
    /// Anything may have been set here.
    fn doubt(&mut self) {
        self.open = true;
        self.uncertain = self.entries.len();
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Member<'a> {
        match self.entries.iter().rposition(|(name, _)| name.value == key) {
            Some(at) if at >= self.uncertain => {
                self.entries.get(at).map_or(Member::Absent, |(name, value)| Member::Known(name, value))
            }
            Some(_) => Member::Unknown,
            None if self.open => Member::Unknown,
            None => Member::Absent,
        }
    }
}

impl<'a> Fold<'a> {
    /// Reads the names of a program.
    pub fn new(program: &'a Program) -> Self {
        Self { scopes: Scopes::new(program) }
    }

    /// The expression that a name, or a member of a constant object, stands for; the expression itself where that is
    /// not known.
    pub fn resolve(&self, expression: &'a Expression) -> &'a Expression {
        self.end(expression, &Fuel::new())
    }

    fn end(&self, expression: &'a Expression, fuel: &Fuel) -> &'a Expression {
        let mut at = expression;
        while let Some(next) = fuel.step(|| self.hop(at, fuel)) {
            at = next;
        }
        at
    }

    fn hop(&self, expression: &'a Expression, fuel: &Fuel) -> Option<&'a Expression> {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                let declaration = self.scopes.find(name, expression.span.start)?;
                match &declaration.binding {
                    Binding::Value(value, steps) if !declaration.changed => self.take(value, steps, fuel),
                    _ => None,
                }
            }
            ExpressionKind::Member { object, property } => {
                self.take(object, &[Step::Key(property.value.clone())], fuel)
            }
            ExpressionKind::Call { callee, arguments, .. } if callee.path() == Some(vec!["Object", "freeze"]) => {
                arguments.first().map(|argument| &argument.value)
            }
            ExpressionKind::Index { object, index } => match &index.kind {
                ExpressionKind::String(key) => self.take(object, &[Step::Key(key.text().to_owned())], fuel),
                ExpressionKind::Number(number) => self.take(object, &[Step::Index(number.parse().ok()?)], fuel),
                _ => None,
            },
            _ => None,
        }
    }

    /// What the steps take out of a value.
    fn take(&self, value: &'a Expression, steps: &[Step], fuel: &Fuel) -> Option<&'a Expression> {
        let mut value = value;
        for step in steps {
            value = self.end(value, fuel);
            value = match (step, &value.kind) {
                (Step::Key(key), ExpressionKind::Object(_)) => {
                    let mut members = Members::default();
                    self.collect(value, &mut members, fuel);
                    match members.get(key) {
                        Member::Known(_, value) => value,
                        Member::Absent | Member::Unknown => return None,
                    }
                }
                (Step::Index(index), ExpressionKind::Array(elements)) => {
                    let element = elements.get(*index)?;
                    if elements.iter().take(index + 1).any(|element| element.spread) {
                        return None;
                    }
                    &element.value
                }
                _ => return None,
            };
        }
        Some(value)
    }

    /// The members of an object literal or of a constant that is one.
    pub fn members(&self, object: &'a Expression) -> Members<'a> {
        let mut members = Members::default();
        self.collect(object, &mut members, &Fuel::new());
        members
    }

    fn collect(&self, object: &'a Expression, members: &mut Members<'a>, fuel: &Fuel) {
        let ExpressionKind::Object(properties) = &self.end(object, fuel).kind else {
            members.doubt();
            return;
        };
        for property in properties {
            match property {
                Property::Value(key, value) => members.entries.push((key, value)),
                Property::Spread(inner) => {
                    let opened = fuel.step(|| {
                        self.collect(inner, members, fuel);
                        Some(())
                    });
                    if opened.is_none() {
                        members.doubt();
                    }
                }
                Property::Computed(..) => members.doubt(),
            }
        }
    }

    /// A text in parts: constants are opened, what is not known is a part of its own.
    pub fn text(&self, expression: &'a Expression) -> Vec<Folded> {
        let mut parts = Vec::new();
        self.fold(expression, &mut parts, &Fuel::new());
        parts
    }

    /// The whole text where every part is known, with the place of the expression that holds it.
    pub fn literal(&self, expression: &'a Expression) -> Option<Spanned<String>> {
        let mut text = String::new();
        let parts = self.text(expression);
        for part in &parts {
            match part {
                Folded::Text(fragment) => text.push_str(fragment.text()),
                Folded::Unknown(_) => return None,
            }
        }
        let span = match parts.as_slice() {
            [Folded::Text(only)] => only.span(),
            _ => expression.span,
        };
        Some(Spanned::new(text, span))
    }

    /// `path.join`, by whatever name it was imported.
    fn joins_paths(&self, callee: &'a Expression) -> bool {
        let imported = |name: &'a Expression| {
            let declaration = self.scopes.find(name.name()?, name.span.start)?;
            match declaration.binding {
                Binding::Import("path" | "node:path" | "path/posix" | "node:path/posix", what) => Some(what),
                _ => None,
            }
        };
        match &callee.kind {
            ExpressionKind::Member { object, property } if property.value == "join" => {
                matches!(imported(object), Some("default" | "*" | "posix"))
            }
            _ => imported(callee) == Some("join"),
        }
    }

    fn fold(&self, expression: &'a Expression, parts: &mut Vec<Folded>, fuel: &Fuel) {
        let known = fuel.step(|| self.open(expression, parts, fuel));
        if known.is_none() {
            parts.push(Folded::Unknown(expression.span));
        }
    }

    /// `None`: not known, and nothing was added.
    fn open(&self, expression: &'a Expression, parts: &mut Vec<Folded>, fuel: &Fuel) -> Option<()> {
        let resolved = self.end(expression, fuel);
        match &resolved.kind {
            ExpressionKind::String(text) => parts.push(Folded::Text(text.clone())),
            ExpressionKind::Number(number) => {
                let text = Fragment::verbatim(number.clone(), resolved.span.start);
                parts.push(Folded::Text(Arc::new(text)));
            }
            ExpressionKind::Template(pieces) => {
                for piece in pieces {
                    match piece {
                        TemplatePart::Text(text) => parts.push(Folded::Text(text.clone())),
                        TemplatePart::Value(value) => self.fold(value, parts, fuel),
                    }
                }
            }
            ExpressionKind::Tagged { parts: pieces, .. } => {
                parts.push(Folded::Unknown(resolved.span));
                parts.extend(pieces.iter().filter_map(|piece| match piece {
                    TemplatePart::Text(text) => Some(Folded::Text(text.clone())),
                    TemplatePart::Value(_) => None,
                }));
            }
            ExpressionKind::Sum(operands) => operands.iter().for_each(|operand| self.fold(operand, parts, fuel)),
            ExpressionKind::Call { callee, arguments, constructs: false } if self.joins_paths(callee) => {
                for (at, argument) in arguments.iter().enumerate() {
                    if at > 0 {
                        let slash = Fragment::verbatim("/".to_owned(), argument.value.span.start);
                        parts.push(Folded::Text(Arc::new(slash)));
                    }
                    if argument.spread {
                        parts.push(Folded::Unknown(argument.value.span));
                    } else {
                        self.fold(&argument.value, parts, fuel);
                    }
                }
            }
            ExpressionKind::Call { callee, arguments, constructs: false } => {
                let ExpressionKind::Member { object, property } = &callee.kind else { return None };
                match (property.value.as_str(), &self.end(object, fuel).kind) {
                    ("trim" | "trimStart" | "trimEnd" | "toString", _) => self.fold(object, parts, fuel),
                    ("join", ExpressionKind::Array(elements)) => {
                        let separator = arguments.first().map(|argument| &argument.value);
                        for (at, element) in elements.iter().enumerate() {
                            if let (true, Some(separator)) = (at > 0, separator) {
                                self.fold(separator, parts, fuel);
                            }
                            if element.spread {
                                parts.push(Folded::Unknown(element.value.span));
                            } else {
                                self.fold(&element.value, parts, fuel);
                            }
                        }
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(())
    }
}
