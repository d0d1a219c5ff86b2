//! Containment where equality is meant: in conditions, and in scripts on values that were extracted.

use super::super::patterns::{Language, json_key, needle, regexes, whole};
use super::super::rewrite::compare_whole;
use super::super::trail::{comes_from, decision, is_here, read_trust, subject, tell};
use super::super::trust::match_agent_output::name;
use super::super::trust::tools::{is_format_check, is_format_match, is_searcher, is_sentinel};
use super::super::words::accepted_by_mistake;
use super::super::{Context, Finding, Sink};
use super::gate::{field, is_list_in, prompt};
use crate::flow::{Match, MatchHow, NodeId, NodeKind, TextTool, Trust};
use crate::recipe::Dialect;

/// The lint.
pub(crate) const ID: &str = "substring-verdict";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        if !is_here(cx, node.place) {
            continue;
        }
        let trust = read_trust(cx, id);
        let found = match &node.kind {
            NodeKind::Contains(found) if trust >= Trust::Extracted && !is_membership(cx, id) => {
                Some((format!("`{}`", found.how), found.needle.as_deref().map(str::to_owned)))
            }
            NodeKind::Match(found) if trust == Trust::Extracted => {
                if asks_for_a_part(cx, id, found) {
                    removed(found)
                } else {
                    matched(found)
                }
            }
            NodeKind::Text(tool) if trust == Trust::Extracted && !is_sentinel(cx.settings, tool) => searched(tool),
            _ => None,
        };
        let Some((how, needle)) = found else { continue };
        let Some(path) = decision(cx, id) else { continue };
        let prompt = prompt(cx, id);
        let mistakes = needle.as_deref().map(|needle| accepted_by_mistake(cx.settings, needle, prompt.as_deref()));
        let also = match mistakes.as_deref().and_then(<[String]>::first) {
            Some(word) => format!("\"{word}\" satisfies it as well"),
            None => "any text around the word satisfies it as well".to_owned(),
        };
        let begins = if trust == Trust::Agent {
            comes_from(cx, id)
        } else {
            format!("{} is an agent's verdict", subject(cx, id))
        };
        let message = format!("{begins}, and {how} looks for a part of it: {also}");
        let finding = Finding::new(ID, node.place, message).help(advice(cx, id, needle.as_deref()));
        sink.push(tell(cx, compare_whole(cx, finding, id), id, &path));
    }
}

/// The prompt says that the field is a list: what is looked for is a whole member.
fn is_membership(cx: &Context<'_>, id: NodeId) -> bool {
    let Some((_, field)) = field(cx, id) else { return false };
    prompt(cx, id).is_some_and(|prompt| is_list_in(&prompt, &field))
}

/// Whether what is left of a value without a part of it only tells whether that part was there:
/// `[ "${v#*READY}" != "$v" ]`, `[ -z "${v##*READY*}" ]`.
fn asks_for_a_part(cx: &Context<'_>, id: NodeId, found: &Match) -> bool {
    // Nothing left of `${v%READY}` is equality.
    let around = found.patterns.iter().flatten().any(|pattern| pattern.contains('*'));
    let whole = &cx.graph.node(id).inputs;
    cx.graph.users(id).iter().any(|user| {
        let test = cx.graph.node(user.from);
        match &test.kind {
            NodeKind::Compare(compare) => {
                compare.operand.is_none() && test.inputs.iter().any(|input| input.from != id && whole.contains(input))
            }
            NodeKind::Presence { .. } => around,
            _ => false,
        }
    })
}

fn removed(found: &Match) -> Option<(String, Option<String>)> {
    let cuts = matches!(found.how, MatchHow::Strip | MatchHow::Replace) && !is_format_match(found);
    let needle = found.patterns.iter().flatten().find_map(|pattern| needle(pattern, Language::Glob));
    needle.filter(|_| cuts).map(|needle| (name(found), Some(needle)))
}

fn matched(found: &Match) -> Option<(String, Option<String>)> {
    let language = match found.how {
        MatchHow::Regex | MatchHow::Expr | MatchHow::Method(_) => Language::Regex,
        MatchHow::Glob | MatchHow::Case => Language::Glob,
        // What is cut off is no test.
        MatchHow::Strip | MatchHow::Replace | MatchHow::Piece => return None,
    };
    let exact = |pattern: &str| language == Language::Regex && whole(pattern);
    if is_format_match(found) || found.patterns.iter().all(|pattern| pattern.as_deref().is_some_and(exact)) {
        return None;
    }
    let needle = found.patterns.iter().flatten().find_map(|pattern| needle(pattern, language));
    if needle.is_none() && found.patterns.iter().all(Option::is_some) && !matches!(found.how, MatchHow::Method(_)) {
        return None;
    }
    Some((name(found), needle))
}

fn searched(tool: &TextTool) -> Option<(String, Option<String>)> {
    // `"verdict": *"OK"` is a key with its whole value, which `scraped-json` reports.
    let exact = |pattern: &str| tool.whole_line || (!tool.fixed && whole(pattern)) || json_key(pattern).is_some();
    if is_format_check(tool) || !tool.pattern_based {
        return None;
    }
    let unread = tool.patterns.is_empty() || tool.patterns.iter().any(Option::is_none);
    let regexes = || tool.patterns.iter().flatten().flat_map(|program| regexes(&tool.tool, program));
    // Of a whole program only the patterns are known: what it does without any is not.
    if (!is_searcher(tool) && (unread || regexes().next().is_none())) || (!unread && regexes().all(exact)) {
        return None;
    }
    let needle = regexes().find_map(|pattern| needle(pattern, Language::Regex));
    if needle.is_none() && !unread {
        return None;
    }
    Some((format!("`{}`", tool.tool), needle))
}

fn advice(cx: &Context<'_>, id: NodeId, needle: Option<&str>) -> String {
    let value = needle.unwrap_or("VALUE");
    match &cx.graph.node(id).kind {
        NodeKind::Match(_) if cx.file.recipe.dialect == Dialect::Program => {
            format!("compare the field as a whole: `=== \"{value}\"`")
        }
        NodeKind::Match(found) if matches!(found.how, MatchHow::Method(_)) => {
            format!("compare the field as a whole: `=== '{value}'`")
        }
        NodeKind::Contains(_) if field(cx, id).is_some() => format!("compare the field as a whole: `== '{value}'`"),
        NodeKind::Contains(_) => format!(
            "let the step emit a field (`parse_json: true` or a schema) and compare it as a whole: `x.verdict == '{value}'`"
        ),
        NodeKind::Text(_) => format!("compare the value as a whole: `[ \"$value\" = {value} ]`, or add `-x` to grep"),
        _ => format!("compare the value as a whole: `[ \"$value\" = {value} ]`, or a `case` arm without `*`"),
    }
}
