//! Recipes of the amplihack engine: steps linked by all their names, parallel groups, sub-recipes, `extends`, hooks.
//!
//! Source of the rules: section (c) of the engine's facts, i.e. `src/runner.rs` and `src/context.rs` of
//! amplihack-recipe-runner 0.3.6.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::condition::Conditions;
use super::prose_inputs::is_prose_name;
use super::shell::{self, Environment, Start, Trees, Unit};
use super::{
    Builder, Decision, DecisionForm, Effect, Input, Name, NodeId, NodeKind, Options, Place, Role, Source, Trust, Value,
};
use crate::recipe::environment::{environment_name, is_alias};
use crate::recipe::{
    Action, File, FileId, Guard, GuardLanguage, Index, Output, Prompt, Recipe, RecipeCall, Script, Step,
};
use crate::syntax::condition;
use crate::text::Fragment;

/// Deepest nesting of sub-recipes and parents that is followed (the engine's own default is 6).
const DEEPEST_RECIPE: usize = 8;
/// Most recipes that are run in one group, each call counted: more are taken as printing nothing of interest.
const MOST_RUNS: usize = 600;

/// What the context holds.
#[derive(Clone, Debug, Default)]
pub(super) struct World {
    values: HashMap<Arc<str>, Value>,
}

/// Runs recipes into one graph.
pub(super) struct Runner<'a, 'b> {
    pub builder: &'b mut Builder,
    pub index: &'a Index,
    pub options: &'b Options,
    trees: &'a Trees,
    stack: Vec<FileId>,
    runs: usize,
    /// What a recipe made of a context of the same trust: reused, so that a recipe with many callers is run few times.
    known: HashMap<(FileId, Vec<(Arc<str>, Trust)>), Arc<World>>,
    /// Names that some step reads.
    reads: HashSet<Arc<str>>,
    outputs: Vec<(Arc<str>, NodeId)>,
}

impl<'a, 'b> Runner<'a, 'b> {
    pub fn new(builder: &'b mut Builder, index: &'a Index, options: &'b Options, trees: &'a Trees) -> Self {
        Self {
            builder,
            index,
            options,
            trees,
            stack: Vec::new(),
            runs: 0,
            known: HashMap::new(),
            reads: HashSet::new(),
            outputs: Vec::new(),
        }
    }

    /// Runs a recipe that nobody calls.
    pub fn root(&mut self, file: &'a File) {
        self.run(file, World::default());
    }

    /// What a test chose for an output that no step reads has left the recipe: its caller decides with it.
    pub fn finish(&mut self) {
        for (name, id) in std::mem::take(&mut self.outputs) {
            if !self.reads.contains(&name) {
                let place = self.builder.graph.node(id).place;
                let kind = NodeKind::Act { program: "the recipe's result".into() };
                self.builder.on(kind, place, &Value::node(id));
            }
        }
    }

    fn run(&mut self, file: &'a File, given: World) -> Arc<World> {
        if self.stack.contains(&file.id) || self.stack.len() >= DEEPEST_RECIPE {
            return Arc::new(given);
        }
        if self.runs >= MOST_RUNS {
            self.builder.graph.give_up(Place { file: file.id, span: crate::text::Span::at(0) });
            return Arc::new(given);
        }
        let key = (file.id, given.signature(self.builder));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.runs += 1;
        self.stack.push(file.id);
        let mut world = given;
        for (name, value) in self.defaults(file, 0).values {
            world.values.entry(name).or_insert(value);
        }
        self.steps_with_parents(file, &mut world, 0);
        for (_, script) in &file.recipe.hooks {
            self.script(file, script, &world, None);
        }
        self.stack.pop();
        let world = Arc::new(world);
        self.known.insert(key, world.clone());
        world
    }

    /// The context that a recipe and its parents declare.
    fn defaults(&mut self, file: &'a File, depth: usize) -> World {
        let mut world = match self.parent(file).filter(|_| depth < DEEPEST_RECIPE) {
            Some(parent) => self.defaults(parent, depth + 1),
            None => World::default(),
        };
        for variable in &file.recipe.variables {
            let name: Arc<str> = variable.name.value.as_str().into();
            let place = Place { file: file.id, span: variable.name.span };
            let mut value = if is_prose_name(&name) {
                Value::node(self.builder.source(Source::User { name: name.clone() }, place, Trust::User))
            } else {
                Value::default()
            };
            if self.options.agent_outputs.iter().any(|output| **output == *name) {
                let source = Source::AgentOutput {
                    origin: "configuration".into(),
                    output: name.clone(),
                    form: super::AgentForm::Prose,
                };
                value = Value::node(self.builder.source(source, place, Trust::Agent));
            }
            world.values.insert(name, value);
        }
        world
    }

    fn parent(&self, file: &'a File) -> Option<&'a File> {
        let extends = file.recipe.extends.as_ref()?;
        super::links::sub_recipe(self.index, file, &extends.value).filter(|parent| parent.id != file.id)
    }

    fn steps_with_parents(&mut self, file: &'a File, world: &mut World, depth: usize) {
        if depth < DEEPEST_RECIPE
            && let Some(parent) = self.parent(file)
        {
            self.steps_with_parents(parent, world, depth + 1);
        }
        self.steps(file, world);
    }

    fn steps(&mut self, file: &'a File, world: &mut World) {
        let recipe: &'a Recipe = &file.recipe;
        let mut at = 0;
        while let Some(step) = recipe.steps.get(at) {
            // Members of a parallel group see the context as it was before the group.
            let group = step.group.as_ref().map(|group| group.value.as_str());
            let count = match group {
                Some(name) => recipe.steps[at..]
                    .iter()
                    .take_while(|step| step.group.as_ref().is_some_and(|group| group.value == name))
                    .count(),
                None => 1,
            };
            let before = (count > 1).then(|| world.clone());
            for step in recipe.steps.iter().skip(at).take(count) {
                let mut after = before.clone().unwrap_or_else(|| std::mem::take(world));
                self.step(file, step, &mut after);
                if before.is_some() {
                    for (name, value) in after.values {
                        let unchanged = before.as_ref().and_then(|before| before.values.get(&name)) == Some(&value);
                        if !unchanged {
                            world.values.insert(name, value);
                        }
                    }
                } else {
                    *world = after;
                }
            }
            at += count.max(1);
        }
    }

    fn note_reads(&mut self, text: &Fragment) {
        for hole in crate::syntax::template::holes(text.text()) {
            let base = hole.name.split('.').next().unwrap_or(&hole.name);
            self.reads.insert(base.into());
        }
    }

    fn step(&mut self, file: &'a File, step: &'a Step, world: &mut World) {
        for text in &step.texts {
            self.note_reads(&text.text);
        }
        let guard = step.condition.as_ref().and_then(|guard| self.guard(file, step, guard, world));
        let pushed = guard.is_some_and(|node| self.builder.enter(node));
        // What is filled in here decides nothing, but a field of it may be one that nobody parsed.
        for text in &step.texts {
            self.template(file, &text.text, world);
        }
        match &step.action {
            Action::Agent(call) => {
                if let Some(Prompt { text: prompt, .. }) = &call.prompt {
                    self.template(file, prompt, world);
                }
                if let Some(output) = &step.output {
                    let value = self.agent(file, step, output);
                    world.values.insert(output.name.value.as_str().into(), value);
                }
            }
            Action::Script(script) => {
                let shell::Outcome { stdout: value, files, .. } =
                    self.script(file, script, world, step.output.as_ref());
                // Later steps find the files; an ordinary text in one only matters where another text was before.
                let mut files: Vec<(Arc<str>, Value)> = files.into_iter().collect();
                files.sort_by(|a, b| a.0.cmp(&b.0));
                for (key, content) in files {
                    let key: Arc<str> = format!("file:{key}").into();
                    if !content.is_plain() || world.values.contains_key(&key) {
                        world.values.insert(key, content);
                    }
                }
                if let Some(output) = &step.output {
                    let value = self.output(file, output, value);
                    world.values.insert(output.name.value.as_str().into(), value);
                }
            }
            Action::Recipe(call) => self.call(file, call, step, world),
            Action::Uses(_) | Action::Other(_) | Action::Nothing => {
                if let Some(output) = &step.output {
                    world.values.insert(output.name.value.as_str().into(), Value::default());
                }
            }
        }
        if pushed {
            self.builder.controls.pop();
        }
    }

    fn guard(&mut self, file: &'a File, step: &'a Step, guard: &'a Guard, world: &World) -> Option<NodeId> {
        if guard.language != GuardLanguage::Engine {
            return None;
        }
        let parsed = condition::parse(guard.text.text());
        let expr = parsed.expr.as_ref()?;
        self.reads.extend(parsed.reads().iter().map(|read| Arc::from(read.name)));
        let look_up = |name: &str| world.values.get(name).cloned();
        let mut conditions =
            Conditions { builder: self.builder, file: file.id, fragment: &guard.text, look_up: &look_up };
        let node = conditions.truth(expr)?;
        let yes = match &step.action {
            Action::Script(script) => {
                let effect = shell::effect_of_script(Unit::of(file, script, self.trees), step.output.is_some());
                // A step that ends well lets the recipe go on, whether it ran or not.
                Effect { passes: false, ..effect }
            }
            Action::Nothing => Effect::default(),
            _ => Effect { acts: true, ..Effect::default() },
        };
        let decision = Decision { form: DecisionForm::Guard, when_true: yes, when_false: Effect::default() };
        let place = Place { file: file.id, span: guard.text.locate(expr.span) };
        let inputs = vec![Input { from: node, role: Role::Data }];
        self.builder.graph.add(NodeKind::Decide(decision), place, inputs, None);
        Some(node)
    }

    fn agent(&mut self, file: &'a File, step: &'a Step, output: &'a Output) -> Value {
        let name: Arc<str> = output.name.value.as_str().into();
        let place = Place { file: file.id, span: output.name.span };
        let id: Arc<str> = step.id.as_ref().map(|id| id.value.as_str()).unwrap_or_default().into();
        let trust = if self.options.trusted_outputs.iter().any(|trusted| **trusted == *name) {
            Trust::Clean
        } else if output.parse_json {
            Trust::Extracted
        } else {
            Trust::Agent
        };
        let source = Source::AgentStep {
            step: id,
            output: name.clone(),
            parse_json: output.parse_json,
            required: output.required,
        };
        let node = self.builder.source(source, place, trust);
        self.builder.name(Name::Output(name), place, Value::node(node))
    }

    fn output(&mut self, file: &'a File, output: &'a Output, value: Value) -> Value {
        let place = Place { file: file.id, span: output.name.span };
        let mut inputs = value.inputs();
        for control in &self.builder.controls {
            inputs.push(Input { from: *control, role: Role::Control });
        }
        let name: Arc<str> = output.name.value.as_str().into();
        let trust = self.options.agent_outputs.iter().any(|known| **known == *name).then_some(Trust::Agent);
        let trust =
            if self.options.trusted_outputs.iter().any(|known| **known == *name) { Some(Trust::Clean) } else { trust };
        let id = self.builder.graph.add(NodeKind::Name(Name::Output(name.clone())), place, inputs, trust);
        self.outputs.push((name, id));
        Value { nodes: vec![id], ..value }
    }

    fn script(&mut self, file: &'a File, script: &'a Script, world: &World, output: Option<&Output>) -> shell::Outcome {
        let mut environment = Steps { world, index: self.index, trees: self.trees, file, reads: &mut self.reads };
        let start =
            Start { errexit: false, pipefail: script.pipefail, captured: output.is_some(), status_decides: true };
        shell::run(self.builder, &mut environment, self.options, Unit::of(file, script, self.trees), start)
    }

    /// A sub-recipe: its context is its defaults, the parent's whole context over them, the step's `context` over both;
    /// afterwards all of it is the parent's.
    fn call(&mut self, file: &'a File, call: &'a RecipeCall, step: &'a Step, world: &mut World) {
        let mut given = world.clone();
        for entry in &call.context {
            self.note_reads(&entry.text);
            let value = self.template(file, &entry.text, world);
            given.values.insert(entry.name.value.as_str().into(), value);
        }
        if let Some(child) = super::links::sub_recipe(self.index, file, &call.name.value) {
            let result = self.run(child, given);
            for (name, value) in &result.values {
                if world.values.get(name) != Some(value) {
                    world.values.insert(name.clone(), value.clone());
                }
            }
        }
        if let Some(output) = &step.output {
            // A printed summary of the run, not data.
            world.values.insert(output.name.value.as_str().into(), Value::default());
        }
    }

    /// A text in which templates are filled.
    fn template(&mut self, file: &'a File, text: &'a Fragment, world: &World) -> Value {
        let holes = crate::syntax::template::holes(text.text());
        if holes.is_empty() {
            return Value::literal(text.text());
        }
        let mut value = Value::default();
        for hole in holes {
            let place = Place { file: file.id, span: text.locate(hole.span) };
            if let Some(next) = world.read(self.builder, &hole.name, place) {
                value.add_nodes(&next.nodes);
            }
        }
        value
    }
}

impl World {
    fn signature(&self, builder: &Builder) -> Vec<(Arc<str>, Trust)> {
        let mut signature: Vec<(Arc<str>, Trust)> = self
            .values
            .iter()
            .filter(|(_, value)| !value.is_plain())
            .map(|(name, value)| (name.clone(), value.trust(&builder.graph)))
            .collect();
        signature.sort();
        signature
    }

    /// The variable that the environment has under a name behind `RECIPE_VAR_`.
    fn by_environment_name(&self, name: &str) -> Option<(&Arc<str>, &Value)> {
        self.values.get_key_value(name).or_else(|| {
            let odd = self.values.iter().filter(|(known, _)| known.contains(['-', '.']));
            odd.into_iter().find(|(known, _)| environment_name(known) == name)
        })
    }

    /// The variable that the environment has in capitals.
    fn by_alias(&self, name: &str) -> Option<(&Arc<str>, &Value)> {
        let same = |(known, _): &(&Arc<str>, &Value)| is_alias(known, name);
        let usual = [name.to_ascii_lowercase().as_str(), name]
            .into_iter()
            .find_map(|key| self.values.get_key_value(key).filter(same));
        usual.or_else(|| {
            let odd = self.values.iter().filter(|(known, _)| known.bytes().any(|byte| byte.is_ascii_uppercase()));
            odd.into_iter().find(same)
        })
    }

    /// `x` or `x.field` as a template reads it.
    fn read(&self, builder: &mut Builder, name: &str, place: Place) -> Option<Value> {
        if let Some(value) = self.values.get(name) {
            return Some(value.clone());
        }
        let (base, field) = name.split_once('.')?;
        let value = self.values.get(base)?;
        Some(field_of(builder, value, field, place))
    }
}

fn field_of(builder: &mut Builder, value: &Value, field: &str, place: Place) -> Value {
    if value.is_plain() {
        return Value::default();
    }
    let trust = builder.trust(value).min(Trust::Extracted);
    field.split('.').fold(value.clone(), |value, name| {
        Value::node(builder.with_trust(NodeKind::Field(name.into()), place, &value, trust))
    })
}

/// What a bash step sees of the context.
struct Steps<'w, 'a> {
    world: &'w World,
    index: &'a Index,
    trees: &'a Trees,
    file: &'a File,
    reads: &'w mut HashSet<Arc<str>>,
}

impl<'a> Environment<'a> for Steps<'_, 'a> {
    fn variable(&mut self, builder: &mut Builder, name: &str, place: Place) -> Option<Value> {
        if name.starts_with("file:") {
            return self.world.values.get(name).cloned();
        }
        if let Some(key) = name.strip_prefix("RECIPE_VAR_") {
            // `-` became `_`, `.` became `__`; fields are flattened with `__`.
            let ends = key.match_indices("__").map(|(at, _)| at).collect::<Vec<_>>();
            for end in std::iter::once(key.len()).chain(ends.into_iter().rev()) {
                let Some((name, value)) = self.world.by_environment_name(key.get(..end)?) else { continue };
                self.reads.insert(name.clone());
                if end == key.len() {
                    return Some(value.clone());
                }
                let field = key.get(end + 2..)?.replace("__", ".");
                return Some(field_of(builder, value, &field, place));
            }
            return None;
        }
        if name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let (key, value) = self.world.by_alias(name)?;
        self.reads.insert(key.clone());
        Some(value.clone())
    }

    fn hole(&mut self, builder: &mut Builder, text: &str, place: Place) -> Option<Value> {
        self.reads.insert(text.split('.').next().unwrap_or(text).into());
        self.world.read(builder, text, place)
    }

    fn script(&self, path: &str) -> Option<Unit<'a>> {
        super::links::script(self.index, self.trees, self.file, path)
    }

    fn program(&self, path: &str) -> Option<&'a File> {
        super::links::program(self.index, self.file, path)
    }
}
