//! Contracts in plain YAML: a step of any format that has a prompt (`prompt`, `promptFile`, `brief`) and structured output
//! (`output: {tag, schema}`, `response: {tag}`). Teams that describe such runs in YAML mean Sandcastle's rules by them.

use std::sync::Arc;

use super::Lowered;
use super::outpost::responses::{json, number};
use super::program::WITHOUT_SESSIONS;
use crate::recipe::fields::spanned;
use crate::recipe::prompt::brings_form;
use crate::recipe::scalar::Value;
use crate::recipe::{
    Agent, Argument, Arguments, Base, Call, Contract, ContractText, Dialect, Known, Mention, MentionKind, OutputKind,
    OutputSpec, PromptSource, Recipe, System, TextPart, Variable,
};
use crate::syntax::template::holes;
use crate::syntax::yaml::{self, Entry, Node};
use crate::text::{Fragment, Source, Spanned};

/// Keys of a prompt's text.
const PROMPTS: &[&str] = &["prompt", "brief"];
/// Keys of a prompt's file.
const FILES: &[&str] = &["promptFile", "prompt_file", "prompt-file", "briefFile", "brief_file"];
/// Keys of structured output.
const OUTPUTS: &[&str] = &["output", "response"];
/// Keys of the number of rounds.
const ROUNDS: &[&str] = &["maxIterations", "max_iterations", "max-iterations", "iterations", "passes"];
/// Keys of the number of retries.
const RETRIES: &[&str] = &["maxRetries", "max_retries", "max-retries", "repairs", "retries"];
/// Keys of values for placeholders.
const ARGUMENTS: &[&str] = &["promptArgs", "prompt_args", "prompt-args"];

/// Lowers a file of which only its contracts are known.
pub fn lower(source: &Source) -> Lowered {
    let document = yaml::parse(&source.text);
    let mut lowered = Lowered::empty(Dialect::Contracts);
    lowered.errors.clone_from(&document.errors);
    lowered.yaml = Some(Arc::new(document));
    extend(&mut lowered);
    lowered
}

/// Adds the contracts of a YAML file to what its dialect read of it. What the dialect says of the shape of such a step is
/// dropped: it is no step in its sense.
pub fn extend(lowered: &mut Lowered) {
    let Some(root) = lowered.yaml.as_ref().and_then(|document| document.root.as_ref()) else { return };
    let templated = lowered.recipe.dialect == Dialect::Amplihack;
    for (step, output) in steps(root) {
        lowered.recipe.problems.retain(|problem| !step.span.covers(problem.span) || problem.lint == "duplicate-id");
        let variables = if templated { lowered.recipe.variables.as_slice() } else { &[] };
        let contract = contract(step, output, templated.then_some(variables));
        mention(&contract, &mut lowered.recipe);
        lowered.recipe.contracts.push(contract);
    }
}

/// The steps below a node that have a prompt and tagged output, with the entry of the output, in order.
pub fn steps(root: &Node) -> Vec<(&Node, &Entry)> {
    let mut steps: Vec<(&Node, &Entry)> = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if let Some(output) = output(node).filter(|_| prompt_entry(node).is_some()) {
            steps.push((node, output));
        }
        open.extend(node.items());
        open.extend(node.entries().iter().map(|entry| &entry.value));
    }
    steps.sort_by_key(|(node, _)| node.span.start);
    steps
}

fn output(step: &Node) -> Option<&Entry> {
    OUTPUTS.iter().filter_map(|key| step.entry(key)).find(|entry| entry.value.get("tag").is_some())
}

fn prompt_entry(step: &Node) -> Option<(&Entry, bool)> {
    let text = PROMPTS.iter().filter_map(|key| step.entry(key)).map(|entry| (entry, false));
    let file = FILES.iter().filter_map(|key| step.entry(key)).map(|entry| (entry, true));
    text.chain(file).find(|(entry, _)| entry.value.scalar().is_some())
}

fn first<'a>(node: &'a Node, keys: &[&str]) -> Option<&'a Node> {
    keys.iter().find_map(|key| node.get(key))
}

fn contract(step: &Node, output: &Entry, variables: Option<&[Variable]>) -> Contract {
    let key = step.get("id").or_else(|| step.get("name")).map_or(output.key.span, |id| id.span);
    let interactive = step.get("interactive").is_some_and(|flag| Value::of(flag) == Value::Bool(true));
    let prompt = prompt_entry(step).and_then(|(entry, file)| {
        let text = if file {
            ContractText::File(spanned(&entry.value)?)
        } else {
            ContractText::Inline(parts(&entry.value.scalar()?.fragment, variables))
        };
        Some(PromptSource { key: entry.key.span, text })
    });
    Contract {
        system: System::Yaml,
        call: Spanned::new(if interactive { Call::Interactive } else { Call::Step }, key),
        output: Known::Known(spec(output)),
        iterations: first(step, ROUNDS).map_or(Known::Absent, number),
        prompt: prompt.map_or(Known::Absent, Known::Known),
        arguments: first(step, ARGUMENTS).map_or(Known::Absent, |node| Known::Known(arguments(step, node))),
        agent: agent(step),
        inherited_from: None,
        package: None,
        span: step.span,
    }
}

/// The agent by the name of its provider.
fn agent(step: &Node) -> Agent {
    let provider = first(step, &["agent", "provider"]).and_then(spanned);
    let without = provider.as_ref().is_some_and(|name| WITHOUT_SESSIONS.contains(&name.value.as_str()));
    let resumable = without.then(|| {
        let name = provider.as_ref().map_or("", |name| name.value.as_str());
        Err(format!("`{name}` cannot go on with a session"))
    });
    Agent { provider, resumable }
}

fn spec(output: &Entry) -> OutputSpec {
    let node = &output.value;
    let schema = first(node, &["schema", "jsonSchema", "json_schema"]);
    let kind = match node.get("type").or_else(|| node.get("kind")).or_else(|| node.get("format")).and_then(Node::text) {
        Some("json" | "object") => OutputKind::Json,
        Some("text" | "string") => OutputKind::Text,
        _ if schema.is_some_and(Node::is_mapping) => OutputKind::Json,
        _ => OutputKind::Unknown,
    };
    let tag = node.get("tag");
    OutputSpec {
        key: output.key.span,
        kind,
        tag: tag.map_or(Known::Absent, |tag| spanned(tag).map_or(Known::Unknown(tag.span), Known::Known)),
        schema: match schema {
            Some(schema) if schema.is_mapping() => Known::Known(Spanned::new(json(schema, 0), schema.span)),
            Some(schema) => Known::Unknown(schema.span),
            None => Known::Absent,
        },
        retries: first(node, RETRIES).map_or(Known::Absent, number),
    }
}

fn arguments(step: &Node, node: &Node) -> Arguments {
    let key = ARGUMENTS.iter().find_map(|key| step.entry(key)).map_or(node.span, |entry| entry.key.span);
    let entries = node.entries().iter().filter_map(|entry| {
        Some(Argument { name: spanned(&entry.key)?, missing: Value::of(&entry.value) == Value::Null })
    });
    Arguments { key, entries: entries.collect(), open: !node.is_mapping() }
}

/// The parts of a prompt. Where a hole is filled from the context its default stands for it; one that is likely to bring
/// the answer's form with it is not known.
fn parts(fragment: &Fragment, variables: Option<&[Variable]>) -> Vec<TextPart> {
    let Some(variables) = variables else { return vec![TextPart::Text(Arc::new(fragment.clone()))] };
    let mut parts = Vec::new();
    let mut at = 0;
    for hole in holes(fragment.text()) {
        let default = variables.iter().find(|variable| variable.name.value == hole.name);
        let default =
            default.and_then(|variable| variable.default.as_ref()).filter(|default| !default.value.is_empty());
        if default.is_none() && !brings_form(&hole.name) {
            continue;
        }
        parts.push(TextPart::Text(Arc::new(fragment.part(at..hole.span.start))));
        at = hole.span.end;
        parts.push(match default {
            Some(default) => TextPart::Text(Arc::new(Fragment::verbatim(default.value.as_str(), default.span.start))),
            None => TextPart::Unknown(fragment.locate(hole.span)),
        });
    }
    parts.push(TextPart::Text(Arc::new(fragment.part(at..fragment.text().len()))));
    parts
}

fn mention(contract: &Contract, recipe: &mut Recipe) {
    let Known::Known(PromptSource { text: ContractText::File(path), .. }) = &contract.prompt else { return };
    for base in [Base::Root, Base::Here] {
        recipe.mentions.push(Mention { path: path.clone(), base, kind: MentionKind::Prompt });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use crate::recipe::Number;

    fn lowered(text: &str) -> Lowered {
        lower(&Source::new("runs.yaml", text))
    }

    #[test]
    fn steps_with_structured_output() {
        let text = "pipeline:\n  steps:\n    - id: rate\n      promptFile: prompts/rate.md\n      promptArgs: { GOAL: x, MORE: }\n      output: { tag: rating, schema: { type: object }, maxRetries: 2 }\n      max_iterations: 3\n    - name: talk\n      brief: Say <talk>.\n      interactive: true\n      response:\n        tag: talk\n        type: text\n    - id: plain\n      prompt: p\n      output: name\n    - id: image\n      output: { tag: v1 }\n";
        let recipe = lowered(text).recipe;
        let [rate, talk] = recipe.contracts.as_slice() else { panic!("{:#?}", recipe.contracts) };
        let spec = rate.output.known().unwrap();
        assert_eq!((spec.kind, spec.tag.known().unwrap().value.as_str()), (OutputKind::Json, "rating"));
        assert_eq!(spec.retries.known().unwrap().value, Number::Int(2));
        assert_eq!(rate.iterations.known().unwrap().value, Number::Int(3));
        assert_eq!(rate.prompt.known().unwrap().file().unwrap().value, "prompts/rate.md");
        let missing: Vec<_> = rate.arguments.known().unwrap().entries.iter().map(|entry| entry.missing).collect();
        assert_eq!(missing, [false, true]);
        assert_eq!(talk.call.value, Call::Interactive);
        assert_eq!(talk.output.known().unwrap().kind, OutputKind::Text);
        assert_eq!(talk.prompt.known().unwrap().literal().unwrap(), "Say <talk>.");
        assert_eq!(recipe.mentions.len(), 2);
    }

    #[test]
    fn holes_of_amplihack() {
        let text = "name: x\ncontext:\n  task: Rate <r>it</r>\nsteps:\n  - id: a\n    prompt: 'Do {{task}} with {{goal}}. {{output_format}}'\n    output: { tag: r }\n";
        let source = Source::new("x.yaml", text);
        let lowered = super::super::lower(Dialect::Amplihack, &source);
        let [contract] = lowered.recipe.contracts.as_slice() else { panic!() };
        let ContractText::Inline(parts) = &contract.prompt.known().unwrap().text else { panic!() };
        let read: Vec<_> = parts
            .iter()
            .map(|part| match part {
                TextPart::Text(fragment) => fragment.text().to_owned(),
                TextPart::Unknown(span) => format!("?{}", source.slice(*span)),
            })
            .collect();
        assert_eq!(read, ["Do ", "Rate <r>it</r>", " with {{goal}}. ", "?{{output_format}}", ""]);
        assert!(lowered.recipe.problems.is_empty(), "{:#?}", lowered.recipe.problems);
    }

    #[test]
    fn broken_yaml_is_no_panic() {
        for text in ["", "- [", "output: {tag: x", "a: &a [*a]\nprompt: p\noutput: {tag: *a}"] {
            let _ = lowered(text);
        }
    }
}
