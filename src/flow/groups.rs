//! Which files are analysed together: those that call each other.

use std::collections::BTreeMap;

use super::links::{local, programs, sub_recipe};
use crate::recipe::{Action, Dialect, File, FileId, Index};

/// Files whose texts may flow into each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Where the analysis starts: files that nobody calls.
    pub roots: Vec<FileId>,
    /// All files, by id.
    pub members: Vec<FileId>,
}

/// The files that a file runs or extends.
fn callees(index: &Index, file: &File) -> Vec<FileId> {
    let mut found = Vec::new();
    let names = file
        .recipe
        .steps
        .iter()
        .filter_map(|step| match &step.action {
            Action::Recipe(call) => Some(call.name.value.as_str()),
            _ => None,
        })
        .chain(file.recipe.extends.as_ref().map(|extends| extends.value.as_str()));
    for name in names {
        if let Some(callee) = sub_recipe(index, file, name)
            && !found.contains(&callee.id)
        {
            found.push(callee.id);
        }
    }
    let uses = file.recipe.steps.iter().filter_map(|step| match &step.action {
        Action::Uses(uses) => Some(uses),
        _ => None,
    });
    for uses in uses.chain(file.recipe.jobs.iter().filter_map(|job| job.call.as_ref())) {
        if let Some(callee) = local(index, file, uses)
            && !found.contains(&callee.id)
        {
            found.push(callee.id);
        }
    }
    for callee in programs(index, file) {
        if !found.contains(&callee.id) {
            found.push(callee.id);
        }
    }
    found
}

/// Whether a file that others run is not looked at by itself: JavaScript may run agents of its own.
fn only_runs_for_others(index: &Index, id: FileId) -> bool {
    index.file(id).is_none_or(|file| file.dialect != Dialect::Program)
}

/// Groups of all files, in the order of their first members.
pub fn groups(index: &Index) -> Vec<Group> {
    let count = index.files().len();
    let mut parent: Vec<usize> = (0..count).collect();
    let mut called = vec![false; count];
    for file in index.files() {
        for callee in callees(index, file) {
            let (from, to) = (file.id.0 as usize, callee.0 as usize);
            // What is extended runs as itself too.
            let extends = file.recipe.extends.as_ref().and_then(|extends| sub_recipe(index, file, &extends.value));
            let runs = extends.is_none_or(|extended| extended.id != callee) && only_runs_for_others(index, callee);
            if to < count && from != to && runs {
                called[to] = true;
            }
            union(&mut parent, from, to);
        }
    }
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for file in index.files() {
        let at = find(&mut parent, file.id.0 as usize);
        let group = groups.entry(at).or_insert_with(|| Group { roots: Vec::new(), members: Vec::new() });
        group.members.push(file.id);
        if !called.get(file.id.0 as usize).copied().unwrap_or(false) {
            group.roots.push(file.id);
        }
    }
    for group in groups.values_mut() {
        // A cycle has no root: begin anywhere.
        if group.roots.is_empty() {
            group.roots.extend(group.members.first());
        }
    }
    groups.into_values().collect()
}

fn find(parent: &mut [usize], mut at: usize) -> usize {
    while let Some(next) = parent.get(at).copied()
        && next != at
    {
        let over = parent.get(next).copied().unwrap_or(next);
        if let Some(slot) = parent.get_mut(at) {
            *slot = over;
        }
        at = next;
    }
    at
}

fn union(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parent, a), find(parent, b));
    let (low, high) = (a.min(b), a.max(b));
    if let Some(slot) = parent.get_mut(high) {
        *slot = low;
    }
}
