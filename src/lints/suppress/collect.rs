//! Where the comments of a file are: YAML, bash in scalars, JavaScript, Markdown.

use crate::recipe::{Action, Dialect, File, Script, Step};
use crate::text::Span;

/// A comment in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// With its markers; bytes of the file.
    pub span: Span,
    /// Nothing stands before it on its line.
    pub alone: bool,
    /// It is a comment of the YAML text, so that it can speak of the key or item that follows.
    pub yaml: bool,
}

/// All comments of a file that may speak to this linter, in order of place.
pub fn comments(file: &File) -> Vec<Comment> {
    let text = file.source.text.as_ref();
    if !text.contains("recipelint:") {
        return Vec::new();
    }
    let mut comments = Vec::new();
    if let Some(yaml) = file.yaml() {
        comments.extend(yaml.comments.iter().map(|c| Comment { span: c.span, alone: c.alone, yaml: true }));
    }
    for (_, script) in &file.recipe.hooks {
        of_script(script, &mut comments);
    }
    for step in &file.recipe.steps {
        of_step(file, step, &mut comments);
    }
    match file.dialect {
        Dialect::Program => of_markers(text, Span::new(0, text.len()), &[("//", "\n"), ("/*", "*/")], &mut comments),
        Dialect::Prompt | Dialect::AgentUse => {
            of_markers(text, Span::new(0, text.len()), &[("<!--", "-->")], &mut comments);
        }
        _ => {}
    }
    comments.sort_by_key(|comment| comment.span);
    comments.dedup_by_key(|comment| comment.span);
    comments
}

fn of_step(file: &File, step: &Step, comments: &mut Vec<Comment>) {
    match &step.action {
        Action::Script(script) => of_script(script, comments),
        Action::Uses(uses) if uses.action.value.starts_with("actions/github-script") => {
            for text in uses.with.iter().filter(|text| text.name.value == "script") {
                of_markers(&file.source.text, text.text.span(), &[("//", "\n"), ("/*", "*/")], comments);
            }
        }
        _ => {}
    }
}

fn of_script(script: &Script, comments: &mut Vec<Comment>) {
    let text = script.fragment.text();
    for comment in &script.tree().comments {
        let before = text.get(..comment.start).unwrap_or_default();
        let alone = before.rsplit('\n').next().unwrap_or_default().trim().is_empty();
        comments.push(Comment { span: script.fragment.locate(*comment), alone, yaml: false });
    }
}

/// Comments found by their markers. Only those that hold the word are taken, so a marker in a string does no harm
/// unless a directive stands behind it.
fn of_markers(text: &str, within: Span, markers: &[(&str, &str)], comments: &mut Vec<Comment>) {
    let Some(body) = text.get(within.range()) else { return };
    let mut from = 0;
    while let Some(at) = body.get(from..).and_then(|rest| rest.find("recipelint:")).map(|at| from + at) {
        from = at + "recipelint:".len();
        let line_start = body.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
        let Some(before) = body.get(line_start..at) else { continue };
        let opened = markers.iter().filter_map(|(open, close)| before.rfind(open).map(|start| (start, *close))).max();
        let Some((start, close)) = opened else { continue };
        let start = line_start + start;
        let rest = body.get(from..).unwrap_or_default();
        let end = match rest.find(close) {
            Some(end) if close == "\n" => from + end,
            Some(end) => from + end + close.len(),
            None => body.len(),
        };
        let raw = body.get(start..end).unwrap_or_default();
        let end = start + raw.trim_end().len();
        let alone = body.get(line_start..start).is_some_and(|before| before.trim().is_empty());
        comments.push(Comment { span: Span::new(within.start + start, within.start + end), alone, yaml: false });
    }
}
