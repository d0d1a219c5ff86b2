//! Text tools and matches on a text: which of them read meaning, and which one of a chain is to be reported.

use super::super::patterns::{Language, literal_glob, only_characters, whole};
use super::super::trail::{ancestors_through, decision, descendants_through, is_here, read_trust};
use super::super::words::lone_word;
use super::super::{Context, Settings};
use crate::flow::{Match, MatchHow, NodeId, NodeKind, TextTool, Trust};

/// Tools whose argument is a pattern, not a program.
const SEARCHERS: &[&str] = &["grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep"];

/// Whether the tool takes patterns (`grep`), so that these say all that it looks for.
pub(crate) fn is_searcher(tool: &TextTool) -> bool {
    SEARCHERS.contains(&tool.tool.as_ref())
}

/// One exact documented sentence, looked for literally: the one form in which prose may be searched.
pub(crate) fn is_sentinel(settings: &Settings, tool: &TextTool) -> bool {
    let [Some(pattern)] = tool.patterns.as_slice() else { return false };
    let exact =
        tool.fixed || (tool.whole_line && !pattern.contains(['\\', '.', '*', '[', '^', '$', '+', '?', '|', '(']));
    is_searcher(tool) && exact && !lone_word(settings, pattern)
}

/// A check of a text's form: a number, a commit id, a name. It reads no meaning.
pub(crate) fn is_format_check(tool: &TextTool) -> bool {
    is_searcher(tool)
        && !tool.fixed
        && !tool.patterns.is_empty()
        && tool.patterns.iter().all(|pattern| {
            pattern.as_deref().is_some_and(|pattern| {
                only_characters(pattern, Language::Regex) && (tool.whole_line || whole(pattern) || tool.inverted)
            })
        })
}

/// The same for the shell's and JavaScript's own matches.
pub(crate) fn is_format_match(found: &Match) -> bool {
    let language = match found.how {
        MatchHow::Regex | MatchHow::Expr | MatchHow::Method(_) => Language::Regex,
        MatchHow::Glob | MatchHow::Case | MatchHow::Strip | MatchHow::Replace | MatchHow::Piece => Language::Glob,
    };
    let checks = |pattern: &str| match found.how {
        MatchHow::Regex => only_characters(pattern, language) && whole(pattern),
        MatchHow::Glob => only_characters(pattern, language),
        MatchHow::Case => only_characters(pattern, language) || literal_glob(pattern),
        // Cutting blanks or signs off the ends is trimming, unless it leaves the first word.
        MatchHow::Strip => only_blanks(pattern),
        MatchHow::Replace => only_blanks(pattern) || pattern == "\\r",
        MatchHow::Piece | MatchHow::Expr | MatchHow::Method(_) => false,
    };
    !found.patterns.is_empty() && found.patterns.iter().all(|pattern| pattern.as_deref().is_some_and(checks))
}

fn only_blanks(pattern: &str) -> bool {
    let rest = pattern.replace("[[:space:]]", "").replace("[[:blank:]]", "");
    rest.chars().all(char::is_whitespace) || matches!(pattern, "\"" | "'" | "`" | "[![:space:]]*" | "*[![:space:]]")
}

/// Whether a node between two tools keeps them in one pipeline.
fn same_pipeline(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Pass(_) | NodeKind::Text(_) | NodeKind::Join)
}

/// Whether another tool of the same pipeline is the one to be reported: the first that looks for patterns, else the
/// first that cuts.
pub(crate) fn is_reported_elsewhere(cx: &Context<'_>, id: NodeId, tool: &TextTool) -> bool {
    let other = |id: &NodeId| match &cx.graph.node(*id).kind {
        NodeKind::Text(tool) if read_trust(cx, *id) == Trust::Agent => Some(tool.pattern_based),
        _ => None,
    };
    let upstream = ancestors_through(cx.graph, id, same_pipeline);
    // What a JSON reader printed is a value already; cutting it adds nothing to that finding.
    let read = |id: &NodeId| matches!(cx.graph.node(*id).kind, NodeKind::Json(_));
    if !tool.pattern_based && upstream.iter().any(read) {
        return true;
    }
    if upstream.iter().filter_map(other).any(|patterns| patterns || !tool.pattern_based) {
        return true;
    }
    !tool.pattern_based
        && descendants_through(cx.graph, id, same_pipeline).iter().filter_map(other).any(|patterns| patterns)
}

/// The way from a tool or match to its decision, where the text that it reads is the agent's own and nothing of the
/// canonical pipeline follows.
pub(crate) fn decides_on_prose(cx: &Context<'_>, id: NodeId) -> Option<Vec<NodeId>> {
    let node = cx.graph.node(id);
    if !is_here(cx, node.place) || read_trust(cx, id) != Trust::Agent {
        return None;
    }
    decision(cx, id)
        .filter(|path| !path.iter().any(|id| matches!(cx.graph.node(*id).kind, NodeKind::ExtractJson { .. })))
}
