//! A value is tested that the prompt does not allow.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::declared::{Declared, declared};
use super::producers::{Origin, origin};
use crate::flow::{ChoiceForm, CompareOp, NodeId, NodeKind, Pass, Place, Role};
use crate::lints::{Context, Finding, Sink};
use crate::recipe::Action;
use crate::recipe::prompt::Promise;

/// The lint's name.
pub const ID: &str = "value-not-in-prompt";

/// Nodes between a test and the field that it tests.
const MOST_NODES: usize = 100;

/// Reports tests for equality with a value that is not among those the prompt names.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    let mut missing: BTreeMap<Place, (NodeId, Vec<Arc<str>>)> = BTreeMap::new();
    for (id, node) in context.graph.nodes_in(context.file.id) {
        match &node.kind {
            NodeKind::Compare(compare) if compare.op != CompareOp::Order => {
                if let Some(value) = &compare.operand {
                    missing.entry(node.place).or_insert((id, Vec::new())).1.push(value.clone());
                }
            }
            NodeKind::Choice(choice) if choice.form == ChoiceForm::Case => {
                for arm in &choice.arms {
                    let tokens = arm.tokens.iter().filter(|token| !token.contains(['*', '?', '[', '$']));
                    missing.entry(arm.place).or_insert((id, Vec::new())).1.extend(tokens.cloned());
                }
            }
            _ => {}
        }
    }
    for (place, (id, values)) in missing {
        if let Some(finding) = finding(context, place, id, &values) {
            sink.push(finding);
        }
    }
}

fn finding(context: &Context<'_>, place: Place, test: NodeId, values: &[Arc<str>]) -> Option<Finding> {
    let tested = tested(context, test)?;
    if let Some(declared) = declared(context, tested.field) {
        return undeclared(context, place, &tested, &declared, values);
    }
    let Origin { producers, output, outer } = origin(context, tested.field)?;
    let (NodeKind::Field(field) | NodeKind::ExtractField { field: Some(field), .. }) =
        &context.graph.node(tested.field).kind
    else {
        return None;
    };
    let mut allowed: Vec<String> = Vec::new();
    let mut named: Vec<&Arc<str>> = values.iter().collect();
    for producer in &producers {
        let promise = Promise::read(&producer.text);
        allowed.extend(promise.values(field)?.closed.into_iter().map(|item| item.value));
        named.retain(|value| !promise.names_value(value, field));
    }
    let is_allowed = |value: &str| {
        let same = |other: &str| if tested.folded { other.eq_ignore_ascii_case(value) } else { other == value };
        allowed.iter().any(|other| same(other)) || tested.defaults.iter().any(|other| same(other))
    };
    // `complete|COMPLETE)` takes the prompt's word in any spelling.
    let spelt = |value: &str| {
        let same = |other: &str| other.eq_ignore_ascii_case(value) && is_allowed(other);
        values.iter().any(|other| same(other)) || beside(context, test).any(same)
    };
    named.retain(|value| !is_allowed(value) && is_word(value) && !spelt(value));
    named.dedup();
    let first = *named.first()?;
    let path: Vec<&str> = outer.iter().map(AsRef::as_ref).chain([field.as_ref()]).collect();
    let unknown: Vec<_> = named.iter().map(|value| format!("\"{value}\"")).collect();
    let unknown = unknown.join(" or ");
    let names: Vec<_> = allowed.iter().map(|value| format!("\"{value}\"")).collect();
    let message = format!(
        "\"{output}.{}\" is compared with {unknown}, and the prompt only allows {}",
        path.join("."),
        names.join(", ")
    );
    let near = allowed.iter().find(|other| other.eq_ignore_ascii_case(first));
    let mut finding = Finding::new(ID, place, message).help(match near {
        Some(near) => format!("the prompt writes it \"{near}\""),
        None => "test one of the prompt's values, or name this one in the prompt".to_owned(),
    });
    for producer in &producers {
        finding = finding.related(producer.place, format!("the prompt of step \"{}\"", producer.id));
    }
    Some(finding)
}

/// The values that are compared with the very same reading of a text: the other patterns of a `case`.
fn beside<'c>(context: &'c Context<'_>, test: NodeId) -> impl Iterator<Item = &'c str> {
    let inputs = &context.graph.node(test).inputs;
    let users = inputs.iter().flat_map(|input| context.graph.users(input.from)).map(|user| user.from);
    users.filter_map(move |id| {
        let node = context.graph.node(id);
        match &node.kind {
            NodeKind::Compare(compare) if id != test && node.inputs == *inputs => compare.operand.as_deref(),
            _ => None,
        }
    })
}

/// A value that the schema of a typed output does not allow.
fn undeclared(
    context: &Context<'_>,
    place: Place,
    tested: &Tested,
    declared: &Declared,
    values: &[Arc<str>],
) -> Option<Finding> {
    let NodeKind::Field(field) = &context.graph.node(tested.field).kind else { return None };
    let allowed = declared.values(field)?;
    // GitHub's expressions compare without case, shells with it.
    let folded = tested.folded || !in_shell(context, place);
    let same = |other: &str, value: &str| if folded { other.eq_ignore_ascii_case(value) } else { other == value };
    let known = |value: &str| {
        allowed.iter().any(|other| same(other, value)) || tested.defaults.iter().any(|other| same(other, value))
    };
    let wrong = values.iter().find(|value| is_word(value) && !known(value))?;
    let path: Vec<&str> = declared.outer.iter().map(AsRef::as_ref).chain([field.as_ref()]).collect();
    let names: Vec<_> = allowed.iter().map(|value| format!("\"{value}\"")).collect();
    let message = format!(
        "\"{}\" is compared with \"{wrong}\", and the schema of {} only allows {}",
        path.join("."),
        declared.origin,
        names.join(", ")
    );
    let help = match allowed.iter().find(|other| other.eq_ignore_ascii_case(wrong)) {
        Some(near) => format!("the schema writes it \"{near}\""),
        None => "test one of the schema's values, or add this one to its `enum`".to_owned(),
    };
    Some(Finding::new(ID, place, message).help(help).related(declared.place, "it is asked here".to_owned()))
}

/// Whether a place lies in a shell script.
fn in_shell(context: &Context<'_>, place: Place) -> bool {
    context.file.recipe.steps.iter().any(|step| match &step.action {
        Action::Script(script) => script.fragment.span().covers(place.span),
        _ => false,
    })
}

/// A value that a prompt would list: a word, no number, no boolean, not "nothing".
fn is_word(value: &str) -> bool {
    value.chars().any(char::is_alphabetic)
        && value.len() <= 48
        && !value.contains(|c: char| c.is_whitespace() || c == '/')
        && !matches!(value.to_lowercase().as_str(), "true" | "false" | "null" | "none" | "undefined")
}

/// The field that a test tests as a whole.
struct Tested {
    field: NodeId,
    /// Its case may be changed on the way.
    folded: bool,
    /// Values that stand in for it.
    defaults: Vec<Arc<str>>,
}

/// Follows a test up to the one field that it tests; `None` where a normaliser, a tool or another text is on the way.
fn tested(context: &Context<'_>, test: NodeId) -> Option<Tested> {
    let graph = context.graph;
    let mut found: Option<NodeId> = None;
    let mut tested = Tested { field: test, folded: false, defaults: Vec::new() };
    let mut open = vec![test];
    let mut seen = vec![test];
    while let Some(id) = open.pop() {
        if seen.len() > MOST_NODES {
            return None;
        }
        for input in graph.node(id).inputs.iter().filter(|input| input.role == Role::Data) {
            if seen.contains(&input.from) {
                continue;
            }
            seen.push(input.from);
            let node = graph.node(input.from);
            match &node.kind {
                NodeKind::Field(_) => {
                    if found.replace(input.from).is_some() {
                        return None;
                    }
                }
                NodeKind::ExtractField { default, .. } => {
                    tested.defaults.extend(default.as_ref().and_then(|default| default.literal.clone()));
                    if found.replace(input.from).is_some() {
                        return None;
                    }
                }
                NodeKind::Fallback(fallback) => {
                    tested.defaults.extend(fallback.literal.clone());
                    open.push(input.from);
                }
                NodeKind::Pass(pass) => {
                    tested.folded |= *pass == Pass::Trim;
                    if *pass == Pass::Command {
                        return None;
                    }
                    open.push(input.from);
                }
                NodeKind::Name(_) | NodeKind::Join => open.push(input.from),
                _ => return None,
            }
        }
    }
    tested.field = found?;
    Some(tested)
}
