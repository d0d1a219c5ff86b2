//! What the engine refuses when it loads a file, and what it silently ignores (`src/parser.rs` and the serde types of
//! `src/models.rs` of amplihack-recipe-runner 0.3.6).

use std::collections::HashMap;

use crate::recipe::{Problem, Severity};
use crate::syntax::yaml::{Document, Entry, Node};
use crate::text::{Source, Span};

use super::keys::{self, Holds, Ignored, Key, Kind};
use super::steps;
use super::values::{self, is_null, what};

/// What was found.
pub(super) struct Checked {
    pub problems: Vec<Problem>,
    /// The engine does not load the file because of one of them.
    pub refused: bool,
    /// Keys that are written again later in a mapping in which the engine takes that for an overwriting.
    pub overwritten: Vec<Span>,
}

pub(super) fn check(source: &Source, document: &Document) -> Checked {
    let nothing = Checked { problems: Vec::new(), refused: false, overwritten: Vec::new() };
    let mut checker = Checker { source, document, checked: nothing };
    checker.recipe();
    checker.checked
}

/// Where a mapping with keys of its own stands.
#[derive(Clone, Copy)]
enum Place {
    Recipe,
    Step,
    Recursion,
    Hooks,
}

impl Place {
    fn ignored(self) -> &'static [Ignored] {
        match self {
            Self::Recipe => keys::IGNORED_TOP,
            Self::Step => keys::IGNORED_STEP,
            Self::Recursion | Self::Hooks => &[],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Recipe => "a recipe",
            Self::Step => "a step",
            Self::Recursion => "`recursion`",
            Self::Hooks => "`hooks`",
        }
    }
}

/// `namespace:name` or `namespace:category:name`.
fn is_agent(text: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    matches!(text.split(':').count(), 2 | 3) && text.split(':').all(part)
}

struct Checker<'a> {
    source: &'a Source,
    document: &'a Document,
    checked: Checked,
}

impl<'a> Checker<'a> {
    fn refuse(&mut self, lint: &'static str, span: Span, message: impl Into<String>) {
        self.checked.refused = true;
        self.checked.problems.push(Problem::new(lint, span, message));
    }

    fn recipe(&mut self) {
        let Some(root) = self.document.root.as_ref().map(|root| self.document.resolve(root)) else {
            self.refuse("missing-field", Span::at(0), "the file is empty: a recipe needs `name` and `steps`");
            return;
        };
        if !root.is_mapping() {
            let nothing = root.text() == Some("");
            let lint = if nothing { "missing-field" } else { "invalid-value" };
            let message = format!("a recipe is a mapping with `name` and `steps`, and this is {}", what(root));
            self.refuse(lint, self.first_line(root.span), message);
            return;
        }
        self.mapping(root, keys::TOP, Place::Recipe);
        self.name(root);
        self.steps(root);
        self.context_validation(root);
    }

    fn name(&mut self, root: &'a Node) {
        let start = root.entries().first().map_or(root.span, |entry| entry.key.span);
        match root.entry("name") {
            None => self.refuse("missing-field", start, "the recipe has no `name`, and the engine refuses it"),
            Some(entry) if self.document.resolve(&entry.value).text() == Some("") => {
                self.refuse("missing-field", entry.key.span, "`name` is empty, and the engine refuses the recipe");
            }
            Some(_) => {}
        }
    }

    fn steps(&mut self, root: &'a Node) {
        let Some(entry) = root.entry("steps") else {
            let start = root.entries().first().map_or(root.span, |entry| entry.key.span);
            self.refuse("missing-field", start, "the recipe has no `steps`, and the engine refuses it");
            return;
        };
        let steps = self.document.resolve(&entry.value);
        if steps.items().is_empty() && values::check(self.document, &entry.value, Holds::Steps).is_ok() {
            self.refuse("missing-field", entry.key.span, "`steps` is empty, and the engine refuses the recipe");
        }
        let mut ids: HashMap<&str, Span> = HashMap::new();
        for item in steps.items() {
            let step = self.document.resolve(item);
            if !step.is_mapping() {
                self.no_step(step, item.span);
                continue;
            }
            self.mapping(step, keys::STEP, Place::Step);
            self.aliases(step);
            let Some(id) = step.entry("id") else {
                let at = step.entries().first().map_or(step.span, |entry| entry.key.span);
                self.refuse("missing-field", at, "the step has no `id`, and the engine refuses the recipe");
                continue;
            };
            let value = self.document.resolve(&id.value);
            match value.text() {
                Some("") => {
                    self.refuse("missing-field", id.key.span, "`id` is empty, and the engine refuses the recipe");
                }
                Some(text) => match ids.get(text) {
                    Some(first) => {
                        let message =
                            format!("the id `{text}` is taken by an earlier step, and the engine refuses the recipe");
                        self.refuse("duplicate-id", id.value.span, message);
                        if let Some(problem) = self.checked.problems.last_mut() {
                            problem.related.push((*first, "the first step with this id".to_owned()));
                        }
                    }
                    None => {
                        ids.insert(text, id.value.span);
                    }
                },
                None => {}
            }
            self.kind(step, id);
            self.agent(step);
        }
    }

    /// The engine goes on without the agent's instructions when it cannot read the name (`src/agent_resolver.rs`).
    fn agent(&mut self, step: &'a Node) {
        let Some(agent) = step.get("agent").map(|value| self.document.resolve(value)).filter(|value| !is_null(value))
        else {
            return;
        };
        let Some(text) = agent.text().filter(|text| !is_agent(text)) else { return };
        let message = format!("`{text}` names no agent: the step runs without the agent's instructions");
        let problem = Problem::new("invalid-value", agent.span, message)
            .help("an agent is named `namespace:name` or `namespace:category:name`, in letters, digits, `_` and `-`")
            .level(Severity::Warning);
        self.checked.problems.push(problem);
    }

    fn no_step(&mut self, step: &Node, span: Span) {
        if step.text() == Some("") {
            self.refuse("missing-field", span, "this step is empty: it needs an `id`, and what it does");
        } else {
            let message = format!("a step must be a mapping with an `id`, and this is {}", what(step));
            self.refuse("invalid-value", self.first_line(span), message);
        }
    }

    /// `nonfatal` is read into the same field as `continue_on_error`.
    fn aliases(&mut self, step: &'a Node) {
        let (Some(one), Some(other)) = (step.entry("continue_on_error"), step.entry("nonfatal")) else { return };
        let second = if one.key.span.start < other.key.span.start { other } else { one };
        let message = "`nonfatal` is another name of `continue_on_error`, and the engine refuses a step with both";
        self.refuse("invalid-value", second.key.span, message);
    }

    /// What a step of its kind must have, and the keys that do nothing in it.
    fn kind(&mut self, step: &'a Node, id: &'a Entry) {
        let written = step.get("type").is_some();
        if written
            && step.get("type").is_some_and(|value| values::check(self.document, value, Holds::OptionalKind).is_err())
        {
            return;
        }
        let kind = steps::kind(self.document, step);
        let (key, without) = match kind {
            Kind::Bash => ("command", "the engine runs an empty script"),
            Kind::Agent => ("prompt", "the agent is asked nothing"),
            Kind::Recipe => ("recipe", "the step fails"),
        };
        let value = step.get(key).map(|value| self.document.resolve(value));
        let missing = value.is_none_or(is_null) || (kind == Kind::Recipe && value.and_then(Node::text) == Some(""));
        if missing {
            let name = kind.name();
            let mut problem =
                Problem::new("missing-field", id.key.span, format!("this {name} step has no `{key}`: {without}"));
            problem.help = Some(format!("add `{key}`, or another key that says what the step does"));
            self.checked.problems.push(problem);
        }
        for entry in step.entries() {
            let Some(key) = entry.key.text().and_then(|text| keys::known(keys::STEP, text)) else { continue };
            let idle = is_null(self.document.resolve(&entry.value))
                || self.document.resolve(&entry.value).text() == Some("false");
            if key.kinds.is_empty() || key.kinds.contains(&kind) || idle {
                continue;
            }
            let name = key.name;
            let only = key.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" and ");
            let message =
                format!("`{name}` does nothing here: only {only} steps read it, and this is a {} step", kind.name());
            self.checked.problems.push(Problem::new("unknown-field", entry.key.span, message));
        }
    }

    fn context_validation(&mut self, root: &'a Node) {
        let Some(checks) = root.get("context_validation").map(|value| self.document.resolve(value)) else { return };
        for entry in checks.entries() {
            let value = self.document.resolve(&entry.value);
            let Some(word) = value.text().filter(|word| !keys::CHECKS.contains(word)) else { continue };
            let mut problem = Problem::new(
                "unknown-field",
                value.span,
                format!("the engine knows no check `{word}`, and so checks nothing"),
            );
            problem.help = Some("the checks are `nonempty`, `git_repo`, `path` and `optional`".to_owned());
            let plain = |word: &str| word.to_lowercase().replace(['-', '_', ' '], "");
            if let Some(known) = keys::CHECKS.iter().find(|known| plain(known) == plain(word)) {
                problem.fix = Some((value.span, (*known).to_owned(), true));
            }
            self.checked.problems.push(problem);
        }
    }

    /// Keys and values of a mapping whose keys the engine knows.
    fn mapping(&mut self, node: &'a Node, known: &'static [Key], place: Place) {
        if let Err((at, message)) = values::keys(self.document, node) {
            let span = self.first_line(at.span);
            self.refuse("invalid-value", span, message);
        }
        self.repeated(node, |key| keys::known(known, key).is_none());
        for entry in node.entries() {
            let Some(text) = self.document.resolve(&entry.key).text() else { continue };
            match keys::known(known, text) {
                Some(key) => self.value(key, entry),
                None => self.unknown(node, entry, text, known, place),
            }
        }
    }

    fn value(&mut self, key: &'static Key, entry: &'a Entry) {
        let name = key.name;
        if let Err((at, message)) = values::check(self.document, &entry.value, key.holds) {
            let whole = std::ptr::eq(at, &raw const entry.value);
            let span = if whole { self.beside(entry) } else { self.first_line(at.span) };
            let message = if whole { format!("`{name}` {message}") } else { format!("in `{name}`: {message}") };
            self.refuse("invalid-value", span, message);
            return;
        }
        let value = self.document.resolve(&entry.value);
        match key.holds {
            Holds::Keys(inner) => {
                let place = if name == "hooks" { Place::Hooks } else { Place::Recursion };
                self.mapping(value, inner, place);
            }
            Holds::Values | Holds::OptionalValues | Holds::TextByName => self.overwritings(value),
            _ => {}
        }
    }

    /// The value, or its key where the value starts on a later line.
    fn beside(&self, entry: &Entry) -> Span {
        let line = |offset| self.source.lines.line(offset);
        let value = &entry.value.span;
        if value.is_empty() || line(value.start) != line(entry.key.span.start) {
            entry.key.span
        } else {
            self.first_line(*value)
        }
    }

    fn first_line(&self, span: Span) -> Span {
        let line = self.source.lines.span(self.source.lines.line(span.start), &self.source.text);
        Span::new(span.start, span.end.min(line.end))
    }

    fn unknown(&mut self, node: &'a Node, entry: &'a Entry, text: &str, known: &'static [Key], place: Place) {
        // A value that is only there to be referred to is no mistake.
        if matches!(place, Place::Recipe) && (entry.value.anchor.is_some() || text.starts_with("x-")) {
            return;
        }
        let lookup = place.ignored().iter().find(|ignored| ignored.name == text);
        let (rename, certain) = match lookup {
            Some(ignored) => (ignored.rename.and_then(|name| keys::known(known, name)), ignored.certain),
            None => keys::nearest(known, text).map_or((None, false), |(key, certain)| (Some(key), certain)),
        };
        let mut message = format!("the engine ignores `{text}` in {}", place.name());
        if let Some(instead) = lookup.map(|ignored| ignored.instead).filter(|instead| !instead.is_empty()) {
            message = format!("{message}: {instead}");
        }
        let mut problem = Problem::new("unknown-field", entry.key.span, message);
        if let Some(key) = rename {
            problem.help = Some(format!("did you mean `{}`? {}", key.name, key.about));
            let free = node.entry(key.name).is_none();
            let fits = values::check(self.document, &entry.value, key.holds).is_ok();
            if free && fits {
                problem.fix = Some((entry.key.span, key.name.to_owned(), certain));
            }
        }
        self.checked.problems.push(problem);
    }

    /// Notes keys that are written twice where the engine does not mind.
    fn repeated(&mut self, node: &'a Node, harmless: impl Fn(&str) -> bool) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for entry in node.entries() {
            let Some(text) = entry.key.text() else { continue };
            if let Some(first) = seen.insert(text, entry.key.span) {
                if !harmless(text) {
                    continue;
                }
                self.checked.overwritten.push(entry.key.span);
                let mut problem = Problem::new(
                    "unknown-field",
                    first,
                    format!("`{text}` is written again below, and the engine takes the last: this one is ignored"),
                );
                problem.related.push((entry.key.span, "the one that counts".to_owned()));
                self.checked.problems.push(problem);
            }
        }
    }

    /// The same in mappings of free keys, all the way down.
    fn overwritings(&mut self, node: &'a Node) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            self.repeated(node, |_| true);
            open.extend(node.items());
            open.extend(node.entries().iter().map(|entry| &entry.value));
        }
    }
}
