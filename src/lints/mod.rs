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
    /// Whether findings are to have fixes. To make them takes longer than to find what they mend, and only some reports
    /// and an editor's menu show them.
    pub fixes: bool,
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
