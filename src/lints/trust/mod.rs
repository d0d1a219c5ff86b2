//! Agent text is data, never code, never grammar.

pub(crate) mod eval_agent_output;
pub(crate) mod grep_agent_output;
pub(crate) mod interpolated_agent_output;
pub(crate) mod jq_agent_output;
pub(crate) mod match_agent_output;
pub(crate) mod object_alias;
pub(crate) mod prose_intent;
pub(crate) mod quoted_template;
pub(crate) mod scraped_json;
pub(crate) mod tools;
pub(crate) mod unquoted_agent_output;

use super::registry::Entry;

/// The group.
pub(crate) const LINTS: &[Entry] = &[
    (eval_agent_output::ID, include_str!("../../../lints/eval-agent-output.md"), eval_agent_output::check),
    (grep_agent_output::ID, include_str!("../../../lints/grep-agent-output.md"), grep_agent_output::check),
    (
        interpolated_agent_output::ID,
        include_str!("../../../lints/interpolated-agent-output.md"),
        interpolated_agent_output::check,
    ),
    (jq_agent_output::ID, include_str!("../../../lints/jq-agent-output.md"), jq_agent_output::check),
    (match_agent_output::ID, include_str!("../../../lints/match-agent-output.md"), match_agent_output::check),
    (object_alias::ID, include_str!("../../../lints/object-alias.md"), object_alias::check),
    (quoted_template::ID, include_str!("../../../lints/quoted-template.md"), quoted_template::check),
    (prose_intent::ID, include_str!("../../../lints/prose-intent.md"), prose_intent::check),
    (scraped_json::ID, include_str!("../../../lints/scraped-json.md"), scraped_json::check),
    (unquoted_agent_output::ID, include_str!("../../../lints/unquoted-agent-output.md"), unquoted_agent_output::check),
];
