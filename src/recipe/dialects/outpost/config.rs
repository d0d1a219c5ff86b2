//! `outpost.yaml`: where a recipe runs, and with which agents and components.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::Lowered;
use super::{refuse_yaml, responses, tables};
use crate::recipe::fields::{Check, GENERAL, Kind, nearest};
use crate::recipe::scalar::Value;
use crate::recipe::{Agent, Call, Contract, Dialect, Known, Problem, Recipe, Severity, System};
use crate::syntax::yaml::{self, Node};
use crate::text::{Source, Span, Spanned};

/// Messages end with this.
const REFUSED: &str = "the configuration is refused";
/// Nesting that is looked at.
const MAX_DEPTH: usize = 32;

/// Lowers `outpost.yaml`.
pub fn lower(source: &Source) -> Lowered {
    let document = yaml::parse(&source.text);
    let mut recipe = Recipe::empty(Dialect::OutpostConfig);
    let mut errors = document.errors.clone();
    refuse_yaml(source, &document, REFUSED, &mut errors);
    if let Some(root) = &document.root {
        check(root, &mut recipe);
        if !document.errors.is_empty() {
            recipe.problems.retain(|problem| problem.lint != "missing-field");
        }
    }
    Lowered { yaml: Some(Arc::new(document)), recipe, errors }
}

fn check(root: &Node, recipe: &mut Recipe) {
    let start = root.entries().first().map_or(root.span, |first| first.key.span);
    let problems = &mut recipe.problems;
    let version = version(root, start, problems);
    for entry in root.entries() {
        let name = entry.key.text().unwrap_or_default();
        let since = tables::CONFIG_ROOT.iter().find(|(known, _)| *known == name).map(|(_, since)| *since);
        let since = since.or_else(|| tables::FAMILIES.contains(&name).then_some(2));
        match since {
            Some(since) if since > version && root.get("version").is_some() => {
                let message = format!("`{name}` needs `version: {since}`, this is version {version}; {REFUSED}");
                problems.push(Problem::new(GENERAL.unknown, entry.key.span, message).level(Severity::Error));
            }
            Some(_) if version == 3 && matches!(name, "repository" | "branch") => {
                let message = format!("`{name}` stands inside `workspace` in version 3; {REFUSED}");
                problems.push(Problem::new(GENERAL.unknown, entry.key.span, message).level(Severity::Error));
            }
            Some(_) => {}
            None => {
                let known = tables::CONFIG_ROOT.iter().map(|(name, _)| *name).chain(tables::FAMILIES.iter().copied());
                let message = format!("`{name}` is not a field of a configuration; {REFUSED}");
                let problem = Problem::new(GENERAL.unknown, entry.key.span, message).level(Severity::Error);
                problems.push(match nearest(name, known) {
                    Some(near) => problem.help(format!("`{near}` is meant?")).fix(entry.key.span, near, false),
                    None => problem,
                });
            }
        }
    }
    if version < 3 && root.get("repository").is_none() {
        let message = format!("a configuration needs `repository`; {REFUSED}");
        problems.push(Problem::new(GENERAL.missing, start, message));
    }
    check_values(root, version, problems);
    for entry in root.get("responses").map_or(&[][..], Node::entries) {
        responses::check(entry.key.span, &entry.value, REFUSED, problems);
    }
    if version > 1 {
        check_references(root, problems);
        recipe.contracts.extend(definitions(root));
    }
}

fn version(root: &Node, start: Span, problems: &mut Vec<Problem>) -> i64 {
    match root.entry("version").map(|entry| (entry, Value::of(&entry.value))) {
        Some((_, Value::Int(version @ 1..=3))) => version,
        Some((entry, _)) => {
            let mut check = Check { ids: GENERAL, consequence: REFUSED, problems };
            check.value("version", entry.key.span, &entry.value, Kind::Int(1, 3));
            3
        }
        None => {
            let message = format!("a configuration needs `version`; {REFUSED}");
            problems.push(Problem::new(GENERAL.missing, start, message));
            2
        }
    }
}

fn check_values(root: &Node, version: i64, problems: &mut Vec<Problem>) {
    let mut check = Check { ids: GENERAL, consequence: REFUSED, problems };
    let mut field = |name: &str, kind: Kind| {
        if let Some(entry) = root.entry(name) {
            check.value(name, entry.key.span, &entry.value, kind);
        }
    };
    field("$schema", Kind::Text);
    field("environment", tables::ENVIRONMENT);
    if version < 3 {
        field("repository", Kind::Text);
        field("branch", Kind::Object(&tables::BRANCH));
    }
    if version == 1 {
        field("sandbox", Kind::Object(&tables::SANDBOX_1));
        field("agents", Kind::Map(&Kind::Object(&tables::AGENT_1)));
    } else {
        for agent in root.get("agents").map_or(&[][..], Node::entries) {
            misspelt(&agent.value, "an agent", tables::AGENT_KEYS, check.problems);
        }
        if let Some(sandbox) = root.get("sandbox") {
            misspelt(sandbox, "`sandbox`", tables::SANDBOX_KEYS, check.problems);
        }
        let mut field = |name: &str, kind: Kind| {
            if let Some(entry) = root.entry(name) {
                check.value(name, entry.key.span, &entry.value, kind);
            }
        };
        field("experimental", Kind::Bool);
        field("extensions", Kind::Map(&Kind::Object(&tables::EXTENSION)));
    }
    for entry in root.get("environment").map_or(&[][..], Node::entries) {
        let name = entry.key.text().unwrap_or_default();
        if !tables::is_variable(name) {
            let message = format!("`{name}` is no name of an environment variable; {REFUSED}");
            problems.push(Problem::new(GENERAL.invalid, entry.key.span, message));
        }
    }
    // A literal secret in place of a variable's name is the likeliest reason for a refused value here.
    for problem in problems.iter_mut() {
        if problem.message.contains("the name of an environment variable") && problem.help.is_none() {
            problem.help = Some("secrets never stand in the file: name the variable that holds it".to_owned());
        }
    }
    check_branch(root, version, problems);
}

/// Components have fields of their own, by their kind; only a slip of the pen in one that all have is certain.
fn misspelt(component: &Node, what: &str, known: &[&str], problems: &mut Vec<Problem>) {
    for entry in component.entries() {
        let name = entry.key.text().unwrap_or_default();
        let Some(near) = nearest(name, known.iter().copied()).filter(|_| !known.contains(&name)) else { continue };
        let message = format!("`{name}` is not a field of {what}; {REFUSED}");
        let problem = Problem::new(GENERAL.unknown, entry.key.span, message).level(Severity::Error);
        problems.push(problem.help(format!("`{near}` is meant?")).fix(entry.key.span, near, false));
    }
}

fn check_branch(root: &Node, version: i64, problems: &mut Vec<Problem>) {
    let Some(branch) = root.get("branch").filter(|_| version < 3) else { return };
    let Some(mode) = branch.get("mode").and_then(Node::text) else { return };
    let refused: &[&str] = match mode {
        "current" => &["name", "from"],
        "integrate" => &["name"],
        _ => &[],
    };
    for entry in refused.iter().filter_map(|key| branch.entry(key)) {
        let name = entry.key.text().unwrap_or_default();
        let message = format!("a branch of mode `{mode}` takes no `{name}`; {REFUSED}");
        problems.push(Problem::new(GENERAL.invalid, entry.key.span, message));
    }
    if let Some(entry) = branch.entry("mode").filter(|_| mode == "named" && branch.get("name").is_none()) {
        let message = format!("a branch of mode `named` needs its `name`; {REFUSED}");
        problems.push(Problem::new(GENERAL.missing, entry.key.span, message));
    }
}

/// Every `$ref` must lead to a component of the file, and not in a circle.
fn check_references(root: &Node, problems: &mut Vec<Problem>) {
    let mut found = Vec::new();
    for entry in root.entries() {
        collect(&entry.value, &mut found, 0);
    }
    for target in found {
        let text = target.text().unwrap_or_default();
        if component(root, text).is_none() {
            problems.push(unknown(target, root, REFUSED));
        } else if circle(root, text) {
            let message = format!("`{text}` leads back to itself; {REFUSED}");
            problems.push(Problem::new("recipe-cycle", target.span, message));
        }
    }
}

/// The values of all `$ref`s below a node; schemas have their own.
fn collect<'a>(node: &'a Node, found: &mut Vec<&'a Node>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    if let Some(target) = responses::reference(node) {
        found.extend(target.text().map(|_| target));
        return;
    }
    node.items().iter().for_each(|item| collect(item, found, depth + 1));
    for entry in node.entries() {
        if !matches!(entry.key.text(), Some("jsonSchema" | "schema" | "inputSchema" | "outputSchema" | "options")) {
            collect(&entry.value, found, depth + 1);
        }
    }
}

/// The component that a `$ref` names.
pub fn component<'a>(root: &'a Node, reference: &str) -> Option<&'a Node> {
    let (family, name) = reference.split_once('.')?;
    if !tables::FAMILIES.contains(&family) && family != "extensions" {
        return None;
    }
    root.get(family)?.get(name)
}

/// The component that a `$ref` names, through further `$ref`s.
pub fn resolved<'a>(root: &'a Node, reference: &str) -> Option<&'a Node> {
    let mut node = component(root, reference)?;
    for _ in 0..MAX_DEPTH {
        match responses::reference(node).and_then(Node::text) {
            Some(next) => node = component(root, next)?,
            None => return Some(node),
        }
    }
    None
}

fn circle(root: &Node, reference: &str) -> bool {
    let mut seen = HashSet::from([reference]);
    let mut at = reference;
    while let Some(next) = component(root, at).and_then(responses::reference).and_then(Node::text) {
        if next == reference {
            return true;
        }
        if !seen.insert(next) {
            return false;
        }
        at = next;
    }
    false
}

/// A `$ref` that leads nowhere.
pub fn unknown(target: &Node, root: &Node, consequence: &str) -> Problem {
    let text = target.text().unwrap_or_default();
    let (family, name) = text.split_once('.').unwrap_or((text, ""));
    let families = || tables::FAMILIES.iter().copied().chain(["extensions"]);
    if !families().any(|known| known == family) {
        let message = format!("`{text}` names no component: there is no family `{family}`; {consequence}");
        let problem = Problem::new("unknown-reference", target.span, message);
        return match nearest(family, families()) {
            Some(near) => {
                problem.help(format!("`{near}.{name}` is meant?")).fix(target.span, format!("{near}.{name}"), false)
            }
            None => problem,
        };
    }
    let message = format!("`{text}` names no component of the configuration; {consequence}");
    let problem = Problem::new("unknown-reference", target.span, message);
    let names = root.get(family).map_or(&[][..], Node::entries).iter().filter_map(|entry| entry.key.text());
    match responses::meant(name, &format!("{family}."), names) {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// `responses.*` as contracts on their own.
fn definitions(root: &Node) -> Vec<Contract> {
    let entries = root.get("responses").map_or(&[][..], Node::entries).iter();
    entries
        .filter(|entry| entry.value.is_mapping() && responses::reference(&entry.value).is_none())
        .map(|entry| Contract {
            system: System::OutpostRecipe,
            call: Spanned::new(Call::Definition, entry.key.span),
            output: Known::Known(responses::output(entry.key.span, &entry.value)),
            iterations: Known::Absent,
            prompt: Known::Absent,
            arguments: Known::Absent,
            agent: Agent::default(),
            inherited_from: None,
            package: None,
            span: entry.span(),
        })
        .collect()
}
