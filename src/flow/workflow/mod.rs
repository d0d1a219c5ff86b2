//! GitHub workflows: jobs in the order of `needs`, steps in order, reusable workflows and composite actions of the same
//! repository with the inputs that they are called with.
//!
//! - `agents`: what agent actions answer; `structure`: whether they were asked for an object
//! - `scope`, `contexts`, `expression`, `lists`: contexts, what is read of them, and expressions
//! - `step`: what one step does; `writes`: what a script hands on

mod agents;
mod artifacts;
mod ask;
mod contexts;
mod expression;
mod lists;
mod scope;
mod step;
mod structure;
mod surroundings;
#[cfg(test)]
mod tests;
mod writes;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::links::local;
use super::shell::Trees;
use super::{
    Builder, Decision, DecisionForm, Effect, Input, Name, NodeId, NodeKind, Options, Place, Role, Source, Value,
};
use crate::recipe::{Dialect, File, Guard, Index, Job, NamedText};
use crate::text::Fragment;
use artifacts::Artifacts;
use expression::{Evaluator, plain};
use scope::{Done, Reader, Scope, Text};

/// Deepest nesting of reusable workflows and composite actions (GitHub's own limit is 10).
const DEEPEST_CALL: usize = 10;
/// Most workflows and actions that are run in one group, each call counted.
const MOST_RUNS: usize = 400;

/// Whether any file of a group may run an agent; if not, there is nothing to follow.
pub(super) fn may_run_agent(file: &File) -> bool {
    agents::may_run_agent(&file.source.text)
}

/// Runs workflows into one graph.
pub(super) struct Runner<'a, 'b> {
    builder: &'b mut Builder,
    index: &'a Index,
    options: &'b Options,
    trees: &'a Trees,
    /// Places of outputs that do not exist, so that each is told once.
    told: HashSet<Place>,
    artifacts: Artifacts,
    depth: usize,
    runs: usize,
}

/// What is the same for all texts of a file.
#[derive(Clone, Copy)]
struct In<'a, 's> {
    file: &'a File,
    scope: &'s Scope,
}

impl<'a, 'b> Runner<'a, 'b> {
    pub fn new(builder: &'b mut Builder, index: &'a Index, options: &'b Options, trees: &'a Trees) -> Self {
        let artifacts = Artifacts::default();
        Self { builder, index, options, trees, told: HashSet::new(), artifacts, depth: 0, runs: 0 }
    }

    /// Runs a workflow or an action that nothing in the repository calls. Without an agent it leaves nothing behind.
    pub fn root(&mut self, file: &'a File) {
        let before = self.builder.graph.len();
        self.artifacts = Artifacts::default();
        match file.dialect {
            Dialect::Workflow => {
                self.workflow(file, HashMap::new());
            }
            Dialect::Action => {
                self.action(file, HashMap::new(), &mut Scope::default());
            }
            _ => {}
        }
        let agent = |kind: &NodeKind| match kind {
            NodeKind::Source(source) => matches!(
                source,
                Source::AgentStep { .. }
                    | Source::AgentCli { .. }
                    | Source::AgentOutput { .. }
                    | Source::NoSuchOutput { .. }
            ),
            NodeKind::Prompt | NodeKind::IgnoredSchema(_) => true,
            _ => false,
        };
        if !self.builder.graph.nodes().skip(before).any(|(_, node)| agent(&node.kind)) {
            self.builder.graph.truncate(before);
        }
    }

    fn evaluator<'e>(&'e mut self, at: In<'_, 'e>, fragment: &'e Fragment, reader: &Reader) -> Evaluator<'e> {
        Evaluator {
            builder: self.builder,
            file: at.file.id,
            fragment,
            scope: at.scope,
            reader: reader.clone(),
            told: &mut self.told,
        }
    }

    fn text(&mut self, at: In<'_, '_>, fragment: &Fragment, reader: &Reader) -> Text {
        self.evaluator(at, fragment, reader).whole()
    }

    /// Values of inputs, with the place of those that are constants.
    fn inputs(&mut self, at: In<'_, '_>, with: &[NamedText], reader: &Reader) -> HashMap<String, Text> {
        with.iter()
            .map(|input| {
                let mut text = self.text(at, &input.text, reader);
                text.place = text.place.or(Some(Place { file: at.file.id, span: input.text.span() }));
                (input.name.value.to_ascii_lowercase(), text)
            })
            .collect()
    }

    /// Environment variables; a later one may read the earlier ones of the outer levels only.
    fn variables(&mut self, at: In<'_, '_>, env: &[NamedText], reader: &Reader) -> Vec<(Arc<str>, Text)> {
        env.iter()
            .map(|entry| {
                let mut text = self.text(at, &entry.text, reader);
                let place = Place { file: at.file.id, span: entry.name.span.to(entry.text.span()) };
                let name: Arc<str> = entry.name.value.as_str().into();
                if !text.value.is_plain() {
                    text.value = self.builder.name(Name::Variable(name.clone()), place, text.value);
                }
                (name, text)
            })
            .collect()
    }

    /// A condition: what holds behind it, and the decision with what it leads to.
    fn guard(&mut self, at: In<'_, '_>, guard: &Guard, outer: &Reader, effect: Effect) -> (Option<NodeId>, Reader) {
        let (node, mut reader) = self.evaluator(at, &guard.text, outer).condition();
        reader.holds.extend(outer.holds.iter().cloned());
        let node = node.map(|(node, span)| {
            let decision = Decision { form: DecisionForm::Guard, when_true: effect, when_false: Effect::default() };
            let place = Place { file: at.file.id, span: guard.text.locate(span) };
            self.builder.graph.add(
                NodeKind::Decide(decision),
                place,
                vec![Input { from: node, role: Role::Data }],
                None,
            );
            node
        });
        (node, reader)
    }

    /// Runs something under a test.
    fn under<T>(&mut self, test: Option<NodeId>, run: impl FnOnce(&mut Self) -> T) -> T {
        let pushed = test.is_some_and(|node| self.builder.enter(node));
        let result = run(self);
        if pushed {
            self.builder.controls.pop();
        }
        result
    }

    /// Whether there is budget for another file.
    fn may_run(&mut self, file: &File) -> bool {
        if self.runs >= MOST_RUNS {
            self.builder.graph.give_up(Place { file: file.id, span: crate::text::Span::at(0) });
        }
        self.depth < DEEPEST_CALL && self.runs < MOST_RUNS
    }

    /// Runs a workflow; gives the outputs that it hands to its caller.
    fn workflow(&mut self, file: &'a File, given: HashMap<String, Text>) -> HashMap<String, Text> {
        if !self.may_run(file) {
            return HashMap::new();
        }
        self.depth += 1;
        self.runs += 1;
        let mut whole = Scope { inputs: with_defaults(file, given), ..Scope::default() };
        for number in order(&file.recipe.jobs) {
            let Some(job) = file.recipe.jobs.get(number) else { continue };
            let done = self.job(file, number, job, &whole);
            Arc::make_mut(&mut whole.needs).insert(job.id.value.to_ascii_lowercase(), done);
        }
        self.depth -= 1;
        self.outputs(In { file, scope: &whole }, &file.recipe.outputs)
    }

    fn outputs(&mut self, at: In<'_, '_>, outputs: &[NamedText]) -> HashMap<String, Text> {
        outputs
            .iter()
            .map(|output| {
                let mut text = self.text(at, &output.text, &Reader::default());
                if !text.value.is_plain() {
                    let place = Place { file: at.file.id, span: output.name.span.to(output.text.span()) };
                    let name = Name::Output(output.name.value.as_str().into());
                    text.value = self.builder.name(name, place, text.value);
                }
                (output.name.value.to_ascii_lowercase(), text)
            })
            .collect()
    }

    fn job(&mut self, file: &'a File, number: usize, job: &'a Job, whole: &Scope) -> Done {
        let mut scope = Scope { needs: whole.needs.clone(), inputs: whole.inputs.clone(), ..Scope::default() };
        let at = In { file, scope: &scope };
        let effect = self.effect_of_job(file, number, job);
        let (node, reader) = match &job.condition {
            Some(guard) => self.guard(at, guard, &Reader::default(), effect),
            None => (None, Reader::default()),
        };
        let outputs = self.under(node, |runner| {
            let mut matrix = Value::default();
            for text in &job.texts {
                let value = runner.text(In { file, scope: &scope }, &text.text, &reader);
                if text.name.value == "strategy" {
                    matrix.add_nodes(&value.value.nodes);
                }
            }
            scope.matrix = Text::of(matrix);
            if let Some(call) = &job.call {
                let inputs = runner.inputs(In { file, scope: &scope }, &call.with, &reader);
                let callee = local(runner.index, file, call).filter(|callee| callee.dialect == Dialect::Workflow);
                return callee.map(|callee| runner.workflow(callee, inputs)).unwrap_or_default();
            }
            for entry in &job.env {
                let set = runner.variables(In { file, scope: &scope }, std::slice::from_ref(entry), &reader);
                scope.env.extend(set);
            }
            for step in file.recipe.steps.iter().filter(|step| step.job == Some(number)) {
                runner.step(file, step, &mut scope, &reader);
            }
            runner.outputs(In { file, scope: &scope }, &job.outputs)
        });
        let conditional = job.condition.as_ref().is_some_and(|guard| !is_status(&plain(guard.text.text())));
        Done { outputs, conditional, continues: job.continue_on_error }
    }

    fn effect_of_job(&self, file: &'a File, number: usize, job: &'a Job) -> Effect {
        if job.call.is_some() {
            return Effect { acts: true, ..Effect::default() };
        }
        let steps = file.recipe.steps.iter().filter(|step| step.job == Some(number));
        steps.fold(Effect::default(), |effect, step| effect.then(step::effect_of(file, step, self.trees)))
    }

    /// Runs a composite action inside a job; gives its outputs. The files and the environment of the job are its own.
    fn action(&mut self, file: &'a File, given: HashMap<String, Text>, caller: &mut Scope) -> HashMap<String, Text> {
        if !self.may_run(file) {
            return HashMap::new();
        }
        self.depth += 1;
        self.runs += 1;
        let mut scope = Scope {
            inputs: with_defaults(file, given),
            env: caller.env.clone(),
            files: std::mem::take(&mut caller.files),
            told: std::mem::take(&mut caller.told),
            fetched: caller.fetched.clone(),
            scripts: caller.scripts.clone(),
            ..Scope::default()
        };
        for step in &file.recipe.steps {
            self.step(file, step, &mut scope, &Reader::default());
        }
        let outputs = self.outputs(In { file, scope: &scope }, &file.recipe.outputs);
        caller.files = scope.files;
        caller.told = scope.told;
        caller.env = scope.env;
        self.depth -= 1;
        outputs
    }
}

/// What the caller gives, over the defaults.
fn with_defaults(file: &File, given: HashMap<String, Text>) -> HashMap<String, Text> {
    let mut inputs: HashMap<String, Text> = HashMap::new();
    for variable in &file.recipe.variables {
        if let Some(default) = &variable.default
            && !default.value.contains("${{")
        {
            let place = Some(Place { file: file.id, span: default.span });
            let text = Text { place, ..Text::of(Value::literal(default.value.as_str())) };
            inputs.insert(variable.name.value.to_ascii_lowercase(), text);
        }
    }
    inputs.extend(given);
    inputs
}

/// Jobs so that each comes behind those that it needs; members of a cycle come last.
fn order(jobs: &[Job]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(jobs.len());
    let mut done: HashSet<&str> = HashSet::new();
    let mut open: Vec<usize> = (0..jobs.len()).collect();
    let known: HashSet<&str> = jobs.iter().map(|job| job.id.value.as_str()).collect();
    while !open.is_empty() {
        let before = open.len();
        open.retain(|at| {
            let Some(job) = jobs.get(*at) else { return false };
            let ready = job.needs.iter().all(|need| {
                let need = need.value.as_str();
                done.contains(need) || !known.contains(need)
            });
            if ready {
                order.push(*at);
                done.insert(&job.id.value);
            }
            !ready
        });
        if open.len() == before {
            order.append(&mut open);
        }
    }
    order
}

/// A condition that only asks how the run goes: nothing is skipped by it.
fn is_status(condition: &str) -> bool {
    matches!(
        condition.trim_start_matches("${{").trim_end_matches("}}"),
        "always()" | "success()" | "!cancelled()" | "success()||failure()" | "true" | "!failure()"
    )
}
