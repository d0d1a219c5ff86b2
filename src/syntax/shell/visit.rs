//! Walking the tree. Its depth is bounded by [`MAX_DEPTH`](super::MAX_DEPTH), and so is every walk.

use super::ast::{
    AndOr, AssignValue, Assignment, Command, CommandKind, HereDocument, List, Parameter, ParameterOp, PartKind,
    Redirect, RedirectKind, TestExpr, TestKind, Word, WordPart,
};
use crate::text::Span;

/// What a walk calls, outer nodes before inner ones, in source order.
pub trait Visitor<'a> {
    /// A list of commands: a program, a branch, a body, a substitution.
    fn list(&mut self, _list: &'a List) {}
    /// A command of any kind.
    fn command(&mut self, _command: &'a Command) {}
    /// A redirection, before its target or body.
    fn redirect(&mut self, _redirect: &'a Redirect) {}
    /// A word, wherever one stands: arguments, values, patterns, indexes, here-document bodies.
    fn word(&mut self, _word: &'a Word) {}
    /// A part of a word, those inside double quotes too.
    fn part(&mut self, _part: &'a WordPart) {}
}

/// Every node of a list, those of substitutions and functions included.
pub fn list<'a>(list: &'a List, visitor: &mut dyn Visitor<'a>) {
    shared::list(list, visitor);
}

/// Every node of a command, itself first.
pub fn command<'a>(command: &'a Command, visitor: &mut dyn Visitor<'a>) {
    shared::command(command, visitor);
}

/// Every node of a word, itself first.
pub fn word<'a>(word: &'a Word, visitor: &mut dyn Visitor<'a>) {
    shared::word(word, visitor);
}

/// All commands in a list, outer ones first, those of substitutions and functions included.
pub fn commands(list: &List) -> Vec<&Command> {
    struct Commands<'a>(Vec<&'a Command>);
    impl<'a> Visitor<'a> for Commands<'a> {
        fn command(&mut self, command: &'a Command) {
            self.0.push(command);
        }
    }
    let mut commands = Commands(Vec::new());
    shared::list(list, &mut commands);
    commands.0
}

/// What a changing walk calls.
trait VisitorMut {
    fn list(&mut self, _list: &mut List) {}
    fn command(&mut self, _command: &mut Command) {}
    fn redirect(&mut self, _redirect: &mut Redirect) {}
    fn word(&mut self, _word: &mut Word) {}
    fn part(&mut self, _part: &mut WordPart) {}
}

/// Every here-document of a list, with the place of its operator and delimiter.
pub(super) fn heredocs_mut(list: &mut List, change: &mut dyn FnMut(&mut HereDocument, Span)) {
    struct Documents<'f>(&'f mut dyn FnMut(&mut HereDocument, Span));
    impl VisitorMut for Documents<'_> {
        fn redirect(&mut self, redirect: &mut Redirect) {
            if let RedirectKind::HereDocument(document) = &mut redirect.kind {
                (self.0)(document, redirect.span);
            }
        }
    }
    changing::list(list, &mut Documents(change));
}

/// The same walk over shared and over mutable nodes.
macro_rules! walk {
    ($module:ident, $visitor:ident, [$($life:lifetime)?], [$($mutable:ident)?]) => {
        mod $module {
            use super::*;

            type Visit<$($life,)? 'v> = &'v mut dyn $visitor<$($life)?>;

            pub(super) fn list<$($life)?>(list: &$($life)? $($mutable)? List, visitor: Visit<$($life,)? '_>) {
                visitor.list(list);
                for item in &$($mutable)? list.items {
                    and_or(item, visitor);
                }
            }

            fn and_or<$($life)?>(item: &$($life)? $($mutable)? AndOr, visitor: Visit<$($life,)? '_>) {
                for each in &$($mutable)? item.first.commands {
                    command(each, visitor);
                }
                for (_, pipeline) in &$($mutable)? item.rest {
                    for each in &$($mutable)? pipeline.commands {
                        command(each, visitor);
                    }
                }
            }

            pub(super) fn command<$($life)?>(node: &$($life)? $($mutable)? Command, visitor: Visit<$($life,)? '_>) {
                visitor.command(node);
                match &$($mutable)? node.kind {
                    CommandKind::Simple(simple) => {
                        for each in &$($mutable)? simple.assignments {
                            assignment(each, visitor);
                        }
                        for each in &$($mutable)? simple.words {
                            word(each, visitor);
                        }
                        for each in &$($mutable)? simple.declared {
                            assignment(each, visitor);
                        }
                    }
                    CommandKind::If(node) => {
                        for (condition, body) in &$($mutable)? node.branches {
                            list(condition, visitor);
                            list(body, visitor);
                        }
                        if let Some(body) = &$($mutable)? node.otherwise {
                            list(body, visitor);
                        }
                    }
                    CommandKind::While(node) => {
                        list(&$($mutable)? node.condition, visitor);
                        list(&$($mutable)? node.body, visitor);
                    }
                    CommandKind::For(node) => {
                        if let Some(words) = &$($mutable)? node.words {
                            for each in words {
                                word(each, visitor);
                            }
                        }
                        list(&$($mutable)? node.body, visitor);
                    }
                    CommandKind::ArithmeticFor(node) => {
                        word(&$($mutable)? node.header, visitor);
                        list(&$($mutable)? node.body, visitor);
                    }
                    CommandKind::Case(node) => {
                        word(&$($mutable)? node.subject, visitor);
                        for arm in &$($mutable)? node.arms {
                            for pattern in &$($mutable)? arm.patterns {
                                word(pattern, visitor);
                            }
                            list(&$($mutable)? arm.body, visitor);
                        }
                    }
                    CommandKind::Subshell(body) | CommandKind::Group(body) => list(body, visitor),
                    CommandKind::Arithmetic(text) => word(text, visitor),
                    CommandKind::Test(expr) => test(expr, visitor),
                    CommandKind::Function(node) => command(&$($mutable)? node.body, visitor),
                    CommandKind::Coproc(inner) => command(inner, visitor),
                    CommandKind::Unreadable => {}
                }
                for each in &$($mutable)? node.redirects {
                    redirect(each, visitor);
                }
            }

            fn redirect<$($life)?>(node: &$($life)? $($mutable)? Redirect, visitor: Visit<$($life,)? '_>) {
                visitor.redirect(node);
                match &$($mutable)? node.kind {
                    RedirectKind::HereDocument(document) => word(&$($mutable)? document.body, visitor),
                    RedirectKind::Input(target)
                    | RedirectKind::Output(target)
                    | RedirectKind::Append(target)
                    | RedirectKind::OutputAndError(target)
                    | RedirectKind::AppendOutputAndError(target)
                    | RedirectKind::ReadWrite(target)
                    | RedirectKind::DuplicateInput(target)
                    | RedirectKind::DuplicateOutput(target)
                    | RedirectKind::HereString(target) => word(target, visitor),
                }
            }

            fn assignment<$($life)?>(node: &$($life)? $($mutable)? Assignment, visitor: Visit<$($life,)? '_>) {
                if let Some(index) = &$($mutable)? node.index {
                    word(index, visitor);
                }
                match &$($mutable)? node.value {
                    AssignValue::Word(value) => word(value, visitor),
                    AssignValue::Array(elements) => {
                        for (index, value) in elements {
                            if let Some(index) = index {
                                word(index, visitor);
                            }
                            word(value, visitor);
                        }
                    }
                }
            }

            fn test<$($life)?>(expr: &$($life)? $($mutable)? TestExpr, visitor: Visit<$($life,)? '_>) {
                match &$($mutable)? expr.kind {
                    TestKind::Not(inner) => test(inner, visitor),
                    TestKind::And(left, right) | TestKind::Or(left, right) => {
                        test(left, visitor);
                        test(right, visitor);
                    }
                    TestKind::Unary(_, operand) | TestKind::Word(operand) => word(operand, visitor),
                    TestKind::Binary(left, _, right) => {
                        word(left, visitor);
                        word(right, visitor);
                    }
                    TestKind::Unreadable => {}
                }
            }

            pub(super) fn word<$($life)?>(node: &$($life)? $($mutable)? Word, visitor: Visit<$($life,)? '_>) {
                visitor.word(node);
                for each in &$($mutable)? node.parts {
                    part(each, visitor);
                }
            }

            fn part<$($life)?>(node: &$($life)? $($mutable)? WordPart, visitor: Visit<$($life,)? '_>) {
                visitor.part(node);
                match &$($mutable)? node.kind {
                    PartKind::DoubleQuoted(parts) | PartKind::SingleQuotedWithHoles(parts) => {
                        for each in parts {
                            part(each, visitor);
                        }
                    }
                    PartKind::Parameter(node) => parameter(node, visitor),
                    PartKind::Substitution(node) => list(&$($mutable)? node.body, visitor),
                    PartKind::Process(node) => list(&$($mutable)? node.body, visitor),
                    PartKind::Arithmetic(text) => word(text, visitor),
                    PartKind::Literal(_)
                    | PartKind::SingleQuoted(_)
                    | PartKind::AnsiQuoted(_)
                    | PartKind::Hole(_)
                    | PartKind::Pattern(_) => {}
                }
            }

            fn parameter<$($life)?>(node: &$($life)? $($mutable)? Parameter, visitor: Visit<$($life,)? '_>) {
                if let Some(index) = &$($mutable)? node.index {
                    word(index, visitor);
                }
                match &$($mutable)? node.op {
                    ParameterOp::Default { word: operand, .. }
                    | ParameterOp::Assign { word: operand, .. }
                    | ParameterOp::Error { word: operand, .. }
                    | ParameterOp::Alternative { word: operand, .. }
                    | ParameterOp::Strip { pattern: operand, .. } => word(operand, visitor),
                    ParameterOp::Replace { pattern: first, with: second, .. }
                    | ParameterOp::Slice { offset: first, length: second } => {
                        word(first, visitor);
                        if let Some(second) = second {
                            word(second, visitor);
                        }
                    }
                    ParameterOp::Plain
                    | ParameterOp::Length
                    | ParameterOp::Indirect
                    | ParameterOp::Names
                    | ParameterOp::Case(_)
                    | ParameterOp::Transform(_) => {}
                }
            }
        }
    };
}

walk!(shared, Visitor, ['a], []);
walk!(changing, VisitorMut, [], [mut]);
