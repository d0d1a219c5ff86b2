//! What the graph is made of: places, trust, and the kinds of node.

use std::sync::Arc;

use super::decision::{Choice, Decision};
use super::place::Place;
use super::sink::{Execution, Misuse, Pasting};

/// Number of a node in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// How far a text can be trusted, from most to least. Where several texts meet, the greatest holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Trust {
    /// Written by the recipe's author or printed by an ordinary tool.
    #[default]
    Clean,
    /// The user's own prose: task descriptions, issue bodies.
    User,
    /// A field that went through the canonical pipeline, a `parse_json` field or a typed output: fine to test by
    /// equality, still untrusted as code or grammar.
    Extracted,
    /// An agent's prose, and anything a text tool cut from it.
    Agent,
}

/// A node: a text, a truth value, or a place where one is used.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands.
    pub place: Place,
    /// Trust of the text that leaves it.
    pub trust: Trust,
    /// What it is made of.
    pub inputs: Vec<Input>,
    /// The text, where it is known without running anything.
    pub literal: Option<Arc<str>>,
}

/// An edge, seen from the node it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The other node.
    pub from: NodeId,
    /// How it takes part.
    pub role: Role,
}

/// How a node takes part in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Its text is (part of) the other's text.
    Data,
    /// It only decided whether the other came to be (an assignment in a branch).
    Control,
}

/// Kinds of node.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// Where a text begins.
    Source(Source),
    /// A name that holds a text.
    Name(Name),
    /// A text goes on unchanged for our purposes: printed, read, trimmed, case-folded, through an unknown command.
    Pass(Pass),
    /// A text tool reads a text. Its node is its output *and* its exit status.
    Text(Box<TextTool>),
    /// The shell or JavaScript matches on or cuts a text. Output and truth value.
    Match(Box<Match>),
    /// A JSON reader reads a text.
    Json(Box<JsonTool>),
    /// `extract-json`
    ExtractJson {
        /// `--require-field F`; the inner `None`: a field that is not known statically.
        require: Option<Option<Arc<str>>>,
    },
    /// `extract-field`
    ExtractField {
        /// `--field F`, where known.
        field: Option<Arc<str>>,
        /// `--default D`.
        default: Option<DefaultValue>,
    },
    /// A normaliser.
    Normalise(Normaliser),
    /// A field of an object: `x.field` of a `parse_json` step or typed output, jq on extracted JSON.
    Field(Arc<str>),
    /// A value that is taken when the input is missing, empty or fails.
    Fallback(Box<Fallback>),
    /// Whether there is any text: `-z`, `-n`, `${#x}`, `len(x)`, truthiness of a whole text.
    Presence {
        /// True when there is none.
        empty: bool,
    },
    /// Equality or order of a whole text and another. Truth value.
    Compare(Compare),
    /// Containment in a condition or expression. Truth value.
    Contains(Box<Contains>),
    /// Truth of a value as such: `condition: x.failed`.
    Truthy {
        /// `not x`
        negated: bool,
    },
    /// `and`, `or`, `not`, `!` over truth values.
    Logic(Logic),
    /// Several texts meet: branches, concatenation.
    Join,
    /// A chain of tests on one subject: `case`, `if … elif … else`.
    Choice(Box<Choice>),
    /// Control flow depends on it, and more than printing follows.
    Decide(Decision),
    /// It is executed.
    Execute(Execution),
    /// It is pasted into program text.
    Paste(Pasting),
    /// It is used where the shell splits it, globs it or reads it as grammar.
    Unquoted(Misuse),
    /// It is an argument of a program that acts (not a decision, unless what came here was chosen by a test).
    Act {
        /// The program.
        program: Arc<str>,
    },
    /// It is shown: a log, stderr, a comment.
    Show,
    /// It is (part of) the prompt of an agent program in a script; the node's literal is the text where it is known.
    Prompt,
    /// Several lines of text are written to a file that the runner reads (`$GITHUB_OUTPUT`, `$GITHUB_ENV`) between
    /// delimiter lines. Its place is where `name<<DELIMITER` is written, its inputs are the text between.
    Framed(Framing),
    /// A schema that the tool never reads. Its place is where the schema is given, which may be in another file.
    IgnoredSchema(IgnoredSchema),
    /// `fromJSON(x)` of a GitHub expression. Its node is the parsed value.
    FromJson {
        /// Why `x` can be empty here, which is an error when it is read; `None` where it is guarded or always there.
        empty: Option<&'static str>,
    },
}

/// A value of several lines in a file of GitHub's runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framing {
    /// `GITHUB_OUTPUT` or `GITHUB_ENV`.
    pub file: Arc<str>,
    /// The name that is set.
    pub name: Arc<str>,
    /// The delimiter where it is the same in every run; `None` where it is made at random.
    pub delimiter: Option<Arc<str>>,
}

/// A schema that its tool ignores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredSchema {
    /// The action or program, as written.
    pub tool: Arc<str>,
    /// What happens instead.
    pub reason: &'static str,
    /// Where the tool is used, if the schema stands elsewhere.
    pub user: Option<Place>,
}

/// Connectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// All.
    And,
    /// Any.
    Or,
    /// Turned round.
    Not,
}

/// What the text of an agent program or action looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AgentForm {
    /// Free prose.
    #[default]
    Prose,
    /// A JSON envelope of the tool around prose (`claude --output-format json`), or a list of events.
    Envelope,
    /// Validated against a schema before anybody sees it.
    Typed,
    /// Typed, and never missing: the library throws where the answer does not hold it.
    Guaranteed,
}

/// Where texts begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// An agent step's answer.
    AgentStep {
        /// The step's id.
        step: Arc<str>,
        /// The output's name.
        output: Arc<str>,
        /// `parse_json`
        parse_json: bool,
        /// `parse_json_required`
        required: bool,
    },
    /// An agent program inside a script.
    AgentCli {
        /// `claude`, `codex`, …
        program: Arc<str>,
        /// What it prints.
        form: AgentForm,
        /// Standard error is mixed into it, or the log echoes the prompt: where.
        merged: Option<Place>,
    },
    /// An output of an agent action, an agent's file, a returned value of an agent library.
    AgentOutput {
        /// The action or library.
        origin: Arc<str>,
        /// The output's name.
        output: Arc<str>,
        /// What it looks like.
        form: AgentForm,
    },
    /// An output that the agent action does not have, read in an expression: always empty, so it is clean.
    NoSuchOutput {
        /// The action, as `owner/name@ref`.
        origin: Arc<str>,
        /// The output's name as written.
        output: Arc<str>,
        /// The outputs that it has; the first one is what was probably meant.
        known: Vec<Arc<str>>,
        /// Why a known output is empty nevertheless (`structured_output` without a schema).
        reason: Option<&'static str>,
    },
    /// The user's prose.
    User {
        /// The variable.
        name: Arc<str>,
    },
    /// What an ordinary program printed.
    Tool {
        /// The program.
        program: Arc<str>,
        /// It has (or was asked for) a JSON form of what it prints.
        json_form: bool,
    },
}

/// Names that hold texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// A shell or environment variable.
    Variable(Arc<str>),
    /// A name of a JavaScript program; empty for what is returned or chosen without a name.
    Binding(Arc<str>),
    /// A step's output.
    Output(Arc<str>),
    /// A file.
    File(Arc<str>),
}

/// Ways on which a text goes unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// `echo`, `printf '%s'`, `cat`, `tee`, here-strings and here-documents.
    Print,
    /// Only white space or case changes: `tr -d '[:space:]'`, `xargs`, `.trim()`.
    Trim,
    /// The prose was taken out of a command line tool's JSON envelope: `jq -r .result`.
    Envelope,
    /// An unknown command: what goes in may come out.
    Command,
}

/// A text tool.
#[derive(Clone, Debug)]
pub struct TextTool {
    /// Its name as written: `grep`, `awk`, …
    pub tool: Arc<str>,
    /// It looks for patterns (grep, awk, sed, perl, python); `head`, `tail`, `sort`, `wc`, `tr`, `cut` only cut.
    pub pattern_based: bool,
    /// `-F`
    pub fixed: bool,
    /// `-x`
    pub whole_line: bool,
    /// `-v`
    pub inverted: bool,
    /// The patterns or programs; `None` where one is not known.
    pub patterns: Vec<Option<Arc<str>>>,
    /// Only the exit status is used (`-q`).
    pub quiet: bool,
    /// What it prints can only be a number: `wc`, `grep -c`, `tr -dc '0-9'`.
    pub numeric: bool,
    /// What awk takes for the end of a field (`-F`), where it is given and known.
    pub separator: Option<Arc<str>>,
}

/// A match or a cut by the shell or by JavaScript.
#[derive(Clone, Debug)]
pub struct Match {
    /// How.
    pub how: MatchHow,
    /// The patterns, where known.
    pub patterns: Vec<Option<Arc<str>>>,
    /// `!=`, `!`: the truth value is turned round.
    pub negated: bool,
}

/// Ways to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchHow {
    /// `[[ x =~ re ]]`
    Regex,
    /// `[[ x == *glob* ]]`
    Glob,
    /// `case` with glob arms
    Case,
    /// `${x#…}` `${x%…}`
    Strip,
    /// `${x/…}`
    Replace,
    /// A word or line that the shell split off: `read a b`, `${lines[0]}`.
    Piece,
    /// `expr x : re`
    Expr,
    /// JavaScript `.includes`, `.match`, …
    Method(&'static str),
}

/// A JSON reader.
#[derive(Clone, Debug)]
pub struct JsonTool {
    /// `jq`, `python3`, `node`, `JSON.parse`
    pub tool: Arc<str>,
    /// Fields that it reads, where known.
    pub fields: Vec<Arc<str>>,
}

/// The value of a `--default`.
#[derive(Clone, Debug)]
pub struct DefaultValue {
    /// Where known.
    pub literal: Option<Arc<str>>,
    /// Where it is written.
    pub place: Place,
}

/// Normalisers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Normaliser {
    /// `normalise-verdict`
    Verdict,
    /// `normalise-loop-verdict`
    Loop,
    /// `normalise-type`
    Type,
    /// One from the configuration, by the name of its vocabulary.
    Custom(Arc<str>),
}

/// A value for the case that there is none.
#[derive(Clone, Debug)]
pub struct Fallback {
    /// The value, where known.
    pub literal: Option<Arc<str>>,
    /// How it is written.
    pub form: FallbackForm,
    /// Where the fallback itself is written.
    pub place: Place,
    /// It can never be taken: why (`dead-default`).
    pub dead: Option<&'static str>,
}

/// Why a fallback behind a stage that always succeeds is dead: the stage prints a text in any case.
pub const HELPER_SUCCEEDS: &str = "the helper before it always succeeds";

/// Forms of fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FallbackForm {
    /// `${V:-X}`, `${V:=X}`
    Expansion,
    /// `… || echo X`, `… || V=X`
    Or,
    /// jq `// "X"`
    Jq,
    /// `x || 'y'` in a GitHub expression or JavaScript
    Expression,
    /// `catch { v = 'X' }`, `except: print("X")`
    Catch,
    /// `if [ -z "$V" ]; then V=X; fi`
    Empty,
    /// `if [ -z "$V" ]; then W=X; else W=$(… "$V"); fi`: another name is set where there is no text.
    Absent,
}

/// A comparison.
#[derive(Clone, Debug)]
pub struct Compare {
    /// Which.
    pub op: CompareOp,
    /// The other side, where known. For `in [...]` one node per member.
    pub operand: Option<Arc<str>>,
    /// Where the other side is written.
    pub operand_place: Option<Place>,
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// `<`, `-lt`, …
    Order,
}

/// Containment in a condition or expression.
#[derive(Clone, Debug)]
pub struct Contains {
    /// The operator or method as written: `in`, `not in`, `.find`, `contains`.
    pub how: Arc<str>,
    /// What is looked for, where known.
    pub needle: Option<Arc<str>>,
    /// `not in`
    pub negated: bool,
}
