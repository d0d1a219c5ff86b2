//! Choosing fixes that do not touch each other, and applying edits.

use std::collections::BTreeMap;

use super::Policy;
use crate::lints::{Edit, Finding};
use crate::recipe::FileId;
use crate::text::Span;

/// Fixes that can be applied at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Positions of the findings whose fixes were chosen.
    pub chosen: Vec<usize>,
    /// Their edits by file, in order of their places, without duplicates and without overlap.
    pub edits: BTreeMap<FileId, Vec<Edit>>,
}

/// Chooses fixes in the order of the findings; one whose edits touch those of an earlier one waits for the next round,
/// unless the edits are the very same. `wanted` says of a finding's position whether it may take part.
pub fn select(findings: &[Finding], policy: Policy, wanted: &dyn Fn(usize) -> bool) -> Round {
    let mut round = Round::default();
    for (at, finding) in findings.iter().enumerate() {
        let Some(fix) = policy.allows(finding).filter(|fix| !fix.edits.is_empty() && wanted(at)) else { continue };
        let fits = fix.edits.iter().all(|edit| {
            round
                .edits
                .get(&edit.place.file)
                .is_none_or(|taken| taken.iter().all(|other| other == edit || apart(other.place.span, edit.place.span)))
        });
        if !fits || clash_within(&fix.edits) {
            continue;
        }
        for edit in &fix.edits {
            let taken = round.edits.entry(edit.place.file).or_default();
            if !taken.contains(edit) {
                taken.push(edit.clone());
            }
        }
        round.chosen.push(at);
    }
    for edits in round.edits.values_mut() {
        edits.sort_by_key(|edit| edit.place.span);
    }
    round
}

/// Neither overlaps nor stands at the same point: two insertions at one point have no order.
fn apart(a: Span, b: Span) -> bool {
    a.end < b.start
        || b.end < a.start
        || (a.end == b.start && !b.is_empty() && !a.is_empty())
        || (b.end == a.start && !a.is_empty() && !b.is_empty())
}

fn clash_within(edits: &[Edit]) -> bool {
    edits.iter().enumerate().any(|(at, edit)| {
        edits
            .iter()
            .skip(at + 1)
            .any(|other| other.place.file == edit.place.file && !apart(other.place.span, edit.place.span))
    })
}

/// The text after the edits, which are in order and do not overlap. `None` when one does not fit the text (it was made
/// for another version).
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut result = String::with_capacity(text.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut at = 0;
    for edit in edits {
        result.push_str(text.get(at..edit.place.span.start)?);
        text.get(edit.place.span.range())?;
        result.push_str(&edit.text);
        at = edit.place.span.end;
    }
    result.push_str(text.get(at..)?);
    Some(result)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::flow::Place;
    use crate::lints::{Fix, Safety};

    fn finding(edits: &[(usize, usize, &str)]) -> Finding {
        let edit = |(start, end, text): &(usize, usize, &str)| Edit {
            place: Place { file: FileId(0), span: Span::new(*start, *end) },
            text: (*text).to_owned(),
        };
        let place = Place { file: FileId(0), span: Span::at(0) };
        let fix = Fix { title: "t".into(), safety: Safety::Safe, edits: edits.iter().map(edit).collect() };
        Finding::new("unknown-field", place, "m").fix(fix)
    }

    fn chosen(findings: &[Finding]) -> Vec<usize> {
        select(findings, Policy::Safe, &|_| true).chosen
    }

    #[test]
    fn fixes_that_touch_wait_for_the_next_round() {
        assert_eq!(chosen(&[finding(&[(0, 2, "a")]), finding(&[(1, 3, "b")])]), [0]);
        assert_eq!(chosen(&[finding(&[(0, 2, "a")]), finding(&[(2, 3, "b")])]), [0, 1]);
        assert_eq!(chosen(&[finding(&[(2, 2, "a")]), finding(&[(2, 2, "b")])]), [0]);
        assert_eq!(chosen(&[finding(&[(2, 4, "a")]), finding(&[(4, 4, "b")])]), [0]);
        assert_eq!(chosen(&[finding(&[(2, 4, "a")]), finding(&[(2, 4, "a")])]), [0, 1]);
        assert_eq!(
            chosen(&[finding(&[(0, 1, "a"), (8, 9, "b")]), finding(&[(8, 9, "c")]), finding(&[(4, 5, "d")])]),
            [0, 2]
        );
        assert_eq!(chosen(&[finding(&[(0, 4, "a"), (2, 3, "b")])]), Vec::<usize>::new());
    }

    #[test]
    fn edits_are_applied_in_order() {
        let findings = [finding(&[(0, 1, "A"), (3, 3, "+")]), finding(&[(1, 2, "")])];
        let round = select(&findings, Policy::Safe, &|_| true);
        assert_eq!(apply("abcd", &round.edits[&FileId(0)]).unwrap(), "Ac+d");
        assert_eq!(apply("ab", &round.edits[&FileId(0)]), None);
        assert_eq!(apply("éa", &[findings[0].fix.as_ref().unwrap().edits[0].clone()]), None);
    }
}
