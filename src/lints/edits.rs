//! Edits that lints propose. They replace words that stand in the file as they are; where a scalar's escapes or folds
//! come between, there is no edit rather than a wrong one.

use super::{Context, Edit};
use crate::flow::Place;
use crate::recipe::{Script, Step};
use crate::syntax::yaml::{Node, Scalar};
use crate::text::{Fragment, Span};

/// The script of the checked file that holds a place, and the place as a range of its text.
pub(crate) fn script_at<'a>(cx: &'a Context<'_>, place: Place) -> Option<(&'a Script, Span)> {
    if place.file != cx.file.id {
        return None;
    }
    let mut scripts = cx.file.recipe.scripts().map(|(_, script)| script);
    let script = scripts.find(|script| script.fragment.span().covers(place.span))?;
    let start = script.fragment.offset_of(place.span.start)?;
    let end = script.fragment.offset_of(place.span.end).or_else(|| {
        // The last byte of a fragment, or of a line, has nothing behind it.
        script.fragment.offset_of(place.span.end.checked_sub(1)?).map(|offset| offset + 1)
    })?;
    (start <= end).then(|| (script, Span::new(start, end)))
}

/// Replaces a range of a script's text, in the style of the scalar that holds it.
pub(crate) fn in_script(cx: &Context<'_>, script: &Script, range: Span, new: &str) -> Option<Edit> {
    in_scalar(cx, script.fragment.span(), range, new)
}

/// Replaces a range of the decoded text of the scalar at a place, in its own style; nothing where nobody wants fixes.
fn in_scalar(cx: &Context<'_>, scalar: Span, range: Span, new: &str) -> Option<Edit> {
    if !cx.fixes.take() {
        return None;
    }
    let document = cx.file.yaml()?;
    let found = scalar_at(document.root.as_ref()?, scalar)?;
    let (span, text) = document.edit(&cx.file.source.text, found, range.range(), new).ok()?;
    Some(Edit { place: cx.place(span), text })
}

/// Changes of several scalars that belong to one fix.
pub(crate) struct Changes<'c, 'a> {
    cx: &'c Context<'a>,
    scalars: Vec<(&'c Fragment, Vec<(Span, String)>)>,
    others: Vec<Edit>,
}

impl<'c, 'a> Changes<'c, 'a> {
    /// None yet.
    pub fn new(cx: &'c Context<'a>) -> Self {
        Self { cx, scalars: Vec::new(), others: Vec::new() }
    }

    /// Replaces a range of the decoded text of a scalar of the checked file.
    pub fn replace(&mut self, scalar: &'c Fragment, range: Span, new: impl Into<String>) {
        let change = (range, new.into());
        match self.scalars.iter_mut().find(|(known, _)| known.span() == scalar.span()) {
            Some((_, changes)) if changes.contains(&change) => {}
            Some((_, changes)) => changes.push(change),
            None => self.scalars.push((scalar, vec![change])),
        }
    }

    /// Replaces a text that stands exactly once in a place of the checked file.
    pub fn word(&mut self, place: Place, old: &str, new: &str) -> Option<()> {
        let cx = self.cx;
        if let Some((script, range)) = script_at(cx, place) {
            let start = range.start + only(script.fragment.text().get(range.range())?, old)?;
            self.replace(&script.fragment, Span::new(start, start + old.len()), new);
            return Some(());
        }
        let edit = replace_text(cx, place, old, new)?;
        if !self.others.contains(&edit) {
            self.others.push(edit);
        }
        Some(())
    }

    /// Adds an edit that was made elsewhere.
    pub fn edit(&mut self, edit: Edit) {
        self.others.push(edit);
    }

    /// The edits, each in the style of its scalar. Where a style makes those of one scalar touch (a folded scalar that
    /// is written anew), they become one.
    pub fn edits(self) -> Option<Vec<Edit>> {
        let mut edits = self.others;
        for (scalar, mut changes) in self.scalars {
            changes.sort_by_key(|(range, _)| *range);
            if changes.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if b.start < a.end || b == a)) {
                return None;
            }
            let each: Option<Vec<Edit>> =
                changes.iter().map(|(range, new)| in_scalar(self.cx, scalar.span(), *range, new)).collect();
            let apart = |pair: &[Edit]| matches!(pair, [a, b] if a.place.span.end < b.place.span.start);
            match each.filter(|each| each.windows(2).all(apart)) {
                Some(each) => edits.extend(each),
                None => edits.push(joined(self.cx, scalar, &changes)?),
            }
        }
        (!edits.is_empty()).then_some(edits)
    }
}

/// Ordered changes of a scalar as one.
fn joined(cx: &Context<'_>, scalar: &Fragment, changes: &[(Span, String)]) -> Option<Edit> {
    let (start, end) = (changes.first()?.0.start, changes.last()?.0.end);
    let mut new = String::new();
    let mut at = start;
    for (range, text) in changes {
        new.push_str(scalar.text().get(at..range.start)?);
        new.push_str(text);
        at = range.end;
    }
    in_scalar(cx, scalar.span(), Span::new(start, end), &new)
}

/// Where a text begins that stands exactly once in another.
fn only(text: &str, wanted: &str) -> Option<usize> {
    let mut found = text.match_indices(wanted);
    let (start, _) = found.next()?;
    found.next().is_none().then_some(start)
}

fn scalar_at(root: &Node, wanted: Span) -> Option<&Scalar> {
    let mut node = root;
    loop {
        if let Some(scalar) = node.scalar() {
            return (scalar.fragment.span() == wanted).then_some(scalar);
        }
        let inside = |node: &&Node| node.span.covers(wanted);
        node = node
            .items()
            .iter()
            .find(inside)
            .or_else(|| node.entries().iter().map(|entry| &entry.value).find(inside))?;
    }
}

/// The text of a place, if it lies in the checked file.
fn slice<'a>(cx: &'a Context<'_>, place: Place) -> Option<&'a str> {
    (place.file == cx.file.id).then(|| cx.file.source.slice(place.span)).filter(|text| !text.is_empty())
}

fn at(place: Place, start: usize, end: usize) -> Place {
    Place { file: place.file, span: Span::new(place.span.start + start, place.span.start + end) }
}

/// Inserts a text behind the first of these words in a command.
pub(crate) fn insert_after_word(cx: &Context<'_>, place: Place, words: &[&str], text: &str) -> Option<Edit> {
    let source = slice(cx, place)?;
    let end = words.iter().find_map(|word| source.find(word).map(|start| start + word.len()))?;
    Some(Edit { place: at(place, end, end), text: text.to_owned() })
}

/// Adds a text at the end of a command.
pub(crate) fn append(cx: &Context<'_>, place: Place, text: &str) -> Option<Edit> {
    let source = slice(cx, place)?;
    // Redirections and here-strings may follow the words: the flag stands behind the name of the field.
    let flag = source.find("--field")?;
    let value = source.get(flag + "--field".len()..)?;
    let blank = value.len() - value.trim_start_matches([' ', '=']).len();
    let word = value.get(blank..)?;
    let length =
        word.find(|c: char| c.is_whitespace() || matches!(c, '|' | ')' | ';' | '<' | '>')).unwrap_or(word.len());
    let end = flag + "--field".len() + blank + length;
    (length > 0).then(|| Edit { place: at(place, end, end), text: text.to_owned() })
}

/// Replaces the value of a flag in a command.
pub(crate) fn replace_word(cx: &Context<'_>, place: Place, flag: &str, old: &str, new: &str) -> Option<Edit> {
    let source = slice(cx, place)?;
    let behind = source.find(flag)? + flag.len();
    let start = behind + source.get(behind..)?.find(old)?;
    // Only the word that follows the flag.
    let between = source.get(behind..start)?;
    between
        .chars()
        .all(|c| matches!(c, ' ' | '=' | '"' | '\''))
        .then(|| Edit { place: at(place, start, start + old.len()), text: new.to_owned() })
}

/// Replaces a text that stands exactly once in a place.
pub(crate) fn replace_text(cx: &Context<'_>, place: Place, old: &str, new: &str) -> Option<Edit> {
    let start = only(slice(cx, place)?, old)?;
    Some(Edit { place: at(place, start, start + old.len()), text: new.to_owned() })
}

/// Adds keys to a step of the checked file, behind its `output:`, in the style of the step's mapping. The first one is
/// what the edit is for; others that are there already are left as they are.
pub(crate) fn insert_step_keys(cx: &Context<'_>, step: &str, entries: &[&str]) -> Option<Edit> {
    let step =
        cx.file.recipe.steps.iter().find(|candidate| candidate.id.as_ref().is_some_and(|id| id.value == step))?;
    let anchor = anchor(step)?;
    let text = &cx.file.source.text;
    // A key that is there already (`parse_json: false`) is changed, not doubled.
    let written = text.get(step.span.range())?;
    let missing = |entry: &&&str| !has_key(written, entry.split(':').next().unwrap_or_default());
    if !entries.first().is_some_and(|entry| missing(&entry)) {
        return None;
    }
    let entries: Vec<&str> = entries.iter().filter(missing).copied().collect();
    let line = cx.file.source.lines.line(anchor.start);
    let span = cx.file.source.lines.span(line, text);
    let before = text.get(span.start..anchor.start)?;
    let flow = text.get(step.span.range()).is_some_and(|text| text.trim_start().starts_with('{'));
    let file = cx.file.id;
    if flow {
        let end = quoted_end(text, anchor.end);
        // JSON has its keys in quotes.
        let json = before
            .trim_end_matches(['"', '\''])
            .trim_end()
            .strip_suffix(':')
            .is_some_and(|key| key.trim_end().ends_with('"'));
        let entry = |entry: &&str| match entry.split_once(':') {
            Some((key, value)) if json => format!("\"{key}\":{value}"),
            _ => (*entry).to_owned(),
        };
        let entries: Vec<String> = entries.iter().map(entry).collect();
        return Some(Edit { place: Place { file, span: Span::at(end) }, text: format!(", {}", entries.join(", ")) });
    }
    let indent: String = before.chars().take_while(|c| c.is_whitespace() || *c == '-').map(|_| ' ').collect();
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let text = entries.iter().flat_map(|entry| [ending, indent.as_str(), *entry]).collect();
    Some(Edit { place: Place { file, span: Span::at(span.end) }, text })
}

/// The value behind which a key is added: it must end on its line.
fn anchor(step: &Step) -> Option<Span> {
    step.output.as_ref().map(|output| output.name.span).or_else(|| step.id.as_ref().map(|id| id.span))
}

fn has_key(step: &str, key: &str) -> bool {
    step.match_indices(key).any(|(at, _)| {
        let before = step.get(..at).and_then(|text| text.chars().next_back());
        let after = step.get(at + key.len()..).unwrap_or_default().trim_start_matches(['"', '\'', ' ']);
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_') && after.starts_with(':')
    })
}

/// The end of a scalar whose span may leave its closing quote out.
fn quoted_end(text: &str, end: usize) -> usize {
    match text.get(end..).and_then(|rest| rest.chars().next()) {
        Some('"' | '\'') => end + 1,
        _ => end,
    }
}
