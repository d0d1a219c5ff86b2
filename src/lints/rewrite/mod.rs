//! What to write instead of a scrape: the canonical pipeline, with the field that the scrape was after.

mod ask;
mod chain;
mod equality;
mod fallback;
mod field;
mod json;
mod normalise;
mod scrape;
mod site;

pub(crate) use chain::close;
pub(crate) use equality::compare_whole;
pub(crate) use fallback::revive;
pub(crate) use json::{insert_extraction, json_advice};
pub(crate) use normalise::{Tested, normalise};
pub(crate) use scrape::{suggest_match, suggest_tool};

use std::sync::Arc;

use self::field::{Field, Target};
use self::site::Feed;
use super::edits::{in_script, script_at};
use super::{Context, Finding, Fix, Safety};
use crate::flow::{NodeId, NodeKind, Pasting, Place, Source};
use crate::recipe::Dialect;
use crate::syntax::shell::ast::RedirectKind;
use crate::syntax::shell::visit;
use crate::text::Span;

/// A default that opens no gate.
pub(crate) fn safe_default(field: &str) -> &'static str {
    match field {
        "verdict" => "INSUFFICIENT_EVIDENCE",
        field if field.contains("loop") => "STUCK",
        _ => "unknown",
    }
}

/// The normaliser for a field, where there is one.
fn normaliser(field: &str) -> Option<&'static str> {
    match field {
        "verdict" => Some("normalise-verdict"),
        "loop_verdict" => Some("normalise-loop-verdict"),
        _ => None,
    }
}

/// How a stage is called in a dialect: workflows have no amplihack.
pub(crate) fn stage(cx: &Context<'_>, name: &str) -> String {
    if matches!(cx.file.recipe.dialect, Dialect::Workflow | Dialect::Action) {
        match name {
            "extract-json" => "recipelint extract json".to_owned(),
            "extract-field" => "recipelint extract field".to_owned(),
            "normalise-verdict" => "recipelint normalise verdict".to_owned(),
            "normalise-loop-verdict" => "recipelint normalise loop-verdict".to_owned(),
            other => other.to_owned(),
        }
    } else {
        format!("amplihack orch helper {name}")
    }
}

/// The stages that read a field, on one line: what follows the text.
fn stages(cx: &Context<'_>, field: &Field) -> String {
    let Field { name, default, normaliser, .. } = field;
    let end = normaliser.map(|name| format!(" | {}", stage(cx, name))).unwrap_or_default();
    format!(
        " | {} --require-field {name} | {} --field {name} --default {default}{end}",
        stage(cx, "extract-json"),
        stage(cx, "extract-field")
    )
}

/// Stages with a text before them.
fn fed(feed: &Feed, stages: &str) -> String {
    match feed {
        Feed::Text(word) => format!("printf '%s' {word}{stages}"),
        Feed::File(word) => {
            // The first stage reads the file.
            let stages = stages.trim_start_matches(" | ");
            let (first, rest) = stages.split_once(" | ").unwrap_or((stages, ""));
            format!("{first} < {word} | {rest}")
        }
        Feed::Commands(_) => stages.to_owned(),
    }
}

/// The canonical pipeline, on one line.
fn pipeline(cx: &Context<'_>, feed: &Feed, field: &Field) -> String {
    fed(feed, &stages(cx, field))
}

/// The canonical pipeline for a field of what a quoted word holds, on one line.
pub(crate) fn pipeline_of(cx: &Context<'_>, word: &str, field: &str) -> String {
    pipeline(cx, &Feed::Text(word.to_owned()), &Field::named(field))
}

/// The help for a scrape of prose.
pub(crate) fn advice(cx: &Context<'_>, id: NodeId, patterns: &[Option<Arc<str>>]) -> String {
    let subject = super::trail::subject(cx, id);
    let text = if subject.starts_with("\"$") { subject } else { "\"$TEXT\"".to_owned() };
    let field = Target::read("", patterns).name.unwrap_or_else(|| "verdict".to_owned());
    let pipeline = pipeline(cx, &Feed::Text(text), &Field::named(&field));
    match cx.file.recipe.dialect {
        Dialect::Program => library_advice(cx, id),
        Dialect::Workflow | Dialect::Action => format!(
            "ask the agent for an object under a schema (`--json-schema`, `output-schema`) and compare its field, or read the last object that has it: `{pipeline}`"
        ),
        _ => format!(
            "ask for a JSON object with \"{field}\" at the end of the prompt and compare what this prints for equality: `{pipeline}`"
        ),
    }
}

/// The library that made an agent run reads its answer itself: the last pair of a tag, parsed and validated.
fn library_advice(cx: &Context<'_>, id: NodeId) -> String {
    let origin = cx.graph.provenance(id).first().map(|first| &cx.graph.node(*first).kind);
    let outpost =
        matches!(origin, Some(NodeKind::Source(Source::AgentOutput { origin, .. })) if origin.contains("outpost"));
    let (option, result) = if outpost {
        ("response: defineJsonResponse({ tag, schema })", "result.value")
    } else {
        ("output: Output.object({ tag, schema })", "result.output")
    };
    format!(
        "let the library read the answer: give the call `{option}`, show the tag in the prompt, and compare a field of `{result}`"
    )
}

/// Takes the quotes off a here-document's delimiter, so that the engine leaves a variable in it. Only where the body has
/// nothing else that the shell would then expand.
pub(crate) fn unpaste(cx: &Context<'_>, finding: Finding, place: Place, pasting: &Pasting) -> Finding {
    if !cx.fixes.take() {
        return finding;
    }
    let Pasting::Heredoc(delimiter) = pasting else { return finding };
    let Some((script, range)) = script_at(cx, place) else { return finding };
    let tree = script.tree();
    let commands = visit::commands(&tree.body);
    let found = commands.into_iter().flat_map(|command| &command.redirects).find_map(|redirect| match &redirect.kind {
        RedirectKind::HereDocument(document) if document.body.span.covers(range) => Some((redirect, document)),
        _ => None,
    });
    let Some((redirect, document)) = found else { return finding };
    let text = script.fragment.text();
    let body = text.get(document.body.span.range()).unwrap_or_default();
    let operator = text.get(redirect.span.range()).unwrap_or_default();
    if body.contains(['$', '`', '\\']) {
        return finding;
    }
    let Some(at) = operator.find(['\'', '"', '\\']) else { return finding };
    let quoted = Span::new(redirect.span.start + at, redirect.span.end);
    let Some(edit) = in_script(cx, script, quoted, delimiter) else { return finding };
    finding.fix(Fix {
        title: "Take the quotes off the delimiter".to_owned(),
        safety: Safety::Suggest,
        edits: vec![edit],
    })
}
