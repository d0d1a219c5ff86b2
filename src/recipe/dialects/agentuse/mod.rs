//! AgentUse: `*.agentuse`, a frontmatter and the instructions behind it.

mod body;
mod frontmatter;
mod linked;
mod tables;
#[cfg(test)]
mod tests;
mod verify;

use std::sync::Arc;

use super::Lowered;
use crate::recipe::fields::{Check, GENERAL, spanned};
use crate::recipe::scalar::Value;
use crate::recipe::{AgentFile, Base, Dialect, GateKind, Mention, MentionKind, Problem, Recipe, Severity};
use crate::syntax::yaml::{self, Entry, Node};
use crate::text::{Fragment, Source, Span, SyntaxError};

pub use linked::problems as linked_problems;

/// Messages end with this.
const CONSEQUENCE: &str = "the agent is not loaded";
/// Extension of agents; files with another are refused.
pub const EXTENSION: &str = ".agentuse";

/// Lowers an agent.
pub fn lower(source: &Source) -> Lowered {
    let text: &str = &source.text;
    let mut recipe = Recipe::empty(Dialect::AgentUse);
    let Some(parts) = frontmatter::split(text) else {
        let mut errors = Vec::new();
        without_frontmatter(text, &mut recipe, &mut errors);
        recipe.agent = Some(AgentFile { body: body(text, 0), first_line: first_line(text, 0), ..AgentFile::default() });
        return Lowered { yaml: None, recipe, errors };
    };
    let document = yaml::parse(yaml_part(text));
    let mut agent =
        AgentFile { body: body(text, parts.body), first_line: first_line(text, parts.body), ..AgentFile::default() };
    let root = document.root.as_ref();
    match root.map(Value::of) {
        Some(Value::Mapping) => {
            if let Some(root) = root {
                check(root, &mut recipe, &mut agent);
            }
        }
        None | Some(Value::Null) => without_model(Span::new(parts.yaml.0, parts.yaml.0 + 3), &mut recipe.problems),
        Some(_) => {
            let message = format!("the frontmatter must be a mapping; {CONSEQUENCE}");
            let start = root.map_or(parts.yaml.0, |root| root.span.start);
            recipe.problems.push(Problem::new("invalid-value", Span::new(start, line_end(text, start)), message));
        }
    }
    body::placeholders(&agent.body, &mut recipe.problems);
    recipe.agent = Some(agent);
    let errors = document.errors.clone();
    Lowered { yaml: Some(Arc::new(document)), recipe, errors }
}

/// The frontmatter of an agent's text, with all that stands before it.
pub fn yaml_part(text: &str) -> &str {
    frontmatter::split(text).and_then(|parts| text.get(..parts.yaml.1)).unwrap_or_default()
}

fn body(text: &str, start: usize) -> Fragment {
    Fragment::verbatim(text.get(start..).unwrap_or_default(), start)
}

/// The first line from `start` on that is not blank; without one, the place itself.
fn first_line(text: &str, start: usize) -> Span {
    let rest = text.get(start..).unwrap_or_default();
    let Some(offset) = rest.find(|c: char| !c.is_whitespace()) else { return Span::at(start) };
    Span::new(start + offset, line_end(text, start + offset))
}

fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.lines().next().unwrap_or_default().trim_end().len()
}

/// A file in which nothing is frontmatter: it has no model, no tools, no gate and no verification.
fn without_frontmatter(text: &str, recipe: &mut Recipe, errors: &mut Vec<SyntaxError>) {
    let trimmed = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let start = text.len() - trimmed.len();
    if trimmed.is_empty() {
        recipe.problems.push(Problem::new(GENERAL.missing, Span::at(0), format!("the file is empty; {CONSEQUENCE}")));
    } else if trimmed.starts_with("---") && trimmed.contains("\n---") {
        let why =
            if start > 0 { "it is not at the very start of the file" } else { "it begins with more than three `-`" };
        let message = format!("this is no frontmatter, because {why}: model, tools and verify in it do nothing");
        errors.push(SyntaxError { span: Span::new(start, line_end(text, start)), message });
    } else {
        without_model(Span::new(start, line_end(text, start)), &mut recipe.problems);
    }
}

/// Up to 0.16 the model is required; later a default may come from the user's configuration or environment.
fn without_model(span: Span, problems: &mut Vec<Problem>) {
    let message = "no `model`: the agent only loads where a default is configured (`models.default`, `AGENTUSE_MODEL`)";
    problems.push(Problem::new(GENERAL.missing, span, message).level(Severity::Info));
}

fn check(root: &Node, recipe: &mut Recipe, agent: &mut AgentFile) {
    let start = root.entries().first().map_or(root.span, |first| first.key.span);
    let problems = &mut recipe.problems;
    Check { ids: GENERAL, consequence: CONSEQUENCE, problems }.object(start, root, &tables::AGENT);
    explain(root, problems);
    recipe.name = root.get("name").and_then(spanned);
    if root.get("model").is_none() {
        without_model(start, problems);
    }
    if let (Some(_), Some(old)) = (root.get("mcpServers"), root.entry("mcp_servers")) {
        let message = format!("`mcp_servers` and `mcpServers` exclude each other; {CONSEQUENCE}");
        problems.push(Problem::new(GENERAL.invalid, old.key.span, message).help("keep `mcpServers`, the newer name"));
    } else if let Some(old) = root.entry("mcp_servers") {
        let message = "`mcp_servers` is the old name of `mcpServers`: the loader warns on each run";
        let problem = Problem::new(GENERAL.unknown, old.key.span, message).level(Severity::Info);
        problems.push(problem.fix(old.key.span, "mcpServers", true));
    }
    check_servers(root, problems);
    check_paths(root, problems);
    if let Some(slack) = root.get("channels").and_then(|channels| channels.entry("slack"))
        && slack.value.is_mapping()
        && slack.value.entries().is_empty()
    {
        let message = format!("`slack` is empty; {CONSEQUENCE}");
        problems.push(Problem::new(GENERAL.invalid, slack.key.span, message).help("write `slack: true`"));
    }
    if let Some(channels) =
        root.entry("channels").filter(|entry| entry.value.is_mapping() && entry.value.entries().is_empty())
    {
        let message = format!("`channels` is empty; {CONSEQUENCE}");
        problems.push(
            Problem::new(GENERAL.invalid, channels.key.span, message).help("write `channels: [slack]`, or delete it"),
        );
    }
    agent.gates = gates(root);
    agent.artifacts = root
        .get("tools")
        .and_then(|tools| tools.get("artifacts"))
        .is_some_and(|artifacts| Value::of(artifacts) != Value::Bool(false));
    for subagent in root.get("subagents").map_or(&[][..], Node::items) {
        if let Some(path) = subagent.get("path").and_then(spanned) {
            recipe.mentions.push(Mention { path: path.clone(), base: Base::Here, kind: MentionKind::Judge });
            agent.subagents.push(path);
        }
    }
    if let Some(entry) = root.entry("verify") {
        let verify = verify::lower(entry, &mut recipe.problems);
        verify::check_gate(&verify, &agent.gates, &mut recipe.problems);
        if let Some((_, path)) = &verify.judge {
            recipe.mentions.push(Mention { path: path.clone(), base: Base::Here, kind: MentionKind::Judge });
        }
        agent.verify = Some(verify);
    }
}

/// Where the agent stops for a human.
fn gates(root: &Node) -> Vec<(GateKind, Span)> {
    let mut gates = Vec::new();
    if let Some(entry) =
        root.entry("approval").filter(|entry| matches!(Value::of(&entry.value), Value::Bool(true) | Value::Mapping))
    {
        gates.push((GateKind::Approval, entry.span()));
    }
    let tools = root.get("tools");
    let human = tools.and_then(|tools| tools.entry("await_human"));
    if let Some(entry) = human.filter(|entry| Value::of(&entry.value) == Value::Bool(true)) {
        gates.push((GateKind::AwaitHuman, entry.span()));
    }
    let gated = tools.and_then(|tools| tools.get("bash")).and_then(|bash| bash.entry("gated"));
    if let Some(entry) = gated.filter(|entry| !entry.value.items().is_empty()) {
        gates.push((GateKind::Gated, entry.key.span));
    }
    gates
}

/// Says more of keys that are dropped or refused than that they are not known.
fn explain(root: &Node, problems: &mut [Problem]) {
    let of_verify = |name: &str| tables::VERIFY.fields.iter().any(|field| field.name == name);
    let known = |name: &str| tables::AGENT.fields.iter().any(|field| field.name == name);
    let removed = |parent: &str, entry: &Entry| {
        let name = entry.key.text().unwrap_or_default();
        let found = tables::REMOVED.iter().find(|(owner, key, _)| *owner == parent && *key == name);
        found.map(|(_, _, help)| *help)
    };
    for problem in problems.iter_mut().filter(|problem| problem.lint == GENERAL.unknown) {
        let at_root = root.entries().iter().find(|entry| entry.key.span == problem.span);
        if let Some(entry) = at_root {
            let name = entry.key.text().unwrap_or_default();
            if of_verify(name) && !known(name) {
                problem.message = format!("`{name}` stands outside of `verify`, where it is dropped in silence");
                problem.help = Some(format!("put it below `verify:`, as `verify: {{ {name}: … }}`"));
                problem.fix = None;
            } else if let Some(help) = removed("", entry) {
                problem.message = format!("`{name}` was removed; {CONSEQUENCE}");
                problem.help = Some(help.to_owned());
                problem.fix = None;
                problem.level = Some(Severity::Error);
            } else if problem.fix.is_none() {
                problem.help = Some("keys of your own belong below `metadata:`".to_owned());
            }
        }
        for parent in ["approval", "learning"] {
            let entries = root.get(parent).map_or(&[][..], Node::entries);
            let inner = entries.iter().find(|entry| entry.key.span == problem.span);
            if let Some(help) = inner.and_then(|entry| removed(parent, entry)) {
                let name = inner.and_then(|entry| entry.key.text()).unwrap_or_default();
                problem.message = format!("`{parent}.{name}` was removed; {CONSEQUENCE}");
                problem.help = Some(help.to_owned());
                problem.fix = None;
            }
        }
    }
}

/// An MCP server has a command or an address.
fn check_servers(root: &Node, problems: &mut Vec<Problem>) {
    let servers = ["mcpServers", "mcp_servers"].iter().filter_map(|key| root.get(key)).flat_map(Node::entries);
    for entry in servers.filter(|entry| entry.value.is_mapping()) {
        if entry.value.get("command").is_none() && entry.value.get("url").is_none() {
            let message = format!("an MCP server needs `command` or `url`; {CONSEQUENCE}");
            problems.push(Problem::new(GENERAL.missing, entry.key.span, message));
        }
    }
}

/// A filesystem entry has a path.
fn check_paths(root: &Node, problems: &mut Vec<Problem>) {
    let paths = root.get("tools").and_then(|tools| tools.get("filesystem")).map_or(&[][..], Node::items);
    for path in
        paths.iter().filter(|path| path.is_mapping() && path.get("path").is_none() && path.get("paths").is_none())
    {
        let place = path.entries().first().map_or(path.span, |first| first.key.span);
        let message = format!("an entry of `filesystem` needs `path` or `paths`; {CONSEQUENCE}");
        problems.push(Problem::new(GENERAL.missing, place, message));
    }
}
