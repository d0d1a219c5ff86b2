//! `verify` as the loader refuses or misreads it.

use crate::lints::{Context, Sink, problems};

/// The lint's name.
pub const ID: &str = "invalid-verify";

/// Passes on what the lowering found.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    problems(context, sink, ID);
}
