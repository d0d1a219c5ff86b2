//! Pipelines that end well whatever went wrong in them, so that nothing behind `||` is ever taken.

use super::shape::{plain_text, substituted};
use crate::flow::HELPER_SUCCEEDS;
use crate::syntax::shell::ast::{AssignValue, CommandKind, Pipeline, Simple};

/// Tools that succeed on any standard input, an empty one included.
const TOOLS: &[&str] = &[
    "tail", "head", "sort", "uniq", "tr", "cut", "cat", "wc", "tee", "sed", "awk", "gawk", "mawk", "rev", "tac", "nl",
    "fold", "column", "paste", "echo", "printf",
];

/// Stages of the canonical pipeline that exit with 0 whatever they read.
const HELPERS: &[&str] = &[
    "normalise-verdict",
    "normalize-verdict",
    "normalise-loop-verdict",
    "normalize-loop-verdict",
    "normalise-type",
    "normalize-type",
];

/// Why a pipeline cannot fail; `None` where it can. `pipefail` is the option's state in the shell that runs it.
pub(super) fn never_fails(pipeline: &Pipeline, pipefail: bool) -> Option<&'static str> {
    if pipeline.negated {
        return None;
    }
    let (last, before) = pipeline.commands.split_last()?;
    let CommandKind::Simple(simple) = &last.kind else { return None };
    if let [assignment] = simple.assignments.as_slice()
        && simple.words.is_empty()
        && before.is_empty()
        && let AssignValue::Word(word) = &assignment.value
    {
        // `x=$(…)` has the status of what is in it.
        let body = substituted(word)?;
        let item = body.last()?;
        return if item.rest.is_empty() { never_fails(&item.first, pipefail) } else { None };
    }
    if pipefail && !before.is_empty() {
        return None;
    }
    let words: Vec<&str> = simple.words.iter().filter_map(plain_text).collect();
    if words.windows(2).any(|pair| matches!(pair, ["helper" | "normalise" | "normalize", name] if is_helper(name))) {
        return Some(HELPER_SUCCEEDS);
    }
    if before.is_empty() || !last.redirects.is_empty() {
        return None;
    }
    tool_succeeds(simple, &words).then_some(
        "without `pipefail` a pipeline has the status of its last command, which succeeds whatever came before it",
    )
}

fn is_helper(name: &str) -> bool {
    HELPERS.contains(&name) || matches!(name, "verdict" | "loop-verdict")
}

fn tool_succeeds(simple: &Simple, words: &[&str]) -> bool {
    let Some(name) = simple.words.first().and_then(plain_text) else { return false };
    // awk can exit as it likes, and so can GNU sed.
    let quits = name.ends_with("awk") && words.iter().any(|word| word.contains("exit"));
    TOOLS.contains(&name) && !quits
}
