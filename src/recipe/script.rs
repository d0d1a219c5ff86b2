//! Scripts, parsed when their tree is first asked for.

use std::sync::Arc;

use super::lazy::Lazy;
use super::{Holes, inner};
use crate::syntax::shell;
use crate::text::{Fragment, Span};

/// Deepest nesting of programs of inner shells that is read.
const DEEPEST: usize = 3;

/// A script of a recipe.
#[derive(Clone, Debug)]
pub struct Script {
    /// The text and the way back to the file.
    pub fragment: Arc<Fragment>,
    /// Place of the key (`command`, `run`).
    pub key: Span,
    /// `pipefail` is on from the start: GitHub's `shell: bash`.
    pub pipefail: bool,
    /// `set -e` is on from the start: every `run:` of GitHub whose shell is not spelled out otherwise.
    pub errexit: bool,
    /// Holes in it belong to this templating.
    pub holes: Holes,
    /// The script may end where the broken file around it does, so that errors of its syntax say nothing.
    pub cut: bool,
    /// Programs around it: it is the program of an inner shell of an inner shell of ….
    pub(super) depth: usize,
    pub(super) parsed: Lazy<Parsed>,
}

/// What the shell makes of a script.
#[derive(Debug)]
pub struct Parsed {
    /// The tree; its spans are offsets of [`Script::fragment`].
    pub tree: Arc<shell::Script>,
    /// Programs of inner shells (`bash -c '…'`), each with the place of its quotes in [`Script::fragment`].
    pub programs: Vec<(Span, Script)>,
}

impl Script {
    /// A script of which only the text is known so far.
    pub fn new(fragment: Fragment, key: Span, holes: Holes) -> Self {
        Self {
            fragment: Arc::new(fragment),
            key,
            pipefail: false,
            errexit: false,
            holes,
            cut: false,
            depth: 0,
            parsed: Lazy::default(),
        }
    }

    /// The tree; its spans are offsets of [`Script::fragment`].
    pub fn tree(&self) -> Arc<shell::Script> {
        self.parsed().tree.clone()
    }

    /// The tree, and the programs in it.
    pub fn parsed(&self) -> Arc<Parsed> {
        self.parsed.get_or_make(|| {
            let holes = match self.holes {
                Holes::None => shell::Holes::None,
                Holes::Template => shell::Holes::Template,
                Holes::Expression => shell::Holes::Expression,
            };
            let mut tree = shell::parse(self.fragment.text(), shell::Options { holes });
            if self.cut {
                tree.errors.clear();
            }
            let programs = self.programs(&tree);
            Parsed { tree: Arc::new(tree), programs }
        })
    }

    fn programs(&self, tree: &shell::Script) -> Vec<(Span, Self)> {
        if self.depth >= DEEPEST {
            return Vec::new();
        }
        let program = |text: Span| Self::new(self.fragment.part(text.range()), self.key, Holes::None);
        let places = inner::programs(tree, self.fragment.text()).into_iter();
        places.map(|(place, text)| (place, Self { depth: self.depth + 1, ..program(text) })).collect()
    }

    /// Takes the tree of a script that is the same text and read in the same way, if it has one.
    pub(super) fn keep_tree(&mut self, known: &Self) {
        let same = self.holes == known.holes && self.cut == known.cut && self.fragment.text() == known.fragment.text();
        let Some(known) = known.parsed.get().filter(|_| same) else { return };
        let programs = self.programs(&known.tree);
        self.parsed = Arc::new(Parsed { tree: known.tree.clone(), programs }).into();
    }
}
