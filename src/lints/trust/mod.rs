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

use super::lint::{Entry, page};

/// The group's lints.
pub(super) const LINTS: &[Entry] = &[
    (eval_agent_output::ID, page!("eval-agent-output"), eval_agent_output::check),
    (grep_agent_output::ID, page!("grep-agent-output"), grep_agent_output::check),
    (interpolated_agent_output::ID, page!("interpolated-agent-output"), interpolated_agent_output::check),
    (jq_agent_output::ID, page!("jq-agent-output"), jq_agent_output::check),
    (match_agent_output::ID, page!("match-agent-output"), match_agent_output::check),
    (object_alias::ID, page!("object-alias"), object_alias::check),
    (quoted_template::ID, page!("quoted-template"), quoted_template::check),
    (prose_intent::ID, page!("prose-intent"), prose_intent::check),
    (scraped_json::ID, page!("scraped-json"), scraped_json::check),
    (unquoted_agent_output::ID, page!("unquoted-agent-output"), unquoted_agent_output::check),
];
