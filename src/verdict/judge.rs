//! The verdict of an `AgentUse` judge that answers in text.

use serde_json::Value;

use super::{Reason, Verdict};

/// Most candidates that are tried of each form.
const MAX_ATTEMPTS: usize = 64;

/// What a judge decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The output may ship.
    pub pass: bool,
    /// Why; there is one whenever `pass` is false.
    pub critique: Option<String>,
    /// A verdict for each draft, where several were judged.
    pub candidates: Vec<Candidate>,
}

/// The verdict on one draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The draft's id.
    pub id: String,
    /// It may be chosen.
    pub pass: bool,
    /// Why.
    pub critique: Option<String>,
}

/// The verdict in a judge's text (`extractVerdict` in `src/verify/judge.ts` of AgentUse): the last object with a list of
/// candidates, else the last object without braces inside, else everything from the first brace to the last; the first
/// of these that parses and whose `pass` is a boolean.
pub fn judgement(text: &str) -> Verdict<Judgement> {
    let outermost = text.find('{').zip(text.rfind('}')).and_then(|(start, end)| text.get(start..=end));
    let forms = with_candidates(text).into_iter().chain(flat(text)).chain(outermost);
    let Some((pass, object)) = forms.filter_map(|form| serde_json::from_str::<Value>(form).ok()).find_map(|object| {
        let pass = object.get("pass")?.as_bool()?;
        Some((pass, object))
    }) else {
        return Verdict::None(Reason::NoObject);
    };
    let critique = critique(&object);
    if !pass && critique.is_none() {
        return Verdict::None(Reason::NoCritique);
    }
    let entries = object.get("candidates").and_then(Value::as_array).into_iter().flatten();
    Verdict::Found(Judgement { pass, critique, candidates: entries.filter_map(candidate).collect() })
}

fn critique(object: &Value) -> Option<String> {
    let text = object.get("critique")?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn candidate(entry: &Value) -> Option<Candidate> {
    let id = entry.get("id")?.as_str()?.trim();
    let pass = entry.get("pass")?.as_bool()?;
    (!id.is_empty()).then(|| Candidate { id: id.to_owned(), pass, critique: critique(entry) })
}

/// Texts in braces without braces inside that mention `"pass"`, from the last to the first.
fn flat(text: &str) -> impl Iterator<Item = &str> {
    text.rmatch_indices('{')
        .filter_map(|(start, _)| {
            let inner = text.get(start + 1..)?;
            let end = inner.find(['{', '}'])?;
            let whole = inner.get(end..)?.starts_with('}') && inner.get(..end)?.contains("\"pass\"");
            if whole { text.get(start..start + end + 2) } else { None }
        })
        .take(MAX_ATTEMPTS)
}

/// Texts in braces with `"pass"` and a list `"candidates"` of objects without braces inside, from the last to the first.
fn with_candidates(text: &str) -> Vec<&str> {
    text.rmatch_indices("\"candidates\"")
        .take(MAX_ATTEMPTS)
        .filter_map(|(key, name)| {
            let before = text.get(..key)?;
            let start = before.rfind(['{', '}'])?;
            if !before.get(start..)?.starts_with('{') || !before.get(start..)?.contains("\"pass\"") {
                return None;
            }
            let list = text.get(key + name.len()..)?.trim_start().strip_prefix(':')?.trim_start().strip_prefix('[')?;
            let behind = list.get(list_end(list)? + 1..)?;
            let close = behind.find(['{', '}'])?;
            let end = text.len() - behind.len() + close;
            behind.get(close..)?.starts_with('}').then(|| text.get(start..=end)).flatten()
        })
        .collect()
}

/// Where the list ends whose inside is `list`: at the first bracket that is not in braces, if it is a closing one.
fn list_end(list: &str) -> Option<usize> {
    let mut braced = false;
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'{' => braced = true,
            b'}' => braced = false,
            b']' if !braced => return Some(at),
            b'[' if !braced => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn pass(text: &str) -> Option<bool> {
        judgement(text).found().map(|judgement| judgement.pass)
    }

    #[test]
    fn the_last_object_with_a_boolean_wins() {
        for (text, expected) in [
            (r#"{"pass": true}"#, Some(true)),
            (r#"Fine. {"pass": true, "critique": "checked x"}"#, Some(true)),
            ("```json\n{\"pass\": false, \"critique\": \"no\"}\n```", Some(false)),
            (r#"{"pass": true} no: {"pass": false, "critique": "late"}"#, Some(false)),
            (r#"{"pass": true} later {"pass": "false"}"#, Some(true)),
            (r#"{"pass": true} later {"pass": maybe}"#, Some(true)),
            (r#"{"verdict": {"pass": true}}"#, Some(true)),
            (r#"{"pass": true, "scores": {"a": 1}}"#, Some(true)),
            (r#"{"pass": true} {"scores": {"pass": 1}}"#, Some(true)),
            (r#"{"pass": "true"}"#, None),
            ("{'pass': true}", None),
            (r#"{"pass": true,}"#, None),
            (r#"{"verdict": "pass"}"#, None),
            ("PASS", None),
            ("", None),
            ("{", None),
            ("}{", None),
        ] {
            assert_eq!(pass(text), expected, "{text}");
        }
        assert_eq!(judgement(r#"{"pass": false, "critique": "  "}"#), Verdict::None(Reason::NoCritique));
    }

    #[test]
    fn candidates_are_judged_one_by_one() {
        let text = r#"Two drafts. {"pass": false, "critique": "b fails", "candidates": [
            {"id": "a", "pass": true, "critique": "ok [1]"}, {"id": "b", "pass": false}, {"id": " "}, 3]} "#;
        let judgement = judgement(text).found().unwrap();
        assert!(!judgement.pass);
        let ids: Vec<_> =
            judgement.candidates.iter().map(|candidate| (candidate.id.as_str(), candidate.pass)).collect();
        assert_eq!(ids, [("a", true), ("b", false)]);
        assert_eq!(judgement.candidates[0].critique.as_deref(), Some("ok [1]"));
    }

    #[test]
    fn hostile_text_is_read_in_time() {
        assert_eq!(pass(&"{\"pass\"".repeat(100_000)), None);
        assert_eq!(pass(&"{\"pass\"}".repeat(100_000)), None);
        assert_eq!(pass(&"{\"pass\",\"candidates\":[}".repeat(50_000)), None);
        assert_eq!(pass(&format!("{}{{\"pass\": true}}", "{".repeat(100_000))), Some(true));
    }
}
