//! Fallbacks that can never be taken: they go, and where the text can be empty the variable gets them.

use super::super::edits::{Changes, script_at};
use super::super::words::side;
use super::super::{Context, Finding, Fix, Safety};
use super::site::Tree;
use crate::flow::Place;
use crate::recipe::Script;
use crate::syntax::shell::ast::{AndOr, CommandKind, List};
use crate::text::Span;
use crate::verdict::Side;

/// A proposal for `… || echo TEXT` behind commands that always succeed. `filled`: what comes before it prints a text in
/// any case.
pub(crate) fn revive(cx: &Context<'_>, finding: Finding, place: Place, literal: Option<&str>, filled: bool) -> Finding {
    if !cx.fixes.take() {
        return finding;
    }
    let edits = || {
        let (script, range) = script_at(cx, place)?;
        let tree = script.tree();
        let tree = Tree::of(&tree);
        let (list, dead, item) = tree.lists.iter().rev().find_map(|list| dead_in(list, range))?;
        let mut changes = Changes::new(cx);
        changes.replace(&script.fragment, dead, "");
        let literal = literal.filter(|literal| !side(cx.settings, literal).is_some_and(Side::opens));
        let assigned = assigned(&tree, list, item);
        let title = match (literal.and_then(quotable), assigned) {
            (Some(literal), Some((name, end))) if !filled => {
                let default =
                    if super::field::is_plain(literal) { literal.to_owned() } else { format!("\"{literal}\"") };
                let written = format!("{}{name}=${{{name}:-{default}}}", separator(script, end));
                changes.replace(&script.fragment, Span::at(end), written);
                format!("Default `${name}` where it is empty")
            }
            _ => "Take the fallback away: it never happens".to_owned(),
        };
        Some((changes.edits()?, title))
    };
    match edits() {
        Some((edits, title)) => finding.fix(Fix { title, safety: Safety::Suggest, edits }),
        None => finding,
    }
}

/// The list with a fallback, the fallback with the operator before it, and the item that it ends.
fn dead_in(list: &List, place: Span) -> Option<(&List, Span, &AndOr)> {
    list.items.iter().find_map(|item| {
        let (_, last) = item.rest.last().filter(|(_, last)| last.span == place)?;
        let before =
            item.rest.len().checked_sub(2).and_then(|at| item.rest.get(at)).map_or(&item.first, |(_, before)| before);
        Some((list, Span::new(before.span.end, last.span.end), item))
    })
}

/// The variable that the list's text is put in by a command that does nothing else, and where that command ends.
fn assigned<'a>(tree: &Tree<'a>, list: &List, item: &AndOr) -> Option<(&'a str, usize)> {
    let own = |outer: &AndOr, name: &'a str, end: usize| {
        let [command] = outer.first.commands.as_slice() else { return None };
        let CommandKind::Simple(simple) = &command.kind else { return None };
        let alone = simple.words.is_empty() && simple.assignments.len() == 1 && !outer.background;
        alone.then_some((name, end))
    };
    // `v=$(… || echo X)`
    if list.items.len() == 1
        && let Some((_, name)) = tree.assigned.iter().find(|(body, _)| *body == list.span)
    {
        let outer = tree
            .lists
            .iter()
            .flat_map(|list| &list.items)
            .rfind(|outer| outer.rest.is_empty() && outer.span.covers(list.span) && outer.span != list.span)?;
        return own(outer, name, outer.span.end);
    }
    // `v=$(…) || v=X`
    let (body, name) = tree.assigned.iter().find(|(body, _)| item.first.span.covers(*body))?;
    (item.rest.len() == 1 && item.first.span.covers(*body)).then(|| own(item, name, item.span.end)).flatten()
}

/// A text that double quotes and braces hold as it is.
fn quotable(literal: &str) -> Option<&str> {
    let plain = |c: char| !c.is_control() && !matches!(c, '"' | '$' | '`' | '\\' | '{' | '}' | '!');
    (!literal.is_empty() && literal.chars().all(plain)).then_some(literal)
}

/// A new line of the same indentation where the command ends its line, else a semicolon.
fn separator(script: &Script, end: usize) -> String {
    let text = script.fragment.text();
    let rest = text.get(end..).unwrap_or_default();
    let before = text.get(..end).unwrap_or_default();
    let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..).unwrap_or_default();
    let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default();
    if rest.starts_with('\n') && text.contains('\n') { format!("\n{indent}") } else { "; ".to_owned() }
}
