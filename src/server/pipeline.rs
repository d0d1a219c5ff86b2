//! The canonical pipeline, written above the statement that reads an agent's words.

use crate::flow::Trust;
use crate::lints::edits::{in_script, script_at};
use crate::lints::{Context, Edit, rewrite};
use crate::recipe::{Action, Dialect, File, Scopes, Script};
use crate::syntax::shell::ast::{PartKind, WordPart};
use crate::syntax::shell::visit::{self, Visitor};
use crate::text::Span;

/// At most so many fields are offered.
const MOST_FIELDS: usize = 6;

/// For each field that may be read of the agent text at an offset: its name, and the edit that reads it.
pub fn pipelines(cx: &Context<'_>, at: usize) -> Vec<(String, Edit)> {
    let known = matches!(cx.file.dialect, Dialect::Amplihack | Dialect::Workflow | Dialect::Action);
    let agent = |(_, node): (_, &crate::flow::Node)| node.trust == Trust::Agent && node.place.span.touches(at);
    if !known || !cx.graph.nodes_in(cx.file.id).any(agent) {
        return Vec::new();
    }
    let Some((script, range)) = script_at(cx, cx.place(Span::at(at))) else { return Vec::new() };
    let Some(text) = expansion(script, range.start) else { return Vec::new() };
    let line = statement_line(script, range.start);
    let before = script.fragment.text().get(line..).unwrap_or_default();
    let indent = before.get(..before.len() - before.trim_start_matches([' ', '\t']).len()).unwrap_or_default();
    let fields = fields(cx, at).into_iter().filter_map(|field| {
        let variable = field.to_ascii_uppercase();
        let new = format!("{indent}{variable}=$({})\n", rewrite::pipeline_of(cx, &text, &field));
        Some((field, in_script(cx, script, Span::at(line), &new)?))
    });
    fields.collect()
}

/// The expansion at an offset of a script, as a word that can stand alone.
fn expansion(script: &Script, at: usize) -> Option<String> {
    struct Finder<'s>(&'s str, usize, Option<String>);
    impl<'a> Visitor<'a> for Finder<'_> {
        fn part(&mut self, part: &'a WordPart) {
            if part.span.touches(self.1) {
                match &part.kind {
                    PartKind::Parameter(parameter) => self.2 = Some(format!("\"${}\"", parameter.name)),
                    // The engine quotes what it fills in.
                    PartKind::Hole(_) => self.2 = self.0.get(part.span.range()).map(str::to_owned),
                    _ => {}
                }
            }
        }
    }
    let mut finder = Finder(script.fragment.text(), at, None);
    visit::list(&script.tree().body, &mut finder);
    finder.2.filter(|text| !text.starts_with("${{"))
}

/// The start of the line on which the innermost statement around an offset begins that has a line of its own.
fn statement_line(script: &Script, at: usize) -> usize {
    let text = script.fragment.text();
    let line_of = |at: usize| text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let begins_line = |start: usize| {
        let line = line_of(start);
        let before = text.get(..line).unwrap_or_default().trim_end();
        let alone = text.get(line..start).is_some_and(|before| before.trim().is_empty());
        alone && !before.ends_with(['\\', '|', '&', '('])
    };
    let tree = script.tree();
    let around = visit::commands(&tree.body).into_iter().filter(|command| command.span.touches(at));
    let start = around.map(|command| command.span.start).filter(|start| begins_line(*start)).max();
    line_of(start.unwrap_or(at))
}

/// The fields that the producer's prompt asks for; where none is known, a verdict.
fn fields(cx: &Context<'_>, at: usize) -> Vec<String> {
    let found = promised(cx.file, cx, at).unwrap_or_default();
    let usable = |field: &String| {
        field.starts_with(|c: char| c.is_ascii_alphabetic())
            && field.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let mut found: Vec<String> = found.into_iter().filter(usable).take(MOST_FIELDS).collect();
    if found.is_empty() {
        found.push("verdict".to_owned());
    }
    found
}

fn promised(file: &File, cx: &Context<'_>, at: usize) -> Option<Vec<String>> {
    let names = cx.index.names(file);
    let one = names.uses.iter().find(|one| one.span.touches(at))?;
    let candidates = Scopes::new(cx.index).candidates(file, one);
    let step = file
        .recipe
        .steps
        .iter()
        .find(|step| step.output.as_ref().is_some_and(|output| candidates.contains(&output.name.value)))?;
    let Action::Agent(call) = &step.action else { return None };
    let text = &call.prompt.as_ref()?.text;
    Some(super::completion::fields_of(text.text()))
}
