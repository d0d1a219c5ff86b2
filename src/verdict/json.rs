//! JSON objects in a reply.

use std::ops::ControlFlow;

use serde_json::{Deserializer, Value};

use super::effort::Effort;
use super::{Object, Reason, Verdict};

/// Most texts that [`last_object`] tries to parse.
const MAX_ATTEMPTS: usize = 64;

/// `extract-json`: the first object, from the first fence marked `json` that holds one, else from any other fence, else
/// from the text. Source: `commands/orch.rs` of amplihack-rs.
///
/// A fence counts from its first brace to the next three backticks, and must be one object. The first object is the
/// wrong choice for a verdict, since an example or a draft may stand before it: see [`extract_json_requiring`].
pub fn extract_json(text: &str) -> Verdict<Object> {
    if let Some(object) = fenced(text, "```json").or_else(|| fenced(text, "```")) {
        return Verdict::Found(object);
    }
    let mut first = None;
    let complete = each_object(text, |object| {
        first = Some(object);
        ControlFlow::Break(())
    });
    match first {
        Some(object) => Verdict::Found(object),
        None if complete => Verdict::None(Reason::NoObject),
        None => Verdict::None(Reason::TooManyAttempts),
    }
}

/// `extract-json --require-field`: of all objects in order of the text, fenced or not, the last that has the field. An
/// object inside another does not count by itself.
pub fn extract_json_requiring(text: &str, field: &str) -> Verdict<Object> {
    let mut last = None;
    let mut any = false;
    let complete = each_object(text, |object| {
        any = true;
        if object.contains_key(field) {
            last = Some(object);
        }
        ControlFlow::Continue(())
    });
    match last {
        _ if !complete => Verdict::None(Reason::TooManyAttempts),
        Some(object) => Verdict::Found(object),
        None if any => Verdict::None(Reason::NoField),
        None => Verdict::None(Reason::NoObject),
    }
}

/// The last text from a brace to a brace that parses, tried from the right: the closing brace moves left only after all
/// opening ones before it. After 64 attempts there is no verdict.
///
/// `opens_with` is the key that the object should open with. If `{"KEY":` occurs, its last occurrence up to the last
/// closing brace is tried first, so that braces in a text of the verdict itself cost nothing.
pub fn last_object(text: &str, opens_with: Option<&str>) -> Verdict<Object> {
    let mut attempts = 0;
    let mut attempt = |start: usize, end: usize| {
        attempts += 1;
        let object = text.get(start..=end).and_then(|slice| serde_json::from_str(slice).ok());
        (attempts, object)
    };
    let opening = opens_with.and_then(|key| text.rfind(&format!("{{{}:", Value::from(key))));
    if let (Some(start), Some(end)) = (opening, text.rfind('}'))
        && let (_, Some(object)) = attempt(start, end)
    {
        return Verdict::Found(object);
    }
    for (end, _) in text.rmatch_indices('}') {
        let before = text.get(..end).unwrap_or_default();
        if !before.contains('{') {
            break;
        }
        for (start, _) in before.rmatch_indices('{') {
            match attempt(start, end) {
                (count, _) if count > MAX_ATTEMPTS => return Verdict::None(Reason::TooManyAttempts),
                (_, Some(object)) => return Verdict::Found(object),
                _ => {}
            }
        }
    }
    Verdict::None(Reason::NoObject)
}

/// Compact JSON with sorted keys, as the helpers print it.
pub fn compact(value: &Value) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(sorted).collect(),
            Value::Object(fields) => {
                let mut fields: Vec<_> = fields.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
                fields.sort_by(|one, other| one.0.cmp(&other.0));
                Value::Object(fields.into_iter().collect())
            }
            scalar => scalar.clone(),
        }
    }
    sorted(value).to_string()
}

/// The first fence opened by `opener` that holds one object and nothing else from its first brace on. The plain opener
/// leaves those out that are marked `json`, in any case.
fn fenced(text: &str, opener: &str) -> Option<Object> {
    let mut rest = text;
    loop {
        rest = rest.get(rest.find(opener)? + opener.len()..)?;
        let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        if opener == "```" && rest.get(..word)?.eq_ignore_ascii_case("json") {
            continue;
        }
        let body = rest.get(rest.find('{')?..)?;
        let close = body.find("```")?;
        if let Ok(object) = serde_json::from_str(body.get(..close)?.trim()) {
            return Some(object);
        }
        rest = body.get(close + 3..)?;
    }
}

/// Calls `take` with each object in order of the text until it breaks; those inside another are part of it. `false`: it
/// was given up.
fn each_object(text: &str, mut take: impl FnMut(Object) -> ControlFlow<()>) -> bool {
    let mut effort = Effort::for_text(text);
    let mut rest = text;
    while let Some(slice) = rest.find('{').and_then(|start| rest.get(start..)) {
        rest = slice.get(1..).unwrap_or_default();
        if !rest.trim_start_matches([' ', '\t', '\n', '\r']).starts_with(['"', '}']) {
            continue;
        }
        let mut stream = Deserializer::from_str(slice).into_iter::<Object>();
        match stream.next() {
            Some(Ok(object)) => {
                if take(object).is_break() {
                    return true;
                }
                rest = slice.get(stream.byte_offset()..).unwrap_or_default();
            }
            Some(Err(error)) if !effort.spend(slice, &error) => return false,
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn shown(verdict: &Verdict<Object>) -> String {
        match verdict {
            Verdict::Found(object) => compact(&Value::Object(object.clone())),
            Verdict::None(reason) => format!("{reason:?}"),
        }
    }

    #[test]
    fn the_first_object_comes_from_a_json_fence_then_any_fence_then_the_text() {
        for (text, expected) in [
            (r#"{"a": 1}"#, r#"{"a":1}"#),
            (r#"Sure! {"a": 1} and {"a": 2}"#, r#"{"a":1}"#),
            ("{\"a\": 0}\n```json\n{\"a\": 1}\n```", r#"{"a":1}"#),
            ("{\"a\": 0}\n```\n{\"a\": 1}\n```\n", r#"{"a":1}"#),
            ("```\n{\"a\": 1}\n```\n```json\n{\"a\": 2}\n```", r#"{"a":2}"#),
            ("```json\n{\"a\": 1}\n```\n```json\n{\"a\": 2}\n```", r#"{"a":1}"#),
            ("```json\n{broken\n```\n```json\n{\"a\": 2}\n```", r#"{"a":2}"#),
            ("```json\n{broken\n```\n then {\"a\": 3}", r#"{"a":3}"#),
            ("```js\n{\"a\": 1}\n```", r#"{"a":1}"#),
            ("```json The verdict: {\"a\": 1} ```", r#"{"a":1}"#),
            ("```json\n{\"a\": 1}\nas I said\n```", r#"{"a":1}"#),
            ("```JSON\n{\"a\": 1}\n``` {\"b\": 2}", r#"{"a":1}"#),
            ("```json\n{\"a\": 1}", r#"{"a":1}"#),
            ("{not json} {\"b\": {\"c\": [1, {}]}} tail", r#"{"b":{"c":[1,{}]}}"#),
            (r#"{"s": "a } in {a} string", "n": 7}"#, r#"{"n":7,"s":"a } in {a} string"}"#),
            (r#"{"cut": {"inner": 1}, "off": "#, r#"{"inner":1}"#),
            (r#"{{"a": 1}}"#, r#"{"a":1}"#),
            ("[1, 2]", "NoObject"),
            ("no braces", "NoObject"),
            ("{", "NoObject"),
            ("}{", "NoObject"),
            ("", "NoObject"),
            ("{'a': 1}", "NoObject"),
            (r#"{"a": 1,}"#, "NoObject"),
        ] {
            assert_eq!(shown(&extract_json(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_required_field_takes_the_last_object_that_has_it() {
        for (text, expected) in [
            (r#"Draft {"v": "PASS"}, on reflection {"v": "FAIL"}"#, r#"{"v":"FAIL"}"#),
            ("```json\n{\"v\": \"example\"}\n```\nverdict: {\"v\": \"real\"}", r#"{"v":"real"}"#),
            ("{\"v\": \"draft\"}\n```json\n{\"v\": \"real\"}\n```", r#"{"v":"real"}"#),
            ("{\"v\": 1}\n```json\n{\"evidence\": 2}\n```", r#"{"v":1}"#),
            (r#"{"v": null} {"w": 1}"#, r#"{"v":null}"#),
            (r#"{"v": 1} {"outer": {"v": 2}}"#, r#"{"v":1}"#),
            (r#"{"v": 1} {"v": 2"#, r#"{"v":1}"#),
            (r#"{"v": 1} }"#, r#"{"v":1}"#),
            (r#"{"v": 1}{"v": 2}"#, r#"{"v":2}"#),
            (r#"{"w": 1}"#, "NoField"),
            (r#"{"outer": {"v": 2}}"#, "NoField"),
            ("prose", "NoObject"),
            ("", "NoObject"),
        ] {
            assert_eq!(shown(&extract_json_requiring(text, "v")), expected, "{text}");
        }
    }

    #[test]
    fn the_last_object_that_parses_is_found_from_the_right() {
        let braces = |count: usize| "{".repeat(count);
        for (text, expected) in [
            (r#"I saw {a brace} first. {"v": 1}"#.to_owned(), r#"{"v":1}"#),
            (r#"{"v": 1} then {"v": 2} end"#.to_owned(), r#"{"v":2}"#),
            (r#"{"a": {"b": 1}}"#.to_owned(), r#"{"a":{"b":1}}"#),
            (r#"{"v": 1} }"#.to_owned(), r#"{"v":1}"#),
            (r#"} {"v": 1}"#.to_owned(), r#"{"v":1}"#),
            (r#"{"v": 1, "r": "a } b"}"#.to_owned(), r#"{"r":"a } b","v":1}"#),
            ("{".to_owned(), "NoObject"),
            ("}".to_owned(), "NoObject"),
            ("{noise}".to_owned(), "NoObject"),
            ("{noise } more }".to_owned(), "NoObject"),
            (String::new(), "NoObject"),
            (r#"{"v": 1}"#.to_owned() + &"}".repeat(63), r#"{"v":1}"#),
            (r#"{"v": 1}"#.to_owned() + &"}".repeat(64), "TooManyAttempts"),
            (format!(r#"{{"r": "{}", "v": 1}}"#, braces(63)), &format!(r#"{{"r":"{}","v":1}}"#, braces(63))),
            (format!(r#"{{"r": "{}", "v": 1}}"#, braces(64)), "TooManyAttempts"),
            (braces(1000) + &"}".repeat(1000), "TooManyAttempts"),
        ] {
            assert_eq!(shown(&last_object(&text, None)), expected, "{text}");
        }
    }

    #[test]
    fn an_object_that_opens_with_its_key_is_tried_first() {
        let reason = "{".repeat(200);
        let verdict = format!(r#"noise {{ {{"v": 1, "r": "{reason}"}} bye"#);
        assert_eq!(last_object(&verdict, None), Verdict::None(Reason::TooManyAttempts));
        let object = last_object(&verdict, Some("v")).found().unwrap();
        assert_eq!(object["r"], json!(reason));
        assert_eq!(last_object(r#"{"w": 1}"#, Some("v")), last_object(r#"{"w": 1}"#, None));
        let strays = |count: usize| r#"{"v": 1}"#.to_owned() + &"}".repeat(count);
        assert_eq!(shown(&last_object(&strays(62), Some("v"))), r#"{"v":1}"#);
        assert_eq!(shown(&last_object(&strays(63), Some("v"))), "TooManyAttempts");
    }

    #[test]
    fn hostile_text_is_given_up_or_read_in_time() {
        let nested = r#"{"a":"#.repeat(200_000);
        assert_eq!(extract_json(&nested), Verdict::None(Reason::TooManyAttempts));
        assert_eq!(extract_json_requiring(&nested, "v"), Verdict::None(Reason::TooManyAttempts));
        let storm = "{".repeat(500_000);
        assert_eq!(extract_json(&storm), Verdict::None(Reason::NoObject));
        assert_eq!(extract_json(&(storm + r#"{"v":1}"#)).found().unwrap()["v"], json!(1));
        let cut = format!(r#"{{"items": [{}"#, r#"{"v": 1}, "#.repeat(20_000));
        assert_eq!(shown(&extract_json_requiring(&cut, "v")), r#"{"v":1}"#);
        let fences = "```json\n{\n```\n".repeat(50_000);
        assert_eq!(extract_json(&fences), Verdict::None(Reason::NoObject));
        assert_eq!(last_object(&"}".repeat(500_000), None), Verdict::None(Reason::NoObject));
    }

    proptest! {
        #[test]
        fn a_verdict_at_the_end_is_read(prose in "[a-z .'`\n]{0,60}", draft in "[A-Z]{1,8}", verdict in "[A-Z_{}]{1,8}") {
            let text = format!("{prose}{}\n{prose}{}\n", json!({"v": draft}), json!({"x": 1, "v": verdict}));
            prop_assert_eq!(&extract_json_requiring(&text, "v").found().unwrap()["v"], &json!(verdict));
            prop_assert_eq!(&last_object(&text, None).found().unwrap()["v"], &json!(verdict));
        }

        #[test]
        fn nothing_panics(text in r#"([a-z`\\ \n{}\[\]":,0-9é-]|```json|"v":|\{"v": 1\}){0,60}"#) {
            extract_json(&text);
            extract_json_requiring(&text, "v");
            last_object(&text, Some("v"));
        }
    }
}
