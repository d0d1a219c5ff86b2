//! A field of one object.

use serde_json::Value;

use super::{Reason, Verdict, compact};

/// `extract-field`: the top-level field of a text that is one JSON object. Strings come without quotes, objects and
/// arrays as compact JSON. The caller's default stands for every other case.
///
/// Null is no value (amplihack-rs since its issue 1337); older helpers printed it as the empty text and so walked past
/// the default. An empty string is a value.
pub fn extract_field(json: &str, field: &str) -> Verdict<String> {
    let Ok(Value::Object(object)) = serde_json::from_str(json.trim()) else {
        return Verdict::None(Reason::NotAnObject);
    };
    match object.get(field) {
        None | Some(Value::Null) => Verdict::None(Reason::NoField),
        Some(Value::String(text)) => Verdict::Found(text.clone()),
        Some(value) => Verdict::Found(compact(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_printed_without_quotes() {
        for (json, expected) in [
            (r#"{"f": "PASS"}"#, "PASS"),
            (r#" {"f": ""} "#, ""),
            (r#"{"f": "a\nb"}"#, "a\nb"),
            (r#"{"f": true}"#, "true"),
            (r#"{"f": 42}"#, "42"),
            (r#"{"f": 1.50}"#, "1.5"),
            (r#"{"f": {"b": 1, "a": [null]}}"#, r#"{"a":[null],"b":1}"#),
            (r#"{"f": []}"#, "[]"),
            (r#"{"f": 1, "f": 2}"#, "2"),
        ] {
            assert_eq!(extract_field(json, "f"), Verdict::Found(expected.to_owned()), "{json}");
        }
    }

    #[test]
    fn everything_else_is_no_value() {
        for (json, reason) in [
            ("{}", Reason::NoField),
            (r#"{"F": 1}"#, Reason::NoField),
            (r#"{"f": null}"#, Reason::NoField),
            (r#"{"a": {"f": 1}}"#, Reason::NoField),
            ("", Reason::NotAnObject),
            ("f", Reason::NotAnObject),
            (r#"["f"]"#, Reason::NotAnObject),
            (r#"{"f": 1} tail"#, Reason::NotAnObject),
            (r#"{"f": 1"#, Reason::NotAnObject),
        ] {
            assert_eq!(extract_field(json, "f"), Verdict::None(reason), "{json}");
        }
    }
}
