//! Questions about words.

use std::borrow::Cow;

use super::ast::{Assignment, PartKind, Word, WordPart};

impl Word {
    /// The text that bash would see, where nothing in the word is expanded: no expansion, hole or pattern.
    pub fn literal(&self) -> Option<Cow<'_, str>> {
        if let [part] = self.parts.as_slice() {
            return part.literal();
        }
        let mut text = String::new();
        for part in &self.parts {
            text.push_str(&part.literal()?);
        }
        Some(Cow::Owned(text))
    }
}

impl WordPart {
    fn literal(&self) -> Option<Cow<'_, str>> {
        match &self.kind {
            PartKind::Literal(text) | PartKind::SingleQuoted(text) | PartKind::AnsiQuoted(text) => {
                Some(Cow::Borrowed(text))
            }
            PartKind::DoubleQuoted(parts) => match parts.as_slice() {
                [] => Some(Cow::Borrowed("")),
                [WordPart { kind: PartKind::Literal(text), .. }] => Some(Cow::Borrowed(text)),
                parts => {
                    let mut joined = String::new();
                    for part in parts {
                        match &part.kind {
                            PartKind::Literal(text) => joined.push_str(text),
                            _ => return None,
                        }
                    }
                    Some(Cow::Owned(joined))
                }
            },
            _ => None,
        }
    }
}

/// What stands among the words of a command for an argument that is read as an assignment: its name up to the `=`.
pub(super) fn outline(assignment: &Assignment) -> Word {
    let operator = if assignment.append { "+=" } else { "=" };
    let end = match &assignment.value {
        super::ast::AssignValue::Word(value) => value.span.start,
        super::ast::AssignValue::Array(_) => assignment.name_span.end + operator.len(),
    };
    let kind = PartKind::Literal(format!("{}{operator}", assignment.name));
    let span = crate::text::Span::new(assignment.name_span.start, end);
    Word { parts: vec![WordPart { kind, span }], span: assignment.span }
}
