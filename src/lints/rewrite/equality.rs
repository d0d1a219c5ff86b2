//! Containment becomes equality: in scripts, in conditions and in JavaScript.

use std::ops::Range;
use std::sync::Arc;

use super::super::edits::{Changes, insert_step_keys, script_at};
use super::super::patterns::{Language, words};
use super::super::trail::{read_trust, source_step};
use super::super::verdict::gate::{agents, field, normaliser, vocabulary};
use super::super::words::negated as denied;
use super::super::{Context, Finding, Fix, Safety};
use super::ask::{ask, prompt_text};
use super::field::{Field, is_plain};
use super::site::{arm_at, test_at};
use crate::flow::{Contains, Match, MatchHow, NodeId, NodeKind, Source, TextTool, Trust};
use crate::recipe::prompt::Promise;
use crate::recipe::{Guard, GuardLanguage};
use crate::syntax::condition::{self, Access, AccessKind, Comparison, Expr, ExprKind, Method};
use crate::text::Span;
use crate::verdict::Vocabulary;

/// A proposal that compares the whole value.
pub(crate) fn compare_whole(cx: &Context<'_>, finding: Finding, id: NodeId) -> Finding {
    if !cx.fixes.take() {
        return finding;
    }
    let mut changes = Changes::new(cx);
    let done = match &cx.graph.node(id).kind {
        NodeKind::Text(tool) => search(cx, &mut changes, id, tool),
        NodeKind::Match(found) => matched(cx, &mut changes, id, found),
        NodeKind::Contains(found) => contains(cx, &mut changes, id, found),
        _ => None,
    };
    match done.and_then(|()| changes.edits()) {
        Some(edits) => {
            let title = "Compare the whole value".to_owned();
            finding.fix(Fix { title, safety: Safety::Suggest, edits })
        }
        None => finding,
    }
}

/// The one word that a pattern looks for with nothing but anchors and wildcards around it.
fn lone(pattern: &str, language: Language) -> Option<String> {
    let found = words(pattern, language);
    let [word] = found.as_slice() else { return None };
    let around = pattern.replacen(word.as_str(), "", 1);
    let nothing = ["\\b", "\\<", "\\>", ".*", "*", "^", "$", "(", ")"]
        .iter()
        .fold(around, |around, sign| around.replace(sign, ""));
    (nothing.is_empty() && is_plain(word)).then(|| word.clone())
}

/// A word as the value has it: a token of the normaliser, or as the prompt spells it.
fn spelt(cx: &Context<'_>, id: NodeId, word: &str) -> Option<String> {
    if let Some((_, normaliser)) = normaliser(cx, id) {
        return vocabulary(cx, &normaliser)?.canonical(word).map(str::to_owned);
    }
    let known = prompt_text(cx, id).zip(field(cx, id)).and_then(|(prompt, (_, field))| {
        let values = Promise::read(&prompt).values(&field)?.closed;
        values.into_iter().map(|value| value.value).find(|value| value.eq_ignore_ascii_case(word))
    });
    Some(known.unwrap_or_else(|| word.to_owned()))
}

/// `grep -q WORD` becomes `grep -qx WORD`.
fn search<'c>(cx: &'c Context<'_>, changes: &mut Changes<'c, '_>, id: NodeId, tool: &TextTool) -> Option<()> {
    let [Some(pattern)] = tool.patterns.as_slice() else { return None };
    let word = lone(pattern, Language::Regex)?;
    let new = spelt(cx, id, &word)?;
    let (script, range) = script_at(cx, cx.graph.node(id).place)?;
    let written = script.fragment.text().get(range.range())?;
    let name = written.split_whitespace().next().filter(|name| matches!(*name, "grep" | "egrep" | "fgrep"))?;
    changes.replace(&script.fragment, Span::at(range.start + name.len()), " -x");
    if **pattern != new {
        let mut found = written.match_indices(&**pattern);
        let (at, _) = found.next()?;
        if found.next().is_some() {
            return None;
        }
        let at = range.start + at;
        changes.replace(&script.fragment, Span::new(at, at + pattern.len()), new);
    }
    Some(())
}

/// `[[ $v == *WORD* ]]` and `[[ $v =~ WORD ]]` become `[[ $v == WORD ]]`, `*WORD)` becomes `WORD)`.
fn matched<'c>(cx: &'c Context<'_>, changes: &mut Changes<'c, '_>, id: NodeId, found: &Match) -> Option<()> {
    let [Some(pattern)] = found.patterns.as_slice() else { return None };
    let place = cx.graph.node(id).place;
    if let MatchHow::Method(_) = found.how {
        return method(cx, changes, id, pattern);
    }
    let (script, range) = script_at(cx, place)?;
    let tree = script.tree();
    let language = if found.how == MatchHow::Regex { Language::Regex } else { Language::Glob };
    let word = spelt(cx, id, &lone(pattern, language)?)?;
    match found.how {
        MatchHow::Regex | MatchHow::Glob => {
            let (left, right) = test_at(&tree, range)?;
            let operator = if found.negated { "!=" } else { "==" };
            changes.replace(&script.fragment, Span::new(left.span.end, right.span.end), format!(" {operator} {word}"));
        }
        MatchHow::Case => {
            let (_, arm) = arm_at(&tree, range)?;
            let pattern = arm.patterns.iter().find(|pattern| range.covers(pattern.span))?;
            changes.replace(&script.fragment, pattern.span, word);
        }
        _ => return None,
    }
    Some(())
}

/// `x.includes("WORD")` becomes `x === "WORD"`.
fn method<'c>(cx: &'c Context<'_>, changes: &mut Changes<'c, '_>, id: NodeId, word: &Arc<str>) -> Option<()> {
    let place = cx.graph.node(id).place;
    let text = cx.file.source.slice(place.span);
    let at = [".includes(", ".startsWith(", ".endsWith("].iter().find_map(|call| text.find(call))?;
    let (subject, call) = (text.get(..at)?, text.get(at..)?);
    let literal = call.get(call.find('(')? + 1..)?.strip_suffix(')')?.trim();
    let inner = literal.trim_matches(['"', '\'', '`']);
    let path = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '?');
    if inner != &**word || literal.len() != inner.len() + 2 || !subject.chars().all(path) {
        return None;
    }
    let before = cx.file.source.text.get(..place.span.start)?;
    let negated = before.ends_with('!');
    let from = place.span.start - usize::from(negated);
    let operator = if negated { "!==" } else { "===" };
    let span = Span::new(from, place.span.end);
    let new = format!("{subject} {operator} {literal}");
    match script_text(cx, span) {
        Some((fragment, range)) => changes.replace(fragment, range, new),
        None => changes.edit(super::super::Edit { place: cx.place(span), text: new }),
    }
    Some(())
}

/// The scalar of a workflow's program that holds a place.
fn script_text<'c>(cx: &'c Context<'_>, span: Span) -> Option<(&'c crate::text::Fragment, Span)> {
    cx.file.tree.as_ref()?;
    let inputs = cx.file.recipe.steps.iter().filter_map(|step| match &step.action {
        crate::recipe::Action::Uses(uses) => Some(&uses.with),
        _ => None,
    });
    let text = inputs.flatten().map(|input| &*input.text).find(|text| text.span().covers(span))?;
    Some((text, Span::new(text.offset_of(span.start)?, text.offset_of(span.end)?)))
}

/// `'WORD' in x.field` becomes `x.field == 'WORD'`; prose gets a field first.
fn contains<'c>(cx: &'c Context<'_>, changes: &mut Changes<'c, '_>, id: NodeId, found: &Contains) -> Option<()> {
    let place = cx.graph.node(id).place;
    let guard: &Guard = cx
        .file
        .recipe
        .steps
        .iter()
        .filter_map(|step| step.condition.as_ref())
        .find(|guard| guard.text.span().covers(place.span) && guard.language == GuardLanguage::Engine)?;
    let text = guard.text.text();
    let range = Span::new(guard.text.offset_of(place.span.start)?, end_of(&guard.text, place.span)?);
    let parsed = condition::parse(text);
    let test = Containment::find(text, parsed.expr.as_ref()?, range.range())?;
    let needle = found.needle.as_deref().filter(|needle| is_plain(needle))?;
    let prose = read_trust(cx, id) == Trust::Agent;
    // A key of the answer's object is no verdict.
    let key = format!("\"{needle}\"");
    if prose && prompt_text(cx, id).is_some_and(|prompt| prompt.contains(&key)) {
        return None;
    }
    let (name, word, negated) = if prose {
        let (field, word, negated) = of_prose(needle, test.negated)?;
        give(cx, changes, id, &field)?;
        (Some(field.name), word, negated)
    } else {
        (None, needle.to_owned(), test.negated)
    };
    let subject = match (&name, test.accesses.first()) {
        (Some(name), None) => format!("{}.{name}", test.subject),
        // Only the spelling is changed on the way: `x.lower()`.
        (Some(name), Some(at)) => {
            let (head, rest) = test.subject.split_at_checked(at.checked_sub(test.start)?)?;
            format!("{head}.{name}{rest}")
        }
        (None, _) => test.subject.to_owned(),
    };
    let operator = if negated { "!=" } else { "==" };
    changes.replace(&guard.text, test.whole, format!("{subject} {operator} '{word}'"));
    Some(())
}

fn end_of(text: &crate::text::Fragment, span: Span) -> Option<usize> {
    text.offset_of(span.end).or_else(|| text.offset_of(span.end.checked_sub(1)?).map(|at| at + 1))
}

/// The field that prose is asked for, the word that it is compared with, and whether for inequality. A denial that must
/// not occur becomes the word that it denies: the gate then stays closed when nothing was said.
fn of_prose(needle: &str, negated: bool) -> Option<(Field, String, bool)> {
    let upper = needle.to_ascii_uppercase();
    let (word, negated) = match denied(&upper) {
        Some(good) if negated => {
            let cut = needle.len() - good.len();
            (needle.get(cut..)?.to_owned(), false)
        }
        _ => (needle.to_owned(), negated),
    };
    let in_loop = Vocabulary::of_loop().outcome(&word).is_some();
    let name = if in_loop { "loop_verdict" } else { "verdict" };
    let mut field = Field::named(name);
    field.offered = vec![word.clone(), needle.to_owned()];
    field.offered.dedup();
    Some((field, word, negated))
}

/// Makes the step that produces a text print an object with a field.
fn give<'c>(cx: &'c Context<'_>, changes: &mut Changes<'c, '_>, id: NodeId, field: &Field) -> Option<()> {
    for agent in agents(cx, id) {
        let node = cx.graph.node(agent);
        let NodeKind::Source(Source::AgentStep { step, parse_json, .. }) = &node.kind else { return None };
        if node.place.file != cx.file.id {
            return None;
        }
        source_step(cx, node.place, step)?;
        if !parse_json {
            changes.edit(insert_step_keys(cx, step, &["parse_json: true", "parse_json_required: true"])?);
        }
    }
    ask(changes, cx, id, field)
}

/// A test of a condition whether a text is part of another.
#[derive(Debug, PartialEq, Eq)]
struct Containment<'t> {
    /// All of it.
    whole: Span,
    /// The text that is searched, as written, and where it starts.
    subject: &'t str,
    start: usize,
    /// Where its accesses start.
    accesses: Vec<usize>,
    negated: bool,
}

impl<'t> Containment<'t> {
    /// The test at a range of the condition: `a in b`, or a method with the comparison around it.
    fn find(text: &'t str, expr: &Expr, range: Range<usize>) -> Option<Self> {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            if expr.span.start > range.start || expr.span.end < range.end {
                continue;
            }
            match &expr.kind {
                ExprKind::Compare(left, op, right) => {
                    let own = expr.span.range() == range || left.span.range() == range;
                    if own {
                        return Self::of_comparison(text, expr, (left, op.value, right), &range);
                    }
                    open.extend([left.as_ref(), right.as_ref()]);
                }
                ExprKind::Path(head, accesses) if expr.span.range() == range => {
                    // `.find(…)` alone is true for everything but the first place.
                    let last = accesses.last()?;
                    return matches!(last.kind, AccessKind::Method(ref method, _) if method.value != Method::Find)
                        .then(|| Self::of_method(text, expr, head, accesses, false))
                        .flatten();
                }
                ExprKind::Group(inner) | ExprKind::Not(inner) => open.push(inner),
                ExprKind::And(items) | ExprKind::Or(items) => open.extend(items),
                _ => {}
            }
        }
        None
    }

    fn of_comparison(
        text: &'t str,
        expr: &Expr,
        (left, op, right): (&Expr, Comparison, &Expr),
        range: &Range<usize>,
    ) -> Option<Self> {
        match op {
            Comparison::In | Comparison::NotIn if expr.span.range() == *range => {
                let (ExprKind::Path(..) | ExprKind::Name(_)) = &right.kind else { return None };
                let accesses = match &right.kind {
                    ExprKind::Path(_, accesses) => accesses.iter().map(|access| access.span.start).collect(),
                    _ => Vec::new(),
                };
                Some(Self {
                    whole: expr.span,
                    subject: text.get(right.span.range())?,
                    start: right.span.start,
                    accesses,
                    negated: op == Comparison::NotIn,
                })
            }
            _ => {
                let ExprKind::Path(head, accesses) = &left.kind else { return None };
                let AccessKind::Method(method, _) = &accesses.last()?.kind else { return None };
                let bound = text.get(right.span.range())?;
                let found = match (method.value, op, bound) {
                    (Method::Find, Comparison::GreaterOrEqual, "0")
                    | (Method::Find, Comparison::Greater | Comparison::NotEqual, "-1")
                    | (Method::Count, Comparison::Greater | Comparison::NotEqual, "0")
                    | (Method::Count, Comparison::GreaterOrEqual, "1") => true,
                    (Method::Find, Comparison::Equal, "-1")
                    | (Method::Find, Comparison::Less, "0")
                    | (Method::Count, Comparison::Equal, "0")
                    | (Method::Count, Comparison::Less, "1") => false,
                    _ => return None,
                };
                (left.span.range() == *range).then(|| Self::of_method(text, expr, head, accesses, !found)).flatten()
            }
        }
    }

    fn of_method(text: &'t str, whole: &Expr, head: &Expr, accesses: &[Access], negated: bool) -> Option<Self> {
        let (last, before) = accesses.split_last()?;
        let AccessKind::Method(method, arguments) = &last.kind else { return None };
        let searches = matches!(method.value, Method::Startswith | Method::Endswith | Method::Count | Method::Find);
        (searches && arguments.len() == 1).then_some(())?;
        Some(Self {
            whole: whole.span,
            subject: text.get(head.span.start..last.span.start)?,
            start: head.span.start,
            accesses: before.iter().map(|access| access.span.start).collect(),
            negated,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn only_a_word_with_nothing_around_it_is_compared() {
        for (pattern, language, wanted) in [
            ("*READY*", Language::Glob, Some("READY")),
            ("READY*", Language::Glob, Some("READY")),
            (r"\bREADY\b", Language::Regex, Some("READY")),
            ("^READY", Language::Regex, Some("READY")),
            (".*READY.*", Language::Regex, Some("READY")),
            ("READY|DONE", Language::Regex, None),
            ("READY: *", Language::Glob, None),
            ("[Rr]eady", Language::Regex, None),
        ] {
            assert_eq!(lone(pattern, language).as_deref(), wanted, "{pattern}");
        }
    }

    #[test]
    fn containments_in_conditions() {
        for (text, at, subject, negated) in [
            ("'A' in x", "'A' in x", Some("x"), false),
            ("a and 'A' not in x.f", "'A' not in x.f", Some("x.f"), true),
            ("x.lower().startswith('a')", "x.lower().startswith('a')", Some("x.lower()"), false),
            ("x.find('A') >= 0 and y", "x.find('A')", Some("x"), false),
            ("x.find('A') == -1", "x.find('A')", Some("x"), true),
            ("x.count('A') == 0", "x.count('A')", Some("x"), true),
            ("x.count('A') == 2", "x.count('A')", None, false),
            ("x.find('A')", "x.find('A')", None, false),
            ("x.replace('A', '') == 'b'", "x.replace('A', '')", None, false),
        ] {
            let parsed = condition::parse(text);
            let start = text.find(at).unwrap();
            let found = Containment::find(text, parsed.expr.as_ref().unwrap(), start..start + at.len());
            assert_eq!(found.as_ref().map(|found| found.subject), subject, "{text}");
            assert!(found.is_none_or(|found| found.negated == negated), "{text}");
        }
    }
}
