//! An AgentUse agent as far as its gate goes: what verifies it, where it stops for a human, what it is told to do.

use crate::text::{Fragment, Span, Spanned};

/// What the judge lints go by.
#[derive(Clone, Debug, Default)]
pub struct AgentFile {
    /// `verify:`
    pub verify: Option<Verify>,
    /// Where the agent stops for a human, in order.
    pub gates: Vec<(GateKind, Span)>,
    /// `subagents[].path`
    pub subagents: Vec<Spanned<String>>,
    /// The agent writes artifacts, which the built-in judge is shown.
    pub artifacts: bool,
    /// The instructions: all behind the frontmatter.
    pub body: Fragment,
    /// The first line of the instructions that is not blank.
    pub first_line: Span,
}

/// Kinds of gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateKind {
    /// `approval:`
    Approval,
    /// `tools.await_human: true`
    AwaitHuman,
    /// `tools.bash.gated:`
    Gated,
}

impl GateKind {
    /// The key as users write it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::AwaitHuman => "tools.await_human",
            Self::Gated => "tools.bash.gated",
        }
    }
}

/// `verify:` as far as it could be read.
#[derive(Clone, Debug)]
pub struct Verify {
    /// Place of the key `verify`.
    pub key: Span,
    /// Key and value.
    pub span: Span,
    /// How it is written.
    pub form: VerifyForm,
    /// `criteria`, or the whole value where it is a string; the span of the first is the key that holds it.
    pub criteria: Option<(Span, Fragment)>,
    /// `judge`: the key, and the path as written.
    pub judge: Option<(Span, Spanned<String>)>,
    /// `model`: key and value.
    pub model: Option<Span>,
    /// `at`
    pub at: Option<Spanned<String>>,
    /// `gateReview`: key and value.
    pub gate_review: Option<Span>,
}

/// Forms of `verify:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifyForm {
    /// `true`, or an empty mapping: the generic rubric.
    Generic,
    /// A string: the rubric.
    Text,
    /// A mapping.
    Options,
    /// Something that the loader refuses.
    Invalid,
}
