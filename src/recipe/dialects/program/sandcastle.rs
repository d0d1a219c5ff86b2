//! Calls of `@ai-hero/sandcastle` (0.5 to 0.12). The checks are those at the entry of `run()`, in its order; what
//! needs no other file is a [`Problem`], the rest is said by the lints over the [`Contract`].

use std::collections::HashMap;

use super::api::{Apis, Package};
use super::{options, zod};
use crate::recipe::{
    Agent, Call, Contract, ContractText, Known, Number, OutputKind, OutputSpec, Problem, PromptSource, Recipe, System,
    Versioned,
};
use crate::syntax::typescript::{Binding, Expression, ExpressionKind, Member, Members};
use crate::text::{Span, Spanned};

/// The package's name.
pub(super) const PACKAGE: &str = "@ai-hero/sandcastle";

/// Providers that cannot go on with a session (`sessionStorage` is missing): retries are refused at entry.
pub(in crate::recipe::dialects) const WITHOUT_SESSIONS: &[&str] = &["cursor", "opencode", "copilot"];

/// Providers that can.
const WITH_SESSIONS: &[&str] = &["claudeCode", "codex", "pi"];

/// Sandboxes of their own machines, whose sessions are not captured to the host.
const ISOLATED: &[&str] = &["vercel", "daytona"];

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Sandbox,
    Worktree,
    /// What a call at this place returns.
    Result(Span),
}

/// Reads the calls of one program in the order of the text.
pub(super) struct Reader<'r, 'a> {
    apis: &'r Apis<'a>,
    /// Contracts by the place of their call.
    seen: HashMap<Span, Contract>,
}

impl<'r, 'a> Reader<'r, 'a> {
    pub(super) fn new(apis: &'r Apis<'a>) -> Self {
        Self { apis, seen: HashMap::new() }
    }

    /// Adds the contract of a call, if it is one.
    pub(super) fn call(&mut self, call: &'a Expression, recipe: &mut Recipe) {
        let Some((kind, original)) = self.kind(call) else { return };
        let Some(arguments) = options::arguments(call) else { return };
        let mut contract = match (kind, &original) {
            (Call::Resume | Call::Fork, Some(original)) => self.continued(call, kind, &arguments, original),
            _ => match arguments.first() {
                Some(first) => self.started(call, kind, first, recipe),
                None => return,
            },
        };
        self.retries(&contract, recipe);
        contract.package = Some(PACKAGE);
        self.seen.insert(call.span, contract.clone());
        recipe.contracts.push(contract);
    }

    /// Which call it is, and what it goes on with.
    fn kind(&self, call: &'a Expression) -> Option<(Call, Option<Contract>)> {
        let ExpressionKind::Call { callee, .. } = &call.kind else { return None };
        if let Some(api) = self.apis.of(callee) {
            return match (api.package, api.path.last().map(String::as_str)) {
                (Package::Sandcastle, Some("run")) if api.path.len() == 1 => Some((Call::Run, None)),
                (Package::Sandcastle, Some("interactive")) if api.path.len() == 1 => Some((Call::Interactive, None)),
                _ => None,
            };
        }
        let ExpressionKind::Member { object, property } = &callee.kind else { return None };
        match (self.value(object, 16)?, property.value.as_str()) {
            (Value::Sandbox, "run") => Some((Call::SandboxRun, None)),
            (Value::Worktree, "run") => Some((Call::WorktreeRun, None)),
            (Value::Sandbox | Value::Worktree, "interactive") => Some((Call::Interactive, None)),
            (Value::Result(original), "resume") => Some((Call::Resume, Some(self.seen.get(&original)?.clone()))),
            (Value::Result(original), "fork") => Some((Call::Fork, Some(self.seen.get(&original)?.clone()))),
            _ => None,
        }
    }

    fn value(&self, expression: &'a Expression, left: usize) -> Option<Value> {
        let left = left.checked_sub(1)?;
        let expression = expression.awaited();
        match &expression.kind {
            ExpressionKind::Name(name) => {
                let declaration = self.apis.fold.scopes.find(name, expression.span.start)?;
                match &declaration.binding {
                    Binding::Value(value, steps) if steps.is_empty() && !declaration.changed => self.value(value, left),
                    _ => None,
                }
            }
            ExpressionKind::Call { callee, .. } => {
                if let Some(api) = self.apis.of(callee) {
                    return match api.path.last().map(String::as_str) {
                        _ if api.package != Package::Sandcastle => None,
                        Some("createSandbox") => Some(Value::Sandbox),
                        Some("createWorktree") => Some(Value::Worktree),
                        Some("run") => Some(Value::Result(expression.span)),
                        _ => None,
                    };
                }
                let ExpressionKind::Member { object, property } = &callee.kind else { return None };
                match (self.value(object, left)?, property.value.as_str()) {
                    (Value::Worktree, "createSandbox") => Some(Value::Sandbox),
                    (_, "run" | "resume" | "fork") => Some(Value::Result(expression.span)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A call with all its options in one object.
    fn started(&self, call: &'a Expression, kind: Call, options: &'a Expression, recipe: &mut Recipe) -> Contract {
        let fold = &self.apis.fold;
        let members = fold.members(options);
        let prompt = self.prompt(call, kind, &members, recipe);
        let agent = self.agent(&members);
        Contract {
            system: System::Sandcastle,
            call: Spanned::new(kind, options::callee_span(call)),
            output: self.output(&members, recipe),
            iterations: options::number(fold, &members, "maxIterations"),
            prompt,
            arguments: options::placeholders(fold, &members, "promptArgs"),
            agent,
            inherited_from: None,
            package: None,
            span: call.span,
        }
    }

    /// `resume` and `fork` take the new prompt as text; output, arguments and agent are those of the original run,
    /// unless they are given again. The iterations are forced to one.
    fn continued(
        &self,
        call: &'a Expression,
        kind: Call,
        arguments: &[&'a Expression],
        original: &Contract,
    ) -> Contract {
        let fold = &self.apis.fold;
        let none = Expression::other(call.span);
        let members = match arguments.get(1) {
            Some(options) => fold.members(options),
            None => Members::default(),
        };
        let mut scrap = Recipe::empty(crate::recipe::Dialect::Program);
        let given = |key: &str| !matches!(members.get(key), Member::Absent);
        let span = options::callee_span(call);
        let prompt = match arguments.first() {
            Some(text) => {
                let key = text.span;
                Known::Known(PromptSource { key, text: ContractText::Inline(options::parts(fold, text)) })
            }
            None => Known::Unknown(none.span),
        };
        Contract {
            system: System::Sandcastle,
            call: Spanned::new(kind, span),
            output: if given("output") { self.output(&members, &mut scrap) } else { original.output.clone() },
            iterations: Known::Absent,
            prompt,
            arguments: if given("promptArgs") {
                options::placeholders(fold, &members, "promptArgs")
            } else {
                original.arguments.clone()
            },
            agent: original.agent.clone(),
            inherited_from: Some(original.call.span),
            package: None,
            span: call.span,
        }
    }

    /// Exactly one of `prompt` and `promptFile` must have a value.
    fn prompt(
        &self,
        call: &'a Expression,
        kind: Call,
        members: &Members<'a>,
        recipe: &mut Recipe,
    ) -> Known<PromptSource> {
        let fold = &self.apis.fold;
        let inline = options::written(fold, members, "prompt");
        let file = options::written(fold, members, "promptFile");
        let name = kind.name();
        match (inline, file) {
            (Known::Known((key, text)), Known::Known((file_key, file))) => {
                let parts = options::parts(fold, text);
                if options::certain(&parts) && options::certain(&options::parts(fold, file)) {
                    let mut problem = Problem::new(
                        "invalid-value",
                        key.span,
                        format!("`{name}` gets both `prompt` and `promptFile` and refuses to start"),
                    );
                    problem.help =
                        Some("give one of them; after a spread, `promptFile: undefined` takes it away".to_owned());
                    problem.related = vec![(file_key.span, "the prompt file is given here".to_owned())];
                    recipe.problems.push(problem);
                }
                Known::Unknown(text.span)
            }
            (Known::Known((key, text)), Known::Absent) => {
                Known::Known(PromptSource { key: key.span, text: ContractText::Inline(options::parts(fold, text)) })
            }
            (Known::Absent, Known::Known((key, file))) => match fold.literal(file) {
                Some(path) => Known::Known(PromptSource { key: key.span, text: ContractText::File(path) }),
                None => Known::Unknown(file.span),
            },
            (Known::Absent, Known::Absent) => {
                if kind != Call::Interactive {
                    let message = format!("`{name}` gets neither `prompt` nor `promptFile` and refuses to start");
                    let span = options::callee_span(call);
                    recipe.problems.push(Problem::new("missing-field", span, message));
                }
                Known::Absent
            }
            _ => Known::Unknown(call.span),
        }
    }

    fn output(&self, members: &Members<'a>, recipe: &mut Recipe) -> Known<OutputSpec> {
        let fold = &self.apis.fold;
        let (key, value) = match options::written(fold, members, "output") {
            Known::Absent => return Known::Absent,
            Known::Unknown(span) => return Known::Unknown(span),
            Known::Known(found) => found,
        };
        let resolved = fold.resolve(value);
        let kind = match self.apis.called(resolved) {
            Some(api) if api.is(Package::Sandcastle, &["Output", "object"]) => OutputKind::Json,
            Some(api) if api.is(Package::Sandcastle, &["Output", "string"]) => OutputKind::Text,
            _ => {
                if let Some([_, ..]) = resolved.object()
                    && let (inner, false) = (fold.members(resolved), fold.members(resolved).open)
                    && matches!(inner.get("tag"), Member::Known(..))
                {
                    let message =
                        "`output` must be made by `Output.object()` or `Output.string()`; a plain object is not read";
                    let mut problem = Problem::new("invalid-value", value.span, message);
                    problem.help = Some("write `Output.object({ tag, schema })`".to_owned());
                    recipe.problems.push(problem);
                }
                return Known::Unknown(value.span);
            }
        };
        let Some(spec) = options::arguments(resolved).and_then(|arguments| arguments.first().copied()) else {
            return Known::Unknown(value.span);
        };
        let spec = fold.members(spec);
        let schema = match options::written(fold, &spec, "schema") {
            Known::Absent => Known::Absent,
            Known::Unknown(span) => Known::Unknown(span),
            Known::Known((_, schema)) => zod::schema(self.apis, schema),
        };
        Known::Known(OutputSpec {
            key: key.span,
            kind,
            tag: options::text(fold, &spec, "tag"),
            schema,
            retries: options::number(fold, &spec, "maxRetries"),
        })
    }

    /// The provider, and whether its sessions can be gone on with.
    fn agent(&self, members: &Members<'a>) -> Agent {
        let fold = &self.apis.fold;
        let Known::Known((_, value)) = options::written(fold, members, "agent") else { return Agent::default() };
        let resolved = fold.resolve(value);
        let Some(api) = self.apis.called(resolved) else { return Agent::default() };
        let (Package::Sandcastle, [provider]) = (api.package, api.path.as_slice()) else { return Agent::default() };
        let name = provider.as_str();
        let resumable = if WITHOUT_SESSIONS.contains(&name) {
            Some(Err(format!("`{name}` cannot go on with a session")))
        } else if !WITH_SESSIONS.contains(&name) {
            None
        } else if self.captures_nothing(resolved) {
            Some(Err("`captureSessions: false` keeps no session to go on with".to_owned()))
        } else if let Some(sandbox) = self.isolated(members) {
            Some(Err(format!("sessions in an isolated sandbox (`{sandbox}`) are not captured")))
        } else {
            Some(Ok(()))
        };
        Agent { provider: Some(Spanned::new(provider.clone(), value.span)), resumable }
    }

    fn captures_nothing(&self, provider: &'a Expression) -> bool {
        let Some(options) = options::arguments(provider).and_then(|arguments| arguments.get(1).copied()) else {
            return false;
        };
        let members = self.apis.fold.members(options);
        match members.get("captureSessions") {
            Member::Known(_, value) => matches!(self.apis.fold.resolve(value).kind, ExpressionKind::Boolean(false)),
            Member::Absent | Member::Unknown => false,
        }
    }

    fn isolated(&self, members: &Members<'a>) -> Option<String> {
        let Member::Known(_, value) = members.get("sandbox") else { return None };
        let api = self.apis.called(self.apis.fold.resolve(value))?;
        let name = api.path.last()?;
        (api.package == Package::SandcastleSandbox && ISOLATED.contains(&name.as_str())).then(|| name.clone())
    }

    /// `maxRetries` must be a whole number from 0 on, and is only known since 0.11.0.
    fn retries(&self, contract: &Contract, recipe: &mut Recipe) {
        let Some(retries) = contract.output.known().and_then(|output| output.retries.known()) else { return };
        if contract.inherited_from.is_some() {
            return;
        }
        let wrong = match &retries.value {
            Number::Int(value) => (*value < 0).then(|| value.to_string()),
            Number::Other(text) => (text != "null").then(|| text.clone()),
        };
        if let Some(text) = wrong {
            let message = format!("`maxRetries` is {text}: the run refuses anything but a whole number from 0 on");
            recipe.problems.push(Problem::new("invalid-value", retries.span, message));
        }
        let message = "`maxRetries` is ignored in silence by the installed version: retries came with 0.11.0";
        recipe.versioned.push(Versioned {
            package: PACKAGE,
            from: None,
            before: Some([0, 11, 0]),
            problem: Problem::new("unknown-field", retries.span, message),
        });
    }
}
