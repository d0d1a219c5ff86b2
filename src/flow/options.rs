//! What the user told about own commands and outputs.

/// Settings of the flow analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Outputs that are agent text although no agent step is seen to make them.
    pub agent_outputs: Vec<String>,
    /// Outputs that are trusted although an agent makes them.
    pub trusted_outputs: Vec<String>,
    /// Own spellings of the pipeline's stages.
    pub helpers: Vec<Helper>,
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
    /// Like `normalise-type`.
    NormaliseType,
    /// A normaliser of an own vocabulary, by name.
    Normalise(String),
    /// Tag extraction, or the last object that parses: a contract of its own.
    ExtractWhole,
}
