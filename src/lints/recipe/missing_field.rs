//! A key that must be there is not. The loader's rules stand with each dialect.

use super::super::{Context, Sink, problems};

/// The lint.
pub(crate) const ID: &str = "missing-field";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    problems(cx, sink, ID);
}
