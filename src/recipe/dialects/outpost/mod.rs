//! Outpost: `recipe.yaml` and `outpost.yaml`. The reader of both is strict: whatever it does not know, it refuses.

mod config;
mod graph;
mod pair;
mod references;
pub(super) mod responses;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use self::references::{Names, Reader, TaskKind};
use super::Lowered;
use crate::recipe::fields::{Check, GENERAL, Object, spanned};
use crate::recipe::scalar::Value;
use crate::recipe::{
    Action, AgentCall, Base, Dialect, Mention, MentionKind, NamedText, Problem, Prompt, Recipe, Shape, Step, Variable,
};
use crate::syntax::yaml::{self, Data, Document, Node};
use crate::text::{Source, Span, Spanned, SyntaxError};

pub use config::lower as lower_config;
pub use pair::problems as linked_problems;

/// Messages end with this.
const REFUSED: &str = "the recipe is refused";
/// Names that the configuration of a recipe has, beside it or above.
const CONFIG_NAMES: &[&str] = &["outpost.yaml", "outpost.yml"];
/// Nesting that is looked at; the parser's own bound is higher.
const MAX_DEPTH: usize = 64;

/// Lowers `recipe.yaml`.
pub fn lower(source: &Source) -> Lowered {
    let document = yaml::parse(&source.text);
    let mut recipe = Recipe::empty(Dialect::Outpost);
    let mut errors = document.errors.clone();
    refuse_yaml(source, &document, REFUSED, &mut errors);
    for name in CONFIG_NAMES {
        let path = Spanned::new((*name).to_owned(), Span::at(0));
        recipe.mentions.push(Mention { path, base: Base::Upward, kind: MentionKind::Recipe });
    }
    if let Some(root) = &document.root {
        lower_root(root, &mut recipe);
        if !document.errors.is_empty() {
            // Half-typed text: what seems to be missing may only be unreadable.
            recipe.problems.retain(|problem| problem.lint != "missing-field");
        }
    }
    Lowered { yaml: Some(Arc::new(document)), recipe, errors }
}

/// What the reader refuses beyond the grammar of YAML: anchors, aliases, tags, a second document, more than 1 MiB.
fn refuse_yaml(source: &Source, document: &Document, consequence: &str, errors: &mut Vec<SyntaxError>) {
    if source.text.len() > tables::MAX_BYTES {
        let message = format!("the file is larger than 1 MiB; {consequence}");
        errors.push(SyntaxError { span: Span::at(0), message });
    }
    if let Some(span) = document.second() {
        let message = format!("a second document begins here; {consequence}");
        errors.push(SyntaxError { span, message });
    }
    if let Some(root) = &document.root {
        let before = errors.len();
        refuse_node(root, consequence, errors, 0);
        if errors.len() == before {
            refuse_anchors(root, source, consequence, errors, 0);
        }
    }
}

/// Anchors that nothing refers to; else the aliases say enough.
fn refuse_anchors(node: &Node, source: &Source, consequence: &str, errors: &mut Vec<SyntaxError>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    if let Some(name) = &node.anchor {
        let before = source.text.get(..node.span.start).unwrap_or_default();
        let span = before.rfind(&format!("&{name}")).map_or(node.span, |at| Span::new(at, at + 1 + name.len()));
        let message = format!("anchors are not supported: `&{name}`; {consequence}");
        errors.push(SyntaxError { span, message });
    }
    node.items().iter().for_each(|item| refuse_anchors(item, source, consequence, errors, depth + 1));
    for entry in node.entries() {
        refuse_anchors(&entry.key, source, consequence, errors, depth + 1);
        refuse_anchors(&entry.value, source, consequence, errors, depth + 1);
    }
}

fn refuse_node(node: &Node, consequence: &str, errors: &mut Vec<SyntaxError>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    if let Data::Alias(name) = &node.data {
        let message = format!("aliases are not supported: `*{name}`; {consequence}");
        errors.push(SyntaxError { span: node.span, message });
    }
    if let Some(tag) = node.tag.as_deref().filter(|tag| !tag.contains("yaml.org,2002") && !tag.starts_with("!!")) {
        let message = format!("tags are not supported: `{tag}`; {consequence}");
        errors.push(SyntaxError { span: node.span, message });
    }
    node.items().iter().for_each(|item| refuse_node(item, consequence, errors, depth + 1));
    for entry in node.entries() {
        refuse_node(&entry.key, consequence, errors, depth + 1);
        refuse_node(&entry.value, consequence, errors, depth + 1);
    }
}

fn lower_root(root: &Node, recipe: &mut Recipe) {
    let version = match root.get("version").map(Value::of) {
        Some(Value::Int(version @ 1..=3)) => version,
        // Whatever is meant, the newest form says least that is wrong.
        _ => 3,
    };
    let table = match version {
        1 => &tables::RECIPE_1,
        2 => &tables::RECIPE_2,
        _ => &tables::RECIPE_3,
    };
    let start = root.entries().first().map_or(root.span, |first| first.key.span);
    let mut check = Check { ids: GENERAL, consequence: REFUSED, problems: &mut recipe.problems };
    check.object(start, root, table);
    explain_versions(root, version, table, &mut recipe.problems);
    recipe.name = root.get("name").and_then(spanned);
    if version > 1 {
        lower_inputs(root, version, recipe);
    }
    let tasks = root.get("tasks").map_or(&[][..], Node::items);
    if tasks.len() > tables::MAX_TASKS {
        let message = format!("a recipe has at most {} tasks; {REFUSED}", tables::MAX_TASKS);
        let place = root.entry("tasks").map_or(start, |entry| entry.key.span);
        recipe.problems.push(Problem::new("invalid-value", place, message));
    }
    let names = names(root, version, tasks);
    let checkpoint = root.get("workflow").and_then(|workflow| workflow.get("checkpoint")).is_some();
    for task in tasks.iter().filter(|task| task.is_mapping()) {
        check_task(task, version, checkpoint, recipe);
        if version > 1 && tasks.len() <= tables::MAX_TASKS {
            check_references(task, &names, recipe);
        }
        recipe.steps.push(step(task));
        if let Some(contract) = responses::contract(task) {
            recipe.contracts.push(contract);
        }
    }
    let workflow = root.get("workflow");
    for key in ["onQuota", "answers", "decisions"] {
        if let Some(entry) = workflow.and_then(|workflow| workflow.entry(key)).filter(|_| !checkpoint) {
            needs_checkpoint(entry.key.span, key, recipe);
        }
    }
    graph::check(&recipe.steps, &mut recipe.problems);
    let families = tasks.iter().filter_map(|task| task.get("dispatch"));
    for dispatch in families {
        responses::references(dispatch, &mut recipe.problems);
    }
}

/// A field that a newer version has: say so instead of "unknown".
fn explain_versions(root: &Node, version: i64, table: &Object, problems: &mut [Problem]) {
    let newer = [(2, &tables::RECIPE_2), (3, &tables::RECIPE_3)];
    for entry in root.entries() {
        let Some(name) = entry.key.text().filter(|name| !table.fields.iter().any(|field| field.name == *name)) else {
            continue;
        };
        let has = |object: &Object| object.fields.iter().any(|field| field.name == name);
        if let Some((needs, _)) = newer.iter().find(|(needs, object)| *needs > version && has(object)) {
            explain(problems, entry.key.span, &format!("`{name}` needs `version: {needs}` or newer"));
        }
    }
}

/// Replaces the help of the problem with an unknown field.
fn explain(problems: &mut [Problem], key: Span, help: &str) {
    for problem in problems.iter_mut().filter(|problem| problem.span == key && problem.lint == GENERAL.unknown) {
        problem.help = Some(help.to_owned());
        problem.fix = None;
    }
}

fn lower_inputs(root: &Node, version: i64, recipe: &mut Recipe) {
    let table = if version == 2 { &tables::INPUT_2 } else { &tables::INPUT_3 };
    for entry in root.get("inputs").map_or(&[][..], Node::entries) {
        let name = entry.key.text().unwrap_or_default();
        if !tables::is_input_name(name) {
            let message = format!(
                "`{name}` cannot be the name of an input: a letter or `_`, then letters, digits, `_` or `-`; {REFUSED}"
            );
            recipe.problems.push(Problem::new("invalid-value", entry.key.span, message));
        }
        let mut check = Check { ids: GENERAL, consequence: REFUSED, problems: &mut recipe.problems };
        check.object(entry.key.span, &entry.value, table);
        check_input(name, &entry.value, &mut recipe.problems);
        let default = entry.value.get("default");
        recipe.variables.push(Variable {
            name: Spanned::new(name.to_owned(), entry.key.span),
            default: default.and_then(spanned),
            shape: match default.map(Value::of) {
                None | Some(Value::Alias) => Shape::Unknown,
                Some(Value::Mapping) => Shape::Object(None),
                Some(Value::Sequence) => Shape::Array,
                Some(_) => Shape::Scalar,
            },
        });
    }
}

/// `default` and `enum` must have the type, and `default` must stand in `enum`.
fn check_input(name: &str, input: &Node, problems: &mut Vec<Problem>) {
    let Some(kind) = input.get("type").and_then(Node::text) else { return };
    let typed = |node: &Node| match (kind, Value::of(node)) {
        ("string", Value::Str(_))
        | ("number", Value::Int(_) | Value::Float(_))
        | ("boolean", Value::Bool(_))
        | ("object", Value::Mapping)
        | ("array", Value::Sequence)
        | ("null", Value::Null)
        | (_, Value::Alias) => true,
        (kind, _) => !tables::INPUT_TYPES_3.contains(&kind),
    };
    let choices = input.get("enum").map_or(&[][..], Node::items);
    for wrong in choices.iter().filter(|choice| !typed(choice)) {
        let message = format!("`enum` of input `{name}` must hold values of type {kind}; {REFUSED}");
        problems.push(Problem::new("invalid-value", wrong.span, message));
    }
    let Some(default) = input.get("default") else { return };
    if !typed(default) {
        let message = format!("`default` of input `{name}` is not of type {kind}; {REFUSED}");
        problems.push(Problem::new("invalid-value", default.span, message));
    } else if !choices.is_empty()
        && default.text().is_some()
        && !choices.iter().any(|choice| Value::of(choice) == Value::of(default))
    {
        let text = default.text().unwrap_or_default();
        let message = format!("`default` of input `{name}` is `{text}`, which `enum` does not have; {REFUSED}");
        problems.push(Problem::new("invalid-value", default.span, message));
    }
}

fn names<'a>(root: &'a Node, version: i64, tasks: &'a [Node]) -> Names<'a> {
    let inputs = root.get("inputs").map_or(&[][..], Node::entries).iter();
    let inputs = inputs.filter_map(|entry| Some((entry.key.text()?, entry.value.get("type").and_then(Node::text))));
    let kind = |task: &Node| {
        if task.get("command").is_some() {
            TaskKind::Command
        } else if task.get("agent").is_some() {
            let response = task.get("dispatch").is_some_and(|dispatch| dispatch.get("response").is_some());
            TaskKind::Agent { response }
        } else if ["value", "call", "queued", "interactive", "decision", "speculation", "loop"]
            .iter()
            .any(|action| task.get(action).is_some())
        {
            TaskKind::Value
        } else {
            TaskKind::Other
        }
    };
    let tasks: HashMap<_, _> = tasks.iter().filter_map(|task| Some((task.get("key")?.text()?, kind(task)))).collect();
    Names { version, inputs: inputs.collect(), tasks }
}

fn check_task(task: &Node, version: i64, checkpoint: bool, recipe: &mut Recipe) {
    let start = task.entries().first().map_or(task.span, |first| first.key.span);
    let table = if version == 3 { &tables::TASK_3 } else { &tables::TASK };
    let problems = &mut recipe.problems;
    Check { ids: GENERAL, consequence: REFUSED, problems }.object(start, task, table);
    let known: &[&str] = if version == 3 { tables::ACTIONS } else { tables::ACTIONS.get(..2).unwrap_or_default() };
    if version < 3 {
        for entry in task.entries() {
            let name = entry.key.text().unwrap_or_default();
            if tables::TASK_3.fields.iter().any(|field| field.name == name) && !known.contains(&name) {
                explain(problems, entry.key.span, &format!("`{name}` needs `version: 3`"));
            }
        }
    }
    let actions: Vec<_> =
        task.entries().iter().filter(|entry| entry.key.text().is_some_and(|key| known.contains(&key))).collect();
    let brief = task.entry("brief");
    match actions.as_slice() {
        [] => {
            let names: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
            let (place, message) = match brief {
                Some(brief) => (brief.key.span, "a task with a `brief` needs an `agent` to read it".to_owned()),
                None => (start, format!("the task does nothing: it needs one of {}", names.join(", "))),
            };
            problems.push(Problem::new("missing-field", place, format!("{message}; {REFUSED}")));
        }
        [only] => {
            let action = only.key.text().unwrap_or_default();
            if action == "agent" && brief.is_none() {
                let message = format!("an agent's task needs a `brief`; {REFUSED}");
                problems.push(Problem::new("missing-field", only.key.span, message));
            }
            for (field, owner) in [
                ("brief", "agent"),
                ("dispatch", "agent"),
                ("arguments", "call"),
                ("state", "decision"),
                ("data", "artifact"),
            ] {
                let allowed = action == owner || (field == "arguments" && action == "queued");
                if let Some(entry) = task.entry(field).filter(|_| !allowed && (version == 3 || field == "brief")) {
                    let message = format!("`{field}` belongs to a task with `{owner}`, not with `{action}`; {REFUSED}");
                    problems.push(Problem::new("invalid-value", entry.key.span, message));
                }
            }
            if let Some(entry) =
                task.entry("quotaResume").filter(|_| version == 3 && !matches!(action, "agent" | "isolated"))
            {
                let message = format!("`quotaResume` belongs to a task with `agent` or `isolated`; {REFUSED}");
                problems.push(Problem::new("invalid-value", entry.key.span, message));
            }
        }
        [first, second, ..] => {
            let name = |node: &Node| node.text().unwrap_or_default().to_owned();
            let message = format!(
                "a task does exactly one thing: it has `{}` and `{}`; {REFUSED}",
                name(&first.key),
                name(&second.key)
            );
            let problem = Problem::new("invalid-value", second.key.span, message);
            problems.push(problem.related(first.key.span, "the first action"));
        }
    }
    if version < 3 {
        if let Some(variables) = task.get("command").and_then(|command| command.get("variables")) {
            check_variables(variables, problems);
        }
        return;
    }
    if let (Some(_), Some(entry)) =
        (task.get("when"), task.get("options").and_then(|options| options.entry("condition")))
    {
        let message = format!("`when` and `options.condition` exclude each other; {REFUSED}");
        problems.push(Problem::new("invalid-value", entry.key.span, message));
    }
    let options = task.get("options");
    if task.get("loop").is_some() {
        let extra = ["retry", "gate", "interaction"];
        let inner = extra.iter().filter_map(|key| options?.entry(key));
        for entry in task.entry("retry").into_iter().chain(inner) {
            let message = format!("a `loop` takes no retry, gate or interaction; {REFUSED}");
            problems.push(Problem::new("invalid-value", entry.key.span, message));
        }
    }
    let gates = ["gate", "interactive"].iter().filter_map(|key| task.entry(key));
    let inner = ["gate", "interaction"].iter().filter_map(|key| options?.entry(key));
    for entry in gates.chain(inner).filter(|_| !checkpoint) {
        needs_checkpoint(entry.key.span, entry.key.text().unwrap_or_default(), recipe);
    }
}

fn check_variables(variables: &Node, problems: &mut Vec<Problem>) {
    for entry in variables.entries() {
        let name = entry.key.text().unwrap_or_default();
        if !tables::is_variable(name) {
            let message = format!("`{name}` is no name of an environment variable; {REFUSED}");
            problems.push(Problem::new("invalid-value", entry.key.span, message));
        }
    }
}

fn needs_checkpoint(span: Span, key: &str, recipe: &mut Recipe) {
    let message = format!("`{key}` waits for someone, so the recipe needs `workflow.checkpoint`; {REFUSED}");
    let help = "add `workflow: { checkpoint: { store, runId, version } }`";
    recipe.problems.push(Problem::new("missing-field", span, message).help(help));
}

fn check_references(task: &Node, names: &Names<'_>, recipe: &mut Recipe) {
    let after = task.get("after").map_or(&[][..], Node::items).iter().filter_map(Node::text).collect();
    let key = task.get("key").and_then(Node::text).unwrap_or_default();
    let mut reader = Reader { names, task: key, after, problems: &mut recipe.problems };
    for text in texts(task) {
        if let Some(scalar) = text.scalar() {
            reader.text(&scalar.fragment);
        }
    }
    if names.version < 3 {
        return;
    }
    if let Some(when) = task.get("when") {
        reader.condition(when);
    }
    for field in ["value", "arguments", "state", "data"] {
        if let Some(value) = task.get(field) {
            reader.expression(value);
        }
    }
}

/// The texts of a task in which references are filled.
fn texts(task: &Node) -> Vec<&Node> {
    let mut texts: Vec<&Node> = task.get("brief").into_iter().collect();
    if let Some(command) = task.get("command") {
        texts.extend(["executable", "stdin", "directory"].iter().filter_map(|key| command.get(key)));
        texts.extend(command.get("arguments").map_or(&[][..], Node::items));
        texts.extend(command.get("variables").map_or(&[][..], Node::entries).iter().map(|entry| &entry.value));
    }
    let isolated = task.get("isolated").and_then(|isolated| isolated.get("brief")).and_then(|brief| brief.get("text"));
    texts.extend(isolated);
    texts
}

fn step(task: &Node) -> Step {
    let brief = task.entry("brief").and_then(|entry| {
        let text = entry.value.scalar()?.fragment.clone();
        Some(Prompt { key: entry.key.span, text })
    });
    let action = if task.get("agent").is_some() {
        Action::Agent(AgentCall { prompt: brief })
    } else {
        let other = tables::ACTIONS.iter().find(|action| task.get(action).is_some());
        other.map_or(Action::Nothing, |action| Action::Other((*action).to_owned()))
    };
    let variables = task.get("command").and_then(|command| command.get("variables"));
    let env = variables.map_or(&[][..], Node::entries).iter().filter_map(|entry| {
        Some(NamedText { name: spanned(&entry.key)?, text: Arc::new(entry.value.scalar()?.fragment.clone()) })
    });
    Step {
        id: task.get("key").and_then(spanned),
        job: None,
        action,
        condition: None,
        output: None,
        group: None,
        after: task.get("after").map_or(&[][..], Node::items).iter().filter_map(spanned).collect(),
        env: env.collect(),
        texts: Vec::new(),
        continue_on_error: false,
        span: task.span,
    }
}
