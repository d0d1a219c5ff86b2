//! Whether a mended text may be written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::lints::{Edit, Finding};
use crate::recipe::Index;
use crate::syntax::yaml::{self, Data, Node};
use crate::text::Span;

/// Why a fix is not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text after it could not be read.
    Broken(String),
    /// Something else than the intended place changed.
    Elsewhere,
    /// Its finding is still there.
    Useless,
    /// It brings another finding.
    Brings(String),
    /// Its edits do not fit the text, or touch those of another fix.
    Unfit,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Broken(why) => write!(f, "the text could not be read after it: {why}"),
            Self::Elsewhere => f.write_str("something else than the intended place would change"),
            Self::Useless => f.write_str("its finding would still be there"),
            Self::Brings(lint) => write!(f, "it would bring a finding of `{lint}`"),
            Self::Unfit => f.write_str("it does not fit the text together with other fixes"),
        }
    }
}

/// Whether the edits of a YAML text changed only the scalars that they touch: all others stand in the new tree in the
/// same order. Texts that are no YAML are not looked at here; the check that follows reads them.
pub fn intended(old: &str, new: &str, edits: &[Edit]) -> Result<(), Refusal> {
    let before = yaml::parse(old);
    let after = yaml::parse(new);
    if before.errors.is_empty()
        && let Some(error) = after.errors.first()
    {
        return Err(Refusal::Broken(error.message.clone()));
    }
    let touched = |span: Span| {
        edits.iter().any(|edit| {
            let edit = edit.place.span;
            span.start < edit.end && edit.start < span.end
                || span.touches(edit.start) && edit.is_empty()
                || span == edit
        })
    };
    let old_scalars = before.root.as_ref().map(|root| scalars(root, &touched)).unwrap_or_default();
    let new_scalars = after.root.as_ref().map(|root| scalars(root, &|_| false)).unwrap_or_default();
    let mut rest = new_scalars.iter();
    if old_scalars.iter().all(|wanted| rest.any(|text| text == wanted)) { Ok(()) } else { Err(Refusal::Elsewhere) }
}

/// The texts of all scalars outside of the touched places, in order.
fn scalars<'n>(root: &'n Node, touched: &dyn Fn(Span) -> bool) -> Vec<&'n str> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        match &node.data {
            Data::Scalar(scalar) => {
                if !touched(scalar.fragment.span()) && !touched(node.span) {
                    found.push(scalar.fragment.text());
                }
            }
            Data::Mapping(entries) => {
                stack.extend(entries.iter().rev().flat_map(|entry| [&entry.value, &entry.key]));
            }
            Data::Sequence(items) => stack.extend(items.iter().rev()),
            Data::Alias(_) => {}
        }
    }
    found
}

/// Whether the findings after a round are those before it without those that were mended. Counted by file and lint,
/// because places move.
pub fn improved(
    (index, before): (&Index, &[Finding]),
    (new_index, after): (&Index, &[Finding]),
    mended: &[usize],
) -> Result<(), Refusal> {
    let old = counts(index, before.iter());
    let new = counts(new_index, after.iter());
    for (key, count) in &new {
        if old.get(key).copied().unwrap_or_default() < *count {
            return Err(Refusal::Brings(key.1.to_owned()));
        }
    }
    let gone = counts(index, mended.iter().filter_map(|at| before.get(*at)));
    for (key, count) in &gone {
        let left = new.get(key).copied().unwrap_or_default();
        if left + count > old.get(key).copied().unwrap_or_default() {
            return Err(Refusal::Useless);
        }
    }
    Ok(())
}

type Counts = BTreeMap<(PathBuf, &'static str), usize>;

fn counts<'f>(index: &Index, findings: impl Iterator<Item = &'f Finding>) -> Counts {
    let mut counts = Counts::new();
    for finding in findings {
        let path = index.file(finding.place.file).map(|file| file.source.path.clone()).unwrap_or_default();
        *counts.entry((path, finding.lint)).or_default() += 1;
    }
    counts
}
