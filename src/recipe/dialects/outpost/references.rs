//! What the texts and expressions of an Outpost recipe may read (`domain/recipe-templates.ts`,
//! `domain/recipes/{expression-text,expressions}.ts`).

use std::collections::HashMap;

use super::tables::{AGENT_OUTPUT_3, COMMAND_OUTPUT};
use crate::recipe::Problem;
use crate::recipe::fields::nearest;
use crate::recipe::scalar::Value;
use crate::syntax::template::{Root, references};
use crate::syntax::yaml::Node;
use crate::text::{Fragment, Span, Spanned};

/// The lint that reports references which lead nowhere.
const LINT: &str = "unfilled-placeholder";
/// Expressions nested deeper than this are not looked at.
const MAX_DEPTH: usize = 64;

/// What a task can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// `command`
    Command,
    /// `agent`; whether its dispatch has a response.
    Agent {
        /// `dispatch.response` is there, so that the output has a `value`.
        response: bool,
    },
    /// A task whose output is `{value}`.
    Value,
    /// Not known, or free.
    Other,
}

/// The names of a recipe.
#[derive(Debug, Default)]
pub struct Names<'a> {
    /// Version of the recipe, 2 or 3.
    pub version: i64,
    /// Inputs with their types.
    pub inputs: Vec<(&'a str, Option<&'a str>)>,
    /// Tasks with what they do.
    pub tasks: HashMap<&'a str, TaskKind>,
}

/// The references of one task.
#[derive(Debug)]
pub struct Reader<'a> {
    /// The recipe's names.
    pub names: &'a Names<'a>,
    /// The task's key, for messages.
    pub task: &'a str,
    /// The task's `after`.
    pub after: Vec<&'a str>,
    /// Where problems go.
    pub problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    /// Checks the references of a text.
    pub fn text(&mut self, fragment: &Fragment) {
        let (found, errors) = references(fragment.text());
        for error in errors {
            let message = format!("{}; the recipe is refused", error.message);
            self.problems.push(Problem::new(LINT, fragment.locate(error.span), message));
        }
        for reference in found {
            let span = fragment.locate(reference.span);
            let path: Vec<&Spanned<String>> = reference.path.iter().collect();
            let segments: Vec<&str> = path.iter().map(|part| part.value.as_str()).collect();
            match reference.root {
                Root::Inputs => self.input(span, &segments, true),
                Root::Steps => self.step_text(span, &segments),
            }
        }
    }

    /// Checks a value of version 3: texts, `$input`, `$step`, and everything in it.
    pub fn expression(&mut self, node: &Node) {
        self.expression_at(node, 0);
    }

    /// Checks a condition of version 3.
    pub fn condition(&mut self, node: &Node) {
        self.condition_at(node, 0);
    }

    fn condition_at(&mut self, node: &Node, depth: usize) {
        if depth > MAX_DEPTH || matches!(Value::of(node), Value::Bool(_)) {
            return;
        }
        let [entry] = node.entries() else {
            let message = "a condition has exactly one operator; the recipe is refused";
            let place = node.entries().get(1).map_or(node.span, |second| second.key.span);
            self.problems.push(Problem::new("invalid-value", place, message));
            return;
        };
        let operator = entry.key.text().unwrap_or_default();
        match operator {
            "all" | "any" => entry.value.items().iter().for_each(|item| self.condition_at(item, depth + 1)),
            "not" => self.condition_at(&entry.value, depth + 1),
            "exists" => self.expression_at(&entry.value, depth + 1),
            "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" if entry.value.items().len() == 2 => {
                entry.value.items().iter().for_each(|item| self.expression_at(item, depth + 1));
            }
            "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" => {
                let message = format!("`{operator}` compares two values, in a list; the recipe is refused");
                self.problems.push(Problem::new("invalid-value", entry.key.span, message));
            }
            _ => {
                let known = ["all", "any", "not", "exists", "eq", "ne", "gt", "gte", "lt", "lte", "in"];
                let message = format!("`{operator}` is no operator of a condition; the recipe is refused");
                let help = nearest(operator, known.into_iter())
                    .map_or_else(|| format!("one of {}", known.join(", ")), |near| format!("`{near}` is meant?"));
                self.problems.push(Problem::new("invalid-value", entry.key.span, message).help(help));
            }
        }
    }

    fn expression_at(&mut self, node: &Node, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        if let (Value::Str(_), Some(scalar)) = (Value::of(node), node.scalar()) {
            self.text(&scalar.fragment);
        }
        node.items().iter().for_each(|item| self.expression_at(item, depth + 1));
        if node.get("$literal").is_some() {
            return;
        }
        for (key, is_input) in [("$input", true), ("$step", false)] {
            let Some(name) = node.get(key) else { continue };
            let path: Vec<&str> = node.get("path").map_or(&[][..], Node::items).iter().filter_map(Node::text).collect();
            let Some(text) = name.text() else {
                self.problems.push(Problem::new(
                    LINT,
                    name.span,
                    format!("`{key}` needs a name; the recipe is refused"),
                ));
                return;
            };
            if is_input {
                self.input(name.span, &[text], false);
            } else if self.reachable(name.span, text, text) {
                self.output(node.get("path").map_or(name.span, |path| path.span), text, &path);
            }
            return;
        }
        node.entries().iter().for_each(|entry| self.expression_at(&entry.value, depth + 1));
    }

    fn input(&mut self, span: Span, path: &[&str], in_text: bool) {
        let Some((name, rest)) = path.split_first() else { return };
        let names = self.names;
        let known = names.inputs.iter().find(|(known, _)| known == name);
        let Some((_, kind)) = known else {
            let message = format!("the recipe has no input `{name}`; it is refused");
            let near = nearest(name, names.inputs.iter().map(|(name, _)| *name));
            let help = near.map(|near| format!("`inputs.{near}` is meant?"));
            self.problems.push(Problem { help, ..Problem::new(LINT, span, message) });
            return;
        };
        if names.version < 3 && !rest.is_empty() {
            let message = format!("an input has no fields in version 2: `inputs.{}` is refused", path.join("."));
            self.problems.push(Problem::new(LINT, span, message).help("fields of inputs need `version: 3`"));
        } else if in_text && rest.is_empty() && kind.is_some_and(|kind| matches!(kind, "object" | "array" | "null")) {
            let kind = kind.unwrap_or_default();
            let message =
                format!("`inputs.{name}` is of type {kind} and cannot stand in a text; the recipe is refused");
            self.problems.push(Problem::new(LINT, span, message).help("name one of its fields"));
        }
    }

    fn step_text(&mut self, span: Span, segments: &[&str]) {
        // A key may hold dots: the longest known key wins. In version 2 the last segment is always the field.
        let most = if self.names.version < 3 { segments.len().saturating_sub(1) } else { segments.len() };
        let keys =
            (1..=most).rev().map(|count| (count, segments.iter().take(count).copied().collect::<Vec<_>>().join(".")));
        let known = keys.clone().find(|(_, key)| self.names.tasks.contains_key(key.as_str()));
        let Some((count, key)) = known else {
            let name = segments.first().copied().unwrap_or_default();
            let message = format!("the recipe has no task `{name}`; it is refused");
            let near = nearest(name, self.names.tasks.keys().copied());
            let help = near.map(|near| format!("`steps.{near}` is meant?"));
            self.problems.push(Problem { help, ..Problem::new(LINT, span, message) });
            return;
        };
        let path = segments.get(count..).unwrap_or_default();
        if self.names.version < 3 && path.len() != 1 {
            let message = format!("`steps.{}` names no field of `{key}`; the recipe is refused", segments.join("."));
            self.problems.push(Problem::new(LINT, span, message));
            return;
        }
        if self.reachable(span, &key, &format!("steps.{}", segments.join("."))) {
            self.output(span, &key, path);
        }
    }

    /// Whether the task's `after` names the other task.
    fn reachable(&mut self, span: Span, key: &str, written: &str) -> bool {
        if !self.names.tasks.contains_key(key) {
            let message = format!("the recipe has no task `{key}`; it is refused");
            let near = nearest(key, self.names.tasks.keys().copied());
            let help = near.map(|near| format!("`{near}` is meant?"));
            self.problems.push(Problem { help, ..Problem::new(LINT, span, message) });
            return false;
        }
        if !self.after.contains(&key) {
            let message = format!(
                "`{written}` is read, but `after` of task `{}` does not name `{key}`; the recipe is refused",
                self.task
            );
            let help = format!("add `{key}` to `after`: only tasks that stand there directly can be read");
            self.problems.push(Problem::new(LINT, span, message).help(help));
            return false;
        }
        true
    }

    fn output(&mut self, span: Span, key: &str, path: &[&str]) {
        let Some(kind) = self.names.tasks.get(key).copied() else { return };
        let Some(field) = path.first().copied() else { return };
        let version_2 = self.names.version < 3;
        let known: &[&str] = match kind {
            TaskKind::Command if version_2 => COMMAND_OUTPUT,
            TaskKind::Agent { .. } if version_2 => &["text"],
            TaskKind::Command if matches!(field, "text" | "value" | "output") => COMMAND_OUTPUT,
            TaskKind::Agent { .. } => AGENT_OUTPUT_3,
            TaskKind::Value => &["value"],
            TaskKind::Command | TaskKind::Other => return,
        };
        if known.contains(&field) {
            if kind == (TaskKind::Agent { response: false }) && field == "value" {
                let message = format!("the output of task `{key}` has no `value`: its dispatch asks for no response");
                let help = format!("add `dispatch.response` to task `{key}`, or read `text`");
                self.problems.push(Problem::new(LINT, span, message).help(help));
            }
            return;
        }
        let what = if kind == TaskKind::Command { "a command" } else { "an agent's task" };
        let consequence = if version_2 { "the recipe is refused" } else { "the run fails there" };
        let message = match kind {
            TaskKind::Value => format!("the output of task `{key}` has no `{field}`, only `value`; {consequence}"),
            _ => format!("the output of {what} has no `{field}`, so `{key}` has none; {consequence}"),
        };
        let help = if !version_2 && matches!(kind, TaskKind::Agent { response: true } | TaskKind::Value) {
            format!("structured data stands under `value`: `{key}.value.{}`", path.join("."))
        } else {
            let names: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
            format!("it has {}", names.join(", "))
        };
        self.problems.push(Problem::new(LINT, span, message).help(help));
    }
}
