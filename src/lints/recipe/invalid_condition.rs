//! A condition that the engine refuses, or of which it reads only the beginning.

use super::super::{Context, Finding, Sink};
use crate::recipe::{Guard, GuardLanguage, Shape};
use crate::syntax::condition::{self, Access, AccessKind, Condition, ExprKind, Read};
use crate::syntax::template;
use crate::text::Span;

/// The lint.
pub(crate) const ID: &str = "invalid-condition";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    let guards = cx.file.recipe.steps.iter().filter_map(|step| step.condition.as_ref());
    for guard in guards.filter(|guard| guard.language == GuardLanguage::Engine) {
        let text = guard.text.text();
        let condition = condition::parse(text);
        if let Some(error) = &condition.error {
            let message = format!("the engine refuses this condition, and the step fails: {}", error.message);
            let mut finding = Finding::new(ID, cx.place(shown(guard, error.span)), message);
            if let Some(help) = advice(text, error.span) {
                finding = finding.help(help);
            }
            sink.push(finding);
            continue;
        }
        for (hole, name) in holes_in_strings(text, &condition) {
            let message =
                format!("the engine fills no templates in conditions: this is the text `{{{{{name}}}}}` itself");
            let help = format!("conditions name variables as they are, without quotes: `{name}`");
            sink.push(Finding::new(ID, cx.place(guard.text.locate(hole)), message).help(help));
        }
        for (call, name) in methods_of_collections(cx, &condition) {
            let message = format!(
                "`{name}` is a list or a mapping, and methods work on text only: the engine refuses this, and the step \
                 fails"
            );
            sink.push(Finding::new(ID, cx.place(guard.text.locate(call)), message));
        }
        if let Some(rest) = condition.rest {
            let read = text.get(..rest.start).unwrap_or_default().trim();
            let unread = text.get(rest.range()).unwrap_or_default().trim();
            let message = format!("the engine reads only `{read}`, and never `{unread}`");
            sink.push(Finding::new(ID, cx.place(shown(guard, rest)), message).help(advice_on_rest(read, unread)));
        }
    }
}

/// The `{{x}}` inside the strings of a condition, with what they name.
fn holes_in_strings(text: &str, condition: &Condition) -> Vec<(Span, String)> {
    let mut strings = Vec::new();
    if let Some(expr) = &condition.expr {
        expr.walk(&mut |expr| strings.extend(matches!(expr.kind, ExprKind::String(_)).then_some(expr.span)));
    }
    let holes = template::holes(text).into_iter();
    holes.filter(|hole| strings.iter().any(|span| span.covers(hole.span))).map(|hole| (hole.span, hole.name)).collect()
}

/// Methods that are called on a list or mapping of the recipe's own context, which nobody else gives a value.
fn methods_of_collections<'a>(cx: &Context<'_>, condition: &'a Condition) -> Vec<(Span, &'a str)> {
    let recipe = &cx.file.recipe;
    let collection = |name: &str| {
        let declared = recipe.variables.iter().find(|variable| variable.name.value == name);
        declared.is_some_and(|variable| matches!(variable.shape, Shape::Object(_) | Shape::Array))
            && recipe.extends.is_none()
            && cx.index.callers(cx.file.id).is_empty()
            && cx.index.calls(cx.file.id).is_empty()
            && !cx.index.names(cx.file).outputs.contains_key(name)
    };
    let called = |read: &Read<'_>| match read.accesses.first() {
        Some(Access { kind: AccessKind::Method(..), span }) => Some(*span),
        _ => None,
    };
    let reads = condition.reads().into_iter().filter(|read| collection(read.name));
    reads.filter_map(|read| Some((called(&read)?, read.name))).collect()
}

/// The place of a part of a condition; at the end of the text, the last character that shows.
fn shown(guard: &Guard, span: Span) -> Span {
    let text = guard.text.text();
    let end = text.trim_end().len();
    if span.start < end {
        let line = text.get(span.start..).and_then(|rest| rest.find('\n')).map_or(span.end, |at| span.start + at);
        return guard.text.locate(Span::new(span.start, span.end.min(line)));
    }
    match text.trim_end().char_indices().next_back() {
        Some((last, _)) => guard.text.locate(Span::new(last, end)),
        None => guard.key,
    }
}

fn advice(text: &str, span: Span) -> Option<&'static str> {
    let at = text.get(span.start..).unwrap_or_default();
    if at.starts_with('=') && !at.starts_with("==") {
        Some("write `==`")
    } else if at.starts_with('!') && !at.starts_with("!=") {
        Some("write `not`")
    } else if at.starts_with('{') || text.get(span.range()).is_some_and(|text| text.contains("{{")) {
        Some("conditions name variables as they are: `x`, not `{{x}}`")
    } else if at.starts_with('$') {
        Some("conditions name variables as they are: `x`, not `$x`")
    } else {
        None
    }
}

fn advice_on_rest(read: &str, unread: &str) -> String {
    let word = unread.split_whitespace().next().unwrap_or_default();
    let last = read.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    match word.to_ascii_lowercase().as_str() {
        lower @ ("and" | "or" | "not" | "in") if lower != word => format!("write `{lower}` in lower case"),
        "is" => "the grammar has no `is`: write `==`, or `not x` for a value that is missing".to_owned(),
        "if" | "else" => "the grammar has no `if … else`".to_owned(),
        _ if unread.starts_with('(') => {
            format!("`{last}` is no function of the engine: it has int, str, len, bool, float, min and max")
        }
        _ => "join the parts with `and` or `or`, or remove what is never read".to_owned(),
    }
}
