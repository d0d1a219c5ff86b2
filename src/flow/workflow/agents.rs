//! What is known of agent actions: who they are, where their prompt stands, what they answer.
//!
//! As of 2026-08: claude-code-action 24dcd50 (2026-08-22), claude-code-base-action, run-gemini-cli 3ca2577 (2026-04-27),
//! codex-action 9cdb6f3 (2026-05-14, which renamed `final_message` on 2025-10-03), ai-inference v1 to v3 (7379148,
//! 2026-08-12: v3 hands the prompt to a command line tool and never reads a schema).

/// An action that runs an agent.
#[derive(Debug)]
pub(super) struct AgentAction {
    /// `owner/name`, in lower case.
    pub names: &'static [&'static str],
    /// Outputs. What was probably meant by another name comes first.
    pub outputs: &'static [(&'static str, Answer)],
    /// There are no other outputs.
    pub complete: bool,
    /// Inputs that hold a prompt, or a part of one.
    pub prompts: &'static [&'static str],
    /// How a schema is asked for.
    pub schema: SchemaBy,
    /// Why the answer can be empty although the step succeeds.
    pub empty: Option<&'static str>,
}

/// What an output holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The model's words, or an object where a schema was asked for.
    Text,
    /// An object; empty unless a schema was asked for.
    Object,
    /// An object of the tool with fields that the model filled.
    Fields,
    /// The path of a file with such a text.
    TextFile,
    /// The path of a file with the tool's envelope around the model's words.
    EnvelopeFile,
    /// Nothing that the model wrote: ids, branches, outcomes.
    Plain,
}

/// How an action is asked for structured output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaBy {
    /// It cannot be.
    Nothing,
    /// A flag in one of these inputs, or one of those inputs.
    Input {
        /// The flag.
        flag: &'static str,
        /// Where the flag stands.
        flags_in: &'static [&'static str],
        /// Inputs that are the schema, or name its file.
        inputs: &'static [&'static str],
    },
    /// `responseFormat` in a `.prompt.yml`, up to this major version (excluded).
    PromptFile {
        /// The first version that does not read it.
        before: u32,
    },
}

const CLAUDE_FLAG: SchemaBy = SchemaBy::Input { flag: "--json-schema", flags_in: &["claude_args"], inputs: &[] };
const CLAUDE_PROMPTS: &[&str] = &[
    "prompt",
    "direct_prompt",
    "override_prompt",
    "custom_instructions",
    "system_prompt",
    "append_system_prompt",
    "claude_args",
];

const ACTIONS: &[AgentAction] = &[
    AgentAction {
        names: &["anthropics/claude-code-action"],
        outputs: &[
            ("structured_output", Answer::Object),
            ("execution_file", Answer::EnvelopeFile),
            ("conclusion", Answer::Plain),
            ("branch_name", Answer::Plain),
            ("github_token", Answer::Plain),
            ("session_id", Answer::Plain),
        ],
        complete: true,
        prompts: CLAUDE_PROMPTS,
        schema: CLAUDE_FLAG,
        empty: None,
    },
    AgentAction {
        names: &["anthropics/claude-code-base-action", "anthropics/claude-code-action/base-action"],
        outputs: &[
            ("structured_output", Answer::Object),
            ("execution_file", Answer::EnvelopeFile),
            ("conclusion", Answer::Plain),
            ("session_id", Answer::Plain),
        ],
        complete: true,
        prompts: CLAUDE_PROMPTS,
        schema: CLAUDE_FLAG,
        empty: None,
    },
    AgentAction {
        names: &["google-github-actions/run-gemini-cli", "google-gemini/gemini-cli-action"],
        outputs: &[("summary", Answer::Text), ("error", Answer::Plain)],
        complete: true,
        prompts: &["prompt"],
        schema: SchemaBy::Nothing,
        empty: None,
    },
    AgentAction {
        names: &["openai/codex-action"],
        outputs: &[("final-message", Answer::Text)],
        complete: true,
        prompts: &["prompt"],
        schema: SchemaBy::Input {
            flag: "--output-schema",
            flags_in: &["codex-args"],
            inputs: &["output-schema", "output-schema-file"],
        },
        empty: None,
    },
    AgentAction {
        names: &["actions/ai-inference"],
        outputs: &[("response", Answer::Text), ("response-file", Answer::TextFile)],
        complete: true,
        prompts: &["prompt", "system-prompt"],
        schema: SchemaBy::PromptFile { before: 3 },
        empty: Some("the model may answer nothing, and the step succeeds all the same"),
    },
    AgentAction {
        names: &["qodo-ai/pr-agent", "codium-ai/pr-agent", "the-pr-agent/pr-agent"],
        outputs: &[("review", Answer::Fields)],
        complete: false,
        prompts: &[],
        schema: SchemaBy::Nothing,
        empty: None,
    },
];

/// The agent action that a `uses:` names.
pub(super) fn agent_action(uses: &str) -> Option<&'static AgentAction> {
    let name = uses.split_once('@').map_or(uses, |(name, _)| name).to_ascii_lowercase();
    let name = name.trim_end_matches('/');
    ACTIONS.iter().find(|action| action.names.contains(&name))
}

/// Words of which one stands in every workflow that runs an agent: cheap to look for before anything is interpreted.
const SIGNS: &[&str] = &[
    "claude",
    "gemini",
    "codex",
    "ai-inference",
    "pr-agent",
    "copilot",
    "cursor-agent",
    "opencode",
    "aider",
    "goose",
    "qwen",
    "llm ",
    "amp ",
    "amplihack",
    "rustyclawd",
    "gh models",
    "crush run",
    "ollama run",
    "droid exec",
    "auggie",
];

/// Whether a text may run an agent.
pub(super) fn may_run_agent(text: &str) -> bool {
    SIGNS.iter().any(|sign| text.contains(sign)) || text.to_ascii_lowercase().contains("claude")
}

/// What an action does with the texts that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It shows them to people: comments, messages, artifacts.
    Shows,
    /// It prepares the runner.
    Prepares,
    /// Anything else.
    Acts,
}

/// Parts of the names of actions that show texts to people.
const SHOWING: &[&str] = &[
    "comment",
    "slack",
    "discord",
    "telegram",
    "teams",
    "mattermost",
    "notify",
    "notification",
    "mail",
    "upload-artifact",
    "job-summary",
    "step-summary",
];

/// The same for actions that prepare.
const PREPARING: &[&str] =
    &["actions/checkout", "actions/setup-", "actions/cache", "actions/download-artifact", "/setup-", "install"];

/// The purpose of an ordinary action, by its name.
pub(super) fn purpose(uses: &str) -> Purpose {
    let name = uses.split_once('@').map_or(uses, |(name, _)| name).to_ascii_lowercase();
    if SHOWING.iter().any(|part| name.contains(part)) {
        Purpose::Shows
    } else if PREPARING.iter().any(|part| name.contains(part)) {
        Purpose::Prepares
    } else {
        Purpose::Acts
    }
}

/// The first number of a version: `v2.1.0` is 2. `None` for branches.
pub(super) fn major(version: &str) -> Option<u32> {
    let digits = version.trim_start_matches(['v', 'V']);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits.get(..end)?.parse().ok()
}

/// A flag's value in a command line that stands in an input: quoted, or up to the next blank.
pub(super) fn flag_value<'a>(line: &'a str, flag: &str) -> Option<&'a str> {
    let at = line.match_indices(flag).map(|(at, _)| at + flag.len()).find(|at| {
        line.get(*at..).is_some_and(|rest| rest.starts_with([' ', '=', '\n', '\t', '\\', '\'', '"']) || rest.is_empty())
    })?;
    let rest = line.get(at..)?.trim_start_matches(['=', ' ', '\t', '\n', '\\']);
    match rest.chars().next() {
        Some(quote @ ('\'' | '"')) => {
            let inside = rest.get(1..)?;
            Some(inside.find(quote).and_then(|end| inside.get(..end)).unwrap_or(inside))
        }
        _ => rest.split_whitespace().next().or(Some("")),
    }
}
