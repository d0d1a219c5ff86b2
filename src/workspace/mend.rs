//! Applying fixes to the files of a run: in rounds, each checked again, then written.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::ConfigError;
use super::{Disk, Outcome, Request, check};
use crate::fix::{Policy, Refusal, Round, apply, improved, intended, select};
use crate::lints::Finding;
use crate::recipe::{Dialect, File, FileId};

/// More rounds are not run: each must take findings away, so real files need two or three.
const MOST_ROUNDS: usize = 20;

/// What came of it.
#[derive(Debug)]
pub struct Mended {
    /// The findings that are left, over the mended texts.
    pub outcome: Outcome,
    /// Files that changed: old and new text.
    pub changed: BTreeMap<PathBuf, (Arc<str>, Arc<str>)>,
    /// Number of fixes applied.
    pub applied: usize,
    /// Fixes that were not applied.
    pub skipped: Vec<Skipped>,
}

/// A fix that was not applied.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The file as the user sees it.
    pub path: PathBuf,
    /// Its line, from 1, in the mended text.
    pub line: usize,
    /// The same in the text as it was.
    pub old_line: usize,
    /// The finding's lint.
    pub lint: &'static str,
    /// Why.
    pub reason: String,
}

/// Applies all fixes that the policy allows to an outcome of [`check`] of a request for fixes. Nothing is written.
/// `narrow` takes findings out of an outcome that are not to be mended (those of a baseline, those of files that did not
/// change).
pub fn mend(
    disk: &Disk,
    request: &Request,
    outcome: Outcome,
    policy: Policy,
    narrow: &dyn Fn(&mut Outcome),
) -> Result<Mended, Vec<ConfigError>> {
    let mut run = Run { disk, request, policy, narrow, texts: BTreeMap::new(), refused: BTreeMap::new() };
    let mut outcome = outcome;
    let mut applied = 0;
    for _ in 0..MOST_ROUNDS {
        let Some((next, count)) = run.round(&outcome)? else { break };
        outcome = next;
        applied += count;
    }
    let changed: BTreeMap<_, _> = run.texts.into_iter().filter(|(_, (old, new))| old != new).collect();
    let mut refused = run.refused;
    for (finding, key) in outcome.findings.iter().zip(keys(&outcome)) {
        if let Some(skipped) = refused.get_mut(&key)
            && let Some(file) = outcome.index.file(finding.place.file)
        {
            skipped.line = line_of(file, finding);
            let texts = file.location.as_ref().and_then(|path| changed.get(path));
            skipped.old_line = texts.map_or(skipped.line, |(old, new)| line_before(old, new, skipped.line));
        }
    }
    let mut skipped: Vec<Skipped> = refused.into_values().collect();
    skipped.sort();
    Ok(Mended { outcome, changed, applied, skipped })
}

/// What tells a finding from another over all rounds: file, lint, message, and which one of its like it is.
type Key = (PathBuf, &'static str, String, usize);

struct Run<'r> {
    disk: &'r Disk,
    request: &'r Request,
    policy: Policy,
    narrow: &'r dyn Fn(&mut Outcome),
    /// Original and current text of the files that changed.
    texts: BTreeMap<PathBuf, (Arc<str>, Arc<str>)>,
    refused: BTreeMap<Key, Skipped>,
}

impl Run<'_> {
    /// One round: all fixes that fit together; when the result is worse, one file after the other, and in those that are
    /// worse by themselves one fix after the other. So a fix that is refused costs the other files one check each, once.
    fn round(&mut self, outcome: &Outcome) -> Result<Option<(Outcome, usize)>, Vec<ConfigError>> {
        let round = self.choose(outcome, &|_| true);
        if round.chosen.is_empty() {
            return Ok(None);
        }
        if let Ok(next) = self.attempt(outcome, &round)? {
            return Ok(Some((next, round.chosen.len())));
        }
        let files: BTreeSet<PathBuf> = round.chosen.iter().filter_map(|at| path_of(outcome, *at)).collect();
        let mut current = outcome.clone();
        let mut applied = 0;
        for path in &files {
            let part = self.choose(&current, &|found| found == path);
            if files.len() > 1
                && !part.chosen.is_empty()
                && let Ok(next) = self.attempt(&current, &part)?
            {
                (current, applied) = (next, applied + part.chosen.len());
                continue;
            }
            while let Some(at) = self.choose(&current, &|found| found == path).chosen.first().copied() {
                let single = select(&current.findings, self.policy, &|other| other == at);
                match self.attempt(&current, &single)? {
                    Ok(next) => (current, applied) = (next, applied + 1),
                    Err(refusal) => self.refuse(&current, at, &refusal),
                }
            }
        }
        Ok((applied > 0).then_some((current, applied)))
    }

    /// Fixes that fit together, of files that are wanted, without those that were refused before.
    fn choose(&self, outcome: &Outcome, of: &dyn Fn(&Path) -> bool) -> Round {
        let keys = keys(outcome);
        let wanted = self.wanted(outcome);
        let open = |at: usize| {
            wanted.get(at).copied().unwrap_or_default()
                && keys.get(at).is_some_and(|key| !self.refused.contains_key(key))
                && path_of(outcome, at).is_some_and(|path| of(&path))
        };
        select(&outcome.findings, self.policy, &open)
    }

    /// Which findings are to be mended.
    fn wanted(&self, outcome: &Outcome) -> Vec<bool> {
        let mut narrowed = outcome.clone();
        (self.narrow)(&mut narrowed);
        let mut left = narrowed.findings.iter().peekable();
        outcome.findings.iter().map(|finding| left.next_if(|other| *other == finding).is_some()).collect()
    }

    fn refuse(&mut self, outcome: &Outcome, at: usize, refusal: &Refusal) {
        let keys = keys(outcome);
        let (Some(finding), Some(key)) = (outcome.findings.get(at), keys.get(at)) else { return };
        let line = outcome.index.file(finding.place.file).map_or(1, |file| line_of(file, finding));
        let (path, reason) = (key.0.clone(), refusal.to_string());
        let skipped = Skipped { path, line, old_line: line, lint: finding.lint, reason };
        self.refused.insert(key.clone(), skipped);
    }

    /// Applies a round and checks again; keeps the new texts only when the result is better.
    fn attempt(&mut self, outcome: &Outcome, round: &Round) -> Result<Result<Outcome, Refusal>, Vec<ConfigError>> {
        let mut texts = self.texts.clone();
        for (id, edits) in &round.edits {
            let Some((file, location)) = outcome.index.file(*id).and_then(|file| Some((file, file.location.clone()?)))
            else {
                return Ok(Err(Refusal::Unfit));
            };
            let Some(new) = apply(&file.source.text, edits) else { return Ok(Err(Refusal::Unfit)) };
            let is_yaml = file.tree.is_some() && file.dialect != Dialect::AgentUse;
            if is_yaml && let Err(refusal) = intended(&file.source.text, &new, edits) {
                return Ok(Err(refusal));
            }
            let entry = texts.entry(location).or_insert_with(|| (file.source.text.clone(), file.source.text.clone()));
            entry.1 = new.into();
        }
        let mut buffers: HashMap<PathBuf, Arc<str>> = self.disk.buffers().clone();
        buffers.extend(texts.iter().map(|(path, (_, new))| (path.clone(), new.clone())));
        let next = check(&Disk::with_buffers(buffers), self.request, &|_, _| {})?;
        if let Err(refusal) =
            improved((&outcome.index, &outcome.findings), (&next.index, &next.findings), &round.chosen)
        {
            return Ok(Err(refusal));
        }
        self.texts = texts;
        Ok(Ok(next))
    }
}

/// The line of a finding, from 1.
fn line_of(file: &File, finding: &Finding) -> usize {
    file.source.lines.line(finding.place.span.start) + 1
}

/// Where a line of the new text, from 1, stood in the old one; for one that was not there, where it would stand.
fn line_before(old: &str, new: &str, line: usize) -> usize {
    let difference = similar::TextDiff::from_lines(old, new);
    let around = difference.ops().iter().find(|op| op.new_range().contains(&(line - 1)));
    around.map_or(line, |op| {
        let within = line - 1 - op.new_range().start;
        op.old_range().start + within.min(op.old_range().len().saturating_sub(1)) + 1
    })
}

/// The file of a finding, by its position.
fn path_of(outcome: &Outcome, at: usize) -> Option<PathBuf> {
    let finding = outcome.findings.get(at)?;
    outcome.index.file(finding.place.file).map(|file| file.source.path.clone())
}

fn keys(outcome: &Outcome) -> Vec<Key> {
    let mut seen: BTreeMap<(FileId, &str, &str), usize> = BTreeMap::new();
    outcome
        .findings
        .iter()
        .map(|finding| {
            let count = seen.entry((finding.place.file, finding.lint, &finding.message)).or_default();
            *count += 1;
            let path = outcome.index.file(finding.place.file).map(|file| file.source.path.clone()).unwrap_or_default();
            (path, finding.lint, finding.message.clone(), *count)
        })
        .collect()
}

/// Writes a file whole or not at all: a new file beside it takes its place, with the permissions of the old one.
/// Fails when the file's text on disk is no longer the one that was mended.
pub fn write(path: &Path, old: &str, new: &str) -> io::Result<()> {
    use std::io::Write;
    // A link is followed to the file that it names, so that the link stays a link.
    let target = std::fs::canonicalize(path)?;
    let now = std::fs::read(&target)?;
    // Two names of one file.
    if now == new.as_bytes() {
        return Ok(());
    }
    if std::fs::metadata(&target)?.permissions().readonly() {
        return Err(io::Error::other("the file is read-only"));
    }
    if now != old.as_bytes() {
        return Err(io::Error::other("the file changed while it was checked; run again"));
    }
    let folder = target.parent().ok_or_else(|| io::Error::other("the file has no folder"))?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(new.as_bytes())?;
    file.as_file().sync_all()?;
    file.as_file().set_permissions(std::fs::metadata(&target)?.permissions())?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_the_text_as_it_was() {
        let (old, new) = ("a\nb\nc\nd\n", "a\nmore\nmore\nb\nC\nd\n");
        for (line, before) in [(1, 1), (4, 2), (5, 3), (6, 4), (9, 9)] {
            assert_eq!(line_before(old, new, line), before, "{line}");
        }
    }
}
