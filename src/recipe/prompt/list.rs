//! The list of values that stands behind a field's name.

use super::tokens::{Kind, Token, tokens};
use crate::text::{Span, Spanned};

/// Words between a field and its values.
const CONNECTORS: &[&str] = &[
    "field",
    "key",
    "string",
    "value",
    "values",
    "property",
    "attribute",
    "set",
    "to",
    "is",
    "must",
    "be",
    "should",
    "will",
    "one",
    "of",
    "either",
    "exactly",
    "with",
    "the",
    "a",
    "an",
    "that",
    "as",
    "can",
    "may",
    "only",
    "has",
    "equal",
    "equals",
    "being",
    "allowed",
    "possible",
    "valid",
    "options",
    "option",
    "from",
    "in",
    "among",
    "between",
    "which",
    "whose",
    "enum",
    "token",
    "word",
    "verdict",
    "line",
];
/// At least one of these must stand between them, or a sign: otherwise the words are only near each other.
const STRONG: &[&str] = &[
    "set", "to", "is", "be", "one", "of", "either", "as", "equal", "equals", "value", "values", "from", "in", "among",
    "between", "being", "enum",
];
/// These say that the list is whole, so that `and` may join it.
const WHOLE: &[&str] = &["one", "of", "values", "among", "between", "either", "options", "enum"];
/// Words that are never values.
const NOT_VALUES: &[&str] = &[
    "a", "an", "the", "see", "if", "when", "whether", "any", "some", "all", "not", "no", "your", "this", "that",
    "these", "it", "and", "or", "with", "for", "each", "every", "list", "array", "object", "string", "strings",
    "number", "numbers", "integer", "int", "float", "bool", "boolean", "text", "json", "empty", "true", "false",
    "optional", "required", "null", "none", "nothing", "plus", "both", "e.g", "i.e", "etc",
];
/// Words that are never values, in any case: they name types.
const TYPES: &[&str] = &["string", "number", "integer", "boolean", "true", "false", "array", "object", "list"];
/// Words about a field's type, in parentheses behind its name.
const KINDS: &[&str] = &["string", "str", "text", "enum", "word", "required", "optional", "uppercase", "lowercase"];
/// Parts of paths and names, which are written with slashes, too.
const OF_PATHS: &[&str] = &[
    "path", "to", "file", "src", "dir", "folder", "name", "of", "owner", "repo", "org", "user", "branch", "and", "or",
    "n",
];
/// These say that there may be others.
const OPEN: &[&str] = &[
    "etc",
    "example",
    "examples",
    "e.g",
    "eg",
    "such",
    "like",
    "similar",
    "other",
    "others",
    "another",
    "custom",
    "similarly",
];

/// What stands behind a field.
pub(super) enum List {
    /// Alternatives, and the place behind them.
    Closed(Vec<Spanned<String>>, usize),
    /// One value: an example.
    One(Spanned<String>, usize),
    /// There may be others.
    Open,
    /// Nothing that could be read.
    None,
}

/// Reads what stands from a place on.
pub(super) struct Reader<'a> {
    pub text: &'a str,
    pub found: &'a [Token<'a>],
    pub at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> Option<&'a Token<'a>> {
        self.found.get(self.at + ahead)
    }

    fn sign(&self, ahead: usize) -> &'a str {
        self.peek(ahead).filter(|token| token.kind == Kind::Sign).map_or("", |token| token.text)
    }

    /// The list of values that follows a field's name.
    pub fn list(mut self) -> List {
        let start = self.at;
        if self.sign(0) == "|" && self.begins_cell(start) {
            return self.row();
        }
        let (mut strong, mut whole) = (false, false);
        let mut bullets = false;
        for _ in 0..12 {
            let Some(token) = self.peek(0) else { break };
            if let Some(length) = self.type_note() {
                self.at += length;
                continue;
            }
            let lower = token.lower();
            match token.kind {
                Kind::Sign if token.text == "," && self.goes_on(1) => {}
                Kind::Sign if token.text == "∈" || (token.text == "{" && self.previous_is("∈")) => strong = true,
                Kind::Word if TYPES.contains(&&*lower) && self.sign(1) == "," && self.goes_on(2) => {}
                Kind::Sign if matches!(token.text, ":" | "(" | "=" | "[" | "<" | "—" | "–" | "-" | "→") => {
                    strong = true;
                }
                Kind::Sign if matches!(token.text, "*" | "`" | "?") => {}
                Kind::Word if CONNECTORS.contains(&&*lower) && self.is_connector() => {
                    strong |= STRONG.contains(&&*lower);
                    whole |= WHOLE.contains(&&*lower);
                }
                Kind::Break if strong && self.previous_is(":") => {
                    bullets = true;
                    self.at += 1;
                    break;
                }
                _ => break,
            }
            self.at += 1;
        }
        if !strong {
            return List::None;
        }
        let list = if bullets {
            self.bullets(whole || self.at > start + 2)
        } else {
            self.explained().unwrap_or_else(|| self.items(whole))
        };
        let end = match &list {
            List::Closed(_, end) | List::One(_, end) => *end,
            List::Open | List::None => self.at,
        };
        if self.open_words(start, end + 4) { List::Open } else { list }
    }

    /// A connector that is not itself a value: nothing joins it to a next one.
    fn is_connector(&self) -> bool {
        !matches!(self.sign(1), "|" | "/" | ",")
            && !self.peek(1).is_some_and(|next| next.kind == Kind::Word && next.text.eq_ignore_ascii_case("or"))
    }

    /// `(string)`, `(enum, required)` behind a name, when more follows.
    fn type_note(&self) -> Option<usize> {
        if self.sign(0) != "(" {
            return None;
        }
        let close = (1..6).find(|ahead| self.sign(*ahead) == ")")?;
        let kinds = (1..close)
            .all(|ahead| self.peek(ahead).is_some_and(|token| token.text == "," || KINDS.contains(&&*token.lower())));
        let follows = matches!(self.sign(close + 1), ":" | "-" | "—" | "–" | "=") || self.goes_on(close + 1);
        (kinds && follows).then_some(close + 1)
    }

    /// Whether a word stands here that goes on to a field's values: `, which is …`.
    fn goes_on(&self, ahead: usize) -> bool {
        let ways = ["which", "with", "whose", "being", "either", "set", "one"];
        self.peek(ahead).is_some_and(|token| token.kind == Kind::Word && ways.contains(&&*token.lower()))
    }

    pub(super) fn previous_is(&self, sign: &str) -> bool {
        self.at.checked_sub(1).and_then(|at| self.found.get(at)).is_some_and(|token| token.text == sign)
    }

    /// `true`, `false`, `true/false`: both are allowed, and nothing else.
    fn truth(&self) -> Option<List> {
        let is_truth = |token: &Token<'_>| token.kind == Kind::Word && matches!(token.text, "true" | "false");
        let first = self.peek(0).filter(|token| is_truth(token))?;
        let mut at = self.at + 1;
        while let Some(next) = self.separator(at, true) {
            match self.found.get(next) {
                Some(token) if is_truth(token) || token.text == "null" => at = next + 1,
                Some(token)
                    if self.found.get(next + 1).is_some_and(|after| after.text == ":") && token.kind != Kind::Sign =>
                {
                    break;
                }
                _ => return Some(List::Open),
            }
        }
        let both = ["true", "false"].map(|value| Spanned::new(value.to_owned(), first.span));
        Some(List::Closed(both.to_vec(), at))
    }

    /// `A, B or C` up to something that ends a list.
    fn items(&self, whole: bool) -> List {
        if let Some(list) = self.truth() {
            return list;
        }
        let mut items: Vec<(Spanned<String>, bool)> = Vec::new();
        let mut at = self.at;
        let mut end = at;
        let (mut split, mut or) = (false, false);
        while let Some(token) = self.found.get(at) {
            let next = self.found.get(at + 1);
            if next.is_some_and(|next| next.text == ":") && !items.is_empty() {
                // The next key of the object, not a value; the separator before it is the object's.
                break;
            }
            match token.kind {
                // `…, and "why"`: the next field.
                Kind::Word if items.len() > 1 && token.text == "and" && or => break,
                Kind::Quoted => {
                    let inner = inner_list(self.text, token);
                    if inner.len() > 1 {
                        split = true;
                        items.extend(inner.into_iter().map(|item| (item, true)));
                    } else if is_value(token.text) {
                        items.push((Spanned::new(token.text.to_owned(), token.span), true));
                    } else {
                        return if items.is_empty() { List::None } else { List::Open };
                    }
                }
                Kind::Word if is_value(token.text) => {
                    let lower = token.lower();
                    if lower == "null" {
                        // A field that may be missing has its other values all the same.
                    } else if NOT_VALUES.contains(&token.text) || TYPES.contains(&&*lower) {
                        return if items.len() > 1 { List::Open } else { List::None };
                    } else {
                        items.push((Spanned::new(token.text.to_owned(), token.span), false));
                    }
                }
                _ => break,
            }
            end = self.skip_explanation(at + 1);
            match self.separator(end, whole) {
                Some(next) => at = next,
                None => break,
            }
            let between = self.found.get(end..at).unwrap_or_default();
            or |= between.iter().any(|token| token.text.eq_ignore_ascii_case("or"));
        }
        let [(first, _), ..] = items.as_slice() else { return List::None };
        let and = self.found.get(end).is_some_and(|token| token.text.eq_ignore_ascii_case("and"));
        if !self.ends(end) || (and && !or && items.len() > 1) {
            return List::None;
        }
        if items.len() == 1 && !split {
            return List::One(first.clone(), end);
        }
        let bare: Vec<_> = items.iter().filter(|(_, quoted)| !quoted).map(|(item, _)| item.value.as_str()).collect();
        if !bare.is_empty() && !same_form(&bare) {
            return List::None;
        }
        List::Closed(items.into_iter().map(|(item, _)| item).collect(), end)
    }

    /// `(when …)` behind a value.
    fn skip_explanation(&self, at: usize) -> usize {
        let sign =
            |at: usize| self.found.get(at).filter(|token| token.kind == Kind::Sign).map_or("", |token| token.text);
        let mut at = at;
        while sign(at) == "`" || sign(at) == "*" {
            at += 1;
        }
        if sign(at) != "(" {
            return at;
        }
        let close = (at..at + 40).find(|at| sign(*at) == ")");
        match close {
            Some(close)
                if self
                    .found
                    .get(at..close)
                    .is_some_and(|inner| inner.iter().all(|token| token.kind != Kind::Break)) =>
            {
                close + 1
            }
            _ => at,
        }
    }

    /// The place behind a separator.
    fn separator(&self, at: usize, whole: bool) -> Option<usize> {
        let mut at = at;
        let mut any = false;
        for _ in 0..4 {
            let Some(token) = self.found.get(at) else { break };
            let joins = match token.kind {
                Kind::Sign => matches!(token.text, "," | "|" | "/"),
                Kind::Word => {
                    token.text.eq_ignore_ascii_case("or") || (whole && token.text.eq_ignore_ascii_case("and"))
                }
                _ => false,
            };
            let filler = token.kind == Kind::Sign && matches!(token.text, "`" | "*");
            if !joins && !filler {
                break;
            }
            any |= joins;
            at += 1;
        }
        // A comma at the end of a line ends the entry of an object.
        let ends =
            self.found.get(at).is_none_or(|token| token.kind == Kind::Break || matches!(token.text, "}" | "]" | ")"));
        (any && !ends).then_some(at)
    }

    /// Whether a list may end here.
    fn ends(&self, at: usize) -> bool {
        let Some(token) = self.found.get(at) else { return true };
        match token.kind {
            Kind::Break => true,
            Kind::Sign => matches!(
                token.text,
                ")" | "." | ";" | "}" | "]" | ">" | "," | "`" | "*" | "\"" | "—" | "–" | ":" | "?" | "!"
            ),
            Kind::Word => matches!(
                &*token.lower(),
                "and"
                    | "depending"
                    | "based"
                    | "according"
                    | "only"
                    | "with"
                    | "for"
                    | "when"
                    | "if"
                    | "so"
                    | "as"
                    | "in"
            ),
            Kind::Quoted => false,
        }
    }

    /// `- A: …` lines, each with a value at its start. `announced`: something said that they are values; else they may be
    /// names of inner fields, unless they are in capitals.
    fn bullets(&self, announced: bool) -> List {
        let mut items = Vec::new();
        let mut at = self.at;
        while let Some(token) = self.found.get(at) {
            if !matches!(token.text, "-" | "*" | "•") {
                break;
            }
            let mut value = at + 1;
            while self.found.get(value).is_some_and(|token| matches!(token.text, "*" | "`")) {
                value += 1;
            }
            let Some(token) = self.found.get(value).filter(|token| token.kind != Kind::Break && is_value(token.text))
            else {
                return List::None;
            };
            let mut after = value + 1;
            while self.found.get(after).is_some_and(|token| matches!(token.text, "*" | "`")) {
                after += 1;
            }
            let closes = self.found.get(after).is_none_or(|token| {
                token.kind == Kind::Break || matches!(token.text, ":" | "-" | "—" | "–" | "(" | "=" | "→")
            });
            if !closes {
                return List::None;
            }
            items.push(Spanned::new(token.text.to_owned(), token.span));
            at = self
                .found
                .iter()
                .skip(after)
                .position(|token| token.kind == Kind::Break)
                .map_or(self.found.len(), |more| after + more + 1);
        }
        let bare: Vec<_> = items.iter().map(|item| item.value.as_str()).collect();
        let values = announced || bare.iter().all(|value| value.to_uppercase() == *value);
        if items.len() > 1 && values && same_form(&bare) { List::Closed(items, at) } else { List::None }
    }

    /// The field is the first cell of a table's row.
    fn begins_cell(&self, at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).and_then(|at| self.found.get(at));
        before(2).is_some_and(|token| token.text == "|") && before(3).is_none_or(|token| token.kind == Kind::Break)
    }

    /// The cells of a table's row: one that is nothing but a list of values.
    fn row(&self) -> List {
        let rest = self.found.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|token| token.kind == Kind::Break).unwrap_or(rest.len());
        let row = rest.get(..end).unwrap_or_default();
        if row.iter().any(|token| OPEN.contains(&&*token.lower())) {
            return List::Open;
        }
        let (Some(first), Some(last)) = (row.first(), row.last()) else { return List::None };
        let text = self.text.get(first.span.start..last.span.end).unwrap_or_default();
        let mut start = first.span.start;
        for cell in text.replace("\\|", "\\/").split('|') {
            let place = Span::new(start, start + cell.len());
            start += cell.len() + 1;
            let cell_tokens = tokens(cell);
            let reader = Reader { text: cell, found: &cell_tokens, at: 0 };
            let cleaned = reader.items(true);
            if let List::Closed(items, end) = cleaned
                && cell_tokens.len() == end
            {
                return List::Closed(
                    items.into_iter().map(|item| Spanned::new(item.value, place)).collect(),
                    self.at + 1,
                );
            }
        }
        List::None
    }

    /// Whether something near says that there may be other values.
    fn open_words(&self, from: usize, to: usize) -> bool {
        let near = self.found.get(from..to.min(self.found.len())).unwrap_or_default();
        let dots = near.windows(3).any(|three| three.iter().all(|token| token.text == "."));
        dots || near
            .iter()
            .any(|token| token.text == "…" || (token.kind == Kind::Word && OPEN.contains(&&*token.lower())))
    }
}

/// `"A|B|C"`, `"<A | B>"`, `"one of A, B"`: a list inside the quotes.
fn inner_list(text: &str, token: &Token<'_>) -> Vec<Spanned<String>> {
    let inner = token.text.trim_matches(['<', '>']);
    let parts: Vec<&str> = inner.split('/').map(str::trim).collect();
    let word = |part: &&str| is_value(part) && !part.contains('.') && !OF_PATHS.contains(part);
    let slashed = parts.len() > 1 && parts.iter().all(word) && same_form(&parts);
    if !inner.contains(['|', ',']) && !slashed && !inner.contains(" or ") {
        return Vec::new();
    }
    let start = text.get(token.span.range()).and_then(|whole| whole.find(inner)).unwrap_or(0) + token.span.start;
    let list = inner.strip_prefix("one of").map_or(inner, |rest| rest.trim_start_matches(':'));
    let offset = start + inner.len() - list.len();
    let inner_tokens = tokens(list);
    let reader = Reader { text: list, found: &inner_tokens, at: 0 };
    match reader.items(true) {
        List::Closed(items, end) if end >= inner_tokens.len() => {
            items.into_iter().map(|item| Spanned::new(item.value, item.span.shifted(offset))).collect()
        }
        _ => Vec::new(),
    }
}

/// A text that could be a value: one word.
pub fn is_value(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 48
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+'))
        && text.chars().any(char::is_alphanumeric)
}

/// Words without quotes are values only when they look alike: all upper case, or all lower case.
pub(super) fn same_form(words: &[&str]) -> bool {
    let upper = |word: &&str| word.to_uppercase() == **word;
    let lower = |word: &&str| word.to_lowercase() == **word;
    words.iter().all(upper) || words.iter().all(lower)
}
