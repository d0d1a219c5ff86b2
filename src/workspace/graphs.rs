//! The graphs of a run and of a session: which files are analysed together, and what came of it.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::flow::{self, Graph, Group, Options};
use crate::recipe::{FileId, Index};

/// What a caught panic carries.
type Panic = Box<dyn std::any::Any + Send>;

/// A graph; what the analysis said when it panicked.
pub(super) type Analysed = Result<Arc<Graph>, Panic>;

type Analyse = fn(&Group, &Index, &Options) -> Graph;

/// The graphs of one group, by the options of its members: these may stand under different configurations, though mostly
/// they do not.
#[derive(Default)]
pub(super) struct ByOptions(Vec<(Options, Analysed)>);

impl ByOptions {
    /// The graph under some options, made when it is first asked for.
    pub fn of(&mut self, group: &Group, options: &Options, index: &Index, analyse: Analyse) -> Option<&Analysed> {
        let known = self.0.iter().position(|(other, _)| other == options).unwrap_or_else(|| {
            let graph = catch_unwind(AssertUnwindSafe(|| Arc::new(analyse(group, index, options))));
            self.0.push((options.clone(), graph));
            self.0.len() - 1
        });
        self.0.get(known).map(|(_, graph)| graph)
    }
}

/// Graphs are made when they are first asked for, and kept until their files change.
pub(super) struct Graphs {
    groups: Vec<Group>,
    group_of: HashMap<FileId, usize>,
    /// The files that mention a file.
    users: HashMap<FileId, Vec<FileId>>,
    /// By group.
    made: HashMap<usize, ByOptions>,
    /// What makes them.
    pub analyse: Analyse,
}

impl Default for Graphs {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            group_of: HashMap::new(),
            users: HashMap::new(),
            made: HashMap::new(),
            analyse: flow::analyse,
        }
    }
}

impl Graphs {
    /// Drops all graphs and groups the files anew: files came or went, or refer to others than before.
    pub fn regroup(&mut self, index: &Index) {
        self.groups = flow::groups(index);
        let numbered = self.groups.iter().enumerate();
        self.group_of = numbered.flat_map(|(at, group)| group.members.iter().map(move |id| (*id, at))).collect();
        self.made.clear();
        self.users.clear();
        for file in index.files() {
            for used in file.recipe.mentions.iter().filter_map(|mention| index.mentioned(file, mention)) {
                let users = self.users.entry(used.id).or_default();
                if users.last() != Some(&file.id) {
                    users.push(file.id);
                }
            }
        }
    }

    /// The files that mention a file.
    pub fn users(&self, id: FileId) -> &[FileId] {
        self.users.get(&id).map_or(&[], Vec::as_slice)
    }

    /// A file, those it is analysed with, those that use it and those it uses.
    pub fn reach(&self, id: FileId, index: &Index) -> BTreeSet<FileId> {
        let mut reach = BTreeSet::from([id]);
        if let Some(group) = self.group_of.get(&id).and_then(|at| self.groups.get(*at)) {
            reach.extend(group.members.iter().copied());
        }
        reach.extend(self.users(id));
        if let Some(file) = index.file(id) {
            let used = file.recipe.mentions.iter().filter_map(|mention| index.mentioned(file, mention));
            reach.extend(used.map(|file| file.id));
        }
        reach
    }

    /// The graph in which a file takes part, under its options; `None` for a file that is not analysed.
    pub fn of(&mut self, id: FileId, options: &Options, index: &Index) -> Option<&Analysed> {
        let at = *self.group_of.get(&id)?;
        let group = self.groups.get(at)?;
        self.made.entry(at).or_default().of(group, options, index, self.analyse)
    }

    /// Takes away the graphs in which a file takes part.
    pub fn forget(&mut self, id: FileId) -> ByOptions {
        self.group_of.get(&id).and_then(|group| self.made.remove(group)).unwrap_or_default()
    }
}
