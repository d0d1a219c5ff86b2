//! The table of all lints.

use std::sync::LazyLock;

use super::lint::{Entry, Group, Lint};
use super::{Finding, Level, Settings};

const GROUPS: &[(Group, &[Entry])] = &[
    (Group::Contract, super::contract::LINTS),
    (Group::Judge, super::judge::LINTS),
    (Group::Recipe, super::recipe::LINTS),
    (Group::Recipe, super::run::LINTS),
    (Group::Trust, super::trust::LINTS),
    (Group::Verdict, super::verdict::LINTS),
    (Group::Actions, super::actions::LINTS),
];

static LINTS: LazyLock<Vec<Lint>> = LazyLock::new(|| {
    let entries = GROUPS.iter().flat_map(|(group, entries)| entries.iter().map(|entry| (*group, entry)));
    let mut lints: Vec<Lint> = entries.map(|(group, entry)| Lint::from_page(group, entry)).collect();
    lints.sort_by_key(|lint| lint.id);
    lints
});

/// All lints by id.
pub fn lints() -> &'static [Lint] {
    &LINTS
}

/// A lint by id.
pub fn lint(id: &str) -> Option<&'static Lint> {
    lints().binary_search_by_key(&id, |lint| lint.id).ok().and_then(|at| lints().get(at))
}

/// The level that a finding has: the settings' word, else the finding's own, else its page's.
pub(super) fn level_of(settings: &Settings, finding: &Finding) -> Level {
    settings
        .level(finding.lint)
        .or(finding.own_level)
        .or_else(|| lint(finding.lint).map(|lint| lint.level))
        .unwrap_or(finding.level)
}
