//! What a configuration says without effect, as findings in the configuration file: keys and lints that do not exist,
//! globs that match nothing, vocabularies that contradict themselves.

use std::path::Path;

use serde_json::Value;

use super::load::Layer;
use super::resolve::{Chain, NAMES, find_scalar};
use super::{StageConfig, schema};
use crate::flow::Place;
use crate::lints::{Finding, suppress};
use crate::recipe::FileId;
use crate::syntax::yaml::Node;
use crate::text::Span;
use crate::workspace::disk::Disk;

const ID: &str = "unused-configuration";

/// The findings of one layer; `file` is its number in the index. `whole` tells whether all files below its folder were
/// met, so that a glob that matched none matches none.
pub fn review(disk: &Disk, chain: &Chain, layer: usize, file: FileId, whole: bool) -> Vec<Finding> {
    let Some(one) = chain.layers.get(layer) else { return Vec::new() };
    let place = |span: Span| Place { file, span };
    let mut findings = Vec::new();
    let schema = schema();
    if let Some(root) = &one.yaml.root {
        unknown_keys(root, &schema, &schema, "", 0, &mut |span, message, help| {
            findings.push(Finding::new(ID, place(span), message).help(help));
        });
    }
    if whole {
        for glob in chain.idle_globs(layer) {
            let message = format!("the glob `{}` matches no file, so it does nothing", glob.text);
            let help = "globs with a `/` are relative to the folder of this file";
            findings.push(Finding::new(ID, place(find_scalar(one, &glob.text)), message).help(help));
        }
    }
    helpers(one, &mut |span, message, help| findings.push(Finding::new(ID, place(span), message).help(help)));
    let shadowed = one.folder().join(NAMES[1]);
    if one.path.file_name().is_some_and(|name| name == NAMES[0]) && disk.is_file(&shadowed) {
        let message = format!("`{}` stands beside this file and is not read", NAMES[1]);
        findings.push(Finding::new(ID, place(Span::at(0)), message).help("keep one of the two"));
    }
    for path in one.config.search_paths.iter().filter(|path| !one.folder().join(Path::new(path)).is_dir()) {
        let message = format!("the search path `{path}` is no folder");
        findings.push(Finding::new(ID, place(find_scalar(one, path)), message).help("it is relative to this file"));
    }
    findings
}

type Say<'a> = dyn FnMut(Span, String, String) + 'a;

/// Walks a value beside its schema. Depth is bounded by the schema, which has no recursion.
fn unknown_keys(node: &Node, schema: &Value, root: &Value, path: &str, depth: usize, say: &mut Say<'_>) {
    let schema = resolve(schema, root);
    if depth > 16 {
        return;
    }
    for item in node.items() {
        if let Some(items) = schema.get("items") {
            unknown_keys(item, items, root, path, depth + 1, say);
        }
    }
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let is_levels = path == "levels";
    for entry in node.entries() {
        let Some(key) = entry.key.text() else { continue };
        if let Some(property) = properties.get(key) {
            unknown_keys(&entry.value, property, root, key, depth + 1, say);
            continue;
        }
        if is_levels {
            let help = match suppress::nearest(key) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`recipelint lints` lists them".to_owned(),
            };
            say(entry.key.span, format!("`{key}` is no lint, so its level does nothing"), help);
        } else {
            let near = properties
                .keys()
                .map(|known| (strsim::damerau_levenshtein(key, known), known))
                .filter(|(distance, known)| distance * 3 <= known.len().max(key.len()))
                .min();
            let help = match near {
                Some((_, near)) => format!("did you mean `{near}`?"),
                None => format!("known here: {}", properties.keys().cloned().collect::<Vec<_>>().join(", ")),
            };
            say(entry.key.span, format!("`{key}` is no key of the configuration, so it does nothing"), help);
        }
    }
}

/// Follows `$ref` and takes the object of `anyOf [object, null]`.
fn resolve<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|name| root.pointer(name.strip_prefix('#')?));
    let schema = target.unwrap_or(schema);
    let options = schema.get("anyOf").and_then(Value::as_array);
    options.and_then(|all| all.iter().find(|one| one.get("type") != Some(&Value::from("null")))).unwrap_or(schema)
}

/// Where a vocabulary's default is written.
fn default_of(layer: &Layer, token: &str) -> Span {
    let vocabularies = layer.yaml.root.as_ref().and_then(|root| root.get("vocabularies"));
    let defaults = vocabularies.iter().flat_map(|list| list.items()).filter_map(|one| one.get("default"));
    let mut found = defaults.filter(|node| node.text() == Some(token));
    found.next().map_or_else(Span::default, |node| node.span)
}

/// Helpers and vocabularies that do not fit together.
fn helpers(layer: &Layer, say: &mut Say<'_>) {
    for helper in &layer.config.helpers {
        let span = helper.command.all().first().map(|word| find_scalar(layer, word)).unwrap_or_default();
        match (&helper.stage, &helper.vocabulary) {
            (StageConfig::Normalise, None) => {
                let help = "name one of `vocabularies`: `vocabulary: …`".to_owned();
                say(
                    span,
                    "a helper of stage `normalise` has no vocabulary, so nothing is known of its tokens".into(),
                    help,
                );
            }
            (StageConfig::Normalise, Some(_)) | (_, None) => {}
            (_, Some(name)) => {
                let message = "`vocabulary` counts for the stage `normalise` only".to_owned();
                say(find_scalar(layer, name), message, "remove it, or write `stage: normalise`".to_owned());
            }
        }
    }
    for vocabulary in &layer.config.vocabularies {
        let token = vocabulary.tokens.iter().find(|token| token.token == vocabulary.default);
        match token {
            None => {
                let message = format!("the default `{}` is no token of `{}`", vocabulary.default, vocabulary.name);
                say(default_of(layer, &vocabulary.default), message, "write one of its tokens".to_owned());
            }
            Some(token) if token.passes => {
                let message = format!("the default `{}` lets the gate pass when there is no verdict", token.token);
                let help = "choose a token that stops or degrades".to_owned();
                say(default_of(layer, &vocabulary.default), message, help);
            }
            Some(_) => {}
        }
    }
}
