//! Verdicts are sent through their normaliser, and the words that are tested become its tokens.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::edits::{Changes, script_at};
use super::super::trail::ancestors_through;
use super::super::verdict::gate::{reached_by_value, same_value, value};
use super::super::{Context, Finding, Fix, Safety};
use super::site::{arm_at, expansion};
use super::stage;
use crate::flow::{NodeId, NodeKind, Pass, Place};
use crate::recipe::Script;
use crate::syntax::shell;
use crate::syntax::shell::ast::{CommandKind, TestKind, Word};
use crate::syntax::shell::visit;
use crate::text::Span;
use crate::verdict::Vocabulary;

/// A place where a verdict is tested: the words, and whether it is the pattern of a `case` arm.
#[derive(Clone, Debug)]
pub(crate) struct Tested {
    /// The node.
    pub id: NodeId,
    /// The test, or the patterns.
    pub place: Place,
    /// The words.
    pub tokens: Vec<Arc<str>>,
}

/// A proposal that adds the normaliser behind the extraction, or around the whole answer where it is tested.
pub(crate) fn normalise(cx: &Context<'_>, finding: Finding, tests: &[Tested], vocabulary: &Vocabulary) -> Finding {
    if !cx.fixes.take() {
        return finding;
    }
    let edits = || {
        let mut changes = Changes::new(cx);
        let first = tests.first()?;
        let extractions: Vec<NodeId> = value(cx, first.id)
            .into_iter()
            .filter(|id| matches!(cx.graph.node(*id).kind, NodeKind::ExtractField { .. }))
            .collect();
        // Every test of the value must speak the tokens afterwards.
        let others = reached_by_value(cx, first.id).into_iter().filter(|id| match &cx.graph.node(*id).kind {
            NodeKind::Compare(compare) => compare.operand.is_some(),
            NodeKind::Contains(_) | NodeKind::Match(_) => true,
            _ => false,
        });
        let known: BTreeSet<NodeId> = tests.iter().map(|test| test.id).collect();
        let arm = |id: &NodeId| {
            let place = cx.graph.node(*id).place;
            tests.iter().any(|test| test.place.file == place.file && test.place.span.touches(place.span.start))
        };
        if others.into_iter().any(|id| !known.contains(&id) && !arm(&id)) {
            return None;
        }
        let stage = stage(cx, &vocabulary.name);
        for id in &extractions {
            let (script, range) = script_at(cx, cx.graph.node(*id).place)?;
            changes.replace(&script.fragment, Span::at(range.end), format!(" | {stage}"));
        }
        for test in tests {
            // Case that is changed on the way would change the tokens too.
            let trims = |kind: &NodeKind| matches!(kind, NodeKind::Pass(Pass::Trim));
            if ancestors_through(cx.graph, test.id, same_value).iter().any(|id| trims(&cx.graph.node(*id).kind)) {
                return None;
            }
            retest(cx, &mut changes, test, vocabulary, extractions.is_empty().then_some(&stage))?;
        }
        changes.edits()
    };
    match edits() {
        Some(edits) => {
            let title = format!("Send it through {}", vocabulary.name);
            finding.fix(Fix { title, safety: Safety::Suggest, edits })
        }
        None => finding,
    }
}

/// The words of one test become tokens. `around`: the normaliser is put around what is tested.
fn retest<'c>(
    cx: &'c Context<'_>,
    changes: &mut Changes<'c, '_>,
    test: &Tested,
    vocabulary: &Vocabulary,
    around: Option<&String>,
) -> Option<()> {
    let (script, range) = script_at(cx, test.place)?;
    let tree = script.tree();
    let text = script.fragment.text();
    if let Some((case, arm)) = arm_at(&tree, range) {
        let written = |word: &Word| text.get(word.span.range()).map(|text| text.trim_matches(['"', '\'']));
        let mut tokens: Vec<&str> =
            arm.patterns.iter().map(|pattern| vocabulary.canonical(written(pattern)?)).collect::<Option<_>>()?;
        tokens.dedup();
        let whole = arm.patterns.first()?.span.to(arm.patterns.last()?.span);
        changes.replace(&script.fragment, whole, tokens.join("|"));
        if let Some(stage) = around {
            let new = format!("\"$(printf '%s' {} | {stage})\"", expansion(script, &case.subject)?);
            changes.replace(&script.fragment, case.subject.span, new);
        }
        return Some(());
    }
    let [word] = test.tokens.as_slice() else { return None };
    let token = vocabulary.canonical(word)?;
    if let Some(stage) = around {
        let subject = subject(script, &tree, range)?;
        let new = format!("\"$(printf '%s' {} | {stage})\"", expansion(script, subject)?);
        changes.replace(&script.fragment, subject.span, new);
        let rest = Span::new(subject.span.end, range.end);
        let at = rest.start + text.get(rest.range())?.rfind(&**word)?;
        changes.replace(&script.fragment, Span::new(at, at + word.len()), token);
        return Some(());
    }
    changes.word(test.place, word, token)
}

/// The left side of `[ x = y ]` and `[[ x == y ]]`.
fn subject<'t>(script: &Script, tree: &'t shell::Script, test: Span) -> Option<&'t Word> {
    visit::commands(&tree.body).into_iter().find_map(|command| {
        if !command.span.covers(test) {
            return None;
        }
        match &command.kind {
            CommandKind::Simple(simple) if command.span == test => {
                let [first, subject, _, _, ..] = simple.words.as_slice() else { return None };
                let name = script.fragment.text().get(first.span.range())?;
                let operands = if name == "[" { 5 } else { 4 };
                (matches!(name, "[" | "test") && simple.words.len() == operands).then_some(subject)
            }
            CommandKind::Test(expr) => match &expr.kind {
                TestKind::Binary(left, _, _) if expr.span == test => Some(left),
                _ => None,
            },
            _ => None,
        }
    })
}
