//! The engine's condition grammar: a tree with spans, the engine's exact acceptance, and its exact semantics.
//!
//! Source of every rule: `src/condition.rs` of amplihack-recipe-runner 0.3.6. The engine evaluates while it parses, so
//! the error that a user sees is the first one in reading order, be it grammar or value. [`parse`] therefore gives the
//! error that no value of the names can avoid, and [`evaluate`] the one of a given context.
//!
//! ```text
//! or         := and (('or' | '||') and)*
//! and        := not (('and' | '&&') not)*
//! not        := 'not' not | comparison
//! comparison := primary (('==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in') primary)?
//! primary    := atom ('.' name | '.' method '(' arguments ')' | '[' string ']' | '[' number ']')*
//! atom       := string | number | name | function '(' arguments ')' | '(' or ')' | '[' atoms ']'
//! ```
//!
//! Only a prefix must parse: what stands after a complete `or` is never read ([`Condition::rest`]).

mod evaluate;
mod lexer;
mod parser;
mod reads;
#[cfg(test)]
mod tests;
mod values;

pub use evaluate::evaluate;
pub use reads::Read;

use crate::text::{Span, Spanned};

/// Longest condition that the engine reads, in bytes.
pub const MAX_LENGTH: usize = 8192;

/// Deepest nesting of parentheses that the engine reads.
pub const MAX_PARENTHESES: usize = 32;

/// A condition as far as it could be read. Spans are byte offsets in its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What was read; of half-typed text the part before the error. `None` for empty and too long text.
    pub expr: Option<Expr>,
    /// The first error that no value of the names avoids: the step fails with it, or with one that a value causes in
    /// front of it.
    pub error: Option<ConditionError>,
    /// Tokens that the engine never reads, because a complete expression stands before them.
    pub rest: Option<Span>,
    /// The value, where no name has a say in it (`'x' == 'x'`, `missing or true`).
    pub constant: Option<bool>,
    /// Where reading stopped; apart from `error`, which may be an earlier one.
    stop: Option<Stop>,
}

/// Why and when the engine stops reading.
#[derive(Clone, Debug, PartialEq)]
enum Stop {
    /// Before anything is evaluated: the length, or a character that is no token.
    Lexical(ConditionError),
    /// In the middle, after evaluating what stands before it.
    Grammar(ConditionError),
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// From its first to its last token.
    pub span: Span,
    /// Whether it was read to its end: `false` from the root down to the place of a grammar error.
    pub complete: bool,
}

/// The kinds of nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Where an operand, a name or a closing bracket is missing.
    Missing,
    /// A string without its quotes and escapes.
    String(String),
    /// A number; the engine knows only 64-bit floating-point ones.
    Number(f64),
    /// `true`, `True`, `false`, `False`.
    Bool(bool),
    /// A name of the context; one that the context does not have is null.
    Name(String),
    /// `[a, 'b']`; the items are atoms, so `[x.y]` is an error.
    List(Vec<Expr>),
    /// `(…)`; as a value it is a boolean, so `len((items))` is 0.
    Group(Box<Expr>),
    /// A function with its arguments.
    Call(Spanned<Function>, Vec<Expr>),
    /// An atom and what is read from it: `reflection_1.goal_status.lower()['x'][0]`.
    Path(Box<Expr>, Vec<Access>),
    /// A comparison or a containment.
    Compare(Box<Expr>, Spanned<Comparison>, Box<Expr>),
    /// `not x`.
    Not(Box<Expr>),
    /// `x and y and z`.
    And(Vec<Expr>),
    /// `x or y or z`.
    Or(Vec<Expr>),
}

/// One step of a path, with the span of all its tokens (the dot or the brackets included).
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// What is read.
    pub kind: AccessKind,
    /// Its tokens.
    pub span: Span,
}

/// What a step of a path reads.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessKind {
    /// `.name`: a property; null where the value is no object or lacks it. A method without parentheses is one.
    Field(Spanned<String>),
    /// `['key']`: the same with any text as key.
    Key(Spanned<String>),
    /// `[0]`: an item of an array, else null.
    Index(Spanned<usize>),
    /// `.method(arguments)`.
    Method(Spanned<Method>, Vec<Expr>),
    /// A dot or a bracket with nothing readable after it.
    Missing,
}

macro_rules! names {
    ($(#[$doc:meta])* $type:ident: $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type { $($(#[$variant_doc])* $variant,)+ }

        impl $type {
            /// All of them, in the order of the engine's messages.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// As it is written in a condition.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The one of that name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.name() == name)
            }
        }
    };
}

names! {
    /// The functions that the engine knows; any other name before `(` is read as a name, and the rest is never read.
    Function:
    /// Whole number of a text, boolean or whole number; 0 for everything else, numbers written in a condition included.
    Int = "int",
    /// Text; of null the empty one.
    Str = "str",
    /// Bytes of a text, items of an array, keys of an object; else 0.
    Len = "len",
    /// Truth.
    Bool = "bool",
    /// Number of a text, boolean or number; else 0.
    Float = "float",
    /// The least of two or more.
    Min = "min",
    /// The greatest of two or more.
    Max = "max",
}

names! {
    /// The methods that the engine knows. They work on the text of scalars, null being the empty one; on arrays and
    /// objects they are an error.
    Method:
    /// Without white space at both ends.
    Strip = "strip",
    /// Without white space at the start.
    Lstrip = "lstrip",
    /// Without white space at the end.
    Rstrip = "rstrip",
    /// In lower case.
    Lower = "lower",
    /// In upper case.
    Upper = "upper",
    /// Each word with a capital.
    Title = "title",
    /// Whether it starts with a text.
    Startswith = "startswith",
    /// Whether it ends with a text.
    Endswith = "endswith",
    /// With every occurrence of a text replaced.
    Replace = "replace",
    /// The parts between occurrences of a text, or the words.
    Split = "split",
    /// The texts of an array with this one between them.
    Join = "join",
    /// How often a text occurs.
    Count = "count",
    /// Where a text occurs first, in bytes, or -1 — which is true, as every number but 0.
    Find = "find",
}

names! {
    /// The operators between two values.
    Comparison:
    /// Loose equality: `1 == '1'`, `true == 'true'`.
    Equal = "==",
    /// Its opposite.
    NotEqual = "!=",
    /// Order; false for values that have none.
    Less = "<",
    /// Order or equality.
    LessOrEqual = "<=",
    /// Order.
    Greater = ">",
    /// Order or equality.
    GreaterOrEqual = ">=",
    /// Substring of a text, item of an array; false in anything else, the keys of an object included.
    In = "in",
    /// Its opposite.
    NotIn = "not in",
}

/// How the engine calls an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// `Parse error: …`
    Parse,
    /// `Unsafe expression: …`
    Unsafe,
    /// A limit of this crate, not of the engine.
    Limit,
}

/// Why the engine refuses a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    /// The engine's word for it.
    pub kind: ErrorKind,
    /// The token, or the call, that it is about; empty at the end of the text.
    pub span: Span,
    /// The engine's message behind the word. `to_string` gives both, as the engine prints them after
    /// `Condition error: `.
    pub message: String,
}

impl ConditionError {
    fn new(kind: ErrorKind, span: Span, message: String) -> Self {
        Self { kind, span, message }
    }
}

impl std::fmt::Display for ConditionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = match self.kind {
            ErrorKind::Parse => "Parse error: ",
            ErrorKind::Unsafe => "Unsafe expression: ",
            ErrorKind::Limit => "",
        };
        write!(f, "{word}{}", self.message)
    }
}

impl std::error::Error for ConditionError {}

/// Reads a condition.
pub fn parse(text: &str) -> Condition {
    let (expr, stop, rest) = parser::parse(text);
    let (error, constant) = match evaluate::constant(expr.as_ref(), stop.as_ref()) {
        Ok(truth) => (None, truth),
        Err(error) => (Some(error), None),
    };
    Condition { expr, error, rest, constant, stop }
}
