//! Quotes around a template in a script: the engine writes its own.

use rustc_hash::FxHashMap;

use super::super::{Context, Edit, Finding, Fix, Safety, Sink};
use crate::flow::NodeKind;
use crate::recipe::{Holes, Script};
use crate::syntax::shell::ast::{
    AssignValue, Command, CommandKind, ParameterOp, PartKind, Redirect, RedirectKind, TestExpr, TestKind, Word,
    WordPart,
};
use crate::syntax::shell::engine::{EngineHeredoc, HolePlace, engine_heredocs, hole_place};
use crate::syntax::shell::visit::{self, Visitor};
use crate::text::Span;

/// The lint.
pub(crate) const ID: &str = "quoted-template";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    // What an agent wrote becomes program text here: that is reported, and other quotes would not help.
    let becomes_program = |kind: &NodeKind| matches!(kind, NodeKind::Paste(_) | NodeKind::Execute(_));
    let programs: Vec<Span> = cx
        .graph
        .nodes_in(cx.file.id)
        .filter(|(_, node)| becomes_program(&node.kind))
        .map(|(_, node)| node.place.span)
        .collect();
    for (_, script) in cx.file.recipe.scripts() {
        if script.holes == Holes::Template && script.fragment.text().contains("{{") {
            check_script(cx, sink, script, &programs);
        }
    }
}

fn check_script(cx: &Context<'_>, sink: &mut Sink, script: &Script, programs: &[Span]) {
    let mut quotes = Quotes { special: FxHashMap::default(), parts: Vec::new() };
    let tree = script.tree();
    visit::list(&tree.body, &mut quotes);
    let documents = engine_heredocs(script.fragment.text());
    for (part, unquoted_value) in quotes.parts {
        let (inner, quote, consequence) = match (&part.kind, unquoted_value.consequence()) {
            (PartKind::DoubleQuoted(inner), Some(consequence)) => (inner, '"', consequence),
            (PartKind::SingleQuotedWithHoles(inner), _) => (inner, '\'', ""),
            _ => continue,
        };
        for hole in inner {
            let PartKind::Hole(text) = &hole.kind else { continue };
            if hole_place(&documents, hole.span.start) != HolePlace::Outside {
                continue;
            }
            let place = cx.place(script.fragment.locate(hole.span));
            if programs.iter().any(|program| program.covers(place.span)) {
                continue;
            }
            let name = &text.text;
            let variable = crate::recipe::environment::environment_name(name);
            let message = if quote == '"' {
                format!(
                    "the engine writes `\"$RECIPE_VAR_{variable}\"` with quotes of its own for `{{{{{name}}}}}`, which end \
                     these: {consequence}"
                )
            } else {
                format!(
                    "the engine writes `\"$RECIPE_VAR_{variable}\"` for `{{{{{name}}}}}`, and within single quotes that \
                     stays as it is: the script never sees the value"
                )
            };
            let mut finding = Finding::new(ID, place, message)
                .help("leave the quotes around the template out: the engine quotes the value");
            if let Some(edit) = unquoted(cx, script, part, inner, quote, &documents) {
                let title = "Close the quotes around the template".to_owned();
                finding = finding.fix(Fix { title, safety: Safety::Safe, edits: vec![edit] });
            }
            sink.push(finding);
        }
    }
}

/// The quoted text with its holes outside the quotes, where the script stands in the file as it is.
fn unquoted(
    cx: &Context<'_>,
    script: &Script,
    part: &WordPart,
    inner: &[WordPart],
    quote: char,
    documents: &[EngineHeredoc],
) -> Option<Edit> {
    let text = script.fragment.text();
    let span = script.fragment.locate(part.span);
    let written = text.get(part.span.range())?;
    if cx.file.source.slice(span) != written || !written.starts_with(quote) {
        return None;
    }
    let mut new = String::new();
    let mut at = part.span.start + 1;
    let end = part.span.end.checked_sub(1)?;
    let piece = |new: &mut String, span: Span| {
        let piece = text.get(span.range())?;
        if !piece.is_empty() {
            new.push(quote);
            new.push_str(piece);
            new.push(quote);
        }
        Some(())
    };
    for hole in inner.iter().filter(|part| matches!(part.kind, PartKind::Hole(_))) {
        if hole_place(documents, hole.span.start) != HolePlace::Outside {
            return None;
        }
        piece(&mut new, Span::new(at, hole.span.start))?;
        new.push_str(text.get(hole.span.range())?);
        at = hole.span.end;
    }
    piece(&mut new, Span::new(at, end))?;
    Some(Edit { place: cx.place(span), text: new })
}

/// What becomes of a value whose word lost the quotes around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unquoted {
    /// Bash splits the word, and takes its parts for names of files.
    Split,
    /// Nothing: bash leaves values that are assigned, most operands of `[[ ]]` and the subject of `case` whole.
    Whole,
    /// It is a pattern of the shell: an arm of `case`, the right side of `==`, what `${x#…}` cuts off.
    Pattern,
    /// It is a regular expression: the right side of `=~`.
    Regex,
}

impl Unquoted {
    fn consequence(self) -> Option<&'static str> {
        match self {
            Self::Split => Some("the value is split and globbed"),
            Self::Whole => None,
            Self::Pattern => Some("the value is a pattern here, and a `*` in it matches anything"),
            Self::Regex => Some("the value is a regular expression here, not a text to find"),
        }
    }
}

/// Quoted parts of words, each with what becomes of its value.
struct Quotes<'a> {
    /// Words that bash does not split.
    special: FxHashMap<Span, Unquoted>,
    parts: Vec<(&'a WordPart, Unquoted)>,
}

impl Quotes<'_> {
    fn test(&mut self, expr: &TestExpr) {
        match &expr.kind {
            TestKind::Not(inner) => self.test(inner),
            TestKind::And(left, right) | TestKind::Or(left, right) => {
                self.test(left);
                self.test(right);
            }
            TestKind::Unary(_, word) | TestKind::Word(word) => self.mark(word, Unquoted::Whole),
            TestKind::Binary(left, operator, right) => {
                self.mark(left, Unquoted::Whole);
                let right_side = match operator.as_str() {
                    "=" | "==" | "!=" => Unquoted::Pattern,
                    "=~" => Unquoted::Regex,
                    _ => Unquoted::Whole,
                };
                self.mark(right, right_side);
            }
            TestKind::Unreadable => {}
        }
    }

    fn mark(&mut self, word: &Word, unquoted: Unquoted) {
        self.special.insert(word.span, unquoted);
    }
}

impl<'a> Visitor<'a> for Quotes<'a> {
    fn command(&mut self, command: &'a Command) {
        match &command.kind {
            CommandKind::Simple(simple) => {
                for assignment in simple.assignments.iter().chain(&simple.declared) {
                    if let AssignValue::Word(word) = &assignment.value {
                        self.mark(word, Unquoted::Whole);
                    }
                }
            }
            CommandKind::Case(case) => {
                self.mark(&case.subject, Unquoted::Whole);
                let patterns = case.arms.iter().flat_map(|arm| &arm.patterns);
                patterns.for_each(|pattern| self.mark(pattern, Unquoted::Pattern));
            }
            CommandKind::Test(expr) => self.test(expr),
            _ => {}
        }
    }

    fn redirect(&mut self, redirect: &'a Redirect) {
        if let RedirectKind::HereString(word) = &redirect.kind {
            self.mark(word, Unquoted::Whole);
        }
    }

    fn part(&mut self, part: &'a WordPart) {
        match &part.kind {
            PartKind::Parameter(parameter) => {
                if let ParameterOp::Strip { pattern, .. } | ParameterOp::Replace { pattern, .. } = &parameter.op {
                    self.mark(pattern, Unquoted::Pattern);
                }
            }
            // In `"${x:-"y"}"` the outer quotes hold.
            PartKind::DoubleQuoted(inner) => {
                let parameters = inner.iter().filter_map(|part| match &part.kind {
                    PartKind::Parameter(parameter) => Some(&parameter.op),
                    _ => None,
                });
                for op in parameters {
                    if let ParameterOp::Default { word, .. }
                    | ParameterOp::Assign { word, .. }
                    | ParameterOp::Error { word, .. }
                    | ParameterOp::Alternative { word, .. } = op
                    {
                        self.mark(word, Unquoted::Whole);
                    }
                }
            }
            _ => {}
        }
    }

    fn word(&mut self, word: &'a Word) {
        let unquoted = self.special.get(&word.span).copied().unwrap_or(Unquoted::Split);
        for part in &word.parts {
            if matches!(part.kind, PartKind::DoubleQuoted(_) | PartKind::SingleQuotedWithHoles(_)) {
                self.parts.push((part, unquoted));
            }
        }
    }
}
