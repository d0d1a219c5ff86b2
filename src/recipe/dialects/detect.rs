//! Which format a file is, by its path and its shape. Cheap, because every YAML and TypeScript file of a repository
//! is asked: a scan for keys, and a tree only for the rare file whose collections are written in flow style.

use std::borrow::Cow;
use std::path::Path;

use super::amplihack::keys;
use super::contracts;
use crate::recipe::Dialect;
use crate::syntax::yaml;

/// A larger file is recognised by its keys in block style only.
const MAX_FLOW_BYTES: usize = 1_000_000;

/// Packages whose imports make a TypeScript or JavaScript file a program of interest.
const PACKAGES: &[&str] = &["@ai-hero/sandcastle", "@elie-laloum/outpost"];

/// What a step of an amplihack recipe does (facts of the engine's `Step`): one of these stands beside its `id`.
const DOES: &[&str] = &["command", "prompt", "agent", "recipe", "type"];

/// The format of a file that was met on the way through a folder; `None` for everything that is none of ours.
pub fn detect(path: &Path, text: &str) -> Option<Dialect> {
    let name = path.file_name()?.to_str()?;
    let text = text.trim_start_matches('\u{feff}');
    match extension(path) {
        "agentuse" => Some(Dialect::AgentUse),
        "ts" | "mts" | "cts" | "tsx" | "js" | "mjs" | "cjs" | "jsx" => (!name.ends_with(".d.ts")
            && PACKAGES.iter().any(|package| text.contains(package)))
        .then_some(Dialect::Program),
        "yaml" | "yml" => detect_yaml(path, text),
        _ => None,
    }
}

/// The format of a file that was named by the user, and so is always read: what [`detect`] says, else the most likely
/// one of its extension.
pub fn assume(path: &Path, text: &str) -> Option<Dialect> {
    detect(path, text).or_else(|| match extension(path) {
        "yaml" | "yml" => may_be_recipe(text).then_some(Dialect::Amplihack),
        "sh" | "bash" => Some(Dialect::Script),
        "md" | "markdown" | "txt" => Some(Dialect::Prompt),
        "ts" | "mts" | "cts" | "tsx" | "js" | "mjs" | "cjs" | "jsx" => Some(Dialect::Program),
        _ => None,
    })
}

/// Nothing of another format shows: steps, or only keys of a recipe, or no text to tell by.
fn may_be_recipe(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let shape = Shape::of(text);
    let listed = text.lines().find(|line| !is_skipped(line)).is_some_and(|line| line.trim_start().starts_with("- "));
    shape.has("steps")
        || (shape.keys.iter().all(|key| is_ours(key) || keys::nearest(keys::TOP, key).is_some()) && !listed)
}

/// A key of a recipe, or one that authors of recipes write.
fn is_ours(key: &str) -> bool {
    keys::known(keys::TOP, key).is_some() || keys::IGNORED_TOP.iter().any(|ignored| ignored.name == key)
}

/// The same in a step; slips of the pen too.
fn is_ours_in_step(key: &str) -> bool {
    keys::known(keys::STEP, key).is_some()
        || keys::nearest(keys::STEP, key).is_some()
        || keys::IGNORED_STEP.iter().any(|ignored| ignored.name == key)
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

fn detect_yaml(path: &Path, text: &str) -> Option<Dialect> {
    let shape = Shape::of(text);
    if in_workflows(path) {
        return shape.has("jobs").then_some(Dialect::Workflow);
    }
    if is_named(path, &["action.yml", "action.yaml"]) && shape.has("runs") {
        return Some(Dialect::Action);
    }
    if shape.has("jobs") && shape.has("on") {
        return Some(Dialect::Workflow);
    }
    if shape.has("version") && shape.has("name") && shape.items("tasks").any(|item| item.has("key")) {
        return Some(Dialect::Outpost);
    }
    if is_outpost_config(path, &shape) {
        return Some(Dialect::OutpostConfig);
    }
    // The engine refuses a recipe without a name; steps with tagged output and no name are runs of something else.
    let contracts = !shape.has("name") && has_contracts(text);
    if !contracts && is_recipe(path, &shape) {
        return Some(Dialect::Amplihack);
    }
    (contracts || has_contracts(text)).then_some(Dialect::Contracts)
}

fn in_workflows(path: &Path) -> bool {
    let mut folders = path.parent().into_iter().flat_map(Path::components).rev().map(std::path::Component::as_os_str);
    folders.next().is_some_and(|folder| folder == "workflows")
        && folders.next().is_some_and(|folder| folder == ".github")
}

fn is_named(path: &Path, names: &[&str]) -> bool {
    path.file_name().is_some_and(|name| names.iter().any(|known| name == *known))
}

/// `outpost.yaml`, or another file with its root (`recipe-configuration.schema.json`).
fn is_outpost_config(path: &Path, shape: &Shape<'_>) -> bool {
    let named = is_named(path, &["outpost.yaml", "outpost.yml"]);
    let rooted = shape.has("repository") && shape.has("agents") && (shape.has("sandbox") || shape.has("branch"));
    shape.has("version") && (rooted || (named && (shape.has("repository") || shape.has("agents"))))
}

/// `name` and `steps`, whose items have an `id` and say what they do. Where one of them is missing, the folder or what
/// only a recipe has must make up for it.
fn is_recipe(path: &Path, shape: &Shape<'_>) -> bool {
    if !shape.has("steps") {
        return false;
    }
    let whole = || shape.items("steps").any(|item| item.has("id") && DOES.iter().any(|key| item.has(key)));
    let agents = || shape.items("steps").any(|item| (item.has("prompt") || item.has("recipe")) && item.has("id"));
    let folder = path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "recipes");
    let own = ["context", "extends", "recursion", "hooks", "context_validation"].iter().any(|key| shape.has(key));
    let bare = || shape.items("steps").all(|item| item.keys.is_empty());
    let known = || shape.items("steps").any(|item| item.keys.iter().any(|key| keys::known(keys::STEP, key).is_some()));
    let only_ours = || {
        (bare() || known())
            && shape.keys.iter().all(|key| is_ours(key))
            && shape.items("steps").all(|item| item.keys.iter().all(|key| is_ours_in_step(key)))
    };
    if shape.has("name") {
        folder || own || whole() || only_ours()
    } else {
        agents() || (whole() && (folder || own || only_ours()))
    }
}

/// Steps with a prompt and `output: {tag, …}`. The words are looked for first, since most YAML has none of them.
fn has_contracts(text: &str) -> bool {
    let prompted = text.contains("prompt") || text.contains("brief");
    let answered = text.contains("output:") || text.contains("response:");
    if !(text.contains("tag:") && prompted && answered) || text.len() > MAX_FLOW_BYTES {
        return false;
    }
    yaml::parse(text).root.is_some_and(|root| !contracts::steps(&root).is_empty())
}

/// The keys of a mapping, and of the mappings that its sequences hold.
#[derive(Debug, Default)]
struct Shape<'t> {
    keys: Vec<Cow<'t, str>>,
    /// For each key that holds a sequence: the keys of its items.
    items: Vec<(Cow<'t, str>, Shape<'t>)>,
}

impl<'t> Shape<'t> {
    fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    fn items<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Self> + use<'a, 't> {
        self.items.iter().filter(move |(owner, _)| owner == key).map(|(_, item)| item)
    }

    fn of(text: &'t str) -> Self {
        let shape = Self::of_block(text);
        let flow = text.lines().map(str::trim).find(|line| !is_skipped(line)).is_some_and(|line| line.starts_with('{'));
        let listed = ["steps", "tasks"].iter().any(|key| shape.has(key) && shape.items(key).next().is_none());
        if (flow || listed) && text.len() <= MAX_FLOW_BYTES { Self::of_tree(text) } else { shape }
    }

    fn of_tree(text: &str) -> Self {
        let document = yaml::parse(text);
        let keys = |node: &yaml::Node| {
            let keys = node.entries().iter().filter_map(|entry| entry.key.text());
            keys.map(|key| Cow::Owned(key.to_owned())).collect::<Vec<_>>()
        };
        let mut shape = Self::default();
        if let Some(root) = &document.root {
            shape.keys = keys(root);
            for entry in root.entries() {
                for item in document.resolve(&entry.value).items() {
                    let item = Self { keys: keys(document.resolve(item)), items: Vec::new() };
                    shape.items.push((entry.key.text().unwrap_or_default().to_owned().into(), item));
                }
            }
        }
        shape
    }

    /// The keys of a block mapping at the root, by the indentation of its first one, and those of the items below them.
    fn of_block(text: &'t str) -> Self {
        let mut shape = Self::default();
        let mut root = None;
        let mut dash = None;
        for line in text.lines() {
            let body = line.trim_start_matches(' ');
            if is_skipped(body) {
                continue;
            }
            let indent = line.len() - body.len();
            let root = *root.get_or_insert(indent);
            if indent == root && !body.starts_with("- ") {
                dash = None;
                shape.keys.extend(key_of(body).map(Cow::Borrowed));
                continue;
            }
            let item = body.strip_prefix("- ").filter(|_| dash.is_none_or(|(dash, _)| dash == indent));
            if let Some(rest) = item {
                let Some(owner) = shape.keys.last().cloned() else { continue };
                let inner = rest.trim_start_matches(' ');
                let column = indent + 2 + (rest.len() - inner.len());
                dash = Some((indent, column));
                shape.items.push((owner, Self { keys: keys_of_item(inner), items: Vec::new() }));
            } else if dash.is_some_and(|(_, column)| column == indent)
                && let (Some((_, item)), Some(key)) = (shape.items.last_mut(), key_of(body))
            {
                item.keys.push(key.into());
            }
        }
        shape
    }
}

/// Lines that say nothing of the shape.
fn is_skipped(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#') || line.starts_with('%') || line == "---"
}

fn keys_of_item(text: &str) -> Vec<Cow<'_, str>> {
    match text.strip_prefix('{') {
        Some(flow) => flow.split(['{', ',']).filter_map(key_of).map(Cow::Borrowed).collect(),
        None => key_of(text).into_iter().map(Cow::Borrowed).collect(),
    }
}

/// The key at the start of a line: `key:`, `"key":`.
fn key_of(text: &str) -> Option<&str> {
    let text = text.trim_start();
    for quote in ['"', '\''] {
        if let Some(rest) = text.strip_prefix(quote) {
            let (key, after) = rest.split_once(quote)?;
            return after.trim_start().starts_with(':').then_some(key);
        }
    }
    let (key, after) = text.split_once(':')?;
    (after.is_empty() || after.starts_with([' ', '\t'])).then(|| key.trim_end()).filter(|key| !key.contains(' '))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[track_caller]
    fn expect(path: &str, text: &str, dialect: Option<Dialect>) {
        assert_eq!(detect(Path::new(path), text), dialect, "{path}\n{text}");
    }

    #[test]
    fn recipes_by_shape() {
        for text in [
            "name: n\nsteps:\n  - id: a\n    command: ls\n",
            "# c\n---\nname: n\ncontext:\n  x: 1\nsteps:\n- id: a\n  prompt: |\n    name: no\n",
            "\u{feff}name: n\r\nsteps:\r\n  - id: a\r\n    type: bash\r\n",
            "{name: n, steps: [{id: a, command: ls}]}",
            "name: n\nsteps: [{id: a, agent: 'x:y', prompt: p}]\n",
            "name: n\nsteps:\n  - {id: a, recipe: other}\n",
            "\"name\": n\n\"steps\":\n  - prompt: p\n    \"id\": a\n",
            "  name: n\n  steps:\n    - id: a\n      command: ls\n",
            "steps:\n  - id: ask\n    agent: a:b\n    prompt: p\n",
            "name: n\nextends: base\nsteps:\n  - id: a\n",
            "name: n\nsteps: []\n",
            "name: n\nsteps: [hello]\n",
            "name: n\nsteps:\n  one: {id: one}\n",
            "name: n\nsteps:\n  - command: ls\n",
            "steps:\n  - id: a\n    command: ls\n",
            "name: n\nsteps:\n  - id: a\n    comand: x\n",
        ] {
            expect("some/where.yaml", text, Some(Dialect::Amplihack));
        }
        expect("amplifier-bundle/recipes/x.yaml", "name: n\nsteps:\n", Some(Dialect::Amplihack));
    }

    #[test]
    fn other_yaml_is_left_alone() {
        for (path, text) in [
            ("docker-compose.yml", "version: '3'\nname: app\nservices:\n  web:\n    command: run\n"),
            ("k8s.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\nspec:\n  containers:\n  - command: [a]\n"),
            ("cloudbuild.yaml", "steps:\n- name: gcr.io/x\n  id: build\n  args: [a]\n"),
            ("azure-pipelines.yml", "name: n\nsteps:\n- script: echo\n  displayName: x\n- bash: echo\n"),
            ("azure.yml", "name: n\nsteps:\n- script: echo\n"),
            ("buildkite.yml", "steps:\n  - command: make\n    id: a\n    plugins: [x]\n"),
            ("list.yml", "name: how to\nsteps:\n  - text: open the door\n"),
            ("pipeline.yml", "steps:\n  - label: x\n    command: make\n    key: a\n"),
            (
                ".drone.yml",
                "kind: pipeline\nname: default\nsteps:\n- name: build\n  image: go\n  commands:\n  - go test\n",
            ),
            ("play.yml", "- hosts: all\n  tasks:\n  - name: x\n    command: ls\n"),
            ("mkdocs.yml", "site_name: x\nnav:\n  - Home: index.md\n"),
            (".gitlab-ci.yml", "stages: [a]\njob:\n  script:\n    - ls\n"),
            ("openapi.yaml", "openapi: 3.0.0\ninfo:\n  title: x\npaths: {}\n"),
            ("Taskfile.yml", "version: '3'\nname: t\ntasks:\n  build:\n    cmds:\n      - go build\n"),
            ("goose.yaml", "version: 1.0.0\ntitle: t\nprompt: p\n"),
            ("empty.yaml", ""),
            ("text.yaml", "just text"),
        ] {
            expect(path, text, None);
        }
    }

    #[test]
    fn the_other_dialects() {
        expect(".github/workflows/ci.yml", "name: ci\non: push\njobs:\n  a: {}\n", Some(Dialect::Workflow));
        expect("/r/.github/workflows/x.lock.yml", "\"on\": push\njobs:\n  a: {}\n", Some(Dialect::Workflow));
        expect(".github/workflows/notes.yml", "a: 1\n", None);
        expect("templates/ci.yaml", "on:\n  push:\njobs:\n  a: {}\n", Some(Dialect::Workflow));
        expect("x/action.yml", "name: a\nruns:\n  using: composite\n  steps:\n  - run: ls\n", Some(Dialect::Action));
        expect("recipe.yaml", "version: 3\nname: n\ntasks:\n  - key: a\n    brief: x\n", Some(Dialect::Outpost));
        expect("outpost.yaml", "version: 2\nrepository: .\nagents: {}\n", Some(Dialect::OutpostConfig));
        expect("other.yaml", "version: 2\nrepository: .\nsandbox: {}\nagents: {}\n", Some(Dialect::OutpostConfig));
        expect("a.agentuse", "", Some(Dialect::AgentUse));
        expect("run.mts", "import { run } from '@ai-hero/sandcastle';", Some(Dialect::Program));
        expect("run.ts", "import { run } from 'elsewhere';", None);
        expect("x.d.ts", "import { run } from '@ai-hero/sandcastle';", None);
        let contracts = "jobs:\n  - prompt: say <a>\n    output: {tag: a}\n";
        expect("c.yaml", contracts, Some(Dialect::Contracts));
        expect("c.yaml", "jobs:\n  - prompt: say\n    output: text\n  - image: {tag: a}\n", None);
    }

    #[test]
    fn named_files_are_always_read() {
        for text in ["steps: 1", "", "# nothing\n", "name: x\nStep: y\n", "name: *x\nsteps:\n\t- id: a\n"] {
            assert_eq!(assume(Path::new("x.yaml"), text), Some(Dialect::Amplihack), "{text}");
        }
        for text in ["- hosts: all\n", "name: app\nservices: {}\n", "apiVersion: v1\n"] {
            assert_eq!(assume(Path::new("x.yaml"), text), None, "{text}");
        }
        assert_eq!(assume(Path::new("x.sh"), ""), Some(Dialect::Script));
        assert_eq!(assume(Path::new("x.md"), ""), Some(Dialect::Prompt));
        assert_eq!(assume(Path::new("x.png"), ""), None);
    }
}
