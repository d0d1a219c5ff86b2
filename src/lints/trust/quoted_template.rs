//! Quotes around a template in a script: the engine writes its own.

use super::super::{Context, Edit, Finding, Fix, Safety, Sink};
use crate::flow::NodeKind;
use crate::recipe::{Action, Holes, Script};
use crate::syntax::shell::ast::{AssignValue, Command, CommandKind, PartKind, Redirect, RedirectKind, Word, WordPart};
use crate::syntax::shell::engine::{EngineHeredoc, HolePlace, engine_heredocs, hole_place};
use crate::syntax::shell::visit::{self, Visitor};
use crate::text::Span;

/// The lint.
pub(crate) const ID: &str = "quoted-template";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    let recipe = &cx.file.recipe;
    let steps = recipe.steps.iter().filter_map(|step| match &step.action {
        Action::Script(script) => Some(script),
        _ => None,
    });
    // What an agent wrote becomes program text here: that is reported, and other quotes would not help.
    let becomes_program = |kind: &NodeKind| matches!(kind, NodeKind::Paste(_) | NodeKind::Execute(_));
    let programs: Vec<Span> = cx
        .graph
        .nodes_in(cx.file.id)
        .filter(|(_, node)| becomes_program(&node.kind))
        .map(|(_, node)| node.place.span)
        .collect();
    for script in recipe.hooks.iter().map(|(_, script)| script).chain(steps) {
        if script.holes == Holes::Template && script.fragment.text().contains("{{") {
            check_script(cx, sink, script, &programs);
        }
    }
}

fn check_script(cx: &Context<'_>, sink: &mut Sink, script: &Script, programs: &[Span]) {
    let mut quotes = Quotes { unsplit: Vec::new(), parts: Vec::new() };
    visit::list(&script.tree.body, &mut quotes);
    let documents = engine_heredocs(script.fragment.text());
    for (part, splits) in quotes.parts {
        let (inner, quote) = match &part.kind {
            PartKind::DoubleQuoted(inner) if splits => (inner, '"'),
            PartKind::SingleQuotedWithHoles(inner) => (inner, '\''),
            _ => continue,
        };
        for hole in inner {
            let PartKind::Hole(text) = &hole.kind else { continue };
            if hole_place(&documents, hole.span.start) != HolePlace::Outside {
                continue;
            }
            let place = cx.place(script.fragment.locate(hole.span));
            if programs.iter().any(|program| program.covers(place.span)) {
                continue;
            }
            let name = &text.text;
            let variable = crate::recipe::environment::environment_name(name);
            let message = if quote == '"' {
                format!(
                    "the engine writes `\"$RECIPE_VAR_{variable}\"` with quotes of its own for `{{{{{name}}}}}`, which end \
                     these: the value is split and globbed"
                )
            } else {
                format!(
                    "the engine writes `\"$RECIPE_VAR_{variable}\"` for `{{{{{name}}}}}`, and within single quotes that \
                     stays as it is: the script never sees the value"
                )
            };
            let mut finding = Finding::new(ID, place, message)
                .help("leave the quotes around the template out: the engine quotes the value");
            if let Some(edit) = unquoted(cx, script, part, inner, quote, &documents) {
                let title = "Close the quotes around the template".to_owned();
                finding = finding.fix(Fix { title, safety: Safety::Safe, edits: vec![edit] });
            }
            sink.push(finding);
        }
    }
}

/// The quoted text with its holes outside the quotes, where the script stands in the file as it is.
fn unquoted(
    cx: &Context<'_>,
    script: &Script,
    part: &WordPart,
    inner: &[WordPart],
    quote: char,
    documents: &[EngineHeredoc],
) -> Option<Edit> {
    let text = script.fragment.text();
    let span = script.fragment.locate(part.span);
    let written = text.get(part.span.range())?;
    if cx.file.source.slice(span) != written || !written.starts_with(quote) {
        return None;
    }
    let mut new = String::new();
    let mut at = part.span.start + 1;
    let end = part.span.end.checked_sub(1)?;
    let piece = |new: &mut String, span: Span| {
        let piece = text.get(span.range())?;
        if !piece.is_empty() {
            new.push(quote);
            new.push_str(piece);
            new.push(quote);
        }
        Some(())
    };
    for hole in inner.iter().filter(|part| matches!(part.kind, PartKind::Hole(_))) {
        if hole_place(documents, hole.span.start) != HolePlace::Outside {
            return None;
        }
        piece(&mut new, Span::new(at, hole.span.start))?;
        new.push_str(text.get(hole.span.range())?);
        at = hole.span.end;
    }
    piece(&mut new, Span::new(at, end))?;
    Some(Edit { place: cx.place(span), text: new })
}

/// Quoted parts of words, each with whether bash splits the word when its quotes are gone.
struct Quotes<'a> {
    /// Words that bash does not split: values that are assigned, operands of `[[ ]]`, the subject of `case`.
    unsplit: Vec<Span>,
    parts: Vec<(&'a WordPart, bool)>,
}

impl<'a> Visitor<'a> for Quotes<'a> {
    fn command(&mut self, command: &'a Command) {
        match &command.kind {
            CommandKind::Simple(simple) => {
                for assignment in simple.assignments.iter().chain(&simple.declared) {
                    if let AssignValue::Word(_) = &assignment.value {
                        self.unsplit.push(assignment.span);
                    }
                }
            }
            CommandKind::Case(case) => self.unsplit.push(case.subject.span),
            CommandKind::Test(expr) => self.unsplit.push(expr.span),
            _ => {}
        }
    }

    fn redirect(&mut self, redirect: &'a Redirect) {
        if let RedirectKind::HereString(word) = &redirect.kind {
            self.unsplit.push(word.span);
        }
    }

    fn word(&mut self, word: &'a Word) {
        let splits = !self.unsplit.iter().rev().take(256).any(|span| span.covers(word.span) && !word.span.is_empty());
        for part in &word.parts {
            if matches!(part.kind, PartKind::DoubleQuoted(_) | PartKind::SingleQuotedWithHoles(_)) {
                self.parts.push((part, splits));
            }
        }
    }
}
