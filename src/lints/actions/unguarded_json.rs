//! `fromJSON` reads an output that can be empty.

use super::super::trail::{comes_from, is_here, tell};
use super::super::{Context, Edit, Finding, Fix, Safety, Sink};
use crate::flow::{NodeKind, Place};
use crate::text::Span;

/// The lint.
pub(crate) const ID: &str = "unguarded-json";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::FromJson { empty: Some(why) } = &node.kind else { continue };
        if !is_here(cx, node.place) {
            continue;
        }
        let message = format!("{}, and `fromJSON('')` is an error: {why}", comes_from(cx, id));
        let mut finding = Finding::new(ID, node.place, message)
            .help("guard it in the same expression: `x && fromJSON(x).field || ''`");
        if let Some((place, text)) = guarded(cx, node.place) {
            let edits = vec![Edit { place, text }];
            finding = finding.fix(Fix { title: "Guard it".to_owned(), safety: Safety::Suggest, edits });
        }
        sink.push(tell(cx, finding, id, &[]));
    }
}

/// `fromJSON(x)` becomes `fromJSON(x || '{}')`: the argument stands between the parentheses of the place.
fn guarded(cx: &Context<'_>, place: Place) -> Option<(Place, String)> {
    let source = cx.file.source.slice(place.span);
    let open = source.find('(')?;
    let close = source.find(')')?;
    let argument = source.get(open + 1..close)?;
    // A path, not a call or an operator, and in a scalar whose quotes leave room for these.
    let plain = argument.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'));
    let line = cx.file.source.lines.line(place.span.start);
    let span = cx.file.source.lines.span(line, &cx.file.source.text);
    let single = cx.file.source.slice(span).contains(": '");
    let at = place.span.start + close;
    (plain && !argument.is_empty() && !single)
        .then(|| (Place { file: place.file, span: Span::at(at) }, " || '{}'".to_owned()))
}
