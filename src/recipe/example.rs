//! Examples in prompts: what stands between the tags of a response, or in the fence that shows the answer's form. An
//! agent copies what it is shown, so an example that is no JSON, or fails the schema, teaches a wrong answer. Most
//! "examples" are templates (`"A" | "B"`, `<score>`, `...`) and say nothing wrong.

use serde_json::Value;

use crate::text::Span;

/// Nesting of schemas that is checked.
const MAX_DEPTH: usize = 24;

/// An example in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example<'a> {
    /// The opening tag or the fence's opening line.
    pub opening: Span,
    /// What it shows.
    pub body: &'a str,
}

/// What is to be said of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It does not parse: why.
    NotJson(String),
    /// It parses and fails the schema: where and why.
    Fails(String),
}

/// The complete `<tag>…</tag>` pairs of a text that hold something.
pub fn tagged<'a>(text: &'a str, tag: &str) -> Vec<Example<'a>> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut found = Vec::new();
    let mut opens = text.match_indices(&open).map(|(at, _)| at).peekable();
    for (end, _) in text.match_indices(&close) {
        // Of several opening tags before a closing one the last is meant, the others were only mentioned.
        let mut last = None;
        while let Some(start) = opens.next_if(|start| *start < end) {
            last = Some(start);
        }
        let Some(start) = last else { continue };
        let opening = Span::new(start, start + open.len());
        let body = text.get(opening.end..end).unwrap_or_default();
        if !body.trim().is_empty() {
            found.push(Example { opening, body });
        }
    }
    found
}

/// The JSON fences that show the form of the answer: the line before them asks for it.
pub fn fenced(text: &str) -> Vec<Example<'_>> {
    let mut found = Vec::new();
    let mut before = "";
    let mut open: Option<(Span, usize, bool)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let start = at;
        at += line.len();
        match open {
            Some((opening, from, shown)) if body.starts_with("```") => {
                if let Some(body) = text.get(from..start).filter(|_| shown) {
                    found.push(Example { opening, body });
                }
                open = None;
                before = "";
            }
            Some(_) => {}
            None if body.starts_with("```") => {
                let json = body.trim_start_matches('`').trim().eq_ignore_ascii_case("json");
                let indent = line.len() - line.trim_start().len();
                let opening = Span::new(start + indent, start + indent + body.len());
                open = Some((opening, at, json && shows_answer(before)));
            }
            None if !body.is_empty() => before = body,
            None => {}
        }
    }
    found
}

/// Whether a line announces the form of the answer, and not something that the agent is given.
fn shows_answer(line: &str) -> bool {
    let line = line.to_lowercase();
    let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let asks = has(&[
        "return",
        "respond",
        "reply",
        "answer",
        "output",
        "emit",
        "print",
        "produce",
        "end",
        "format",
        "form",
        "shape",
        "write",
        "give",
        "exactly",
        "object",
        "report",
        "structure",
    ]);
    asks && !has(&[
        "input", "given", "receive", "received", "read", "reads", "current", "existing", "previous", "not", "never",
        "bad", "wrong",
    ])
}

/// Judges an example of JSON; `None`: it is fine, or a template.
pub fn judge(body: &str, schema: Option<&Value>) -> Option<Finding> {
    let body = without_fence(body.trim());
    if !body.starts_with(['{', '[']) {
        return None;
    }
    if body.contains('\'') && !body.contains('"') && serde_json::from_str::<Value>(&body.replace('\'', "\"")).is_ok() {
        return Some(Finding::NotJson("its strings stand in single quotes".to_owned()));
    }
    if is_template(body) {
        return None;
    }
    match serde_json::from_str::<Value>(body) {
        Ok(value) => failure(&value, schema?, "", 0).map(Finding::Fails),
        Err(error) => {
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default().to_owned();
            Some(Finding::NotJson(if outside_of_strings(body).1 { "it has comments".to_owned() } else { message }))
        }
    }
}

/// What stands in a fence that wraps a whole text.
fn without_fence(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("```") else { return text };
    let rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    rest.trim_end().strip_suffix("```").unwrap_or(rest).trim()
}

/// A JSON-like text without its strings (a `"` each) and comments, and whether there were comments.
fn outside_of_strings(text: &str) -> (String, bool) {
    let mut outside = String::new();
    let mut comments = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('/', Some('/')) => {
                comments = true;
                while chars.next_if(|c| *c != '\n').is_some() {}
            }
            ('/', Some('*')) => {
                comments = true;
                let mut before = ' ';
                for c in chars.by_ref() {
                    if before == '*' && c == '/' {
                        break;
                    }
                    before = c;
                }
            }
            ('"', _) => {
                outside.push('"');
                while let Some(c) = chars.next() {
                    match c {
                        '\\' => {
                            chars.next();
                        }
                        '"' => break,
                        _ => {}
                    }
                }
            }
            _ => outside.push(c),
        }
    }
    (outside, comments)
}

/// Whether something in it stands for something else: alternatives, dots, angle brackets, names of types.
fn is_template(text: &str) -> bool {
    let (outside, _) = outside_of_strings(text);
    if text.contains("{{") || outside.contains(['|', '<', '>', '…', '$', '*', '(', '\'', '/']) || outside.contains("..")
    {
        return true;
    }
    // A word where a value stands is the name of a type; a word where a key stands is a mistake.
    let mut rest = outside.as_str();
    while let Some(start) = rest.find(|c: char| c.is_alphabetic()) {
        let word: String =
            rest.get(start..).unwrap_or_default().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        rest = rest.get(start + word.len()..).unwrap_or_default();
        let number = rest.len() + word.len() < outside.len()
            && outside
                .get(..outside.len() - rest.len() - word.len())
                .is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
        let key = rest.trim_start().starts_with(':');
        if !key && !number && !matches!(word.as_str(), "true" | "false" | "null") {
            return true;
        }
    }
    false
}

/// A string that stands for any value: `<score>`, `...`, `A | B`.
fn is_wildcard(value: &Value) -> bool {
    let Value::String(text) = value else { return false };
    let text = text.trim();
    (text.starts_with('<') && text.ends_with('>'))
        || text == "..."
        || text == "…"
        || text.contains('|')
        || text.contains("{{")
}

/// Why a value fails a schema, as far as the schema is known: `type`, `enum`, `const`, `anyOf`, `nullable`, `properties`,
/// `required`, `additionalProperties: false`, `items`, and limits of numbers and sizes.
fn failure(value: &Value, schema: &Value, path: &str, depth: usize) -> Option<String> {
    let schema = schema.as_object()?;
    if depth > MAX_DEPTH || is_wildcard(value) {
        return None;
    }
    if value.is_null() && schema.get("nullable").is_some_and(|nullable| nullable == &Value::Bool(true)) {
        return None;
    }
    let here = || if path.is_empty() { "the example".to_owned() } else { format!("`{path}`") };
    if let Some(alternatives) = schema.get("anyOf").and_then(Value::as_array) {
        let fits = alternatives.iter().any(|alternative| failure(value, alternative, path, depth + 1).is_none());
        return (!fits).then(|| format!("{} fits none of the schema's alternatives", here()));
    }
    if let Some(wanted) = schema.get("const").filter(|wanted| *wanted != value) {
        return Some(format!("{} must be {wanted}", here()));
    }
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array).filter(|allowed| !allowed.contains(value)) {
        let allowed: Vec<_> = allowed.iter().map(Value::to_string).collect();
        return Some(format!("{} is {value}, and the schema allows {}", here(), allowed.join(", ")));
    }
    if let Some(kinds) = schema.get("type") {
        let kinds: Vec<&str> = match kinds {
            Value::String(kind) => vec![kind],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if !kinds.is_empty() && !kinds.iter().any(|kind| is_of(value, kind)) {
            return Some(format!("{} is {}, and the schema wants {}", here(), kind_of(value), kinds.join(" or ")));
        }
    }
    if let Some(why) = out_of_bounds(value, schema) {
        return Some(format!("{} {why}", here()));
    }
    match value {
        Value::Object(fields) => {
            for required in
                schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
            {
                if !fields.contains_key(required) {
                    return Some(format!("{} lacks `{required}`, which the schema requires", here()));
                }
            }
            let properties = schema.get("properties").and_then(Value::as_object);
            for (name, field) in fields {
                let inner = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                match properties.and_then(|properties| properties.get(name)) {
                    Some(schema) => {
                        if let Some(failure) = failure(field, schema, &inner, depth + 1) {
                            return Some(failure);
                        }
                    }
                    None if schema.get("additionalProperties") == Some(&Value::Bool(false)) && properties.is_some() => {
                        return Some(format!("`{inner}` is no field of the schema"));
                    }
                    None => {}
                }
            }
            None
        }
        Value::Array(items) => {
            let schema = schema.get("items")?;
            items.iter().find_map(|item| failure(item, schema, &format!("{path}[]"), depth + 1))
        }
        _ => None,
    }
}

/// What a limit of the schema says against a value.
fn out_of_bounds(value: &Value, schema: &serde_json::Map<String, Value>) -> Option<String> {
    let limit = |key: &str| schema.get(key).and_then(Value::as_f64);
    let (size, least, most) = match value {
        Value::Number(number) => {
            let number = number.as_f64()?;
            if let Some(limit) = limit("exclusiveMinimum").filter(|limit| number <= *limit) {
                return Some(format!("is {value}, and the schema wants more than {limit}"));
            }
            if let Some(limit) = limit("exclusiveMaximum").filter(|limit| number >= *limit) {
                return Some(format!("is {value}, and the schema wants less than {limit}"));
            }
            (number, "minimum", "maximum")
        }
        Value::String(text) => (size_of(text.encode_utf16().count()), "minLength", "maxLength"),
        Value::Array(items) => (size_of(items.len()), "minItems", "maxItems"),
        _ => return None,
    };
    let what = match value {
        Value::Number(_) => value.to_string(),
        Value::String(_) => format!("{size} characters long"),
        _ => format!("{size} items long"),
    };
    if let Some(limit) = limit(least).filter(|limit| size < *limit) {
        return Some(format!("is {what}, and the schema wants {limit} at least"));
    }
    let limit = limit(most).filter(|limit| size > *limit)?;
    Some(format!("is {what}, and the schema wants {limit} at most"))
}

fn size_of(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]

    use serde_json::json;

    use super::*;

    #[test]
    fn examples_that_are_no_json() {
        for body in [
            "{\"a\": 1,}",
            "{\"a\": true, // whether\n \"b\": 2}",
            "{a: 1}",
            "{\"a\": 1",
            "[1, 2,]",
            "```json\n{\"a\": 1,}\n```",
            "{\"a\": \"x\" \"b\": 1}",
            "{'a': 'b'}",
        ] {
            assert!(matches!(judge(body, None), Some(Finding::NotJson(_))), "{body}");
        }
    }

    #[test]
    fn templates_and_good_examples() {
        for body in [
            "{\"a\": 1}",
            "```json\n{\"a\": [1, 2.5e3]}\n```",
            "{\"a\": \"A\" | \"B\"}",
            "{\"a\": ...}",
            "{\"a\": [\"x\", …]}",
            "{\"a\": <number>}",
            "{\"a\": string, \"b\": number[]}",
            "{\"a\": true|false}",
            "{\"a\": true/false, \"b\": \"high/low\"}",
            "{\"a\": {{value}}}",
            "{…}",
            "your JSON here",
            "...",
            "{\"a\": \"it's // no comment\"}",
            "{ ... }",
        ] {
            assert_eq!(judge(body, None), None, "{body}");
        }
    }

    #[test]
    fn examples_against_a_schema() {
        let schema = json!({
            "type": "object",
            "properties": {
                "score": { "type": "number" },
                "level": { "enum": ["low", "high"] },
                "tags": { "type": "array", "items": { "type": "string" } },
                "note": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                "any": {},
                "share": { "type": "number", "minimum": 0, "exclusiveMaximum": 1 },
                "names": { "type": "array", "minItems": 1, "maxItems": 2 },
                "code": { "type": "string", "minLength": 2, "maxLength": 3 }
            },
            "required": ["score"],
            "additionalProperties": false
        });
        for body in [
            "{\"score\": 7}",
            "{\"score\": \"<0-10>\", \"level\": \"low|high\"}",
            "{\"score\": 7, \"level\": \"high\", \"tags\": [\"a\"], \"note\": null, \"any\": [1]}",
            "{\"score\": 7, \"share\": 0, \"names\": [\"a\", \"b\"], \"code\": \"ab\"}",
            "{\"score\": 7, \"code\": \"<two or three letters>\"}",
        ] {
            assert_eq!(judge(body, Some(&schema)), None, "{body}");
        }
        for (body, word) in [
            ("{\"score\": \"seven\"}", "score"),
            ("{\"level\": \"low\"}", "score"),
            ("{\"score\": 1, \"level\": \"mid\"}", "level"),
            ("{\"score\": 1, \"tags\": [1]}", "tags[]"),
            ("{\"score\": 1, \"note\": 3}", "note"),
            ("{\"score\": 1, \"extra\": 3}", "extra"),
            ("[1]", "array"),
            ("{\"score\": 1, \"share\": -1}", "share"),
            ("{\"score\": 1, \"share\": 1}", "share"),
            ("{\"score\": 1, \"names\": []}", "names"),
            ("{\"score\": 1, \"names\": [1, 2, 3]}", "names"),
            ("{\"score\": 1, \"code\": \"a\"}", "code"),
            ("{\"score\": 1, \"code\": \"abcd\"}", "code"),
        ] {
            let Some(Finding::Fails(why)) = judge(body, Some(&schema)) else { panic!("{body}") };
            assert!(why.contains(word), "{body}: {why}");
        }
    }

    #[test]
    fn where_examples_stand() {
        let text = "Put it in <r>…</r>. Mention <r> here, then <r>{\"a\": 1}</r>. <r></r> <r>open";
        let bodies: Vec<_> = tagged(text, "r").into_iter().map(|example| example.body).collect();
        assert_eq!(bodies, ["…", "{\"a\": 1}"]);
        let text = "End with <r>{\"a\": 1}</r>.";
        assert_eq!(tagged(text, "r"), [Example { opening: Span::new(9, 12), body: "{\"a\": 1}" }]);

        let text = "Read the current file:\n```json\n{a}\n```\nReturn a JSON object:\n\n```json\n{\"b\": 1}\n```\nDone:\n```sh\nls\n```\n";
        let found: Vec<_> = fenced(text).into_iter().map(|example| example.body).collect();
        assert_eq!(found, ["{\"b\": 1}\n"]);
        assert_eq!(&text[fenced(text)[0].opening.range()], "```json");
    }
}
