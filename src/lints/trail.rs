//! Ways in the flow graph, told to the reader: where a text began, what it is called here, where it decides.

use rustc_hash::FxHashSet;

use super::{Context, Finding, Way};
use crate::flow::{
    DecisionForm, Execution, Graph, Input, MatchHow, Name, NodeId, NodeKind, Pass, Pasting, Place, Role, Source, Trust,
};
use crate::recipe::{File, Step};

/// More places than this are not told: the reader wants the beginning and the end.
const MOST_PLACES: usize = 12;

/// How far upstream the small questions below look.
const NEAR: usize = 400;

/// Whether a node's text or truth decides something, and by which way.
pub(crate) fn decision(cx: &Context<'_>, id: NodeId) -> Option<Vec<NodeId>> {
    cx.graph.decides(id)
}

/// The greatest trust among what a node reads (its own trust may already be that of its result).
pub(crate) fn read_trust(cx: &Context<'_>, id: NodeId) -> Trust {
    cx.graph.join_trust(&cx.graph.node(id).inputs)
}

/// Whether a place lies in the checked file, so that a finding about it belongs to this run.
pub(crate) fn is_here(cx: &Context<'_>, place: Place) -> bool {
    place.file == cx.file.id
}

/// Nodes whose text went into a node's, the nearest first, itself excluded.
pub(crate) fn ancestors(graph: &Graph, id: NodeId) -> Vec<NodeId> {
    let data = |id: NodeId| graph.node(id).inputs.iter().filter(|input| input.role == Role::Data).map(|i| i.from);
    walk(id, data, |_| true)
}

/// Like [`ancestors`], but does not look behind nodes for which `through` is false.
pub(crate) fn ancestors_through(graph: &Graph, id: NodeId, through: impl Fn(&NodeKind) -> bool) -> Vec<NodeId> {
    let data = |id: NodeId| graph.node(id).inputs.iter().filter(|input| input.role == Role::Data).map(|i| i.from);
    walk(id, data, |id| through(&graph.node(id).kind))
}

/// Nodes that a node's text goes into, the nearest first, itself excluded; not behind nodes for which `through` is
/// false.
pub(crate) fn descendants_through(graph: &Graph, id: NodeId, through: impl Fn(&NodeKind) -> bool) -> Vec<NodeId> {
    let data = |id: NodeId| graph.users(id).iter().filter(|input| input.role == Role::Data).map(|i| i.from);
    walk(id, data, |id| through(&graph.node(id).kind))
}

fn walk<I: Iterator<Item = NodeId>>(
    start: NodeId,
    next: impl Fn(NodeId) -> I,
    through: impl Fn(NodeId) -> bool,
) -> Vec<NodeId> {
    let mut seen = FxHashSet::from_iter([start]);
    let mut found = Vec::new();
    let mut at = start;
    let mut done = 0;
    loop {
        for id in next(at) {
            if found.len() < NEAR && seen.insert(id) {
                found.push(id);
            }
        }
        let open = found.get(done..).and_then(|rest| rest.iter().position(|id| through(*id)).map(|step| done + step));
        match open {
            Some(position) => {
                at = found.get(position).copied().unwrap_or(start);
                done = position + 1;
            }
            None => return found,
        }
    }
}

/// What a text is called where a node reads it: `"$REVIEW"`, `output "review"`, `the file notes.txt`.
pub(crate) fn subject(cx: &Context<'_>, id: NodeId) -> String {
    let path = cx.graph.provenance(id);
    path.iter().rev().skip(1).find_map(|id| named(&cx.graph.node(*id).kind)).unwrap_or_else(|| "this text".to_owned())
}

fn named(kind: &NodeKind) -> Option<String> {
    Some(match kind {
        NodeKind::Name(Name::Variable(name)) => format!("\"${name}\""),
        NodeKind::Name(Name::Binding(name)) if name.is_empty() => return None,
        NodeKind::Name(Name::Binding(name)) => format!("`{name}`"),
        NodeKind::Name(Name::Output(name)) => format!("output \"{name}\""),
        NodeKind::Name(Name::File(name)) if !name.starts_with(char::is_control) => format!("the file \"{name}\""),
        NodeKind::Name(Name::File(_)) => "the temporary file".to_owned(),
        NodeKind::Field(name) => format!("field \"{name}\""),
        NodeKind::Source(Source::AgentCli { program, .. }) => format!("what {program} printed"),
        NodeKind::Source(Source::AgentOutput { output, .. }) => format!("output \"{output}\""),
        NodeKind::Source(Source::AgentStep { output, .. }) if !output.is_empty() => format!("output \"{output}\""),
        NodeKind::Source(Source::User { name }) => format!("\"{name}\""),
        NodeKind::Source(Source::Tool { program, .. }) => format!("what {program} printed"),
        _ => return None,
    })
}

/// Where a node's text began.
pub(crate) fn origin(cx: &Context<'_>, id: NodeId) -> Option<(NodeId, String)> {
    let first = *cx.graph.provenance(id).first()?;
    let NodeKind::Source(source) = &cx.graph.node(first).kind else { return None };
    Some((first, source_name(source)?))
}

/// The step that a source names, and its file.
pub(crate) fn source_step<'c>(cx: &'c Context<'_>, place: Place, step: &str) -> Option<(&'c File, &'c Step)> {
    let file = if place.file == cx.file.id { cx.file } else { cx.index.file(place.file)?.as_ref() };
    let named = |candidate: &&Step| candidate.id.as_ref().is_some_and(|id| id.value == step);
    let steps = || file.recipe.steps.iter().filter(named);
    let here = steps().find(|candidate| candidate.span.covers(place.span)).or_else(|| steps().next())?;
    Some((file, here))
}

/// A source as it stands in a sentence: `agent step "review"`.
pub(crate) fn source_name(source: &Source) -> Option<String> {
    Some(match source {
        Source::AgentStep { step, .. } => format!("agent step \"{step}\""),
        Source::AgentCli { program, .. } => format!("the agent program {program}"),
        Source::AgentOutput { origin, output, .. } if output.is_empty() => format!("the agent ({origin})"),
        Source::AgentOutput { origin, output, .. } => format!("output \"{output}\" of {origin}"),
        Source::User { name } => format!("the user's own words in \"{name}\""),
        Source::Tool { program, .. } => format!("{program}"),
        Source::NoSuchOutput { .. } => return None,
    })
}

/// `"$REVIEW" comes from agent step "review"`: how every message about agent text begins.
pub(crate) fn comes_from(cx: &Context<'_>, id: NodeId) -> String {
    let subject = subject(cx, id);
    match origin(cx, id) {
        Some((_, source)) if source != subject && !source.starts_with(&subject) => {
            format!("{subject} comes from {source}")
        }
        _ => format!("{subject} is an agent's text"),
    }
}

/// Adds the way by which the text came and, where it decides, the way on from there.
#[must_use]
pub(crate) fn tell(cx: &Context<'_>, finding: Finding, id: NodeId, onward: &[NodeId]) -> Finding {
    let upstream = cx.graph.provenance(id);
    let before = upstream.split_last().map_or(&[][..], |(_, rest)| rest);
    let after = onward.split_first().map_or(&[][..], |(_, rest)| rest);
    let mut places = vec![finding.place];
    let mut related = Vec::new();
    for (path, last, way) in [(before, usize::MAX, Way::Before), (after, after.len().saturating_sub(1), Way::After)] {
        for (at, step) in path.iter().enumerate() {
            let node = cx.graph.node(*step);
            if places.contains(&node.place) && at != last {
                continue;
            }
            if let Some(message) = hop(&node.kind) {
                places.push(node.place);
                related.push((way, node.place, message));
            }
        }
    }
    if related.len() > MOST_PLACES {
        let tail = related.split_off(related.len() - MOST_PLACES / 2);
        related.truncate(MOST_PLACES / 2);
        related.extend(tail);
    }
    related.into_iter().fold(finding, |finding, (way, place, message)| finding.on_way(way, place, message))
}

fn hop(kind: &NodeKind) -> Option<String> {
    Some(match kind {
        NodeKind::Source(source) => format!("the text begins here: {}", source_name(source)?),
        NodeKind::Name(Name::Variable(name)) => format!("it is kept in ${name}"),
        NodeKind::Name(Name::Binding(name)) if name.is_empty() => return None,
        NodeKind::Name(Name::Binding(name)) => format!("it is kept in `{name}`"),
        NodeKind::Name(Name::Output(name)) => format!("it becomes output \"{name}\""),
        NodeKind::Name(Name::File(_)) => "it is written to a file".to_owned(),
        NodeKind::Text(tool) => format!("{} reads it", tool.tool),
        NodeKind::Match(_) => "it is matched or cut".to_owned(),
        NodeKind::Json(tool) => format!("{} reads it", tool.tool),
        NodeKind::ExtractJson { .. } => "extract-json takes an object out of it".to_owned(),
        NodeKind::ExtractField { field: Some(field), .. } => format!("extract-field takes \"{field}\""),
        NodeKind::ExtractField { field: None, .. } => "extract-field takes a field".to_owned(),
        NodeKind::Normalise(_) => "it is normalised".to_owned(),
        NodeKind::Field(name) => format!("field \"{name}\" is read"),
        NodeKind::Fallback(_) => "a fallback stands in for it when it is missing".to_owned(),
        NodeKind::Compare(_) | NodeKind::Choice(_) | NodeKind::Truthy { .. } | NodeKind::Presence { .. } => {
            "it is tested".to_owned()
        }
        NodeKind::Contains(_) => "a word is looked for in it".to_owned(),
        NodeKind::Decide(decision) => match decision.form {
            DecisionForm::Exit => "it decides the exit status".to_owned(),
            DecisionForm::Guard => "it decides whether the step runs".to_owned(),
            _ => "it decides here".to_owned(),
        },
        NodeKind::Act { program } => format!("the choice reaches {program}"),
        NodeKind::Pass(Pass::Command) => "it goes through a command".to_owned(),
        NodeKind::Framed(_) => "it is written to the runner's file".to_owned(),
        NodeKind::Pass(_)
        | NodeKind::Logic(_)
        | NodeKind::Join
        | NodeKind::Execute(_)
        | NodeKind::Paste(_)
        | NodeKind::Unquoted(_)
        | NodeKind::FromJson { .. }
        | NodeKind::Prompt
        | NodeKind::IgnoredSchema(_)
        | NodeKind::Show => return None,
    })
}

/// Whether a node's text can only be one of a normaliser's tokens or a number, whatever the agent wrote.
pub(crate) fn is_closed(cx: &Context<'_>, id: NodeId) -> bool {
    let node = cx.graph.node(id);
    let mut untrusted = node
        .inputs
        .iter()
        .filter(|input| input.role == Role::Data && cx.graph.node(input.from).trust >= Trust::Extracted)
        .peekable();
    untrusted.peek().is_some() && untrusted.all(|input| closed_text(cx, *input, 0))
}

fn closed_text(cx: &Context<'_>, input: Input, depth: usize) -> bool {
    let node = cx.graph.node(input.from);
    match &node.kind {
        _ if node.trust < Trust::Extracted || depth > 24 => node.trust < Trust::Extracted,
        NodeKind::Normalise(_) | NodeKind::Presence { .. } | NodeKind::Compare(_) => true,
        NodeKind::Text(tool) => tool.numeric || tool.quiet,
        // `${x//[^0-9]/}`
        NodeKind::Match(found) if found.how == MatchHow::Replace => {
            found.patterns.iter().all(|pattern| matches!(pattern.as_deref(), Some("[^0-9]" | "[!0-9]")))
        }
        NodeKind::Name(_) | NodeKind::Pass(_) | NodeKind::Join | NodeKind::Fallback(_) => {
            let mut data = node.inputs.iter().filter(|input| input.role == Role::Data).peekable();
            data.peek().is_some() && data.all(|input| closed_text(cx, *input, depth + 1))
        }
        _ => false,
    }
}

/// Whether an execution or a paste is named by a place in another file (the callee of a call into another recipe).
pub(crate) fn execution_name(execution: &Execution) -> String {
    match execution {
        Execution::Eval => "`eval` runs it as shell".to_owned(),
        Execution::Source => "it is sourced as shell".to_owned(),
        Execution::Program(program) => format!("it becomes program text of `{program}`"),
        Execution::Stdin(program) => format!("`{program}` reads it as its program"),
        Execution::Spawned(program) => format!("`{program}` puts it into a command line"),
        Execution::Command => "it stands where a command's name stands".to_owned(),
        Execution::Indirect => "it names the variable that is read".to_owned(),
        Execution::Name(builtin) => format!("`{builtin}` takes it as the name of a variable"),
        Execution::Trap => "`trap` keeps it as a command".to_owned(),
        Execution::Arithmetic => "arithmetic evaluates it, subscripts and command substitutions included".to_owned(),
        Execution::Remote => "the remote shell runs it".to_owned(),
        Execution::Option(program) => format!("`{program}` takes it as an option that can run commands"),
        Execution::JavaScript => "it is run as JavaScript".to_owned(),
    }
}

/// Into what a text is pasted, as it stands in a sentence.
pub(crate) fn paste_name(pasting: &Pasting) -> String {
    match pasting {
        Pasting::Heredoc(delimiter) => format!("the quoted here-document <<'{delimiter}'"),
        Pasting::Program(program) => format!("the program text of `{program}`"),
        Pasting::Run => "the script before the shell reads it".to_owned(),
        Pasting::JavaScript => "JavaScript before it is parsed".to_owned(),
    }
}
