//! The contract for reading an agent's verdict, as pure functions: one object, one field, one vocabulary, one safe
//! default. The subcommands `extract` and `normalise` run this very code, and the lints ask its tables.
//!
//! "No verdict" is a variant of its own and never an empty value: an empty object has no verdict field, a missing field
//! is falsy, and falsy reads as an answer that nobody gave.

mod effort;
mod field;
mod json;
mod judge;
mod tag;
mod vocabulary;

pub use field::extract_field;
pub use json::{compact, extract_json, extract_json_requiring, last_object};
pub use judge::{Candidate, Judgement, judgement};
pub use tag::{Fence, tag_json, tag_text};
pub use vocabulary::{Direction, Outcome, Side, Vocabulary};

/// A JSON object.
pub type Object = serde_json::Map<String, serde_json::Value>;

/// What was read from a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict<T> {
    /// The reply has it.
    Found(T),
    /// The reply gives no verdict.
    None(Reason),
}

impl<T> Verdict<T> {
    /// The value, if there is one. What happens if there is none is the caller's decision, to be made on purpose.
    pub fn found(self) -> Option<T> {
        match self {
            Self::Found(value) => Some(value),
            Self::None(_) => None,
        }
    }

    /// The same with the value changed.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Verdict<U> {
        match self {
            Self::Found(value) => Verdict::Found(change(value)),
            Self::None(reason) => Verdict::None(reason),
        }
    }
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No text in it parses as a JSON object.
    NoObject,
    /// There are objects, but none has the field, or the field is null.
    NoField,
    /// The whole text is no JSON object.
    NotAnObject,
    /// No complete pair of the tag.
    NoTag,
    /// What stands in the tag is not JSON: the parser's message.
    NotJson(String),
    /// A judge refused without saying why.
    NoCritique,
    /// The text has so many braces that looking on would take too long.
    TooManyAttempts,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoObject => f.write_str("no JSON object in the text"),
            Self::NoField => f.write_str("no object has a value for the field"),
            Self::NotAnObject => f.write_str("the text is not one JSON object"),
            Self::NoTag => f.write_str("no complete pair of the tag in the text"),
            Self::NotJson(message) => write!(f, "the text in the tag is not JSON: {message}"),
            Self::NoCritique => f.write_str("the judge refused without a critique"),
            Self::TooManyAttempts => f.write_str("too many braces that open no object; gave up"),
        }
    }
}
