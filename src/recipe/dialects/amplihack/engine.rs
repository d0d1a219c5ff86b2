//! The engine's own types, to ask `serde_yaml` itself about text that the rules of this dialect do not settle: tags,
//! aliases, odd keys, characters of YAML 1.1. (`src/models.rs` of amplihack-recipe-runner 0.3.6.)

use std::collections::HashMap;

use serde::Deserialize;

/// A recipe as the engine reads it; only what it refuses matters.
#[derive(Deserialize)]
#[allow(dead_code, reason = "read for its errors only")]
pub(super) struct Recipe {
    name: String,
    #[serde(default)]
    steps: Vec<Step>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    author: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    context: HashMap<String, serde_json::Value>,
    #[serde(default)]
    context_validation: HashMap<String, String>,
    #[serde(default)]
    recursion: Recursion,
    #[serde(default)]
    hooks: Hooks,
    extends: Option<String>,
}

#[derive(Deserialize, Default)]
#[allow(dead_code, reason = "read for its errors only")]
struct Recursion {
    #[serde(default)]
    max_depth: u32,
    #[serde(default)]
    max_total_steps: u32,
}

#[derive(Deserialize, Default)]
#[allow(dead_code, reason = "read for its errors only")]
struct Hooks {
    pre_step: Option<String>,
    post_step: Option<String>,
    on_error: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Bash,
    Agent,
    Recipe,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "read for its errors only")]
struct Step {
    id: String,
    #[serde(rename = "type", default)]
    kind: Option<Kind>,
    command: Option<String>,
    agent: Option<String>,
    prompt: Option<String>,
    output: Option<String>,
    condition: Option<String>,
    #[serde(default)]
    parse_json: bool,
    #[serde(default)]
    parse_json_required: bool,
    mode: Option<String>,
    working_dir: Option<String>,
    timeout: Option<u64>,
    auto_stage: Option<bool>,
    recipe: Option<String>,
    context: Option<HashMap<String, serde_json::Value>>,
    #[serde(default, alias = "nonfatal")]
    continue_on_error: bool,
    #[serde(default)]
    fatal: bool,
    parallel_group: Option<String>,
    #[serde(default)]
    when_tags: Vec<String>,
    #[serde(default)]
    recovery_on_failure: bool,
    model: Option<String>,
}

#[cfg(test)]
impl Recipe {
    /// The checks that the engine's `RecipeParser::parse` makes after reading.
    pub(super) fn is_complete(&self) -> bool {
        let mut ids: Vec<&str> = self.steps.iter().map(|step| step.id.as_str()).collect();
        ids.sort_unstable();
        let unique = ids.windows(2).all(|pair| pair.first() != pair.last());
        !self.name.is_empty() && !self.steps.is_empty() && unique && ids.first() != Some(&"")
    }
}
