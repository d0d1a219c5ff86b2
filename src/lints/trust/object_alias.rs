//! `$NAME` of an output that is an object: the engine makes no such alias.

use std::collections::BTreeSet;

use super::super::{Context, Edit, Finding, Fix, Safety, Sink};
use crate::flow::Place;
use crate::recipe::environment::{PREFIX, environment_name, is_alias};
use crate::recipe::names::assigned;
use crate::recipe::{Action, Dialect, Script, Shape};
use crate::syntax::shell::ast::{
    Command, CommandKind, List, Parameter, ParameterOp, PartKind, Redirect, RedirectKind, Simple, Word, WordPart,
};
use crate::syntax::shell::visit::{self, Visitor};

/// The lint.
pub(crate) const ID: &str = "object-alias";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    if cx.file.dialect != Dialect::Amplihack {
        return;
    }
    for (at, step) in cx.file.recipe.steps.iter().enumerate() {
        if let Action::Script(script) = &step.action {
            check_script(cx, sink, at, script);
        }
    }
}

fn check_script(cx: &Context<'_>, sink: &mut Sink, step: usize, script: &Script) {
    let tree = script.tree();
    let own = assigned(&tree);
    let mut aliases = Aliases { own: &own, found: Vec::new() };
    visit::list(&tree.body, &mut aliases);
    for parameter in aliases.found {
        let Some(object) = object_behind(cx, step, &parameter.name) else { continue };
        let variable = format!("{PREFIX}{}", environment_name(&object.name));
        let span = script.fragment.locate(parameter.name_span);
        let message = format!(
            "`${}` is never set: `{}` is {}, and the engine makes an alias in capitals for texts and numbers only",
            parameter.name, object.name, object.what
        );
        let mut finding = Finding::new(ID, cx.place(span), message)
            .help(format!("read `${variable}`, or one field of it: `${variable}__field`"))
            .related(object.made, "made here");
        if cx.file.source.slice(span) == parameter.name {
            let edits = vec![Edit { place: cx.place(span), text: variable.clone() }];
            finding = finding.fix(Fix { title: format!("Read `${variable}`"), safety: Safety::Safe, edits });
        }
        sink.push(finding);
    }
}

/// Expansions of names in capitals that the script does not set, without a plan for the alias that is missing.
struct Aliases<'a> {
    own: &'a BTreeSet<String>,
    found: Vec<&'a Parameter>,
}

impl<'a> Visitor<'a> for Aliases<'a> {
    fn part(&mut self, part: &'a WordPart) {
        let PartKind::Parameter(parameter) = &part.kind else { return };
        let name = parameter.name.as_str();
        let capitals = name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.starts_with(PREFIX);
        let planned = match &parameter.op {
            ParameterOp::Default { word, .. } | ParameterOp::Assign { word, .. } => reads_variable(word),
            ParameterOp::Alternative { .. } => true,
            _ => false,
        };
        if capitals && !planned && !self.own.contains(name) {
            self.found.push(parameter);
        }
    }
}

/// `${X:-${RECIPE_VAR_x:-}}`: the alias is only tried first.
fn reads_variable(word: &Word) -> bool {
    struct Reads(bool);
    impl<'a> Visitor<'a> for Reads {
        fn part(&mut self, part: &'a WordPart) {
            self.0 |= match &part.kind {
                PartKind::Parameter(parameter) => parameter.name.starts_with(PREFIX),
                PartKind::Hole(_) => true,
                _ => false,
            };
        }
    }
    let mut reads = Reads(false);
    visit::word(word, &mut reads);
    reads.0
}

struct Object {
    name: String,
    what: &'static str,
    made: Place,
}

/// The variable of which a name in capitals would be the alias, if that is certainly an object or array at this step.
fn object_behind(cx: &Context<'_>, step: usize, name: &str) -> Option<Object> {
    let names = cx.index.names(cx.file);
    let before = names.before(step);
    let recipe = &cx.file.recipe;
    let lower = name.to_ascii_lowercase();
    let made = [lower.as_str(), name].into_iter().find_map(|key| names.outputs.get_key_value(key));
    if let Some((output, steps)) = made.filter(|(output, _)| is_alias(output, name)) {
        let earlier: Vec<usize> = steps.iter().copied().filter(|at| names.after(*at) <= before).collect();
        let whats: Option<Vec<&'static str>> =
            earlier.iter().map(|at| recipe.steps.get(*at).and_then(object_output)).collect();
        if let (Some(what), Some(last)) = (whats.as_ref().and_then(|whats| whats.first()), earlier.last()) {
            let made = cx.place(recipe.steps.get(*last)?.output.as_ref()?.name.span);
            return Some(Object { name: output.clone(), what, made });
        }
        if !earlier.is_empty() {
            return None;
        }
    }
    if ![lower.as_str(), name].into_iter().any(|key| names.declared.contains(key)) {
        return object_of_another(cx, before, name).or_else(|| object_of_callers(cx, name));
    }
    let variable = recipe.variables.iter().find(|variable| is_alias(&variable.name.value, name))?;
    let what = match variable.shape {
        Shape::Object(_) => "an object",
        Shape::Array => "an array",
        Shape::Scalar | Shape::Unknown => return None,
    };
    Some(Object { name: variable.name.value.clone(), what, made: cx.place(variable.name.span) })
}

/// The same for what all recipes that run this one have made before.
fn object_of_callers(cx: &Context<'_>, name: &str) -> Option<Object> {
    let mut found = None;
    for call in cx.index.callers(cx.file.id) {
        let caller = cx.index.file(call.caller)?;
        let own = cx.index.names(caller);
        let lower = name.to_ascii_lowercase();
        let (output, steps) = [lower.as_str(), name].into_iter().find_map(|key| own.outputs.get_key_value(key))?;
        // Whoever extends this recipe makes his own outputs later.
        let before = own.before(call.step?);
        let given = caller.recipe.steps.get(call.step?).is_some_and(|step| gives(step, output));
        if own.declared.contains(output) || given || !is_alias(output, name) {
            return None;
        }
        let last = steps.iter().rfind(|at| own.after(**at) <= before)?;
        let step = caller.recipe.steps.get(*last)?;
        let (what, made) = (object_output(step)?, step.output.as_ref()?.name.span);
        found = Some(Object { name: output.clone(), what, made: Place { file: caller.id, span: made } });
    }
    found
}

/// Whether a step gives its recipe a value of its own under this name.
fn gives(step: &crate::recipe::Step, name: &str) -> bool {
    matches!(&step.action, Action::Recipe(call) if call.context.iter().any(|given| given.name.value == name))
}

/// The same for an output of the recipes that were run before, or that this one extends.
fn object_of_another(cx: &Context<'_>, before: usize, name: &str) -> Option<Object> {
    let names = cx.index.names(cx.file);
    let calls = cx.index.calls(cx.file.id).iter();
    let mut found = None;
    for call in calls.filter(|call| call.step.is_none_or(|at| names.after(at) <= before)) {
        let other = cx.index.file(call.callee)?;
        let own = cx.index.names(other);
        let lower = name.to_ascii_lowercase();
        let Some((output, steps)) = [lower.as_str(), name].into_iter().find_map(|key| own.outputs.get_key_value(key))
        else {
            continue;
        };
        if own.declared.contains(output) || !is_alias(output, name) {
            return None;
        }
        for at in steps {
            let step = other.recipe.steps.get(*at)?;
            let what = object_output(step)?;
            let made = Place { file: other.id, span: step.output.as_ref()?.name.span };
            found = Some(Object { name: output.clone(), what, made });
        }
    }
    found
}

/// What a step leaves, where that is certainly no text.
fn object_output(step: &crate::recipe::Step) -> Option<&'static str> {
    let output = step.output.as_ref()?;
    match &step.action {
        Action::Recipe(_) => None,
        _ if output.parse_json => Some("the JSON of a `parse_json` step"),
        Action::Script(script) => prints_json(&script.tree().body).then_some("JSON, which the engine keeps as a value"),
        _ => None,
    }
}

/// All that a script prints is one JSON object or array: its last command prints one, and those before it print nothing.
fn prints_json(list: &List) -> bool {
    let Some((last, before)) = list.items.split_last() else { return false };
    let silent = before.iter().all(|item| {
        let pipelines = std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline));
        pipelines.into_iter().all(|pipeline| pipeline.commands.last().is_some_and(is_silent))
    });
    let last = if last.rest.is_empty() { last.first.commands.last() } else { None };
    silent && last.is_some_and(prints_object)
}

fn is_silent(command: &Command) -> bool {
    let redirected = command.redirects.iter().any(|redirect| {
        redirect.fd.is_none_or(|fd| fd == 1)
            && matches!(
                redirect.kind,
                RedirectKind::Output(_)
                    | RedirectKind::Append(_)
                    | RedirectKind::OutputAndError(_)
                    | RedirectKind::AppendOutputAndError(_)
                    | RedirectKind::DuplicateOutput(_)
            )
    });
    let quiet = match &command.kind {
        CommandKind::Simple(simple) => {
            const QUIET: &[&str] = &[
                "set",
                "cd",
                "export",
                "local",
                "declare",
                "readonly",
                "shopt",
                "trap",
                "mkdir",
                "touch",
                "rm",
                "true",
                ":",
                "test",
                "[",
                "unset",
                "exit",
                "return",
                "shift",
                "umask",
                "ulimit",
                "sleep",
                "wait",
                "pushd",
                "popd",
                "read",
                "mapfile",
                "readarray",
                "mv",
                "cp",
                "chmod",
                "false",
            ];
            simple.words.is_empty() || word(simple, 0).is_some_and(|name| QUIET.contains(&name.as_str()))
        }
        CommandKind::Function(_) | CommandKind::Test(_) | CommandKind::Arithmetic(_) => true,
        CommandKind::If(node) => {
            let mut lists = node.branches.iter().flat_map(|(condition, body)| [condition, body]).chain(&node.otherwise);
            lists.all(is_silent_list)
        }
        CommandKind::Group(body) => is_silent_list(body),
        _ => false,
    };
    redirected || quiet
}

fn is_silent_list(list: &List) -> bool {
    list.items.iter().all(|item| {
        let pipelines = std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline));
        pipelines.into_iter().all(|pipeline| pipeline.commands.last().is_some_and(is_silent))
    })
}

fn word(simple: &Simple, at: usize) -> Option<String> {
    simple.words.get(at)?.literal().map(std::borrow::Cow::into_owned)
}

fn prints_object(command: &Command) -> bool {
    let simple = match &command.kind {
        CommandKind::Simple(simple) => simple,
        // Every way through prints one.
        CommandKind::If(node) => {
            let conditions = node.branches.iter().all(|(condition, _)| is_silent_list(condition));
            let mut bodies = node.branches.iter().map(|(_, body)| body).chain(&node.otherwise);
            return conditions && node.otherwise.is_some() && bodies.all(prints_json);
        }
        CommandKind::Group(body) | CommandKind::Subshell(body) => return prints_json(body),
        _ => return false,
    };
    if let [Redirect { kind: RedirectKind::HereDocument(document), .. }] = command.redirects.as_slice() {
        let text = |part: Option<&WordPart>| match part.map(|part| &part.kind) {
            Some(PartKind::Literal(text)) => Some(text.trim().to_owned()),
            _ => None,
        };
        let (first, last) = (text(document.body.parts.first()), text(document.body.parts.last()));
        let framed = |open: char, close: char| {
            first.as_ref().is_some_and(|text| text.starts_with(open))
                && last.as_ref().is_some_and(|text| text.ends_with(close))
        };
        return simple.words.len() == 1
            && word(simple, 0).as_deref() == Some("cat")
            && (framed('{', '}') || framed('[', ']'));
    }
    if !command.redirects.iter().all(|redirect| redirect.fd.is_some_and(|fd| fd != 1)) {
        return false;
    }
    let words: Vec<Option<String>> = (0..simple.words.len()).map(|at| word(simple, at)).collect();
    let literal = |at: usize| words.get(at).and_then(Option::as_deref);
    let has = |flags: &[&str]| words.iter().flatten().any(|word| flags.contains(&word.as_str()));
    // `--jq=.x`, `-q.x`: another form than JSON was asked for.
    let shaped = |flags: &[&str]| {
        words.iter().flatten().any(|word| {
            flags.iter().any(|flag| {
                word.strip_prefix(flag)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('=') || !flag.starts_with("--"))
            })
        })
    };
    let starts = |text: &str| text.trim_start().starts_with(['{', '[']) && text.contains(['"', '}', ']']);
    match literal(0) {
        Some("jq") => {
            let raw = words
                .iter()
                .skip(1)
                .flatten()
                .any(|word| word == "--raw-output" || word == "--join-output" || is_short_flag(word, ['r', 'j']));
            !raw && words.iter().skip(1).flatten().any(|word| word.trim_start().starts_with(['{', '[']))
        }
        Some("printf" | "echo") => literal(1).is_some_and(|text| text.trim_start().starts_with('{') && starts(text)),
        Some("gh") if has(&["--json"]) => !shaped(&["--jq", "-q", "--template", "-t"]),
        Some("gh") if literal(1) == Some("api") => !shaped(&["--jq", "-q", "--template", "-t", "--silent"]),
        Some("amplihack") => has(&["extract-json"]) || (literal(1) == Some("session-tree") && has(&["--json"])),
        Some("cargo") => literal(1) == Some("metadata"),
        Some("docker" | "podman") if literal(1) == Some("inspect") => !shaped(&["-f", "--format"]),
        Some("kubectl" | "oc" | "aws" | "az" | "docker" | "podman" | "helm") => asks_for_json(&words),
        Some("python" | "python3" | "node") => words.iter().skip(1).flatten().any(|program| {
            let printed = ["print(json.dumps({", "print(json.dumps([", "log(JSON.stringify({", "log(JSON.stringify(["];
            printed.iter().any(|call| program.contains(call))
        }),
        _ => false,
    }
}

/// `-o json`, `--output=json`
fn asks_for_json(words: &[Option<String>]) -> bool {
    let options = ["-o", "--output"];
    let apart = words.windows(2).any(
        |pair| matches!(pair, [Some(option), Some(value)] if options.contains(&option.as_str()) && value == "json"),
    );
    apart || words.iter().flatten().any(|word| matches!(word.as_str(), "-ojson" | "-o=json" | "--output=json"))
}

fn is_short_flag(word: &str, letters: [char; 2]) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letters)
}
