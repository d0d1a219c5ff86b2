//! Which recipe runs or extends which, by the engine's own search (`find_recipe_path` in `src/runner/mod.rs` and
//! `src/runner/sub_recipe_paths.rs` of amplihack-recipe-runner 0.3.6).

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Action, Dialect, File, FileId};

/// Folders with recipes below the working directory and its parents.
const BUNDLES: &[&str] = &["amplifier-bundle/recipes", "src/amplihack/amplifier-bundle/recipes", ".claude/recipes"];

/// So many times callers of callers are asked for their folders.
const ROUNDS: usize = 4;

/// A recipe that runs or extends another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Who calls.
    pub caller: FileId,
    /// The step that calls; `None` where the caller extends the callee.
    pub step: Option<usize>,
    /// Who is called.
    pub callee: FileId,
}

/// The calls of a workspace, and the names of its recipes.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// By caller.
    pub calls: HashMap<FileId, Vec<Link>>,
    /// By callee.
    pub callers: HashMap<FileId, Vec<Link>>,
    /// By the file's number: the first recipe of the circle in which it stands; itself where it stands in none.
    circles: Vec<FileId>,
}

/// A name in a recipe that should lead to another one.
struct Reference<'a> {
    file: &'a File,
    step: Option<usize>,
    name: &'a str,
}

/// Whether the engine looks for a sub-recipe of this name at all (`validate_sub_recipe_name`).
pub fn is_sub_recipe_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// Whether the engine looks for a parent of this name at all (`is_safe_recipe_name`).
pub fn is_parent_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']) && !name.contains("..")
}

impl Links {
    pub(super) fn new(
        files: &[Arc<File>],
        by_location: &HashMap<PathBuf, FileId>,
        root: Option<&Path>,
        search_paths: &[PathBuf],
    ) -> Self {
        let mut links = Self::default();
        let find = |folder: &Path, name: &str| {
            let found =
                ["yaml", "yml"].iter().find_map(|ending| by_location.get(&folder.join(format!("{name}.{ending}"))));
            found.copied().filter(|id| is_recipe(files, *id))
        };
        let mut open: Vec<Reference<'_>> = files.iter().flat_map(references).collect();
        open.retain(|reference| {
            let folders = folders(reference.file, root, search_paths);
            let found = folders.iter().find_map(|folder| find(folder, reference.name));
            let Some(callee) = found else { return true };
            links.add(reference, callee);
            false
        });
        for _ in 0..ROUNDS {
            let before = open.len();
            open.retain(|reference| {
                let origins = links.origins(reference.file.id);
                let folder_of = |id: &FileId| files.get(id.0 as usize)?.location.as_deref()?.parent();
                let found = origins.iter().filter_map(folder_of).find_map(|folder| find(folder, reference.name));
                let Some(callee) = found else { return true };
                links.add(reference, callee);
                false
            });
            if open.len() == before {
                break;
            }
        }
        links.circles = links.find_circles(files.len());
        links
    }

    pub(super) fn is_cyclic(&self, link: &Link) -> bool {
        let circle = |id: FileId| self.circles.get(id.0 as usize);
        circle(link.caller).is_some() && circle(link.caller) == circle(link.callee)
    }

    /// Strongly connected components, by two walks: one that notes when a recipe is done, and one against the calls,
    /// from the last that was done.
    fn find_circles(&self, count: usize) -> Vec<FileId> {
        let mut done = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        for start in (0..count).map(|at| FileId(at as u32)) {
            let mut open = vec![(start, 0)];
            while let Some((id, next)) = open.pop() {
                if next == 0 && seen.get_mut(id.0 as usize).is_none_or(|seen| std::mem::replace(seen, true)) {
                    continue;
                }
                match self.calls.get(&id).and_then(|calls| calls.get(next)) {
                    Some(call) => open.extend([(id, next + 1), (call.callee, 0)]),
                    None => done.push(id),
                }
            }
        }
        let mut circles: Vec<FileId> = vec![FileId(u32::MAX); count];
        for start in done.into_iter().rev() {
            let mut open = vec![start];
            while let Some(id) = open.pop() {
                let Some(slot) = circles.get_mut(id.0 as usize).filter(|slot| slot.0 == u32::MAX) else { continue };
                *slot = start;
                open.extend(self.callers.get(&id).into_iter().flatten().map(|call| call.caller));
            }
        }
        circles
    }

    fn add(&mut self, reference: &Reference<'_>, callee: FileId) {
        let call = Link { caller: reference.file.id, step: reference.step, callee };
        self.calls.entry(call.caller).or_default().push(call);
        self.callers.entry(callee).or_default().push(call);
    }

    /// Recipes that may be the one with which a run of `file` began: the engine looks in the folder of that one.
    fn origins(&self, file: FileId) -> Vec<FileId> {
        let mut found = vec![file];
        let mut at = 0;
        while let Some(id) = found.get(at).copied() {
            for call in self.callers.get(&id).into_iter().flatten() {
                if !found.contains(&call.caller) && found.len() < 64 {
                    found.push(call.caller);
                }
            }
            at += 1;
        }
        found
    }
}

/// Whether two texts of the same file lead to the same other files from the same steps, so that an edit from one to the
/// other changes nothing between files.
pub(super) fn refer_alike(one: &File, other: &File) -> bool {
    fn called(file: &File) -> impl Iterator<Item = Option<&str>> {
        let steps = file.recipe.steps.iter().map(|step| match &step.action {
            Action::Recipe(call) => Some(call.name.value.as_str()),
            Action::Uses(uses) => Some(uses.action.value.as_str()),
            _ => None,
        });
        let jobs = file.recipe.jobs.iter().map(|job| job.call.as_ref().map(|uses| uses.action.value.as_str()));
        steps.chain(jobs)
    }
    fn mentioned(file: &File) -> impl Iterator<Item = (&str, super::Base, super::MentionKind)> {
        file.recipe.mentions.iter().map(|mention| (mention.path.value.as_str(), mention.base, mention.kind))
    }
    let extended = |file: &File| file.recipe.extends.as_ref().map(|name| name.value.clone());
    one.location == other.location
        && one.dialect == other.dialect
        && one.recipe.steps.len() == other.recipe.steps.len()
        && extended(one) == extended(other)
        && called(one).eq(called(other))
        && mentioned(one).eq(mentioned(other))
}

fn is_recipe(files: &[Arc<File>], id: FileId) -> bool {
    files.get(id.0 as usize).is_some_and(|file| file.dialect == Dialect::Amplihack)
}

fn references(file: &Arc<File>) -> impl Iterator<Item = Reference<'_>> {
    let recipe = &file.recipe;
    let ours = file.dialect == Dialect::Amplihack;
    let parent = recipe.extends.as_ref().filter(|name| ours && is_parent_name(&name.value));
    let parent = parent.map(|name| Reference { file, step: None, name: &name.value });
    let calls = recipe.steps.iter().enumerate().filter_map(move |(at, step)| match &step.action {
        Action::Recipe(call) if ours && is_sub_recipe_name(&call.name.value) => {
            Some(Reference { file, step: Some(at), name: &call.name.value })
        }
        _ => None,
    });
    parent.into_iter().chain(calls)
}

/// Where the engine looks for the recipes that a file names, in its order: folders that it is told (`-R`), the folder of
/// the recipe with which the run began, the working directory, and the bundles of that and its parents. The working
/// directory may be any folder above the recipe.
fn folders(file: &File, root: Option<&Path>, search_paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = search_paths.to_vec();
    let own = file.location.as_deref().and_then(Path::parent);
    found.extend(own.map(Path::to_owned));
    found.extend(root.map(Path::to_owned));
    let above = own.into_iter().flat_map(Path::ancestors);
    let above = above.take_while(|folder| root.is_none_or(|root| folder.starts_with(root))).chain(root);
    found.extend(above.flat_map(|folder| BUNDLES.iter().map(|bundle| folder.join(bundle))));
    found
}

/// Recipes by the name under which the engine finds them (their file's), for suggestions.
pub(super) fn by_stem(files: &[Arc<File>]) -> BTreeMap<String, Vec<FileId>> {
    let mut found: BTreeMap<String, Vec<FileId>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.dialect == Dialect::Amplihack) {
        if let Some(stem) = file.source.path.file_stem().and_then(|stem| stem.to_str()) {
            found.entry(stem.to_owned()).or_default().push(file.id);
        }
    }
    found
}
