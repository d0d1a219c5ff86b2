//! What `serde_yaml` 0.9 makes of a node when the engine's types ask for a text, a flag or a number (`src/de.rs` there).
//! Tags and aliases in odd places are left to [`super::engine`]; this answers for all ordinary text, and says why.

use crate::syntax::yaml::{Data, Document, Node, Style};

use super::keys::{Holds, Kind};

/// Why a node is refused: the node at fault, and what is wrong with it.
pub(super) type Refusal<'a> = (&'a Node, String);

/// Whether a value is one that a key may hold.
pub(super) fn check<'a>(document: &'a Document, node: &'a Node, holds: Holds) -> Result<(), Refusal<'a>> {
    let value = document.resolve(node);
    let optional = matches!(
        holds,
        Holds::OptionalText | Holds::OptionalFlag | Holds::OptionalCount | Holds::OptionalValues | Holds::OptionalKind
    );
    if optional && is_null(value) {
        return Ok(());
    }
    let fits = match holds {
        Holds::Text | Holds::OptionalText => value.scalar().is_some(),
        Holds::Flag | Holds::OptionalFlag => plain(value).is_some_and(|text| flag(text).is_some()),
        Holds::OptionalCount => plain(value).is_some_and(|text| count(text).is_some()),
        Holds::SmallCount => plain(value).and_then(count).is_some_and(|count| u32::try_from(count).is_ok()),
        Holds::OptionalKind => variant(value).is_some_and(|text| Kind::ALL.iter().any(|(name, _)| *name == text)),
        Holds::Texts => {
            if let Some(item) = value.items().iter().find(|item| document.resolve(item).scalar().is_none()) {
                return Err((item, format!("an item must be a text, and this is {}", what(document.resolve(item)))));
            }
            is_sequence(value) || is_nothing(value)
        }
        Holds::TextByName => {
            keys(document, value)?;
            let odd = value.entries().iter().find(|entry| document.resolve(&entry.value).scalar().is_none());
            if let Some(entry) = odd {
                let is = what(document.resolve(&entry.value));
                return Err((&entry.value, format!("a value must be a text, and this is {is}")));
            }
            value.is_mapping() || is_nothing(value)
        }
        Holds::Values | Holds::OptionalValues => {
            every_key(document, value)?;
            value.is_mapping() || is_nothing(value)
        }
        Holds::Steps => is_sequence(value) || is_nothing(value),
        Holds::Keys(_) => value.is_mapping() || is_nothing(value),
    };
    if fits { Ok(()) } else { Err((node, format!("must be {}, and this is {}", holds.allowed(), what(value)))) }
}

/// Keys of a mapping become texts; a collection as a key is refused.
pub(super) fn keys<'a>(document: &'a Document, node: &'a Node) -> Result<(), Refusal<'a>> {
    match node.entries().iter().find(|entry| document.resolve(&entry.key).scalar().is_none()) {
        Some(entry) => Err((&entry.key, format!("a key must be a text, and this is {}", what(&entry.key)))),
        None => Ok(()),
    }
}

/// The same for all mappings inside, as far as they are written here (aliases point to what is checked elsewhere or
/// is asked of the engine's reader).
fn every_key<'a>(document: &'a Document, node: &'a Node) -> Result<(), Refusal<'a>> {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if is_template(node) {
            return Err((node, what(node)));
        }
        keys(document, node)?;
        open.extend(node.items());
        open.extend(node.entries().iter().map(|entry| &entry.value));
    }
    Ok(())
}

/// A value in words, for messages.
pub(super) fn what(node: &Node) -> String {
    if is_template(node) {
        return "a mapping, because `{{…}}` is not quoted".to_owned();
    }
    match &node.data {
        Data::Mapping(_) => "a mapping".to_owned(),
        Data::Sequence(_) => "a list".to_owned(),
        Data::Alias(name) => format!("the alias `*{name}`"),
        Data::Scalar(_) if is_null(node) => "null".to_owned(),
        Data::Scalar(scalar) => {
            let text = scalar.fragment.text();
            let mut short: String = text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
            if short.len() < text.len() {
                short.push('…');
            }
            let quoted = matches!(scalar.style, Style::SingleQuoted | Style::DoubleQuoted);
            let word = quoted && (flag(text).is_some() || count(text).is_some());
            if word { format!("the quoted text `\"{short}\"`") } else { format!("`{short}`") }
        }
    }
}

/// `{{x}}` without quotes: a mapping with a mapping for its key.
fn is_template(node: &Node) -> bool {
    matches!(node.entries(), [entry] if entry.key.is_mapping() && entry.value.span.is_empty())
}

fn is_sequence(node: &Node) -> bool {
    matches!(node.data, Data::Sequence(_))
}

/// A plain scalar's text: quoted ones are texts whatever they look like.
fn plain(node: &Node) -> Option<&str> {
    node.scalar().filter(|scalar| scalar.style == Style::Plain).map(|scalar| scalar.fragment.text())
}

/// Nothing is written: an empty list, mapping or structure.
fn is_nothing(node: &Node) -> bool {
    plain(node) == Some("")
}

/// What `Option` takes for none (`deserialize_option`).
pub(super) fn is_null(node: &Node) -> bool {
    let word = matches!(plain(node), Some("~" | "null" | "Null" | "NULL"));
    match node.tag.as_deref() {
        None => word || is_nothing(node),
        Some("!!null" | "!<tag:yaml.org,2002:null>") => word,
        Some(_) => false,
    }
}

/// The name of an enum's variant: the text, or a tag on nothing (`deserialize_enum`).
pub(super) fn variant(node: &Node) -> Option<&str> {
    match node.tag.as_deref().and_then(|tag| tag.strip_prefix('!')).filter(|tag| !tag.starts_with(['!', '<'])) {
        Some(tag) => matches!(plain(node), Some("" | "~" | "null" | "Null" | "NULL")).then_some(tag),
        None => node.text(),
    }
}

/// `parse_bool` of `serde_yaml`.
pub(super) fn flag(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// `parse_unsigned_int` of `serde_yaml`.
fn count(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        let Some(rest) = digits.strip_prefix(prefix) else { continue };
        if rest.starts_with(['+', '-']) {
            return None;
        }
        if let Ok(value) = u64::from_str_radix(rest, radix) {
            return Some(value);
        }
    }
    let padded = digits.len() > 1 && digits.starts_with('0');
    if digits.starts_with(['+', '-']) || padded {
        return None;
    }
    digits.parse().ok()
}
