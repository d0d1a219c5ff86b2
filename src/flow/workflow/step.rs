//! One step of a job or of a composite action.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::agents::{Purpose, agent_action, purpose};
use super::expression::plain;
use super::scope::{Ran, Reader, Scope, Text};
use super::surroundings::{Names, prompts};
use super::writes::{self, Set};
use super::{In, Runner, is_status};
use crate::flow::links::local;
use crate::flow::program;
use crate::flow::shell::{self, Start, Trees};
use crate::flow::{Effect, Name, NodeKind, Pasting, Place, Trust, Value};
use crate::recipe::{Action, File, NamedText, Script, Step, Uses};
use crate::syntax::expression::{ExprKind, Hole, holes};
use crate::text::Fragment;

const ACTS: Effect = Effect { prints: false, stops: false, passes: false, again: false, acts: true, sets: false };
const PRINTS: Effect = Effect { prints: true, stops: false, passes: false, again: false, acts: false, sets: false };

/// What a step does, as far as gates care.
pub(super) fn effect_of(file: &File, step: &Step, trees: &Trees) -> Effect {
    match &step.action {
        Action::Script(script) => {
            // A step that ends well lets the job go on, whether it ran or not.
            Effect { passes: false, ..shell::effect_of_script(shell::Unit::of(file, script, trees), false) }
        }
        Action::Uses(uses) if is_github_script(uses) => effect_of_program(uses),
        Action::Uses(uses) if agent_action(&uses.action.value).is_some() => ACTS,
        Action::Uses(uses) => match purpose(&uses.action.value) {
            Purpose::Shows | Purpose::Prepares => PRINTS,
            Purpose::Acts => ACTS,
        },
        Action::Nothing => Effect::default(),
        _ => ACTS,
    }
}

fn is_github_script(uses: &Uses) -> bool {
    uses.action.value.split('@').next().is_some_and(|name| name.eq_ignore_ascii_case("actions/github-script"))
}

fn input<'u>(uses: &'u Uses, name: &str) -> Option<&'u NamedText> {
    uses.with.iter().find(|input| input.name.value.eq_ignore_ascii_case(name))
}

/// A `github-script` body only shows something when all that it calls reads or comments.
fn effect_of_program(uses: &Uses) -> Effect {
    let Some(script) = input(uses, "script") else { return ACTS };
    let text = script.text.text();
    let sets = ["setOutput", "exportVariable", "return "].iter().any(|call| text.contains(call));
    let stops = ["setFailed", "process.exit", "throw "].iter().any(|call| text.contains(call));
    let acts = ["exec.exec", "execSync", "spawn", "graphql", "github.request", "fs.write", "writeFileSync"]
        .iter()
        .any(|call| text.contains(call))
        || text.match_indices(".rest.").any(|(at, _)| {
            let call = text.get(at + 6..).and_then(|rest| rest.split('(').next()).unwrap_or_default();
            let method = call.rsplit('.').next().unwrap_or_default();
            !(method.starts_with("get")
                || method.starts_with("list")
                || matches!(
                    method,
                    "createComment" | "updateComment" | "deleteComment" | "createReplyForReviewComment"
                ))
        });
    Effect { prints: true, stops, passes: false, again: false, acts, sets }
}

impl<'a> Runner<'a, '_> {
    pub(super) fn step(&mut self, file: &'a File, step: &'a Step, scope: &mut Scope, outer: &Reader) {
        // The runner evaluates a step's `env` before its `if`, so the condition guards nothing in it.
        let before = Reader { always: false, ..outer.clone() };
        let env = self.variables(In { file, scope }, &step.env, &before);
        let replaced: Vec<(Arc<str>, Option<Text>)> =
            env.into_iter().map(|(name, text)| (name.clone(), scope.env.insert(name, text))).collect();
        let (node, reader) = match &step.condition {
            Some(guard) => self.guard(In { file, scope }, guard, &before, effect_of(file, step, self.trees)),
            None => (None, before),
        };
        let (mut ran, set) = self.under(node, |runner| {
            let mut other = None;
            for text in &step.texts {
                match &step.action {
                    Action::Other(program) if text.name.value == "run" => {
                        let pasting = Pasting::Program(program.as_str().into());
                        runner.pasted(file, &text.text, scope, &reader, &pasting);
                        other = Some(runner.other(file, &text.text, program, scope));
                    }
                    _ => {
                        runner.text(In { file, scope }, &text.text, &reader);
                    }
                }
            }
            match &step.action {
                Action::Script(script) => runner.script(file, step, script, scope, &reader),
                Action::Uses(uses) => runner.uses(file, uses, scope, &reader),
                _ => other.unwrap_or_default(),
            }
        });
        for (name, old) in replaced {
            match old {
                Some(old) => scope.env.insert(name, old),
                None => scope.env.remove(&name),
            };
        }
        for Set { name, value, place, conditional } in set {
            let value = self.builder.name(Name::Variable(name.clone()), place, value);
            insert(&mut scope.env, name, value, conditional || may_be_skipped(step));
        }
        keep(&mut scope.files, std::mem::take(&mut ran.files), step);
        ran.continues = step.continue_on_error;
        if may_be_skipped(step) {
            ran.conditions = reader.holds.iter().filter(|held| !outer.holds.contains(held)).cloned().collect();
            // The last one is the whole condition: the parts say the same.
            if ran.conditions.len() > 1 {
                ran.conditions.pop();
            }
            ran.conditions.retain(|condition| !is_status(condition));
        }
        if let Some(id) = &step.id {
            scope.steps.insert(id.value.to_ascii_lowercase(), ran);
        }
    }

    fn script(
        &mut self,
        file: &'a File,
        step: &'a Step,
        script: &'a Script,
        scope: &mut Scope,
        reader: &Reader,
    ) -> (Ran, Vec<Set>) {
        let pasted = self.pasted(file, &script.fragment, scope, reader, &Pasting::Run);
        let first = self.builder.graph.len();
        let mut names = Names::new(self.builder, scope, &pasted, self.index, self.trees, file);
        let start = Start {
            errexit: script.errexit,
            pipefail: script.pipefail,
            captured: false,
            status_decides: !step.continue_on_error,
        };
        let unit = shell::Unit::of(file, script, self.trees);
        let outcome = shell::run(self.builder, &mut names, self.options, unit, start);
        scope.told.extend(prompts(self.builder, first));
        scope.scripts.extend(outcome.scripts);
        let (ran, set) = self.handed_on(file, &script.fragment, &outcome.writes);
        (Ran { files: outcome.files, ..ran }, set)
    }

    /// A script in another language.
    fn other(&mut self, file: &'a File, text: &'a Fragment, program: &str, scope: &mut Scope) -> (Ran, Vec<Set>) {
        let known = ["python", "node", "deno", "bun", "perl", "ruby", "pwsh", "powershell"];
        let program = program.split(',').next().unwrap_or_default();
        if !known.iter().any(|name| program.starts_with(name)) {
            return Default::default();
        }
        let mut names = Names::new(self.builder, scope, &[], self.index, self.trees, file);
        let outcome = shell::run_other(self.builder, &mut names, self.options, file.id, text, self.trees, program);
        let (ran, set) = self.handed_on(file, text, &outcome.writes);
        (Ran { files: outcome.files, ..ran }, set)
    }

    /// What a script wrote for later steps: outputs, and variables of the job.
    fn handed_on(&mut self, file: &File, text: &Fragment, writes: &[shell::Write]) -> (Ran, Vec<Set>) {
        let written = |start: &str, place: Place| {
            let from = text.offset_of(place.span.start).filter(|_| place.file == file.id);
            let at = from.and_then(|from| text.text().get(from..)?.find(start).map(|at| from + at));
            at.map_or(place, |at| Place { span: text.locate(at..at + start.len()), ..place })
        };
        let mut outputs: HashMap<String, Text> = HashMap::new();
        let set = writes::values(self.builder, writes, "GITHUB_OUTPUT", &written);
        for Set { name, value, place, conditional } in set {
            let value = self.builder.name(Name::Output(name.clone()), place, value);
            insert(&mut outputs, name.to_ascii_lowercase(), value, conditional);
        }
        let set = writes::values(self.builder, writes, "GITHUB_ENV", &written);
        (Ran { outputs, ..Ran::default() }, set)
    }

    fn uses(&mut self, file: &'a File, uses: &'a Uses, scope: &mut Scope, reader: &Reader) -> (Ran, Vec<Set>) {
        if is_github_script(uses) {
            return self.program(file, uses, scope, reader);
        }
        let inputs = self.inputs(In { file, scope }, &uses.with, reader);
        if let Some(action) = agent_action(&uses.action.value) {
            return (self.agent(file, uses, action, &inputs, scope), Vec::new());
        }
        if let Some(callee) = local(self.index, file, uses) {
            return (Ran { outputs: self.action(callee, inputs, scope), ..Ran::default() }, Vec::new());
        }
        match uses.action.value.split('@').next() {
            Some("actions/upload-artifact") => self.artifacts.upload(&inputs, &uses.with, scope),
            Some("actions/download-artifact") => self.artifacts.download(&inputs, scope),
            _ => {}
        }
        let shows = purpose(&uses.action.value) == Purpose::Shows;
        for named in &uses.with {
            let Some(text) = inputs.get(&named.name.value.to_ascii_lowercase()) else { continue };
            if !text.value.is_plain() {
                let kind =
                    if shows { NodeKind::Show } else { NodeKind::Act { program: uses.action.value.as_str().into() } };
                self.builder.on(kind, Place { file: file.id, span: named.text.span() }, &text.value);
            }
        }
        (Ran::default(), Vec::new())
    }

    /// `actions/github-script`
    fn program(&mut self, file: &'a File, uses: &'a Uses, scope: &mut Scope, reader: &Reader) -> (Ran, Vec<Set>) {
        for named in uses.with.iter().filter(|named| !named.name.value.eq_ignore_ascii_case("script")) {
            self.text(In { file, scope }, &named.text, reader);
        }
        let Some(script) = input(uses, "script") else { return (Ran::default(), Vec::new()) };
        let pasted = self.pasted(file, &script.text, scope, reader, &Pasting::JavaScript);
        let mut names = Names::new(self.builder, scope, &pasted, self.index, self.trees, file);
        let outcome = program::run_script(self.builder, &mut names, file.id, &script.text);
        let mut outputs = HashMap::new();
        for (name, value, place) in outcome.outputs {
            let value = self.builder.name(Name::Output(name.clone()), place, value);
            insert(&mut outputs, name.to_ascii_lowercase(), value, false);
        }
        let writes: Vec<shell::Write> = outcome
            .written
            .into_iter()
            .map(|(file, value, place)| {
                let controls = self.builder.controls.clone();
                shell::Write { file, value, place, controls, parts: Vec::new() }
            })
            .collect();
        let (written, mut more) = self.handed_on(file, &script.text, &writes);
        outputs.extend(written.outputs);
        if !outcome.result.is_plain() {
            outputs.insert("result".to_owned(), Text::of(outcome.result));
        }
        let set = outcome.variables.into_iter();
        more.extend(set.map(|(name, value, place)| Set { name, value, place, conditional: false }));
        let set = more;
        (Ran { outputs, files: outcome.files, ..Ran::default() }, set)
    }

    /// The holes of a program's text with what is pasted there. A comment is no safe place either: a line break ends it.
    fn pasted(
        &mut self,
        file: &File,
        text: &Fragment,
        scope: &Scope,
        reader: &Reader,
        how: &Pasting,
    ) -> Vec<(Place, Value)> {
        let holes = holes(text.text());
        let as_json = |hole: &Hole| match hole.expression.expr.as_ref().map(|expr| &expr.kind) {
            Some(ExprKind::Call(name, _)) => name.value == "tojson",
            _ => false,
        };
        let constants = if *how == Pasting::JavaScript && holes.iter().any(as_json) {
            program::expression_holes(text.text())
        } else {
            HashSet::new()
        };
        holes
            .iter()
            .map(|hole| {
                let place = Place { file: file.id, span: text.locate(hole.span) };
                let value = self.evaluator(In { file, scope }, text, reader).hole(hole).value;
                // JSON is JavaScript where an expression stands, but not inside a string.
                let constant = as_json(hole) && constants.contains(&hole.span.start);
                if !constant && self.builder.trust(&value) >= Trust::Extracted {
                    self.builder.on(NodeKind::Paste(how.clone()), place, &value);
                }
                (place, value)
            })
            .collect()
    }
}

/// Files that a step wrote in the job's workspace.
fn keep(into: &mut HashMap<Arc<str>, Value>, files: HashMap<Arc<str>, Value>, step: &Step) {
    for (key, value) in files.into_iter().filter(|(key, _)| !key.starts_with("$GITHUB_")) {
        match into.get_mut(&key) {
            Some(old) if may_be_skipped(step) => old.join(&value),
            _ => {
                into.insert(key, value);
            }
        }
    }
}

/// Whether a step may not run in a job that goes on: what it would have replaced may stay.
fn may_be_skipped(step: &Step) -> bool {
    step.condition.as_ref().is_some_and(|guard| !is_status(&plain(guard.text.text())))
}

/// Sets a name; where it is set in a branch only, the old value may stay.
fn insert<K: std::hash::Hash + Eq>(into: &mut HashMap<K, Text>, name: K, value: Value, conditional: bool) {
    match into.get_mut(&name) {
        Some(old) if conditional => {
            old.value.join(&value);
            old.schema = None;
        }
        _ => {
            into.insert(name, Text::of(value));
        }
    }
}
