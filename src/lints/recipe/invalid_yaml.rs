//! A text that cannot be read.

use super::super::{Context, Finding, Sink, problems};
use crate::recipe::Dialect;

/// The lint.
pub(crate) const ID: &str = "invalid-yaml";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    let reader = match cx.file.dialect {
        Dialect::Amplihack => "the engine does not load this file: ",
        _ => "",
    };
    for error in &cx.file.errors {
        sink.push(Finding::new(ID, cx.place(error.span), format!("{reader}{}", error.message)));
    }
    problems(cx, sink, ID);
}
