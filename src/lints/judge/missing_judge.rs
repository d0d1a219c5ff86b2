//! A judge whose file is not there.

use crate::lints::{Context, Sink, problems};

/// The lint's name.
pub const ID: &str = "missing-judge";

/// Passes on what is wrong beside the other agents.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    problems(context, sink, ID);
}
