//! From the tree to the model. Values of a wrong type are passed over: `check` reports them.

use std::sync::Arc;

use crate::recipe::fields::spanned;
use crate::recipe::{
    Action, AgentCall, Dialect, Guard, GuardLanguage, Holes, NamedText, Output, Prompt, Recipe, RecipeCall, Script,
    Shape, Step, Variable,
};
use crate::syntax::yaml::{Data, Document, Entry, Node};
use crate::text::{Fragment, Source, Spanned};

use super::keys::Kind;
use super::values::{flag, is_null, variant};

pub(super) fn lower(source: &Source, document: &Document) -> Recipe {
    let mut recipe = Recipe::empty(Dialect::Amplihack);
    let Some(root) = &document.root else { return recipe };
    let reader = Reader { source, document };
    recipe.name = reader.required(root, "name");
    recipe.extends = reader.word(root, "extends");
    if let Some(context) = reader.value(root, "context") {
        recipe.variables = reader.variables(context);
    }
    let checks = root.get("context_validation").map_or(&[][..], Node::entries);
    recipe.expected = checks.iter().filter_map(|entry| spanned(&entry.key)).collect();
    if let Some(hooks) = reader.value(root, "hooks") {
        for hook in super::keys::HOOKS {
            let Some(entry) = hooks.entry(hook.name) else { continue };
            let Some(script) = reader.script(entry) else { continue };
            recipe.hooks.push((Spanned::new(hook.name.to_owned(), entry.key.span), script));
        }
    }
    if let Some(steps) = reader.value(root, "steps") {
        recipe.steps = steps.items().iter().map(|item| reader.step(item)).collect();
    }
    recipe
}

/// The kind of a step (`Step::effective_type`): what `type` says, else `recipe`, `agent`, a `prompt` without a
/// `command`, in this order; else bash.
pub(super) fn kind(document: &Document, step: &Node) -> Kind {
    let has = |key| step.get(key).is_some_and(|value| !is_null(document.resolve(value)));
    let written = step.get("type").and_then(|value| variant(document.resolve(value)));
    if let Some((_, kind)) = Kind::ALL.iter().find(|(name, _)| Some(*name) == written) {
        return *kind;
    }
    if has("recipe") {
        Kind::Recipe
    } else if has("agent") || (has("prompt") && !has("command")) {
        Kind::Agent
    } else {
        Kind::Bash
    }
}

struct Reader<'a> {
    source: &'a Source,
    document: &'a Document,
}

impl<'a> Reader<'a> {
    /// The value of a key, unless it is null.
    fn value(&self, node: &'a Node, key: &str) -> Option<&'a Node> {
        node.get(key).map(|value| self.document.resolve(value)).filter(|value| !is_null(value))
    }

    /// A short text.
    fn word(&self, node: &'a Node, key: &str) -> Option<Spanned<String>> {
        let value = self.value(node, key)?;
        value.text().map(|text| Spanned::new(text.to_owned(), value.span))
    }

    /// A text that is not optional in the engine's types, so that `null` is one.
    fn required(&self, node: &'a Node, key: &str) -> Option<Spanned<String>> {
        let value = node.get(key).map(|value| self.document.resolve(value))?;
        value.text().map(|text| Spanned::new(text.to_owned(), value.span))
    }

    fn flag(&self, node: &'a Node, key: &str) -> Option<bool> {
        self.value(node, key)?.text().and_then(flag)
    }

    fn fragment(&self, entry: &'a Entry) -> Option<Fragment> {
        let value = self.document.resolve(&entry.value);
        if is_null(value) { None } else { value.scalar().map(|scalar| scalar.fragment.clone()) }
    }

    fn script(&self, entry: &'a Entry) -> Option<Script> {
        Some(Script::new(self.fragment(entry)?, entry.key.span, Holes::Template))
    }

    fn variables(&self, context: &'a Node) -> Vec<Variable> {
        let name = |entry: &Entry| Some(Spanned::new(entry.key.text()?.to_owned(), entry.key.span));
        let variable = |entry: &'a Entry| {
            let value = self.document.resolve(&entry.value);
            let default = value.text().map(|text| Spanned::new(text.to_owned(), value.span));
            Some(Variable { name: name(entry)?, default, shape: shape(value) })
        };
        context.entries().iter().filter_map(variable).collect()
    }

    /// Names and texts; a collection's text is how it is written.
    fn texts(&self, mapping: &'a Node) -> Vec<NamedText> {
        let text = |entry: &'a Entry| {
            let value = self.document.resolve(&entry.value);
            let fragment = match value.scalar() {
                Some(scalar) => scalar.fragment.clone(),
                None => Fragment::verbatim(self.source.slice(value.span), value.span.start),
            };
            let name = Spanned::new(entry.key.text()?.to_owned(), entry.key.span);
            Some(NamedText { name, text: Arc::new(fragment) })
        };
        mapping.entries().iter().filter_map(text).collect()
    }

    fn step(&self, item: &'a Node) -> Step {
        let step = self.document.resolve(item);
        let action = match kind(self.document, step) {
            Kind::Bash => step.entry("command").and_then(|entry| self.script(entry)).map(Action::Script),
            Kind::Agent => Some(Action::Agent(AgentCall {
                prompt: step.entry("prompt").and_then(|entry| {
                    let text = self.fragment(entry)?;
                    Some(Prompt { key: entry.key.span, text })
                }),
            })),
            Kind::Recipe => self.word(step, "recipe").map(|name| {
                let context = self.value(step, "context").map(|context| self.texts(context)).unwrap_or_default();
                Action::Recipe(RecipeCall { name, context })
            }),
        };
        let condition = step.entry("condition").and_then(|entry| {
            let text = Arc::new(self.fragment(entry)?);
            Some(Guard { text, key: entry.key.span, language: GuardLanguage::Engine })
        });
        let output = self.word(step, "output").map(|name| Output {
            name,
            parse_json: self.flag(step, "parse_json") == Some(true),
            required: self.flag(step, "parse_json_required") == Some(true),
        });
        let working_dir = step.entry("working_dir").and_then(|entry| {
            let name = Spanned::new("working_dir".to_owned(), entry.key.span);
            Some(NamedText { name, text: Arc::new(self.fragment(entry)?) })
        });
        let continues = ["continue_on_error", "nonfatal"].iter().any(|key| self.flag(step, key) == Some(true));
        Step {
            id: self.required(step, "id"),
            job: None,
            action: action.unwrap_or(Action::Nothing),
            condition,
            output,
            group: self.word(step, "parallel_group"),
            after: Vec::new(),
            env: Vec::new(),
            texts: working_dir.into_iter().collect(),
            continue_on_error: continues || self.flag(step, "fatal") == Some(false),
            span: item.span,
        }
    }
}

fn shape(value: &Node) -> Shape {
    match &value.data {
        Data::Scalar(_) => Shape::Scalar,
        Data::Sequence(_) => Shape::Array,
        Data::Mapping(entries) => {
            Shape::Object(entries.iter().map(|entry| entry.key.text().map(str::to_owned)).collect())
        }
        Data::Alias(_) => Shape::Unknown,
    }
}
