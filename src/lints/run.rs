//! Lints of the run itself: what could not be read or checked, and what a configuration or a comment says in vain. Most of
//! them are found where the whole run is known, and not by a function here.

use super::lint::{Entry, page};
use super::{Context, Sink, problems};

/// The group's lints.
pub(super) const LINTS: &[Entry] = &[
    ("internal-error", page!("internal-error"), unread),
    ("unused-configuration", page!("unused-configuration"), nothing),
    ("unused-suppression", page!("unused-suppression"), nothing),
];

/// A file on which the reading itself failed.
fn unread(cx: &Context<'_>, sink: &mut Sink) {
    if cx.file.recipe.problems.iter().any(|problem| problem.lint == "internal-error") {
        problems(cx, sink, "internal-error");
    }
}

fn nothing(_: &Context<'_>, _: &mut Sink) {}
