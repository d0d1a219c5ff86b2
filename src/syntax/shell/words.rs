//! Questions about words.

use std::borrow::Cow;

use super::ast::{Assignment, PartKind, Word, WordPart};

impl Word {
    /// The text that bash would see, where nothing in the word is expanded: no expansion, hole or pattern.
    pub fn literal(&self) -> Option<Cow<'_, str>> {
        self.static_text(false)
    }

    /// Like [`Self::literal`], but patterns count as their raw text (`*.txt`, `.[0]`).
    pub fn literal_or_pattern(&self) -> Option<Cow<'_, str>> {
        self.static_text(true)
    }

    fn static_text(&self, patterns: bool) -> Option<Cow<'_, str>> {
        if let [part] = self.parts.as_slice() {
            return part.static_text(patterns);
        }
        let mut text = String::new();
        for part in &self.parts {
            text.push_str(&part.static_text(patterns)?);
        }
        Some(Cow::Owned(text))
    }

    /// Every part is quoted, so that nothing in the word is split or globbed. An empty word is not quoted.
    pub fn is_quoted(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| part.kind.is_quoted())
    }

    /// Expansions and holes of this word, those inside double quotes too, but not those inside other expansions. The
    /// flag tells whether the expansion stands inside quotes.
    pub fn expansions(&self) -> Vec<(&WordPart, bool)> {
        let mut found = Vec::new();
        for part in &self.parts {
            match &part.kind {
                PartKind::DoubleQuoted(parts) | PartKind::SingleQuotedWithHoles(parts) => {
                    found.extend(parts.iter().filter(|part| part.kind.is_expansion()).map(|part| (part, true)));
                }
                kind if kind.is_expansion() => found.push((part, false)),
                _ => {}
            }
        }
        found
    }
}

impl WordPart {
    fn static_text(&self, patterns: bool) -> Option<Cow<'_, str>> {
        match &self.kind {
            PartKind::Literal(text) | PartKind::SingleQuoted(text) | PartKind::AnsiQuoted(text) => {
                Some(Cow::Borrowed(text))
            }
            PartKind::Pattern(text) if patterns => Some(Cow::Borrowed(text)),
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

impl PartKind {
    /// `'…'`, `$'…'` or `"…"`.
    pub fn is_quoted(&self) -> bool {
        matches!(
            self,
            Self::SingleQuoted(_) | Self::AnsiQuoted(_) | Self::DoubleQuoted(_) | Self::SingleQuotedWithHoles(_)
        )
    }

    /// A parameter, substitution, arithmetic, process substitution or hole.
    pub fn is_expansion(&self) -> bool {
        matches!(
            self,
            Self::Parameter(_) | Self::Substitution(_) | Self::Arithmetic(_) | Self::Process(_) | Self::Hole(_)
        )
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
