//! The statement of a script that a finding lies in: a comment anywhere on its lines, or above it, speaks of it.

use crate::recipe::{File, Script};
use crate::syntax::shell::ast::{AndOr, Command, CommandKind, List, Redirect, RedirectKind};
use crate::syntax::shell::visit::{self, Visitor};
use crate::text::Span;

/// The scripts of a file.
pub fn scripts(file: &File) -> Vec<Script> {
    file.recipe.scripts().map(|(_, script)| script.clone()).collect()
}

/// The statement around a place of the file, in the file; `None` outside of scripts and in the frame of a compound
/// command, which is no statement of its own.
pub fn around(scripts: &[Script], place: Span) -> Option<Span> {
    let script = scripts.iter().find(|script| script.fragment.span().covers(place))?;
    let at = script.fragment.offset_of(place.start)?;
    Some(script.fragment.locate(in_list(&script.tree().body, at)?))
}

/// Goes down through compound commands, not into substitutions: those belong to the statement that they stand in. The
/// depth is that of the tree, which the parser bounds.
fn in_list(list: &List, at: usize) -> Option<Span> {
    let Some(item) = list.items.iter().find(|item| holds(item.span, at)) else {
        // The body of a here-document lies behind its statement; a comment there would be text.
        let before = list.items.iter().filter(|item| item.span.end <= at);
        return before.rev().find(|item| holds_document(item, at)).map(|item| item.span);
    };
    let command = commands(item).find(|command| holds(command.span, at));
    let Some(command) = command else { return Some(item.span) };
    let inner = bodies(command);
    match inner {
        None if commands(item).all(|command| bodies(command).is_none()) => Some(item.span),
        None => Some(command.span),
        Some(lists) => {
            let documents = |list: &&&List| list.items.iter().any(|item| holds_document(item, at));
            let found = lists.iter().find(|list| holds(list.span, at)).or_else(|| lists.iter().find(documents));
            found.and_then(|list| in_list(list, at))
        }
    }
}

fn holds_document(item: &AndOr, at: usize) -> bool {
    struct Bodies(usize, bool);
    impl<'a> Visitor<'a> for Bodies {
        fn redirect(&mut self, redirect: &'a Redirect) {
            if let RedirectKind::HereDocument(document) = &redirect.kind {
                self.1 |= document.body.span.touches(self.0);
            }
        }
    }
    let mut bodies = Bodies(at, false);
    commands(item).for_each(|command| visit::command(command, &mut bodies));
    bodies.1
}

fn holds(span: Span, at: usize) -> bool {
    span.start <= at && at < span.end
}

fn commands(item: &AndOr) -> impl Iterator<Item = &Command> {
    item.first.commands.iter().chain(item.rest.iter().flat_map(|(_, pipeline)| &pipeline.commands))
}

/// The lists of a compound command; `None` for others.
fn bodies(command: &Command) -> Option<Vec<&List>> {
    match &command.kind {
        CommandKind::If(node) => {
            let branches = node.branches.iter().flat_map(|(condition, body)| [condition, body]);
            Some(branches.chain(&node.otherwise).collect())
        }
        CommandKind::While(node) => Some(vec![&node.condition, &node.body]),
        CommandKind::For(node) => Some(vec![&node.body]),
        CommandKind::ArithmeticFor(node) => Some(vec![&node.body]),
        CommandKind::Case(node) => Some(node.arms.iter().map(|arm| &arm.body).collect()),
        CommandKind::Subshell(body) | CommandKind::Group(body) => Some(vec![body]),
        CommandKind::Function(node) => bodies(&node.body),
        CommandKind::Coproc(inner) => bodies(inner),
        CommandKind::Simple(_) | CommandKind::Arithmetic(_) | CommandKind::Test(_) | CommandKind::Unreadable => None,
    }
}
