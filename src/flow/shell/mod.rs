//! An abstract shell: runs a script's tree over [`Value`]s and leaves nodes in the graph. It runs nothing.
//!
//! - `list`: lists, pipelines, branches and loops; `redirect`: redirections
//! - `words`: words and expansions; `names`: variables, arrays and files
//! - `command`: simple commands, dispatched by name; `line`: an evaluated one
//! - `builtins`, `print`, `text_tools`, `json_tools` (and `filter`), `helpers`, `agents`, `execute`, `programs`: what they do
//! - `channels`: descriptors, coprocesses, references to names
//! - `test`, `case`, `choice`, `fallback`, `checks`: gates, and what a branch says about a value
//! - `shape`: questions about the form of the tree alone
//! - `effects`: what a list of commands does, as far as gates care

mod agents;
mod builtins;
mod case;
mod channels;
mod checks;
mod choice;
mod command;
mod effects;
mod execute;
mod fallback;
mod filter;
mod helpers;
mod interpreters;
mod json_tools;
mod line;
mod list;
mod names;
mod print;
mod programs;
mod redirect;
mod shape;
mod state;
mod succeeds;
mod test;
mod text_tools;
mod words;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::recipe::{File, FileId, Holes, Parsed, Script};
use crate::syntax::shell::ast;
use crate::text::{Fragment, Span};

use super::{Builder, Effect, NodeId, Options, Place, Value};
pub(crate) use effects::effect_of_script;
pub(crate) use interpreters::run_other;
use state::State;
pub use state::{Output, Write};

/// A script and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// Its file.
    pub file: FileId,
    /// Its text.
    pub fragment: &'a Fragment,
    /// Its tree.
    pub tree: &'a ast::Script,
    /// Its templating.
    pub holes: Holes,
    /// Programs of its inner shells, by the place of their quotes.
    pub programs: &'a [(Span, Script)],
    /// Where trees are kept.
    pub trees: &'a Trees,
}

/// The trees of scripts that an analysis looks at: they stay as long as it goes on.
#[derive(Default)]
pub struct Trees(typed_arena::Arena<Arc<Parsed>>);

impl fmt::Debug for Trees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Trees").field(&self.0.len()).finish()
    }
}

impl<'a> Unit<'a> {
    /// A step's script where it stands.
    pub fn of(file: &File, script: &'a Script, trees: &'a Trees) -> Self {
        Self::within(file.id, script, trees)
    }

    fn within(file: FileId, script: &'a Script, trees: &'a Trees) -> Self {
        let parsed: &'a Arc<Parsed> = trees.0.alloc(script.parsed());
        let (tree, programs) = (&*parsed.tree, &*parsed.programs);
        Self { file, fragment: &script.fragment, tree, holes: script.holes, programs, trees }
    }

    /// The place of all of it.
    pub fn whole(&self) -> Place {
        self.place(Span::new(0, self.fragment.text().len()))
    }

    /// A program inside it, by the place of its quotes or of its body.
    pub fn program(&self, span: Span) -> Option<Self> {
        let (_, script) = self.programs.iter().find(|(at, _)| *at == span)?;
        Some(Self::within(self.file, script, self.trees))
    }

    /// The place of a span of the script.
    pub fn place(&self, span: Span) -> Place {
        Place { file: self.file, span: self.fragment.locate(span) }
    }
}

/// What a script sees of the world around it.
pub trait Environment<'a> {
    /// An environment variable that the script did not set itself.
    fn variable(&mut self, builder: &mut Builder, name: &str, place: Place) -> Option<Value>;

    /// The value that a template's hole is filled with.
    fn hole(&mut self, builder: &mut Builder, text: &str, place: Place) -> Option<Value>;

    /// A shell script of the repository, by the path as the script writes it.
    fn script(&self, path: &str) -> Option<Unit<'a>>;

    /// A program of the repository in another language.
    fn program(&self, _path: &str) -> Option<&'a File> {
        None
    }
}

/// How a script is started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    /// `set -e` is on.
    pub errexit: bool,
    /// `pipefail` is on.
    pub pipefail: bool,
    /// Its standard output becomes the output of a step.
    pub captured: bool,
    /// Its exit status decides what the caller does.
    pub status_decides: bool,
}

/// What a script leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Its standard output.
    pub stdout: Value,
    /// What it wrote to files of the runner or to any other file, in order.
    pub writes: Vec<Write>,
    /// What is in the files that it wrote, at its end.
    pub files: HashMap<Arc<str>, Value>,
    /// Where the scripts stand that it wrote from here-documents, by their files.
    pub scripts: HashMap<Arc<str>, Place>,
}

/// Most commands that are interpreted in one script, functions and second passes of loops counted each time.
const MOST_COMMANDS: usize = 20_000;
/// Deepest nesting of function calls and child scripts.
const DEEPEST_CALL: usize = 12;
/// Loops that are nested deeper are run once: twice each would double the work with every level.
const DEEPEST_LOOPS: usize = 5;
/// Deepest nesting of lists, words and substitutions.
const DEEPEST_NESTING: usize = 160;

/// The interpreter.
pub struct Shell<'a, 'e> {
    pub(crate) builder: &'e mut Builder,
    pub(crate) environment: &'e mut dyn Environment<'a>,
    pub(crate) options: &'e Options,
    unit: Unit<'a>,
    state: State<'a>,
    start: Start,
    commands: usize,
    calls: usize,
    /// Names of the functions that are running, outermost first.
    running: Vec<&'a str>,
    nesting: usize,
    /// Loops around the command that is being run.
    loops: usize,
    /// Texts that are known to be missing in the branch that is being run, the innermost last, each with the variable
    /// that was tested.
    absent: Vec<(Option<&'a str>, Value)>,
    /// What follows the command that is being run, up to the end of the script.
    after: Effect,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Status {
    /// The node whose truth is the exit status; `None` where it tells nothing.
    pub node: Option<NodeId>,
    /// The script does not go on behind it.
    pub exits: bool,
}

impl Status {
    fn of(node: Option<NodeId>) -> Self {
        Self { node, exits: false }
    }
}

impl<'a, 'e> Shell<'a, 'e> {
    fn new(
        builder: &'e mut Builder,
        environment: &'e mut dyn Environment<'a>,
        options: &'e Options,
        unit: Unit<'a>,
        start: Start,
    ) -> Self {
        Self {
            builder,
            environment,
            options,
            unit,
            state: State::new(start),
            start,
            commands: 0,
            calls: 0,
            running: Vec::new(),
            nesting: 0,
            loops: 0,
            absent: Vec::new(),
            after: Effect { passes: true, ..Effect::default() },
        }
    }
}

/// Runs a script.
pub fn run<'a>(
    builder: &mut Builder,
    environment: &mut dyn Environment<'a>,
    options: &Options,
    unit: Unit<'a>,
    start: Start,
) -> Outcome {
    let mut shell = Shell::new(builder, environment, options, unit, start);
    shell.run_whole(&unit.tree.body);
    shell.finish()
}
