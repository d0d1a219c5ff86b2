//! All lints with what their pages say of them.

use std::sync::LazyLock;

use super::{Context, Level, Sink};

/// A lint.
#[derive(Debug)]
pub struct Lint {
    /// Kebab-case name, as users write it.
    pub id: &'static str,
    /// Its group.
    pub group: Group,
    /// Level without configuration, from the page.
    pub level: Level,
    /// What kind of fix it offers, from the page.
    pub fix: FixKind,
    /// One line, from the page.
    pub summary: &'static str,
    /// The page.
    pub page: &'static str,
    /// The function. Lints that are answered elsewhere (suppressions) do nothing here.
    pub check: fn(&Context<'_>, &mut Sink),
}

/// Groups of lints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Agent text is data, never code, never grammar.
    Trust,
    /// One object, one field, one vocabulary, one safe default.
    Verdict,
    /// What the prompt must ask for.
    Contract,
    /// A second model's verdict.
    Judge,
    /// What the engine will or will not do.
    Recipe,
    /// First seen in GitHub Actions.
    Actions,
}

impl Group {
    /// As documentation and configuration write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trust => "trust",
            Self::Verdict => "verdict",
            Self::Contract => "contract",
            Self::Judge => "judge",
            Self::Recipe => "recipe",
            Self::Actions => "actions",
        }
    }
}

impl Lint {
    /// The page without its head.
    pub fn body(&self) -> &'static str {
        let head = self.page.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
        head.map_or(self.page, |(_, body)| body).trim_start()
    }
}

impl FixKind {
    /// As pages write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Suggest => "suggest",
            Self::Safe => "safe",
        }
    }
}

/// Kinds of fix a lint can offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixKind {
    /// None.
    No,
    /// Proposals.
    Suggest,
    /// Fixes that keep the meaning.
    Safe,
}

/// What a group's list says of a lint: id, page, function.
pub(crate) type Entry = (&'static str, &'static str, fn(&Context<'_>, &mut Sink));

static LINTS: LazyLock<Vec<Lint>> = LazyLock::new(|| {
    let groups: &[(Group, &[Entry])] = &[
        (Group::Contract, super::contract::LINTS),
        (Group::Judge, super::judge::LINTS),
        (Group::Recipe, super::recipe::LINTS),
        (Group::Recipe, super::suppress::ENTRIES),
        (Group::Trust, super::trust::LINTS),
        (Group::Verdict, super::verdict::LINTS),
        (Group::Actions, super::actions::LINTS),
    ];
    let mut lints: Vec<Lint> =
        groups.iter().flat_map(|(group, entries)| entries.iter().map(|entry| from_page(*group, entry))).collect();
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

/// Reads the head of a page: `---`, `key: value` lines, `---`. A test checks that every page has a whole head.
fn from_page(group: Group, (id, page, check): &Entry) -> Lint {
    let head = |key: &str| {
        page.lines()
            .skip(1)
            .take_while(|line| *line != "---")
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(':').map(str::trim))
            .unwrap_or_default()
    };
    let level = match head("level") {
        "error" => Level::Error,
        "info" => Level::Info,
        "off" => Level::Off,
        _ => Level::Warning,
    };
    let fix = match head("fix") {
        "safe" => FixKind::Safe,
        "suggest" => FixKind::Suggest,
        _ => FixKind::No,
    };
    Lint { id, group, level, fix, summary: head("summary"), page, check: *check }
}
