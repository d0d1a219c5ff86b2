//! Names that hold texts: variables, arrays and files.

use std::sync::Arc;

use super::Shell;
use super::shape::raw_text;
use crate::flow::{Execution, Name, NodeKind, Source, Trust, Value, glob};
use crate::syntax::shell::ast::{AssignValue, Assignment, Word};
use crate::text::Span;

/// The file into which the engine writes the whole context as JSON where it is too large for the environment.
const CONTEXT_FILE: &str = "$AMPLIHACK_CONTEXT_FILE";
/// What is in it: a made-up text.
const CONTEXT: &str = "\u{1}context";

impl<'a> Shell<'a, '_> {
    /// An assignment of the script.
    pub(super) fn assignment(&mut self, assignment: &'a Assignment) -> Value {
        if let Some(index) = &assignment.index {
            self.subscript(&assignment.name, index, index.span);
        }
        if !(assignment.append || assignment.index.is_some()) {
            self.state.arrays.remove(&assignment.name);
        }
        let mut value = match &assignment.value {
            AssignValue::Word(word) => {
                let value = self.word(word);
                if self.state.integers.contains(&assignment.name) && self.builder.trust(&value) >= Trust::Extracted {
                    let place = self.unit.place(assignment.span);
                    self.builder.on(NodeKind::Execute(Execution::Arithmetic), place, &value);
                }
                self.for_absent(value, Some(&assignment.name), assignment.span)
            }
            AssignValue::Array(items) => {
                let mut all = Value::default();
                let mut members = Vec::with_capacity(items.len());
                for (_, word) in items {
                    let next = self.argument(word);
                    all.add_nodes(&next.nodes);
                    members.push(next);
                }
                self.state.arrays.entry(assignment.name.clone()).or_default().extend(members);
                all
            }
        };
        if assignment.append || assignment.index.is_some() {
            let mut old = self.variable(&assignment.name, assignment.name_span);
            if assignment.append {
                old.append(&value);
            } else {
                old.join(&value);
            }
            value = old;
        }
        self.assign(&assignment.name, value, assignment.span)
    }

    /// Sets a variable; gives the value as later reads see it.
    pub(super) fn assign(&mut self, name: &str, value: Value, span: Span) -> Value {
        let name = &*self.referred(name);
        self.state.pieces.remove(name);
        if !self.builder.controls.is_empty() && !self.state.variables.contains_key(name) {
            let before = self.variable(name, span);
            if !before.is_plain() {
                self.state.set(name, before);
            }
        }
        let place = self.unit.place(span);
        let value = self.builder.name(Name::Variable(name.into()), place, value);
        self.state.set(name, value.clone());
        value
    }

    /// A variable whose whole text was checked against a character set, where the script does not go on otherwise.
    pub(super) fn validated(&mut self, name: &str, span: Span) {
        let value = self.variable(name, span);
        if self.builder.trust(&value) >= Trust::Extracted {
            let place = self.unit.place(span);
            let id = self.builder.with_trust(NodeKind::Name(Name::Variable(name.into())), place, &value, Trust::Clean);
            self.state.set(name, Value::node(id));
        }
    }

    /// What jq reads at a path of the whole context: the output of that name, or a field of it.
    pub(super) fn in_context(&mut self, text: &Value, path: &[Arc<str>], span: Span) -> Option<Value> {
        text.literal.as_deref().filter(|text| text.trim_end() == CONTEXT)?;
        Some(self.variable(&format!("RECIPE_VAR_{}", path.join("__")), span))
    }

    /// The key of the file that a word names.
    pub(super) fn word_file(&mut self, word: &'a Word) -> Arc<str> {
        let value = self.word(word);
        self.file_key(&value, word)
    }

    /// A key for a file: its path; a made-up name for temporary files; the way it is written where neither is known.
    pub(super) fn file_key(&self, value: &Value, word: &Word) -> Arc<str> {
        match &value.literal {
            Some(text) => text.strip_prefix("./").map_or_else(|| text.clone(), Arc::from),
            None => raw_text(word).into(),
        }
    }

    /// What is in a file: what the script wrote, or what an agent wrote where an agent named the file.
    pub(super) fn read_file(&mut self, key: &Arc<str>, span: Span) -> Value {
        if let Some(value) = self.state.files.get(key) {
            return value.clone();
        }
        if &**key == CONTEXT_FILE {
            return Value::literal(CONTEXT);
        }
        let place = self.unit.place(span);
        let outside = self.environment.variable(self.builder, &format!("file:{key}"), place);
        let mut found = glob::contents(key, &self.state.files);
        match outside {
            Some(value) if found.is_plain() => return value,
            Some(value) => found.add_nodes(&value.nodes),
            None => {}
        }
        if !found.is_plain() {
            return found;
        }
        if let Some(name) = key.strip_prefix('$')
            && !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            let path = self.variable(name, span);
            if self.builder.trust(&path) >= Trust::Agent {
                let source = Source::AgentOutput {
                    origin: "file".into(),
                    output: name.into(),
                    form: crate::flow::AgentForm::Prose,
                };
                let kind = NodeKind::Source(source);
                return Value::node(self.builder.with_trust(kind, place, &path, Trust::Agent));
            }
        }
        Value::default()
    }
}
