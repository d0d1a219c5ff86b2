//! Where a scrape stands in a script: what of the script it is, and what it reads.

use crate::recipe::Script;
use crate::syntax::shell;
use crate::syntax::shell::ast::{
    AndOr, Case, CaseArm, Command, CommandKind, List, PartKind, Pipeline, RedirectKind, Simple, TestExpr, TestKind,
    Word, WordPart,
};
use crate::syntax::shell::visit::{self, Visitor};
use crate::text::Span;

/// Tools that cut or search texts.
const TOOLS: &[&str] = &[
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "gsed", "awk", "gawk", "mawk", "nawk", "perl", "cut", "head",
    "tail", "tr", "sort", "uniq", "wc", "python", "python3", "ruby",
];

/// A text before the canonical pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Feed {
    /// A quoted word that `printf` prints.
    Text(String),
    /// A word that names a file.
    File(String),
    /// Commands whose output is read: they stay as they are.
    Commands(Span),
}

/// A pipeline with a scrape in it, and how its result is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Site {
    /// What is replaced: the pipeline with the `!` before it; of a `$(…)` all that stands in it.
    pub span: Span,
    /// What the scrape reads.
    pub feed: Feed,
    /// Its status is tested, not its output read.
    pub truth: bool,
    /// A `!` stands before it.
    pub negated: bool,
    /// The word behind `|| echo` in the same `$(…)`.
    pub fallback: Option<String>,
    /// The variable that the whole `$(…)` is assigned to.
    pub variable: Option<String>,
}

/// The pipeline around a command of a script.
pub(super) fn site(script: &Script, command: Span, quiet: bool) -> Option<Site> {
    let tree = script.tree();
    let tree = Tree::of(&tree);
    // Inner lists are met after outer ones.
    let (list, item, pipeline) = tree.lists.iter().rev().find_map(|list| {
        let item = list.items.iter().find(|item| item.span.covers(command))?;
        let mut pipelines = std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline));
        pipelines.find(|pipeline| pipeline.span.covers(command)).map(|pipeline| (*list, item, pipeline))
    })?;
    let last = pipeline.commands.last()?;
    let feed = feed(script, pipeline, command)?;
    let substitution = tree.substitutions.iter().find(|body| body.span == list.span);
    let span = pipeline.span.to(last.span);
    let mut site = Site { span, feed, truth: true, negated: pipeline.negated, fallback: None, variable: None };
    if substitution.is_some()
        && list.items.len() == 1
        && std::ptr::eq(pipeline, &raw const item.first)
        && let Some(fallback) = harmless_rest(script, item)
    {
        site.span = list.span;
        site.fallback = fallback;
        site.truth = false;
        site.variable = tree.assigned.iter().find(|(body, _)| *body == list.span).map(|(_, name)| (*name).to_owned());
        return Some(site);
    }
    let condition = tree.conditions.iter().any(|condition| condition.span == list.span);
    site.truth = condition || quiet || !item.rest.is_empty() || pipeline.negated;
    (site.truth || !last_is_redirected(last)).then_some(site)
}

/// The variable that a text with this part is assigned to.
pub(super) fn variable_of(script: &Script, part: Span) -> Option<String> {
    let tree = script.tree();
    let commands = visit::commands(&tree.body);
    commands.into_iter().find_map(|command| match &command.kind {
        CommandKind::Simple(simple) => {
            let assignments = simple.assignments.iter().chain(&simple.declared);
            assignments.into_iter().find(|assignment| assignment.span.covers(part)).map(|found| found.name.clone())
        }
        _ => None,
    })
}

/// A part of a word at a place, and whether it stands in double quotes.
pub(super) fn part_at(tree: &shell::Script, span: Span) -> Option<&WordPart> {
    struct Parts<'a>(Span, Option<&'a WordPart>);
    impl<'a> Visitor<'a> for Parts<'a> {
        fn part(&mut self, part: &'a WordPart) {
            if part.span == self.0 {
                self.1 = Some(part);
            }
        }
    }
    let mut parts = Parts(span, None);
    visit::list(&tree.body, &mut parts);
    parts.1
}

/// The arm of a `case` with a pattern in a place.
pub(super) fn arm_at(tree: &shell::Script, place: Span) -> Option<(&Case, &CaseArm)> {
    visit::commands(&tree.body).into_iter().rev().find_map(|command| match &command.kind {
        CommandKind::Case(case) => {
            let here = |arm: &&CaseArm| arm.patterns.iter().any(|pattern| place.covers(pattern.span));
            case.arms.iter().find(here).map(|arm| (case.as_ref(), arm))
        }
        _ => None,
    })
}

/// The subject and the pattern of the test at a place within `[[ … ]]`.
pub(super) fn test_at(tree: &shell::Script, span: Span) -> Option<(&Word, &Word)> {
    let mut open: Vec<&TestExpr> = visit::commands(&tree.body)
        .into_iter()
        .filter_map(|command| match &command.kind {
            CommandKind::Test(test) if test.span.covers(span) => Some(test.as_ref()),
            _ => None,
        })
        .collect();
    while let Some(test) = open.pop() {
        match &test.kind {
            TestKind::Binary(left, _, right) if test.span == span => return Some((left, right)),
            TestKind::Not(inner) => open.push(inner),
            TestKind::And(left, right) | TestKind::Or(left, right) => open.extend([left.as_ref(), right.as_ref()]),
            _ => {}
        }
    }
    None
}

/// A loop reads lines around a place, so that a name there is one line.
pub(super) fn in_loop(script: &Script, span: Span) -> bool {
    visit::commands(&script.tree().body).into_iter().any(|command| {
        matches!(command.kind, CommandKind::While(_) | CommandKind::For(_) | CommandKind::ArithmeticFor(_))
            && command.span.covers(span)
    })
}

/// The lists of a script.
#[derive(Default)]
pub(super) struct Tree<'a> {
    /// All, outer ones before inner ones.
    pub lists: Vec<&'a List>,
    /// Those that are the condition of an `if` or a loop.
    conditions: Vec<&'a List>,
    /// Those that stand in a `$(…)`.
    substitutions: Vec<&'a List>,
    /// Places of those whose output is all that a variable gets, and the variable.
    pub assigned: Vec<(Span, &'a str)>,
}

impl<'a> Tree<'a> {
    /// The lists of a script.
    pub fn of(script: &'a shell::Script) -> Self {
        let mut tree = Self::default();
        visit::list(&script.body, &mut tree);
        tree
    }
}

impl<'a> Visitor<'a> for Tree<'a> {
    fn list(&mut self, list: &'a List) {
        self.lists.push(list);
    }

    fn command(&mut self, command: &'a Command) {
        match &command.kind {
            CommandKind::If(branches) => {
                self.conditions.extend(branches.branches.iter().map(|(condition, _)| condition));
            }
            CommandKind::While(node) => self.conditions.push(&node.condition),
            CommandKind::Simple(simple) => {
                for assignment in simple.assignments.iter().chain(&simple.declared) {
                    if let crate::syntax::shell::ast::AssignValue::Word(word) = &assignment.value
                        && let Some(body) = only_substitution(word)
                    {
                        self.assigned.push((body.span, &assignment.name));
                    }
                }
            }
            _ => {}
        }
    }

    fn part(&mut self, part: &'a WordPart) {
        if let PartKind::Substitution(substitution) = &part.kind
            && !substitution.backquoted
        {
            self.substitutions.push(&substitution.body);
        }
    }
}

fn only_substitution(word: &Word) -> Option<&List> {
    let [part] = word.parts.as_slice() else { return None };
    match &part.kind {
        PartKind::Substitution(substitution) => Some(&substitution.body),
        PartKind::DoubleQuoted(parts) => match parts.as_slice() {
            [WordPart { kind: PartKind::Substitution(substitution), .. }] => Some(&substitution.body),
            _ => None,
        },
        _ => None,
    }
}

/// The text of `|| echo TEXT` behind a pipeline; `Some(None)` for `|| true` and for nothing.
fn harmless_rest(script: &Script, item: &AndOr) -> Option<Option<String>> {
    let [(_, rest)] = item.rest.as_slice() else { return item.rest.is_empty().then_some(None) };
    let [command] = rest.commands.as_slice() else { return None };
    let CommandKind::Simple(simple) = &command.kind else { return None };
    let written =
        |word: &Word| script.fragment.text().get(word.span.range()).map(|text| text.trim_matches(['"', '\'']));
    match simple.words.iter().map(written).collect::<Option<Vec<_>>>()?.as_slice() {
        ["true" | ":"] => Some(None),
        ["echo", text] => Some(Some((*text).to_owned())),
        ["printf", "%s" | "%s\\n", text] => Some(Some((*text).to_owned())),
        _ => None,
    }
}

fn last_is_redirected(command: &Command) -> bool {
    command.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Output(_) | RedirectKind::Append(_) | RedirectKind::OutputAndError(_))
    })
}

/// What the first tool of a pipeline reads.
fn feed(script: &Script, pipeline: &Pipeline, command: Span) -> Option<Feed> {
    let text = script.fragment.text();
    let tool =
        pipeline.commands.iter().position(|command| name(script, command).is_some_and(|name| TOOLS.contains(&name)));
    let own = pipeline.commands.iter().position(|each| each.span.covers(command))?;
    let at = tool.map_or(own, |tool| tool.min(own));
    if let Some(before) = at.checked_sub(1) {
        let (first, last) = (pipeline.commands.first()?, pipeline.commands.get(before)?);
        if before == 0
            && let CommandKind::Simple(simple) = &first.kind
            && first.redirects.is_empty()
        {
            match (name(script, first), simple.words.as_slice()) {
                (Some("echo"), [_, word]) | (Some("printf"), [_, _, word]) => {
                    if let Some(word) = expansion(script, word) {
                        return Some(Feed::Text(word));
                    }
                }
                (Some("cat"), [_, word]) => return text.get(word.span.range()).map(|word| Feed::File(word.to_owned())),
                _ => {}
            }
        }
        return Some(Feed::Commands(first.span.to(last.span)));
    }
    let command = pipeline.commands.get(at)?;
    let CommandKind::Simple(simple) = &command.kind else { return None };
    match command.redirects.iter().find_map(|redirect| match &redirect.kind {
        RedirectKind::HereString(word) => Some(expansion(script, word).map(Feed::Text)),
        RedirectKind::Input(word) => Some(text.get(word.span.range()).map(|word| Feed::File(word.to_owned()))),
        RedirectKind::HereDocument(_) => Some(None),
        _ => None,
    }) {
        Some(found) => found,
        None => last_file(script, simple).map(Feed::File),
    }
}

fn name<'s>(script: &'s Script, command: &Command) -> Option<&'s str> {
    let CommandKind::Simple(simple) = &command.kind else { return None };
    script.fragment.text().get(simple.words.first()?.span.range())
}

/// The last word of a tool where it can only be a file: an expansion or a name with an extension behind the pattern.
pub(super) fn last_file(script: &Script, simple: &Simple) -> Option<String> {
    let [first, .., last] = simple.words.as_slice() else { return None };
    let written = |word: &Word| script.fragment.text().get(word.span.range());
    let operands = simple.words.iter().skip(1).filter(|word| written(word).is_some_and(|text| !text.starts_with('-')));
    let cuts = matches!(written(first)?, "head" | "tail" | "cut" | "sort" | "uniq" | "wc");
    let text = written(last)?;
    let bare = text.trim_matches('"');
    let file = bare.starts_with('$') && !bare.starts_with("$(")
        || bare.contains('.') && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-'));
    (file && operands.count() >= if cuts { 1 } else { 2 }).then(|| text.to_owned())
}

/// A word that is one expansion or one hole, in quotes.
pub(super) fn expansion(script: &Script, word: &Word) -> Option<String> {
    let parts = match word.parts.as_slice() {
        [WordPart { kind: PartKind::DoubleQuoted(parts), .. }] => parts.as_slice(),
        parts => parts,
    };
    let [WordPart { kind: PartKind::Parameter(_) | PartKind::Hole(_), span }] = parts else { return None };
    let text = script.fragment.text().get(span.range())?;
    // The engine puts quotes of its own around what it fills in.
    Some(if text.starts_with("{{") { text.to_owned() } else { format!("\"{text}\"") })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::recipe::Holes;
    use crate::text::Fragment;

    fn script(text: &str) -> Script {
        Script::new(Fragment::verbatim(text, 0), Span::at(0), Holes::None)
    }

    fn at(text: &str, command: &str) -> Option<(String, Feed, bool)> {
        let start = text.find(command).unwrap();
        let found = site(&script(text), Span::new(start, start + command.len()), command.contains(" -q"))?;
        Some((text[found.span.range()].to_owned(), found.feed, found.truth))
    }

    #[test]
    fn pipelines_and_what_they_read() {
        let text = |word: &str| Feed::Text(word.to_owned());
        let file = |word: &str| Feed::File(word.to_owned());
        for (script, command, whole, feed, truth) in [
            ("if echo $X | grep -q a; then :; fi", "grep -q a", "echo $X | grep -q a", text("\"$X\""), true),
            (
                "if ! grep -q a <<< \"${X}\"; then :; fi",
                "grep -q a <<< \"${X}\"",
                "! grep -q a <<< \"${X}\"",
                text("\"${X}\""),
                true,
            ),
            (
                "v=$(printf '%s' \"$X\" | grep -o a | head -1 || true)",
                "grep -o a",
                "printf '%s' \"$X\" | grep -o a | head -1 || true",
                text("\"$X\""),
                false,
            ),
            (
                "v=$(head -n 1 \"$f\" | cut -d ' ' -f 1)",
                "cut -d ' ' -f 1",
                "head -n 1 \"$f\" | cut -d ' ' -f 1",
                file("\"$f\""),
                false,
            ),
            (
                "claude -p 'x y' | grep -q a && go",
                "grep -q a",
                "claude -p 'x y' | grep -q a",
                Feed::Commands(Span::new(0, 15)),
                true,
            ),
            ("cat a.md | sed -n 's/a//p'", "sed -n 's/a//p'", "cat a.md | sed -n 's/a//p'", file("a.md"), false),
            ("grep -q a < out.txt || exit 1", "grep -q a < out.txt", "grep -q a < out.txt", file("out.txt"), true),
            ("grep -o a {{x}}", "grep -o a {{x}}", "", text(""), false),
            ("f() { grep -q a; }", "grep -q a", "", text(""), false),
            ("grep -q a <<< \"$(cat f)\" || exit 1", "grep -q a <<< \"$(cat f)\"", "", text(""), false),
            (
                "echo \"$X\" more | grep -q a || exit 1",
                "grep -q a",
                "echo \"$X\" more | grep -q a",
                Feed::Commands(Span::new(0, 14)),
                true,
            ),
        ] {
            let wanted = (!whole.is_empty()).then(|| (whole.to_owned(), feed, truth));
            assert_eq!(at(script, command), wanted, "{script}");
        }
    }
}
