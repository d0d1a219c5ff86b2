//! A key that the system ignores, or refuses.

use super::super::{Context, Sink, problems};

/// The lint.
pub(crate) const ID: &str = "unknown-field";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    let mut all = Sink::default();
    problems(cx, &mut all, ID);
    let documentation = |text: &str| {
        let key = text.trim_matches(['"', '\'']);
        cx.settings.documentation_keys.iter().any(|allowed| allowed == key)
    };
    sink.findings
        .extend(all.findings.into_iter().filter(|finding| !documentation(cx.file.source.slice(finding.place.span))));
}
