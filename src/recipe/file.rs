//! A file of the workspace with everything that was read from it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Action, Dialect, Lazy, Recipe, Script, dialects};
use crate::syntax::yaml;
use crate::text::{Source, SyntaxError};

/// Number of a file in its workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A file that was read and lowered. Immutable; an edit makes a new one.
#[derive(Clone, Debug)]
pub struct File {
    /// Its number.
    pub id: FileId,
    /// Text and lines.
    pub source: Source,
    /// Absolute path on disk; `None` for a buffer that was never saved.
    pub location: Option<PathBuf>,
    /// Which format it is.
    pub dialect: Dialect,
    /// For the formats that are YAML or have a YAML frontmatter: see [`File::yaml`].
    pub tree: Option<Lazy<yaml::Document>>,
    /// The model.
    pub recipe: Recipe,
    /// Why it could not be read, or not wholly (not UTF-8, too large, broken YAML): reported as `invalid-yaml` where
    /// the format is YAML.
    pub errors: Vec<SyntaxError>,
}

impl File {
    /// Its YAML tree, for the formats that are YAML or have a YAML frontmatter.
    pub fn yaml(&self) -> Option<Arc<yaml::Document>> {
        self.tree.as_ref().map(|tree| tree.get_or_make(|| dialects::yaml(self.dialect, &self.source.text)))
    }

    /// Drops the trees of the text and of its scripts; who asks for them gets them made again.
    pub fn drop_trees(&self) {
        drop(self.tree.as_ref().map(Lazy::take));
        self.recipe.scripts().for_each(|(_, script)| drop(script.parsed.take()));
    }

    /// Takes over the trees of scripts that are as they were before an edit: it changes one of them, as a rule.
    pub fn keep_trees(&mut self, before: &File) {
        let known: HashMap<&str, &Script> =
            before.recipe.scripts().map(|(_, script)| (script.fragment.text(), script)).collect();
        for script in self.scripts_mut() {
            if let Some(known) = known.get(script.fragment.text()) {
                script.keep_tree(known);
            }
        }
    }

    fn scripts_mut(&mut self) -> impl Iterator<Item = &mut Script> {
        let steps = self.recipe.steps.iter_mut().filter_map(|step| match &mut step.action {
            Action::Script(script) => Some(script),
            _ => None,
        });
        steps.chain(self.recipe.hooks.iter_mut().map(|(_, script)| script))
    }
}
