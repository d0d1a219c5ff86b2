//! Findings, and edits that mend them: one format for the terminal, CI and the editor.

use crate::flow::Place;
use crate::text::Span;

/// How bad a finding is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not reported.
    Off,
    /// Worth knowing.
    Info,
    /// Likely wrong.
    Warning,
    /// Wrong.
    Error,
}

impl Level {
    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Something that a lint found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The lint's id.
    pub lint: &'static str,
    /// Filled by the caller of the lint: the configuration's level, else `own_level`, else the page's.
    pub level: Level,
    /// What the lint itself thinks of this case, where that differs from its page (a key that one system ignores and
    /// another refuses).
    pub own_level: Option<Level>,
    /// The primary place.
    pub place: Place,
    /// Names the thing and says the consequence, without a position.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The way the text took, or the other end of a contract; in reading order.
    pub related: Vec<Related>,
    /// How to mend it.
    pub fix: Option<Fix>,
    /// Where a suppression comment counts besides the primary line: the whole command or step key.
    pub scope: Span,
}

impl Finding {
    /// A finding without help, related places and fix. The level is set later from the settings.
    pub fn new(lint: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self {
            lint,
            level: Level::Warning,
            own_level: None,
            place,
            message: message.into(),
            help: None,
            related: Vec::new(),
            fix: None,
            scope: place.span,
        }
    }

    /// Sets the level of this case.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.own_level = Some(level);
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn related(mut self, place: Place, message: impl Into<String>) -> Self {
        self.related.push(Related { place, message: message.into(), way: Way::Beside });
        self
    }

    /// Adds a place on the way that the text took.
    #[must_use]
    pub fn on_way(mut self, way: Way, place: Place, message: impl Into<String>) -> Self {
        self.related.push(Related { place, message: message.into(), way });
        self
    }

    /// Sets the fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}

/// A place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What is there.
    pub message: String,
    /// Whether the text came by it.
    pub way: Way,
}

/// How a related place belongs to a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It only has to do with it: the other end of a contract, another test.
    Beside,
    /// The text came by it before it was at the primary place.
    Before,
    /// It goes there from the primary place.
    After,
}

/// A way to mend a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an editor's menu shows it.
    pub title: String,
    /// Whether it may be applied without looking.
    pub safety: Safety,
    /// All edits; they belong together.
    pub edits: Vec<Edit>,
}

/// How sure a fix is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Same meaning, or the documented one.
    Safe,
    /// A proposal to be read.
    Suggest,
}

/// A replacement of bytes of a file, already in the style of the scalar that holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub place: Place,
    /// By what.
    pub text: String,
}
