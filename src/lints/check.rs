//! All lints on one file.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::registry::level_of;
use super::suppress::{self, Suppressions};
use super::{Context, Finding, Fixes, Level, Settings, Sink, lints};
use crate::flow::{Graph, Place};
use crate::recipe::{File, FileId, Index};
use crate::text::Span;

/// What checking one file gave.
#[derive(Debug, Default)]
pub struct Checked {
    /// With levels, without those that are off or suppressed, in order, each once. Some may lie in other files: a prompt
    /// that breaks the contract of the recipe that uses it.
    pub findings: Vec<Finding>,
    /// The suppressions that took a finding away.
    pub used: BTreeSet<suppress::Used>,
    /// Lints that did not come to an end.
    pub failed: Vec<&'static str>,
}

/// Runs all lints that are on and applies suppressions. Which suppressions were of no use is known only after all files
/// that share a prompt were checked: see [`suppress::unused`].
pub fn check(context: &Context<'_>) -> Checked {
    let mut checked = Checked::default();
    let mut sink = Sink::default();
    let wanted = context.fixes.any();
    for lint in lints() {
        if context.settings.level(lint.id) == Some(Level::Off) {
            continue;
        }
        let before = sink.findings.len();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (lint.check)(context, &mut sink))) {
            sink.findings.truncate(before);
            sink.push(internal_error(context.file, &format!("the lint `{}`", lint.id), panic.as_ref()));
            checked.failed.push(lint.id);
        }
    }
    if let Some(place) = context.graph.unfinished(context.file.id) {
        sink.push(unfinished(place));
    }
    // Some lints make theirs without a look through the script, and do not ask.
    if !wanted {
        sink.findings.iter_mut().for_each(|finding| finding.fix = None);
    }
    let judged = judge(sink.findings, context.file, context.index, context.settings);
    Checked { failed: checked.failed, ..judged }
}

/// Sets levels, drops what is off or suppressed, and orders the rest.
pub fn judge(mut findings: Vec<Finding>, of: &File, index: &Index, settings: &Settings) -> Checked {
    let mut checked = Checked::default();
    for finding in &mut findings {
        finding.level = level_of(settings, finding);
    }
    findings.retain(|finding| finding.level != Level::Off);
    let mut cache: Vec<(FileId, Suppressions)> = Vec::new();
    findings.retain(|finding| {
        let id = finding.place.file;
        if !cache.iter().any(|(known, _)| *known == id) {
            let file = if id == of.id { Some(of) } else { index.file(id).map(AsRef::as_ref) };
            cache.push((id, file.map(Suppressions::of).unwrap_or_default()));
        }
        let found = cache.iter().find(|(known, _)| *known == id).and_then(|(_, all)| all.covering(finding));
        found.is_none_or(|at| {
            checked.used.insert(suppress::Used { file: id, offset: at, lint: finding.lint });
            false
        })
    });
    sort(&mut findings);
    findings.shrink_to_fit();
    checked.findings = findings;
    checked
}

/// All that can be said of one file by itself: [`check`] and its useless suppressions.
pub fn check_file(file: &File, graph: &Graph, index: &Index, settings: &Settings) -> Vec<Finding> {
    let checked = check(&Context { file, graph, index, settings, fixes: &Fixes::wanted() });
    let mut findings = checked.findings;
    findings.extend(suppress::unused(file, settings, &checked.used, &checked.failed));
    sort(&mut findings);
    findings
}

/// Orders findings by file, place and lint, and keeps one of each lint at a place.
pub fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| (a.place, a.lint, &a.message).cmp(&(b.place, b.lint, &b.message)));
    findings.dedup_by(|a, b| a.lint == b.lint && a.place == b.place);
}

/// The finding for a part of this program that panicked on a file.
pub fn internal_error(file: &File, part: &str, panic: &(dyn std::any::Any + Send)) -> Finding {
    let said = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    let place = Place { file: file.id, span: Span::at(0) };
    Finding::new("internal-error", place, format!("{part} failed on this file, its findings are missing: {said}"))
        .help("this is a bug of recipelint: please report it with the file; everything else was checked")
}

/// The finding for a file that is too much to follow to its end.
fn unfinished(place: Place) -> Finding {
    Finding::new("internal-error", place, "this is too much to follow: agent text behind this place was not looked for")
        .level(Level::Warning)
        .help(
            "make the script smaller: functions that call each other many times, or thousands of commands in one file",
        )
}
