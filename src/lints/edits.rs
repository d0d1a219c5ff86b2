//! Edits that lints propose. They replace words that stand in the file as they are; where a scalar's escapes or folds
//! come between, there is no edit rather than a wrong one.

use super::{Context, Edit};
use crate::flow::Place;
use crate::recipe::{Action, Script, Step};
use crate::syntax::yaml::{Node, Scalar};
use crate::text::Span;

/// The script of the checked file that holds a place, and the place as a range of its text.
pub(crate) fn script_at<'a>(cx: &'a Context<'_>, place: Place) -> Option<(&'a Script, Span)> {
    if place.file != cx.file.id {
        return None;
    }
    let steps = cx.file.recipe.steps.iter().filter_map(|step| match &step.action {
        Action::Script(script) => Some(script),
        _ => None,
    });
    let hooks = cx.file.recipe.hooks.iter().map(|(_, script)| script);
    let script = steps.chain(hooks).find(|script| script.fragment.span().covers(place.span))?;
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

/// Replaces a range of the decoded text of the scalar at a place, in its own style.
pub(crate) fn in_scalar(cx: &Context<'_>, scalar: Span, range: Span, new: &str) -> Option<Edit> {
    let document = cx.file.yaml.as_ref()?;
    let found = scalar_at(document.root.as_ref()?, scalar)?;
    let (span, text) = document.edit(&cx.file.source.text, found, range.range(), new).ok()?;
    Some(Edit { place: Place { file: cx.file.id, span }, text })
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
    let source = slice(cx, place)?;
    let mut found = source.match_indices(old);
    let (start, _) = found.next()?;
    found.next().is_none().then(|| Edit { place: at(place, start, start + old.len()), text: new.to_owned() })
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
