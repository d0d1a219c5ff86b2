//! Hover: the page of a lint on a finding; where a text came from and how far it can be trusted; the engine's keys; the
//! helpers and their tables; the functions and methods of conditions.

use std::fmt::Write;

use tower_lsp::lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Url};

use super::convert::{offset, range};
use super::worker::World;
use crate::flow::{Graph, Name, NodeId, NodeKind, Pass, Source, Trust};
use crate::recipe::dialects::amplihack::keys;
use crate::recipe::names::Role;
use crate::recipe::{Action, Dialect, File, FileId, GuardLanguage, Scopes};
use crate::syntax::condition::{self, ExprKind, Function, Method};
use crate::syntax::yaml::{Data, Node};
use crate::text::Span;
use crate::verdict::Vocabulary;

/// Longest way that is told, in hops.
const MOST_HOPS: usize = 12;

impl World {
    /// What to show at a position.
    pub fn hover(&mut self, uri: &Url, position: Position) -> Option<Hover> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let file = session.index().file(id)?.clone();
        let at = offset(&file.source, position, unit);
        let graph = session.graph(id);
        let findings = session.findings(id);
        let mut parts: Vec<String> = Vec::new();
        let mut span = None;
        let here = findings.iter().filter(|finding| finding.place.span.touches(at));
        if let Some(finding) = here.min_by_key(|finding| finding.place.span.len())
            && let Some(lint) = crate::lints::lint(finding.lint)
        {
            span = Some(finding.place.span);
            parts.push(format!("**{}**: {}", finding.lint, finding.message));
            parts.push(lint.body().to_owned());
        }
        let index = session.index();
        if let Some((text, place)) = provenance(&graph, index, id, at) {
            span = span.or(Some(place));
            parts.insert(0, text);
        } else if let Some((text, place)) = words(&file, at).or_else(|| variable_at(index, &file, at)) {
            span = span.or(Some(place));
            parts.insert(0, text);
        }
        if parts.is_empty() {
            return None;
        }
        let contents =
            HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: parts.join("\n\n---\n\n") });
        Some(Hover { contents, range: span.map(|span| range(&file.source, span, unit)) })
    }
}

/// The way of the text at an offset.
fn provenance(graph: &Graph, index: &crate::recipe::Index, file: FileId, at: usize) -> Option<(String, Span)> {
    let named = |kind: &NodeKind| matches!(kind, NodeKind::Name(_) | NodeKind::Field(_) | NodeKind::Source(_));
    let (id, node) = graph
        .nodes_in(file)
        .filter(|(_, node)| node.place.span.touches(at))
        .filter(|(_, node)| node.trust >= Trust::User || named(&node.kind))
        .min_by_key(|(_, node)| node.place.span.len())?;
    if node.trust == Trust::Clean && node.inputs.is_empty() {
        return None;
    }
    let mut text = match node.trust {
        Trust::Agent => "**agent text**: show it, store it, hand it on; never decide by it".to_owned(),
        Trust::Extracted => "**extracted**: may be tested by equality; still no code".to_owned(),
        Trust::User => "**the user's words**".to_owned(),
        Trust::Clean => "**trusted**".to_owned(),
    };
    let path = graph.provenance(id);
    text.push_str("\n\n");
    for hop in path.iter().take(MOST_HOPS) {
        let hop_node = graph.node(*hop);
        let place = index.file(hop_node.place.file).map(|file| {
            let line = file.source.lines.line(hop_node.place.span.start) + 1;
            if hop_node.place.file == id_of(graph, id) {
                format!("line {line}")
            } else {
                format!("{}:{line}", file.source.path.display())
            }
        });
        let _ = writeln!(text, "1. {} ({})", describe(graph, *hop), place.unwrap_or_default());
    }
    Some((text, node.place.span))
}

fn id_of(graph: &Graph, id: NodeId) -> FileId {
    graph.node(id).place.file
}

/// A hop in words.
fn describe(graph: &Graph, id: NodeId) -> String {
    match &graph.node(id).kind {
        NodeKind::Source(Source::AgentStep { step, .. }) => format!("agent step `{step}` answers"),
        NodeKind::Source(Source::AgentCli { program, .. }) => format!("`{program}` answers"),
        NodeKind::Source(Source::AgentOutput { origin, output, .. }) => format!("`{output}` of `{origin}`"),
        NodeKind::Source(Source::User { name }) => format!("the user writes `{name}`"),
        NodeKind::Source(Source::Tool { program, .. }) => format!("`{program}` prints"),
        NodeKind::Source(_) => "it begins here".to_owned(),
        NodeKind::Name(Name::Variable(name)) => format!("kept in `${name}`"),
        NodeKind::Name(Name::Binding(name)) if name.is_empty() => "chosen by a test".to_owned(),
        NodeKind::Name(Name::Binding(name)) => format!("kept in `{name}`"),
        NodeKind::Name(Name::Output(name)) => format!("output `{name}`"),
        NodeKind::Name(Name::File(name)) if name.starts_with(crate::flow::TEMPORARY) => "a temporary file".to_owned(),
        NodeKind::Name(Name::File(name)) => format!("file `{name}`"),
        NodeKind::Pass(Pass::Trim) => "trimmed".to_owned(),
        NodeKind::Pass(_) => "passed on".to_owned(),
        NodeKind::Text(tool) => format!("`{}` reads it", tool.tool),
        NodeKind::Match(_) => "matched or cut".to_owned(),
        NodeKind::Json(tool) => format!("`{}` reads it as JSON", tool.tool),
        NodeKind::ExtractJson { .. } => "`extract-json`".to_owned(),
        NodeKind::ExtractField { field, .. } => {
            format!("`extract-field` takes {}", field.as_deref().unwrap_or("a field"))
        }
        NodeKind::Normalise(_) => "normalised".to_owned(),
        NodeKind::Field(field) => format!("field `{field}`"),
        NodeKind::Fallback(fallback) => format!("or else `{}`", fallback.literal.as_deref().unwrap_or("…")),
        _ => "used".to_owned(),
    }
}

/// Where a name of the context is made in this recipe, if nothing else is known of it.
fn variable_at(index: &crate::recipe::Index, file: &File, at: usize) -> Option<(String, Span)> {
    let names = index.names(file);
    let one = names.uses.iter().find(|one| one.role.is_read() && one.span.touches(at))?;
    let candidates = Scopes::new(index).candidates(file, one);
    let mut text = String::new();
    for made in names.uses.iter().filter(|made| !made.role.is_read() && candidates.contains(&made.name)) {
        let line = file.source.lines.line(made.span.start) + 1;
        let how = match made.role {
            Role::Declare => "declared in `context`; who runs the recipe may set it",
            Role::Expect => "expected from who runs the recipe",
            Role::Output => "a step's output",
            Role::Argument => "handed to a sub-recipe",
            Role::Read | Role::ReadIfSet => continue,
        };
        let _ = writeln!(text, "1. {how} (line {line})");
    }
    (!text.is_empty()).then(|| (format!("`{}`\n\n{text}", candidates.first().unwrap_or(&one.name)), one.span))
}

/// Keys, helpers, functions.
fn words(file: &File, at: usize) -> Option<(String, Span)> {
    key_at(file, at).or_else(|| helper_at(file, at)).or_else(|| function_at(file, at))
}

/// A key of the engine with its type and default.
fn key_at(file: &File, at: usize) -> Option<(String, Span)> {
    if file.dialect != Dialect::Amplihack {
        return None;
    }
    let yaml = file.yaml()?;
    let root = yaml.root.as_ref()?;
    let found = |node: &Node, keys: &'static [keys::Key]| {
        node.entries().iter().find(|entry| entry.key.span.touches(at)).and_then(|entry| {
            let key = keys::known(keys, entry.key.text()?)?;
            let default = if key.default.is_empty() { String::new() } else { format!(" Default: `{}`.", key.default) };
            Some((format!("`{}`: {}.{default}\n\n{}", key.name, key.holds.allowed(), key.about), entry.key.span))
        })
    };
    found(root, keys::TOP).or_else(|| {
        let steps = root.get("steps")?;
        let Data::Sequence(items) = &steps.data else { return None };
        items.iter().find(|item| item.span.touches(at)).and_then(|item| found(item, keys::STEP))
    })
}

/// What a helper of the pipeline prints.
fn helper_at(file: &File, at: usize) -> Option<(String, Span)> {
    let word = word_at(&file.source.text, at);
    let name = file.source.text.get(word.range())?;
    let text = match name {
        "extract-json" => "Prints the first JSON object of a reply; with `--require-field F` the last one that has `F`; `{}` when there is none. Always exits 0.".to_owned(),
        "extract-field" => "Prints a field of a JSON object; `--default D` for a field that is missing or null, or input that is no object. Always exits 0.".to_owned(),
        "normalise-verdict" => table(Vocabulary::work()),
        "normalise-loop-verdict" => table(Vocabulary::of_loop()),
        _ => return None,
    };
    Some((text, word))
}

fn table(vocabulary: &Vocabulary) -> String {
    let mut text = String::from("| word | becomes |\n|---|---|\n");
    for outcome in vocabulary.outcomes.iter() {
        let _ = writeln!(text, "| {} | `{}` |", outcome.synonyms.join(", "), outcome.canonical);
    }
    let _ = writeln!(
        text,
        "| anything else | `{}` |\n\nOnly whole words count, in any case. Always exits 0.",
        vocabulary.default
    );
    text
}

/// A function or method of a condition.
fn function_at(file: &File, at: usize) -> Option<(String, Span)> {
    let guard = file
        .recipe
        .steps
        .iter()
        .filter_map(|step| step.condition.as_ref())
        .find(|guard| guard.text.span().touches(at))?;
    if guard.language != GuardLanguage::Engine {
        return None;
    }
    let parsed = condition::parse(guard.text.text());
    let mut found = None;
    parsed.expr.as_ref()?.walk(&mut |expr| match &expr.kind {
        ExprKind::Call(function, _) if guard.text.locate(function.span).touches(at) => {
            found = Some((function_text(function.value).to_owned(), guard.text.locate(function.span)));
        }
        ExprKind::Path(_, accesses) => {
            for access in accesses {
                if let condition::AccessKind::Method(method, _) = &access.kind
                    && guard.text.locate(method.span).touches(at)
                {
                    found = Some((method_text(method.value).to_owned(), guard.text.locate(method.span)));
                }
            }
        }
        _ => {}
    });
    found
}

/// What a function of the condition language gives.
pub fn function_text(function: Function) -> &'static str {
    match function {
        Function::Int => "`int(x)`: the whole number of a text, boolean or whole number; else 0",
        Function::Str => "`str(x)`: the text of a value; null is empty",
        Function::Len => "`len(x)`: bytes of a text, items of a list, keys of an object; else 0",
        Function::Bool => "`bool(x)`: whether a value counts as true",
        Function::Float => "`float(x)`: the number of a text, boolean or number; else 0",
        Function::Min => "`min(a, b, …)`: the least of two or more",
        Function::Max => "`max(a, b, …)`: the greatest of two or more",
    }
}

/// What a method of the condition language gives.
pub fn method_text(method: Method) -> &'static str {
    match method {
        Method::Strip => "`.strip()`: without white space at both ends",
        Method::Lstrip => "`.lstrip()`: without white space at the start",
        Method::Rstrip => "`.rstrip()`: without white space at the end",
        Method::Lower => "`.lower()`: in lower case",
        Method::Upper => "`.upper()`: in upper case",
        Method::Title => "`.title()`: each word with a capital",
        Method::Startswith => "`.startswith(x)`: whether it starts with `x`",
        Method::Endswith => "`.endswith(x)`: whether it ends with `x`",
        Method::Replace => "`.replace(a, b)`: with every `a` replaced by `b`",
        Method::Split => "`.split(x)`: the parts between occurrences of `x`",
        Method::Join => "`.join(list)`: the texts of a list with this one between them",
        Method::Count => "`.count(x)`: how often `x` occurs",
        Method::Find => "`.find(x)`: where `x` occurs first, or -1, which counts as true",
    }
}

/// The word around an offset, hyphens included.
pub fn word_at(text: &str, at: usize) -> Span {
    let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let start = text.get(..at).map_or(at, |before| before.trim_end_matches(inside).len());
    let end = text.get(at..).map_or(at, |after| at + after.len() - after.trim_start_matches(inside).len());
    Span::new(start, end)
}

/// Whether a step runs a script; completion asks too.
pub fn script_at(file: &File, at: usize) -> Option<&crate::recipe::Script> {
    file.recipe.steps.iter().find_map(|step| match &step.action {
        Action::Script(script) if script.fragment.span().touches(at) => Some(script),
        _ => None,
    })
}
