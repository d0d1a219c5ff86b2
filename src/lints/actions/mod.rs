//! First seen in GitHub Actions.

mod agent_writes_env;
mod dead_default;
mod fixed_delimiter;
mod ignored_schema;
mod merged_streams;
mod unguarded_json;
mod unknown_output;

use super::registry::Entry;

/// The group.
pub(crate) const LINTS: &[Entry] = &[
    (agent_writes_env::ID, include_str!("../../../lints/agent-writes-env.md"), agent_writes_env::check),
    (dead_default::ID, include_str!("../../../lints/dead-default.md"), dead_default::check),
    (fixed_delimiter::ID, include_str!("../../../lints/fixed-delimiter.md"), fixed_delimiter::check),
    (ignored_schema::ID, include_str!("../../../lints/ignored-schema.md"), ignored_schema::check),
    (merged_streams::ID, include_str!("../../../lints/merged-streams.md"), merged_streams::check),
    (unguarded_json::ID, include_str!("../../../lints/unguarded-json.md"), unguarded_json::check),
    (unknown_output::ID, include_str!("../../../lints/unknown-output.md"), unknown_output::check),
];
