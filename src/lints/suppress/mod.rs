//! Suppressions: comments that take findings away, and the findings about comments that do not.
//!
//! A comment counts for a finding when it stands on a line of the finding's place or of its command or key, or alone
//! above it; a YAML comment above a key or a `- ` item counts for all that the key or item holds. `ignore-file` counts
//! in the first [`FILE_LINES`] lines of a file.

mod collect;
mod comment;
mod insert;
mod statement;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::registry::level_of;
use super::{Edit, Finding, Fix, Level, Safety, Settings, lint, lints};
use crate::flow::Place;
use crate::recipe::{File, FileId, Script};
use crate::syntax::yaml::{Data, Entry, Node};
use crate::text::{Source, Span, Spanned};
use comment::Reach;
pub use insert::{Cover, suppress};

/// `ignore-file` counts in this many lines from the top.
pub const FILE_LINES: usize = 10;

/// A suppression that took a finding away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Used {
    /// Where the comment is.
    pub file: FileId,
    /// First byte of the comment.
    pub offset: usize,
    /// Which of its lints.
    pub lint: &'static str,
}

/// The suppressions of one file.
#[derive(Clone, Debug, Default)]
pub struct Suppressions {
    all: Vec<Suppression>,
    source: Option<Source>,
    scripts: Vec<Script>,
}

/// One comment.
#[derive(Clone, Debug)]
struct Suppression {
    /// The comment in the file.
    span: Span,
    alone: bool,
    reach: Reach,
    /// Places in the file.
    lints: Vec<Spanned<String>>,
    has_reason: bool,
    /// `recipelint: ignore[…]`
    directive: Span,
    /// Lines (from 0, both ends included) on which it counts.
    lines: (usize, usize),
}

impl Suppressions {
    /// Reads the comments of a file.
    pub fn of(file: &File) -> Self {
        let source = &file.source;
        let comments = collect::comments(file);
        let alone_lines: BTreeSet<usize> =
            comments.iter().filter(|c| c.alone).map(|c| source.lines.line(c.span.start)).collect();
        let all = comments
            .iter()
            .filter_map(|found| {
                let directive = comment::read(source.slice(found.span))?;
                let line = source.lines.line(found.span.start);
                let last = source.lines.line(found.span.end);
                let target = if found.alone { next_code_line(source, last, &alone_lines) } else { line };
                let mut lines = (line, target);
                if found.yaml
                    && let Some(yaml) = file.yaml()
                    && let Some(root) = &yaml.root
                {
                    lines.1 = lines.1.max(last_line_of_node(source, root, target, found.alone));
                }
                Some(Suppression {
                    span: found.span,
                    alone: found.alone,
                    reach: directive.reach,
                    lints: directive
                        .lints
                        .into_iter()
                        .map(|lint| Spanned::new(lint.value, lint.span.shifted(found.span.start)))
                        .collect(),
                    has_reason: directive.has_reason,
                    directive: directive.span.shifted(found.span.start),
                    lines,
                })
            })
            .collect();
        let scripts = if comments.is_empty() { Vec::new() } else { statement::scripts(file) };
        Self { all, source: Some(source.clone()), scripts }
    }

    /// The suppression that takes a finding away, by the offset of its comment; the one that reaches least far.
    pub fn covering(&self, finding: &Finding) -> Option<usize> {
        let source = self.source.as_ref()?;
        if self.all.is_empty() {
            return None;
        }
        let start = source.lines.line(finding.place.span.start);
        let scope = statement::around(&self.scripts, finding.place.span)
            .map_or(finding.scope, |statement| statement.to(finding.scope));
        let scope = (source.lines.line(scope.start), source.lines.line(scope.end));
        self.all
            .iter()
            .filter(|one| one.lints.iter().any(|lint| lint.value == finding.lint))
            .filter(|one| match one.reach {
                Reach::File => source.lines.line(one.span.start) < FILE_LINES,
                Reach::Here => {
                    let line = source.lines.line(one.span.start);
                    let inside = scope.0 <= line && line <= scope.1;
                    let covers = |at: usize| one.lines.0 <= at && at <= one.lines.1;
                    inside || covers(start) || covers(scope.0)
                }
            })
            .min_by_key(|one| (one.reach == Reach::File, one.lines.1 - one.lines.0, one.span.start))
            .map(|one| one.span.start)
    }
}

/// The first line behind `line` that is neither blank nor only a comment; `line` itself where none follows.
fn next_code_line(source: &Source, line: usize, alone: &BTreeSet<usize>) -> usize {
    (line + 1..source.lines.len())
        .find(|at| {
            let blank = source.slice(source.lines.span(*at, &source.text)).trim().is_empty();
            !blank && !alone.contains(at)
        })
        .unwrap_or(line)
}

/// The last line of the key or item that starts on `line`. A comment behind a key speaks of that key, one above an item
/// of the whole item. A key that holds whole steps or jobs counts as its own line only.
fn last_line_of_node(source: &Source, root: &Node, line: usize, whole_item: bool) -> usize {
    let starts_here = |span: Span| source.lines.line(span.start) == line;
    let last = |span: Span| source.lines.line(span.end.saturating_sub(1).max(span.start));
    let reaches = |node: &Node| (source.lines.line(node.span.start)..=source.lines.line(node.span.end)).contains(&line);
    let mut found = line;
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        match &node.data {
            Data::Sequence(items) => {
                for item in items {
                    if whole_item && starts_here(item.span) {
                        found = found.max(last(item.span));
                    }
                }
                stack.extend(items.iter().filter(|item| reaches(item)));
            }
            Data::Mapping(entries) => {
                for Entry { key, value } in entries {
                    if starts_here(key.span) && is_flat(value) {
                        found = found.max(last(value.span));
                    }
                }
                stack.extend(entries.iter().map(|entry| &entry.value).filter(|value| reaches(value)));
            }
            Data::Scalar(_) | Data::Alias(_) => {}
        }
    }
    found
}

/// A scalar, or a collection of scalars.
fn is_flat(node: &Node) -> bool {
    let scalar = |node: &Node| matches!(node.data, Data::Scalar(_) | Data::Alias(_));
    match &node.data {
        Data::Mapping(entries) => entries.iter().all(|entry| scalar(&entry.value)),
        Data::Sequence(items) => items.iter().all(scalar),
        _ => true,
    }
}

/// The suppressions of a file that did nothing in a run, name no lint, or lack the reason that the settings ask for.
/// `used` is what the whole run used; `failed` are lints that did not come to an end, so that nothing can be said.
pub fn unused(file: &File, settings: &Settings, used: &BTreeSet<Used>, failed: &[&str]) -> Vec<Finding> {
    const ID: &str = "unused-suppression";
    let suppressions = Suppressions::of(file);
    let mut findings = Vec::new();
    for one in &suppressions.all {
        let whole = Place { file: file.id, span: one.directive };
        if one.lints.is_empty() {
            let message = "this suppression names no lint, so it suppresses nothing";
            findings.push(Finding::new(ID, whole, message).help("write the id: `recipelint: ignore[lint-id] reason`"));
            continue;
        }
        if settings.require_reasons && !one.has_reason {
            let message = "this suppression gives no reason, and the configuration asks for one";
            findings.push(Finding::new(ID, whole, message).help("say behind the bracket why the finding may stay"));
        }
        let late = one.reach == Reach::File && file.source.lines.line(one.span.start) >= FILE_LINES;
        let idle: Vec<&Spanned<String>> = one
            .lints
            .iter()
            .filter(|id| id.value != ID)
            .filter(|id| match lint(&id.value) {
                None => true,
                Some(lint) => {
                    let off = level_of(settings, &Finding::new(lint.id, whole, "")) == Level::Off;
                    let used = used.contains(&Used { file: file.id, offset: one.span.start, lint: lint.id });
                    !off && !used && !failed.contains(&lint.id)
                }
            })
            .collect();
        for id in &idle {
            let place = Place { file: file.id, span: id.span };
            let finding = match (lint(&id.value), late) {
                (None, _) => {
                    let finding =
                        Finding::new(ID, place, format!("`{}` is no lint, so this suppresses nothing", id.value));
                    match nearest(&id.value) {
                        Some(near) => finding.help(format!("did you mean `{near}`?")),
                        None => finding.help("`recipelint lints` lists them"),
                    }
                }
                (Some(_), true) => {
                    let message = format!("`ignore-file` counts only in the first {FILE_LINES} lines of a file");
                    Finding::new(ID, place, message).help("move it to the top")
                }
                (Some(_), false) => {
                    let message =
                        format!("nothing here would be reported by `{}`, so this suppresses nothing", id.value);
                    Finding::new(ID, place, message).help("remove it")
                }
            };
            let known = lint(&id.value).is_some() && !late;
            findings.push(if known { finding.fix(removal(file, one, id, idle.len())) } else { finding });
        }
    }
    let dropped = |finding: &Finding| suppressions.covering(finding).is_some();
    let mut findings: Vec<Finding> = findings.into_iter().filter(|finding| !dropped(finding)).collect();
    for finding in &mut findings {
        finding.level = level_of(settings, finding);
    }
    findings.retain(|finding| finding.level != Level::Off);
    findings
}

/// The nearest lint to a misspelt id.
pub fn nearest(id: &str) -> Option<&'static str> {
    lints()
        .iter()
        .map(|lint| (strsim::damerau_levenshtein(id, lint.id), lint.id))
        .filter(|(distance, known)| *distance * 3 <= known.len().max(id.len()))
        .min()
        .map(|(_, known)| known)
}

/// Takes an id out of its brackets; the whole comment where nothing useful is left.
fn removal(file: &File, one: &Suppression, id: &Spanned<String>, idle: usize) -> Fix {
    let source = &file.source;
    let span = if idle < one.lints.len() {
        let at = one.lints.iter().position(|other| other.span == id.span).unwrap_or_default();
        match (at.checked_sub(1).and_then(|before| one.lints.get(before)), one.lints.get(at + 1)) {
            (_, Some(next)) => Span::new(id.span.start, next.span.start),
            (Some(before), None) => Span::new(before.span.end, id.span.end),
            (None, None) => id.span,
        }
    } else if one.alone {
        let first = source.lines.line(one.span.start);
        let last = source.lines.line(one.span.end);
        Span::new(source.lines.start(first, &source.text), source.lines.start(last + 1, &source.text))
    } else {
        let before = source.text.get(..one.span.start).unwrap_or_default();
        Span::new(before.trim_end_matches([' ', '\t']).len(), one.span.end)
    };
    let place = Place { file: file.id, span };
    Fix {
        title: format!("Remove the suppression of `{}`", id.value),
        safety: Safety::Safe,
        edits: vec![Edit { place, text: String::new() }],
    }
}
