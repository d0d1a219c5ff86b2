//! The keys of an amplihack recipe as data: what the engine reads (`src/models.rs` of amplihack-recipe-runner 0.3.6),
//! and what authors write that it silently ignores.

/// A key that the engine reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it may hold.
    pub holds: Holds,
    /// The value where it is not written; empty where there is none.
    pub default: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// The kinds of step that use it; empty: all.
    pub kinds: &'static [Kind],
}

/// Kinds of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A script.
    Bash,
    /// An agent.
    Agent,
    /// Another recipe.
    Recipe,
}

impl Kind {
    /// All, as `type:` names them.
    pub const ALL: &[(&str, Self)] = &[("bash", Self::Bash), ("agent", Self::Agent), ("recipe", Self::Recipe)];

    /// As `type:` names it.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// What a key may hold, as `serde_yaml` 0.9 reads it into the engine's types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A text; every scalar is one (`String`).
    Text,
    /// A text, or null for none (`Option<String>`).
    OptionalText,
    /// `true` or `false`, not `yes`, not quoted (`bool`).
    Flag,
    /// The same, or null for none (`Option<bool>`).
    OptionalFlag,
    /// A whole number from 0, or null for none (`Option<u64>`).
    OptionalCount,
    /// A whole number from 0 (`u32`).
    SmallCount,
    /// A list of texts (`Vec<String>`).
    Texts,
    /// A mapping of names to any values (`HashMap<String, serde_json::Value>`).
    Values,
    /// The same, or null for none.
    OptionalValues,
    /// A mapping of names to texts (`HashMap<String, String>`).
    TextByName,
    /// `bash`, `agent` or `recipe`, or null for none (`Option<StepType>`).
    OptionalKind,
    /// The steps (`Vec<Step>`).
    Steps,
    /// A mapping with keys of its own.
    Keys(&'static [Key]),
}

impl Holds {
    /// What is allowed, to be read after "must be".
    pub fn allowed(self) -> &'static str {
        match self {
            Self::Text | Self::OptionalText => "a text",
            Self::Flag | Self::OptionalFlag => "`true` or `false`, without quotes",
            Self::OptionalCount | Self::SmallCount => "a whole number, 0 or more, without quotes",
            Self::Texts => "a list of texts",
            Self::Values | Self::OptionalValues => "a mapping of names to values",
            Self::TextByName => "a mapping of names to texts",
            Self::OptionalKind => "`bash`, `agent` or `recipe`",
            Self::Steps => "a list of steps",
            Self::Keys(_) => "a mapping",
        }
    }
}

const fn key(name: &'static str, holds: Holds, default: &'static str, about: &'static str) -> Key {
    Key { name, holds, default, about, kinds: &[] }
}

const fn only(kinds: &'static [Kind], name: &'static str, holds: Holds, about: &'static str) -> Key {
    Key { name, holds, default: "", about, kinds }
}

/// Keys of the recipe.
pub const TOP: &[Key] = &[
    key("name", Holds::Text, "", "The recipe's name, for people and logs; other recipes call it by its file's name."),
    key("steps", Holds::Steps, "", "The steps, which run in this order."),
    key("description", Holds::Text, "", "What the recipe does."),
    key("version", Holds::Text, "1.0.0", "The recipe's version."),
    key("author", Holds::Text, "", "Who wrote it."),
    key("tags", Holds::Texts, "", "Words to find the recipe by."),
    key(
        "context",
        Holds::Values,
        "",
        "Variables with their defaults; the command line and calling recipes override them.",
    ),
    key(
        "context_validation",
        Holds::TextByName,
        "",
        "What a variable must be before the first step runs: `nonempty`, `git_repo`, `path` or `optional`.",
    ),
    key("recursion", Holds::Keys(RECURSION), "", "How deep recipes may call each other, and how many steps may run."),
    key("hooks", Holds::Keys(HOOKS), "", "Shell commands that run around every step."),
    key("extends", Holds::OptionalText, "", "A recipe whose steps run before these, and whose context is taken over."),
];

/// Keys of `recursion`.
pub const RECURSION: &[Key] = &[
    key("max_depth", Holds::SmallCount, "6", "How deep recipes may call each other."),
    key("max_total_steps", Holds::SmallCount, "200", "How many steps may run in all."),
];

/// Keys of `hooks`.
pub const HOOKS: &[Key] = &[
    key("pre_step", Holds::OptionalText, "", "Runs before each step, for 30 seconds at most."),
    key("post_step", Holds::OptionalText, "", "Runs after each step that did not fail."),
    key("on_error", Holds::OptionalText, "", "Runs after each step that failed."),
];

/// Keys of a step.
pub const STEP: &[Key] = &[
    key("id", Holds::Text, "", "The step's name, once in a recipe."),
    key("type", Holds::OptionalKind, "", "`bash`, `agent` or `recipe`; without it the other keys decide."),
    only(&[Kind::Bash], "command", Holds::OptionalText, "The bash script."),
    only(&[Kind::Agent], "agent", Holds::OptionalText, "Whose instructions the agent gets: `namespace:name`."),
    only(&[Kind::Agent], "prompt", Holds::OptionalText, "What the agent is asked."),
    key("output", Holds::OptionalText, "", "The variable that keeps what the step printed."),
    key("condition", Holds::OptionalText, "", "The step is skipped when this is false."),
    key("parse_json", Holds::Flag, "false", "The output is read as JSON; the first object or array that parses wins."),
    key("parse_json_required", Holds::Flag, "false", "The step fails when its output holds no JSON."),
    only(&[Kind::Agent], "mode", Holds::OptionalText, "The agent's mode."),
    key("working_dir", Holds::OptionalText, "", "Where the step runs; templates are filled."),
    key("timeout", Holds::OptionalCount, "", "Seconds after which a bash step is stopped."),
    only(&[Kind::Agent], "auto_stage", Holds::OptionalFlag, "Whether changed files are staged after an agent step."),
    only(&[Kind::Recipe], "recipe", Holds::OptionalText, "The recipe that runs, by its file's name."),
    only(
        &[Kind::Recipe],
        "context",
        Holds::OptionalValues,
        "Variables for the recipe that runs; templates are filled.",
    ),
    key("continue_on_error", Holds::Flag, "false", "The recipe goes on when the step fails."),
    key("nonfatal", Holds::Flag, "false", "The same as `continue_on_error`."),
    key("fatal", Holds::Flag, "true", "`fatal: false` is the same as `continue_on_error: true`."),
    key("parallel_group", Holds::OptionalText, "", "Neighbouring steps of one group run at the same time."),
    key("when_tags", Holds::Texts, "", "The step runs only where one of these tags is asked for."),
    only(&[Kind::Recipe], "recovery_on_failure", Holds::Flag, "An agent is asked to save a failed recipe."),
    only(&[Kind::Agent], "model", Holds::OptionalText, "The agent's model."),
];

/// Words that `context_validation` knows; for another one the engine writes a line to its log and checks nothing.
pub const CHECKS: &[&str] = &["nonempty", "git_repo", "path", "optional", ""];

/// A key that the engine ignores, although authors write it.
#[derive(Clone, Copy, Debug)]
pub struct Ignored {
    /// As it is written.
    pub name: &'static str,
    /// What happens instead, or what to write.
    pub instead: &'static str,
    /// The key that does what was meant.
    pub rename: Option<&'static str>,
    /// The renamed key has the same meaning for the same value.
    pub certain: bool,
}

const fn means(name: &'static str, rename: &'static str, certain: bool) -> Ignored {
    Ignored { name, instead: "", rename: Some(rename), certain }
}

const fn ignored(name: &'static str, instead: &'static str) -> Ignored {
    Ignored { name, instead, rename: None, certain: false }
}

/// Ignored keys of the recipe.
pub const IGNORED_TOP: &[Ignored] = &[
    Ignored {
        name: "inputs",
        instead: "variables are declared, with their defaults, under `context`",
        rename: Some("context"),
        certain: false,
    },
    Ignored {
        name: "parameters",
        instead: "variables are declared, with their defaults, under `context`",
        rename: Some("context"),
        certain: false,
    },
    means("variables", "context", false),
    means("vars", "context", false),
    means("defaults", "context", false),
    means("env", "context", false),
    ignored(
        "output",
        "every output of a step stays in the context under its own name, and so reaches the calling recipe",
    ),
    ignored(
        "outputs",
        "every output of a step stays in the context under its own name, and so reaches the calling recipe",
    ),
    ignored("default_step_timeout", "each bash step needs its own `timeout`"),
    ignored("timeout", "each bash step needs its own `timeout`"),
    ignored(
        "error_handling",
        "a step goes on after a failure with `continue_on_error`, and `hooks.on_error` runs a command",
    ),
    ignored("on_error", "the command belongs under `hooks`, as `on_error`"),
    ignored("pre_step", "the command belongs under `hooks`"),
    ignored("post_step", "the command belongs under `hooks`"),
    ignored("max_depth", "it belongs under `recursion`"),
    ignored("max_total_steps", "it belongs under `recursion`"),
    ignored("metadata", ""),
    ignored("config", ""),
    ignored("integration", ""),
    means("title", "name", false),
    means("validation", "context_validation", false),
    means("include", "extends", false),
    means("parent", "extends", false),
];

/// Ignored keys of a step.
pub const IGNORED_STEP: &[Ignored] = &[
    means("sub_context", "context", true),
    means("sub_recipe", "recipe", true),
    means("inputs", "context", false),
    means("with", "context", false),
    means("parameters", "context", false),
    means("variables", "context", false),
    ignored("env", "a script finds every variable of the context as `$RECIPE_VAR_name`"),
    ignored("outputs", "a step keeps one text, under the name that `output` gives"),
    ignored("depends_on", "steps run in the order in which they are written"),
    ignored("needs", "steps run in the order in which they are written"),
    ignored("after", "steps run in the order in which they are written"),
    ignored("on_error", "a failing step stops the recipe unless it has `continue_on_error: true`"),
    ignored("on_failure", "a failing step stops the recipe unless it has `continue_on_error: true`"),
    means("allow_failure", "continue_on_error", true),
    means("ignore_errors", "continue_on_error", true),
    means("continue_on_failure", "continue_on_error", true),
    means("non_fatal", "nonfatal", true),
    ignored("retry", "the engine runs a step once"),
    ignored("retries", "the engine runs a step once"),
    ignored("max_retries", "the engine runs a step once"),
    ignored("max_env_value_bytes", "the engine has one limit for all variables together"),
    ignored("max_iterations", "the engine has no loops"),
    ignored("until", "the engine has no loops"),
    ignored("while", "the engine has no loops"),
    ignored("loop", "the engine has no loops"),
    ignored("items", "the engine has no loops"),
    ignored("foreach", "the engine has no loops"),
    ignored("actions", "a step does one thing: `command`, `prompt` or `recipe`"),
    ignored("steps", "a step does one thing; a list of steps goes into a recipe of its own"),
    ignored("skill", "a skill is named in the `prompt` of an agent step"),
    means("task", "prompt", false),
    means("instructions", "prompt", false),
    means("system_prompt", "prompt", false),
    means("run", "command", true),
    means("script", "command", true),
    means("bash", "command", true),
    means("shell", "command", false),
    means("if", "condition", false),
    means("when", "condition", false),
    means("cwd", "working_dir", true),
    means("workdir", "working_dir", true),
    means("working_directory", "working_dir", true),
    means("timeout_seconds", "timeout", true),
    means("timeout_secs", "timeout", true),
    means("json", "parse_json", true),
    means("parse_output", "parse_json", false),
    means("parallel", "parallel_group", false),
    means("group", "parallel_group", false),
    means("tags", "when_tags", true),
    means("register", "output", true),
    means("output_var", "output", true),
    ignored("name", "the engine shows the step's `id`"),
    ignored("description", "the engine shows the step's `id`"),
    ignored("comment", "a comment starts with `#`"),
    ignored("notes", "a comment starts with `#`"),
    ignored("<<", "the engine's YAML reader does not merge mappings, so none of these keys is there"),
];

/// A known key by its name.
pub fn known(keys: &'static [Key], name: &str) -> Option<&'static Key> {
    keys.iter().find(|key| key.name == name)
}

/// The known key that an unknown one is most likely a slip for, and whether that is certain: letters that were
/// swapped, doubled, left out or written in another case.
pub fn nearest(keys: &'static [Key], name: &str) -> Option<(&'static Key, bool)> {
    let plain = |name: &str| name.to_lowercase().replace(['-', '_', ' '], "");
    let wanted = plain(name);
    if let Some(key) = keys.iter().find(|key| plain(key.name) == wanted) {
        return Some((key, true));
    }
    let mut near: Vec<(usize, usize, &'static Key)> = keys
        .iter()
        .map(|key| {
            let name = plain(key.name);
            (strsim::damerau_levenshtein(&name, &wanted), name.len().abs_diff(wanted.len()), key)
        })
        .collect();
    near.sort_by_key(|(distance, longer, key)| (*distance, *longer, key.name));
    let (distance, _, key) = *near.first()?;
    let alone = near.get(1).is_none_or(|(second, ..)| *second > distance);
    let length = wanted.chars().count().min(key.name.len());
    let allowed = match length {
        0..=3 => 0,
        4..=5 => 1,
        _ => 2,
    };
    (distance <= allowed).then_some((key, alone && (distance == 1 || length >= 8)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn slips_of_the_pen() {
        for (written, meant, certain) in [
            ("condtion", "condition", true),
            ("comand", "command", true),
            ("parseJson", "parse_json", true),
            ("parse-json", "parse_json", true),
            ("Prompt", "prompt", true),
            ("ouptut", "output", true),
            ("outpt", "output", true),
            ("agnet", "agent", true),
            ("working_directori", "", false),
            ("continue_on_eror", "continue_on_error", true),
            ("modle", "model", false),
            ("outcome", "", false),
            ("name", "", false),
            ("items", "", false),
            ("idx", "", false),
        ] {
            let found = nearest(STEP, written);
            assert_eq!(found.map_or("", |(key, _)| key.name), meant, "{written}");
            assert_eq!(found.is_some_and(|(_, certain)| certain), certain, "{written}");
        }
    }

    #[test]
    fn nothing_is_known_and_ignored() {
        assert!(IGNORED_TOP.iter().all(|ignored| known(TOP, ignored.name).is_none()));
        assert!(IGNORED_STEP.iter().all(|ignored| known(STEP, ignored.name).is_none()));
        let renamed = |ignored: &'static [Ignored], keys| {
            ignored.iter().filter_map(|one| one.rename).all(|name| known(keys, name).is_some())
        };
        assert!(renamed(IGNORED_TOP, TOP));
        assert!(renamed(IGNORED_STEP, STEP));
    }
}
