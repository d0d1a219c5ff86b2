//! A step that runs an agent action.

use std::collections::HashMap;
use std::sync::Arc;

use super::Runner;
use super::agents::{AgentAction, Answer};
use super::scope::{Agent, Ran, Scope, Text};
use super::structure::{Structure, prompt_file, structure};
use crate::flow::{AgentForm, IgnoredSchema, NodeKind, Place, Source, TEMPORARY, Trust, Value};
use crate::recipe::{File, Uses};

impl<'a> Runner<'a, '_> {
    /// An agent action: its prompts, and its answers as sources.
    pub(super) fn agent(
        &mut self,
        file: &'a File,
        uses: &'a Uses,
        action: &'static AgentAction,
        inputs: &HashMap<String, Text>,
        scope: &mut Scope,
    ) -> Ran {
        let place = Place { file: file.id, span: uses.action.span };
        self.prompts(file, uses, action, inputs, scope);
        let structure = structure(action, uses, file, self.index, &mut |input| {
            if !input.text.text().contains("${{") {
                return Some(input.text.text().into());
            }
            inputs.get(&input.name.value.to_ascii_lowercase()).and_then(|text| text.value.text().cloned())
        });
        if let Structure::Ignored(ignored) = structure {
            let what = IgnoredSchema {
                tool: uses.action.value.as_str().into(),
                reason: "this version hands the prompt on and never reads a response format",
                user: Some(place),
            };
            self.builder.graph.add(NodeKind::IgnoredSchema(what), ignored, Vec::new(), Some(Trust::Clean));
        }
        let mut ran = Ran {
            agent: Some(Agent {
                action,
                origin: uses.action.value.as_str().into(),
                unstructured: Some(
                    "it is only filled when a schema is asked for with `--json-schema` in `claude_args`",
                ),
            }),
            ..Ran::default()
        };
        let schema = match &structure {
            Structure::Typed(schema) => schema.clone(),
            _ => None,
        };
        let typed = matches!(structure, Structure::Typed(_) | Structure::Unknown);
        let free = if typed { AgentForm::Typed } else { AgentForm::Prose };
        for (name, answer) in action.outputs {
            let mut source = |form: AgentForm| {
                let trusted = self.options.trusted_outputs.iter().any(|trusted| trusted == name);
                let trust = match form {
                    _ if trusted => Trust::Clean,
                    AgentForm::Typed | AgentForm::Guaranteed => Trust::Extracted,
                    AgentForm::Prose | AgentForm::Envelope => Trust::Agent,
                };
                let origin = uses.action.value.split('@').next().unwrap_or_default().into();
                let source = Source::AgentOutput { origin, output: (*name).into(), form };
                let id = self.builder.source(source, place, trust);
                if let (AgentForm::Typed, Some(schema)) = (form, &schema) {
                    self.builder.graph.set_schema(id, schema.clone());
                }
                Value::node(id)
            };
            let mut path = |content: Value| {
                let key: Arc<str> = format!("{TEMPORARY}{}:{}:{name}", file.id.0, place.span.start).into();
                scope.files.insert(key.clone(), content);
                Value::literal(key)
            };
            let value = match answer {
                Answer::Text => source(free),
                Answer::Object if !typed => continue,
                Answer::Object | Answer::Fields => source(AgentForm::Typed),
                Answer::TextFile => path(source(free)),
                Answer::EnvelopeFile => path(source(AgentForm::Envelope)),
                Answer::Plain => Value::default(),
            };
            let text = Text { value, empty: action.empty, schema: schema.clone(), place: None };
            ran.outputs.insert((*name).to_owned(), text);
        }
        ran
    }

    fn prompts(
        &mut self,
        file: &'a File,
        uses: &'a Uses,
        action: &AgentAction,
        inputs: &HashMap<String, Text>,
        scope: &mut Scope,
    ) {
        // An inference has no tools, so it cannot write a file.
        let writes = !action.names.contains(&"actions/ai-inference");
        for named in &uses.with {
            let name = named.name.value.to_ascii_lowercase();
            let here = Place { file: file.id, span: named.text.span() };
            let (place, text, value): (Place, Arc<str>, Value) = if action.prompts.contains(&name.as_str()) {
                let input = inputs.get(&name).cloned().unwrap_or_default();
                // A prompt that came through an input of a composite action stands with the caller.
                match (input.value.text(), input.place) {
                    (Some(text), Some(place)) => (place, text.clone(), input.value),
                    _ => (here, named.text.text().into(), input.value),
                }
            } else if let Some(prompt) = prompt_file(named, file, self.index) {
                let span = crate::text::Span::new(0, prompt.source.text.len());
                (Place { file: prompt.id, span }, (&*prompt.source.text).into(), Value::default())
            } else {
                continue;
            };
            let node = self.builder.graph.add(NodeKind::Prompt, place, value.inputs(), None);
            self.builder.graph.set_literal(node, text.clone());
            if writes {
                scope.told.push(text);
            }
        }
    }
}
