//! Model text is written to the runner's files under a delimiter that it may contain.

use super::super::edits::{in_script, script_at};
use super::super::trail::{comes_from, is_closed, is_here, read_trust, tell};
use super::super::{Context, Edit, Finding, Fix, Safety, Sink};
use crate::flow::{Framing, NodeKind, Place, Trust};
use crate::text::Span;

/// The lint.
pub(crate) const ID: &str = "fixed-delimiter";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Framed(framing) = &node.kind else { continue };
        let Some(delimiter) = &framing.delimiter else { continue };
        if !is_here(cx, node.place) || read_trust(cx, id) < Trust::Extracted || is_closed(cx, id) {
            continue;
        }
        let message = format!(
            "{}, and it is written to ${} between lines `{delimiter}`: a line `{delimiter}` in it ends the value, and the lines behind it set other names",
            comes_from(cx, id),
            framing.file
        );
        let help = "make the delimiter in the script: `delimiter=\"text_$(openssl rand -hex 16)\"`, and write it before and after";
        let mut finding = Finding::new(ID, node.place, message).help(help);
        if let Some(edits) = random(cx, node.place, framing) {
            let title = format!("Make the delimiter `{delimiter}` at random");
            finding = finding.fix(Fix { title, safety: Safety::Safe, edits });
        }
        sink.push(tell(cx, finding, id, &[]));
    }
}

/// Makes the delimiter in the script, where `echo` or `printf` writes it as a word of its own before and after the value.
fn random(cx: &Context<'_>, place: Place, framing: &Framing) -> Option<Vec<Edit>> {
    let delimiter = framing.delimiter.as_deref()?;
    let (script, range) = script_at(cx, place)?;
    let text = script.fragment.text();
    if !delimiter.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    // Each value of a script has a delimiter of its own.
    let variable = if text.contains("delimiter") {
        format!("delimiter_{}", framing.name.to_ascii_lowercase().replace('-', "_"))
    } else {
        "delimiter".to_owned()
    };
    if text.contains(&variable) || !variable.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let start = text.get(..range.start)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..)?;
    let indent = line.get(..line.len() - line.trim_start_matches([' ', '\t']).len())?;
    let made = format!("{indent}{variable}=\"text_$(openssl rand -hex 16)\"\n");
    let mut edits = vec![in_script(cx, script, Span::at(start), &made)?];
    let opening = format!("{}<<{delimiter}", framing.name);
    let open = start + line.find(&opening)? + opening.len() - delimiter.len();
    let behind = text.get(open + delimiter.len()..)?;
    let close = open
        + delimiter.len()
        + behind.match_indices(delimiter).map(|(at, _)| at).find(|at| is_word(behind, *at, delimiter))?;
    for at in [open, close] {
        let (token, new) = with_variable(text, at, delimiter, &variable)?;
        edits.push(in_script(cx, script, token, &new)?);
    }
    Some(edits)
}

fn is_word(text: &str, at: usize, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text.get(at + word.len()..).and_then(|text| text.chars().next());
    !before.is_some_and(part) && !after.is_some_and(part)
}

/// The shell word of an `echo` or `printf` that ends with the delimiter, with the variable in its place.
fn with_variable(text: &str, at: usize, delimiter: &str, variable: &str) -> Option<(Span, String)> {
    let line = text.get(..at)?.rfind('\n').map_or(0, |at| at + 1);
    let before = text.get(line..at)?;
    // The command may stand in braces or behind another one on its line.
    let command = before.rsplit([';', '{', '(']).next()?.split_whitespace().next()?;
    let end = at + delimiter.len();
    let quote = text.get(end..)?.chars().next().filter(|c| matches!(c, '"' | '\''));
    let start = match quote {
        Some(quote) => line + before.rfind(quote)?,
        None => line + before.rfind([' ', '\t'])? + 1,
    };
    let inner = text.get(start + quote.map_or(0, char::len_utf8)..at)?;
    let plain = matches!(command, "echo" | "printf") && !inner.contains(['"', '\'', '$', '`', '\\', ' ']);
    let end = end + quote.map_or(0, char::len_utf8);
    // `<<` outside of quotes is a here-document.
    (plain && (quote.is_some() || !inner.contains('<')))
        .then(|| (Span::new(start, end), format!("\"{inner}${variable}\"")))
}
