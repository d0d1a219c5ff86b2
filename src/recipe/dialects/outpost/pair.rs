//! What is wrong with a recipe only beside its configuration, the nearest `outpost.yaml` in its folder or above.

use super::config::{component, resolved, unknown};
use super::{REFUSED, responses};
use crate::recipe::fields::nearest;
use crate::recipe::scalar::Value;
use crate::recipe::{Dialect, File, Index, Problem, Severity, prompt};
use crate::syntax::template::{Root, references};
use crate::syntax::yaml::Node;
use crate::text::Span;

/// The problems of a recipe beside its configuration, placed in the recipe.
pub fn problems(file: &File, index: &Index) -> Vec<Problem> {
    let mut problems = Vec::new();
    let document = file.yaml();
    let Some(root) = document.as_ref().and_then(|document| document.root.as_ref()) else { return problems };
    let config = file.recipe.mentions.iter().find_map(|mention| index.mentioned(file, mention));
    let config = config.filter(|config| config.dialect == Dialect::OutpostConfig);
    let config = config.and_then(|config| Some((config, config.yaml()?)));
    let config_root = config.as_ref().and_then(|(config, document)| Some((*config, document.root.as_ref()?)));
    let tasks = root.get("tasks").map_or(&[][..], Node::items);
    for task in tasks {
        if let Some((config, config_root)) = config_root {
            let pair = Pair { config, root: config_root };
            pair.agent(task, &mut problems);
            pair.dispatch(task, tasks, &mut problems);
        }
        conflicts(task, config_root.map(|(_, root)| root), &mut problems);
    }
    problems
}

/// The response of a task, where it can be found.
fn response<'a>(task: &'a Node, config: Option<&'a Node>) -> Option<&'a Node> {
    let response = task.get("dispatch")?.get("response")?;
    match responses::reference(response).and_then(Node::text) {
        Some(target) => resolved(config?, target),
        None => Some(response),
    }
}

/// The engine adds its own instructions for the response behind the brief: what the brief itself demands of the answer's
/// form works against them.
fn conflicts(task: &Node, config: Option<&Node>, problems: &mut Vec<Problem>) {
    let Some(response) = response(task, config) else { return };
    let Some(tag) = response.get("tag").and_then(Node::text) else { return };
    let Some(brief) = task.get("brief").and_then(Node::scalar) else { return };
    for (span, what) in prompt::conflicts(brief.fragment.text(), tag) {
        let message = format!("the brief {what}, and Outpost adds that the answer must end with one `<{tag}>` block");
        let help = "leave the form of the answer to the response; say in the brief only what it should hold";
        let problem = Problem::new("multiple-output-contracts", brief.fragment.locate(span), message);
        problems.push(problem.help(help).level(Severity::Warning));
    }
}

struct Pair<'a> {
    config: &'a File,
    root: &'a Node,
}

impl Pair<'_> {
    /// The role must exist.
    fn agent(&self, task: &Node, problems: &mut Vec<Problem>) {
        let Some(agent) = task.get("agent") else { return };
        let Some(role) = agent.text() else { return };
        let agents = self.root.entry("agents");
        if agents.is_some_and(|agents| agents.value.get(role).is_some()) {
            return;
        }
        let message = format!("the configuration has no agent `{role}`; {REFUSED}");
        let mut problem = Problem::new("unknown-reference", agent.span, message);
        let names = agents.map_or(&[][..], |agents| agents.value.entries()).iter().filter_map(|entry| entry.key.text());
        if let Some(near) = nearest(role, names) {
            problem = problem.help(format!("`{near}` is meant?")).fix(agent.span, near, false);
        }
        let place = agents.map_or(Span::at(0), |agents| agents.key.span);
        problems.push(problem.elsewhere(self.config.id, place, "the agents of the configuration"));
    }

    /// `dispatch` needs a configuration of version 2 or newer; its response must exist; repairs need a conversation.
    fn dispatch(&self, task: &Node, tasks: &[Node], problems: &mut Vec<Problem>) {
        let Some(dispatch) = task.entry("dispatch") else { return };
        if let Some(version) = self.root.get("version").filter(|version| Value::of(version) == Value::Int(1)) {
            let message = format!("`dispatch` needs a configuration of version 2 or newer; {REFUSED}");
            let problem = Problem::new("invalid-value", dispatch.key.span, message);
            problems.push(problem.elsewhere(self.config.id, version.span, "the configuration is version 1"));
            return;
        }
        let Some(response) = dispatch.value.entry("response") else { return };
        let target = responses::reference(&response.value);
        if let Some(target) = target
            && let Some(text) = target.text()
            && text.starts_with("responses.")
            && component(self.root, text).is_none()
        {
            problems.push(unknown(target, self.root, REFUSED));
            return;
        }
        let Some(definition) = self::response(task, Some(self.root)) else { return };
        value_fields(task, tasks, definition, problems);
        let Some(repairs) = definition.entry("repairs") else { return };
        if !matches!(Value::of(&repairs.value), Value::Int(count) if count > 0) {
            return;
        }
        let Some(why) = self.unresumable(task) else { return };
        let message = "the response asks for repairs, and the agent cannot go on with its conversation: the run fails";
        let place = if target.is_some() { response.value.span } else { repairs.key.span };
        let mut problem = Problem::new("unresumable-retry", place, message);
        if target.is_some() {
            problem = problem.elsewhere(self.config.id, repairs.span(), "the repairs");
        }
        problem = problem.elsewhere(self.config.id, why, "without stored conversations there is nothing to go on with");
        problems.push(problem.help("let the harness store conversations, or set `repairs: 0`"));
    }

    /// Why the task's agent cannot go on: its harness stores no conversations. Every built-in harness can.
    fn unresumable(&self, task: &Node) -> Option<Span> {
        let agent = resolved(self.root, &format!("agents.{}", task.get("agent")?.text()?))?;
        let harness = agent.get("harness");
        let harness = match harness.and_then(responses::reference).and_then(Node::text) {
            Some(target) => resolved(self.root, target),
            None => harness.filter(|harness| harness.is_mapping()),
        };
        [Some(agent), harness].into_iter().flatten().find_map(|node| {
            ["conversations", "saveConversations"].iter().find_map(|key| {
                let entry = node.entry(key)?;
                (Value::of(&entry.value) == Value::Bool(false)).then(|| entry.span())
            })
        })
    }
}

/// `{{ steps.k.value.F }}` where the schema of `k`'s response is closed and has no F.
fn value_fields(task: &Node, tasks: &[Node], response: &Node, problems: &mut Vec<Problem>) {
    let Some(key) = task.get("key").and_then(Node::text) else { return };
    let Some(schema) = response.get("jsonSchema") else { return };
    let closed = schema.get("additionalProperties").is_some_and(|open| Value::of(open) == Value::Bool(false));
    let Some(properties) = schema.get("properties").filter(|properties| closed && properties.is_mapping()) else {
        return;
    };
    for scalar in tasks.iter().flat_map(super::texts).filter_map(Node::scalar) {
        for reference in references(scalar.fragment.text()).0 {
            let segments: Vec<_> = reference.path.iter().map(|segment| segment.value.as_str()).collect();
            let Some(field) = segments.join(".").strip_prefix(&format!("{key}.value.")).map(str::to_owned) else {
                continue;
            };
            let field = field.split('.').next().unwrap_or_default();
            if reference.root != Root::Steps || properties.get(field).is_some() {
                continue;
            }
            let message = format!("the response of task `{key}` has no `{field}`: the run fails there");
            let known = properties.entries().iter().filter_map(|entry| entry.key.text());
            let names: Vec<_> = known.clone().map(|name| format!("`{name}`")).collect();
            let help = nearest(field, known)
                .map_or_else(|| format!("it has {}", names.join(", ")), |near| format!("`{near}` is meant?"));
            let span = scalar.fragment.locate(reference.span);
            problems.push(Problem::new("unfilled-placeholder", span, message).help(help));
        }
    }
}
