//! What an expression reads of the contexts, and why it may be empty there.

use std::sync::Arc;

use super::expression::Evaluator;
use super::scope::{Agent, Ran, Text};
use crate::flow::{Source, Trust, Value};
use crate::syntax::expression::{Expr, ExprKind};
use crate::text::Span;

impl Evaluator<'_> {
    /// What a context holds, and how many names of the path were used for it.
    pub(super) fn read(&mut self, path: &[String], span: Span) -> (Text, usize) {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        match names.as_slice() {
            ["steps", id, "outputs", output, ..] => (self.step_output(id, output, span), 4),
            ["needs" | "jobs", job, "outputs", output, ..] => (self.job_output(job, output), 4),
            ["env", name, ..] => {
                let text = self.scope.variable(name).cloned().unwrap_or_default();
                (self.guarded_text(text, &names[..2]), 2)
            }
            ["inputs", name, ..] => {
                let text = self.scope.inputs.get(*name).cloned().unwrap_or_default();
                (self.guarded_text(text, &names[..2]), 2)
            }
            ["github", "event", "inputs", name, ..] => (self.scope.inputs.get(*name).cloned().unwrap_or_default(), 4),
            ["matrix", ..] => (self.scope.matrix.clone(), 1),
            _ => (Text::default(), path.len()),
        }
    }

    /// All outputs of a step, a job, or all of them: what `toJSON(steps.x.outputs)` and `toJSON(needs)` hold.
    pub(super) fn whole_context(&self, argument: &Expr) -> Option<Value> {
        let path = argument.as_read()?.path;
        let accesses = if let ExprKind::Path(_, accesses) = &argument.kind { accesses.len() } else { 0 };
        if path.len() != accesses + 1 {
            return None;
        }
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let wanted = |id: &str| names.get(1).is_none_or(|name| *name == id);
        let outputs: Vec<&Text> = match names.as_slice() {
            ["steps"] | ["steps", _] | ["steps", _, "outputs"] => {
                let steps = self.scope.steps.iter().filter(|(id, _)| wanted(id));
                steps.flat_map(|(_, step)| step.outputs.values()).collect()
            }
            ["needs"] | ["needs", _] | ["needs", _, "outputs"] => {
                let jobs = self.scope.needs.iter().filter(|(id, _)| wanted(id));
                jobs.flat_map(|(_, job)| job.outputs.values()).collect()
            }
            _ => return None,
        };
        let mut nodes: Vec<_> = outputs.into_iter().flat_map(|text| text.value.nodes.iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        (!nodes.is_empty()).then(|| Value { nodes, ..Value::default() })
    }

    /// The text, not empty where a test says so.
    fn guarded_text(&self, text: Text, path: &[&str]) -> Text {
        if text.empty.is_some() && self.is_present(&path.join(".")) { Text { empty: None, ..text } } else { text }
    }

    /// Whether what holds here says that a path is not empty.
    fn is_present(&self, path: &str) -> bool {
        self.reader.holds.iter().any(|held| {
            held == path
                || held.strip_prefix(path).is_some_and(|rest| {
                    rest.starts_with("!=''")
                        || rest.starts_with("!=null")
                        || (rest.starts_with("=='") && rest != "==''")
                })
                || ["contains(", "startswith(", "endswith("]
                    .iter()
                    .any(|call| held.strip_prefix(call).is_some_and(|rest| rest.starts_with(&format!("{path},"))))
        })
    }

    fn step_output(&mut self, id: &str, output: &str, span: Span) -> Text {
        let Some(step) = self.scope.steps.get(id) else { return Text::default() };
        let Some(text) = step.outputs.get(output) else {
            if let Some(agent) = &step.agent {
                self.no_such_output(agent, output, span);
            }
            return Text::of(Value::literal(""));
        };
        let mut text = text.clone();
        text.empty = self.why_empty(id, output, step).or(text.empty.filter(|_| !self.is_output_present(id, output)));
        text
    }

    fn is_output_present(&self, id: &str, output: &str) -> bool {
        self.is_present(&format!("steps.{id}.outputs.{output}"))
            || self.is_present(&format!("steps.{id}.outputs['{output}']"))
    }

    /// Why an output of a step may be empty where it is read.
    fn why_empty(&self, id: &str, output: &str, step: &Ran) -> Option<&'static str> {
        let succeeded = |word: &str| self.reader.holds.contains(&format!("steps.{id}.{word}=='success'"));
        // With `continue-on-error` the conclusion is a success whatever happened.
        let ran = succeeded("outcome") || (!step.continues && succeeded("conclusion"));
        if ran || self.is_output_present(id, output) {
            return None;
        }
        let started = ["outcome", "conclusion"]
            .iter()
            .any(|word| self.reader.holds.contains(&format!("steps.{id}.{word}!='skipped'")));
        if !started && !step.conditions.iter().all(|condition| self.reader.holds.contains(condition)) {
            return Some("the step is skipped when its `if` is false");
        }
        if step.continues {
            return Some("the step may fail without ending the job (`continue-on-error`)");
        }
        self.reader.always.then_some("this is evaluated even when the step failed")
    }

    fn job_output(&mut self, job: &str, output: &str) -> Text {
        let Some(done) = self.scope.needs.get(job) else { return Text::default() };
        let mut text = done.outputs.get(output).cloned().unwrap_or_default();
        if text.value.is_plain() {
            return text;
        }
        let path = format!("needs.{job}.outputs.{output}");
        let succeeded = format!("needs.{job}.result=='success'");
        if self.is_present(&path) || self.reader.holds.contains(&succeeded) {
            text.empty = text.empty.filter(|_| !self.is_present(&path));
        } else if self.reader.always && text.empty.is_none() {
            text.empty = Some(if done.conditional {
                "the job is skipped when its `if` is false, and this is evaluated all the same"
            } else {
                "this is evaluated even when the job failed"
            });
        } else if done.continues && text.empty.is_none() {
            text.empty = Some("the job may fail without ending the run (`continue-on-error`)");
        }
        text
    }

    fn no_such_output(&mut self, agent: &Agent, output: &str, span: Span) {
        let known = agent.action.outputs.iter().any(|(name, _)| *name == output);
        let place = self.place(span);
        if (!known && !agent.action.complete) || !self.told.insert(place) {
            return;
        }
        let source = Source::NoSuchOutput {
            origin: agent.origin.clone(),
            output: output.into(),
            known: agent.action.outputs.iter().map(|(name, _)| Arc::from(*name)).collect(),
            reason: if known { agent.unstructured } else { None },
        };
        self.builder.source(source, place, Trust::Clean);
    }
}
