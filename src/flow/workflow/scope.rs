//! What expressions can read: the contexts of a job.

use std::collections::HashMap;
use std::sync::Arc;

use super::agents::AgentAction;
use crate::flow::{Place, Value};

/// A text, and what is known of it beside its parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    /// The text.
    pub value: Value,
    /// Why it may be empty here.
    pub empty: Option<&'static str>,
    /// The JSON schema that it (or the value that was parsed from it) is known to follow.
    pub schema: Option<Arc<serde_json::Value>>,
    /// Where it was written, if it is a constant that came through an input.
    pub place: Option<Place>,
}

impl Text {
    /// A text of which only its parts are known.
    pub(super) fn of(value: Value) -> Self {
        Self { value, ..Self::default() }
    }
}

/// A step that ran.
#[derive(Clone, Debug, Default)]
pub(super) struct Ran {
    /// The parts of its `if:` that must hold, without white space; empty: it is never skipped.
    pub conditions: Vec<String>,
    /// It may fail without ending the job.
    pub continues: bool,
    /// Its outputs by name.
    pub outputs: HashMap<String, Text>,
    /// The agent that ran, for outputs that it does not have.
    pub agent: Option<Agent>,
    /// Files that it wrote, until they are the job's.
    pub files: HashMap<Arc<str>, Value>,
}

/// An agent action that ran.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    /// What it is.
    pub action: &'static AgentAction,
    /// `owner/name@ref`
    pub origin: Arc<str>,
    /// Why its structured output is always empty.
    pub unstructured: Option<&'static str>,
}

/// A job that ran.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    /// Its outputs by name.
    pub outputs: HashMap<String, Text>,
    /// It has an `if:`, so it may have been skipped.
    pub conditional: bool,
    /// It may fail without ending the run.
    pub continues: bool,
}

/// The contexts.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// `steps`, by id in lower case.
    pub steps: HashMap<String, Ran>,
    /// `needs` (and `jobs`, in the outputs of a reusable workflow).
    pub needs: Arc<HashMap<String, Done>>,
    /// `inputs`
    pub inputs: HashMap<String, Text>,
    /// `env`, as written.
    pub env: HashMap<Arc<str>, Text>,
    /// `matrix`: any of its values.
    pub matrix: Text,
    /// Files of the job's workspace that scripts or agents wrote.
    pub files: HashMap<Arc<str>, Value>,
    /// Shell scripts of the job's workspace that steps wrote from here-documents: where they stand.
    pub scripts: HashMap<Arc<str>, Place>,
    /// What the job's agents that can write files were told so far.
    pub told: Vec<Arc<str>>,
    /// What the agents were told in the jobs whose artifacts were fetched.
    pub fetched: Vec<Arc<str>>,
}

impl Scope {
    /// An environment variable; GitHub looks it up without case.
    pub(super) fn variable(&self, name: &str) -> Option<&Text> {
        self.env
            .get(name)
            .or_else(|| self.env.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, text)| text))
    }
}

/// Who reads: what is known to hold where an expression is evaluated.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader {
    /// Conditions that hold, without white space.
    pub holds: Vec<String>,
    /// It runs whatever happened before: `always()`, `failure()`, or the outputs of a job.
    pub always: bool,
}
