//! What one call asks of an agent: the prompt it sends, the tag its answer must stand in, how often it may try again.
//! Sandcastle calls, Outpost dispatches and YAML steps with `output: {tag, …}` are all lowered to this, so one lint
//! serves them all. What cannot be known without running the program is [`Known::Unknown`], and lints stay silent.

use std::sync::Arc;

use crate::text::{Fragment, Span, Spanned};

/// A value that may or may not be known without running anything.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Known<T> {
    /// It is not written.
    #[default]
    Absent,
    /// It is written here, but what it is only shows at run time.
    Unknown(Span),
    /// It is this.
    Known(T),
}

impl<T> Known<T> {
    /// The value, where it is known.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Absent | Self::Unknown(_) => None,
        }
    }
}

/// One call of an agent (with or without structured output), or the definition of a response on its own.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Whose rules hold.
    pub system: System,
    /// Which function is called; the span is the callee (`run`, `sandbox.run`) or the step's key.
    pub call: Spanned<Call>,
    /// The structured output that is asked for. `Known::Absent`: the answer is free text.
    pub output: Known<OutputSpec>,
    /// `maxIterations`, `max_iterations`, `passes`. The span is the value.
    pub iterations: Known<Spanned<Number>>,
    /// What the agent is told.
    pub prompt: Known<PromptSource>,
    /// `promptArgs`, `brief.values`.
    pub arguments: Known<Arguments>,
    /// The agent.
    pub agent: Agent,
    /// Output and arguments were taken over from the run that this one goes on with (`resume`, `fork`): its callee.
    pub inherited_from: Option<Span>,
    /// Package whose version decides rules: its name, to be looked up in the nearest `package.json`.
    pub package: Option<&'static str>,
    /// The whole call or step.
    pub span: Span,
}

/// Whose rules hold for a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// `@ai-hero/sandcastle`: the raw prompt must hold the opening tag.
    Sandcastle,
    /// `@elie-laloum/outpost` from TypeScript: the brief must hold the opening tag up to 9.x, never from 10 on.
    Outpost,
    /// Outpost recipes: the engine adds the instructions itself, the brief needs no tag.
    OutpostRecipe,
    /// Contracts in other YAML: Sandcastle's rules.
    Yaml,
}

/// Which function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Sandcastle `run()`.
    Run,
    /// `result.resume()`.
    Resume,
    /// `result.fork()`.
    Fork,
    /// `interactive()`, `worktree.interactive()`, `sandbox.interactive()`.
    Interactive,
    /// `sandbox.run()` of a `createSandbox()`.
    SandboxRun,
    /// `worktree.run()` of a `createWorktree()`.
    WorktreeRun,
    /// Outpost `dispatch()`, `sandbox.dispatch()` and the `request` of its task definitions.
    Dispatch,
    /// `defineJsonResponse()`, `defineTextResponse()` and `responses.*` of `outpost.yaml`, on their own.
    Definition,
    /// A YAML step.
    Step,
}

impl Call {
    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run()",
            Self::Resume => "resume()",
            Self::Fork => "fork()",
            Self::Interactive => "interactive()",
            Self::SandboxRun => "sandbox.run()",
            Self::WorktreeRun => "worktree.run()",
            Self::Dispatch => "dispatch()",
            Self::Definition => "the response",
            Self::Step => "the step",
        }
    }

    /// Whether the system reads structured output of such a call.
    pub fn reads_output(self) -> bool {
        !matches!(self, Self::Interactive | Self::SandboxRun | Self::WorktreeRun)
    }
}

/// Structured output as it is configured.
#[derive(Clone, Debug)]
pub struct OutputSpec {
    /// Place of the key (`output`, `response`).
    pub key: Span,
    /// JSON or text.
    pub kind: OutputKind,
    /// The tag without brackets. The span is where its text is written.
    pub tag: Known<Spanned<String>>,
    /// The schema as far as it is literal, as JSON Schema (only `type`, `properties`, `required`, `items`, `enum`,
    /// `const`, `anyOf`, `nullable` are ever used; `{}` stands for a part that is not known).
    pub schema: Known<Spanned<serde_json::Value>>,
    /// `maxRetries`, `repairs`. The span is the value.
    pub retries: Known<Spanned<Number>>,
}

/// Forms of structured output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputKind {
    /// `Output.object`, `defineJsonResponse`, `type: json`.
    Json,
    /// `Output.string`, `defineTextResponse`, `type: text`.
    Text,
    /// It depends on something that is not known.
    Unknown,
}

/// A number as the systems' own checks see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// A whole number.
    Int(i64),
    /// Anything else that is known, as written: `1.5`, `"2"`, `NaN`, `null`.
    Other(String),
}

/// The prompt of a call.
#[derive(Clone, Debug)]
pub struct PromptSource {
    /// Place of the key (`prompt`, `promptFile`, `brief`).
    pub key: Span,
    /// The text, or where it is.
    pub text: ContractText,
}

/// A prompt's text.
#[derive(Clone, Debug)]
pub enum ContractText {
    /// It stands in the program or recipe, in parts. Parts may come from constants anywhere in the file.
    Inline(Vec<TextPart>),
    /// A file, by its path as written; resolved from the workspace's root (the working directory of the systems).
    File(Spanned<String>),
}

/// A part of a text that is put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// Known text.
    Text(Arc<Fragment>),
    /// Something that only shows at run time.
    Unknown(Span),
}

/// Values for the placeholders of a prompt file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Arguments {
    /// Place of the key.
    pub key: Span,
    /// Those that are written, in order.
    pub entries: Vec<Argument>,
    /// More may come from a spread or a computed key.
    pub open: bool,
}

/// A value for a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: Spanned<String>,
    /// It is written as `null` or `undefined`.
    pub missing: bool,
}

/// What is known of a call's agent.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Agent {
    /// The provider or harness as written (`claudeCode`, `cursor`, …), where known.
    pub provider: Option<Spanned<String>>,
    /// Whether a session can be gone on with, so that retries can happen; `None`: not known. Otherwise why not, in
    /// words that follow "because".
    pub resumable: Option<Result<(), String>>,
}

impl PromptSource {
    /// The whole inline text; `None` where a part is unknown or it is a file.
    pub fn literal(&self) -> Option<String> {
        let ContractText::Inline(parts) = &self.text else { return None };
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Text(fragment) => text.push_str(fragment.text()),
                TextPart::Unknown(_) => return None,
            }
        }
        Some(text)
    }

    /// The path as written, for prompts in files.
    pub fn file(&self) -> Option<&Spanned<String>> {
        match &self.text {
            ContractText::File(path) => Some(path),
            ContractText::Inline(_) => None,
        }
    }
}

/// Another file that a file speaks of and that lints want to read: the workspace loads it when it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The path as written.
    pub path: Spanned<String>,
    /// Where it is resolved.
    pub base: Base,
    /// What it is, so that the loader reads it as that.
    pub kind: MentionKind,
}

/// Where a path is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// The workspace's root, as working directory.
    Root,
    /// The folder of the file that mentions it.
    Here,
    /// The folder of the file that mentions it, then every parent up to the root: the nearest one.
    Upward,
}

/// What a mentioned file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MentionKind {
    /// A prompt in Markdown or plain text.
    Prompt,
    /// `package.json` or `package-lock.json`: only its text is wanted.
    Package,
    /// An agent used as a judge.
    Judge,
    /// A recipe or configuration.
    Recipe,
    /// A script of the repository that a step runs: of the shell, JavaScript, or another language, of which only the
    /// text is wanted.
    Script,
}
