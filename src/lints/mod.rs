//! The lints. A lint is a page (`lints/<id>.md`: level, fix, why, examples) and a function
//! (`src/lints/<group>/<id>.rs`); its group lists it. Lints do no I/O and have no state: everything comes from the
//! [`Context`], findings go to the [`Sink`].

mod actions;
mod check;
mod contract;
pub(crate) mod edits;
mod finding;
mod judge;
mod lint;
mod patterns;
mod problems;
mod quoting;
pub(crate) mod recipe;
mod registry;
pub(crate) mod rewrite;
mod run;
mod settings;
pub mod suppress;
mod trail;
pub(crate) mod trust;
pub(crate) mod verdict;
mod words;

pub use check::{Checked, check, check_file, internal_error, judge, sort};
pub use finding::{Edit, Finding, Fix, Level, Related, Safety, Way};
pub use lint::{FixKind, Group, Lint};
pub(crate) use problems::problems;
pub use registry::{lint, lints};
pub use settings::{OwnVocabulary, Settings};

use std::cell::Cell;

use crate::flow::{Graph, Place};
use crate::recipe::{File, Index};

/// What a lint may look at.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The file that is checked.
    pub file: &'a File,
    /// How texts flow in it and from its parents. Nodes of other files may occur as the way by which a text came.
    pub graph: &'a Graph,
    /// The other files.
    pub index: &'a Index,
    /// Levels, vocabularies, helpers.
    pub settings: &'a Settings,
    /// Whether findings are to have fixes.
    pub fixes: &'a Fixes,
}

/// How many looks for an edit may still be made: a proposal takes one, and so does each of its edits. That takes longer
/// than to find what is mended, and only some reports and an editor's menu show it; each looks through its whole script,
/// so that thousands of them in one would take minutes.
#[derive(Debug)]
pub struct Fixes(Cell<usize>);

impl Fixes {
    /// More looks are not made for one file: what they leave is mended in the next round.
    const MOST: usize = 2_000;

    /// As many as can be made.
    pub fn wanted() -> Self {
        Self(Cell::new(Self::MOST))
    }

    /// None; findings have no fixes.
    pub fn unwanted() -> Self {
        Self(Cell::new(0))
    }

    /// Whether there is to be any at all.
    pub(crate) fn any(&self) -> bool {
        self.0.get() > 0
    }

    /// Takes one look, if there is still one to be had.
    pub(crate) fn take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }
}

/// Where findings go.
#[derive(Debug, Default)]
pub struct Sink {
    /// In the order in which they were met; sorted and made unique by the caller.
    pub findings: Vec<Finding>,
}

impl Sink {
    /// Keeps a finding.
    pub fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

impl Context<'_> {
    /// A place in the checked file.
    pub fn place(&self, span: crate::text::Span) -> Place {
        Place { file: self.file.id, span }
    }
}
