//! A way through a whole tree, parents first.

use super::ast::{
    Class, Element, Expression, ExpressionKind, Function, Pattern, Program, Property, Statement, StatementKind,
    TemplatePart,
};

/// Something that is met on the way.
#[derive(Clone, Copy, Debug)]
pub enum Visit<'a> {
    /// A statement.
    Statement(&'a Statement),
    /// An expression.
    Expression(&'a Expression),
    /// A function, before its parameters.
    Function(&'a Function),
}

/// Calls `visit` for every statement, expression and function, in the order of the text.
pub fn walk<'a>(program: &'a Program, visit: &mut dyn FnMut(Visit<'a>)) {
    for statement in &program.statements {
        walk_statement(statement, visit);
    }
}

/// The same below one statement, itself included.
pub fn walk_statement<'a>(statement: &'a Statement, visit: &mut dyn FnMut(Visit<'a>)) {
    visit(Visit::Statement(statement));
    match &statement.kind {
        StatementKind::Variables { declarators, .. } => {
            for declarator in declarators {
                walk_pattern(&declarator.target, visit);
                walk_all(&declarator.value, visit);
            }
        }
        StatementKind::Function(_, function) => walk_function(function, visit),
        StatementKind::Class(class) => walk_class(class, visit),
        StatementKind::Expression(expression) | StatementKind::Throw(expression) => walk_expression(expression, visit),
        StatementKind::If { test, then, otherwise } => {
            walk_expression(test, visit);
            walk_statement(then, visit);
            if let Some(otherwise) = otherwise {
                walk_statement(otherwise, visit);
            }
        }
        StatementKind::Loop(each) => {
            if let Some(start) = &each.start {
                walk_statement(start, visit);
            }
            if let Some((pattern, value)) = &each.each {
                walk_pattern(pattern, visit);
                walk_expression(value, visit);
            }
            walk_all(&each.test, visit);
            walk_all(&each.step, visit);
            walk_statement(&each.body, visit);
        }
        StatementKind::Switch { subject, cases } => {
            walk_expression(subject, visit);
            for case in cases {
                walk_all(&case.value, visit);
                walk_statements(&case.body, visit);
            }
        }
        StatementKind::Try { block, catch, finally } => {
            walk_statements(block, visit);
            if let Some(catch) = catch {
                walk_statements(&catch.body, visit);
            }
            walk_statements(finally, visit);
        }
        StatementKind::Return(value) => walk_all(value, visit),
        StatementKind::Block(statements) => walk_statements(statements, visit),
        StatementKind::Import(_)
        | StatementKind::Export(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Other => {}
    }
}

fn walk_statements<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(Visit<'a>)) {
    for statement in statements {
        walk_statement(statement, visit);
    }
}

fn walk_all<'a>(expressions: impl IntoIterator<Item = &'a Expression>, visit: &mut dyn FnMut(Visit<'a>)) {
    for expression in expressions {
        walk_expression(expression, visit);
    }
}

fn walk_function<'a>(function: &'a Function, visit: &mut dyn FnMut(Visit<'a>)) {
    visit(Visit::Function(function));
    for (pattern, default) in &function.parameters {
        walk_pattern(pattern, visit);
        walk_all(default, visit);
    }
    walk_statements(&function.body, visit);
}

fn walk_class<'a>(class: &'a Class, visit: &mut dyn FnMut(Visit<'a>)) {
    walk_all(class.fields.iter().map(|(_, value)| value), visit);
    for (_, method) in &class.methods {
        walk_function(method, visit);
    }
}

fn walk_pattern<'a>(pattern: &'a Pattern, visit: &mut dyn FnMut(Visit<'a>)) {
    match pattern {
        Pattern::Object { properties, .. } => {
            for (_, pattern, default) in properties {
                walk_pattern(pattern, visit);
                walk_all(default, visit);
            }
        }
        Pattern::Array { elements, rest } => {
            for (pattern, default) in elements.iter().flatten() {
                walk_pattern(pattern, visit);
                walk_all(default, visit);
            }
            if let Some(rest) = rest {
                walk_pattern(rest, visit);
            }
        }
        Pattern::Place(place) => walk_expression(place, visit),
        Pattern::Name(_) | Pattern::Other(_) => {}
    }
}

fn walk_parts<'a>(parts: &'a [TemplatePart], visit: &mut dyn FnMut(Visit<'a>)) {
    for part in parts {
        if let TemplatePart::Value(value) = part {
            walk_expression(value, visit);
        }
    }
}

fn walk_elements<'a>(elements: &'a [Element], visit: &mut dyn FnMut(Visit<'a>)) {
    walk_all(elements.iter().map(|element| &element.value), visit);
}

/// The same below one expression, itself included.
pub fn walk_expression<'a>(expression: &'a Expression, visit: &mut dyn FnMut(Visit<'a>)) {
    visit(Visit::Expression(expression));
    match &expression.kind {
        ExpressionKind::Template(parts) => walk_parts(parts, visit),
        ExpressionKind::Tagged { tag, parts } => {
            walk_expression(tag, visit);
            walk_parts(parts, visit);
        }
        ExpressionKind::Array(elements) => walk_elements(elements, visit),
        ExpressionKind::Object(properties) => {
            for property in properties {
                match property {
                    Property::Value(_, value) | Property::Spread(value) => walk_expression(value, visit),
                    Property::Computed(key, value) => {
                        walk_expression(key, visit);
                        walk_expression(value, visit);
                    }
                }
            }
        }
        ExpressionKind::Member { object, .. } => walk_expression(object, visit),
        ExpressionKind::Index { object, index } => {
            walk_expression(object, visit);
            walk_expression(index, visit);
        }
        ExpressionKind::Call { callee, arguments, .. } => {
            walk_expression(callee, visit);
            walk_elements(arguments, visit);
        }
        ExpressionKind::Function(function) => walk_function(function, visit),
        ExpressionKind::Class(class) => walk_class(class, visit),
        ExpressionKind::Unary { operand, .. } | ExpressionKind::Await(operand) => walk_expression(operand, visit),
        ExpressionKind::Sum(operands) | ExpressionKind::Sequence(operands) => walk_all(operands, visit),
        ExpressionKind::Binary { left, right, .. } | ExpressionKind::Logical { left, right, .. } => {
            walk_expression(left, visit);
            walk_expression(right, visit);
        }
        ExpressionKind::Conditional { test, then, otherwise } => {
            walk_expression(test, visit);
            walk_expression(then, visit);
            walk_expression(otherwise, visit);
        }
        ExpressionKind::Assign { target, value, .. } => {
            walk_pattern(target, visit);
            walk_expression(value, visit);
        }
        ExpressionKind::Name(_)
        | ExpressionKind::String(_)
        | ExpressionKind::Regex { .. }
        | ExpressionKind::Number(_)
        | ExpressionKind::Boolean(_)
        | ExpressionKind::Null
        | ExpressionKind::Undefined
        | ExpressionKind::Hole
        | ExpressionKind::Other => {}
    }
}
