//! A workspace that lives on: files are read once, an edit lowers one file anew and checks again only what it can
//! reach. The result is that of [`super::check`] over the same texts.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::{Chain, Choice, ConfigError, NAMES, Resolver, review};
use super::graphs::Graphs;
use super::load::{Loaded, Plan, load, mentioned_by};
use super::run::{check_one, configuration_files, follows_texts, in_pool, is_judged, scripts_of};
use super::{Discovery, Disk, Target, dialect_of, discover, lower, shown};
use crate::flow::{Graph, Options};
use crate::lints::{self, Checked, Finding, Settings, suppress};
use crate::recipe::{Dialect, File, FileId, Index};
use crate::text::Source;

/// How much of the disk a session looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All recipes below the root, and they are reported on.
    Folder,
    /// Open buffers, and what is found around them within limits: the root may be a home.
    Buffers,
}

/// More files and folders below a root are not looked at: somebody opened a whole home, not a project.
pub const MOST_ENTRIES: usize = 50_000;

/// One root with everything that is known of it.
pub struct Session {
    root: PathBuf,
    scope: Scope,
    cut: bool,
    disk: Disk,
    resolver: Resolver,
    /// The last settings of each file that could be read: a broken configuration does not throw them away.
    settings: HashMap<FileId, Settings>,
    broken: Vec<ConfigError>,
    /// Configuration files, each with the chain and the layer that it is.
    configurations: BTreeMap<FileId, (Arc<Chain>, usize)>,
    index: Index,
    graphs: Graphs,
    /// By file, and whether with fixes.
    checked: BTreeMap<FileId, (bool, Checked)>,
    /// What edits replaced, until there is time to take it apart.
    old: Vec<Box<dyn Any + Send>>,
    /// Recipes that lie below the root.
    walked: BTreeSet<FileId>,
    /// The files that are reported on: those, every open buffer, and the configurations.
    targets: BTreeSet<FileId>,
}

impl Session {
    /// Reads the workspace at a root.
    pub fn open(root: &Path, scope: Scope) -> Self {
        let mut session = Self {
            root: root.to_owned(),
            scope,
            cut: false,
            disk: Disk::default(),
            resolver: Resolver::new(Choice::Nearest),
            settings: HashMap::new(),
            broken: Vec::new(),
            configurations: BTreeMap::new(),
            index: Index::default(),
            graphs: Graphs::default(),
            checked: BTreeMap::new(),
            old: Vec::new(),
            walked: BTreeSet::new(),
            targets: BTreeSet::new(),
        };
        session.reload();
        session
    }

    /// How much of the disk it looks at.
    pub fn scope(&self) -> Scope {
        self.scope
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

    /// The files that are reported on.
    pub fn targets(&self) -> &BTreeSet<FileId> {
        &self.targets
    }

    /// The graph in which a file takes part; an empty one where the analysis failed.
    pub fn graph(&mut self, id: FileId) -> Arc<Graph> {
        let none = Options::default();
        let options = self.settings.get(&id).map_or(&none, |settings| &settings.flow);
        self.graphs.of(id, options, &self.index).and_then(|graph| graph.as_ref().ok()).cloned().unwrap_or_default()
    }

    /// The settings of a file.
    pub fn settings(&self, id: FileId) -> Settings {
        self.settings.get(&id).cloned().unwrap_or_default()
    }

    /// The configuration files that hold somewhere below the root.
    pub fn configurations(&self) -> Vec<FileId> {
        self.configurations.keys().copied().collect()
    }

    /// Configurations that cannot be used: the last good ones stay in force.
    pub fn broken(&self) -> &[ConfigError] {
        &self.broken
    }

    /// Reads everything again: files came or went, or a configuration changed.
    pub fn reload(&mut self) {
        let old_settings: HashMap<PathBuf, Settings> = std::mem::take(&mut self.settings)
            .into_iter()
            .filter_map(|(id, settings)| Some((self.index.file(id)?.location.clone()?, settings)))
            .collect();
        self.resolver = Resolver::new(Choice::Nearest);
        self.broken.clear();
        let discovery = self.discover();
        self.cut = discovery.cut;
        let chains = self.resolver.chains();
        let search_paths = chains.iter().flat_map(|chain| chain.settings(chain.path()).search_paths).collect();
        let plan = Plan {
            targets: &discovery.targets,
            folders: &discovery.folders,
            complete: self.scope == Scope::Folder && !discovery.cut,
            cwd: &self.root,
            search_paths,
        };
        let layers = configuration_files(&chains, &self.root);
        let disk = &self.disk;
        let Loaded { index, checked, extra, .. } =
            in_pool(|| load(disk, &plan, layers.iter().map(|(_, _, file)| file.clone())));
        self.index = index;
        self.walked = if self.scope == Scope::Folder { checked.iter().copied().collect() } else { BTreeSet::new() };
        self.targets = checked.into_iter().chain(extra.iter().copied()).collect();
        self.configurations =
            extra.into_iter().zip(layers.into_iter().map(|(chain, layer, _)| (chain, layer))).collect();
        for path in self.disk.buffers().keys().cloned().collect::<Vec<_>>() {
            self.place(&path);
        }
        for id in self.index.files().iter().map(|file| file.id).collect::<Vec<_>>() {
            self.resolve_settings(id, &old_settings);
        }
        self.graphs.regroup(&self.index);
        self.checked.clear();
    }

    /// Whether more than [`MOST_ENTRIES`] lies below the root, so that not all of it is known.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The files to report on, without those that a configuration leaves out.
    fn discover(&mut self) -> Discovery {
        let buffers = self.disk.buffers().keys();
        let buffers: Vec<Target> = buffers.map(|path| Target { path: path.clone(), named: true }).collect();
        if self.scope == Scope::Buffers {
            for target in &buffers {
                let _ = self.resolver.resolve(&self.disk, &target.path);
            }
            let targets = buffers.into_iter().filter(|target| !is_configuration(&target.path)).collect();
            return Discovery { targets, ..Discovery::default() };
        }
        let (resolver, disk, broken) = (&self.resolver, &self.disk, &mut self.broken);
        let root = std::slice::from_ref(&self.root);
        let mut discovery =
            discover(disk, root, &self.root, MOST_ENTRIES, &mut |path| match resolver.resolve(disk, path) {
                Ok(Some(chain)) => chain.meet(path),
                Ok(None) => {}
                Err(error) => note(broken, *error),
            });
        discovery.targets.retain(|target| match resolver.resolve(disk, &target.path) {
            Ok(Some(chain)) => chain.admits(&target.path),
            _ => true,
        });
        discovery
    }

    fn resolve_settings(&mut self, id: FileId, old: &HashMap<PathBuf, Settings>) {
        let Some(path) = self.index.file(id).and_then(|file| file.location.clone()) else { return };
        let settings = match self.resolver.resolve(&self.disk, &path) {
            Ok(Some(chain)) => chain.settings(&path),
            Ok(None) => Settings::default(),
            Err(error) => {
                note(&mut self.broken, *error);
                let kept = self.settings.get(&id).or_else(|| old.get(&path));
                kept.or_else(|| neighbour(old, &path)).cloned().unwrap_or_default()
            }
        };
        self.settings.insert(id, settings);
    }

    /// Puts a text over the disk: a buffer was opened or edited. Gives the files whose findings may change.
    pub fn edit(&mut self, path: &Path, text: Arc<str>) -> BTreeSet<FileId> {
        self.disk.put(path.to_owned(), text);
        self.changed(path)
    }

    /// Takes a buffer away: the disk's text counts again.
    pub fn close(&mut self, path: &Path) -> BTreeSet<FileId> {
        self.disk.remove(path);
        self.changed(path)
    }

    /// Files changed, came or went on disk. Gives the files whose findings may change.
    pub fn touched(&mut self, paths: &[PathBuf]) -> BTreeSet<FileId> {
        let closed = || paths.iter().filter(|path| !self.disk.buffers().contains_key(*path));
        let known = |path: &PathBuf| self.index.at(path).is_some() && path.is_file() && !is_configuration(path);
        if !closed().all(known) {
            self.reload();
            return self.all();
        }
        let closed: Vec<PathBuf> = closed().cloned().collect();
        closed.iter().flat_map(|path| self.changed(path)).collect()
    }

    /// All files.
    pub fn all(&self) -> BTreeSet<FileId> {
        self.index.files().iter().map(|file| file.id).collect()
    }

    /// Lowers a file anew and says which files' findings may change.
    fn changed(&mut self, path: &Path) -> BTreeSet<FileId> {
        let first_seen = self.scope == Scope::Buffers && self.index.at(path).is_none();
        if first_seen || is_configuration(path) {
            self.reload();
            return self.all();
        }
        let Some((id, alike)) = self.place(path) else { return BTreeSet::new() };
        self.resolve_settings(id, &HashMap::new());
        // Scripts are found by the ends of their paths, wherever a command names them.
        let script = self.index.file(id).is_some_and(|file| file.dialect == Dialect::Script);
        if !alike || script {
            self.graphs.regroup(&self.index);
            self.checked.clear();
            return self.all();
        }
        let affected = self.graphs.reach(id, &self.index);
        for id in &affected {
            self.old.push(Box::new(self.checked.remove(id)));
            self.old.push(Box::new(self.graphs.forget(*id)));
        }
        affected
    }

    /// Takes apart what edits replaced: to be called when nobody waits.
    pub fn sweep(&mut self) {
        self.old.clear();
    }

    /// Puts the text that now counts for a path into the index, under the number it has or a new one. Tells whether it
    /// refers to the same files as before.
    fn place(&mut self, path: &Path) -> Option<(FileId, bool)> {
        let known = self.index.at(path).cloned();
        if let Some(known) = known.as_ref().filter(|known| self.configurations.contains_key(&known.id)) {
            return Some((known.id, true));
        }
        let name = shown(path, &self.root);
        let open = self.disk.buffers().contains_key(path);
        let mut file = match self.disk.read(path) {
            Ok(contents) => {
                let kept = known.as_ref().map(|file| file.dialect).filter(|dialect| {
                    matches!(dialect, Dialect::Prompt | Dialect::Script | Dialect::Package | Dialect::Configuration)
                });
                let kept = kept.or(is_configuration(path).then_some(Dialect::Configuration));
                let dialect = kept.or_else(|| dialect_of(path, contents.start(), open)).unwrap_or(Dialect::Unknown);
                super::read::file(path, &name, dialect, contents)
            }
            Err(_) if known.is_some() => lower(path, Source::new(name, ""), Dialect::Unknown),
            Err(_) => return None,
        };
        if let Some(known) = &known {
            file.keep_trees(known);
        }
        let id = known.as_ref().map_or(FileId(self.index.files().len() as u32), |known| known.id);
        self.old.push(Box::new(known));
        file.id = id;
        let file = Arc::new(file);
        let alike = self.index.put(file.clone());
        if !alike {
            for mut more in mentioned_by(&self.disk, &file, &self.index, &self.root) {
                more.id = FileId(self.index.files().len() as u32);
                self.index.put(Arc::new(more));
            }
        }
        if open {
            self.targets.insert(id);
        } else if !self.walked.contains(&id) {
            self.targets.remove(&id);
        }
        Some((id, alike))
    }

    /// The findings at places in a file, as a fresh check of the workspace would report them. Not all of them have the
    /// fix that they could have.
    pub fn findings(&mut self, id: FileId) -> Vec<Finding> {
        self.findings_at(id, false)
    }

    /// The same with fixes.
    pub fn findings_with_fixes(&mut self, id: FileId) -> Vec<Finding> {
        self.findings_at(id, true)
    }

    fn findings_at(&mut self, id: FileId, fixes: bool) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut used = BTreeSet::new();
        let is_target = self.targets.contains(&id);
        // Only those that mention a file find something in it: what is wrong with a prompt shows at its users.
        let users = self.graphs.users(id).iter().chain([&id]).copied().collect::<BTreeSet<_>>();
        let checkers: Vec<FileId> = users.into_iter().filter(|user| is_target || self.targets.contains(user)).collect();
        for checker in &checkers {
            let checked = self.check(*checker, fixes);
            findings.extend(checked.findings.iter().filter(|finding| finding.place.file == id).cloned());
            used.extend(checked.used.iter().copied());
        }
        if scripts_of(&self.index, &checkers).contains(&id) {
            let own = self.check(id, fixes).findings.iter();
            findings.extend(own.filter(|own| own.place.file == id && follows_texts(own.lint)).cloned());
        }
        if let Some(file) = self.index.file(id).cloned()
            && is_target
            && is_judged(&file, &self.index)
        {
            let settings = self.settings(id);
            let failed = self.check(id, fixes).failed.clone();
            findings.extend(suppress::unused(&file, &settings, &used, &failed));
        }
        lints::sort(&mut findings);
        findings
    }

    fn check(&mut self, id: FileId, fixes: bool) -> &Checked {
        if self.checked.get(&id).is_none_or(|(with, _)| fixes && !with) {
            let checked = self.check_now(id, fixes);
            debug_assert!(
                checked.findings.iter().all(|finding| {
                    let elsewhere = finding.place.file;
                    elsewhere == id || self.graphs.users(elsewhere).contains(&id)
                }),
                "a finding in a file that is not mentioned: {:?}",
                checked.findings
            );
            self.checked.insert(id, (fixes, checked));
        }
        &self.checked.entry(id).or_default().1
    }

    fn check_now(&mut self, id: FileId, fixes: bool) -> Checked {
        let Some(file) = self.index.file(id).cloned() else { return Checked::default() };
        let settings = self.settings(id);
        if file.dialect == Dialect::Configuration {
            let Some((chain, layer)) = self.configurations.get(&id) else { return Checked::default() };
            let folder = chain.layers.get(*layer).map(super::config::Layer::folder);
            let whole = self.scope == Scope::Folder && folder.is_some_and(|folder| folder.starts_with(&self.root));
            let findings = review(&self.disk, chain, *layer, id, whole);
            let mut judged = lints::judge(findings, &file, &self.index, &settings);
            if !whole {
                judged.failed.push("unused-configuration");
            }
            return judged;
        }
        let graph = self.graphs.of(id, &settings.flow, &self.index);
        graph.map(|graph| check_one(&file, graph, &self.index, &settings, fixes)).unwrap_or_default()
    }
}

/// Keeps one error for each file.
fn note(broken: &mut Vec<ConfigError>, error: ConfigError) {
    if !broken.iter().any(|known| known.path == error.path) {
        broken.push(error);
    }
}

/// The settings of some file in the same folder: a file that comes while the configuration is broken.
fn neighbour<'a>(old: &'a HashMap<PathBuf, Settings>, path: &Path) -> Option<&'a Settings> {
    old.iter().filter(|(known, _)| known.parent() == path.parent()).min_by_key(|(known, _)| *known).map(|(_, one)| one)
}

/// Whether a path is one of the names of configuration files.
pub fn is_configuration(path: &Path) -> bool {
    path.file_name().is_some_and(|name| NAMES.iter().any(|known| name == *known))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn an_analysis_that_panics_is_a_finding_and_the_session_lives() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        let text = "name: a\nsteps:\n  - id: s\n    comand: ls\n";
        std::fs::write(&path, text).unwrap();
        let mut session = Session::open(folder.path(), Scope::Folder);
        let id = session.file(&path).unwrap().id;
        let lints = |session: &mut Session| session.findings(id).iter().map(|one| one.lint).collect::<Vec<_>>();
        let before = lints(&mut session);
        assert!(before.contains(&"unknown-field"), "{before:?}");
        session.graphs.analyse = |_, _, _| panic!("a test");
        session.edit(&path, format!("{text}# more\n").into());
        let failed = lints(&mut session);
        assert!(failed.contains(&"internal-error") && failed.contains(&"unknown-field"), "{failed:?}");
        assert!(session.graph(id).is_empty());
        session.graphs.analyse = crate::flow::analyse;
        session.edit(&path, text.into());
        assert_eq!(lints(&mut session), before);
    }
}
