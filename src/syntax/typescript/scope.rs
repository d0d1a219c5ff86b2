//! Which declaration a name means, by the blocks that enclose it.

use std::collections::HashMap;

use super::ast::{Element, Expression, ExpressionKind, Function, Pattern, Program, StatementKind};
use super::walk::{Visit, walk};
use crate::text::Span;

/// One step into a value: what a pattern takes out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `.key`
    Key(String),
    /// `[0]`
    Index(usize),
    /// An element, whichever: `for (x of value)`.
    Each,
    /// All that is not taken by name.
    Rest,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Binding<'a> {
    /// A value, or what the steps take out of it.
    Value(&'a Expression, Vec<Step>),
    /// A declared function.
    Function(&'a Function),
    /// A parameter: the function, which one, what the steps take out of it, and its default.
    Parameter(&'a Function, usize, Vec<Step>, Option<&'a Expression>),
    /// An import: module and exported name (`default`, `*`).
    Import(&'a str, &'a str),
    /// Declared without a value, or in a way that is not followed.
    Unknown,
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Declaration<'a> {
    /// Where it can be seen.
    pub scope: Span,
    /// Where it is written.
    pub span: Span,
    /// What it stands for at first.
    pub binding: Binding<'a>,
    /// It is assigned again, or its value is changed in place (`x.key = …`, `x.push(…)`).
    pub changed: bool,
}

/// All names of a program.
#[derive(Clone, Debug, Default)]
pub struct Scopes<'a> {
    names: HashMap<&'a str, Vec<Declaration<'a>>>,
}

impl<'a> Scopes<'a> {
    /// Collects the declarations of a program.
    pub fn new(program: &'a Program) -> Self {
        let mut scopes = Self::default();
        let mut open: Vec<Span> = Vec::new();
        let whole = Span::new(0, usize::MAX);
        let mut changes: Vec<&'a Expression> = Vec::new();
        walk(program, &mut |visit| {
            let span = match visit {
                Visit::Statement(statement) => statement.span,
                Visit::Expression(expression) => expression.span,
                Visit::Function(function) => function.span,
            };
            while open.last().is_some_and(|scope| !scope.covers(span)) {
                open.pop();
            }
            let outer = open.last().copied().unwrap_or(whole);
            match visit {
                Visit::Function(function) => {
                    open.push(function.span);
                    for (index, (pattern, default)) in function.parameters.iter().enumerate() {
                        scopes.bind(pattern, function.span, &mut |steps, inner| {
                            let default = if steps.is_empty() { default.as_ref() } else { inner };
                            Binding::Parameter(function, index, steps.to_vec(), default)
                        });
                    }
                }
                Visit::Statement(statement) => match &statement.kind {
                    StatementKind::Block(_) => open.push(statement.span),
                    StatementKind::Switch { .. } => open.push(statement.span),
                    StatementKind::Loop(each) => {
                        open.push(statement.span);
                        if let Some((pattern, value)) = &each.each {
                            scopes.bind(pattern, statement.span, &mut |steps, _| {
                                let mut all = vec![Step::Each];
                                all.extend_from_slice(steps);
                                Binding::Value(value, all)
                            });
                        }
                    }
                    StatementKind::Try { catch: Some(catch), .. } => {
                        if let Some(pattern) = &catch.parameter {
                            scopes.bind(pattern, catch.span, &mut |_, _| Binding::Unknown);
                        }
                    }
                    StatementKind::Import(import) => {
                        for (local, exported) in &import.names {
                            scopes.declare(
                                &local.value,
                                local.span,
                                whole,
                                Binding::Import(&import.module.value, exported),
                            );
                        }
                    }
                    StatementKind::Function(name, function) => {
                        scopes.declare(&name.value, name.span, outer, Binding::Function(function));
                    }
                    StatementKind::Variables { declarators, .. } => {
                        for declarator in declarators {
                            scopes.bind(&declarator.target, outer, &mut |steps, _| match &declarator.value {
                                Some(value) => Binding::Value(value, steps.to_vec()),
                                None => Binding::Unknown,
                            });
                        }
                    }
                    _ => {}
                },
                Visit::Expression(expression) => {
                    if matches!(expression.kind, ExpressionKind::Assign { .. } | ExpressionKind::Call { .. }) {
                        changes.push(expression);
                    }
                }
            }
        });
        for change in changes {
            scopes.note_change(change);
        }
        scopes
    }

    /// The declaration that a name at a place means.
    pub fn find(&self, name: &str, at: usize) -> Option<&Declaration<'a>> {
        let declarations = self.names.get(name)?;
        declarations
            .iter()
            .filter(|declaration| declaration.scope.start <= at && at < declaration.scope.end)
            .min_by_key(|declaration| declaration.scope.len())
    }

    fn declare(&mut self, name: &'a str, span: Span, scope: Span, binding: Binding<'a>) {
        let declarations = self.names.entry(name).or_default();
        let again = declarations.iter_mut().find(|declaration| declaration.scope == scope);
        match again {
            Some(declaration) => declaration.changed = true,
            None => declarations.push(Declaration { scope, span, binding, changed: false }),
        }
    }

    /// Declares every name of a pattern; `binding` gets the steps to it and its default.
    fn bind(
        &mut self,
        pattern: &'a Pattern,
        scope: Span,
        binding: &mut dyn FnMut(&[Step], Option<&'a Expression>) -> Binding<'a>,
    ) {
        let mut stack: Vec<(&'a Pattern, Vec<Step>, Option<&'a Expression>)> = vec![(pattern, Vec::new(), None)];
        while let Some((pattern, steps, default)) = stack.pop() {
            let with = |step: Step| steps.iter().cloned().chain([step]).collect::<Vec<_>>();
            match pattern {
                Pattern::Name(name) => {
                    let bound = binding(&steps, default);
                    self.declare(&name.value, name.span, scope, bound);
                }
                Pattern::Object { properties, rest } => {
                    for (key, pattern, default) in properties {
                        stack.push((pattern, with(Step::Key(key.value.clone())), default.as_ref()));
                    }
                    if let Some(rest) = rest {
                        let bound = binding(&with(Step::Rest), None);
                        self.declare(&rest.value, rest.span, scope, bound);
                    }
                }
                Pattern::Array { elements, rest } => {
                    for (index, element) in elements.iter().enumerate() {
                        if let Some((pattern, default)) = element {
                            stack.push((pattern, with(Step::Index(index)), default.as_ref()));
                        }
                    }
                    stack.extend(rest.as_deref().map(|rest| (rest, with(Step::Rest), None)));
                }
                Pattern::Place(_) | Pattern::Other(_) => {}
            }
        }
    }

    fn note_change(&mut self, change: &'a Expression) {
        match &change.kind {
            ExpressionKind::Assign { target, .. } => {
                let mut names = Vec::new();
                target.names(&mut names);
                for name in names {
                    self.mark(&name.value, name.span.start);
                }
                if let Pattern::Place(place) = &**target {
                    self.mark_root(place);
                }
            }
            ExpressionKind::Call { callee, arguments, .. } => {
                if let ExpressionKind::Member { object, property } = &callee.kind {
                    match property.value.as_str() {
                        "push" | "unshift" | "splice" | "pop" | "shift" | "set" | "sort" | "reverse" | "fill" => {
                            self.mark_root(object);
                        }
                        "assign" if object.name() == Some("Object") => {
                            if let Some(Element { value, .. }) = arguments.first() {
                                self.mark_root(value);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn mark_root(&mut self, mut place: &Expression) {
        while let ExpressionKind::Member { object, .. } | ExpressionKind::Index { object, .. } = &place.kind {
            place = object;
        }
        if let Some(name) = place.name() {
            self.mark(name, place.span.start);
        }
    }

    fn mark(&mut self, name: &str, at: usize) {
        let Some(scope) = self.find(name, at).map(|declaration| declaration.scope) else { return };
        let declarations = self.names.get_mut(name).into_iter().flatten();
        for declaration in declarations.filter(|declaration| declaration.scope == scope) {
            declaration.changed = true;
        }
    }
}
