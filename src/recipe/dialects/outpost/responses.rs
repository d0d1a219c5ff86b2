//! Structured output of an Outpost recipe: `dispatch.response`, inline or by `$ref`, and `responses.*` of the
//! configuration.

use std::sync::Arc;

use super::{REFUSED, tables};
use crate::recipe::fields::{Check, GENERAL, nearest, spanned};
use crate::recipe::scalar::Value;
use crate::recipe::{
    Agent, Call, Contract, ContractText, Known, Number, OutputKind, OutputSpec, Problem, PromptSource, System, TextPart,
};
use crate::syntax::yaml::{Entry, Node};
use crate::text::{Span, Spanned};

/// Depth of schemas that are read.
const MAX_DEPTH: usize = 32;

/// `{ $ref: family.name }`
pub fn reference(node: &Node) -> Option<&Node> {
    match node.entries() {
        [Entry { key, value }] if key.text() == Some("$ref") => Some(value),
        _ => None,
    }
}

/// The contract of a task with `agent` and `dispatch`.
pub fn contract(task: &Node) -> Option<Contract> {
    let agent = task.get("agent")?;
    let dispatch = task.get("dispatch");
    let response = dispatch.and_then(|dispatch| dispatch.entry("response"));
    let key = task.get("key").map_or(task.span, |key| key.span);
    let prompt = task.entry("brief").and_then(|entry| {
        let text = TextPart::Text(Arc::new(entry.value.scalar()?.fragment.clone()));
        Some(PromptSource { key: entry.key.span, text: ContractText::Inline(vec![text]) })
    });
    Some(Contract {
        system: System::OutpostRecipe,
        call: Spanned::new(Call::Step, key),
        output: response.map_or(Known::Absent, |entry| Known::Known(output(entry.key.span, &entry.value))),
        iterations: dispatch.and_then(|dispatch| dispatch.get("passes")).map_or(Known::Absent, number),
        prompt: prompt.map_or(Known::Absent, Known::Known),
        arguments: Known::Absent,
        agent: Agent { provider: spanned(agent), resumable: None },
        inherited_from: None,
        package: None,
        span: task.span,
    })
}

/// A response as it is configured; of a `$ref` nothing but the place is known.
pub fn output(key: Span, response: &Node) -> OutputSpec {
    if reference(response).is_some() || !response.is_mapping() {
        let unknown = response.span;
        return OutputSpec {
            key,
            kind: OutputKind::Unknown,
            tag: Known::Unknown(unknown),
            schema: Known::Unknown(unknown),
            retries: Known::Unknown(unknown),
        };
    }
    let kind = match response.get("type").and_then(Node::text) {
        Some("json") => OutputKind::Json,
        Some("text") => OutputKind::Text,
        _ => OutputKind::Unknown,
    };
    let tag =
        response.get("tag").map_or(Known::Absent, |tag| spanned(tag).map_or(Known::Unknown(tag.span), Known::Known));
    let schema = response.get("jsonSchema").filter(|schema| schema.is_mapping());
    OutputSpec {
        key,
        kind,
        tag,
        schema: schema.map_or(Known::Absent, |schema| Known::Known(Spanned::new(json(schema, 0), schema.span))),
        retries: response.get("repairs").map_or(Known::Absent, number),
    }
}

/// A number as the system's own check sees it.
pub fn number(node: &Node) -> Known<Spanned<Number>> {
    let number = match Value::of(node) {
        Value::Int(number) => Number::Int(number),
        Value::Alias => return Known::Unknown(node.span),
        _ => Number::Other(node.text().unwrap_or("a collection").to_owned()),
    };
    Known::Known(Spanned::new(number, node.span))
}

/// A YAML value as JSON; what is nested too deep becomes `{}`, which allows everything.
pub fn json(node: &Node, depth: usize) -> serde_json::Value {
    use serde_json::{Map, Number as JsonNumber, Value as Json};
    if depth > MAX_DEPTH {
        return Json::Object(Map::new());
    }
    match Value::of(node) {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(value),
        Value::Int(value) => Json::Number(value.into()),
        Value::Float(value) => JsonNumber::from_f64(value).map_or(Json::Null, Json::Number),
        Value::Str(text) => Json::String(text.to_owned()),
        Value::Sequence => Json::Array(node.items().iter().map(|item| json(item, depth + 1)).collect()),
        Value::Mapping => {
            let fields = node.entries().iter();
            Json::Object(
                fields
                    .filter_map(|entry| Some((entry.key.text()?.to_owned(), json(&entry.value, depth + 1))))
                    .collect(),
            )
        }
        Value::Alias => Json::Object(Map::new()),
    }
}

/// Checks an inline response; the tag's grammar is a lint of its own.
pub fn check(key: Span, response: &Node, consequence: &'static str, problems: &mut Vec<Problem>) {
    if reference(response).is_some() || !response.is_mapping() {
        return;
    }
    let table = match response.get("type").map(Node::text) {
        Some(Some("json")) => &tables::RESPONSE_JSON,
        Some(Some("text")) => &tables::RESPONSE_TEXT,
        Some(_) => {
            let place = response.get("type").map_or(key, |kind| kind.span);
            let message = format!("the `type` of a response is `json` or `text`; {consequence}");
            problems.push(Problem::new("invalid-value", place, message));
            return;
        }
        None => {
            let message = format!("a response needs its `type`, `json` or `text`; {consequence}");
            problems.push(Problem::new("missing-field", key, message));
            return;
        }
    };
    Check { ids: GENERAL, consequence, problems }.object(key, response, table);
}

/// Checks what can be said of a dispatch without the configuration.
pub fn references(dispatch: &Node, problems: &mut Vec<Problem>) {
    let Some(entry) = dispatch.entry("response") else { return };
    check(entry.key.span, &entry.value, REFUSED, problems);
    let Some(target) = reference(&entry.value) else { return };
    family(target, "responses", problems);
}

/// A `$ref` must name a family, and a component in it.
pub fn family(target: &Node, wanted: &str, problems: &mut Vec<Problem>) {
    let text = target.text().unwrap_or_default();
    let (family, name) = text.split_once('.').unwrap_or((text, ""));
    if !name.is_empty() && (family == wanted || family == "extensions") {
        return;
    }
    let message = if tables::FAMILIES.contains(&family) && !name.is_empty() {
        format!("`{text}` is no response: it stands in the family `{family}`; {REFUSED}")
    } else {
        format!("`{text}` leads to no response; {REFUSED}")
    };
    let problem = Problem::new("unknown-reference", target.span, message);
    problems.push(if name.is_empty() {
        problem.help(format!("write `{wanted}.` and the name of a response of `outpost.yaml`"))
    } else {
        problem.help(format!("`{wanted}.{name}` is meant?")).fix(target.span, format!("{wanted}.{name}"), false)
    });
}

/// The nearest of some names, as help.
pub fn meant<'a>(name: &str, prefix: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(name, known).map(|near| format!("`{prefix}{near}` is meant?"))
}
