//! A lint, and what its page says of it.

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
    /// Reads the head of a page: `---`, `key: value` lines, `---`. A test checks that every page has a whole head.
    pub(super) fn from_page(group: Group, (id, page, check): &Entry) -> Self {
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
        Self { id, group, level, fix, summary: head("summary"), page, check: *check }
    }

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
pub(super) type Entry = (&'static str, &'static str, fn(&Context<'_>, &mut Sink));

/// The text of a lint's page.
macro_rules! page {
    ($id:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/lints/", $id, ".md"))
    };
}
pub(super) use page;
