//! What a prompt promises to those who read the answer: which fields it names, which values it allows for them, and
//! where it asks for the same thing twice.

mod demands;
mod explained;
mod list;
mod tokens;
mod values;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use self::tokens::{Kind, Token};

pub use demands::{Double, asks_for_json, conflicts, double};
pub use values::Values;

/// Whether a hole of this name is likely to bring the answer's form with it.
pub fn brings_form(name: &str) -> bool {
    const FORMS: &[&str] = &[
        "schema",
        "format",
        "contract",
        "instruction",
        "template",
        "guideline",
        "protocol",
        "prompt",
        "rubric",
        "criteria",
    ];
    let name = name.to_lowercase();
    FORMS.iter().any(|form| name.contains(form))
}

/// The letters and digits of a text, in lower case.
fn plain(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// Whether a prompt names a word as a whole, as it is written.
pub fn names(prompt: &str, word: &str) -> bool {
    prompt.match_indices(word).any(|(at, _)| {
        let before = prompt.get(..at).and_then(|before| before.chars().next_back());
        let behind = prompt.get(at + word.len()..).and_then(|behind| behind.chars().next());
        !before.is_some_and(is_of_word) && !behind.is_some_and(is_of_word)
    })
}

/// A prompt that was read for what it promises.
#[derive(Debug)]
pub struct Promise<'a> {
    text: &'a str,
    /// Made when first asked for: most questions are answered by a look at the text.
    found: OnceCell<Vec<Token<'a>>>,
}

impl<'a> Promise<'a> {
    /// Reads a prompt.
    pub fn read(text: &'a str) -> Self {
        Self { text, found: OnceCell::new() }
    }

    fn found(&self) -> &[Token<'a>] {
        self.found.get_or_init(|| tokens::tokens(self.text))
    }

    /// Whether a field is mentioned at all: as a word or in quotes, in any case, with any separators. A dotted or
    /// hyphenated word mentions each of its parts.
    pub fn mentions(&self, field: &str) -> bool {
        if !field.is_empty() && field.chars().all(is_of_word) && names(self.text, field) {
            return true;
        }
        let wanted: String = plain(field).collect();
        let word = |text: &str| plain(text).eq(wanted.chars());
        let pieces = |text: &str| text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).any(word);
        let several = field.contains(['_', '-']) || field.chars().any(char::is_uppercase);
        self.found().iter().any(|token| match token.kind {
            Kind::Word => word(token.text) || token.text.split('.').any(word),
            Kind::Quoted => word(token.text) || pieces(token.text),
            Kind::Sign | Kind::Break => false,
        }) || (several && self.spelled_out(&wanted))
    }

    /// `risk level` for `risk_level`: neighbouring words that give the name.
    fn spelled_out(&self, wanted: &str) -> bool {
        let word = |token: &Token<'a>| if token.kind == Kind::Word { token.lower() } else { Cow::Borrowed("") };
        let words: Vec<Cow<'_, str>> = self.found().iter().map(word).collect();
        let most = 4.min(words.len());
        (2..=most).any(|count| {
            words.windows(count).any(|some| {
                let joined = some.iter().flat_map(|word| word.chars());
                some.iter().all(|word| !word.is_empty()) && joined.eq(wanted.chars())
            })
        })
    }

    /// The values that the prompt allows for a field, where it closes the set.
    pub fn values(&self, field: &str) -> Option<Values> {
        let values = values::values(self.text, self.found(), field);
        (!values.open && !values.closed.is_empty()).then_some(values)
    }

    /// Whether a value is named outside of the lists of other fields' values.
    pub fn names_value(&self, value: &str, field: &str) -> bool {
        let lists = values::lists(self.text, self.found(), field);
        self.found().iter().any(|token| {
            let named = matches!(token.kind, Kind::Word | Kind::Quoted)
                && (token.text == value
                    || token
                        .text
                        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')))
                        .any(|part| part == value));
            named && !lists.iter().any(|list| list.covers(token.span) || token.span.covers(*list))
        })
    }

    /// Whether the prompt shows a field as an object with fields of its own: `"lift": {"works": …}`.
    pub fn shows_object(&self, field: &str) -> bool {
        self.found().windows(4).any(|four| match four {
            [name, colon, brace, inner] => {
                name.text == field
                    && colon.text == ":"
                    && brace.text == "{"
                    && matches!(inner.kind, Kind::Quoted | Kind::Word | Kind::Break)
            }
            _ => false,
        })
    }

    /// Names that look like fields: in quotes, or before a colon in an object.
    pub fn keys(&self) -> Vec<&'a str> {
        let mut keys: Vec<&str> = Vec::new();
        for (at, token) in self.found().iter().enumerate() {
            let next = self.found().get(at + 1).map_or("", |next| next.text);
            let key = match token.kind {
                Kind::Quoted => {
                    list::is_value(token.text) && token.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
                }
                Kind::Word => next == ":" && token.text.chars().any(char::is_alphabetic),
                Kind::Sign | Kind::Break => false,
            };
            if key && !keys.contains(&token.text) {
                keys.push(token.text);
            }
        }
        keys
    }

    /// Whether the answer's form is described somewhere else: another file, a schema that is filled in, the agent's own
    /// instructions.
    pub fn refers_elsewhere(&self) -> bool {
        const THINGS: &[&str] = &["schema", "format", "contract", "structure", "fields", "template", "shape"];
        const PLACES: &[&str] = &["in", "from", "by", "per", "of", "your", "above-mentioned"];
        static TELLING: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
            AhoCorasick::builder().ascii_case_insensitive(true).build(THINGS.iter().chain(&["same"])).ok()
        });
        if TELLING.as_ref().is_some_and(|telling| !telling.is_match(self.text)) {
            return false;
        }
        let lower: Vec<Cow<'_, str>> = self.found().iter().map(Token::lower).collect();
        let file = |text: &str| {
            [".md", ".json", ".yaml", ".yml", ".txt", ".py", ".ts", ".rs"].iter().any(|end| text.ends_with(end))
        };
        lower.iter().enumerate().any(|(at, word)| {
            // "the same structure as version 1"
            *word == "same"
                && lower.iter().skip(at + 1).take(3).any(|near| THINGS.contains(&near.trim_end_matches('s')))
                || THINGS.contains(&word.trim_end_matches('s'))
                    && lower
                        .iter()
                        .skip(at + 1)
                        .take(8)
                        .any(|near| file(near) || *near == "instructions" || *near == "definition")
                    && lower.iter().skip(at + 1).take(6).any(|near| PLACES.contains(&&**near))
        })
    }
}

#[cfg(test)]
mod tests;
