//! The tree of a bash script.
//!
//! All spans are byte ranges of the *decoded script text* that was parsed (not of the file): the owner of the script
//! maps them with its [`Fragment`](crate::text::Fragment). Parsing never fails; what could not be read stands in
//! [`Script::errors`] and the rest of the script keeps its tree.

use crate::text::{Span, SyntaxError};

/// A parsed script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The top-level list.
    pub body: List,
    /// Comments in order, the `#` included.
    pub comments: Vec<Span>,
    /// What `bash -n` would refuse, and a script that is too deep or too long.
    pub errors: Vec<SyntaxError>,
}

/// A sequence of and-or lists (a program, a branch, a loop body, a substitution).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// In source order.
    pub items: Vec<AndOr>,
    /// From the first to the last item; empty at the place of an absent list.
    pub span: Span,
}

/// Pipelines joined by `&&` and `||`, ended by `;`, a newline or `&`.
#[derive(Clone, Debug, PartialEq)]
pub struct AndOr {
    /// The first pipeline.
    pub first: Pipeline,
    /// What follows, each with the operator before it.
    pub rest: Vec<(AndOrOp, Pipeline)>,
    /// Ended by `&`.
    pub background: bool,
    /// The whole list.
    pub span: Span,
}

/// `&&` or `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AndOrOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` or `|&`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// `!` stands before it.
    pub negated: bool,
    /// At least one. `stderr_too[i]` tells whether the pipe *after* command `i` is `|&`.
    pub commands: Vec<Command>,
    /// One entry per pipe.
    pub stderr_too: Vec<bool>,
    /// The whole pipeline, the `!` included.
    pub span: Span,
}

/// One command with its redirections.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// What kind of command.
    pub kind: CommandKind,
    /// In source order. Those of a simple command may stand between its words.
    pub redirects: Vec<Redirect>,
    /// The whole command with its redirections, here-document bodies excluded.
    pub span: Span,
}

/// The kinds of command.
#[derive(Clone, Debug, PartialEq)]
pub enum CommandKind {
    /// Assignments, a name and arguments. `declare`/`export`/`local`/`readonly`/`typeset` are simple commands too:
    /// their `name=value` arguments (arrays included) stand in `declared`.
    Simple(Simple),
    /// `if … then … elif … else … fi`
    If(Box<If>),
    /// `while` and `until`
    While(Box<While>),
    /// `for x in …`, and `select`
    For(Box<For>),
    /// `for ((a; b; c))`
    ArithmeticFor(Box<ArithmeticFor>),
    /// `case … esac`
    Case(Box<Case>),
    /// `( … )`
    Subshell(Box<List>),
    /// `{ …; }`
    Group(Box<List>),
    /// `(( … ))`
    Arithmetic(Word),
    /// `[[ … ]]`
    Test(Box<TestExpr>),
    /// `name() …` and `function name …`
    Function(Box<Function>),
    /// `coproc …`
    Coproc(Box<Command>),
    /// Text that could not be read; an error stands in [`Script::errors`].
    Unreadable,
}

/// A simple command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simple {
    /// `A=1 B=2` before the name (or alone).
    pub assignments: Vec<Assignment>,
    /// The name and the arguments. Empty where there are only assignments or redirections.
    pub words: Vec<Word>,
    /// `name=value` arguments of a declaration builtin. Each has a place in `words` too, but only the literal `name=`
    /// there: the value stands here alone, so that nothing is in the tree twice.
    pub declared: Vec<Assignment>,
}

/// `name=value`, `name+=value`, `name[i]=value`, `name=(…)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// Place of the name.
    pub name_span: Span,
    /// `name[index]`
    pub index: Option<Word>,
    /// `+=`
    pub append: bool,
    /// What is assigned.
    pub value: AssignValue,
    /// The whole assignment.
    pub span: Span,
}

/// The right side of an assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum AssignValue {
    /// A word, perhaps empty.
    Word(Word),
    /// `(a b [k]=c)`: optional index and value of each element.
    Array(Vec<(Option<Word>, Word)>),
}

/// A word: what becomes one argument (or several, after splitting).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// In source order, neighbouring literals not merged across quotes.
    pub parts: Vec<WordPart>,
    /// The whole word.
    pub span: Span,
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq)]
pub struct WordPart {
    /// What it is.
    pub kind: PartKind,
    /// Its place, quotes included.
    pub span: Span,
}

/// Kinds of parts.
#[derive(Clone, Debug, PartialEq)]
pub enum PartKind {
    /// Unquoted text after removal of backslashes.
    Literal(String),
    /// `'…'`, the text without the quotes.
    SingleQuoted(String),
    /// `$'…'`, the text with its escapes decoded.
    AnsiQuoted(String),
    /// `"…"` and `$"…"`: literals, expansions and holes.
    DoubleQuoted(Vec<WordPart>),
    /// `$name`, `$1`, `$?`, `${…}`
    Parameter(Box<Parameter>),
    /// `$(…)` and `` `…` `` (backquotes carry a tree of their own, its spans in this script).
    Substitution(Box<Substitution>),
    /// `$((…))` and `$[…]`: the text between, as a word of literals and expansions.
    Arithmetic(Word),
    /// `<(…)` and `>(…)`
    Process(Box<ProcessSubstitution>),
    /// `{{name}}`: a place that the engine fills in before bash reads the script. Where one stands inside single
    /// quotes, the quoted text is a [`PartKind::DoubleQuoted`]-like list kept in [`PartKind::SingleQuotedWithHoles`].
    Hole(Hole),
    /// `'… {{x}} …'`: literals and holes.
    SingleQuotedWithHoles(Vec<WordPart>),
    /// A glob or brace character outside quotes: `*`, `?`, `[…]`, `{a,b}`, `~`; the raw text. An extended glob's
    /// opening `@(`, its bars and its `)` are parts of their own, what stands between them too. On the right of `=~` all
    /// unquoted text is a pattern, backslashes kept.
    Pattern(String),
}

/// `{{name}}` of a template, or `${{ expression }}` of GitHub Actions (see [`HoleKind`]).
#[derive(Clone, Debug, PartialEq)]
pub struct Hole {
    /// The text between the braces, untrimmed.
    pub text: String,
    /// Which templating it belongs to.
    pub kind: HoleKind,
}

/// Templating systems that leave holes in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleKind {
    /// `{{name}}`
    Template,
    /// `${{ expression }}`
    Expression,
}

/// A parameter expansion.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name, digit(s) or special character (`@ * # ? - $ ! _`).
    pub name: String,
    /// Place of the name.
    pub name_span: Span,
    /// `[index]`, raw (`@`, `*`, arithmetic).
    pub index: Option<Word>,
    /// `${!x…}`: the value names the variable meant. Also set beside an operator, where [`ParameterOp::Indirect`] is not.
    pub indirect: bool,
    /// What is done with the value.
    pub op: ParameterOp,
}

/// Operators of `${…}`.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterOp {
    /// `$x`, `${x}`
    Plain,
    /// `${#x}`
    Length,
    /// `${!x}`
    Indirect,
    /// `${!prefix*}`, `${!x[@]}`
    Names,
    /// `:-` `-`: the word is taken when unset (or empty with the colon).
    Default {
        /// With `:`.
        colon: bool,
        /// The fallback.
        word: Word,
    },
    /// `:=` `=`
    Assign {
        /// With `:`.
        colon: bool,
        /// The fallback.
        word: Word,
    },
    /// `:?` `?`
    Error {
        /// With `:`.
        colon: bool,
        /// The message.
        word: Word,
    },
    /// `:+` `+`
    Alternative {
        /// With `:`.
        colon: bool,
        /// What replaces a set value.
        word: Word,
    },
    /// `#` `##` `%` `%%`
    Strip {
        /// `%`
        suffix: bool,
        /// Doubled.
        longest: bool,
        /// The glob.
        pattern: Word,
    },
    /// `/` `//` `/#` `/%`
    Replace {
        /// `//`
        all: bool,
        /// `#` or `%` after the slash.
        anchor: Option<char>,
        /// The glob.
        pattern: Word,
        /// What replaces it; `None` without the second slash.
        with: Option<Word>,
    },
    /// `${x:offset:length}`, raw arithmetic words.
    Slice {
        /// Start.
        offset: Word,
        /// Length.
        length: Option<Word>,
    },
    /// `^` `^^` `,` `,,` `~` `~~`, with the operator's text.
    Case(String),
    /// `@Q`, `@E`, …
    Transform(char),
}

/// A command substitution.
#[derive(Clone, Debug, PartialEq)]
pub struct Substitution {
    /// The commands inside.
    pub body: List,
    /// Written with backquotes.
    pub backquoted: bool,
}

/// A process substitution.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessSubstitution {
    /// `>(…)` instead of `<(…)`.
    pub output: bool,
    /// The commands inside.
    pub body: List,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq)]
pub struct Redirect {
    /// `2` of `2>`; `None` where the default holds. `{fd}>` gives `None` too.
    pub fd: Option<u32>,
    /// Operator and target.
    pub kind: RedirectKind,
    /// Operator and target (for a here-document: operator and delimiter).
    pub span: Span,
}

/// Kinds of redirection.
#[derive(Clone, Debug, PartialEq)]
pub enum RedirectKind {
    /// `<`
    Input(Word),
    /// `>` `>|`
    Output(Word),
    /// `>>`
    Append(Word),
    /// `&>` `>&file`
    OutputAndError(Word),
    /// `&>>`
    AppendOutputAndError(Word),
    /// `<>`
    ReadWrite(Word),
    /// `<&n`
    DuplicateInput(Word),
    /// `>&n`
    DuplicateOutput(Word),
    /// `<<` and `<<-`
    HereDocument(HereDocument),
    /// `<<<`
    HereString(Word),
}

/// A here-document.
#[derive(Clone, Debug, PartialEq)]
pub struct HereDocument {
    /// The delimiter without quotes.
    pub delimiter: String,
    /// A part of the delimiter was quoted: nothing is expanded in the body, but the engine pastes raw values there.
    pub quoted: bool,
    /// `<<-`
    pub strip_tabs: bool,
    /// The body: literals, holes and (unless quoted) expansions. Its span covers the body's lines, delimiter excluded.
    pub body: Word,
    /// The delimiter line was found.
    pub closed: bool,
}

/// An `if`.
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// Condition and body of `if` and of each `elif`.
    pub branches: Vec<(List, List)>,
    /// `else`
    pub otherwise: Option<List>,
}

/// A `while` or `until` loop.
#[derive(Clone, Debug, PartialEq)]
pub struct While {
    /// `until`
    pub until: bool,
    /// The condition.
    pub condition: List,
    /// The body.
    pub body: List,
}

/// A `for` or `select` loop over words.
#[derive(Clone, Debug, PartialEq)]
pub struct For {
    /// `select`
    pub select: bool,
    /// The variable.
    pub variable: String,
    /// Place of the variable.
    pub variable_span: Span,
    /// `None` without `in`: the positional parameters.
    pub words: Option<Vec<Word>>,
    /// The body.
    pub body: List,
}

/// `for ((…;…;…))`
#[derive(Clone, Debug, PartialEq)]
pub struct ArithmeticFor {
    /// The three expressions as one word (literals and expansions).
    pub header: Word,
    /// The body.
    pub body: List,
}

/// A `case`.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What is matched.
    pub subject: Word,
    /// In source order.
    pub arms: Vec<CaseArm>,
    /// Place of the word `case`.
    pub keyword: Span,
}

/// One arm of a `case`.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseArm {
    /// The alternatives.
    pub patterns: Vec<Word>,
    /// The commands.
    pub body: List,
    /// How it ends.
    pub end: CaseEnd,
    /// From the first pattern to the terminator.
    pub span: Span,
}

/// `;;`, `;&` or `;;&`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseEnd {
    /// `;;` (or the last arm without a terminator)
    Break,
    /// `;&`
    FallThrough,
    /// `;;&`
    Continue,
}

/// An expression of `[[ … ]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct TestExpr {
    /// What it is.
    pub kind: TestKind,
    /// Its place.
    pub span: Span,
}

/// Kinds of test expression.
#[derive(Clone, Debug, PartialEq)]
pub enum TestKind {
    /// `!`
    Not(Box<TestExpr>),
    /// `&&`
    And(Box<TestExpr>, Box<TestExpr>),
    /// `||`
    Or(Box<TestExpr>, Box<TestExpr>),
    /// `-n x`, `-f x`, …: the operator's text.
    Unary(String, Word),
    /// `a == b`, `a =~ b`, `a -lt b`, …: the operator's text. The right side of `==`, `!=`, `=`, `=~` is a pattern.
    Binary(Word, String, Word),
    /// A word alone.
    Word(Word),
    /// Could not be read.
    Unreadable,
}

/// A function definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Place of the name.
    pub name_span: Span,
    /// The body.
    pub body: Command,
}
