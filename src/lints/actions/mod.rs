//! First seen in GitHub Actions.

mod agent_writes_env;
mod dead_default;
mod fixed_delimiter;
mod ignored_schema;
mod merged_streams;
mod unguarded_json;
mod unknown_output;

use super::lint::{Entry, page};

/// The group's lints.
pub(super) const LINTS: &[Entry] = &[
    (agent_writes_env::ID, page!("agent-writes-env"), agent_writes_env::check),
    (dead_default::ID, page!("dead-default"), dead_default::check),
    (fixed_delimiter::ID, page!("fixed-delimiter"), fixed_delimiter::check),
    (ignored_schema::ID, page!("ignored-schema"), ignored_schema::check),
    (merged_streams::ID, page!("merged-streams"), merged_streams::check),
    (unguarded_json::ID, page!("unguarded-json"), unguarded_json::check),
    (unknown_output::ID, page!("unknown-output"), unknown_output::check),
];
