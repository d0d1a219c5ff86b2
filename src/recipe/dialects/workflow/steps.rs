//! Jobs and steps.

use std::path::Path;
use std::sync::Arc;

use crate::recipe::{
    Action, Base, Guard, GuardLanguage, Holes, Job, Mention, MentionKind, NamedText, Recipe, Script, Step, Uses,
};
use crate::syntax::yaml::{Document, Entry, Node};
use crate::text::{Fragment, Source, Spanned};

pub(super) use super::shells::Shell;

/// Keys of a job whose texts are read elsewhere, or that hold no expression with the outputs of steps.
const JOB_KEYS: &[&str] = &["steps", "env", "if", "needs", "outputs", "uses", "with", "secrets", "permissions"];
/// The same of a step.
const STEP_KEYS: &[&str] = &["run", "env", "if", "uses", "with", "id", "shell"];
/// Deepest nesting of collections in which texts are looked for.
const DEEPEST: usize = 8;

pub(super) struct Reader<'a> {
    pub source: &'a Source,
    pub document: &'a Document,
}

impl<'a> Reader<'a> {
    /// The value of a key, aliases followed.
    pub(super) fn value(&self, node: &'a Node, key: &str) -> Option<&'a Node> {
        node.get(key).map(|value| self.document.resolve(value))
    }

    /// A short text.
    pub(super) fn word(&self, node: &'a Node, key: &str) -> Option<Spanned<String>> {
        let value = self.value(node, key)?;
        value.text().filter(|text| !text.is_empty()).map(|text| Spanned::new(text.to_owned(), value.span))
    }

    fn flag(&self, node: &'a Node, key: &str) -> bool {
        // An expression may be true.
        self.value(node, key).and_then(Node::text).is_some_and(|text| text == "true" || text.contains("${{"))
    }

    fn fragment(&self, entry: &'a Entry) -> Option<Fragment> {
        self.document.resolve(&entry.value).scalar().map(|scalar| scalar.fragment.clone())
    }

    /// Names and texts of a mapping.
    pub(super) fn texts(&self, node: &'a Node, key: &str) -> Vec<NamedText> {
        let entries = self.value(node, key).map(Node::entries).unwrap_or_default();
        entries
            .iter()
            .filter_map(|entry| {
                let name = Spanned::new(entry.key.text()?.to_owned(), entry.key.span);
                Some(NamedText { name, text: Arc::new(self.fragment(entry)?) })
            })
            .collect()
    }

    /// `defaults.run.shell`
    pub(super) fn default_shell(&self, node: &'a Node) -> Option<Shell> {
        let run = self.value(self.value(node, "defaults")?, "run")?;
        self.word(run, "shell").map(|shell| Shell::Named(shell.value))
    }

    /// The texts with expressions under the other keys of a job or step.
    fn other_texts(&self, node: &'a Node, known: &[&str]) -> Vec<NamedText> {
        let mut found = Vec::new();
        for entry in node.entries() {
            let Some(name) = entry.key.text().filter(|name| !known.contains(name)) else { continue };
            let name = Spanned::new(name.to_owned(), entry.key.span);
            let mut open = vec![(&entry.value, 0)];
            while let Some((node, depth)) = open.pop() {
                if depth > DEEPEST {
                    continue;
                }
                if let Some(scalar) = node.scalar()
                    && scalar.fragment.text().contains("${{")
                {
                    let text = Arc::new(scalar.fragment.clone());
                    found.push(NamedText { name: name.clone(), text });
                }
                open.extend(node.items().iter().rev().map(|item| (item, depth + 1)));
                open.extend(node.entries().iter().rev().map(|entry| (&entry.value, depth + 1)));
            }
        }
        found
    }

    fn guard(&self, node: &'a Node) -> Option<Guard> {
        let entry = node.entry("if")?;
        let text = Arc::new(self.fragment(entry)?);
        Some(Guard { text, key: entry.key.span, language: GuardLanguage::Expression })
    }

    fn uses(&self, node: &'a Node) -> Option<Uses> {
        let action = self.word(node, "uses")?;
        let version = self.version(&action);
        Some(Uses { version, with: self.texts(node, "with"), action })
    }

    fn version(&self, action: &Spanned<String>) -> Option<String> {
        let (_, reference) = action.value.rsplit_once('@')?;
        let hash = reference.len() >= 40 && reference.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !hash {
            return Some(reference.to_owned());
        }
        let line = |offset: usize| self.source.text.get(offset..).and_then(|rest| rest.lines().next());
        let comment = line(action.span.end)?.split_once('#')?.1;
        comment.split([' ', ',', '@', '=']).find(|word| is_version(word)).map(str::to_owned)
    }

    pub(super) fn job(&self, entry: &'a Entry, env: &[NamedText], shell: &Shell, recipe: &mut Recipe) {
        let node = self.document.resolve(&entry.value);
        let Some(id) = entry.key.text() else { return };
        let needs = match self.value(node, "needs") {
            Some(needs) if needs.scalar().is_some() => vec![needs],
            Some(needs) => needs.items().iter().map(|item| self.document.resolve(item)).collect(),
            None => Vec::new(),
        };
        let needs = needs
            .into_iter()
            .filter_map(|node| node.text().map(|text| Spanned::new(text.to_owned(), node.span)))
            .collect();
        let number = recipe.jobs.len();
        recipe.jobs.push(Job {
            id: Spanned::new(id.to_owned(), entry.key.span),
            needs,
            condition: self.guard(node),
            env: env.iter().cloned().chain(self.texts(node, "env")).collect(),
            outputs: self.texts(node, "outputs"),
            call: self.uses(node),
            texts: self.other_texts(node, JOB_KEYS),
            continue_on_error: self.flag(node, "continue-on-error"),
        });
        let shell = self.default_shell(node).unwrap_or_else(|| match shell {
            Shell::Default if self.on_windows(node) => Shell::Windows,
            shell => shell.clone(),
        });
        let steps = self.value(node, "steps").map(Node::items).unwrap_or_default();
        for item in steps {
            let step = self.step(item, Some(number), &shell);
            recipe.steps.push(step);
        }
    }

    fn on_windows(&self, job: &'a Node) -> bool {
        let Some(runner) = self.value(job, "runs-on") else { return false };
        let mut labels =
            runner.items().iter().chain(Some(runner)).filter_map(|label| self.document.resolve(label).text());
        labels.any(|label| label.to_ascii_lowercase().starts_with("windows"))
    }

    pub(super) fn step(&self, item: &'a Node, job: Option<usize>, shell: &Shell) -> Step {
        let node = self.document.resolve(item);
        let action = match (node.entry("run"), self.uses(node)) {
            (Some(entry), _) => self.run(entry, node, shell),
            (None, Some(uses)) => Action::Uses(uses),
            (None, None) => Action::Nothing,
        };
        let mut texts = self.other_texts(node, STEP_KEYS);
        if let (Action::Other(_), Some(entry)) = (&action, node.entry("run"))
            && let Some(fragment) = self.fragment(entry)
        {
            let name = Spanned::new("run".to_owned(), entry.key.span);
            texts.push(NamedText { name, text: Arc::new(fragment) });
        }
        Step {
            id: self.word(node, "id"),
            job,
            action,
            condition: self.guard(node),
            output: None,
            group: None,
            after: Vec::new(),
            env: self.texts(node, "env"),
            texts,
            continue_on_error: self.flag(node, "continue-on-error"),
            span: item.span,
        }
    }

    fn run(&self, entry: &'a Entry, step: &'a Node, shell: &Shell) -> Action {
        let own = self.word(step, "shell").map(|shell| Shell::Named(shell.value));
        let Some(fragment) = self.fragment(entry) else { return Action::Nothing };
        match own.as_ref().unwrap_or(shell).start() {
            Ok(start) => {
                let script = Script::new(fragment, entry.key.span, Holes::Expression);
                Action::Script(Script { pipefail: start.pipefail, errexit: start.errexit, ..script })
            }
            Err(other) => Action::Other(other),
        }
    }
}

fn is_version(word: &str) -> bool {
    let word = word.strip_prefix(['v', 'V']).unwrap_or(word);
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
}

/// Other files of the repository that a workflow or action runs or hands to an agent.
pub(super) fn mentions(recipe: &Recipe) -> Vec<Mention> {
    let steps = recipe.steps.iter().filter_map(|step| match &step.action {
        Action::Uses(uses) => Some(uses),
        _ => None,
    });
    let calls = recipe.jobs.iter().filter_map(|job| job.call.as_ref());
    steps.chain(calls).flat_map(mentions_of).collect()
}

fn mentions_of(uses: &Uses) -> Vec<Mention> {
    let mention = |path: String, span, kind| Mention { path: Spanned::new(path, span), base: Base::Root, kind };
    if let Some(path) = uses.action.value.strip_prefix("./") {
        return local_files(path)
            .into_iter()
            .map(|path| mention(path, uses.action.span, MentionKind::Recipe))
            .collect();
    }
    uses.with
        .iter()
        .filter(|input| PROMPT_FILES.contains(&input.name.value.as_str()))
        .filter(|input| !input.text.text().contains("${{") && !input.text.text().contains('\n'))
        .map(|input| mention(input.text.text().trim().to_owned(), input.text.span(), MentionKind::Prompt))
        .collect()
}

/// Inputs of agent actions that name a file with a prompt.
pub(crate) const PROMPT_FILES: &[&str] = &["prompt-file", "prompt_file", "system-prompt-file"];

/// Where a local `uses:` leads: a reusable workflow, or the metadata of an action.
pub(crate) fn local_files(path: &str) -> Vec<String> {
    let path = path.trim_end_matches('/');
    let workflow = Path::new(path).extension().is_some_and(|ending| ending == "yml" || ending == "yaml");
    if workflow {
        vec![path.to_owned()]
    } else {
        ["action.yml", "action.yaml"]
            .iter()
            .map(|name| format!("{path}/{name}").trim_start_matches('/').to_owned())
            .collect()
    }
}
