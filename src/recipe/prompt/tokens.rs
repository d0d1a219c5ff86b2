//! A prompt as words, quoted words and signs. Prompts are prose: this is made to find lists of values and names of
//! fields in it, and nothing else.

use std::borrow::Cow;

use crate::text::Span;

/// A piece of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// The word, the text between the quotes, or the sign.
    pub text: &'a str,
    /// With its quotes.
    pub span: Span,
}

impl<'a> Token<'a> {
    /// The text in lower case: as it is, for nearly every word.
    pub fn lower(&self) -> Cow<'a, str> {
        let is_lower = self.text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
        if is_lower { Cow::Borrowed(self.text) } else { Cow::Owned(self.text.to_lowercase()) }
    }

    /// Whether nothing in the text would change in upper case.
    pub fn is_upper(&self) -> bool {
        self.text.chars().all(|c| c.to_uppercase().eq([c]))
    }
}

/// Kinds of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters, digits, `_`, and `-` or `.` between them.
    Word,
    /// A short text between quotes on one line.
    Quoted,
    /// Any other character.
    Sign,
    /// The end of a line.
    Break,
}

/// Quotes around more than this many characters are taken for signs: such a text is prose, not a value.
const MAX_QUOTED: usize = 80;

/// Splits a prompt.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (kind, len) = piece(text, at, rest);
        let span = Span::new(at, at + len);
        at += len;
        let (from, to) =
            if kind == Some(Kind::Quoted) { (span.start + 1, span.end - 1) } else { (span.start, span.end) };
        if let (Some(kind), Some(inner)) = (kind, text.get(from..to)) {
            found.push(Token { kind, text: inner, span });
        }
    }
    found
}

/// The piece that starts at `at`, and its length; no kind for white space.
fn piece(text: &str, at: usize, rest: &str) -> (Option<Kind>, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    if first == '\n' {
        return (Some(Kind::Break), 1);
    }
    if first.is_whitespace() {
        return (None, first.len_utf8());
    }
    let word = word(rest);
    if word > 0 {
        return (Some(Kind::Word), word);
    }
    if matches!(first, '"' | '\'' | '`') {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let apostrophe = first == '\'' && before.is_some_and(char::is_alphanumeric);
        let line = rest.get(1..).unwrap_or_default();
        let near = line.char_indices().take(MAX_QUOTED).take_while(|(_, c)| *c != '\n');
        let end = near.into_iter().find(|(_, c)| *c == first).map(|(end, _)| end);
        if let Some(end) = end.filter(|end| !apostrophe && *end > 0) {
            let inner = line.get(..end).unwrap_or_default();
            let after = line.get(end + 1..).and_then(|after| after.chars().next());
            // Code marks around something that has quotes of its own are no quotes: the inner ones count.
            let code = first == '`' && inner.contains(['"', '{', '|']);
            let open = first == '\'' && after.is_some_and(char::is_alphanumeric);
            if !code && !open && !inner.starts_with(char::is_whitespace) {
                return (Some(Kind::Quoted), end + 2);
            }
        }
    }
    (Some(Kind::Sign), first.len_utf8())
}

/// Length of the word at the start of a text: no `-` or `.` at its end.
fn word(text: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut end = 0;
    for (at, c) in text.char_indices() {
        if is_word(c) {
            end = at + c.len_utf8();
        } else if !(matches!(c, '-' | '.') && end == at && at > 0) {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let pieces = tokens(text).into_iter().map(|token| match token.kind {
            Kind::Word => token.text.to_owned(),
            Kind::Quoted => format!("<{}>", token.text),
            Kind::Sign => token.text.to_owned(),
            Kind::Break => "/".to_owned(),
        });
        pieces.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_quotes_and_signs() {
        let table = [
            ("a \"b c\", 'd'.", "a <b c> , <d> ."),
            ("don't say 'it'", "don ' t say <it>"),
            ("the agents' work", "the agents ' work"),
            ("`\"status\": \"ok\"`", "` <status> : <ok> `"),
            ("`risk_level` is x-y.", "<risk_level> is x-y ."),
            ("lift.works\nnext...", "lift.works / next . . ."),
            ("\"\" é-ü", "\" \" é-ü"),
            ("{\"a\": \"B\" | \"C\"}", "{ <a> : <B> | <C> }"),
        ];
        for (text, expected) in table {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
