//! What a configuration says, as plain data: lints and the flow analysis read it, `workspace` fills it from files.

use std::collections::BTreeMap;

use super::Level;

/// Effective settings for one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Levels that differ from the pages'.
    pub levels: BTreeMap<String, Level>,
    /// Suppressions need a reason.
    pub require_reasons: bool,
    /// Outputs that are agent text although no agent step is seen to make them.
    pub agent_outputs: Vec<String>,
    /// Outputs that are trusted although an agent makes them.
    pub trusted_outputs: Vec<String>,
    /// Own spellings of the pipeline's stages: the words of a command, and the stage it is.
    pub helpers: Vec<Helper>,
    /// Own vocabularies.
    pub vocabularies: Vec<OwnVocabulary>,
    /// Keys that the engine ignores and that are allowed as documentation.
    pub documentation_keys: Vec<String>,
}

/// An own command that is a stage of the canonical pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helper {
    /// The command's first words: `["my-tool", "read-json"]`.
    pub command: Vec<String>,
    /// Which stage.
    pub stage: Stage,
}

/// Stages of the canonical pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Like `extract-json`.
    ExtractJson,
    /// Like `extract-field`.
    ExtractField,
    /// Like `normalise-verdict`.
    NormaliseVerdict,
    /// Like `normalise-loop-verdict`.
    NormaliseLoop,
    /// A normaliser of an own vocabulary, by name.
    Normalise(String),
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
