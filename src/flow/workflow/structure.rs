//! Whether an agent action was asked for structured output.

use std::sync::Arc;

use super::agents::{AgentAction, SchemaBy, flag_value, major};
use crate::flow::Place;
use crate::recipe::dialects::workflow::PROMPT_FILES;
use crate::recipe::{Base, File, Index, Mention, MentionKind, NamedText, Uses};
use crate::text::Span;

/// The answer.
#[derive(Clone, Debug, Default)]
pub(super) enum Structure {
    /// It answers in its own words.
    #[default]
    Prose,
    /// It answers under a schema, which is here as far as it can be read.
    Typed(Option<Arc<serde_json::Value>>),
    /// A part of the input only shows at run time.
    Unknown,
    /// A schema is there, and the action never reads it: where, and what is used instead.
    Ignored(Place),
}

/// What an action's inputs say. `text` gives an input's text with the expressions that are known filled in, or `None`
/// where one is not known.
pub(super) fn structure(
    action: &AgentAction,
    uses: &Uses,
    file: &File,
    index: &Index,
    text: &mut dyn FnMut(&NamedText) -> Option<Arc<str>>,
) -> Structure {
    match action.schema {
        SchemaBy::Nothing => Structure::Prose,
        SchemaBy::Input { flag, flags_in, inputs } => by_input(uses, flag, flags_in, inputs, text),
        SchemaBy::PromptFile { before } => {
            let major = uses.version.as_deref().and_then(major);
            by_prompt_file(uses, file, index, major.map(|major| major < before))
        }
    }
}

fn by_input(
    uses: &Uses,
    flag: &str,
    flags_in: &[&str],
    inputs: &[&str],
    text: &mut dyn FnMut(&NamedText) -> Option<Arc<str>>,
) -> Structure {
    let mut unknown = false;
    for input in &uses.with {
        let name = input.name.value.to_ascii_lowercase();
        if inputs.contains(&name.as_str()) && !input.text.text().trim().is_empty() {
            return Structure::Typed(text(input).and_then(|text| schema_of(&text)));
        }
        if flags_in.contains(&name.as_str()) {
            let known = text(input);
            let written = known.as_deref().unwrap_or_else(|| input.text.text());
            if let Some(value) = flag_value(written, flag) {
                return Structure::Typed(schema_of(value));
            }
            unknown |= known.is_none();
        }
    }
    if unknown { Structure::Unknown } else { Structure::Prose }
}

fn schema_of(text: &str) -> Option<Arc<serde_json::Value>> {
    serde_json::from_str(text).ok().filter(serde_json::Value::is_object).map(Arc::new)
}

/// `honoured`: whether the version reads the schema, where the version is known.
fn by_prompt_file(uses: &Uses, file: &File, index: &Index, honoured: Option<bool>) -> Structure {
    let Some(input) = uses.with.iter().find(|input| input.name.value == "prompt-file") else { return Structure::Prose };
    let path = input.text.text().trim();
    if path.contains("${{") {
        return Structure::Unknown;
    }
    if ![".prompt.yml", ".prompt.yaml"].iter().any(|ending| path.ends_with(ending)) {
        return Structure::Prose;
    }
    let Some(prompt) = prompt_file(input, file, index) else { return Structure::Unknown };
    let document = prompt.yaml();
    let root = document.as_ref().and_then(|document| document.root.as_ref());
    let Some(entry) = root.and_then(|root| root.entry("responseFormat")) else { return Structure::Prose };
    if entry.value.text() == Some("text") {
        return Structure::Prose;
    }
    match honoured {
        Some(true) => {
            let schema = root.and_then(|root| root.get("jsonSchema")).and_then(|schema| schema.text());
            let schema = schema.and_then(schema_of);
            // GitHub Models wraps the schema: `{"name": …, "schema": {…}}`.
            let inner = schema.as_ref().and_then(|schema| schema.get("schema").cloned()).map(Arc::new);
            Structure::Typed(inner.or(schema))
        }
        Some(false) => Structure::Ignored(Place { file: prompt.id, span: entry.key.span }),
        None => Structure::Unknown,
    }
}

/// The file that an input of an agent action names, if it was read.
pub(super) fn prompt_file<'a>(input: &NamedText, file: &File, index: &'a Index) -> Option<&'a Arc<File>> {
    if !PROMPT_FILES.contains(&input.name.value.as_str()) {
        return None;
    }
    let path = crate::text::Spanned::new(input.text.text().trim().to_owned(), Span::default());
    index.mentioned(file, &Mention { path, base: Base::Root, kind: MentionKind::Prompt })
}
