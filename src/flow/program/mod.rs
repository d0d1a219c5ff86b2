//! An abstract JavaScript: runs a program over [`Item`]s and leaves nodes in the graph. It runs nothing.
//!
//! - `item`: abstract values
//! - `statements`: blocks, branches, loops; `caught`: `try`
//! - `expressions`: what an expression is
//! - `truth`: what a test asks
//! - `members`, `calls`, `methods`: what is read of a value, and what known functions do
//! - `effects`: what statements do, as far as gates care
//!
//! Texts of agents are `process.env.X` and `${{ x }}` as the surroundings say (scripts in workflows), and what the calls
//! of Sandcastle and Outpost return (`.stdout`, `.text`, turns). The typed output of these libraries' own contracts is
//! validated before anybody sees it: it is extracted, and never missing. Texts are followed through the functions of the
//! file and not into other files.

mod calls;
mod caught;
mod effects;
mod expressions;
mod item;
mod members;
mod methods;
mod statements;
#[cfg(test)]
mod tests;
mod truth;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::shell::Environment;
use super::{Builder, Effect, Name, NodeId, NodeKind, Place, Value};
use crate::recipe::dialects::program::Apis;
use crate::recipe::{File, FileId};
use crate::syntax::expression;
use crate::syntax::typescript::{self, Function, Grammar, Program, Visit, walk};
use crate::text::{Fragment, Span};
use item::{Item, Library};

/// Most statements and expressions that are run in one program, calls and second rounds of loops counted each time.
const MOST_STEPS: usize = 60_000;
/// Deepest nesting of calls.
const DEEPEST_CALL: usize = 10;

/// What a program leaves behind for the runner of a workflow.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// `core.setOutput(name, value)`, in order.
    pub outputs: Vec<(Arc<str>, Value, Place)>,
    /// `core.exportVariable(name, value)`, in order.
    pub variables: Vec<(Arc<str>, Value, Place)>,
    /// Texts written to files of the runner (`GITHUB_OUTPUT`, `GITHUB_ENV`), in order.
    pub written: Vec<(Arc<str>, Value, Place)>,
    /// What is in the files that it wrote by a literal path.
    pub files: HashMap<Arc<str>, Value>,
    /// What the program returns: `outputs.result` of `actions/github-script`.
    pub result: Value,
}

/// Runs a TypeScript or JavaScript file.
pub fn run_file(builder: &mut Builder, file: &File) {
    let program = typescript::parse(&file.source.text, Grammar::of(&file.source.path));
    let mut nothing = super::Nothing;
    let surroundings = Surroundings { environment: &mut nothing, text: &file.source.text };
    Machine::new(builder, surroundings, &program, file.id, None).run();
}

/// Runs a JavaScript file that a script of a workflow starts. `environment` answers `process.env.NAME`,
/// `file:PATH` for what is read from a file, and `argument:NUMBER` for `process.argv`, the first argument being 0.
pub(crate) fn run_program(builder: &mut Builder, environment: &mut dyn Environment<'_>, file: &File) -> Outcome {
    let program = typescript::parse(&file.source.text, Grammar::of(&file.source.path));
    let mut environment = Adapter(environment);
    let surroundings = Surroundings { environment: &mut environment, text: &file.source.text };
    Machine::new(builder, surroundings, &program, file.id, None).run()
}

/// Runs JavaScript that stands in another file, such as the `script` of `actions/github-script`. `environment` answers
/// `process.env.NAME` and the text between the braces of `${{ … }}`, which is pasted before the program is read.
pub fn run_script(
    builder: &mut Builder,
    environment: &mut dyn Environment<'_>,
    file: FileId,
    fragment: &Fragment,
) -> Outcome {
    let holes: Vec<_> = expression::holes(fragment.text()).into_iter().map(|hole| hole.span.range()).collect();
    let program = typescript::parse_with_holes(fragment.text(), Grammar::TypeScript, &holes);
    let mut environment = Adapter(environment);
    let surroundings = Surroundings { environment: &mut environment, text: fragment.text() };
    Machine::new(builder, surroundings, &program, file, Some(fragment)).run()
}

/// Where the holes of a program begin that stand for an expression, and not in a string or a comment.
pub(crate) fn expression_holes(text: &str) -> HashSet<usize> {
    let holes: Vec<_> = expression::holes(text).into_iter().map(|hole| hole.span.range()).collect();
    let program = typescript::parse_with_holes(text, Grammar::TypeScript, &holes);
    let mut found = HashSet::new();
    walk(&program, &mut |visit| {
        if let Visit::Expression(expression) = visit
            && matches!(expression.kind, typescript::ExpressionKind::Hole)
        {
            found.insert(expression.span.start);
        }
    });
    found
}

/// What a program sees of the world around it.
trait World {
    fn variable(&mut self, builder: &mut Builder, name: &str, place: Place) -> Option<Value>;
    fn hole(&mut self, builder: &mut Builder, text: &str, place: Place) -> Option<Value>;
}

/// The shell's environment without its lifetime.
struct Adapter<'r, 'x>(&'r mut dyn Environment<'x>);

impl World for Adapter<'_, '_> {
    fn variable(&mut self, builder: &mut Builder, name: &str, place: Place) -> Option<Value> {
        self.0.variable(builder, name, place)
    }

    fn hole(&mut self, builder: &mut Builder, text: &str, place: Place) -> Option<Value> {
        self.0.hole(builder, text, place)
    }
}

impl World for super::Nothing {
    fn variable(&mut self, _: &mut Builder, _: &str, _: Place) -> Option<Value> {
        None
    }

    fn hole(&mut self, _: &mut Builder, _: &str, _: Place) -> Option<Value> {
        None
    }
}

/// The world and the program's text.
struct Surroundings<'e> {
    environment: &'e mut dyn World,
    text: &'e str,
}

/// A function that is being run.
#[derive(Debug, Default)]
struct Frame<'a> {
    function: Option<Span>,
    returns: Vec<Item<'a>>,
}

/// The interpreter.
pub(super) struct Machine<'a, 'e> {
    builder: &'e mut Builder,
    world: Surroundings<'e>,
    program: &'a Program,
    apis: Apis<'a>,
    file: FileId,
    fragment: Option<&'e Fragment>,
    /// Values of names, by the place of their declaration.
    names: HashMap<usize, Item<'a>>,
    /// What names were before, newest last.
    log: Vec<(usize, Option<Item<'a>>)>,
    frames: Vec<Frame<'a>>,
    called: HashSet<Span>,
    steps: usize,
    /// Runs whose contract is a text and no object.
    texts: HashSet<Span>,
    /// One source per run and property.
    sources: HashMap<(Library, Span, String), NodeId>,
    outcome: Outcome,
    /// What statements and expressions do, by their places.
    effects: RefCell<HashMap<(Span, bool), Effect>>,
}

impl<'a, 'e> Machine<'a, 'e> {
    fn new(
        builder: &'e mut Builder,
        world: Surroundings<'e>,
        program: &'a Program,
        file: FileId,
        fragment: Option<&'e Fragment>,
    ) -> Self {
        Self {
            builder,
            world,
            program,
            apis: Apis::new(program),
            file,
            fragment,
            names: HashMap::new(),
            log: Vec::new(),
            frames: Vec::new(),
            called: HashSet::new(),
            steps: 0,
            texts: HashSet::new(),
            sources: HashMap::new(),
            outcome: Outcome::default(),
            effects: RefCell::default(),
        }
    }

    fn run(mut self) -> Outcome {
        let program = self.program;
        self.frames.push(Frame::default());
        let controls = self.builder.controls.len();
        self.statements(&program.statements, Effect::default());
        self.builder.controls.truncate(controls);
        let returned = self.frames.pop().map(|frame| frame.returns).unwrap_or_default();
        let mut result = Value::default();
        for item in returned {
            result.join(&item.whole());
        }
        self.outcome.result = result;
        // Functions that nobody calls here are called from elsewhere, with arguments of which nothing is known.
        let mut functions: Vec<&'a Function> = Vec::new();
        walk(program, &mut |visit| {
            if let Visit::Function(function) = visit {
                functions.push(function);
            }
        });
        for function in functions {
            if !self.called.contains(&function.span) {
                self.invoke(function, &[]);
            }
        }
        self.outcome
    }

    /// Counts a step; false when there are no more.
    fn step(&mut self) -> bool {
        self.steps += 1;
        let goes_on = self.steps <= MOST_STEPS && !self.builder.exhausted();
        if !goes_on {
            let place = self.place(Span::at(0));
            self.builder.graph.give_up(place);
        }
        goes_on
    }

    fn place(&self, span: Span) -> Place {
        let span = self.fragment.map_or(span, |fragment| fragment.locate(span));
        Place { file: self.file, span }
    }

    /// Runs a function of the file.
    fn invoke(&mut self, function: &'a Function, arguments: &[Item<'a>]) -> Item<'a> {
        let running = self.frames.iter().any(|frame| frame.function == Some(function.span));
        self.called.insert(function.span);
        if running || self.frames.len() > DEEPEST_CALL || !self.step() {
            return Item::default();
        }
        for (index, (pattern, default)) in function.parameters.iter().enumerate() {
            let item = match (arguments.get(index), default) {
                (Some(item), _) => item.clone(),
                (None, Some(default)) => self.expression(default),
                (None, None) => Item::default(),
            };
            self.bind(pattern, item);
        }
        self.frames.push(Frame { function: Some(function.span), returns: Vec::new() });
        let controls = self.builder.controls.len();
        self.statements(&function.body, Effect::default());
        self.builder.controls.truncate(controls);
        let mut returns = self.frames.pop().map(|frame| frame.returns).unwrap_or_default().into_iter();
        let mut result = returns.next().unwrap_or_default();
        returns.for_each(|item| result.join(&item));
        result
    }

    /// A value that is chosen by the tests that are open.
    fn chosen(&mut self, name: &str, place: Place, item: Item<'a>) -> Item<'a> {
        if self.builder.controls.is_empty() {
            return item;
        }
        // `return`, `?:`, `&&` and methods are no names.
        let named = place.span.len() == name.len();
        let name = if named { name.into() } else { Arc::from("") };
        let value = self.builder.name(Name::Binding(name), place, item.value.clone());
        Item { value, ..item }
    }

    fn set(&mut self, key: usize, item: Item<'a>) {
        let old = self.names.insert(key, item);
        self.log.push((key, old));
    }

    fn rewind(&mut self, mark: usize) -> HashMap<usize, Item<'a>> {
        let mut changes = HashMap::new();
        while self.log.len() > mark {
            let Some((key, old)) = self.log.pop() else { break };
            if let Some(now) = self.names.get(&key) {
                changes.entry(key).or_insert_with(|| now.clone());
            }
            match old {
                Some(old) => self.names.insert(key, old),
                None => self.names.remove(&key),
            };
        }
        changes
    }

    /// Joins what branches left; `exhaustive`: one of them was taken.
    fn merge(&mut self, branches: Vec<HashMap<usize, Item<'a>>>, exhaustive: bool) {
        let mut keys: Vec<usize> = branches.iter().flat_map(|branch| branch.keys().copied()).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let before = self.names.get(&key).cloned();
            let mut values = branches.iter().filter_map(|branch| branch.get(&key).cloned().or_else(|| before.clone()));
            let Some(mut joined) = values.next() else { continue };
            values.for_each(|item| joined.join(&item));
            if !exhaustive && let Some(before) = &before {
                joined.join(before);
            }
            self.set(key, joined);
        }
    }

    /// A node on an item's text.
    fn on(&mut self, kind: NodeKind, span: Span, value: &Value) -> NodeId {
        let place = self.place(span);
        self.builder.on(kind, place, value)
    }
}
