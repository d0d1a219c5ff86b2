//! Recipes, steps, prompts and scripts.

use std::sync::Arc;

use super::contract::{Contract, Mention};
use super::judge::AgentFile;
use super::package::Versioned;
use super::{FileId, Script};
use crate::text::{Fragment, Span, Spanned};

/// The formats that are lowered to [`Recipe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Recipes of the amplihack recipe runner.
    Amplihack,
    /// Outpost recipes (`recipe.yaml`).
    Outpost,
    /// Outpost configuration (`outpost.yaml`).
    OutpostConfig,
    /// `AgentUse` agents (`*.agentuse`).
    AgentUse,
    /// TypeScript or JavaScript that calls Sandcastle, Outpost or handles what they return.
    Program,
    /// A GitHub Actions workflow.
    Workflow,
    /// A composite or other GitHub action (`action.yml`).
    Action,
    /// A prompt file.
    Prompt,
    /// A shell script that a recipe runs, or that was named on the command line.
    Script,
    /// Other YAML that carries contracts (steps with `output: {tag, …}`).
    Contracts,
    /// `package.json` and its lock file: read for versions, never checked.
    Package,
    /// The configuration of this linter.
    Configuration,
    /// Nothing that is known: named on the command line, but no recipe.
    Unknown,
}

impl Dialect {
    /// As users know it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Amplihack => "an amplihack recipe",
            Self::Outpost => "an Outpost recipe",
            Self::OutpostConfig => "an Outpost configuration",
            Self::AgentUse => "an AgentUse agent",
            Self::Program => "a program that runs agents",
            Self::Workflow => "a GitHub workflow",
            Self::Action => "a GitHub action",
            Self::Prompt => "a prompt",
            Self::Script => "a shell script",
            Self::Contracts => "YAML with contracts",
            Self::Package => "a package manifest",
            Self::Configuration => "a configuration of recipelint",
            Self::Unknown => "nothing that is known",
        }
    }
}

/// One file, lowered.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Which format it is.
    pub dialect: Dialect,
    /// `name:`
    pub name: Option<Spanned<String>>,
    /// Inputs and defaults that the file declares, in order.
    pub variables: Vec<Variable>,
    /// Names of inputs that the file expects from outside: amplihack `context_validation:`.
    pub expected: Vec<Spanned<String>>,
    /// The steps in the order in which they run (for workflows: job by job, see [`Step::job`]).
    pub steps: Vec<Step>,
    /// Jobs of a workflow; empty elsewhere.
    pub jobs: Vec<Job>,
    /// amplihack `extends:`
    pub extends: Option<Spanned<String>>,
    /// Shell that runs around every step: amplihack `hooks:` (name and script).
    pub hooks: Vec<(Spanned<String>, Script)>,
    /// Outputs that a workflow or a composite action hands to its caller.
    pub outputs: Vec<NamedText>,
    /// Calls of agents with what they promise and expect, in order.
    pub contracts: Vec<Contract>,
    /// Other files that lints of this one want to read.
    pub mentions: Vec<Mention>,
    /// What judges and gates go by, of an AgentUse agent.
    pub agent: Option<AgentFile>,
    /// Why nothing in the file is looked at: it is generated.
    pub skipped: Option<&'static str>,
    /// What the format's own loader would refuse or ignore, with the lint that reports it.
    pub problems: Vec<Problem>,
    /// The same where it depends on the version of a package.
    pub versioned: Vec<Versioned>,
}

/// A declared input with its default.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Spanned<String>,
    /// The default's text where it is a scalar (`None`: no default, or an object or array).
    pub default: Option<Spanned<String>>,
    /// What kind of value the default is.
    pub shape: Shape,
}

/// What is known of a value's type.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Shape {
    /// Nothing.
    #[default]
    Unknown,
    /// Text, number, boolean or null.
    Scalar,
    /// An object, with its keys where they are known.
    Object(Option<Vec<String>>),
    /// An array.
    Array,
}

/// A step (a task, an agent run, a workflow step).
#[derive(Clone, Debug)]
pub struct Step {
    /// `id:` / `key:`
    pub id: Option<Spanned<String>>,
    /// Index in [`Recipe::jobs`] for workflow steps.
    pub job: Option<usize>,
    /// What it does.
    pub action: Action,
    /// When it runs.
    pub condition: Option<Guard>,
    /// What it leaves behind.
    pub output: Option<Output>,
    /// amplihack `parallel_group:`
    pub group: Option<Spanned<String>>,
    /// Ids of the steps that must have run before: Outpost `after:`.
    pub after: Vec<Spanned<String>>,
    /// `env:` / `variables:`
    pub env: Vec<NamedText>,
    /// `working_dir:` and other texts of the step in which templates are filled.
    pub texts: Vec<NamedText>,
    /// The step's failure does not stop the recipe.
    pub continue_on_error: bool,
    /// The whole step in the file.
    pub span: Span,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action {
    /// An agent reads a prompt.
    Agent(AgentCall),
    /// Bash runs.
    Script(Script),
    /// Another recipe (or reusable workflow) of the workspace runs.
    Recipe(RecipeCall),
    /// A GitHub action runs: `uses:` with `with:`.
    Uses(Uses),
    /// Something this linter does not follow (pwsh, python, gates, …); the text says what.
    Other(String),
    /// The step says nothing of what it does.
    Nothing,
}

/// An agent call.
#[derive(Clone, Debug, Default)]
pub struct AgentCall {
    /// The prompt; `None` where the step has none.
    pub prompt: Option<Prompt>,
}

/// A prompt that stands in the recipe.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Place of the key (`prompt`, `promptFile`, `brief`).
    pub key: Span,
    /// Its text.
    pub text: Fragment,
}

/// Templating of a script or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Holes {
    /// None.
    #[default]
    None,
    /// amplihack `{{name}}`.
    Template,
    /// GitHub `${{ expression }}`.
    Expression,
}

/// A call of another recipe.
#[derive(Clone, Debug)]
pub struct RecipeCall {
    /// Its name or path as written.
    pub name: Spanned<String>,
    /// Values for its context.
    pub context: Vec<NamedText>,
}

/// A GitHub `uses:` step.
#[derive(Clone, Debug)]
pub struct Uses {
    /// `owner/name/path@ref` or `./path` as written.
    pub action: Spanned<String>,
    /// The version: the ref, or the comment behind the hash of a commit (`# v2.1.0`).
    pub version: Option<String>,
    /// `with:`
    pub with: Vec<NamedText>,
}

/// A key and its text.
#[derive(Clone, Debug)]
pub struct NamedText {
    /// The key.
    pub name: Spanned<String>,
    /// The value's text (numbers and booleans as written).
    pub text: Arc<Fragment>,
}

/// A condition of a step or a job.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Its text.
    pub text: Arc<Fragment>,
    /// Place of the key (`condition`, `if`, `when`).
    pub key: Span,
    /// Which language it is written in.
    pub language: GuardLanguage,
}

/// Condition languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardLanguage {
    /// amplihack's condition grammar.
    Engine,
    /// GitHub expressions.
    Expression,
}

/// What a step leaves behind under a name.
#[derive(Clone, Debug)]
pub struct Output {
    /// The name.
    pub name: Spanned<String>,
    /// `parse_json: true`
    pub parse_json: bool,
    /// `parse_json_required: true`
    pub required: bool,
}

/// A job of a workflow.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its key.
    pub id: Spanned<String>,
    /// `needs:`
    pub needs: Vec<Spanned<String>>,
    /// `if:`
    pub condition: Option<Guard>,
    /// `env:` of the workflow, then of the job: the later ones hold.
    pub env: Vec<NamedText>,
    /// `outputs:`
    pub outputs: Vec<NamedText>,
    /// `uses:` of a reusable workflow.
    pub call: Option<Uses>,
    /// Other texts of the job that may hold expressions: `runs-on`, `strategy`, `environment`.
    pub texts: Vec<NamedText>,
    /// The job's failure does not stop those that need it.
    pub continue_on_error: bool,
}

/// Something the format's own loader refuses, or ignores in silence. The lowering knows the format, so it says it;
/// the lint of that name only passes it on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The lint that reports it, e.g. `unknown-field`.
    pub lint: &'static str,
    /// Where.
    pub span: Span,
    /// What is wrong and what happens instead.
    pub message: String,
    /// What to write.
    pub help: Option<String>,
    /// A replacement that mends it: place, text, and whether the meaning is certain.
    pub fix: Option<(Span, String, bool)>,
    /// Other places that belong to it (the first of two duplicate ids).
    pub related: Vec<(Span, String)>,
    /// Places in other files that belong to it.
    pub elsewhere: Vec<(FileId, Span, String)>,
    /// How bad it is in this case; `None`: as the lint's page says.
    pub level: Option<Severity>,
}

/// How bad a [`Problem`] is where its lint's page does not decide: one system drops a key in silence that another refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Likely wrong.
    Warning,
    /// Wrong.
    Error,
}

impl Problem {
    /// A problem without help, fix and related places.
    pub fn new(lint: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            lint,
            span,
            message: message.into(),
            help: None,
            fix: None,
            related: Vec::new(),
            elsewhere: Vec::new(),
            level: None,
        }
    }

    /// Says what to write.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers a replacement; `certain` where it keeps the meaning.
    #[must_use]
    pub fn fix(mut self, span: Span, text: impl Into<String>, certain: bool) -> Self {
        self.fix = Some((span, text.into(), certain));
        self
    }

    /// Adds a place of the same file.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push((span, message.into()));
        self
    }

    /// Adds a place of another file.
    #[must_use]
    pub fn elsewhere(mut self, file: FileId, span: Span, message: impl Into<String>) -> Self {
        self.elsewhere.push((file, span, message.into()));
        self
    }

    /// Sets how bad it is in this case.
    #[must_use]
    pub fn level(mut self, level: Severity) -> Self {
        self.level = Some(level);
        self
    }
}

impl Recipe {
    /// The scripts of the hooks and of the steps, each with the place of its step in [`Recipe::steps`].
    pub fn scripts(&self) -> impl Iterator<Item = (Option<usize>, &Script)> {
        let hooks = self.hooks.iter().map(|(_, script)| (None, script));
        let steps = self.steps.iter().enumerate().filter_map(|(at, step)| match &step.action {
            Action::Script(script) => Some((Some(at), script)),
            _ => None,
        });
        hooks.chain(steps)
    }

    /// An empty recipe of a dialect, to be filled.
    pub fn empty(dialect: Dialect) -> Self {
        Self {
            dialect,
            name: None,
            variables: Vec::new(),
            expected: Vec::new(),
            steps: Vec::new(),
            jobs: Vec::new(),
            extends: None,
            hooks: Vec::new(),
            outputs: Vec::new(),
            contracts: Vec::new(),
            mentions: Vec::new(),
            agent: None,
            skipped: None,
            problems: Vec::new(),
            versioned: Vec::new(),
        }
    }
}
