//! Writing a suppression: where it counts, in the comment style of the place, merged into one that is there already.

use super::comment::Reach;
use super::{Suppressions, statement};
use crate::flow::Place;
use crate::lints::{Edit, Finding};
use crate::recipe::{Dialect, File};
use crate::text::Span;

/// How much a new suppression covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// The line, or the whole statement that it is part of.
    Line,
    /// The step.
    Step,
    /// The file.
    File,
}

/// The edit that suppresses a finding; `None` where no comment can stand (a step of a program, JSON).
pub fn suppress(file: &File, finding: &Finding, cover: Cover) -> Option<Edit> {
    let source = &file.source;
    let suppressions = Suppressions::of(file);
    let line = match cover {
        Cover::Line => source.lines.line(first_of_statement(file, finding).start),
        Cover::Step => {
            let place = finding.place.span.start;
            let step = file.recipe.steps.iter().find(|step| step.span.touches(place))?;
            source.lines.line(step.span.start)
        }
        Cover::File => 0,
    };
    let wanted = if cover == Cover::File { Reach::File } else { Reach::Here };
    let above = |at: usize| at == line || (at < line && (at + 1..line).all(|between| is_comment(file, between)));
    let known = suppressions.all.iter().filter(|one| one.reach == wanted && !one.lints.is_empty()).find(|one| {
        let at = source.lines.line(one.span.start);
        if cover == Cover::File { at < super::FILE_LINES } else { (one.alone && above(at)) || at == line }
    });
    if let Some(known) = known {
        // Behind the last id, before the bracket.
        let end = known.lints.last().map(|lint| lint.span.end)?;
        return Some(edit(file, Span::at(end), format!(", {}", finding.lint)));
    }
    let word = if cover == Cover::File { "ignore-file" } else { "ignore" };
    let text = format!("recipelint: {word}[{}]", finding.lint);
    let (line, text) = match file.dialect {
        Dialect::Program => (line, format!("// {text}")),
        Dialect::Prompt => (line, format!("<!-- {text} -->")),
        Dialect::AgentUse if !source.text.trim_start_matches('\u{feff}').starts_with("---") => {
            (line, format!("<!-- {text} -->"))
        }
        Dialect::AgentUse if cover == Cover::File => (1, format!("# {text}")),
        Dialect::AgentUse => {
            let body = file.yaml().and_then(|yaml| Some(yaml.root.as_ref()?.span.end)).unwrap_or(0);
            let in_body = finding.place.span.start > body;
            (line, if in_body { format!("<!-- {text} -->") } else { format!("# {text}") })
        }
        _ => (comment_line(file, line)?, format!("# {text}")),
    };
    let at = source.lines.start(line, &source.text);
    let body = source.slice(source.lines.span(line, &source.text));
    let indent = body.len() - body.trim_start_matches([' ', '\t']).len();
    let indent = body.get(..indent).unwrap_or_default();
    let ending = if source.text.contains("\r\n") { "\r\n" } else { "\n" };
    let at = if at == 0 && source.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { at };
    Some(edit(file, Span::at(at), format!("{indent}{text}{ending}")))
}

fn edit(file: &File, span: Span, text: String) -> Edit {
    Edit { place: Place { file: file.id, span }, text }
}

/// The statement that a finding lies in: a comment between its lines would cut it in two.
fn first_of_statement(file: &File, finding: &Finding) -> Span {
    let scripts = statement::scripts(file);
    statement::around(&scripts, finding.place.span).unwrap_or(finding.place.span)
}

/// The line above which a comment can stand: the line itself, or the line of the key where the line is inside a scalar
/// that is no script (a comment there would be text).
fn comment_line(file: &File, line: usize) -> Option<usize> {
    use crate::syntax::yaml::{Data, Node};
    let source = &file.source;
    let at = source.lines.span(line, &source.text);
    let blank = source.slice(at).len() - source.slice(at).trim_start_matches([' ', '\t']).len();
    // A block scalar may end where the next line begins.
    let meets = |span: Span| span.start <= at.end && (at.start + blank < span.end || at.start <= span.start);
    let in_script = statement::scripts(file).iter().any(|script| {
        let span = script.fragment.span();
        source.lines.line(span.start) < line && source.lines.line(span.end.saturating_sub(1)) >= line
    });
    if in_script {
        return Some(line);
    }
    let mut found = line;
    let yaml = file.yaml()?;
    let mut next: Option<&Node> = yaml.root.as_ref();
    while let Some(node) = next {
        next = None;
        match &node.data {
            Data::Mapping(entries) => {
                for entry in entries {
                    let whole = entry.key.span.to(entry.value.span);
                    if meets(whole) {
                        if entry.value.scalar().is_some() && source.lines.line(entry.key.span.start) < line {
                            found = source.lines.line(entry.key.span.start);
                        }
                        next = Some(&entry.value);
                    }
                }
            }
            Data::Sequence(items) => next = items.iter().find(|item| meets(item.span)),
            _ => {}
        }
    }
    Some(found)
}

fn is_comment(file: &File, line: usize) -> bool {
    let text = file.source.slice(file.source.lines.span(line, &file.source.text)).trim_start();
    text.starts_with('#') || text.starts_with("//") || text.starts_with("<!--")
}
