//! What a scalar is to the readers of these formats: the core schema of YAML 1.2 (the `yaml` package of npm, and
//! js-yaml, which differ from it in nothing that decides here).

use crate::syntax::yaml::{Data, Node, Style};

/// A value by its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`, `~`, or nothing.
    Null,
    /// `true`, `false` and their other spellings; not `yes` and `no`, which are strings.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Another number.
    Float(f64),
    /// Any other scalar, and everything in quotes.
    Str(&'a str),
    /// A mapping.
    Mapping,
    /// A sequence.
    Sequence,
    /// `*name`
    Alias,
}

impl<'a> Value<'a> {
    /// The value of a node.
    pub fn of(node: &'a Node) -> Self {
        match &node.data {
            Data::Mapping(_) => Self::Mapping,
            Data::Sequence(_) => Self::Sequence,
            Data::Alias(_) => Self::Alias,
            Data::Scalar(scalar) if scalar.style == Style::Plain && node.tag.is_none() => plain(scalar.fragment.text()),
            Data::Scalar(scalar) => Self::Str(scalar.fragment.text()),
        }
    }
}

/// A plain scalar by the core schema.
fn plain(text: &str) -> Value<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    let based = |prefix: &str, radix| i64::from_str_radix(text.strip_prefix(prefix)?, radix).ok();
    if let Some(number) = based("0x", 16).or_else(|| based("0o", 8)) {
        return Value::Int(number);
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text
            .strip_prefix('+')
            .unwrap_or(text)
            .parse()
            .map_or_else(|_| Value::Float(text.parse().unwrap_or(f64::INFINITY)), Value::Int);
    }
    let numeric = digits.bytes().any(|byte| byte.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    if numeric && let Ok(number) = text.parse() {
        return Value::Float(number);
    }
    Value::Str(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_have_the_types_of_the_core_schema() {
        let table = [
            ("", Value::Null),
            ("~", Value::Null),
            ("True", Value::Bool(true)),
            ("yes", Value::Str("yes")),
            ("off", Value::Str("off")),
            ("12", Value::Int(12)),
            ("-1", Value::Int(-1)),
            ("0x1f", Value::Int(31)),
            ("0o17", Value::Int(15)),
            ("1.5", Value::Float(1.5)),
            ("1e3", Value::Float(1000.0)),
            ("1.2.3", Value::Str("1.2.3")),
            ("-", Value::Str("-")),
            ("e", Value::Str("e")),
            ("10m", Value::Str("10m")),
        ];
        for (text, value) in table {
            assert_eq!(plain(text), value, "{text}");
        }
    }
}
