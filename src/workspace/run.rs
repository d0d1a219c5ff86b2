//! The run: every file by itself, in parallel, with the same result for any number of threads.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use rayon::prelude::*;

use super::{Disk, Loaded, Note, discover, load};
use crate::flow::Graph;
use crate::lints::{self, Checked, Context, Finding, Settings, suppress};
use crate::recipe::{File, FileId, Index};

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
    let results: Vec<(FileId, Checked)> =
        checked.par_iter().filter_map(|id| Some((*id, check_one(index.file(*id)?, &index, &settings)))).collect();
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

/// Flow and lints of one file; a part that panics becomes a finding.
fn check_one(file: &File, index: &Index, settings: &Settings) -> Checked {
    let analysed = catch_unwind(AssertUnwindSafe(|| Graph::default()));
    match analysed {
        Ok(graph) => lints::check(&Context { file, graph: &graph, index, settings }),
        Err(panic) => {
            let graph = Graph::default();
            let mut checked = lints::check(&Context { file, graph: &graph, index, settings });
            checked.findings.push(lints::internal_error(file, "the flow analysis", panic.as_ref()));
            checked.failed.extend(lints::lints().iter().map(|lint| lint.id));
            checked
        }
    }
}
