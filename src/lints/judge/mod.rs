//! A second model's verdict: AgentUse agents, and the agents that judge them.

mod invalid_verify;
mod judge_with_approval;
mod judge_with_criteria;
mod judge_with_model;
mod judge_without_verdict;
mod missing_judge;
mod nested_verify;
mod toolless_judge;

use std::path::Path;
use std::sync::Arc;

use super::Context;
use super::lint::{Entry, page};
use crate::recipe::{Dialect, File, Index};
use crate::text::Span;

/// The group's lints.
pub(super) const LINTS: &[Entry] = &[
    (invalid_verify::ID, page!("invalid-verify"), invalid_verify::check),
    (judge_with_approval::ID, page!("judge-with-approval"), judge_with_approval::check),
    (judge_with_criteria::ID, page!("judge-with-criteria"), judge_with_criteria::check),
    (judge_with_model::ID, page!("judge-with-model"), judge_with_model::check),
    (judge_without_verdict::ID, page!("judge-without-verdict"), judge_without_verdict::check),
    (missing_judge::ID, page!("missing-judge"), missing_judge::check),
    (nested_verify::ID, page!("nested-verify"), nested_verify::check),
    (toolless_judge::ID, page!("toolless-judge"), toolless_judge::check),
];

/// An agent and the agent that judges it.
struct Pair<'a> {
    user: &'a File,
    judge: &'a File,
}

/// The pairs that the checked file is part of. A judge may not be checked itself, so its user reports on it, too; the
/// run keeps one of two equal findings.
fn pairs<'a>(context: &Context<'a>) -> Vec<Pair<'a>> {
    let file = context.file;
    if file.dialect != Dialect::AgentUse {
        return Vec::new();
    }
    let own = judge_of(file, context.index).map(|judge| Pair { user: file, judge });
    let name = file.location.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
    let users = context.index.files().iter().filter(|user| {
        let path = judge_path(user).filter(|path| name.is_some_and(|name| path.ends_with(name)));
        path.is_some() && user.id != file.id && judge_of(user, context.index).is_some_and(|judge| judge.id == file.id)
    });
    own.into_iter().chain(users.map(|user| Pair { user, judge: file })).collect()
}

fn judge_path(file: &File) -> Option<&str> {
    let (_, path) = file.recipe.agent.as_ref()?.verify.as_ref()?.judge.as_ref()?;
    Some(&path.value)
}

/// The agent that `verify.judge` names.
fn judge_of<'a>(file: &File, index: &'a Index) -> Option<&'a Arc<File>> {
    let path = judge_path(file)?;
    let mention = file.recipe.mentions.iter().find(|mention| mention.path.value == path)?;
    index.mentioned(file, mention).filter(|judge| judge.dialect == Dialect::AgentUse)
}

/// The bytes that go when an entry of a mapping is removed: its lines in block style, it and a comma in flow style.
fn removal(text: &str, entry: Span) -> Span {
    let slice = text.get(entry.range()).unwrap_or_default();
    let end = entry.start + slice.trim_end().len();
    let line = text.get(..entry.start).unwrap_or_default().rfind('\n').map_or(0, |at| at + 1);
    let before = text.get(line..entry.start).unwrap_or_default();
    if before.trim().is_empty() {
        let rest = text.get(end..).unwrap_or_default();
        let end = rest.find('\n').map_or(text.len(), |at| end + at + 1);
        return Span::new(line, end);
    }
    if let Some(comma) = before.trim_end().strip_suffix(',') {
        return Span::new(line + comma.len(), end);
    }
    let after = text.get(end..).unwrap_or_default();
    match after.trim_start().strip_prefix(',') {
        Some(rest) => Span::new(entry.start, text.len() - rest.trim_start_matches(' ').len()),
        None => Span::new(entry.start, end),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn entries_are_removed_whole() {
        for (text, entry, left) in [
            ("a: 1\nb: 2 # c\nc: 3\n", "b: 2", "a: 1\nc: 3\n"),
            ("a: 1\nb:\n  x: 1\nc: 3\n", "b:\n  x: 1\n", "a: 1\nc: 3\n"),
            ("v: { a: 1, b: 2 }\n", "b: 2", "v: { a: 1 }\n"),
            ("v: { b: 2, a: 1 }\n", "b: 2", "v: { a: 1 }\n"),
            ("v: { b: 2 }\n", "b: 2", "v: {  }\n"),
            ("a: 1\nb: 2", "b: 2", "a: 1\n"),
        ] {
            let start = text.find(entry).unwrap();
            let mut rest = text.to_owned();
            rest.replace_range(removal(text, Span::new(start, start + entry.len())).range(), "");
            assert_eq!(rest, left, "{text}");
        }
    }
}
