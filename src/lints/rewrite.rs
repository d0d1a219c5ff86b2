//! What to write instead of a scrape: the canonical pipeline, with the field that the scrape was after.

use std::sync::Arc;

use super::patterns::json_key;
use super::{Context, Finding};
use crate::flow::{JsonTool, Misuse, NodeId, NodeKind, Pasting, Place, Source};
use crate::recipe::Dialect;

/// The field that patterns are after: a JSON key, the word before a colon or an equals sign, else `verdict`.
pub(crate) fn field_of(patterns: &[Option<Arc<str>>]) -> String {
    let known = || patterns.iter().flatten();
    let keyed = known().find_map(|pattern| json_key(pattern));
    let labelled = known().find_map(|pattern| {
        let at = pattern.find([':', '='])?;
        let before = pattern.get(..at)?.trim_end_matches([' ', '*', '\\', ']', '[', ':']);
        let label: String = before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let label: String = label.chars().rev().collect();
        (label.len() >= 2 && label.chars().any(char::is_alphabetic)).then(|| label.to_ascii_lowercase())
    });
    keyed.or(labelled).unwrap_or_else(|| "verdict".to_owned())
}

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

/// The canonical pipeline behind a text, on one line.
pub(crate) fn pipeline(cx: &Context<'_>, text: &str, field: &str) -> String {
    let mut line = format!(
        "printf '%s' {text} | {} --require-field {field} | {} --field {field} --default {}",
        stage(cx, "extract-json"),
        stage(cx, "extract-field"),
        safe_default(field)
    );
    if let Some(normaliser) = normaliser(field) {
        line.push_str(" | ");
        line.push_str(&stage(cx, normaliser));
    }
    line
}

/// The help for a scrape of prose.
pub(crate) fn advice(cx: &Context<'_>, id: NodeId, patterns: &[Option<Arc<str>>]) -> String {
    let subject = super::trail::subject(cx, id);
    let text = if subject.starts_with("\"$") { subject } else { "\"$TEXT\"".to_owned() };
    let field = field_of(patterns);
    match cx.file.recipe.dialect {
        Dialect::Program => library_advice(cx, id),
        Dialect::Workflow | Dialect::Action => format!(
            "ask the agent for an object under a schema (`--json-schema`, `output-schema`) and compare its field, or read the last object that has it: `{}`",
            pipeline(cx, &text, &field)
        ),
        _ => format!(
            "ask for a JSON object with \"{field}\" at the end of the prompt and compare what this prints for equality: `{}`",
            pipeline(cx, &text, &field)
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

/// The help for a JSON reader on prose.
pub(crate) fn json_advice(cx: &Context<'_>, id: NodeId, tool: &JsonTool) -> String {
    if cx.file.recipe.dialect == Dialect::Program {
        return library_advice(cx, id);
    }
    let field = tool.fields.first().map_or("FIELD", |field| field.as_ref());
    format!(
        "put `{} --require-field {field}` before it: it takes the last object that has the field",
        stage(cx, "extract-json")
    )
}

/// A proposal that replaces a scrape by the canonical pipeline, where the scrape stands alone in `$(…)`.
pub(crate) fn suggest(_cx: &Context<'_>, finding: Finding, _id: NodeId, _patterns: &[Option<Arc<str>>]) -> Finding {
    finding
}

/// Puts `extract-json` before a JSON reader.
pub(crate) fn insert_extraction(_cx: &Context<'_>, finding: Finding, _id: NodeId, _tool: &JsonTool) -> Finding {
    finding
}

/// Takes a pasted text out of a program's text.
pub(crate) fn unpaste(_cx: &Context<'_>, finding: Finding, _place: Place, _pasting: &Pasting) -> Finding {
    finding
}

/// Quotes an expansion.
pub(crate) fn quote(_cx: &Context<'_>, finding: Finding, _place: Place, _misuse: Misuse) -> Finding {
    finding
}
