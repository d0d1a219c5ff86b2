//! `recipelint config --explain FILE`: which files were read, and what holds in the end.

use std::fmt::Write;
use std::path::Path;

use super::resolve::Chain;
use crate::flow::Stage;
use crate::lints::{self, Settings};

/// The chain and the effective values, as text.
pub fn explain(file: &Path, chain: Option<&Chain>) -> String {
    let mut text = format!("configuration of {}\n", file.display());
    let Some(chain) = chain else {
        text.push_str("\nno configuration file was found up to the repository's root; all values are the defaults\n");
        return text;
    };
    text.push_str("\nfiles, later ones win:\n");
    for layer in &chain.layers {
        let _ = writeln!(text, "  {}", layer.path.display());
    }
    let settings = chain.settings(file);
    let _ =
        writeln!(text, "\nchecked when its folder is: {}", if chain.admits(file) { "yes" } else { "no (excluded)" });
    text.push_str("\nlevels that differ from the defaults:\n");
    let mut none = true;
    for lint in lints::lints() {
        if let Some(level) = settings.levels.get(lint.id).filter(|level| **level != lint.level) {
            none = false;
            let _ = writeln!(text, "  {}: {} (default {})", lint.id, level.name(), lint.level.name());
        }
    }
    if none {
        text.push_str("  none\n");
    }
    values(&mut text, &settings);
    text
}

fn values(text: &mut String, settings: &Settings) {
    let list = |values: &[String]| if values.is_empty() { "none".to_owned() } else { values.join(", ") };
    let paths: Vec<String> = settings.search_paths.iter().map(|path| path.display().to_string()).collect();
    let helpers: Vec<String> = settings
        .flow
        .helpers
        .iter()
        .map(|helper| format!("`{}` is {}", helper.command.join(" "), stage(&helper.stage)))
        .collect();
    let vocabularies: Vec<String> = settings
        .vocabularies
        .iter()
        .map(|one| {
            let tokens: Vec<&str> = one.tokens.iter().map(|(token, _, _)| token.as_str()).collect();
            format!("{} ({}; without a verdict {})", one.name, tokens.join(" | "), one.default)
        })
        .collect();
    text.push('\n');
    for (key, value) in [
        ("require-reasons", settings.require_reasons.to_string()),
        ("engine-version", settings.engine_version.clone().unwrap_or_else(|| "the newest known".to_owned())),
        ("search-paths", list(&paths)),
        ("agent-outputs", list(&settings.flow.agent_outputs)),
        ("trusted-outputs", list(&settings.flow.trusted_outputs)),
        ("helpers", list(&helpers)),
        ("vocabularies", list(&vocabularies)),
        ("documentation-keys", list(&settings.documentation_keys)),
    ] {
        let _ = writeln!(text, "{key}: {value}");
    }
}

fn stage(stage: &Stage) -> String {
    match stage {
        Stage::ExtractJson => "extract-json".to_owned(),
        Stage::ExtractField => "extract-field".to_owned(),
        Stage::NormaliseVerdict => "normalise-verdict".to_owned(),
        Stage::NormaliseLoop => "normalise-loop-verdict".to_owned(),
        Stage::NormaliseType => "normalise-type".to_owned(),
        Stage::ExtractWhole => "extract-whole".to_owned(),
        Stage::Normalise(vocabulary) => format!("normalise to {vocabulary}"),
    }
}
