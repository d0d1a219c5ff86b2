//! The run: every file by itself, in parallel, with the same result for any number of threads.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use rayon::prelude::*;

use super::{Disk, Loaded, Note, discover, load};
use crate::flow::{self, Graph};
use crate::lints::{self, Checked, Context, Finding, Settings, suppress};
use crate::recipe::{File, FileId, Index};

/// What a caught panic carries.
type Panic = Box<dyn std::any::Any + Send>;

/// What to check.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files, folders, globs.
    pub paths: Vec<PathBuf>,
    /// Absolute.
    pub cwd: PathBuf,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// All files that findings may point to.
    pub index: Index,
    /// The files that were asked for.
    pub checked: Vec<FileId>,
    /// By path and place.
    pub findings: Vec<Finding>,
    /// What else the user should know.
    pub notes: Vec<Note>,
}

/// Finds, reads and checks.
pub fn check(disk: &Disk, request: &Request) -> Outcome {
    let discovery = discover(&request.paths, &request.cwd);
    let Loaded { index, checked, notes } = load(disk, &discovery.targets, &discovery.folders, &request.cwd);
    let settings = Settings::default();
    let asked: BTreeSet<FileId> = checked.iter().copied().collect();
    let results: Vec<(FileId, Checked)> = flow::groups(&index)
        .into_par_iter()
        .filter(|group| group.members.iter().any(|id| asked.contains(id)))
        .flat_map_iter(|group| {
            let graph = catch_unwind(AssertUnwindSafe(|| flow::analyse(&group, &index, &settings.flow)));
            let members = group.members.iter().filter(|id| asked.contains(id));
            let checked: Vec<_> =
                members.filter_map(|id| Some((*id, check_one(index.file(*id)?, &graph, &index, &settings)))).collect();
            checked
        })
        .collect();
    let mut findings = Vec::new();
    let mut used = BTreeSet::new();
    for (_, result) in &results {
        used.extend(result.used.iter().copied());
    }
    for (id, result) in results {
        findings.extend(result.findings);
        if let Some(file) = index.file(id) {
            findings.extend(suppress::unused(file, &settings, &used, &result.failed));
        }
    }
    lints::sort(&mut findings);
    let notes = discovery.notes.into_iter().chain(notes).collect();
    Outcome { index, checked, findings, notes }
}

/// The lints of one file; a flow analysis that panicked becomes a finding.
fn check_one(file: &File, graph: &Result<Graph, Panic>, index: &Index, settings: &Settings) -> Checked {
    match graph {
        Ok(graph) => lints::check(&Context { file, graph, index, settings }),
        Err(panic) => {
            let graph = Graph::default();
            let mut checked = lints::check(&Context { file, graph: &graph, index, settings });
            checked.findings.push(lints::internal_error(file, "the flow analysis", panic.as_ref()));
            checked.failed.extend(lints::lints().iter().map(|lint| lint.id));
            checked
        }
    }
}
