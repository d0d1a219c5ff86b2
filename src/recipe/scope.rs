//! Which names a recipe knows at which step: from its own context and steps, from the recipes that it extends or runs,
//! and from those that run it.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};

use super::environment::environment_name;
use super::names::{NameUse, Names, Spelling};
use super::{File, FileId, Index, Link};

/// Recipes that call each other are followed this deep; what lies beyond is taken as known.
const MAX_DEPTH: usize = 64;

/// Questions about names, with the answers so far. Made for one file and thrown away.
#[derive(Debug)]
pub struct Scopes<'a> {
    index: &'a Index,
    firsts: RefCell<HashMap<(FileId, String), Option<usize>>>,
    opens: RefCell<HashMap<FileId, Option<usize>>>,
    given: RefCell<HashMap<(FileId, String), Given>>,
    /// See [`Scopes::odd_names`]; of the one file that is asked about.
    odd: OnceCell<HashMap<String, Vec<String>>>,
}

/// What the recipes that run a recipe give it under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// Nobody runs it.
    Root,
    /// All of them give it, or may give it: what one of them does is not known wholly.
    Always,
    /// Those of them that do not give it; the others do.
    Sometimes(Vec<Link>),
    /// None of them gives it.
    Never(Vec<Link>),
}

impl<'a> Scopes<'a> {
    /// No answers yet.
    pub fn new(index: &'a Index) -> Self {
        Self {
            index,
            firsts: RefCell::default(),
            opens: RefCell::default(),
            given: RefCell::default(),
            odd: OnceCell::new(),
        }
    }

    /// The first step at which a recipe knows a name by itself: 0 where it declares it or the recipe that it extends
    /// has it, else one after the step that brings it; `None` where nothing of it does.
    pub fn first(&self, file: FileId, name: &str) -> Option<usize> {
        self.first_within(file, name, 0)
    }

    fn first_within(&self, id: FileId, name: &str, depth: usize) -> Option<usize> {
        let key = (id, name.to_owned());
        if let Some(known) = self.firsts.borrow().get(&key) {
            return *known;
        }
        // A recipe that runs itself brings nothing new.
        self.firsts.borrow_mut().insert(key.clone(), None);
        let found = self.find_first(id, name, depth);
        self.firsts.borrow_mut().insert(key, found);
        found
    }

    fn find_first(&self, id: FileId, name: &str, depth: usize) -> Option<usize> {
        let file = self.index.file(id)?;
        let names = self.index.names(file);
        if names.declared.contains(name) {
            return Some(0);
        }
        let mut best = names.outputs.get(name).and_then(|steps| steps.first()).map(|step| names.after(*step));
        if depth >= MAX_DEPTH {
            return best;
        }
        for call in self.index.calls(id) {
            let from = call.step.map_or(0, |step| names.after(step));
            let brings = self.first_within(call.callee, name, depth + 1).is_some();
            if brings && best.is_none_or(|best| from < best) {
                best = Some(from);
            }
        }
        let argument = names.arguments.get(name).and_then(|steps| steps.first()).map(|step| names.after(*step));
        best.into_iter().chain(argument).min()
    }

    /// The first step at which a recipe may know names that cannot be seen: after a recipe that was not found.
    pub fn open_from(&self, file: FileId) -> Option<usize> {
        self.open_within(file, 0)
    }

    fn open_within(&self, id: FileId, depth: usize) -> Option<usize> {
        if let Some(known) = self.opens.borrow().get(&id) {
            return *known;
        }
        self.opens.borrow_mut().insert(id, None);
        let found = self.find_open(id, depth);
        self.opens.borrow_mut().insert(id, found);
        found
    }

    fn find_open(&self, id: FileId, depth: usize) -> Option<usize> {
        let file = self.index.file(id)?;
        let names = self.index.names(file);
        let calls = self.index.calls(id);
        let lost_parent = file.recipe.extends.is_some() && calls.iter().all(|call| call.step.is_some());
        if lost_parent || depth >= MAX_DEPTH || !file.errors.is_empty() {
            return Some(0);
        }
        let lost = names.calls.iter().copied().filter(|step| calls.iter().all(|call| call.step != Some(*step)));
        let open = calls.iter().filter(|call| self.open_within(call.callee, depth + 1).is_some());
        lost.map(|step| names.after(step)).chain(open.map(|call| call.step.map_or(0, |step| names.after(step)))).min()
    }

    /// What the recipes that run `file` give it under `name`.
    pub fn given(&self, file: FileId, name: &str) -> Given {
        self.given_within(file, name, 0)
    }

    fn given_within(&self, id: FileId, name: &str, depth: usize) -> Given {
        let key = (id, name.to_owned());
        if let Some(known) = self.given.borrow().get(&key) {
            return known.clone();
        }
        self.given.borrow_mut().insert(key.clone(), Given::Always);
        let found = self.find_given(id, name, depth);
        self.given.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_given(&self, id: FileId, name: &str, depth: usize) -> Given {
        let callers: Vec<Link> = self.index.callers(id).iter().filter(|call| call.caller != id).copied().collect();
        if callers.is_empty() {
            return Given::Root;
        }
        if depth >= MAX_DEPTH {
            return Given::Always;
        }
        let (with, without): (Vec<Link>, Vec<Link>) =
            callers.into_iter().partition(|call| self.gives(call, name, depth));
        // A recipe is whole without those that extend it.
        let extending = with.iter().any(|call| call.step.is_none());
        let without: Vec<Link> = without.into_iter().filter(|call| call.step.is_some()).collect();
        if without.is_empty() && with.is_empty() {
            Given::Root
        } else if without.is_empty() || extending {
            Given::Always
        } else if with.is_empty() {
            Given::Never(without)
        } else {
            Given::Sometimes(without)
        }
    }

    fn gives(&self, call: &Link, name: &str, depth: usize) -> bool {
        let Some(caller) = self.index.file(call.caller) else { return false };
        let names = self.index.names(caller);
        let own = match call.step {
            None => names.declared.contains(name),
            Some(step) => {
                let known = |first: Option<usize>| first.is_some_and(|first| first <= names.before(step));
                names.arguments.get(name).is_some_and(|steps| steps.contains(&step))
                    || known(self.first_within(call.caller, name, depth + 1))
                    || known(self.open_within(call.caller, depth + 1))
            }
        };
        own || self.given_within(call.caller, name, depth + 1) == Given::Always
    }

    /// The variables that a place may mean: one by its exact name, for the shell's spellings those whose names it could
    /// stand for.
    pub fn candidates(&self, file: &File, one: &NameUse) -> Vec<String> {
        match one.spelling {
            Spelling::Key | Spelling::Condition => vec![one.name.clone()],
            Spelling::Template => {
                let mut found = vec![one.name.clone()];
                if !one.fields.is_empty() {
                    found.push(one.whole());
                }
                found
            }
            Spelling::Alias => vec![one.name.to_ascii_lowercase(), one.name.clone()],
            Spelling::Variable => {
                let ends = one.name.match_indices("__").map(|(at, _)| at).chain([one.name.len()]);
                let mut found: Vec<String> = ends
                    .filter_map(|end| one.name.get(..end))
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned)
                    .collect();
                // Names with `-` and `.` are written otherwise in the environment.
                let odd = self.odd.get_or_init(|| self.odd_names(file));
                let more: Vec<String> = found.iter().filter_map(|name| odd.get(name)).flatten().cloned().collect();
                found.extend(more);
                found
            }
        }
    }

    /// Names with `-` or `.` of a recipe and of those around it, by how the environment has them.
    fn odd_names(&self, file: &File) -> HashMap<String, Vec<String>> {
        let mut around = BTreeSet::from([file.id]);
        around.extend(self.index.calls(file.id).iter().map(|call| call.callee));
        around.extend(self.index.callers(file.id).iter().map(|call| call.caller));
        let mut found: HashMap<String, Vec<String>> = HashMap::new();
        for file in around.into_iter().filter_map(|id| self.index.file(id)) {
            let names = self.index.names(file);
            let keys = names.uses.iter().filter(|one| one.spelling == Spelling::Key).map(|one| &one.name);
            for name in keys.filter(|name| name.contains(['-', '.'])) {
                let odd = found.entry(environment_name(name)).or_default();
                if !odd.contains(name) {
                    odd.push(name.clone());
                }
            }
        }
        found
    }

    /// All names that a recipe may know, for suggestions.
    pub fn known(&self, file: &File) -> BTreeSet<String> {
        let mut known = BTreeSet::new();
        let mut open = vec![file.id];
        let mut seen: BTreeSet<FileId> = BTreeSet::new();
        while let Some(id) = open.pop() {
            if seen.len() > MAX_DEPTH || !seen.insert(id) {
                continue;
            }
            let Some(file) = self.index.file(id) else { continue };
            let names: std::sync::Arc<Names> = self.index.names(file);
            known.extend(names.uses.iter().filter(|one| one.spelling == Spelling::Key).map(|one| one.name.clone()));
            open.extend(self.index.calls(id).iter().map(|call| call.callee));
            if seen.len() == 1 {
                open.extend(self.index.callers(id).iter().map(|call| call.caller));
            }
        }
        known
    }
}
