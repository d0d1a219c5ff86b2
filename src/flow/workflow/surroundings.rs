//! What a script of a step sees: variables, files, holes, and the files that an agent was told to write.

use std::sync::Arc;

use super::scope::Scope;
use crate::flow::shell::{Environment, Trees, Unit};
use crate::flow::{AgentForm, Builder, NodeKind, Place, Source, Trust, Value, glob};
use crate::recipe::{Action, File, Index};

/// The prompts that scripts gave to agents since a node.
pub(super) fn prompts(builder: &Builder, first: usize) -> Vec<Arc<str>> {
    let new = builder.graph.nodes().skip(first).filter(|(_, node)| matches!(node.kind, NodeKind::Prompt));
    new.filter_map(|(_, node)| node.literal.clone()).collect()
}

/// What a script of a step sees.
pub(super) struct Names<'s, 'a> {
    scope: &'s Scope,
    pasted: &'s [(Place, Value)],
    index: &'a Index,
    trees: &'a Trees,
    file: &'a File,
    /// Prompts are looked for from this node on.
    unseen: usize,
    /// What agents were told by the script itself so far.
    told: Vec<Arc<str>>,
}

/// More prompts of one job are not searched for names of files.
const MOST_PROMPTS: usize = 40;

impl<'s, 'a> Names<'s, 'a> {
    pub(super) fn new(
        builder: &Builder,
        scope: &'s Scope,
        pasted: &'s [(Place, Value)],
        index: &'a Index,
        trees: &'a Trees,
        file: &'a File,
    ) -> Self {
        Self { scope, pasted, index, trees, file, unseen: builder.graph.len(), told: Vec::new() }
    }
}

impl<'a> Names<'_, 'a> {
    /// The script that another step of the file wrote from a here-document.
    fn written(&self, place: Place) -> Option<Unit<'a>> {
        self.file.recipe.steps.iter().find_map(|step| {
            let Action::Script(script) = &step.action else { return None };
            let unit = Unit::of(self.file, script, self.trees);
            let inside = unit.programs.iter().filter_map(|(span, _)| unit.program(*span));
            inside.into_iter().find(|inside| inside.whole() == place)
        })
    }
}

impl<'a> Environment<'a> for Names<'_, 'a> {
    fn variable(&mut self, builder: &mut Builder, name: &str, place: Place) -> Option<Value> {
        let Some(key) = name.strip_prefix("file:") else {
            return self.scope.env.get(name).map(|text| text.value.clone());
        };
        if let Some(content) = self.scope.files.get(key) {
            return Some(content.clone());
        }
        let named = glob::contents(key, &self.scope.files);
        if !named.is_plain() {
            return Some(named);
        }
        self.told.extend(prompts(builder, self.unseen));
        self.unseen = builder.graph.len();
        let told = self.scope.told.iter().chain(&self.told).take(MOST_PROMPTS).any(|text| is_told(text, key));
        // The prompt of another job names the file as it was there.
        let name = key.rsplit('/').next().unwrap_or(key);
        let fetched = || self.scope.fetched.iter().take(MOST_PROMPTS).any(|text| is_told(text, name));
        (told || fetched()).then(|| agent_file(builder, key, place))
    }

    fn hole(&mut self, _: &mut Builder, _: &str, place: Place) -> Option<Value> {
        self.pasted.iter().find(|(at, _)| *at == place).map(|(_, value)| value.clone())
    }

    fn script(&self, path: &str) -> Option<Unit<'a>> {
        match self.scope.scripts.get(path.trim_start_matches("./")) {
            Some(place) => self.written(*place),
            None => crate::flow::links::script(self.index, self.trees, self.file, path),
        }
    }

    fn program(&self, path: &str) -> Option<&'a File> {
        crate::flow::links::program(self.index, self.file, path)
    }
}

fn agent_file(builder: &mut Builder, path: &str, place: Place) -> Value {
    let source = Source::AgentOutput { origin: "agent".into(), output: path.into(), form: AgentForm::Prose };
    Value::node(builder.source(source, place, Trust::Agent))
}

/// Words that tell an agent to write what they are followed by.
const WRITES: &[&str] = &["write", "save", "store", "output", "put ", "create", "append", "dump", "produce", "record"];

/// Whether a prompt tells the agent to write a file, by its very name.
fn is_told(prompt: &str, path: &str) -> bool {
    let path = path.trim_start_matches("./");
    if !path.contains('.') || path.contains([' ', '\n', '$', '\u{1}']) {
        return false;
    }
    prompt.match_indices(path).any(|(at, _)| {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let before = prompt.get(..at).unwrap_or_default();
        let behind = prompt.get(at + path.len()..).unwrap_or_default();
        let own = before.trim_end_matches("./").trim_end_matches('/').chars().next_back();
        if own.is_some_and(inside) || behind.chars().next().is_some_and(inside) {
            return false;
        }
        let line = before.rsplit('\n').next().unwrap_or_default().to_lowercase();
        let sentence = line.rsplit(". ").next().unwrap_or_default();
        !["not ", "never ", "don't "].iter().any(|word| sentence.contains(word))
            && WRITES.iter().any(|word| sentence.contains(word))
    })
}
