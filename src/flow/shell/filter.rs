//! jq filters, read by their tokens.

use std::sync::Arc;

/// What a jq filter does, as far as it matters.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// Fields in order of appearance.
    pub fields: Vec<Arc<str>>,
    /// Literal alternatives: `// "x"`.
    pub alternatives: Vec<(Arc<str>, usize)>,
    /// Containment: function and needle.
    pub containment: Vec<(Arc<str>, Arc<str>)>,
    /// The filter is one path (`.a.b`, with or without an alternative), whose names are the fields.
    pub is_path: bool,
    /// The filter compares one path with a constant: whether for equality, and the constant.
    pub comparison: Option<(bool, Arc<str>)>,
    /// It parses a text that stands in a string.
    pub parses: bool,
    /// What it prints where the comparison is true, and where it is not.
    pub choice: Option<(Arc<str>, Arc<str>)>,
}

/// Reads a jq filter by its tokens.
pub(super) fn read_filter(text: &str) -> Filter {
    let first = text.split("//").next().unwrap_or_default().trim();
    let mut filter = Filter { is_path: is_path(first), parses: text.contains("fromjson"), ..Filter::default() };
    filter.compares(text);
    if let Some(conditional) = Conditional::read(text) {
        filter.chooses(&conditional);
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut last_word = "";
    let mut alternative = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let start = at + 1;
                let mut end = start;
                while let Some(byte) = bytes.get(end) {
                    match byte {
                        b'\\' => end += 2,
                        b'"' => break,
                        _ => end += 1,
                    }
                }
                let string: Arc<str> = text.get(start..end.min(text.len())).unwrap_or_default().into();
                if alternative {
                    filter.alternatives.push((string, start));
                } else if matches!(
                    last_word,
                    "test" | "contains" | "startswith" | "endswith" | "match" | "index" | "inside"
                ) {
                    filter.containment.push((last_word.into(), string));
                } else if bytes.get(at.wrapping_sub(1)) == Some(&b'[') && bytes.get(end + 1) == Some(&b']') {
                    filter.fields.push(string);
                }
                at = end + 1;
                alternative = false;
                last_word = "";
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                alternative = true;
                at += 2;
            }
            b'.' if bytes.get(at + 1).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') => {
                let end = word_end(bytes, at + 1);
                filter.fields.push(text.get(at + 1..end).unwrap_or_default().into());
                at = end;
                alternative = false;
            }
            b if b.is_ascii_alphabetic() => {
                let end = word_end(bytes, at);
                last_word = text.get(at..end).unwrap_or_default();
                if alternative && matches!(last_word, "true" | "false") {
                    filter.alternatives.push((last_word.into(), at));
                }
                alternative = false;
                at = end;
            }
            b if b.is_ascii_whitespace() || *b == b'(' => at += 1,
            _ => {
                alternative = false;
                at += 1;
            }
        }
    }
    filter
}

impl Filter {
    /// `.a == "x"`
    fn compares(&mut self, text: &str) {
        for (operator, equal) in [("==", true), ("!=", false)] {
            if let Some((path, constant)) = text.split_once(operator)
                && is_path(path.trim())
                && let Some(constant) = constant_of(constant.trim())
            {
                self.is_path = true;
                self.comparison = Some((equal, constant.into()));
            }
        }
    }

    fn chooses(&mut self, conditional: &Conditional<'_>) {
        let Some(otherwise) = constant_of(conditional.otherwise) else { return };
        match constant_of(conditional.then) {
            Some(then) => {
                let subject = conditional.subject.trim_end_matches('|').trim();
                match conditional.test.strip_prefix(". ") {
                    Some(test) if is_path(subject) => self.compares(&format!("{subject} {test}")),
                    _ if subject.is_empty() => self.compares(conditional.test),
                    _ => {}
                }
                self.choice = Some((then.into(), otherwise.into()));
            }
            // `if has("a") then .a else true end`
            None if is_path(conditional.then) && asks_for_any(conditional.test, conditional.then) => {
                self.is_path = true;
                self.alternatives.push((otherwise.into(), 0));
            }
            None => {}
        }
    }
}

/// Whether a test only asks whether there is this field: `has("a")`, `.a`, `.a != null`, `.a == null | not`.
fn asks_for_any(test: &str, path: &str) -> bool {
    let field = path.rsplit('.').next().unwrap_or_default();
    let test = test.trim_end_matches("| not").trim_end();
    test == path
        || test.strip_suffix(')').is_some_and(|test| test.ends_with(&format!("has(\"{field}\"")))
        || test.strip_suffix("null").is_some_and(|test| test.trim_end_matches(['=', '!', ' ']) == path)
}

/// `subject | if test then … else … end`
struct Conditional<'t> {
    subject: &'t str,
    test: &'t str,
    then: &'t str,
    otherwise: &'t str,
}

impl<'t> Conditional<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let (subject, rest) = match text.trim().strip_prefix("if ") {
            Some(rest) => ("", rest),
            None => text.split_once(" if ")?,
        };
        let (test, rest) = rest.split_once(" then ")?;
        let (then, rest) = rest.split_once(" else ")?;
        let otherwise = rest.trim_end().strip_suffix(" end")?;
        Some(Self { subject: subject.trim(), test: test.trim(), then: then.trim(), otherwise: otherwise.trim() })
    }
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    let mut end = from;
    while bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        end += 1;
    }
    end
}

/// `.a`, `.a.b?`, `.[0].a`
fn is_path(text: &str) -> bool {
    text.starts_with('.') && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]?\"-".contains(c))
}

/// A constant without its quotes.
fn constant_of(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let bare = matches!(text, "true" | "false" | "null") || text.parse::<f64>().is_ok();
    inside.filter(|text| !text.contains('"')).or(bare.then_some(text))
}
