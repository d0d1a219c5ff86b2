//! Field tables: what a format's loader takes, as data, and the check of a YAML value against them. A table is the one
//! place that holds the facts; the messages are made from it.

use crate::syntax::yaml::{Entry, Node};
use crate::text::{Span, Spanned};

use super::scalar::Value;
use super::{Problem, Severity};

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Anything, null included.
    Any,
    /// A string, the empty one included.
    Str,
    /// A string that is not blank.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number from … to ….
    Int(i64, i64),
    /// A number.
    Number,
    /// A number above zero.
    Positive,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// One of these booleans only.
    Only(bool),
    /// A string of a grammar: the test, and what is allowed in words that follow "must be".
    Grammar(fn(&str) -> bool, &'static str),
    /// A sequence of at least so many.
    List(&'static Kind, usize),
    /// A mapping with free keys.
    Map(&'static Kind),
    /// A mapping with these keys.
    Object(&'static Object),
    /// Any of these; the words say what is allowed.
    Either(&'static [Kind], &'static str),
}

/// A mapping with known keys.
#[derive(Debug)]
pub struct Object {
    /// What it is called in messages: "a task".
    pub what: &'static str,
    /// Its keys.
    pub fields: &'static [Field],
    /// What the loader does with other keys.
    pub unknown: Unknown,
}

/// What a loader does with keys that it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// It refuses the file.
    Refused,
    /// It drops them in silence.
    Dropped,
    /// They are none of this table's business.
    Open,
}

/// A key.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it may hold.
    pub kind: Kind,
    /// The loader refuses a mapping without it.
    pub required: bool,
}

/// An optional field.
pub const fn optional(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: false }
}

/// A required field.
pub const fn required(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: true }
}

/// Which lints report what a table finds.
#[derive(Clone, Copy, Debug)]
pub struct Ids {
    /// For keys that are not in the table.
    pub unknown: &'static str,
    /// For required keys that are missing.
    pub missing: &'static str,
    /// For values that are not allowed.
    pub invalid: &'static str,
}

/// The general lints.
pub const GENERAL: Ids = Ids { unknown: "unknown-field", missing: "missing-field", invalid: "invalid-value" };

/// Nesting of tables; deeper values than any table has are not looked at.
const MAX_DEPTH: usize = 16;

/// A check in progress.
#[derive(Debug)]
pub struct Check<'a> {
    /// Which lints report.
    pub ids: Ids,
    /// What happens with a file that fails, as the end of messages: "the recipe is refused".
    pub consequence: &'static str,
    /// Where problems go.
    pub problems: &'a mut Vec<Problem>,
}

impl Check<'_> {
    /// Checks the value of a key. `key` is where problems without a place of their own are reported.
    pub fn value(&mut self, name: &str, key: Span, node: &Node, kind: Kind) {
        self.value_at(name, key, node, kind, 0);
    }

    /// Checks a mapping; `key` is the place of the key it belongs to (or of the first key of the file).
    pub fn object(&mut self, key: Span, node: &Node, object: &Object) {
        self.object_at(key, node, object, 0);
    }

    fn value_at(&mut self, name: &str, key: Span, node: &Node, kind: Kind, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match kind {
            Kind::List(item, _) if fits(node, kind) => {
                for value in node.items() {
                    self.value_at(name, value.span, value, *item, depth + 1);
                }
            }
            Kind::Map(item) if fits(node, kind) => {
                for Entry { key, value } in node.entries() {
                    self.value_at(key.text().unwrap_or(name), key.span, value, *item, depth + 1);
                }
            }
            Kind::Object(object) if fits(node, kind) => self.object_at(key, node, object, depth + 1),
            Kind::Either(kinds, _) => {
                // The alternative of the same outer form is meant: its own problems say more than "none of these".
                let meant = kinds
                    .iter()
                    .find(|kind| accepts(node, **kind, depth))
                    .or_else(|| kinds.iter().find(|kind| fits(node, **kind)));
                match meant {
                    Some(meant) => self.value_at(name, key, node, *meant, depth + 1),
                    None => self.invalid(name, key, node, kind),
                }
            }
            _ if fits(node, kind) => {}
            _ => self.invalid(name, key, node, kind),
        }
    }

    fn object_at(&mut self, key: Span, node: &Node, object: &Object, depth: usize) {
        for entry in node.entries() {
            let Some(name) = entry.key.text() else {
                self.unknown(&entry.key, "?", object);
                continue;
            };
            match object.fields.iter().find(|field| field.name == name) {
                Some(field) => self.value_at(name, entry.key.span, &entry.value, field.kind, depth),
                None if object.unknown == Unknown::Open => {}
                None => self.unknown(&entry.key, name, object),
            }
        }
        for field in object.fields.iter().filter(|field| field.required && node.entry(field.name).is_none()) {
            // An item of a list has no key of its own.
            let first = || node.entries().first().map_or(key, |first| first.key.span);
            let place = if key.covers(node.span) { first() } else { key };
            let message = format!("{} needs `{}`; {}", object.what, field.name, self.consequence);
            self.problems.push(Problem::new(self.ids.missing, place, message));
        }
    }

    fn unknown(&mut self, key: &Node, name: &str, object: &Object) {
        let refused = object.unknown == Unknown::Refused;
        let message = if refused {
            format!("`{name}` is not a field of {}; {}", object.what, self.consequence)
        } else {
            format!("`{name}` is not a field of {}: it is dropped in silence", object.what)
        };
        let mut problem = Problem::new(self.ids.unknown, key.span, message);
        if refused {
            problem.level = Some(Severity::Error);
        }
        if let Some(near) = nearest(name, object.fields.iter().map(|field| field.name)) {
            problem.help = Some(format!("`{near}` is meant?"));
            problem.fix = Some((key.span, near.to_owned(), false));
        } else {
            let names: Vec<_> = object.fields.iter().map(|field| format!("`{}`", field.name)).collect();
            problem.help = Some(format!("known here: {}", names.join(", ")));
        }
        self.problems.push(problem);
    }

    fn invalid(&mut self, name: &str, key: Span, node: &Node, kind: Kind) {
        let allowed = allowed(kind);
        let found = Value::of(node);
        let message = match &found {
            Value::Null => format!("`{name}` must be {allowed}, and nothing is written; {}", self.consequence),
            Value::Mapping => format!("`{name}` must be {allowed}, not a mapping; {}", self.consequence),
            Value::Sequence => format!("`{name}` must be {allowed}, not a list; {}", self.consequence),
            _ => {
                let text = node.text().unwrap_or_default();
                format!("`{name}` must be {allowed}, not `{}`; {}", shortened(text), self.consequence)
            }
        };
        let place = if node.scalar().is_some() && !node.span.is_empty() { node.span } else { key };
        let mut problem = Problem::new(self.ids.invalid, place, message);
        if let (Kind::Word(words), Value::Str(text)) = (kind, &found)
            && let Some(near) = nearest(text, words.iter().copied())
        {
            problem.help = Some(format!("`{near}` is meant?"));
        }
        // A number or a boolean where text is wanted: quotes make it text without changing what is read.
        if matches!(kind, Kind::Str | Kind::Text) && matches!(found, Value::Int(_) | Value::Float(_) | Value::Bool(_)) {
            let text = node.text().unwrap_or_default();
            problem.help = Some(format!("write it in quotes: \"{text}\""));
            problem.fix = Some((node.span, format!("\"{text}\""), true));
        }
        if matches!(kind, Kind::Str | Kind::Text) && is_template_mapping(node) {
            problem.help = Some("a value that starts with `{{` is a mapping to YAML: put it in quotes".to_owned());
        }
        self.problems.push(problem);
    }
}

/// Whether a value has the outer form of a kind: a scalar of the type, a list of the length, a mapping.
fn fits(node: &Node, kind: Kind) -> bool {
    let value = Value::of(node);
    match (kind, &value) {
        (_, Value::Alias) | (Kind::Any, _) => true,
        (Kind::Str, Value::Str(_)) | (Kind::Bool, Value::Bool(_)) => true,
        (Kind::Number, Value::Int(_) | Value::Float(_)) => true,
        (Kind::Text, Value::Str(text)) => !text.trim().is_empty(),
        (Kind::Int(min, max), Value::Int(number)) => (min..=max).contains(number),
        (Kind::Positive, Value::Int(number)) => *number > 0,
        (Kind::Positive, Value::Float(number)) => *number > 0.0,
        (Kind::Word(words), Value::Str(text)) => words.contains(text),
        (Kind::Only(wanted), Value::Bool(found)) => wanted == *found,
        (Kind::Grammar(test, _), Value::Str(text)) => test(text),
        (Kind::List(_, least), Value::Sequence) => node.items().len() >= least,
        (Kind::Map(_) | Kind::Object(_), Value::Mapping) => !is_template_mapping(node),
        (Kind::Either(kinds, _), _) => kinds.iter().any(|kind| fits(node, *kind)),
        _ => false,
    }
}

/// Whether a value passes whole.
fn accepts(node: &Node, kind: Kind, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return true;
    }
    fits(node, kind)
        && match kind {
            Kind::List(item, _) => node.items().iter().all(|value| accepts(value, *item, depth + 1)),
            Kind::Map(item) => node.entries().iter().all(|entry| accepts(&entry.value, *item, depth + 1)),
            Kind::Object(object) => {
                object.fields.iter().filter(|field| field.required).all(|field| node.entry(field.name).is_some())
                    && node.entries().iter().all(|entry| {
                        let field = object.fields.iter().find(|field| entry.key.text() == Some(field.name));
                        field.map_or(object.unknown != Unknown::Refused, |field| {
                            accepts(&entry.value, field.kind, depth + 1)
                        })
                    })
            }
            Kind::Either(kinds, _) => kinds.iter().any(|kind| accepts(node, *kind, depth + 1)),
            _ => true,
        }
}

/// What a kind allows, in words that follow "must be".
fn allowed(kind: Kind) -> String {
    match kind {
        Kind::Any => "anything".to_owned(),
        Kind::Str => "text".to_owned(),
        Kind::Text => "text that is not empty".to_owned(),
        Kind::Bool => "`true` or `false`".to_owned(),
        Kind::Only(value) => format!("`{value}`"),
        Kind::Int(min, i64::MAX) => format!("a whole number, {min} or more"),
        Kind::Int(min, max) => format!("a whole number from {min} to {max}"),
        Kind::Number => "a number".to_owned(),
        Kind::Positive => "a number above 0".to_owned(),
        Kind::Word([word]) => format!("`{word}`"),
        Kind::Word(words) => {
            let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
            format!("one of {}", words.join(", "))
        }
        Kind::Grammar(_, words) | Kind::Either(_, words) => words.to_owned(),
        Kind::List(_, 0) => "a list".to_owned(),
        Kind::List(_, _) => "a list that is not empty".to_owned(),
        Kind::Map(_) => "a mapping".to_owned(),
        Kind::Object(object) => format!("a mapping ({})", object.what),
    }
}

/// `{{ x }}` without quotes: to YAML a mapping whose only key is a mapping.
pub fn is_template_mapping(node: &Node) -> bool {
    matches!(node.entries(), [Entry { key, .. }] if key.is_mapping())
}

/// The known name that was probably meant: one that differs in case or separators only, or by few letters.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let wanted = plain(name);
    let limit = if wanted.chars().count() <= 4 { 1 } else { 2 };
    known
        .map(|known| (strsim::osa_distance(&wanted, &plain(known)), known))
        .filter(|(distance, known)| *distance <= limit && *distance < plain(known).chars().count().clamp(1, 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// A text that is fit for a message: one line, not long.
pub fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(60).collect();
    if short.len() < text.trim_end().len() { format!("{short}…") } else { short }
}

/// The text of a scalar with its place.
pub fn spanned(node: &Node) -> Option<Spanned<String>> {
    Some(Spanned::new(node.text()?.to_owned(), node.span))
}
