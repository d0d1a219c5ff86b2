//! Placeholders in an agent's instructions: only three are filled (`${root}`, `${agentDir}`, `${tmpDir}`), everything else
//! reaches the model as it is written.

use crate::recipe::fields::nearest;
use crate::recipe::{Problem, Severity};
use crate::text::{Fragment, Span};

/// The lint that reports.
const LINT: &str = "unfilled-placeholder";
/// Placeholders that are filled.
const FILLED: &[&str] = &["root", "agentDir", "tmpDir"];

/// Characters between the braces of a placeholder that are looked at.
const MAX_NAME: usize = 80;

/// What will not be filled, outside of code.
pub fn placeholders(body: &Fragment, problems: &mut Vec<Problem>) {
    let text = body.text();
    let code = code(text);
    let in_code = |at: usize| {
        let next = code.partition_point(|span| span.end <= at);
        code.get(next).is_some_and(|span| span.start <= at)
    };
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(['{', '$'])).map(|offset| at + offset) {
        let rest = text.get(start..).unwrap_or_default();
        at = start + 1;
        let Some((len, name, dollar)) = hole(rest) else { continue };
        at = start + len;
        let escaped = text.get(..start).unwrap_or_default().ends_with('\\');
        if escaped || in_code(start) || (dollar && FILLED.contains(&name)) {
            continue;
        }
        let span = body.locate(Span::new(start, start + len));
        let written = rest.get(..len).unwrap_or_default();
        let mut problem =
            Problem::new(LINT, span, format!("`{written}` is not filled: the model reads it as it stands"))
                .level(Severity::Warning);
        let help = if dollar {
            if let Some(near) = meant(name) {
                format!("`${{{near}}}` is meant?")
            } else {
                // A shell that the model runs may still expand the name.
                problem.level = Some(Severity::Info);
                "only `${root}`, `${agentDir}` and `${tmpDir}` are filled; escape it (`\\${…}`) if it is meant to stay"
                    .to_owned()
            }
        } else {
            "there is no `{{ }}` in agents: give the value in the task, or name a file to read".to_owned()
        };
        problem.help = Some(help);
        problems.push(problem);
    }
}

/// `{{name}}` or `${name}` at the start of a text: its length, its name, and whether it is the second.
fn hole(text: &str) -> Option<(usize, &str, bool)> {
    let (open, close) = if text.starts_with("{{") { ("{{", "}}") } else { ("${", "}") };
    let inner = text.strip_prefix(open)?;
    let near = inner.char_indices().nth(MAX_NAME).map_or(inner.len(), |(at, _)| at);
    let end = inner.get(..near)?.find(close)?;
    let name = inner.get(..end)?.trim();
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let fits =
        !name.is_empty() && name.chars().all(word) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    fits.then_some((open.len() + end + close.len(), name, open == "${"))
}

/// The placeholder that was probably meant. A name in capitals is an environment variable's.
fn meant(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let part = |known: &&&str| lower.starts_with(&known.to_lowercase()) || lower.ends_with(&known.to_lowercase());
    if name.to_uppercase() == name {
        return None;
    }
    nearest(name, FILLED.iter().copied()).or_else(|| FILLED.iter().find(part).copied())
}

/// Fences and code spans.
fn code(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut fence: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| body.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some((at, mark)),
            (Some((start, open)), Some(mark)) if open == mark => {
                found.push(Span::new(start, at + line.len()));
                fence = None;
            }
            (None, None) => {
                let mut ticks = line.match_indices('`').map(|(tick, _)| at + tick);
                while let (Some(start), Some(end)) = (ticks.next(), ticks.next()) {
                    found.push(Span::new(start, end + 1));
                }
            }
            _ => {}
        }
        at += line.len();
    }
    if let Some((start, _)) = fence {
        found.push(Span::new(start, text.len()));
    }
    found
}
