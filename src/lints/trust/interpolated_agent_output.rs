//! Agent text is pasted into program text before the shell or JavaScript reads it.

use super::super::edits::{in_script, script_at};
use super::super::rewrite;
use super::super::trail::{comes_from, is_here, paste_name, read_trust, tell};
use super::super::{Context, Edit, Finding, Fix, Safety, Sink};
use crate::flow::{NodeKind, Pasting, Trust};
use crate::text::Span;

/// The lint.
pub(crate) const ID: &str = "interpolated-agent-output";

/// See the page.
pub(crate) fn check(cx: &Context<'_>, sink: &mut Sink) {
    for (id, node) in cx.graph.nodes_in(cx.file.id) {
        let NodeKind::Paste(pasting) = &node.kind else { continue };
        if !is_here(cx, node.place) || read_trust(cx, id) < Trust::Extracted {
            continue;
        }
        let consequence = match pasting {
            Pasting::Heredoc(delimiter) => {
                format!(
                    "a line \"{delimiter}\" in it ends the document, and the rest of the agent's text runs as a script"
                )
            }
            Pasting::Program(_) | Pasting::Run => "a quote, `$(…)` or a newline in it runs as a command".to_owned(),
            Pasting::JavaScript => "a quote or a backtick in it runs as code".to_owned(),
        };
        let message = format!("{}, and it is pasted into {}: {consequence}", comes_from(cx, id), paste_name(pasting));
        let finding = Finding::new(ID, node.place, message).help(advice(pasting));
        let finding = rewrite::unpaste(cx, finding, node.place, pasting);
        let finding = if *pasting == Pasting::Run { through_environment(cx, finding) } else { finding };
        sink.push(tell(cx, finding, id, &[]));
    }
}

/// Sets the expression in the step's `env:` and reads the variable in the script.
fn through_environment(cx: &Context<'_>, finding: Finding) -> Finding {
    let edits = || {
        let (script, range) = script_at(cx, finding.place)?;
        let text = script.fragment.text();
        let written = text.get(range.range())?;
        let path = written.strip_prefix("${{")?.strip_suffix("}}")?.trim();
        let name = path.rsplit('.').next()?.to_ascii_uppercase().replace('-', "_");
        let plain = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'));
        let step = cx.file.recipe.steps.iter().find(|step| step.span.covers(finding.place.span))?;
        let whole = cx.file.source.slice(step.span);
        // One variable of that name would be read twice or is something else.
        if !plain || whole.contains("env:") || whole.contains(&name) || whole.matches(written).count() != 1 {
            return None;
        }
        let line = text.get(..range.start)?.rsplit('\n').next()?;
        let quoted = line.matches('"').count() % 2 == 1;
        if line.contains(['\'', '\\', '`']) || line.trim_start().starts_with('#') || text.contains("<<") {
            return None;
        }
        let variable = if quoted { format!("${name}") } else { format!("\"${name}\"") };
        let key = script.key;
        let lines = &cx.file.source.lines;
        let start = lines.start(lines.line(key.start), &cx.file.source.text);
        let before = cx.file.source.slice(Span::new(start, key.start));
        if !before.chars().all(|c| matches!(c, ' ' | '-')) {
            return None;
        }
        let indent = " ".repeat(before.len());
        let ending = if cx.file.source.text.contains("\r\n") { "\r\n" } else { "\n" };
        let entry = format!("env:{ending}{indent}  {name}: ${{{{ {path} }}}}{ending}{indent}");
        let set = Edit { place: cx.place(Span::at(key.start)), text: entry };
        Some((vec![set, in_script(cx, script, range, &variable)?], name))
    };
    match edits() {
        Some((edits, name)) => {
            finding.fix(Fix { title: format!("Pass it as `${name}` in `env:`"), safety: Safety::Suggest, edits })
        }
        None => finding,
    }
}

fn advice(pasting: &Pasting) -> &'static str {
    match pasting {
        Pasting::Heredoc(_) => {
            "write the text with `printf '%s\\n' \"$RECIPE_VAR_name\" > file`, or take the quotes off the delimiter so that the engine leaves a variable there"
        }
        Pasting::Program(_) => {
            "keep the program text in single quotes and pass the text as an argument: `bash -c 'use \"$1\"' _ \"$text\"`"
        }
        Pasting::Run => "set it in the step's `env:` and expand the variable in double quotes",
        Pasting::JavaScript => "set it in the step's `env:` and read `process.env.NAME`",
    }
}
