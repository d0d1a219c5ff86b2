//! A condition that the engine refuses, or of which it reads only the beginning.

use super::super::{Context, Finding, Sink};
use crate::recipe::{Guard, GuardLanguage};
use crate::syntax::condition;
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
        } else if let Some(rest) = condition.rest {
            let read = text.get(..rest.start).unwrap_or_default().trim();
            let unread = text.get(rest.range()).unwrap_or_default().trim();
            let message = format!("the engine reads only `{read}`, and never `{unread}`");
            sink.push(Finding::new(ID, cx.place(shown(guard, rest)), message).help(advice_on_rest(read, unread)));
        }
    }
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
    } else if at.starts_with("{{") || at.starts_with('{') {
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
