//! A field is read that the prompt never asks for.

use super::declared::{Declared, declared};
use super::producers::origin;
use crate::flow::{NodeKind, Place};
use crate::lints::{Context, Finding, Sink};
use crate::recipe::fields::nearest;
use crate::recipe::prompt::Promise;

/// The lint's name.
pub const ID: &str = "field-not-in-prompt";

/// Reports readers of fields that no prompt of their producers mentions.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    for (id, node) in context.graph.nodes_in(context.file.id) {
        let (NodeKind::Field(field) | NodeKind::ExtractField { field: Some(field), .. }) = &node.kind else { continue };
        if let Some(declared) = declared(context, id) {
            if !declared.fields().contains(&&**field) {
                sink.push(undeclared(node.place, field, &declared));
            }
            continue;
        }
        let Some(origin) = origin(context, id) else { continue };
        let promises: Vec<_> = origin.producers.iter().map(|producer| Promise::read(&producer.text)).collect();
        // Below a field whose own fields the prompt leaves open nothing can be said.
        let known = origin.outer.iter().all(|outer| promises.iter().all(|promise| promise.shows_object(outer)));
        if !known || promises.iter().any(|promise| promise.mentions(field)) {
            continue;
        }
        let path: Vec<&str> = origin.outer.iter().map(AsRef::as_ref).chain([field.as_ref()]).collect();
        let steps: Vec<_> = origin.producers.iter().map(|producer| format!("\"{}\"", producer.id)).collect();
        let message = format!(
            "\"{}\" is read from output \"{}\", and the prompt of step {} never mentions it",
            path.join("."),
            origin.output,
            steps.join(" or ")
        );
        let mut finding = Finding::new(ID, node.place, message);
        let keys: Vec<&str> = promises.iter().flat_map(Promise::keys).collect();
        let near = nearest(field, keys.iter().copied()).or_else(|| shared_word(field, &keys));
        finding = match near {
            Some(near) => finding.help(format!("the prompt asks for \"{near}\": read that, or ask for \"{field}\"")),
            None => finding.help(format!("say in the prompt that the answer must have \"{field}\", and what it means")),
        };
        for producer in &origin.producers {
            finding = finding.related(producer.place, format!("the prompt of step \"{}\"", producer.id));
        }
        sink.push(finding);
    }
}

/// A field that the schema of a typed output does not have.
fn undeclared(place: Place, field: &str, declared: &Declared) -> Finding {
    let path: Vec<&str> = declared.outer.iter().map(AsRef::as_ref).chain([field]).collect();
    let path = path.join(".");
    let message =
        format!("\"{path}\" is read from the answer of {}, and its schema has no such field", declared.origin);
    let fields = declared.fields();
    let near = nearest(field, fields.iter().copied()).or_else(|| shared_word(field, &fields));
    let help = match near {
        Some(near) => format!("the schema asks for \"{near}\": read that, or add \"{field}\" to the schema"),
        None => format!("add \"{field}\" to the schema's `properties` and `required`"),
    };
    Finding::new(ID, place, message).help(help).related(declared.place, "it is asked here".to_owned())
}

/// A field of the prompt that has a word in common with the one that is read.
fn shared_word<'a>(field: &str, keys: &[&'a str]) -> Option<&'a str> {
    let words = |text: &str| text.split(['_', '-', '.']).map(str::to_lowercase).collect::<Vec<_>>();
    let wanted = words(field);
    keys.iter().find(|key| words(key).iter().any(|word| word.len() > 3 && wanted.contains(word))).copied()
}
