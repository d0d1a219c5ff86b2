//! From a place that reads a field of an agent's output to the prompts that were to ask for it.

use std::sync::Arc;

use crate::flow::{NodeId, NodeKind, Place, Role, Source};
use crate::lints::Context;
use crate::recipe::prompt::{Promise, brings_form};
use crate::recipe::{Action, File, Prompt, Step};
use crate::syntax::template::holes;
use crate::text::Fragment;

/// Nodes that are looked at on the way to the producers.
const MOST_NODES: usize = 300;

/// An agent step whose prompt is known.
#[derive(Clone, Debug)]
pub(super) struct Producer<'a> {
    /// Its id.
    pub id: &'a str,
    /// The prompt's place.
    pub place: Place,
    /// The prompt with the defaults of the context in place of its holes.
    pub text: String,
}

/// What a field is read from.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin<'a> {
    /// The steps that produce it; empty where one of them is not known.
    pub producers: Vec<Producer<'a>>,
    /// Fields on the way, outermost first: `goal` where `status` of `x.goal.status` was asked for.
    pub outer: Vec<Arc<str>>,
    /// The name that the text has.
    pub output: Arc<str>,
}

/// The producers of what a field node reads. `None` where something else than a known agent step may have produced it,
/// where nobody parsed it, or where the prompt leaves the form of the answer to something else.
pub(super) fn origin<'a>(context: &Context<'a>, field: NodeId) -> Option<Origin<'a>> {
    let graph = context.graph;
    let mut origin = Origin { output: Arc::from(""), ..Origin::default() };
    let extracts = matches!(graph.node(field).kind, NodeKind::ExtractField { .. });
    let mut open: Vec<(NodeId, bool)> = vec![(field, extracts)];
    let mut seen = vec![field];
    while let Some((id, extracted)) = open.pop() {
        if seen.len() > MOST_NODES {
            return None;
        }
        for input in graph.node(id).inputs.iter().filter(|input| input.role == Role::Data) {
            let node = graph.node(input.from);
            if seen.contains(&input.from) {
                continue;
            }
            seen.push(input.from);
            match &node.kind {
                NodeKind::Source(Source::AgentStep { step, output, parse_json, .. }) => {
                    if !parse_json && !extracted {
                        return None;
                    }
                    origin.output = output.clone();
                    origin.producers.push(producer(context, node.place, step, output)?);
                }
                NodeKind::Source(_) => return None,
                NodeKind::Name(_) | NodeKind::Pass(_) | NodeKind::Join | NodeKind::Fallback(_) => {
                    open.push((input.from, extracted));
                }
                NodeKind::ExtractJson { .. } | NodeKind::Json(_) => open.push((input.from, true)),
                NodeKind::Field(name) => {
                    origin.outer.insert(0, name.clone());
                    open.push((input.from, extracted));
                }
                _ => return None,
            }
        }
    }
    (!origin.producers.is_empty()).then_some(origin)
}

/// The agent step that makes an output, with its prompt.
fn producer<'a>(context: &Context<'a>, place: Place, step: &str, output: &str) -> Option<Producer<'a>> {
    let file: &'a File = if place.file == context.file.id { context.file } else { context.index.file(place.file)? };
    let is_it = |candidate: &&'a Step| {
        candidate.id.as_ref().is_some_and(|id| id.value == step)
            && candidate.output.as_ref().is_some_and(|name| name.name.value == output)
    };
    let step = file.recipe.steps.iter().find(is_it)?;
    let Action::Agent(call) = &step.action else { return None };
    let Some(Prompt { text: fragment, key }) = &call.prompt else { return None };
    let text = filled(file, fragment)?;
    let promise = Promise::read(&text);
    if promise.refers_elsewhere() {
        return None;
    }
    Some(Producer {
        id: step.id.as_ref().map_or("", |id| id.value.as_str()),
        place: Place { file: file.id, span: *key },
        text,
    })
}

/// A prompt with the context's defaults in its holes; `None` where a hole may bring the answer's form, or is all there
/// is.
fn filled(file: &File, fragment: &Fragment) -> Option<String> {
    let text = fragment.text();
    let mut filled = String::new();
    let mut at = 0;
    let mut own = 0;
    for hole in holes(text) {
        let before = text.get(at..hole.span.start).unwrap_or_default();
        own += before.split_whitespace().count();
        filled.push_str(before);
        at = hole.span.end;
        let name = hole.name.split('.').next().unwrap_or_default();
        let default = file.recipe.variables.iter().find(|variable| variable.name.value == name);
        let default = default.and_then(|variable| variable.default.as_ref()).map(|default| default.value.as_str());
        match default.filter(|default| !default.trim().is_empty()) {
            Some(default) => filled.push_str(default),
            None if brings_form(&hole.name) => return None,
            // Something that is no name of a field or value.
            None => filled.push('⟨'),
        }
    }
    let rest = text.get(at..).unwrap_or_default();
    own += rest.split_whitespace().count();
    filled.push_str(rest);
    (own > 3).then_some(filled)
}
