//! GitHub Actions: workflows and composite actions. What GitHub itself refuses is left to actionlint; a file is read as
//! far as it can be.
//!
//! Source of the rules: GitHub's "Workflow syntax for GitHub Actions" and "Metadata syntax", and the runner's
//! `ScriptHandler` for shells.

mod shells;
mod steps;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::Lowered;
use crate::recipe::{Action, Dialect, NamedText, Recipe, Shape, Variable};
use crate::syntax::yaml::{self, Document, Node};
use crate::text::{Source, Spanned};

pub(crate) use steps::{PROMPT_FILES, local_files};
use steps::{Reader, Shell};

/// Ending of the workflows that gh-aw compiles from Markdown.
const GENERATED: &str = ".lock.yml";

/// Lowers a workflow.
pub fn lower(source: &Source) -> Lowered {
    if source.path.to_string_lossy().ends_with(GENERATED) {
        let mut lowered = Lowered::empty(Dialect::Workflow);
        lowered.recipe.skipped = Some("it is generated: check the file that it was compiled from");
        return lowered;
    }
    let document = yaml::parse(&source.text);
    let mut recipe = Recipe::empty(Dialect::Workflow);
    if let Some(root) = &document.root {
        let reader = Reader { source, document: &document };
        recipe.name = reader.word(root, "name");
        if let Some(on) = reader.value(root, "on") {
            triggers(&reader, on, &mut recipe);
        }
        let env = reader.texts(root, "env");
        let shell = reader.default_shell(root).unwrap_or(Shell::Default);
        let jobs = reader.value(root, "jobs").map(Node::entries).unwrap_or_default();
        for entry in jobs {
            reader.job(entry, &env, &shell, &mut recipe);
        }
    }
    finish(document, recipe)
}

/// Lowers an `action.yml`. Only composite actions have steps.
pub fn lower_action(source: &Source) -> Lowered {
    let document = yaml::parse(&source.text);
    let mut recipe = Recipe::empty(Dialect::Action);
    if let Some(root) = &document.root {
        let reader = Reader { source, document: &document };
        recipe.name = reader.word(root, "name");
        recipe.variables = inputs(&reader, root);
        recipe.outputs = outputs(&reader, root);
        if let Some(runs) = reader.value(root, "runs") {
            let steps = reader.value(runs, "steps").map(Node::items).unwrap_or_default();
            for item in steps {
                let step = reader.step(item, None, &Shell::Default);
                recipe.steps.push(step);
            }
        }
    }
    finish(document, recipe)
}

fn finish(document: Document, mut recipe: Recipe) -> Lowered {
    recipe.mentions = steps::mentions(&recipe);
    let scripts = super::calls::mentions(&recipe);
    recipe.mentions.extend(scripts);
    let errors = document.errors.clone();
    if !errors.is_empty() {
        forget_shell_errors(&mut recipe);
    }
    Lowered { yaml: Some(Arc::new(document)), recipe, errors }
}

/// In a broken file a script may end where YAML does and not where its author meant it to.
fn forget_shell_errors(recipe: &mut Recipe) {
    for step in &mut recipe.steps {
        if let Action::Script(script) = &mut step.action {
            script.cut = true;
        }
    }
}

/// Inputs and outputs of a workflow that is called or started by hand.
fn triggers(reader: &Reader<'_>, on: &Node, recipe: &mut Recipe) {
    for event in ["workflow_call", "workflow_dispatch"] {
        let Some(event) = reader.value(on, event) else { continue };
        recipe.variables.extend(inputs(reader, event));
        recipe.outputs.extend(outputs(reader, event));
    }
}

fn inputs(reader: &Reader<'_>, node: &Node) -> Vec<Variable> {
    let declared = reader.value(node, "inputs").map(Node::entries).unwrap_or_default();
    declared
        .iter()
        .filter_map(|entry| {
            let name = Spanned::new(entry.key.text()?.to_owned(), entry.key.span);
            let default = reader.word(reader.document.resolve(&entry.value), "default");
            Some(Variable { name, default, shape: Shape::Scalar })
        })
        .collect()
}

fn outputs(reader: &Reader<'_>, node: &Node) -> Vec<NamedText> {
    let declared = reader.value(node, "outputs").map(Node::entries).unwrap_or_default();
    declared
        .iter()
        .filter_map(|entry| {
            let name = Spanned::new(entry.key.text()?.to_owned(), entry.key.span);
            let text = reader.value(reader.document.resolve(&entry.value), "value")?;
            let text = Arc::new(text.scalar()?.fragment.clone());
            Some(NamedText { name, text })
        })
        .collect()
}
