//! Calls of `@elie-laloum/outpost` from TypeScript: `dispatch()`, the requests of task definitions, and definitions of
//! responses. Rules that came or went with 9.0 and 10.0.1 depend on the installed version.

use super::api::{Api, Apis, Package};
use super::{options, zod};
use crate::recipe::{
    Agent, Call, Contract, ContractText, Known, Number, OutputKind, OutputSpec, Problem, PromptSource, Recipe,
    Severity, System, TextPart, Versioned, prompt,
};
use crate::syntax::typescript::{Expression, ExpressionKind, Member, Members, StatementKind};
use crate::text::{Span, Spanned};

/// The package's name.
pub(super) const PACKAGE: &str = "@elie-laloum/outpost";

/// Functions whose `request` is a dispatch.
const TASKS: &[&str] = &["defineAgentTask", "defineIsolatedTask", "defineInteractiveAgentTask"];

/// Adds the contract of a call, if it is one.
pub(super) fn call<'a>(apis: &Apis<'a>, call: &'a Expression, recipe: &mut Recipe) {
    let ExpressionKind::Call { callee, .. } = &call.kind else { return };
    let Some(first) = options::arguments(call).and_then(|arguments| arguments.first().copied()) else { return };
    let api = apis.of(callee);
    if let Some((kind, named_since_nine)) = api.as_ref().and_then(response) {
        definition(apis, call, kind, named_since_nine, recipe);
        return;
    }
    let request = match api.as_ref().map(|api| (api.package, api.path.as_slice())) {
        Some((Package::Outpost, [name])) if name == "dispatch" => Some(first),
        Some((Package::Outpost, [name])) if TASKS.contains(&name.as_str()) => request(apis, first),
        Some(_) => None,
        None => match &callee.kind {
            ExpressionKind::Member { property, .. } if matches!(property.value.as_str(), "dispatch" | "resume") => {
                brings_outpost(apis, first).then_some(first)
            }
            _ => None,
        },
    };
    if let Some(request) = request {
        dispatch(apis, call, request, recipe);
    }
}

/// Which response a function defines, and whether its name is the one since 9.0.
fn response(api: &Api) -> Option<(OutputKind, bool)> {
    let path: Vec<&str> = api.path.iter().map(String::as_str).collect();
    match (api.package, path.as_slice()) {
        (Package::Outpost, ["defineJsonResponse"]) => Some((OutputKind::Json, true)),
        (Package::Outpost, ["defineTextResponse"]) => Some((OutputKind::Text, true)),
        (Package::Outpost, ["response", "json"]) => Some((OutputKind::Json, false)),
        (Package::Outpost, ["response", "text"]) => Some((OutputKind::Text, false)),
        _ => None,
    }
}

/// `sandbox.dispatch({ brief, … })`: other objects have a `dispatch`, too, but no response of this package.
fn brings_outpost<'a>(apis: &Apis<'a>, options: &'a Expression) -> bool {
    let members = apis.fold.members(options);
    let brief = match members.get("brief") {
        Member::Known(_, brief) => {
            let brief = apis.fold.members(brief);
            ["text", "file"].iter().any(|key| matches!(brief.get(key), Member::Known(..)))
        }
        Member::Absent | Member::Unknown => false,
    };
    let response = match members.get("response") {
        Member::Known(_, value) => apis.called(apis.fold.resolve(value)).is_some_and(|api| response(&api).is_some()),
        Member::Absent | Member::Unknown => false,
    };
    response || (brief && matches!(members.get("agent"), Member::Known(..)))
}

/// The `request` of a task definition: an object, or a function that returns one.
fn request<'a>(apis: &Apis<'a>, task: &'a Expression) -> Option<&'a Expression> {
    let Member::Known(_, request) = apis.fold.members(task).get("request") else { return None };
    let request = apis.fold.resolve(request);
    match &request.kind {
        ExpressionKind::Function(function) => match function.body.as_slice() {
            [only] => match &only.kind {
                StatementKind::Return(Some(value)) => Some(value),
                _ => None,
            },
            _ => None,
        },
        _ => Some(request),
    }
}

fn dispatch<'a>(apis: &Apis<'a>, call: &'a Expression, request: &'a Expression, recipe: &mut Recipe) {
    let fold = &apis.fold;
    let members = fold.members(request);
    let span = options::callee_span(call);
    let (prompt, arguments) = brief(apis, span, &members, recipe);
    let output = match options::written(fold, &members, "response") {
        Known::Absent => Known::Absent,
        Known::Unknown(span) => Known::Unknown(span),
        Known::Known((key, value)) => {
            let resolved = fold.resolve(value);
            match apis.called(resolved).as_ref().and_then(response) {
                Some((kind, _)) => spec(apis, resolved, kind, key.span),
                None => Known::Unknown(value.span),
            }
        }
    };
    if let (Some(output), Some(PromptSource { text: ContractText::Inline(parts), .. })) =
        (output.known(), prompt.known())
    {
        conflicts(output, parts, recipe);
    }
    recipe.contracts.push(Contract {
        system: System::Outpost,
        call: Spanned::new(Call::Dispatch, span),
        output,
        iterations: options::number(fold, &members, "passes"),
        prompt,
        arguments,
        agent: agent(apis, &members),
        inherited_from: None,
        package: Some(PACKAGE),
        span: call.span,
    });
}

/// From 10.0.1 on Outpost adds its own instructions for the response behind the brief: what the brief itself demands of
/// the answer's form works against them.
fn conflicts(output: &OutputSpec, parts: &[TextPart], recipe: &mut Recipe) {
    let Some(tag) = output.tag.known() else { return };
    for part in parts {
        let TextPart::Text(fragment) = part else { continue };
        for (span, what) in prompt::conflicts(fragment.text(), &tag.value) {
            let message =
                format!("the brief {what}, and Outpost adds that the answer must end with one `<{}>` block", tag.value);
            let help = "leave the form of the answer to the response; say in the brief only what it should hold";
            let problem = Problem::new("multiple-output-contracts", fragment.locate(span), message);
            let problem = problem.help(help).level(Severity::Warning);
            recipe.versioned.push(Versioned { package: PACKAGE, from: Some([10, 0, 0]), before: None, problem });
        }
    }
}

/// Exactly one of `text` and `file`; `values` belong to a file.
fn brief<'a>(
    apis: &Apis<'a>,
    call: Span,
    members: &Members<'a>,
    recipe: &mut Recipe,
) -> (Known<PromptSource>, Known<crate::recipe::Arguments>) {
    let fold = &apis.fold;
    let (key, value) = match options::written(fold, members, "brief") {
        Known::Absent => return (Known::Absent, Known::Absent),
        Known::Unknown(span) => return (Known::Unknown(span), Known::Unknown(span)),
        Known::Known(found) => found,
    };
    let inner = fold.members(value);
    let arguments = options::placeholders(fold, &inner, "values");
    let prompt = match (options::written(fold, &inner, "text"), options::written(fold, &inner, "file")) {
        (Known::Known((_, text)), Known::Absent) => {
            Known::Known(PromptSource { key: key.span, text: ContractText::Inline(options::parts(fold, text)) })
        }
        (Known::Absent, Known::Known((_, file))) => match fold.literal(file) {
            Some(path) => Known::Known(PromptSource { key: key.span, text: ContractText::File(path) }),
            None => Known::Unknown(file.span),
        },
        (Known::Known((text_key, text)), Known::Known((file_key, file))) => {
            if options::certain(&options::parts(fold, text)) && options::certain(&options::parts(fold, file)) {
                let message = "a brief has either `text` or `file`: with both the dispatch is refused";
                let mut problem = Problem::new("invalid-value", text_key.span, message);
                problem.related = vec![(file_key.span, "the file is given here".to_owned())];
                recipe.problems.push(problem);
            }
            Known::Unknown(value.span)
        }
        (Known::Absent, Known::Absent) if !inner.open => {
            let message = "a brief needs `text` or `file`: without one the dispatch is refused";
            recipe.problems.push(Problem::new("missing-field", key.span, message));
            Known::Absent
        }
        _ => Known::Unknown(call),
    };
    (prompt, arguments)
}

/// A definition on its own.
fn definition<'a>(apis: &Apis<'a>, call: &'a Expression, kind: OutputKind, new_name: bool, recipe: &mut Recipe) {
    let span = options::callee_span(call);
    let output = spec(apis, call, kind, span);
    let (from, before, message) = if new_name {
        (
            None,
            Some([9, 0, 0]),
            "this function came with 9.0.0; the installed version has `response.json()` and `response.text()`",
        )
    } else {
        (
            Some([9, 0, 0]),
            None,
            "`response` is gone since 9.0.0: the functions are `defineJsonResponse()` and `defineTextResponse()`",
        )
    };
    let problem = Problem::new("unknown-reference", span, message);
    recipe.versioned.push(Versioned { package: PACKAGE, from, before, problem });
    schemas(apis, call, kind, recipe);
    if let Some(retries) = output.known().and_then(|output| output.retries.known()) {
        let wrong = match &retries.value {
            Number::Int(value) => *value < 0,
            Number::Other(_) => true,
        };
        if wrong {
            let message = "`repairs` is refused here: it must be a whole number from 0 on";
            recipe.problems.push(Problem::new("invalid-value", retries.span, message));
        }
    }
    recipe.contracts.push(Contract {
        system: System::Outpost,
        call: Spanned::new(Call::Definition, span),
        output,
        iterations: Known::Absent,
        prompt: Known::Absent,
        arguments: Known::Absent,
        agent: Agent::default(),
        inherited_from: None,
        package: Some(PACKAGE),
        span: call.span,
    });
}

fn spec<'a>(apis: &Apis<'a>, definition: &'a Expression, kind: OutputKind, key: Span) -> Known<OutputSpec> {
    let fold = &apis.fold;
    let Some(first) = options::arguments(definition).and_then(|arguments| arguments.first().copied()) else {
        return Known::Unknown(definition.span);
    };
    let members = fold.members(first);
    let explicit = match members.get("jsonSchema") {
        Member::Known(_, value) => {
            zod::literal(apis, value).map(|schema| Known::Known(Spanned::new(schema, value.span)))
        }
        Member::Absent | Member::Unknown => None,
    };
    let schema = explicit.unwrap_or_else(|| match options::written(fold, &members, "schema") {
        Known::Absent => Known::Absent,
        Known::Unknown(span) => Known::Unknown(span),
        Known::Known((_, schema)) => zod::schema(apis, schema),
    });
    Known::Known(OutputSpec {
        key,
        kind,
        tag: options::text(fold, &members, "tag"),
        schema,
        retries: options::number(fold, &members, "repairs"),
    })
}

/// From 10.0.1 on a JSON response needs a JSON Schema: given, or one that the schema itself can be turned into.
fn schemas<'a>(apis: &Apis<'a>, definition: &'a Expression, kind: OutputKind, recipe: &mut Recipe) {
    let fold = &apis.fold;
    let Some(first) = options::arguments(definition).and_then(|arguments| arguments.first().copied()) else { return };
    let members = fold.members(first);
    match options::written(fold, &members, "jsonSchema") {
        Known::Known((_, value)) => {
            let is_no_object = matches!(
                fold.resolve(value).kind,
                ExpressionKind::String(_)
                    | ExpressionKind::Template(_)
                    | ExpressionKind::Number(_)
                    | ExpressionKind::Boolean(_)
                    | ExpressionKind::Null
                    | ExpressionKind::Array(_)
                    | ExpressionKind::Function(_)
            );
            if is_no_object {
                let message = "`jsonSchema` must be a JSON object; anything else is refused";
                recipe.problems.push(Problem::new("invalid-value", value.span, message));
            }
        }
        Known::Absent if kind == OutputKind::Json => {
            let Known::Known((_, schema)) = options::written(fold, &members, "schema") else { return };
            let resolved = fold.resolve(schema);
            let what = match &resolved.kind {
                ExpressionKind::Function(_) => "a function",
                ExpressionKind::Call { callee, .. }
                    if apis.of(callee).is_some_and(|api| api.package == Package::Validation) =>
                {
                    "a schema that only validates"
                }
                _ => return,
            };
            let message = format!("`schema` is {what}: since 10.0.1 a JSON response needs `jsonSchema` beside it");
            let problem = Problem::new("missing-field", schema.span, message);
            recipe.versioned.push(Versioned { package: PACKAGE, from: Some([10, 0, 0]), before: None, problem });
        }
        Known::Absent | Known::Unknown(_) => {}
    }
}

/// An agent that is written in the same file may say that it cannot go on with a conversation.
fn agent<'a>(apis: &Apis<'a>, members: &Members<'a>) -> Agent {
    let fold = &apis.fold;
    let Known::Known((_, value)) = options::written(fold, members, "agent") else { return Agent::default() };
    let inner = match &fold.resolve(value).kind {
        ExpressionKind::Call { arguments, .. } => match arguments.last() {
            Some(last) => fold.members(&last.value),
            None => return Agent::default(),
        },
        _ => fold.members(value),
    };
    let resumable = match inner.get("resumable") {
        Member::Known(key, value) => match &fold.resolve(value).kind {
            ExpressionKind::Boolean(true) => Some(Ok(())),
            ExpressionKind::Boolean(false) => Some(Err(format!("the agent says `{}: false`", key.value))),
            _ => None,
        },
        Member::Absent | Member::Unknown => None,
    };
    Agent { provider: None, resumable }
}
