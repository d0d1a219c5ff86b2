//! The text of a suppression: `recipelint: ignore[a, b] reason` behind the marker of a comment.

use crate::text::{Span, Spanned};

/// How far a suppression reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// `ignore[…]`: its line, the next line, the step.
    Here,
    /// `ignore-file[…]`
    File,
}

/// A comment that speaks to this linter. Spans are offsets of the text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// How far it reaches.
    pub reach: Reach,
    /// The lints, each where it is written. Empty for `ignore` without brackets and `ignore[]`.
    pub lints: Vec<Spanned<String>>,
    /// A reason stands behind the brackets.
    pub has_reason: bool,
    /// From `recipelint:` to the closing bracket.
    pub span: Span,
}

const WORD: &str = "recipelint:";

/// Reads a comment, its markers included. `None` where it does not speak to this linter: the word must be the first
/// of the comment, or of a comment that follows in it (`# shellcheck disable=… # recipelint: ignore[…]`).
pub fn read(comment: &str) -> Option<Directive> {
    let mut from = 0;
    loop {
        let at = from + comment.get(from..)?.find(WORD)?;
        if leads(comment.get(..at).unwrap_or_default())
            && let Some(directive) = read_at(comment, at)
        {
            return Some(directive);
        }
        from = at + WORD.len();
    }
}

/// Whether what stands before the word is nothing but comment markers, or ends with one that starts a comment.
fn leads(before: &str) -> bool {
    let before = before.trim_end();
    if before.chars().all(|c| c.is_whitespace() || "#/*<!-;".contains(c)) {
        return true;
    }
    ["#", "//", "/*", "<!--"]
        .iter()
        .any(|marker| before.strip_suffix(marker).is_some_and(|rest| rest.ends_with(char::is_whitespace)))
}

fn read_at(comment: &str, at: usize) -> Option<Directive> {
    let body_start = at + WORD.len();
    let body = comment.get(body_start..)?;
    let word_start = body_start + (body.len() - body.trim_start().len());
    let rest = comment.get(word_start..)?;
    let (reach, name) =
        if rest.starts_with("ignore-file") { (Reach::File, "ignore-file") } else { (Reach::Here, "ignore") };
    let after = rest.strip_prefix(name)?;
    let list_start = word_start + name.len();
    let Some(list) = after.strip_prefix('[') else {
        let ends_word = after.is_empty() || after.starts_with(char::is_whitespace);
        return ends_word.then(|| Directive {
            reach,
            lints: Vec::new(),
            has_reason: !reason(after).is_empty(),
            span: Span::new(at, list_start),
        });
    };
    let (inside, behind, closed) = match list.find(']') {
        Some(end) => (list.get(..end)?, list.get(end + 1..)?, 1),
        None => (list, "", 0),
    };
    let mut lints = Vec::new();
    let mut offset = list_start + 1;
    for part in inside.split(',') {
        let name = part.trim();
        let start = offset + (part.len() - part.trim_start().len());
        if !name.is_empty() {
            lints.push(Spanned::new(name.to_owned(), Span::new(start, start + name.len())));
        }
        offset += part.len() + 1;
    }
    let end = list_start + 1 + inside.len() + closed;
    Some(Directive { reach, lints, has_reason: !reason(behind).is_empty(), span: Span::new(at, end) })
}

/// The reason without the end of the comment and the punctuation that may introduce it.
fn reason(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_suffix("-->").or_else(|| text.strip_suffix("*/")).unwrap_or(text);
    text.trim_matches(|c: char| c.is_whitespace() || "-:–—".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(comment: &str) -> Option<(Reach, Vec<String>, bool)> {
        read(comment).map(|d| (d.reach, d.lints.into_iter().map(|lint| lint.value).collect(), d.has_reason))
    }

    #[test]
    fn directives() {
        let here =
            |lints: &[&str], reason| Some((Reach::Here, lints.iter().map(ToString::to_string).collect(), reason));
        let file =
            |lints: &[&str], reason| Some((Reach::File, lints.iter().map(ToString::to_string).collect(), reason));
        for (comment, wanted) in [
            ("# recipelint: ignore[a-b]", here(&["a-b"], false)),
            ("#recipelint:ignore[a-b]because", here(&["a-b"], true)),
            ("# recipelint: ignore[a, b ,c] old report", here(&["a", "b", "c"], true)),
            ("// recipelint: ignore[a] - reason", here(&["a"], true)),
            ("/* recipelint: ignore[a] */", here(&["a"], false)),
            ("/* recipelint: ignore[a] why */", here(&["a"], true)),
            ("<!-- recipelint: ignore[a] -->", here(&["a"], false)),
            ("<!-- recipelint: ignore[a] why -->", here(&["a"], true)),
            ("# recipelint: ignore-file[a] why", file(&["a"], true)),
            ("# shellcheck disable=SC2086 # recipelint: ignore[a]", here(&["a"], false)),
            ("# recipelint: ignore", here(&[], false)),
            ("# recipelint: ignore[]", here(&[], false)),
            ("# recipelint: ignore[a", here(&["a"], false)),
            ("# recipelint: ignored by all", None),
            ("# recipelint is a linter", None),
            ("# write `# recipelint: ignore[a]` above it", None),
            ("# suppress with recipelint: ignore[a]", None),
            ("#", None),
            ("", None),
        ] {
            assert_eq!(ids(comment), wanted, "{comment}");
        }
    }

    #[test]
    fn places() {
        let comment = "# recipelint: ignore[one, two] x";
        let directive = read(comment).unwrap_or_else(|| panic!("no directive"));
        let texts: Vec<_> =
            directive.lints.iter().map(|lint| comment.get(lint.span.range()).unwrap_or_default()).collect();
        assert_eq!(texts, ["one", "two"]);
        assert_eq!(comment.get(directive.span.range()), Some("recipelint: ignore[one, two]"));
    }
}
