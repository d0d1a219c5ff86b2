//! What the engine's operators, functions and methods make of values.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::{Comparison, Function, Method};

/// The longest text that is built here, in bytes: `replace` and `join` of constants could otherwise be chained to any
/// size. What would be longer counts as unknown.
const MAX_TEXT: usize = 256 * 1024;

/// Null, false, 0, and everything empty is false.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(value) => value.as_f64().unwrap_or(0.0) != 0.0,
        Value::String(value) => !value.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

pub(super) fn compare(left: &Value, comparison: Comparison, right: &Value) -> bool {
    let order = || order(left, right);
    match comparison {
        Comparison::Equal => equal(left, right),
        Comparison::NotEqual => !equal(left, right),
        Comparison::Less => order() == Some(Ordering::Less),
        Comparison::LessOrEqual => order().is_some_and(Ordering::is_le),
        Comparison::Greater => order() == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => order().is_some_and(Ordering::is_ge),
        Comparison::In => contains(right, left),
        Comparison::NotIn => !contains(right, left),
    }
}

fn order(left: &Value, right: &Value) -> Option<Ordering> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let truth = |value: bool| f64::from(u8::from(value));
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a.as_f64()?.partial_cmp(&b.as_f64()?),
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::String(a), Value::Number(b)) => number(a)?.partial_cmp(&b.as_f64()?),
        (Value::Number(a), Value::String(b)) => a.as_f64()?.partial_cmp(&number(b)?),
        (Value::Bool(a), Value::String(b)) => Some(truth_text(*a).cmp(b)),
        (Value::String(a), Value::Bool(b)) => Some(a.as_str().cmp(truth_text(*b))),
        (Value::Bool(a), Value::Number(b)) => truth(*a).partial_cmp(&b.as_f64()?),
        (Value::Number(a), Value::Bool(b)) => a.as_f64()?.partial_cmp(&truth(*b)),
        _ => None,
    }
}

fn truth_text(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

/// Texts equal the numbers and booleans that they spell; inside arrays and objects nothing is coerced.
fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::String(_), Value::Number(_)) | (Value::Number(_), Value::String(_)) => {
            order(left, right) == Some(Ordering::Equal)
        }
        (Value::Bool(value), Value::String(text)) | (Value::String(text), Value::Bool(value)) => match text.as_str() {
            "true" | "True" => *value,
            "false" | "False" => !*value,
            _ => false,
        },
        _ => left == right,
    }
}

fn contains(haystack: &Value, needle: &Value) -> bool {
    match haystack {
        Value::String(text) => match needle {
            Value::String(part) => text.contains(part.as_str()),
            other => text.contains(&json(other)),
        },
        Value::Array(items) => items.iter().any(|item| equal(needle, item)),
        _ => false,
    }
}

/// Compact JSON with sorted keys, as the engine's maps are sorted.
fn json(value: &Value) -> String {
    sorted(value).to_string()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            Value::Object(fields.into_iter().map(|(key, field)| (key.clone(), sorted(field))).collect::<Map<_, _>>())
        }
        scalar => scalar.clone(),
    }
}

/// Of a function, `Ok(None)` where the result hangs on an argument that is not known. Errors are messages.
pub(super) fn call(function: Function, arguments: &[Option<Cow<'_, Value>>]) -> Result<Option<Value>, String> {
    if matches!(function, Function::Min | Function::Max) {
        return extreme(function, arguments);
    }
    let argument = match arguments.first() {
        Some(Some(value)) => value.as_ref(),
        Some(None) => return Ok(None),
        None => &Value::Null,
    };
    let unreadable = |text: &str, what| format!("cannot convert '{}' to {what}", first_bytes(text, 50));
    Ok(Some(match function {
        Function::Int => Value::from(match argument {
            Value::Number(number) => number.as_i64().unwrap_or(0),
            Value::String(text) => text.trim().parse().map_err(|_| unreadable(text, "int"))?,
            Value::Bool(value) => i64::from(*value),
            _ => 0,
        }),
        Function::Float => number(match argument {
            Value::Number(number) => number.as_f64().unwrap_or(0.0),
            Value::String(text) => text.trim().parse().map_err(|_| unreadable(text, "float"))?,
            Value::Bool(value) => f64::from(u8::from(*value)),
            _ => 0.0,
        }),
        Function::Str => Value::String(match argument {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => json(other),
        }),
        Function::Len => Value::from(match argument {
            Value::String(text) => text.len(),
            Value::Array(items) => items.len(),
            Value::Object(fields) => fields.len(),
            _ => 0,
        }),
        Function::Bool | Function::Min | Function::Max => Value::Bool(is_true(argument)),
    }))
}

fn extreme(function: Function, arguments: &[Option<Cow<'_, Value>>]) -> Result<Option<Value>, String> {
    let (wanted, name) = if function == Function::Min { (Ordering::Less, "min") } else { (Ordering::Greater, "max") };
    if arguments.len() < 2 {
        return Err(format!("{name}() requires at least 2 arguments"));
    }
    let Some(known) = arguments.iter().map(Option::as_deref).collect::<Option<Vec<_>>>() else { return Ok(None) };
    let best = known.into_iter().reduce(|best, next| if order(next, best) == Some(wanted) { next } else { best });
    Ok(best.cloned())
}

/// A JSON number; what JSON has no number for is null.
pub(super) fn number(value: f64) -> Value {
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// At most `limit` bytes of the text, whole characters.
fn first_bytes(text: &str, limit: usize) -> &str {
    let end = (0..=limit.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// Of a method, `Ok(None)` where the result hangs on an argument that is not known, or would be too long. Errors are
/// messages.
pub(super) fn method(
    receiver: &Value,
    method: Method,
    arguments: &[Option<Cow<'_, Value>>],
) -> Result<Option<Value>, String> {
    let text: Cow<'_, str> = match receiver {
        Value::String(text) => text.into(),
        Value::Number(number) => number.to_string().into(),
        Value::Bool(value) => truth_text(*value).into(),
        Value::Null => "".into(),
        other => {
            let name = method.name();
            let other = sorted(other);
            return Err(format!(
                "method '.{name}()' can only be called on strings, numbers, booleans, or null; got {other:?}"
            ));
        }
    };
    let Some(arguments) = arguments.iter().map(Option::as_deref).collect::<Option<Vec<_>>>() else { return Ok(None) };
    let argument = arguments.first().copied();
    let part = argument.and_then(Value::as_str).unwrap_or_default();
    let count = |found: usize| Value::from(found);
    Ok(Some(match method {
        Method::Strip => text.trim().into(),
        Method::Lstrip => text.trim_start().into(),
        Method::Rstrip => text.trim_end().into(),
        Method::Lower => text.to_lowercase().into(),
        Method::Upper => text.to_uppercase().into(),
        Method::Title => text.split_whitespace().map(capitalised).collect::<Vec<_>>().join(" ").into(),
        Method::Startswith => text.starts_with(part).into(),
        Method::Endswith => text.ends_with(part).into(),
        Method::Replace => {
            let new = arguments.get(1).and_then(|new| new.as_str()).unwrap_or_default();
            if text.len().saturating_add(text.matches(part).count().saturating_mul(new.len())) > MAX_TEXT {
                return Ok(None);
            }
            text.replace(part, new).into()
        }
        Method::Split => match argument.and_then(Value::as_str) {
            Some(separator) => text.split(separator).map(Value::from).collect(),
            None => text.split_whitespace().map(Value::from).collect(),
        },
        Method::Join => {
            let parts: Vec<_> =
                argument.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
            let length = parts.iter().fold(0_usize, |sum, part| sum.saturating_add(part.len() + text.len()));
            if length > MAX_TEXT {
                return Ok(None);
            }
            parts.join(&text).into()
        }
        Method::Count => count(text.matches(part).count()),
        Method::Find => text.find(part).map_or(Value::from(-1), count),
    }))
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    let Some(first) = characters.next() else { return String::new() };
    first.to_uppercase().chain(characters.as_str().to_lowercase().chars()).collect()
}
