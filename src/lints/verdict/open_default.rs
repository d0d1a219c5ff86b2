//! What stands for a missing verdict lets the gate pass.

use std::collections::BTreeSet;

use super::super::edits::replace_text;
use super::super::rewrite::safe_default;
use super::super::trail::{decision, descendants_through, is_here, read_trust, subject, tell};
use super::super::words::{alarm_field, permission_field, side, verdict_field};
use super::super::{Context, Finding, Fix, Safety, Sink};
use super::gate::{acts_on, acts_unless_other, field, opens, outcomes, same_value, vocabulary};
use crate::flow::{CompareOp, FallbackForm, NodeId, NodeKind, Place, Trust};
use crate::verdict::{Direction, Side};

/// The lint.
pub(crate) const ID: &str = "open-default";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    let mut told: BTreeSet<Place> = BTreeSet::new();
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let (literal, place) = match &node.kind {
            NodeKind::ExtractField { default: Some(default), .. } => (default.literal.as_deref(), default.place),
            NodeKind::Fallback(fallback) if fallback.dead.is_none() => (fallback.literal.as_deref(), fallback.place),
            _ => continue,
        };
        // The word itself is the script's own: what counts is what it stands for.
        let trust = node.trust.max(read_trust(cx, id));
        let Some(literal) = literal.map(str::trim).filter(|literal| !literal.is_empty()) else { continue };
        if !is_here(cx, place) || trust < Trust::Extracted || told.contains(&place) {
            continue;
        }
        let Some(path) = decision(cx, id) else { continue };
        let field = match &node.kind {
            NodeKind::ExtractField { field, .. } => field.clone(),
            _ => field(cx, id).map(|(_, field)| field),
        };
        let says_nothing = matches!(&node.kind, NodeKind::Fallback(fallback) if fallback.form == FallbackForm::Catch)
            && matches!(literal, "{}" | "[]" | "0" | "false");
        let passes =
            if says_nothing { absent_opens(cx, id, literal) } else { lets_pass(cx, id, field.as_deref(), literal) };
        if !passes {
            continue;
        }
        told.insert(place);
        let what = field.as_deref().map_or_else(|| subject(cx, id), |field| format!("\"{field}\""));
        let safe = safe(cx, id, field.as_deref());
        let message = format!(
            "`{literal}` stands for a missing {what}, and it lets the gate pass: an empty, cut or unreadable answer counts as a yes"
        );
        let mut finding =
            Finding::new(ID, place, message).help(format!("default to the side that stops or asks, such as `{safe}`"));
        if let Some(edit) = replace_text(cx, place, literal, &safe) {
            let title = format!("Default to `{safe}`");
            finding = finding.fix(Fix { title, safety: Safety::Suggest, edits: vec![edit] });
        }
        sink.push(tell(cx, finding, id, &path));
    }
}

/// Whether a value that says nothing (`{}`, `0`, `false` of a `catch`) opens the gate, itself or in any of its fields.
fn absent_opens(cx: &Context<'_>, id: NodeId, literal: &str) -> bool {
    let through = |kind: &NodeKind| same_value(kind) || matches!(kind, NodeKind::Field(_));
    descendants_through(cx.graph, id, through).into_iter().any(|test| {
        let truth = match &cx.graph.node(test).kind {
            NodeKind::Truthy { negated } => *negated,
            NodeKind::Presence { empty } => *empty,
            NodeKind::Compare(compare) => match (compare.op, compare.operand.as_deref()) {
                (CompareOp::Equal, Some(operand)) => operand == literal,
                (CompareOp::NotEqual, Some(operand)) => operand != literal,
                _ => return false,
            },
            _ => return false,
        };
        outcomes(cx, test).into_iter().any(|outcome| {
            let (taken, other) =
                if truth { (outcome.when_true, outcome.when_false) } else { (outcome.when_false, outcome.when_true) };
            opens(taken) && !opens(other) && !outcome.joined
        })
    })
}

/// Whether a default opens the gate: by the vocabulary, by the field's name, or by what is done with exactly this text.
fn lets_pass(cx: &Context<'_>, id: NodeId, field: Option<&str>, literal: &str) -> bool {
    let through = |kind: &NodeKind| same_value(kind);
    let normalised =
        descendants_through(cx.graph, id, through).into_iter().find_map(|id| match &cx.graph.node(id).kind {
            NodeKind::Normalise(normaliser) => vocabulary(cx, normaliser),
            _ => None,
        });
    if let Some(vocabulary) = normalised {
        return vocabulary.side(literal).is_some_and(Side::opens);
    }
    let alarm = field.is_some_and(alarm_field);
    // A word of its own for "nothing was said" may well be what a gate waits for.
    let another = matches!(&cx.graph.node(id).kind, NodeKind::Fallback(f) if f.form == FallbackForm::Absent);
    let acts = || !another && acts_on(cx, id, literal);
    match literal.to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => {
            !alarm
                && (field.is_some_and(|field| permission_field(field) || verdict_field(cx.settings, field)) || acts())
        }
        "false" | "no" | "0" => alarm && (acts() || (!another && acts_unless_other(cx, id, literal))),
        _ => match side(cx.settings, literal) {
            Some(side) if side.opens() => true,
            // "none" and "unknown" are no refusal where exactly they open the gate.
            Some(Side::Unsure) | None => acts(),
            Some(_) => false,
        },
    }
}

/// The default that closes the gate.
fn safe(cx: &Context<'_>, id: NodeId, field: Option<&str>) -> String {
    let normalised =
        descendants_through(cx.graph, id, same_value).into_iter().find_map(|id| match &cx.graph.node(id).kind {
            NodeKind::Normalise(normaliser) => vocabulary(cx, normaliser),
            _ => None,
        });
    match (normalised, field) {
        (Some(vocabulary), _) if vocabulary.direction == Direction::Stop => vocabulary.default,
        (Some(vocabulary), _) => vocabulary.default,
        (None, Some(field)) if permission_field(field) => "false".to_owned(),
        (None, field) => safe_default(field.unwrap_or_default()).to_owned(),
    }
}
