//! What a configuration file may say. These types are its documentation, its reader and its JSON Schema.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::lints::{self, Level};

/// Configuration of recipelint: `recipelint.yaml` or `.recipelint.yaml`, nearest to the checked file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
#[schemars(title = "recipelint.yaml")]
pub struct Config {
    /// Configuration files that this one builds on, relative to it. What is said here wins; lists are joined.
    pub extends: Option<OneOrMore>,
    /// Only files that match one of these globs are checked when a folder is. A glob with a `/` is relative to the folder
    /// of this file, one without is compared with names in any folder; a folder stands for all in it.
    pub include: Vec<String>,
    /// Files that match one of these globs are left out when a folder is checked. A file that is named on the command line
    /// is checked all the same.
    pub exclude: Vec<String>,
    /// Levels by lint id.
    #[schemars(schema_with = "levels_schema")]
    pub levels: BTreeMap<String, Level>,
    /// Levels for some files; later entries win.
    pub overrides: Vec<Override>,
    /// Whether each suppression must give a reason.
    pub require_reasons: Option<bool>,
    /// Version of the recipe engine that the recipes run on, such as `0.3.6`.
    pub engine_version: Option<String>,
    /// Folders in which the engine looks for sub-recipes first, relative to this file: what its option `-R` is given.
    pub search_paths: Vec<String>,
    /// Names of outputs and variables that hold an agent's prose although no agent step is seen to write them.
    pub agent_outputs: Vec<String>,
    /// Names of outputs that may be trusted although an agent step writes them.
    pub trusted_outputs: Vec<String>,
    /// Own commands that are stages of the verdict pipeline.
    pub helpers: Vec<HelperConfig>,
    /// Own vocabularies of verdicts.
    pub vocabularies: Vec<VocabularyConfig>,
    /// Keys that the engine ignores and that are allowed as documentation.
    pub documentation_keys: Vec<String>,
}

/// One text or a list of them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OneOrMore {
    /// One.
    One(String),
    /// Several, in order.
    More(Vec<String>),
}

impl OneOrMore {
    /// All of them.
    pub fn all(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::More(all) => all,
        }
    }
}

/// Levels for some files.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Override {
    /// Globs, relative to the folder of the configuration file.
    pub files: Vec<String>,
    /// Levels by lint id.
    #[schemars(schema_with = "levels_schema")]
    pub levels: BTreeMap<String, Level>,
}

/// An own command that is a stage of the verdict pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct HelperConfig {
    /// The first words of the command: `my-tool read-json`, or a list of them.
    pub command: OneOrMore,
    /// Which stage it is.
    pub stage: StageConfig,
    /// The vocabulary it normalises to, for the stage `normalise`.
    pub vocabulary: Option<String>,
}

/// Stages of the verdict pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StageConfig {
    /// Finds the JSON object in an agent's answer; `--require-field F` names the field it must have.
    ExtractJson,
    /// Reads one field of an object; `--field F --default D`.
    ExtractField,
    /// Maps a work verdict to its canonical token; what it does not know degrades.
    NormaliseVerdict,
    /// Maps a loop verdict to its canonical token; what it does not know stops.
    NormaliseLoopVerdict,
    /// Maps a task type to its canonical token.
    NormaliseType,
    /// A contract of its own: takes the answer out of a tag, or the last object that parses.
    ExtractWhole,
    /// Maps to the tokens of an own vocabulary.
    Normalise,
}

/// An own vocabulary of verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct VocabularyConfig {
    /// Its name.
    pub name: String,
    /// The fields whose values it describes.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Its tokens.
    pub tokens: Vec<TokenConfig>,
    /// The token that stands for "no verdict": a safe one, which opens no gate.
    pub default: String,
}

/// A token of a vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct TokenConfig {
    /// The canonical spelling.
    pub token: String,
    /// Other spellings with the same meaning.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// Whether it lets a gate pass.
    #[serde(default)]
    pub passes: bool,
}

/// An object whose keys are the known lints.
fn levels_schema(generator: &mut SchemaGenerator) -> Schema {
    let level = generator.subschema_for::<Level>();
    let mut properties = serde_json::Map::new();
    for lint in lints::lints() {
        let mut property = level.clone();
        property.insert("description".to_owned(), format!("{} (default: {})", lint.summary, lint.level.name()).into());
        properties.insert(lint.id.to_owned(), property.into());
    }
    json_schema!({
        "description": "Levels by lint id.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

/// The JSON Schema of the configuration file, for editors.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(Config);
    close(&mut schema);
    schema.to_value()
}

/// No object takes other keys than its own, so that an editor marks them.
fn close(schema: &mut Schema) {
    if let Some(object) = schema.as_object_mut()
        && object.contains_key("properties")
    {
        object.insert("additionalProperties".to_owned(), false.into());
    }
    schemars::transform::transform_subschemas(&mut close, schema);
}
