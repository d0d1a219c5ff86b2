//! What a prompt demands of the answer's form.

use super::list::is_value;
use super::tokens::{Kind, Token, tokens};
use crate::text::Span;

/// Words that ask for something in the answer.
const ASKING: &[&str] = &[
    "end", "finish", "conclude", "return", "reply", "respond", "answer", "output", "emit", "print", "write", "wrap",
    "put", "produce", "give", "include", "close", "place", "inside", "within",
];
/// Words that turn it round.
const NOT: &[&str] = &["no", "not", "never", "without", "don", "avoid", "instead"];
/// Names of elements that are markup, not contracts.
const MARKUP: &[&str] = &[
    "a", "b", "i", "p", "br", "hr", "em", "ul", "ol", "li", "h1", "h2", "h3", "div", "span", "code", "pre", "table",
    "tr", "td", "th", "details", "summary", "strong", "html", "body", "head", "img", "kbd", "sub", "sup",
];

/// Bytes before a place that are read for what its sentence asks.
const MAX_SENTENCE: usize = 400;

/// What a brief demands although the engine demands one `<tag>` block at the very end: another tag, a fence, a marker
/// behind the block. The places are in the text; the words follow "the brief".
pub fn conflicts(text: &str, tag: &str) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    if let Some((span, other)) = other_tag(text, tag) {
        found.push((span, format!("asks for `<{other}>`")));
    }
    if let Some(span) = fence(text) {
        found.push((span, "asks for a code fence".to_owned()));
    }
    if let Some(span) = marker(text, tag) {
        found.push((span, "asks for an end of its own".to_owned()));
    }
    found
}

/// A pair of another tag on a line that asks for something.
fn other_tag<'a>(text: &'a str, tag: &str) -> Option<(Span, &'a str)> {
    if text.contains(&format!("<{tag}>")) {
        // The tag of the response is asked for, too: others may be parts of it.
        return None;
    }
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find('<')).map(|offset| at + offset) {
        at = start + 1;
        let rest = text.get(at..).unwrap_or_default();
        let Some(name) = rest.find('>').and_then(|end| rest.get(..end)) else { break };
        let letters = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        let lower = name.to_lowercase();
        if letters && !MARKUP.contains(&lower.as_str()) && rest.contains(&format!("</{name}>")) && asks(text, start) {
            return Some((Span::new(start, at + name.len() + 1), name));
        }
    }
    None
}

/// The sentence before a place, as far as it matters.
fn sentence_before(text: &str, at: usize) -> &str {
    let mut from = at.saturating_sub(MAX_SENTENCE);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = text.get(from..at).unwrap_or_default();
    before.get(before.rfind(['\n', '.', ';']).map_or(0, |end| end + 1)..).unwrap_or_default()
}

/// Whether the sentence before a place asks for something, and not against it.
fn asks(text: &str, at: usize) -> bool {
    let words = tokens(sentence_before(text, at));
    let is = |list: &[&str]| words.iter().any(|word| list.contains(&&*word.lower()));
    is(ASKING) && !is(NOT)
}

/// A code fence that the answer should have.
fn fence(text: &str) -> Option<Span> {
    for phrase in ["code block", "code fence", "fenced block", "json block", "markdown block", "json fence", "```json"]
    {
        let lower = text.to_lowercase();
        if let Some(at) =
            lower.find(phrase).filter(|at| asks(text, *at) || (phrase.starts_with('`') && asks_above(text, *at)))
        {
            return Some(Span::new(at, at + phrase.len()));
        }
    }
    None
}

/// Whether the line above the one with a place asks for something.
fn asks_above(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    asks(before, before.len())
}

/// `end with DONE`, `after the tag, print …`: something that would stand behind the block.
fn marker(text: &str, tag: &str) -> Option<Span> {
    let found = tokens(text);
    let lower = |at: usize| found.get(at).map(Token::lower).unwrap_or_default();
    for (at, token) in found.iter().enumerate() {
        let word = token.lower();
        if matches!(&*word, "end" | "finish" | "conclude" | "close") && token.kind == Kind::Word {
            let with = (at + 1..at + 5).find(|at| matches!(&*lower(*at), "with" | "by"));
            let negated = (at.saturating_sub(2)..at).any(|at| NOT.contains(&&*lower(at)));
            if let Some(mark) = with.map(|with| skip_articles(&found, with + 1)).and_then(|at| found.get(at))
                && !negated
                && is_marker(mark, tag)
            {
                return Some(token.span.to(mark.span));
            }
        }
        if word == "after" && token.kind == Kind::Word {
            let near: Vec<_> = (at + 1..at + 5).map(lower).collect();
            let block = near.iter().any(|word| matches!(&**word, "tag" | "block" | "closing"))
                || near.iter().any(|word| **word == tag.to_lowercase());
            let asked = (at + 2..at + 9).any(|at| ASKING.contains(&&*lower(at)) || lower(at) == "add");
            let negated = (at.saturating_sub(5)..at + 9).any(|at| NOT.contains(&&*lower(at)) || lower(at) == "nothing");
            if block && asked && !negated {
                return Some(token.span);
            }
        }
    }
    None
}

fn skip_articles(found: &[Token<'_>], mut at: usize) -> usize {
    while found.get(at).is_some_and(|token| {
        matches!(&*token.lower(), "the" | "a" | "an" | "line" | "word" | "marker" | "string" | "exactly" | ":")
    }) {
        at += 1;
    }
    at
}

/// Something printed as it is: in quotes, or in capitals.
fn is_marker(token: &Token<'_>, tag: &str) -> bool {
    match token.kind {
        Kind::Quoted => !token.text.contains(&format!("<{tag}>")),
        Kind::Word => {
            token.text.len() > 2
                && token.is_upper()
                && token.text.chars().any(char::is_alphabetic)
                && token.text != "JSON"
        }
        Kind::Sign | Kind::Break => false,
    }
}

/// A signal that a prompt asks for twice: as a field of an object and as a line `NAME: value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Double {
    /// The name in the line.
    pub name: String,
    /// `NAME: value`
    pub line: Span,
    /// The field.
    pub field: Span,
}

/// The first signal that is asked for in two forms.
pub fn double(text: &str) -> Option<Double> {
    if !text.as_bytes().windows(2).any(|two| matches!(two, [end, b':' | b'='] if ends_upper(*end))) {
        return None;
    }
    let found = tokens(text);
    for (at, token) in found.iter().enumerate() {
        let upper = || token.text.len() > 2 && token.is_upper() && token.text.chars().any(char::is_alphabetic);
        if token.kind != Kind::Word || !upper() {
            continue;
        }
        let (Some(colon), Some(value)) = (found.get(at + 1), found.get(at + 2)) else { continue };
        let joined = matches!(colon.text, ":" | "=") && colon.span.start == token.span.end;
        let value_like = value.kind != Kind::Break && (is_value(value.text) || matches!(value.text, "<" | "{" | "["));
        let capital = value.is_upper();
        if !joined || !value_like || !capital || !asks_for_line(text, &found, at) {
            continue;
        }
        let field = found.iter().enumerate().find(|(other, field)| {
            field.kind == Kind::Quoted
                && field.text.eq_ignore_ascii_case(token.text)
                && field.text != token.text
                && *other != at
        });
        if let Some((_, field)) = field {
            return Some(Double { name: token.text.to_owned(), line: token.span.to(value.span), field: field.span });
        }
    }
    None
}

/// Whether a word in capitals can end with a byte.
fn ends_upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_' || !byte.is_ascii()
}

/// Whether `NAME: value` is to be printed: the sentence asks for it or speaks of a line, or it stands on a line of its own.
fn asks_for_line(text: &str, found: &[Token<'_>], at: usize) -> bool {
    let Some(token) = found.get(at) else { return false };
    let words = tokens(sentence_before(text, token.span.start));
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&&*word.lower()));
    let alone = words.iter().all(|word| word.kind == Kind::Sign);
    !says(NOT) && (says(ASKING) || says(&["line", "lines"]) || (alone && asks_above(text, token.span.start)))
}

/// A sentence that orders JSON text: `Return a JSON object …`, `End with {"pass": …}`. The place of the word or brace.
pub fn asks_for_json(text: &str) -> Option<Span> {
    const ORDERS: &[&str] = &[
        "return", "output", "respond", "reply", "answer", "print", "write", "emit", "end", "finish", "produce",
        "provide", "give",
    ];
    let found = tokens(text);
    let mut first = true;
    let mut order = false;
    let mut not = false;
    for (at, token) in found.iter().enumerate() {
        let word = token.lower();
        let apart = |next: &Token<'_>| next.kind == Kind::Break || next.span.start > token.span.end;
        let next_is_break = found.get(at + 1).is_none_or(apart);
        match token.kind {
            Kind::Break => {
                // A list's item begins a sentence, a wrapped line does not.
                first |= found
                    .get(at + 1)
                    .is_none_or(|next| matches!(next.text, "-" | "*" | "#") || next.kind == Kind::Break);
            }
            Kind::Sign if matches!(token.text, "." | "!" | "?" | ";" | ":") && next_is_break => {
                first = true;
                order &= token.text == ":";
                not &= token.text == ":";
            }
            Kind::Sign
                if token.text == "{" && order && !not && found.get(at + 1).is_some_and(|next| next.text == "pass") =>
            {
                return Some(token.span);
            }
            Kind::Sign => {}
            Kind::Word | Kind::Quoted => {
                if first
                    && !matches!(&*word, "then" | "finally" | "and" | "also" | "always" | "1" | "2" | "3" | "4" | "5")
                {
                    order = ORDERS.contains(&&*word);
                    not = NOT.contains(&&*word);
                    first = false;
                }
                not |= NOT.contains(&&*word) || word == "nothing";
                if word == "json" && order && !not {
                    return Some(token.span);
                }
            }
        }
    }
    None
}
