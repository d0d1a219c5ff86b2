//! What a script hands to later steps through `$GITHUB_OUTPUT` and `$GITHUB_ENV`.
//!
//! The files hold `name=value` lines and `name<<DELIMITER`, lines, `DELIMITER` (source: `FileCommandManager` of
//! actions/runner).

use std::sync::Arc;

use crate::flow::shell::Write;
use crate::flow::{Builder, Framing, NodeKind, Place, TEMPORARY, Trust, Value};

/// A value that was set.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub name: Arc<str>,
    pub value: Value,
    pub place: Place,
    /// Whether it was written in a branch.
    pub conditional: bool,
}

/// A value of several lines that has begun.
#[derive(Debug)]
struct Open {
    name: Arc<str>,
    /// `None`: made at random.
    delimiter: Option<Arc<str>>,
    /// The line that ends it, where it is known (a made-up text for what is made at random).
    end: Option<Arc<str>>,
    content: Value,
    place: Place,
    conditional: bool,
    /// Text of the value and what follows it came as one, so that its end may have gone by.
    mixed: bool,
}

/// The values that writes to one of the runner's files set, in order. `file` is `GITHUB_OUTPUT` or `GITHUB_ENV`;
/// `written` finds `name<<` or `name=` from a place on.
pub(super) fn values(
    builder: &mut Builder,
    writes: &[Write],
    file: &str,
    written: &dyn Fn(&str, Place) -> Place,
) -> Vec<Set> {
    let mut reader = Lines { builder, file, written, open: None, found: Vec::new() };
    for write in writes.iter().filter(|write| write.file.strip_prefix('$') == Some(file)) {
        let conditional = !write.controls.is_empty();
        let whole = [(write.value.clone(), write.place)];
        let parts: &[(Value, Place)] = if write.parts.is_empty() { &whole } else { &write.parts };
        for (value, place) in parts {
            let place = if write.parts.len() > 1 { *place } else { write.place };
            reader.part(value, place, conditional);
        }
    }
    reader.close();
    reader.found
}

struct Lines<'b> {
    builder: &'b mut Builder,
    file: &'b str,
    written: &'b dyn Fn(&str, Place) -> Place,
    open: Option<Open>,
    found: Vec<Set>,
}

impl Lines<'_> {
    fn part(&mut self, value: &Value, place: Place, conditional: bool) {
        let known = value.literal.as_deref().or(value.prefix.as_deref()).unwrap_or_default();
        let complete = value.literal.is_some();
        let rest = Value { nodes: value.nodes.clone(), ..Value::default() };
        if known.is_empty() {
            self.content(&rest);
            return;
        }
        let mut lines = known.split('\n').peekable();
        while let Some(line) = lines.next() {
            let last = lines.peek().is_none();
            // Of the last line only the beginning is known where more follows.
            let unfinished = last && !complete;
            if let Some(open) = &self.open {
                let ends = open.end.as_deref() == Some(line) && !unfinished;
                let restarts = (open.mixed || open.end.is_none()) && entry(line).is_some();
                if ends || restarts {
                    self.close();
                    if ends {
                        continue;
                    }
                } else {
                    if last {
                        self.content(&rest);
                    }
                    continue;
                }
            }
            match entry(line) {
                Some((name, Some(delimiter))) => {
                    let place = (self.written)(&format!("{name}<<"), place);
                    let end: Option<Arc<str>> = (!unfinished).then(|| delimiter.into());
                    let delimiter = end.clone().filter(|end| !end.contains(TEMPORARY));
                    let open = Open {
                        name: name.into(),
                        delimiter,
                        end,
                        content: Value::default(),
                        place,
                        conditional,
                        mixed: false,
                    };
                    self.open = Some(open);
                }
                Some((name, None)) => {
                    let literal = line.get(name.len() + 1..).unwrap_or_default();
                    let mut set = rest.clone();
                    if unfinished {
                        set.prefix = (!literal.is_empty()).then(|| literal.into());
                    } else {
                        set.literal = Some(literal.into());
                    }
                    let place = (self.written)(&format!("{name}="), place);
                    self.found.push(Set { name: name.into(), value: set, place, conditional });
                }
                None => {}
            }
        }
        if !complete && let Some(open) = &mut self.open {
            open.content.add_nodes(&rest.nodes);
            open.mixed = !rest.nodes.is_empty();
        }
    }

    fn content(&mut self, value: &Value) {
        if let Some(open) = &mut self.open {
            open.content.add_nodes(&value.nodes);
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let mut value = open.content;
        if self.builder.trust(&value) >= Trust::Extracted {
            let framing = Framing { file: self.file.into(), name: open.name.clone(), delimiter: open.delimiter };
            value = Value::node(self.builder.on(NodeKind::Framed(framing), open.place, &value));
        }
        self.found.push(Set { name: open.name, value, place: open.place, conditional: open.conditional });
    }
}

/// The name that a line sets, and the delimiter that ends its value.
fn entry(line: &str) -> Option<(&str, Option<&str>)> {
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))?;
    let (name, rest) = line.split_at(end);
    if name.is_empty() {
        return None;
    }
    match rest.strip_prefix("<<") {
        Some(delimiter) => Some((name, Some(delimiter))),
        None => rest.starts_with('=').then_some((name, None)),
    }
}
