//! A token is tested that the normaliser can never print.

use super::super::trail::{is_here, subject, tell};
use super::super::{Context, Finding, Sink};
use super::gate::{normaliser, possible};
use crate::flow::{CompareOp, NodeKind};

/// The lint.
pub(crate) const ID: &str = "unreachable-verdict";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Compare(compare) = &node.kind else { continue };
        let Some(operand) = compare.operand.as_deref().filter(|operand| !operand.is_empty()) else { continue };
        if !is_here(cx, node.place) || compare.op == CompareOp::Order {
            continue;
        }
        let Some((source, _)) = normaliser(cx, id) else { continue };
        let Some(possible) = possible(cx, id) else { continue };
        let Some(vocabulary) = possible.vocabularies.first().filter(|_| !possible.can_be(operand)) else { continue };
        let words: Vec<&str> = vocabulary.outcomes.iter().map(|outcome| outcome.canonical.as_str()).collect();
        let never =
            if compare.op == CompareOp::NotEqual { "this test is always true" } else { "this branch never runs" };
        let message =
            format!("{} comes out of {}, which never prints `{operand}`: {never}", subject(cx, id), vocabulary.name);
        let meant =
            vocabulary.canonical(operand).map(|word| format!(" (`{operand}` becomes `{word}`)")).unwrap_or_default();
        let help = format!("test one of {}{meant}, or use the normaliser whose words these are", words.join(", "));
        let finding = Finding::new(ID, node.place, message)
            .help(help)
            .related(cx.graph.node(source).place, format!("{} prints {}", vocabulary.name, words.join(", ")));
        sink.push(tell(cx, finding, id, &[]));
    }
}
