//! Prompts that are made to ask for a field.

use super::super::Context;
use super::super::edits::{Changes, script_at};
use super::super::trail::source_step;
use super::super::verdict::gate::agents;
use super::field::Field;
use crate::flow::{NodeId, NodeKind, Source};
use crate::recipe::prompt::names;
use crate::recipe::{Action, Script};
use crate::syntax::shell::ast::{CommandKind, PartKind};
use crate::syntax::shell::visit;
use crate::text::{Fragment, Span};

/// How the sentence begins that asks for a field.
const ASKED: &str = "Finish with one JSON object that has the key";

/// Where the prompt of an agent stands.
enum Prompt<'c> {
    /// A scalar.
    Scalar(&'c Fragment),
    /// The text between the quotes of a word in a script; the quote.
    Word(&'c Script, Span, char),
}

impl Prompt<'_> {
    fn text(&self) -> &str {
        match self {
            Self::Scalar(fragment) => fragment.text(),
            Self::Word(script, span, _) => script.fragment.text().get(span.range()).unwrap_or_default(),
        }
    }
}

/// Makes every agent that a text comes from give a field. `None` where the prompt of one of them cannot be changed here.
pub(super) fn ask<'c>(changes: &mut Changes<'c, '_>, cx: &'c Context<'_>, id: NodeId, field: &Field) -> Option<()> {
    let agents = agents(cx, id);
    if agents.is_empty() {
        return None;
    }
    for agent in agents {
        let prompt = prompt(cx, agent)?;
        for (range, new) in asked(prompt.text(), field)? {
            match &prompt {
                Prompt::Scalar(fragment) => changes.replace(fragment, range, new),
                Prompt::Word(script, span, quote) => {
                    let new = if *quote == '"' { new.replace('"', "\\\"") } else { new };
                    // A quote of the shell cannot stand in itself.
                    if *quote == '\'' && new.contains('\'') {
                        return None;
                    }
                    changes.replace(&script.fragment, Span::new(span.start + range.start, span.start + range.end), new);
                }
            }
        }
    }
    Some(())
}

/// The words of an agent's prompt, as far as they stand in the recipe.
pub(super) fn prompt_text(cx: &Context<'_>, id: NodeId) -> Option<String> {
    agents(cx, id).into_iter().find_map(|agent| prompt(cx, agent).map(|prompt| prompt.text().to_owned()))
}

fn prompt<'c>(cx: &'c Context<'_>, agent: NodeId) -> Option<Prompt<'c>> {
    let node = cx.graph.node(agent);
    // A fix changes the file that is checked.
    if node.place.file != cx.file.id {
        return None;
    }
    match &node.kind {
        NodeKind::Source(Source::AgentStep { step, .. }) => {
            let (_, step) = source_step(cx, node.place, step)?;
            let Action::Agent(call) = &step.action else { return None };
            let prompt = &call.prompt.as_ref()?.text;
            Some(Prompt::Scalar(prompt))
        }
        NodeKind::Source(Source::AgentOutput { .. }) => {
            cx.file.recipe.steps.iter().find_map(|step| match &step.action {
                Action::Uses(uses) if uses.action.span == node.place.span => {
                    let prompt = uses.with.iter().find(|input| {
                        matches!(input.name.value.to_ascii_lowercase().as_str(), "prompt" | "direct_prompt")
                    })?;
                    // What is handed on as a whole is written elsewhere.
                    let text = prompt.text.text().trim();
                    let handed_on = text.starts_with("${{") && text.ends_with("}}") && text.matches("${{").count() == 1;
                    (!handed_on).then_some(Prompt::Scalar(&prompt.text))
                }
                _ => None,
            })
        }
        NodeKind::Source(Source::AgentCli { .. }) => {
            let (script, range) = script_at(cx, node.place)?;
            let tree = script.tree();
            let commands = visit::commands(&tree.body);
            let command = commands.into_iter().rev().find(|command| command.span.covers(range))?;
            let CommandKind::Simple(simple) = &command.kind else { return None };
            let text = script.fragment.text();
            simple.words.iter().skip(1).find_map(|word| {
                let [part] = word.parts.as_slice() else { return None };
                let quote = match part.kind {
                    PartKind::DoubleQuoted(_) => '"',
                    PartKind::SingleQuoted(_) => '\'',
                    _ => return None,
                };
                let written = text.get(part.span.range())?;
                let inner = Span::new(part.span.start + 1, part.span.end.checked_sub(1)?);
                (written.starts_with(quote) && written.contains(' ')).then_some(Prompt::Word(script, inner, quote))
            })
        }
        _ => None,
    }
}

/// What is changed in a prompt: lines that it asks for (`Risk: high`) become objects with the field, else a sentence
/// at the end asks for it. Nothing where it names the field already.
fn asked(text: &str, field: &Field) -> Option<Vec<(Span, String)>> {
    let name = &field.name;
    if text.contains(&format!("\"{name}\"")) || text.contains(&format!("\\\"{name}\\\"")) {
        return Some(Vec::new());
    }
    let lines = lines(text, name);
    if !lines.is_empty() {
        return Some(lines);
    }
    let end = text.trim_end().len();
    if end == 0 {
        return None;
    }
    let switch = field.offered.first().is_some_and(|word| word == "true");
    let offered = (switch || field.offered.iter().any(|word| !names(text, word))) && field.offered.len() > 1;
    let values = match field.offered.split_last() {
        Some((last, others)) if offered => format!(" ({} or {last})", others.join(", ")),
        _ => String::new(),
    };
    // A fix before this one asked for another field of the object.
    if let Some(at) = text.rfind(ASKED)
        && let Some(stop) = text.get(at..).and_then(|rest| rest.find('.'))
    {
        return Some(vec![(Span::at(at + stop), format!(" and \"{name}\"{values}"))]);
    }
    let separator = if text.trim_end().contains('\n') || text.ends_with('\n') { "\n" } else { " " };
    let stop = if text.trim_end().ends_with(|c: char| c.is_alphanumeric()) { "." } else { "" };
    let sentence = format!("{stop}{separator}{ASKED} \"{name}\"{values}.");
    Some(vec![(Span::at(end), sentence)])
}

/// `Risk: high` becomes `{"risk": "high"}`, without quotes of its own.
fn lines(text: &str, name: &str) -> Vec<(Span, String)> {
    let mut found: Vec<(Span, String)> = Vec::new();
    for (at, _) in text.match_indices(':') {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        let start = before
            .rfind(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'))
            .map_or(0, |at| at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
        let label = before.get(start..).unwrap_or_default();
        let blanks = after.len() - after.trim_start_matches(' ').len();
        let value = after.get(blanks..).unwrap_or_default();
        let length = value.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(value.len());
        let value = value.get(..length).unwrap_or_default().trim_end_matches('-');
        if !label.replace('-', "_").eq_ignore_ascii_case(name) || value.is_empty() || blanks > 1 {
            continue;
        }
        let (mut from, mut to) = (start, at + 1 + blanks + value.len());
        for quote in ["\\\"", "\"", "'", "`", "**"] {
            let opened = text.get(..from).is_some_and(|text| text.ends_with(quote));
            if opened && text.get(to..).is_some_and(|text| text.starts_with(quote)) {
                (from, to) = (from - quote.len(), to + quote.len());
                break;
            }
        }
        found.push((Span::new(from, to), format!("{{\"{name}\": \"{value}\"}}")));
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn after(text: &str, offered: &[&str]) -> String {
        let offered = offered.iter().map(ToString::to_string).collect();
        let field = Field { name: "risk".into(), default: "high".into(), normaliser: None, offered };
        let mut text = text.to_owned();
        for (range, new) in asked(&text, &field).unwrap().into_iter().rev() {
            text.replace_range(range.range(), &new);
        }
        text
    }

    #[test]
    fn a_prompt_asks_for_a_field_once() {
        for (text, offered, wanted) in [
            ("Rate it.", &[][..], "Rate it. Finish with one JSON object that has the key \"risk\"."),
            ("Rate it", &[], "Rate it. Finish with one JSON object that has the key \"risk\"."),
            ("Rate it.\nWell.\n", &[], "Rate it.\nWell.\nFinish with one JSON object that has the key \"risk\".\n"),
            (
                "Rate it: low or high?",
                &["low", "high"],
                "Rate it: low or high? Finish with one JSON object that has the key \"risk\".",
            ),
            (
                "Rate it.",
                &["low", "high"],
                "Rate it. Finish with one JSON object that has the key \"risk\" (low or high).",
            ),
            ("Put \"Risk: low\" or \"Risk: high\" last.", &[], "Put {\"risk\": \"low\"} or {\"risk\": \"high\"} last."),
            ("Write RISK: LOW or `RISK: HIGH`.", &[], "Write {\"risk\": \"LOW\"} or {\"risk\": \"HIGH\"}."),
            (
                "Rate it. Finish with one JSON object that has the key \"ok\" (true or false).\n",
                &["low", "high"],
                "Rate it. Finish with one JSON object that has the key \"ok\" (true or false) and \"risk\" (low or high).\n",
            ),
            ("Give \"risk\" in JSON.", &["low", "high"], "Give \"risk\" in JSON."),
            ("Brisk: no.", &[], "Brisk: no. Finish with one JSON object that has the key \"risk\"."),
        ] {
            assert_eq!(after(text, offered), wanted);
        }
        let field = Field { name: "risk".into(), default: "high".into(), normaliser: None, offered: Vec::new() };
        assert_eq!(asked(" \n", &field), None);
    }
}
