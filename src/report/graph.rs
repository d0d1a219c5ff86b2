//! The flow graph of a file, drawn: as text, as Graphviz dot, as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::slashes;
use crate::flow::{Graph, Name, Node, NodeId, NodeKind, Role, Source, Trust};
use crate::recipe::{FileId, Index};
use crate::text::Unit;

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One line for each node, with the nodes it is made of
    Text,
    /// For Graphviz
    Dot,
    /// Nodes and edges
    Json,
}

/// Draws the nodes of a file and those of other files that are joined to them.
pub fn write(format: Format, graph: &Graph, index: &Index, file: FileId, out: &mut dyn Write) -> io::Result<()> {
    let nodes: Vec<(NodeId, &Node)> = graph
        .nodes()
        .filter(|(id, node)| {
            let joined =
                node.inputs.iter().chain(graph.users(*id)).any(|edge| graph.node(edge.from).place.file == file);
            node.place.file == file || joined
        })
        .collect();
    match format {
        Format::Text => text(&nodes, index, out),
        Format::Dot => dot(&nodes, index, out),
        Format::Json => as_json(&nodes, index, out),
    }
}

fn text(nodes: &[(NodeId, &Node)], index: &Index, out: &mut dyn Write) -> io::Result<()> {
    for (id, node) in nodes {
        let from: Vec<String> =
            node.inputs.iter().map(|input| format!("{}{}", mark(input.role), input.from.0)).collect();
        let from = if from.is_empty() { String::new() } else { format!(" <- {}", from.join(" ")) };
        writeln!(out, "{:>4} {} {} [{}]{from}", id.0, at(node, index), label(node), trust(node.trust))?;
    }
    Ok(())
}

fn dot(nodes: &[(NodeId, &Node)], index: &Index, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph recipe {{\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];")?;
    for (id, node) in nodes {
        let label = format!("{}\\n{}", quoted(&label(node)), quoted(&at(node, index)));
        let color = match node.trust {
            Trust::Agent => ", color=red",
            Trust::Extracted => ", color=orange",
            Trust::User => ", color=blue",
            Trust::Clean => "",
        };
        writeln!(out, "  n{} [label=\"{label}\"{color}];", id.0)?;
    }
    for (id, node) in nodes {
        for input in node.inputs.iter().filter(|input| nodes.iter().any(|(known, _)| *known == input.from)) {
            let style = if input.role == Role::Control { " [style=dashed]" } else { "" };
            writeln!(out, "  n{} -> n{}{style};", input.from.0, id.0)?;
        }
    }
    writeln!(out, "}}")
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ")
}

fn as_json(nodes: &[(NodeId, &Node)], index: &Index, out: &mut dyn Write) -> io::Result<()> {
    let list: Vec<Value> = nodes
        .iter()
        .map(|(id, node)| {
            let source = index.file(node.place.file).map(|file| &file.source);
            let start = source.map(|source| source.position(node.place.span.start, Unit::Utf32));
            json!({
                "id": id.0,
                "label": label(node),
                "trust": trust(node.trust),
                "literal": node.literal.as_deref(),
                "path": source.map(|source| slashes(&source.path)),
                "line": start.map(|start| start.line + 1),
                "column": start.map(|start| start.column + 1),
            })
        })
        .collect();
    let edges: Vec<Value> = nodes
        .iter()
        .flat_map(|(id, node)| {
            node.inputs.iter().map(|input| {
                let role = if input.role == Role::Control { "control" } else { "data" };
                json!({ "from": input.from.0, "to": id.0, "role": role })
            })
        })
        .collect();
    serde_json::to_writer_pretty(&mut *out, &json!({ "nodes": list, "edges": edges }))?;
    writeln!(out)
}

fn at(node: &Node, index: &Index) -> String {
    let Some(file) = index.file(node.place.file) else { return String::new() };
    let start = file.source.position(node.place.span.start, Unit::Utf32);
    format!("{}:{}:{}", slashes(&file.source.path), start.line + 1, start.column + 1)
}

fn mark(role: Role) -> &'static str {
    if role == Role::Control { "?" } else { "" }
}

fn trust(trust: Trust) -> &'static str {
    match trust {
        Trust::Clean => "clean",
        Trust::User => "user",
        Trust::Extracted => "extracted",
        Trust::Agent => "agent",
    }
}

/// What a node is, in a few words.
fn label(node: &Node) -> String {
    match &node.kind {
        NodeKind::Source(source) => source_label(source),
        NodeKind::Name(Name::Variable(name)) => format!("${name}"),
        NodeKind::Name(Name::Binding(name)) => name.to_string(),
        NodeKind::Name(Name::Output(name)) => format!("output {name}"),
        NodeKind::Name(Name::File(name)) => format!("file {name}"),
        NodeKind::Text(tool) => format!("text tool {}", tool.tool),
        NodeKind::Match(matched) => format!("match {:?}", matched.how),
        NodeKind::Json(tool) => format!("JSON reader {}", tool.tool),
        NodeKind::ExtractField { field, .. } => format!("extract-field {}", field.as_deref().unwrap_or("?")),
        NodeKind::Field(name) => format!("field {name}"),
        NodeKind::Compare(compare) => format!("{:?} {}", compare.op, compare.operand.as_deref().unwrap_or("?")),
        NodeKind::Contains(contains) => format!("{} {}", contains.how, contains.needle.as_deref().unwrap_or("?")),
        NodeKind::Fallback(fallback) => format!("fallback {}", fallback.literal.as_deref().unwrap_or("?")),
        NodeKind::Choice(choice) => format!("choice of {} arms", choice.arms.len()),
        NodeKind::Decide(decision) => format!("decides ({:?})", decision.form),
        NodeKind::Act { program } => format!("argument of {program}"),
        other => {
            let name = format!("{other:?}");
            let end = name.find([' ', '(', '{']).unwrap_or(name.len());
            name.get(..end).unwrap_or_default().to_lowercase()
        }
    }
}

fn source_label(source: &Source) -> String {
    match source {
        Source::AgentStep { step, output, .. } => format!("agent step {step}, output {output}"),
        Source::AgentCli { program, .. } => format!("agent {program}"),
        Source::AgentOutput { origin, output, .. } => format!("{origin}, output {output}"),
        Source::User { name } => format!("user's {name}"),
        Source::Tool { program, .. } => format!("printed by {program}"),
        Source::NoSuchOutput { .. } => "an output that does not exist".to_owned(),
    }
}
