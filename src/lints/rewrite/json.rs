//! JSON readers on prose: the last object that has the field is extracted before them.

use std::sync::Arc;

use super::super::edits::{in_script, script_at};
use super::super::{Context, Finding, Fix, Safety};
use super::site::last_file;
use super::{library_advice, stage};
use crate::flow::{JsonTool, NodeId};
use crate::recipe::Dialect;
use crate::syntax::shell;
use crate::syntax::shell::ast::{Command, CommandKind, PartKind, RedirectKind, WordPart};
use crate::syntax::shell::visit;
use crate::text::Span;

/// The help for a JSON reader on prose.
pub(crate) fn json_advice(cx: &Context<'_>, id: NodeId, tool: &JsonTool) -> String {
    if cx.file.recipe.dialect == Dialect::Program {
        return library_advice(cx, id);
    }
    let field = known_field(cx, id, tool).unwrap_or_else(|| "FIELD".into());
    format!(
        "put `{} --require-field {field}` before it: it takes the last object that has the field",
        stage(cx, "extract-json")
    )
}

/// The field that a reader reads: what its filter says, or its program.
fn known_field(cx: &Context<'_>, id: NodeId, tool: &JsonTool) -> Option<Arc<str>> {
    if let Some(field) = tool.fields.first() {
        return Some(field.clone());
    }
    let (script, range) = script_at(cx, cx.graph.node(id).place)?;
    program_field(program(command_at(&script.tree(), range)?)?).map(Arc::from)
}

fn command_at(tree: &shell::Script, range: Span) -> Option<&Command> {
    visit::commands(&tree.body).into_iter().find(|command| command.span == range)
}

/// The program of `python3 -c '…'` or `node -e '…'`.
fn program(command: &Command) -> Option<&str> {
    let CommandKind::Simple(simple) = &command.kind else { return None };
    simple.words.iter().skip(2).find_map(|word| match word.parts.as_slice() {
        [WordPart { kind: PartKind::SingleQuoted(text), .. }] => Some(text.as_str()),
        _ => None,
    })
}

/// The one field that a program reads from the object that it parses.
fn program_field(program: &str) -> Option<&str> {
    if program.contains("for ") || program.contains("while ") {
        return None;
    }
    let at = ["json.loads(", "json.load(", "JSON.parse("]
        .iter()
        .find_map(|call| program.find(call).map(|at| at + call.len()))?;
    let rest = program.get(at..)?;
    let mut depth = 1_usize;
    let end = rest.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at + 1)
    })?;
    let access = rest.get(end..)?;
    let quoted = ["[\"", "['", ".get(\"", ".get('"].iter().find_map(|start| access.strip_prefix(start));
    let text = quoted.or_else(|| access.strip_prefix('.'))?;
    let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..length).filter(|name| !name.is_empty())
}

/// Puts `extract-json` before a JSON reader that reads a pipe, a here-string or a file.
pub(crate) fn insert_extraction(cx: &Context<'_>, finding: Finding, id: NodeId, tool: &JsonTool) -> Finding {
    if !cx.fixes.take() {
        return finding;
    }
    let edit = || {
        let field = known_field(cx, id, tool)?;
        let (script, range) = script_at(cx, cx.graph.node(id).place)?;
        let tree = script.tree();
        let command = command_at(&tree, range)?;
        let CommandKind::Simple(simple) = &command.kind else { return None };
        let text = script.fragment.text();
        let stage = format!("{} --require-field {field}", stage(cx, "extract-json"));
        let before = text.get(..range.start)?.trim_end_matches([' ', '\n', '\\']);
        let edit = match command.redirects.as_slice() {
            [] if before.ends_with('|') && !before.ends_with("||") => {
                in_script(cx, script, Span::at(range.start), &format!("{stage} | "))?
            }
            [redirect] if matches!(redirect.kind, RedirectKind::HereString(_) | RedirectKind::Input(_)) => {
                let written = text.get(redirect.span.range())?;
                let reader =
                    [text.get(range.start..redirect.span.start)?, text.get(redirect.span.end..range.end)?].concat();
                in_script(cx, script, range, &format!("{stage} {written} | {}", reader.trim()))?
            }
            [] => {
                let file = last_file(script, simple)?;
                let word = simple.words.last()?.span;
                in_script(cx, script, word, &format!("<({stage} < {file})"))?
            }
            _ => return None,
        };
        Some((edit, field))
    };
    let Some((edit, field)) = edit() else { return finding };
    let workflow = matches!(cx.file.recipe.dialect, Dialect::Workflow | Dialect::Action);
    let safety = if workflow { Safety::Suggest } else { Safety::Safe };
    finding.fix(Fix { title: format!("Extract the last object with \"{field}\" first"), safety, edits: vec![edit] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_programs() {
        for (program, wanted) in [
            ("import json, sys; print(json.load(open(sys.argv[1]))[\"version\"])", Some("version")),
            ("print(json.loads(text).get('a', 'b'))", Some("a")),
            ("console.log(JSON.parse(require(\"fs\").readFileSync(0, \"utf8\")).channel)", Some("channel")),
            ("d = json.load(sys.stdin)\nprint(d[\"a\"])", None),
            ("for x in json.load(sys.stdin)[\"a\"]: print(x)", None),
            ("print(1)", None),
        ] {
            assert_eq!(program_field(program), wanted, "{program}");
        }
    }
}
