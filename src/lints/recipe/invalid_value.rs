//! A value of a wrong type, or outside the allowed set. The loader's rules stand with each dialect.

use super::super::{Context, Sink, problems};

/// The lint.
pub(crate) const ID: &str = "invalid-value";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    problems(cx, sink, ID);
}
