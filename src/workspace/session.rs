//! A workspace that lives on: files are read once, an edit lowers one file anew and checks again only what it can
//! reach. The result is that of [`super::check`] over the same texts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::{Choice, ConfigError, Resolver};
use super::load::{Loaded, Plan, load, mentioned_by};
use super::run::{check_one, users_of};
use super::{Disk, dialect_of, discover, lower, shown};
use crate::flow::{self, Graph, Group};
use crate::lints::{self, Checked, Finding, Settings, suppress};
use crate::recipe::{Dialect, File, FileId, Index};
use crate::text::Source;

/// One root with everything that is known of it.
pub struct Session {
    root: PathBuf,
    disk: Disk,
    resolver: Resolver,
    /// The last settings of each file that could be read: a broken configuration does not throw them away.
    settings: HashMap<FileId, Settings>,
    broken: Vec<ConfigError>,
    index: Index,
    groups: Vec<Group>,
    group_of: HashMap<FileId, usize>,
    graphs: HashMap<usize, Arc<Graph>>,
    checked: BTreeMap<FileId, Checked>,
    /// The files that are reported on: recipes below the root, and every open buffer.
    targets: BTreeSet<FileId>,
}

impl Session {
    /// Reads the workspace below a root, with some texts over the disk.
    pub fn open(root: &Path, buffers: HashMap<PathBuf, Arc<str>>) -> Self {
        let mut session = Self {
            root: root.to_owned(),
            disk: Disk::with_buffers(buffers),
            resolver: Resolver::new(Choice::Nearest),
            settings: HashMap::new(),
            broken: Vec::new(),
            index: Index::default(),
            groups: Vec::new(),
            group_of: HashMap::new(),
            graphs: HashMap::new(),
            checked: BTreeMap::new(),
            targets: BTreeSet::new(),
        };
        session.reload();
        session
    }

    /// The root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All files that are known.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The texts that lie over the disk.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// The file at a path.
    pub fn file(&self, path: &Path) -> Option<&Arc<File>> {
        self.index.at(path)
    }

    /// The graph in which a file takes part.
    pub fn graph(&mut self, id: FileId) -> Arc<Graph> {
        let Some(at) = self.group_of.get(&id).copied() else { return Arc::default() };
        if let Some(graph) = self.graphs.get(&at) {
            return graph.clone();
        }
        let Some(group) = self.groups.get(at) else { return Arc::default() };
        let options = group.members.first().and_then(|id| self.settings.get(id)).map(|settings| settings.flow.clone());
        let options = options.unwrap_or_default();
        let graph = catch_unwind(AssertUnwindSafe(|| flow::analyse(group, &self.index, &options)));
        let graph = Arc::new(graph.unwrap_or_default());
        self.graphs.insert(at, graph.clone());
        graph
    }

    /// The settings of a file.
    pub fn settings(&self, id: FileId) -> Settings {
        self.settings.get(&id).cloned().unwrap_or_default()
    }

    /// Configurations that cannot be used: the last good ones stay in force.
    pub fn broken(&self) -> &[ConfigError] {
        &self.broken
    }

    /// Reads everything again: files came, went or changed on disk, or a configuration did.
    pub fn reload(&mut self) {
        let buffers: Vec<PathBuf> = self.disk.buffers().keys().cloned().collect();
        self.resolver = Resolver::new(Choice::Nearest);
        let old_settings: HashMap<PathBuf, Settings> = std::mem::take(&mut self.settings)
            .into_iter()
            .filter_map(|(id, settings)| Some((self.index.file(id)?.location.clone()?, settings)))
            .collect();
        let mut discovery = discover(&self.disk, &[self.root.clone()], &self.root, &mut |_| {});
        let resolver = &self.resolver;
        let disk = &self.disk;
        discovery.targets.retain(|target| match resolver.resolve(disk, &target.path) {
            Ok(Some(chain)) => chain.admits(&target.path),
            _ => true,
        });
        let chains = self.resolver.chains();
        let search_paths = chains.iter().flat_map(|chain| chain.settings(chain.path()).search_paths).collect();
        let plan = Plan {
            targets: &discovery.targets,
            folders: &discovery.folders,
            complete: true,
            cwd: &self.root,
            search_paths,
        };
        let Loaded { index, checked, .. } = load(&self.disk, &plan, std::iter::empty());
        self.index = index;
        self.targets = checked.into_iter().collect();
        self.broken.clear();
        for path in &buffers {
            self.place(path);
        }
        for id in self.index.files().iter().map(|file| file.id).collect::<Vec<_>>() {
            self.resolve_settings(id, &old_settings);
        }
        self.regroup();
        self.checked.clear();
    }

    fn resolve_settings(&mut self, id: FileId, old: &HashMap<PathBuf, Settings>) {
        let Some(path) = self.index.file(id).and_then(|file| file.location.clone()) else { return };
        let settings = match self.resolver.resolve(&self.disk, &path) {
            Ok(Some(chain)) => chain.settings(&path),
            Ok(None) => Settings::default(),
            Err(error) => {
                if !self.broken.iter().any(|known| known.path == error.path) {
                    self.broken.push(*error);
                }
                old.get(&path).cloned().unwrap_or_default()
            }
        };
        self.settings.insert(id, settings);
    }

    /// Puts a text over the disk: a buffer was opened or edited. Gives the files whose findings may change.
    pub fn edit(&mut self, path: &Path, text: Arc<str>) -> BTreeSet<FileId> {
        let mut buffers = self.disk.buffers().clone();
        buffers.insert(path.to_owned(), text);
        self.disk = Disk::with_buffers(buffers);
        self.changed(path)
    }

    /// Takes a buffer away: the disk's text counts again.
    pub fn close(&mut self, path: &Path) -> BTreeSet<FileId> {
        let mut buffers = self.disk.buffers().clone();
        buffers.remove(path);
        self.disk = Disk::with_buffers(buffers);
        self.changed(path)
    }

    /// Lowers a file anew and says which files' findings may change.
    fn changed(&mut self, path: &Path) -> BTreeSet<FileId> {
        let mut affected = self.index.at(path).map(|file| self.reach(file.id)).unwrap_or_default();
        let Some(id) = self.place(path) else { return affected };
        self.resolve_settings(id, &HashMap::new());
        self.regroup();
        affected.extend(self.reach(id));
        for id in &affected {
            self.checked.remove(id);
        }
        affected
    }

    /// Puts the text that now counts for a path into the index, under the number it has or a new one.
    fn place(&mut self, path: &Path) -> Option<FileId> {
        let known = self.index.at(path).cloned();
        let name = shown(path, &self.root);
        let text: Option<Arc<str>> = match self.disk.read(path) {
            Ok(super::Contents::Text(text)) => Some(text),
            _ => None,
        };
        let open = self.disk.buffers().contains_key(path);
        let mut file = match text {
            Some(text) => {
                let kept = known.as_ref().map(|file| file.dialect).filter(|dialect| {
                    matches!(dialect, Dialect::Prompt | Dialect::Script | Dialect::Package | Dialect::Configuration)
                });
                let dialect = kept.or_else(|| dialect_of(path, &text, open)).unwrap_or(Dialect::Unknown);
                lower(path, Source::new(name, text), dialect)
            }
            None if known.is_some() => lower(path, Source::new(name, ""), Dialect::Unknown),
            None => return None,
        };
        let mut files = self.index.files().to_vec();
        let id = known.map_or(FileId(files.len() as u32), |known| known.id);
        file.id = id;
        let file = Arc::new(file);
        match files.get_mut(id.0 as usize) {
            Some(slot) => *slot = file.clone(),
            None => files.push(file.clone()),
        }
        for mut more in mentioned_by(&self.disk, &file, &files, &self.root) {
            more.id = FileId(files.len() as u32);
            files.push(Arc::new(more));
        }
        self.index =
            Index::new(files).with_root(self.root.clone()).with_search_paths(self.index.search_paths().to_vec());
        if open || self.targets.contains(&id) {
            self.targets.insert(id);
        }
        Some(id)
    }

    fn regroup(&mut self) {
        self.groups = flow::groups(&self.index);
        self.group_of = self
            .groups
            .iter()
            .enumerate()
            .flat_map(|(at, group)| group.members.iter().map(move |id| (*id, at)))
            .collect();
        self.graphs.clear();
    }

    /// A file, those it is analysed with, those that use it and those it uses.
    fn reach(&self, id: FileId) -> BTreeSet<FileId> {
        let mut reach = BTreeSet::from([id]);
        if let Some(group) = self.group_of.get(&id).and_then(|at| self.groups.get(*at)) {
            reach.extend(group.members.iter().copied());
        }
        reach.extend(users_of(&self.index, &[id]));
        if let Some(file) = self.index.file(id) {
            let used = file.recipe.mentions.iter().filter_map(|mention| self.index.mentioned(file, mention));
            reach.extend(used.map(|file| file.id));
        }
        reach
    }

    /// The findings at places in a file, as a fresh check of the workspace would report them.
    pub fn findings(&mut self, id: FileId) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut used = BTreeSet::new();
        let mut failed = Vec::new();
        for checker in self.reach(id) {
            let checked = self.check(checker);
            findings.extend(checked.findings.iter().filter(|finding| finding.place.file == id).cloned());
            used.extend(checked.used.iter().copied());
            failed.extend(checked.failed.iter().copied());
        }
        let settings = self.settings(id);
        if let Some(file) = self.index.file(id)
            && (file.dialect != Dialect::Prompt || !users_of(&self.index, &[id]).is_empty())
        {
            findings.extend(suppress::unused(file, &settings, &used, &failed));
        }
        lints::sort(&mut findings);
        findings
    }

    fn check(&mut self, id: FileId) -> &Checked {
        if !self.checked.contains_key(&id) {
            let graph = self.graph(id);
            let settings = self.settings(id);
            let checked =
                self.index.file(id).map(|file| check_one(file, &Ok(graph), &self.index, &settings)).unwrap_or_default();
            self.checked.insert(id, checked);
        }
        self.checked.entry(id).or_default()
    }

    /// The files that are reported on.
    pub fn targets(&self) -> &BTreeSet<FileId> {
        &self.targets
    }
}
