//! The run: every file by itself, in parallel, with the same result for any number of threads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::config::{Chain, Choice, ConfigError, Resolver, review};
use super::graphs::{Analysed, ByOptions};
use super::load::{Loaded, Plan, load};
use super::namesakes::namesakes;
use super::{Disk, Note, discover, shown};
use crate::flow::{self, Graph};
use crate::lints::{self, Checked, Context, Finding, Fixes, Group, Settings, suppress};
use crate::recipe::{Dialect, File, FileId, Index, MentionKind};
use crate::text::Source;

/// Stack of a checking thread: parsers are bounded in depth, but frames of a debug build are large.
const STACK: usize = 16 << 20;

/// What to check.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files, folders, globs.
    pub paths: Vec<PathBuf>,
    /// Absolute.
    pub cwd: PathBuf,
    /// Where configurations come from.
    pub config: Choice,
    /// Named files count like those met in folders: only what is recognised and not excluded is checked.
    pub recognised_only: bool,
    /// Findings are to have fixes.
    pub fixes: bool,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// All files that findings may point to.
    pub index: Index,
    /// The files that were asked for.
    pub checked: Vec<FileId>,
    /// By file and place.
    pub findings: Vec<Finding>,
    /// What else the user should know.
    pub notes: Vec<Note>,
}

impl Outcome {
    /// Keeps the findings that some files take part in: their own, and those whose way leads through them.
    pub fn keep_changed(&mut self, changed: &BTreeSet<PathBuf>) {
        let index = &self.index;
        let is_changed = |id: FileId| {
            index.file(id).and_then(|file| file.location.as_ref()).is_some_and(|path| changed.contains(path))
        };
        self.findings.retain(|finding| {
            is_changed(finding.place.file) || finding.related.iter().any(|related| is_changed(related.place.file))
        });
        self.checked.retain(|id| is_changed(*id));
    }
}

/// Finds, reads and checks. `progress` is told how many of how many files are done. Configurations that cannot be read
/// end the run before it starts.
pub fn check(
    disk: &Disk,
    request: &Request,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Outcome, Vec<ConfigError>> {
    let resolver = Resolver::new(request.config.clone());
    let mut discovery = discover(disk, &request.paths, &request.cwd, usize::MAX, &mut |path| {
        if let Ok(Some(chain)) = resolver.resolve(disk, path) {
            chain.meet(path);
        }
    });
    if request.recognised_only {
        discovery.targets.iter_mut().for_each(|target| target.named = false);
    }
    let mut broken: Vec<ConfigError> = Vec::new();
    let met = discovery.targets.len();
    discovery.targets.retain(|target| match resolver.resolve(disk, &target.path) {
        Ok(Some(chain)) => target.named || chain.admits(&target.path),
        Ok(None) => true,
        Err(error) => {
            if !broken.iter().any(|known| known.path == error.path) {
                broken.push(*error);
            }
            false
        }
    });
    if !broken.is_empty() {
        return Err(broken);
    }
    let chains = resolver.chains();
    Ok(in_pool(|| {
        let complete = discovery.targets.len() == met;
        let mut outcome = check_targets(disk, request, &resolver, &chains, &discovery, complete, progress);
        outcome.notes.splice(0..0, discovery.notes.iter().cloned());
        outcome.notes.extend(namesakes(&outcome.index, &outcome.checked));
        outcome
    }))
}

/// Runs something on threads with large stacks.
pub(super) fn in_pool<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().stack_size(STACK).build() {
        Ok(pool) => pool.install(run),
        Err(_) => run(),
    }
}

fn check_targets(
    disk: &Disk,
    request: &Request,
    resolver: &Resolver,
    chains: &[Arc<Chain>],
    discovery: &super::Discovery,
    complete: bool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Outcome {
    let settings_of = |file: &File| -> Settings {
        let path = file.location.as_deref();
        let chain = path.and_then(|path| resolver.resolve(disk, path).ok().flatten().map(|chain| (path, chain)));
        chain.map(|(path, chain)| chain.settings(path)).unwrap_or_default()
    };
    let layers = configuration_files(chains, &request.cwd);
    let search_paths = chains.iter().flat_map(|chain| chain.settings(chain.path()).search_paths).collect();
    let plan =
        Plan { targets: &discovery.targets, folders: &discovery.folders, complete, cwd: &request.cwd, search_paths };
    let Loaded { index, mut checked, notes, extra } = load(disk, &plan, layers.iter().map(|(_, _, file)| file.clone()));
    let scripts = scripts_of(&index, &checked);
    let users = users_of_prompts(&index, &checked);
    let all: BTreeSet<FileId> = checked.iter().copied().chain(users).chain(scripts.iter().copied()).collect();
    let done = AtomicUsize::new(0);
    let check_group = |group: &flow::Group| -> Vec<(FileId, Checked)> {
        let members: Vec<&Arc<File>> =
            group.members.iter().filter(|id| all.contains(id)).filter_map(|id| index.file(*id)).collect();
        let settings: Vec<Settings> = members.iter().map(|file| settings_of(file)).collect();
        let mut graphs = ByOptions::default();
        let check = |(file, settings): (&Arc<File>, Settings)| {
            let graph = graphs.of(group, &settings.flow, &index, flow::analyse);
            let Some(graph) = graph else { return (file.id, Checked::default()) };
            let result = check_one(file, graph, &index, &settings, request.fixes);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, all.len());
            (file.id, result)
        };
        let checked = members.into_iter().zip(settings).map(check).collect();
        // By the thread that made them: another one would have to wait for this one's memory.
        group.members.iter().for_each(|id| index.forget(*id));
        checked
    };
    let mut groups = flow::groups(&index);
    groups.retain(|group| group.members.iter().any(|id| all.contains(id)));
    let mut results: Vec<(FileId, Checked)> = groups.par_iter().flat_map_iter(check_group).collect();
    let asked: BTreeSet<FileId> = checked.iter().copied().collect();
    for (id, result) in &mut results {
        if scripts.contains(id) {
            result.findings.retain(|finding| follows_texts(finding.lint));
        } else if !asked.contains(id) {
            result.findings.retain(|finding| asked.contains(&finding.place.file));
        }
    }
    for ((chain, layer, _), id) in layers.iter().zip(&extra) {
        let folder = chain.layers.get(*layer).map(|layer| layer.folder().to_owned());
        let whole = folder.is_some_and(|folder| discovery.folders.iter().any(|walked| folder.starts_with(walked)));
        let findings = review(disk, chain, *layer, *id, whole);
        if let Some(file) = index.file(*id) {
            let settings = chain.settings(chain.path());
            let mut judged = lints::judge(findings, file, &index, &settings);
            if !whole {
                judged.failed.push("unused-configuration");
            }
            results.push((*id, judged));
        }
        checked.push(*id);
    }
    let told: BTreeSet<FileId> = checked.iter().copied().collect();
    let used: BTreeSet<suppress::Used> = results.iter().flat_map(|(_, result)| result.used.iter().copied()).collect();
    let mut findings = Vec::new();
    for (id, result) in results {
        findings.extend(result.findings);
        if let Some(file) = index.file(id).filter(|file| told.contains(&file.id) && is_judged(file, &index)) {
            findings.extend(suppress::unused(file, &settings_of(file), &used, &result.failed));
        }
    }
    lints::sort(&mut findings);
    Outcome { index, checked, findings, notes }
}

/// The configuration files of a run, each once, with the chain and the layer that it is.
pub(super) fn configuration_files(chains: &[Arc<Chain>], cwd: &Path) -> Vec<(Arc<Chain>, usize, File)> {
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for chain in chains {
        for (at, layer) in chain.layers.iter().enumerate() {
            if seen.insert(layer.path.clone()) {
                let source = Source::new(shown(&layer.path, cwd), layer.source.text.clone());
                let mut file = super::lower(&layer.path, source, Dialect::Configuration);
                file.tree = Some(layer.yaml.clone().into());
                files.push((chain.clone(), at, file));
            }
        }
    }
    files
}

/// The files that use prompts among the checked files and are not themselves checked: what is wrong with a prompt shows
/// only when its user is checked.
fn users_of_prompts(index: &Index, checked: &[FileId]) -> Vec<FileId> {
    let prompts: Vec<FileId> =
        checked.iter().copied().filter(|id| index.file(*id).is_some_and(|file| is_used(file))).collect();
    users_of(index, &prompts).into_iter().filter(|id| !checked.contains(id)).collect()
}

/// The scripts that checked recipes and workflows run and that are not themselves checked: what they do with an agent's
/// text is part of those.
pub(super) fn scripts_of(index: &Index, checked: &[FileId]) -> BTreeSet<FileId> {
    let files = checked.iter().filter_map(|id| index.file(*id));
    let run = files.flat_map(|file| {
        let mentions = file.recipe.mentions.iter().filter(|mention| mention.kind == MentionKind::Script);
        mentions.filter_map(|mention| index.mentioned(file, mention))
    });
    let scripts = run.filter(|file| matches!(file.dialect, Dialect::Script | Dialect::Program));
    scripts.map(|file| file.id).filter(|id| !checked.contains(id)).collect()
}

/// Whether a lint is of a group that follows texts: the others have no say in a script that is only run.
pub(super) fn follows_texts(lint: &str) -> bool {
    lints::lint(lint).is_some_and(|lint| matches!(lint.group, Group::Trust | Group::Verdict | Group::Actions))
}

/// The files that mention one of these.
fn users_of(index: &Index, files: &[FileId]) -> Vec<FileId> {
    if files.is_empty() {
        return Vec::new();
    }
    let uses = |file: &File| {
        let mut used = file.recipe.mentions.iter().filter_map(|mention| index.mentioned(file, mention));
        used.any(|used| files.contains(&used.id))
    };
    index.files().iter().filter(|file| uses(file)).map(|file| file.id).collect()
}

/// Files that have findings through others.
fn is_used(file: &File) -> bool {
    matches!(file.dialect, Dialect::Prompt | Dialect::Script)
}

/// Whether all that can be found in a file was looked for, so that an idle suppression in it is idle: a prompt is judged
/// through its users.
pub(super) fn is_judged(file: &File, index: &Index) -> bool {
    !is_used(file)
        || index.files().iter().any(|user| {
            let mut used = user.recipe.mentions.iter().filter_map(|mention| index.mentioned(user, mention));
            used.any(|used| used.id == file.id)
        })
}

/// The lints of one file; a flow analysis that panicked becomes a finding.
pub(super) fn check_one(file: &File, graph: &Analysed, index: &Index, settings: &Settings, fixes: bool) -> Checked {
    let fixes = &if fixes { Fixes::wanted() } else { Fixes::unwanted() };
    match graph {
        Ok(graph) => lints::check(&Context { file, graph, index, settings, fixes }),
        Err(panic) => {
            let graph = Graph::default();
            let mut checked = lints::check(&Context { file, graph: &graph, index, settings, fixes });
            checked.findings.push(lints::internal_error(file, "the flow analysis", panic.as_ref()));
            checked.failed.extend(lints::lints().iter().map(|lint| lint.id));
            checked
        }
    }
}
