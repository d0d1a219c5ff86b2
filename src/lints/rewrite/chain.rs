//! Chains of tests that let everything pass become chains that name what passes.

use super::super::edits::{Changes, script_at};
use super::super::verdict::gate::{field, normaliser, vocabulary};
use super::super::{Context, Finding, Fix, Safety};
use super::ask::prompt_text;
use super::field::{only_passing, passing};
use crate::flow::{Choice, ChoiceForm, NodeId, NodeKind, Place};
use crate::recipe::Script;
use crate::recipe::prompt::{Promise, names};
use crate::syntax::shell;
use crate::syntax::shell::ast::{Case, CaseArm, CommandKind};
use crate::syntax::shell::visit;
use crate::text::Span;

/// A proposal that closes a chain of tests on a verdict.
pub(crate) fn close(cx: &Context<'_>, finding: Finding, id: NodeId) -> Finding {
    if !cx.fixes.take() {
        return finding;
    }
    let edits = || {
        let node = cx.graph.node(id);
        let (script, range) = script_at(cx, node.place)?;
        let word = passing_word(cx, id)?;
        let mut changes = Changes::new(cx);
        match &node.kind {
            NodeKind::Choice(choice) if choice.form == ChoiceForm::Case => {
                close_case(&mut changes, script, case_of(&script.tree(), range)?, &word)?;
            }
            NodeKind::Choice(choice) => turn(cx, &mut changes, only_arm(choice)?, &word)?,
            NodeKind::Compare(compare) => {
                turn(cx, &mut changes, (node.place, compare.operand.as_deref()?), &word)?;
            }
            _ => return None,
        }
        Some((changes.edits()?, word))
    };
    match edits() {
        Some((edits, word)) => {
            finding.fix(Fix { title: format!("Let only `{word}` pass"), safety: Safety::Suggest, edits })
        }
        None => finding,
    }
}

/// The one word of a verdict that lets something happen: of its vocabulary, or of those that the prompt offers.
fn passing_word(cx: &Context<'_>, id: NodeId) -> Option<String> {
    if let Some((_, normaliser)) = normaliser(cx, id) {
        return passing(&vocabulary(cx, &normaliser)?).map(str::to_owned);
    }
    let prompt = prompt_text(cx, id)?;
    let (_, field) = field(cx, id)?;
    let offered: Vec<String> =
        Promise::read(&prompt).values(&field)?.closed.into_iter().map(|word| word.value).collect();
    only_passing(cx, &offered).filter(|word| names(&prompt, word) && super::field::is_plain(word))
}

/// The only test of a chain, and its word.
fn only_arm(choice: &Choice) -> Option<(Place, &str)> {
    let [arm] = choice.arms.as_slice() else { return None };
    let [token] = arm.tokens.as_slice() else { return None };
    (!arm.negated).then_some((arm.place, &**token))
}

/// `[ "$v" = BAD ]` becomes `[ "$v" != GOOD ]`: all that is not the word that passes goes where the bad one went.
fn turn(cx: &Context<'_>, changes: &mut Changes<'_, '_>, (place, token): (Place, &str), word: &str) -> Option<()> {
    let (script, range) = script_at(cx, place)?;
    let text = script.fragment.text().get(range.range())?;
    let operator = [" == ", " = "].into_iter().find(|operator| text.contains(operator))?;
    // A test of several things is not turned as a whole.
    if [" -a ", " -o ", "&&", "||", "!"].iter().any(|other| text.contains(other)) {
        return None;
    }
    changes.word(place, operator, " != ")?;
    changes.word(place, token, word)
}

fn case_of(tree: &shell::Script, keyword: Span) -> Option<&Case> {
    visit::commands(&tree.body).into_iter().find_map(|command| match &command.kind {
        CommandKind::Case(case) if case.keyword == keyword => Some(case.as_ref()),
        _ => None,
    })
}

/// The last arm stops; what it did is done by an arm that names the word.
fn close_case<'c>(changes: &mut Changes<'c, '_>, script: &'c Script, case: &Case, word: &str) -> Option<()> {
    let text = script.fragment.text();
    let written = |span: Span| text.get(span.range());
    let is = |arm: &CaseArm, wanted: &str| {
        arm.patterns
            .iter()
            .any(|pattern| written(pattern.span).is_some_and(|text| text.trim_matches(['"', '\'']) == wanted))
    };
    let named = case.arms.iter().any(|arm| is(arm, word));
    let last = case.arms.last()?;
    let (start, end) = (last.span.start, last.span.end);
    let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let indent = text.get(line..start)?;
    let separator = if indent.trim().is_empty() && !indent.is_empty() { format!("\n{indent}") } else { " ".to_owned() };
    let exit = if written(case.arms.first()?.span.to(last.span))?.contains("return ") { "return" } else { "exit" };
    let stops = format!("echo \"no {word}\" >&2; {exit} 1");
    let ended = written(last.span)?.trim_end().ends_with(";;");
    let stop = if ended { "" } else { " ;;" };
    if let Some(catch_all) = case.arms.iter().find(|arm| is(arm, "*")) {
        if !std::ptr::eq(catch_all, last) || catch_all.patterns.len() != 1 {
            return None;
        }
        if named {
            let body = catch_all.body.span;
            (!body.is_empty()).then(|| changes.replace(&script.fragment, body, stops))?;
        } else {
            changes.replace(&script.fragment, catch_all.patterns.first()?.span, word);
            changes.replace(&script.fragment, Span::at(end), format!("{stop}{separator}*) {stops} ;;"));
        }
    } else {
        let pass = if named { String::new() } else { format!("{separator}{word}) ;;") };
        changes.replace(&script.fragment, Span::at(end), format!("{stop}{pass}{separator}*) {stops} ;;"));
    }
    Some(())
}
