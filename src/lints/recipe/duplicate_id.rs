//! Step ids (and task keys) must be unique. The loader's rules stand with each dialect.

use super::super::{Context, Sink, problems};

/// The lint.
pub(crate) const ID: &str = "duplicate-id";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    problems(cx, sink, ID);
}
