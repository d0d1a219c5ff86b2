//! What has a name besides variables: recipes, steps and jobs, with all places that name them.

use std::collections::BTreeSet;

use crate::flow::Place;
use crate::recipe::{Action, Dialect, File, FileId, Index, NamedText, Recipe, Step, is_sub_recipe_name};
use crate::syntax::expression::{self, Access, Expr, ExprKind, Hole};
use crate::text::{Fragment, Span, Spanned};

/// Words that YAML reads as something else than a text.
const NO_TEXTS: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// Something that is called by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    /// A recipe that others run or extend.
    Recipe(FileId),
    /// A job of a workflow; names of GitHub's systems have no case.
    Job(FileId, String),
    /// A step; in a workflow, of one of its jobs.
    Step(FileId, Option<usize>, String),
}

/// A place that names a thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// What.
    pub thing: Thing,
    /// The name alone.
    pub span: Span,
    /// The thing is made here.
    pub declares: bool,
}

/// The place at an offset that names a thing.
pub fn thing_at(index: &Index, file: &File, at: usize) -> Option<Named> {
    names_in(index, file).into_iter().find(|named| named.span.touches(at))
}

/// All places that name a thing, those where it is made first.
pub fn places_of(index: &Index, thing: &Thing) -> Vec<(Place, bool)> {
    let files: BTreeSet<FileId> = match thing {
        Thing::Recipe(id) => index.callers(*id).iter().map(|call| call.caller).chain([*id]).collect(),
        Thing::Job(id, _) | Thing::Step(id, ..) => BTreeSet::from([*id]),
    };
    let mut found: Vec<(Place, bool)> = Vec::new();
    for file in files.into_iter().filter_map(|id| index.file(id)) {
        let named = names_in(index, file).into_iter().filter(|named| named.thing == *thing);
        found.extend(named.map(|named| (Place { file: file.id, span: named.span }, named.declares)));
    }
    found.sort_by_key(|(place, declares)| (!declares, *place));
    found.dedup();
    found
}

/// Why a thing cannot be called so, if it cannot.
pub fn refusal(index: &Index, thing: &Thing, new: &str) -> Option<String> {
    let usable = is_sub_recipe_name(new) && new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !usable || is_no_text(new) {
        return Some(format!(
            "`{new}` cannot be a name: use letters, digits, `-` and `_`, with a letter or `_` first, and no word that YAML reads as a value"
        ));
    }
    let taken = match thing {
        Thing::Recipe(_) => index.stems().contains_key(new),
        Thing::Job(id, _) | Thing::Step(id, ..) => index.file(*id).is_some_and(|file| {
            names_in(index, file).iter().any(|named| match (&named.thing, thing) {
                (Thing::Job(_, name), Thing::Job(..)) => name.eq_ignore_ascii_case(new),
                (Thing::Step(_, job, name), Thing::Step(_, of, _)) => job == of && name.eq_ignore_ascii_case(new),
                _ => false,
            })
        }),
    };
    taken.then(|| format!("there is a `{new}` already"))
}

/// Whether YAML reads a plain word as something else than a text.
pub fn is_no_text(word: &str) -> bool {
    NO_TEXTS.contains(&word.to_ascii_lowercase().as_str())
}

fn names_in(index: &Index, file: &File) -> Vec<Named> {
    let mut names = Names { file, found: Vec::new() };
    match file.dialect {
        Dialect::Amplihack => names.amplihack(index),
        Dialect::Outpost => names.outpost(),
        Dialect::Workflow | Dialect::Action => names.workflow(&file.recipe),
        _ => {}
    }
    names.found
}

struct Names<'a> {
    file: &'a File,
    found: Vec<Named>,
}

impl Names<'_> {
    /// Keeps a name where it stands in the file as it is, be it in quotes.
    fn push(&mut self, thing: Thing, written: &str, around: Span, declares: bool) {
        let slice = self.file.source.slice(around);
        if let Some(at) = slice.find(written).filter(|_| !written.is_empty()) {
            let start = around.start + at;
            self.found.push(Named { thing, span: Span::new(start, start + written.len()), declares });
        }
    }

    fn step(&mut self, step: &Step) {
        if let Some(id) = &step.id {
            let thing = self.step_named(step.job, &id.value);
            self.push(thing, &id.value, id.span, true);
        }
    }

    /// GitHub's systems compare without case; the others do.
    fn step_named(&self, job: Option<usize>, name: &str) -> Thing {
        let name = if self.is_workflow() { name.to_ascii_lowercase() } else { name.to_owned() };
        Thing::Step(self.file.id, job, name)
    }

    fn is_workflow(&self) -> bool {
        matches!(self.file.dialect, Dialect::Workflow | Dialect::Action)
    }

    fn amplihack(&mut self, index: &Index) {
        let recipe = &self.file.recipe;
        if let Some(name) = &recipe.name {
            self.push(Thing::Recipe(self.file.id), &name.value, name.span, true);
        }
        let callee = |step| index.callee(self.file.id, step).map(|callee| Thing::Recipe(callee.id));
        let mut calls: Vec<(Thing, &Spanned<String>)> = Vec::new();
        calls.extend(recipe.extends.as_ref().and_then(|name| Some((callee(None)?, name))));
        for (at, step) in recipe.steps.iter().enumerate() {
            if let Action::Recipe(call) = &step.action {
                calls.extend(callee(Some(at)).map(|callee| (callee, &call.name)));
            }
        }
        for (callee, name) in calls {
            self.push(callee, &name.value, name.span, false);
        }
        recipe.steps.iter().for_each(|step| self.step(step));
    }

    fn outpost(&mut self) {
        for step in &self.file.recipe.steps {
            self.step(step);
            for before in &step.after {
                let thing = self.step_named(step.job, &before.value);
                self.push(thing, &before.value, before.span, false);
            }
        }
    }

    fn workflow(&mut self, recipe: &Recipe) {
        for (number, job) in recipe.jobs.iter().enumerate() {
            let named = |name: &str| Thing::Job(self.file.id, name.to_ascii_lowercase());
            let (own, needs) = (named(&job.id.value), job.needs.iter().map(|need| (named(&need.value), need)));
            let needs: Vec<_> = needs.collect();
            self.push(own, &job.id.value, job.id.span, true);
            for (thing, need) in needs {
                self.push(thing, &need.value, need.span, false);
            }
            if let Some(guard) = &job.condition {
                self.holes(&guard.text, expression::condition_holes(guard.text.text()), Some(number));
            }
            let with = job.call.iter().flat_map(|call| &call.with);
            self.texts(job.env.iter().chain(&job.outputs).chain(&job.texts).chain(with), Some(number));
        }
        self.texts(recipe.outputs.iter(), None);
        for step in &recipe.steps {
            self.step(step);
            if let Some(guard) = &step.condition {
                self.holes(&guard.text, expression::condition_holes(guard.text.text()), step.job);
            }
            self.texts(step.env.iter().chain(&step.texts), step.job);
            match &step.action {
                Action::Uses(uses) => self.texts(uses.with.iter(), step.job),
                Action::Script(script) => {
                    self.holes(&script.fragment, expression::holes(script.fragment.text()), step.job);
                }
                _ => {}
            }
        }
        self.found.sort_by_key(|named| named.span);
        self.found.dedup();
    }

    fn texts<'t>(&mut self, texts: impl Iterator<Item = &'t NamedText>, job: Option<usize>) {
        for text in texts {
            self.holes(&text.text, expression::holes(text.text.text()), job);
        }
    }

    fn holes(&mut self, text: &Fragment, holes: Vec<Hole>, job: Option<usize>) {
        for expr in holes.iter().filter_map(|hole| hole.expression.expr.as_ref()) {
            expr.walk(&mut |expr: &Expr| {
                let ExprKind::Path(head, accesses) = &expr.kind else { return };
                let (ExprKind::Name(context), Some(Access::Field(name))) = (&head.kind, accesses.first()) else {
                    return;
                };
                let thing = match context.to_ascii_lowercase().as_str() {
                    "steps" => self.step_named(job, &name.value),
                    "needs" | "jobs" => Thing::Job(self.file.id, name.value.to_ascii_lowercase()),
                    _ => return,
                };
                self.push(thing, &name.value, text.locate(name.span), false);
            });
        }
    }
}
