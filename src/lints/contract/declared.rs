//! From a field of an agent action's typed output to the schema that was asked for: what the schema does not declare is
//! never there.

use std::sync::Arc;

use serde_json::Value;

use crate::flow::{NodeId, NodeKind, Pass, Place, Role, Source};
use crate::lints::Context;

/// Nodes that are looked at on the way to the schema.
const MOST_NODES: usize = 200;
/// Keywords that add to `properties` what is not read here.
const OPEN: [&str; 7] = ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"];

/// The object that a field is read from.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// Its schema, with nothing left open beside `properties`.
    object: Value,
    /// Names on the way to it.
    pub outer: Vec<Arc<str>>,
    /// The action or program that answered.
    pub origin: Arc<str>,
    /// Where it was run.
    pub place: Place,
}

impl Declared {
    /// The names of its fields.
    pub fn fields(&self) -> Vec<&str> {
        let properties = self.object.get("properties").and_then(Value::as_object);
        properties.map(|properties| properties.keys().map(String::as_str).collect()).unwrap_or_default()
    }

    /// The texts that a field can be; `None` where the schema does not close the set.
    pub fn values(&self, field: &str) -> Option<Vec<String>> {
        let property = self.object.get("properties")?.get(field)?;
        let values = match (property.get("enum"), property.get("const")) {
            (Some(Value::Array(values)), _) => values.clone(),
            (None, Some(value)) => vec![value.clone()],
            _ => return None,
        };
        values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
    }
}

/// The object that a [`NodeKind::Field`] reads from. `None` where no schema is known or it leaves anything open.
pub(super) fn declared(context: &Context<'_>, field: NodeId) -> Option<Declared> {
    let graph = context.graph;
    let mut outer: Vec<Arc<str>> = Vec::new();
    let mut found: Option<NodeId> = None;
    let mut open = vec![field];
    let mut seen = vec![field];
    while let Some(id) = open.pop() {
        for input in graph.node(id).inputs.iter().filter(|input| input.role == Role::Data) {
            if seen.contains(&input.from) {
                continue;
            }
            seen.push(input.from);
            if seen.len() > MOST_NODES {
                return None;
            }
            match &graph.node(input.from).kind {
                NodeKind::Source(Source::AgentOutput { .. } | Source::AgentCli { .. }) => {
                    if found.replace(input.from).is_some() {
                        return None;
                    }
                }
                NodeKind::Field(name) => {
                    outer.insert(0, name.clone());
                    open.push(input.from);
                }
                NodeKind::Name(_)
                | NodeKind::Pass(Pass::Print | Pass::Trim)
                | NodeKind::Join
                | NodeKind::Fallback(_)
                | NodeKind::FromJson { .. } => open.push(input.from),
                _ => return None,
            }
        }
    }
    let source = found?;
    let mut object: &Value = graph.schema(source)?;
    for name in outer.iter().map(Some).chain([None]) {
        if object.get("type").and_then(Value::as_str) == Some("array") {
            object = object.get("items")?;
        }
        let more = object.get("additionalProperties").is_some_and(|more| more != &Value::Bool(false));
        if more || OPEN.iter().any(|keyword| object.get(keyword).is_some()) {
            return None;
        }
        let properties = object.get("properties")?.as_object()?;
        if let Some(name) = name {
            object = properties.get(&**name)?;
        }
    }
    let node = graph.node(source);
    let origin = match &node.kind {
        NodeKind::Source(Source::AgentOutput { origin, .. }) => origin.clone(),
        NodeKind::Source(Source::AgentCli { program, .. }) => program.clone(),
        _ => return None,
    };
    Some(Declared { object: object.clone(), outer, origin, place: node.place })
}
