//! What statements do, as far as gates care. Purely syntactic; functions of the file are looked into.

use super::Machine;
use crate::flow::Effect;
use crate::syntax::typescript::{
    Binding, Expression, ExpressionKind, Function, Logical, Statement, StatementKind, TemplatePart,
};
use crate::text::Span;

/// Deepest nesting that is looked into: what is deeper acts.
const DEEPEST: usize = 32;
/// Most statements and expressions that one question looks at.
const MOST: usize = 4_000;

const NOTHING: Effect = Effect { prints: false, stops: false, passes: false, again: false, acts: false, sets: false };
const PRINTS: Effect = Effect { prints: true, ..NOTHING };
const ACTS: Effect = Effect { acts: true, ..NOTHING };
const SETS: Effect = Effect { sets: true, ..NOTHING };
const STOPS: Effect = Effect { stops: true, ..NOTHING };
const PASSES: Effect = Effect { passes: true, ..NOTHING };

/// Objects and functions whose calls only show something.
const SHOWERS: &[&str] = &["console", "logger", "log", "summary", "spinner", "chalk", "debug", "print", "warn", "info"];
/// Methods that only show something.
const SHOWING: &[&str] = &[
    "info",
    "warn",
    "warning",
    "error",
    "debug",
    "notice",
    "log",
    "trace",
    "startGroup",
    "endGroup",
    "group",
    "groupEnd",
    "createComment",
    "updateComment",
    "createReviewComment",
    "createCommitComment",
    "createReplyForReviewComment",
    "deleteComment",
    "addRaw",
    "addHeading",
    "addTable",
    "addEOL",
    "addDetails",
    "addLink",
    "addList",
    "addQuote",
    "addCodeBlock",
    "setSecret",
    "table",
];
/// Objects whose methods compute, and do nothing else.
const PURE: &[&str] = &[
    "JSON",
    "Math",
    "Object",
    "Array",
    "Number",
    "String",
    "Boolean",
    "Date",
    "path",
    "z",
    "Promise",
    "Set",
    "Map",
    "RegExp",
    "Error",
    "URL",
    "Buffer",
    "Symbol",
    "performance",
];
/// Methods of texts and lists that compute.
const COMPUTING: &[&str] = &[
    "trim",
    "trimStart",
    "trimEnd",
    "toLowerCase",
    "toUpperCase",
    "toString",
    "split",
    "slice",
    "substring",
    "substr",
    "match",
    "matchAll",
    "replace",
    "replaceAll",
    "test",
    "exec",
    "includes",
    "startsWith",
    "endsWith",
    "indexOf",
    "lastIndexOf",
    "search",
    "charAt",
    "at",
    "join",
    "concat",
    "map",
    "filter",
    "find",
    "findLast",
    "findIndex",
    "some",
    "every",
    "reduce",
    "flat",
    "flatMap",
    "sort",
    "reverse",
    "keys",
    "values",
    "entries",
    "has",
    "get",
    "padStart",
    "padEnd",
    "repeat",
    "normalize",
    "toFixed",
    "localeCompare",
    "parse",
    "safeParse",
    "then",
    "catch",
    "finally",
    "isArray",
    "hasOwnProperty",
    "json",
    "text",
    "getTime",
    "toISOString",
    "readFileSync",
    "readFile",
    "existsSync",
    "getInput",
];
/// Methods that change the object that they are called on.
const CHANGING: &[&str] =
    &["push", "unshift", "splice", "pop", "shift", "set", "add", "delete", "setOutput", "exportVariable", "fill"];

impl<'a> Machine<'a, '_> {
    /// What a statement does.
    pub(super) fn effect(&self, statement: &'a Statement) -> Effect {
        self.known_effect((statement.span, true), |effects| effects.statement(statement, 0))
    }

    /// What statements do one after the other.
    pub(super) fn effect_of_all(&self, statements: &'a [Statement]) -> Effect {
        statements
            .iter()
            .take_while(|statement| !ends(statement))
            .chain(statements.iter().find(|statement| ends(statement)))
            .fold(NOTHING, |effect, statement| effect.then(self.effect(statement)))
    }

    /// What an expression does.
    pub(super) fn effect_of_expression(&self, expression: &'a Expression) -> Effect {
        self.known_effect((expression.span, false), |effects| effects.expression(expression, 0))
    }

    /// What something does never changes, and it is asked again in every round of a loop.
    fn known_effect(&self, key: (Span, bool), ask: impl FnOnce(&Effects<'_, 'a, '_>) -> Effect) -> Effect {
        if let Some(effect) = self.effects.borrow().get(&key) {
            return *effect;
        }
        let effect = ask(&Effects { machine: self, left: std::cell::Cell::new(MOST) });
        self.effects.borrow_mut().insert(key, effect);
        effect
    }
}

struct Effects<'m, 'a, 'e> {
    machine: &'m Machine<'a, 'e>,
    left: std::cell::Cell<usize>,
}

impl<'a> Effects<'_, 'a, '_> {
    fn spent(&self, depth: usize) -> bool {
        match self.left.get().checked_sub(1) {
            Some(left) if depth <= DEEPEST => {
                self.left.set(left);
                false
            }
            _ => true,
        }
    }

    fn statements(&self, statements: &'a [Statement], depth: usize) -> Effect {
        let mut effect = NOTHING;
        for statement in statements {
            effect = effect.then(self.statement(statement, depth));
            if ends(statement) {
                break;
            }
        }
        effect
    }

    fn statement(&self, statement: &'a Statement, depth: usize) -> Effect {
        if self.spent(depth) {
            return ACTS;
        }
        let depth = depth + 1;
        match &statement.kind {
            StatementKind::Variables { declarators, .. } => declarators
                .iter()
                .filter_map(|declarator| declarator.value.as_ref())
                .fold(NOTHING, |effect, value| effect.then(self.expression(value, depth))),
            StatementKind::Expression(expression) => self.expression(expression, depth),
            StatementKind::If { test, then, otherwise } => {
                let effect = self.expression(test, depth).then(self.statement(then, depth));
                match otherwise {
                    Some(otherwise) => effect.then(self.statement(otherwise, depth)),
                    None => effect,
                }
            }
            StatementKind::Loop(each) => self.statement(&each.body, depth),
            StatementKind::Switch { cases, .. } => {
                cases.iter().fold(NOTHING, |effect, case| effect.then(self.statements(&case.body, depth)))
            }
            StatementKind::Try { block, finally, .. } => {
                self.statements(block, depth).then(self.statements(finally, depth))
            }
            StatementKind::Return(Some(value)) => {
                let effect = self.expression(value, depth);
                // Whoever called the function sees the value.
                effect.then(if matches!(value.kind, ExpressionKind::Undefined) { PASSES } else { SETS })
            }
            StatementKind::Return(None) | StatementKind::Break | StatementKind::Continue => PASSES,
            StatementKind::Throw(_) => STOPS,
            StatementKind::Block(statements) => self.statements(statements, depth),
            StatementKind::Import(_)
            | StatementKind::Export(_)
            | StatementKind::Function(..)
            | StatementKind::Class(_)
            | StatementKind::Other => NOTHING,
        }
    }

    fn expression(&self, expression: &'a Expression, depth: usize) -> Effect {
        if self.spent(depth) {
            return ACTS;
        }
        let depth = depth + 1;
        let all = |expressions: &mut dyn Iterator<Item = &'a Expression>| {
            expressions.fold(NOTHING, |effect, next| effect.then(self.expression(next, depth)))
        };
        match &expression.kind {
            ExpressionKind::Call { callee, arguments, constructs } => {
                let inner = all(&mut arguments.iter().map(|argument| &argument.value));
                if *constructs {
                    return inner;
                }
                inner.then(self.call(callee, arguments.first().map(|argument| &argument.value), depth))
            }
            ExpressionKind::Tagged { .. } => ACTS,
            ExpressionKind::Await(inner) => self.expression(inner, depth),
            ExpressionKind::Assign { target, value, .. } => {
                let effect = self.expression(value, depth);
                effect.then(if is_exit_code(target) { STOPS } else { SETS })
            }
            ExpressionKind::Conditional { test, then, otherwise } => {
                all(&mut [&**test, &**then, &**otherwise].into_iter())
            }
            ExpressionKind::Logical { left, right, .. } | ExpressionKind::Binary { left, right, .. } => {
                all(&mut [&**left, &**right].into_iter())
            }
            ExpressionKind::Unary { operand, .. } => self.expression(operand, depth),
            ExpressionKind::Sum(parts) | ExpressionKind::Sequence(parts) => all(&mut parts.iter()),
            ExpressionKind::Array(elements) => all(&mut elements.iter().map(|element| &element.value)),
            ExpressionKind::Template(parts) => all(&mut parts.iter().filter_map(|part| match part {
                TemplatePart::Value(value) => Some(value),
                TemplatePart::Text(_) => None,
            })),
            // A function that is only written down does nothing yet, but callbacks are called.
            ExpressionKind::Function(function) => self.callback(function, depth),
            _ => NOTHING,
        }
    }

    fn callback(&self, function: &'a Function, depth: usize) -> Effect {
        let effect = self.statements(&function.body, depth);
        Effect { sets: false, passes: false, ..effect }
    }

    fn call(&self, callee: &'a Expression, first: Option<&'a Expression>, depth: usize) -> Effect {
        let path = callee.path().unwrap_or_default();
        match path.as_slice() {
            ["process", "exit"] => {
                return match first.map(|first| &first.kind) {
                    Some(ExpressionKind::Number(number)) if number == "0" => PASSES,
                    None => PASSES,
                    Some(_) => STOPS,
                };
            }
            [.., "setFailed"] => return STOPS,
            ["process", "stdout" | "stderr", ..] => return PRINTS,
            ["fail" | "die" | "abort"] if self.function(callee).is_none() => return STOPS,
            _ => {}
        }
        match &callee.kind {
            ExpressionKind::Name(name) => match self.function(callee) {
                Some(function) => {
                    let effect = self.statements(&function.body, depth);
                    Effect { sets: false, passes: false, ..effect }
                }
                None if SHOWERS.contains(&name.as_str()) => PRINTS,
                None if PURE.contains(&name.as_str())
                    || matches!(name.as_str(), "parseInt" | "parseFloat" | "require" | "setTimeout") =>
                {
                    NOTHING
                }
                None => ACTS,
            },
            ExpressionKind::Member { object, property } => {
                let name = property.value.as_str();
                let root = path.first().copied().unwrap_or_default();
                if SHOWERS.contains(&root) || SHOWING.contains(&name) || path.contains(&"summary") {
                    return PRINTS;
                }
                if PURE.contains(&root) {
                    return NOTHING;
                }
                if CHANGING.contains(&name) {
                    return SETS;
                }
                if COMPUTING.contains(&name) {
                    return self.expression(object, depth);
                }
                ACTS
            }
            _ => ACTS,
        }
    }

    /// The function of the file that a name means.
    fn function(&self, callee: &'a Expression) -> Option<&'a Function> {
        let name = callee.name()?;
        match &self.machine.apis.fold.scopes.find(name, callee.span.start)?.binding {
            Binding::Function(function) => Some(function),
            Binding::Value(value, steps) if steps.is_empty() => match &value.kind {
                ExpressionKind::Function(function) => Some(function),
                _ => None,
            },
            _ => None,
        }
    }
}

/// `process.exitCode = …`
fn is_exit_code(target: &crate::syntax::typescript::Pattern) -> bool {
    match target {
        crate::syntax::typescript::Pattern::Place(place) => {
            place.path().is_some_and(|path| path == ["process", "exitCode"])
        }
        _ => false,
    }
}

/// Whether nothing after this statement runs.
pub(super) fn ends(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Return(_) | StatementKind::Throw(_) | StatementKind::Break | StatementKind::Continue => true,
        StatementKind::Block(statements) => statements.iter().any(ends),
        StatementKind::If { then, otherwise: Some(otherwise), .. } => ends(then) && ends(otherwise),
        StatementKind::Expression(expression) => match &expression.awaited().kind {
            ExpressionKind::Call { callee, .. } => callee.path().is_some_and(|path| path == ["process", "exit"]),
            ExpressionKind::Logical { operator: Logical::And | Logical::Or, .. } => false,
            _ => false,
        },
        _ => false,
    }
}
