//! Text tools pick fields out of something that can be read as JSON.

use super::super::patterns::{assigned_key, json_key, masks, only_drops, regexes};
use super::super::rewrite;
use super::super::trail::{ancestors, decision, is_here, read_trust, subject, tell};
use super::super::{Context, Finding, Level, Sink};
use super::tools::{is_reported_elsewhere, is_sentinel};
use crate::flow::{AgentForm, Name, NodeId, NodeKind, Source, Trust};

/// The lint.
pub(crate) const ID: &str = "scraped-json";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let (patterns, tool, separator) = match &node.kind {
            NodeKind::Text(tool) if !is_sentinel(cx.settings, tool) && !is_reported_elsewhere(cx, id, tool) => {
                (&tool.patterns, tool.tool.as_ref(), tool.separator.as_deref())
            }
            NodeKind::Match(found) => (&found.patterns, "", None),
            _ => continue,
        };
        let known = || patterns.iter().flatten().filter(|program| !only_drops(tool, program) && !masks(tool, program));
        let mut parts = known().flat_map(|program| regexes(tool, program)).chain(separator);
        if !is_here(cx, node.place) {
            continue;
        }
        let key = parts.find_map(|pattern| json_key(pattern).or_else(|| assigned_key(pattern)));
        let Some(producer) = producer(cx, id) else { continue };
        let quoted = key.is_none();
        let key = key.or_else(|| match producer {
            // `awk -F= '/^TREE_ID/ { print $2 }'`: its lines are `KEY=value`, whether or not the pattern says so.
            Producer::Program(ref program) if program == "amplihack" => {
                known().flat_map(|program| regexes(tool, program)).find_map(upper_case_word)
            }
            // `awk -F'"' '/"version"/ { print $4 }'`
            Producer::Program(_) => known().flat_map(|program| regexes(tool, program)).find_map(quoted_word),
            // `awk -F'[:,}]' '/"size"/ { print $2 }'`
            Producer::Output if separator.is_some_and(|separator| separator.contains([':', '"'])) => {
                known().flat_map(|program| regexes(tool, program)).find_map(quoted_word)
            }
            _ => None,
        });
        let Some(key) = key else { continue };
        // What decides on prose is an error of its own; what is only shown harms nobody.
        let prose = read_trust(cx, id) == Trust::Agent;
        if (prose && decision(cx, id).is_some()) || is_only_shown(cx, id) {
            continue;
        }
        // `KEY=value` lines are no JSON that could be read instead, unless the program has a JSON form of them.
        let keyed = quoted
            || matches!(producer, Producer::Program(_))
            || patterns.iter().flatten().any(|text| json_key(text).is_some());
        let instead =
            if keyed || prose { "although it can be read as JSON" } else { "and the step could print JSON instead" };
        let message = format!(
            "`{key}` is cut out of {} by a pattern, {instead}: another order, spacing or escape breaks it silently",
            subject(cx, id)
        );
        let finding = Finding::new(ID, node.place, message).help(advice(&producer, &key));
        // The author writes both sides of such lines: a convention, and no accident waiting to happen.
        let finding = if keyed || prose { finding } else { finding.level(Level::Info) };
        let finding = match &node.kind {
            NodeKind::Text(tool) if prose || keyed => rewrite::suggest_tool(cx, finding, id, tool),
            NodeKind::Match(found) if prose || keyed => rewrite::suggest_match(cx, finding, id, found),
            _ => finding,
        };
        sink.push(tell(cx, finding, id, &[]));
    }
}

enum Producer {
    Program(String),
    Output,
    /// An agent that answered under a schema, or its program's envelope.
    Typed,
}

/// The step output or the command with a JSON form that a text came from.
fn producer(cx: &Context<'_>, id: NodeId) -> Option<Producer> {
    let mut output = None;
    for ancestor in ancestors(cx.graph, id) {
        match &cx.graph.node(ancestor).kind {
            NodeKind::Source(Source::Tool { program, json_form: true }) => {
                return Some(Producer::Program(program.to_string()));
            }
            NodeKind::Source(
                Source::AgentOutput { form: AgentForm::Typed | AgentForm::Envelope, .. }
                | Source::AgentCli { form: AgentForm::Typed | AgentForm::Envelope, .. },
            ) => return Some(Producer::Typed),
            NodeKind::Name(Name::Output(_)) => output = Some(Producer::Output),
            _ => {}
        }
    }
    output
}

fn advice(producer: &Producer, key: &str) -> String {
    let field = key.to_ascii_lowercase();
    match producer {
        Producer::Program(program) => format!(
            "ask `{program}` for JSON (`--json`) and read it with `amplihack orch helper extract-field --field {field} --default …`"
        ),
        Producer::Typed => format!("it is a JSON object: read it with `jq -r '.{key} // empty'`"),
        Producer::Output => format!(
            "print JSON in the step that makes it and read `$RECIPE_VAR_<output>__{field}`, or use `extract-field --field {field} --default …`"
        ),
    }
}

/// A whole word in double quotes, as keys are written in JSON.
fn quoted_word(text: &str) -> Option<String> {
    let mut parts = text.split('"').skip(1);
    let word = parts.next()?;
    let whole = parts.next().is_some() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (whole && word.starts_with(|c: char| c.is_ascii_alphabetic())).then(|| word.to_owned())
}

/// The first word of capitals in a pattern.
fn upper_case_word(text: &str) -> Option<String> {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.find(|word| word.len() >= 3 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')).map(str::to_owned)
}

/// Whether nothing but logs and comments sees the result.
fn is_only_shown(cx: &Context<'_>, id: NodeId) -> bool {
    let users = cx.graph.users(id);
    !users.is_empty() && users.iter().all(|user| matches!(cx.graph.node(user.from).kind, NodeKind::Show))
}
