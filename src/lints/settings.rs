//! What a configuration says, as plain data: lints and the flow analysis read it, `workspace` fills it from files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Level;
use crate::flow::Options;

/// Effective settings for one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Levels that differ from the pages'.
    pub levels: BTreeMap<String, Level>,
    /// Suppressions need a reason.
    pub require_reasons: bool,
    /// Own outputs and commands, for the flow analysis.
    pub flow: Options,
    /// Own vocabularies.
    pub vocabularies: Vec<OwnVocabulary>,
    /// Keys that the engine ignores and that are allowed as documentation.
    pub documentation_keys: Vec<String>,
    /// Folders in which the engine looks for sub-recipes before its own (`-R`), absolute, in order.
    pub search_paths: Vec<PathBuf>,
    /// The engine's version as written, where the configuration states it.
    pub engine_version: Option<String>,
}

impl Settings {
    /// The level that the configuration gives a lint.
    pub fn level(&self, lint: &str) -> Option<Level> {
        self.levels.get(lint).copied()
    }
}

/// A vocabulary of verdict tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnVocabulary {
    /// Its name.
    pub name: String,
    /// Field names whose values it describes.
    pub fields: Vec<String>,
    /// Canonical tokens with their synonyms; `true` for those that let a gate pass.
    pub tokens: Vec<(String, Vec<String>, bool)>,
    /// What no verdict becomes.
    pub default: String,
}
