//! What to write instead of a scrape: the canonical pipeline, with the field that the scrape was after.

use std::sync::Arc;

use super::edits::{in_scalar, in_script, script_at};
use super::patterns::{Language, json_key, words};
use super::{Context, Edit, Finding, Fix, Safety};
use crate::flow::{JsonTool, NodeId, NodeKind, Pasting, Place, Source, Trust};
use crate::recipe::{Action, Dialect, PromptText, Script};
use crate::syntax::shell::ast::{CommandKind, PartKind, RedirectKind, TestKind, WordPart};
use crate::syntax::shell::visit::{self, Visitor};
use crate::text::Span;
use crate::verdict::Vocabulary;

/// The field that patterns are after: a JSON key, the word before a colon or an equals sign, else `verdict`.
pub(crate) fn field_of(patterns: &[Option<Arc<str>>]) -> String {
    let known = || patterns.iter().flatten();
    let keyed = known().find_map(|pattern| json_key(pattern));
    let labelled = known().find_map(|pattern| {
        let at = pattern.find([':', '='])?;
        let before = pattern.get(..at)?.trim_end_matches([' ', '*', '\\', ']', '[', ':']);
        let label: String = before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let label: String = label.chars().rev().collect();
        (label.len() >= 2 && label.chars().any(char::is_alphabetic)).then(|| label.to_ascii_lowercase())
    });
    keyed.or(labelled).unwrap_or_else(|| "verdict".to_owned())
}

/// A default that opens no gate.
pub(crate) fn safe_default(field: &str) -> &'static str {
    match field {
        "verdict" => "INSUFFICIENT_EVIDENCE",
        field if field.contains("loop") => "STUCK",
        _ => "unknown",
    }
}

/// The normaliser for a field, where there is one.
fn normaliser(field: &str) -> Option<&'static str> {
    match field {
        "verdict" => Some("normalise-verdict"),
        "loop_verdict" => Some("normalise-loop-verdict"),
        _ => None,
    }
}

/// How a stage is called in a dialect: workflows have no amplihack.
pub(crate) fn stage(cx: &Context<'_>, name: &str) -> String {
    if matches!(cx.file.recipe.dialect, Dialect::Workflow | Dialect::Action) {
        match name {
            "extract-json" => "recipelint extract json".to_owned(),
            "extract-field" => "recipelint extract field".to_owned(),
            "normalise-verdict" => "recipelint normalise verdict".to_owned(),
            "normalise-loop-verdict" => "recipelint normalise loop-verdict".to_owned(),
            other => other.to_owned(),
        }
    } else {
        format!("amplihack orch helper {name}")
    }
}

/// The canonical pipeline behind a text, on one line.
pub(crate) fn pipeline(cx: &Context<'_>, text: &str, field: &str) -> String {
    let mut line = format!(
        "printf '%s' {text} | {} --require-field {field} | {} --field {field} --default {}",
        stage(cx, "extract-json"),
        stage(cx, "extract-field"),
        safe_default(field)
    );
    if let Some(normaliser) = normaliser(field) {
        line.push_str(" | ");
        line.push_str(&stage(cx, normaliser));
    }
    line
}

/// The help for a scrape of prose.
pub(crate) fn advice(cx: &Context<'_>, id: NodeId, patterns: &[Option<Arc<str>>]) -> String {
    let subject = super::trail::subject(cx, id);
    let text = if subject.starts_with("\"$") { subject } else { "\"$TEXT\"".to_owned() };
    let field = field_of(patterns);
    match cx.file.recipe.dialect {
        Dialect::Program => library_advice(cx, id),
        Dialect::Workflow | Dialect::Action => format!(
            "ask the agent for an object under a schema (`--json-schema`, `output-schema`) and compare its field, or read the last object that has it: `{}`",
            pipeline(cx, &text, &field)
        ),
        _ => format!(
            "ask for a JSON object with \"{field}\" at the end of the prompt and compare what this prints for equality: `{}`",
            pipeline(cx, &text, &field)
        ),
    }
}

/// The library that made an agent run reads its answer itself: the last pair of a tag, parsed and validated.
fn library_advice(cx: &Context<'_>, id: NodeId) -> String {
    let origin = cx.graph.provenance(id).first().map(|first| &cx.graph.node(*first).kind);
    let outpost =
        matches!(origin, Some(NodeKind::Source(Source::AgentOutput { origin, .. })) if origin.contains("outpost"));
    let (option, result) = if outpost {
        ("response: defineJsonResponse({ tag, schema })", "result.value")
    } else {
        ("output: Output.object({ tag, schema })", "result.output")
    };
    format!(
        "let the library read the answer: give the call `{option}`, show the tag in the prompt, and compare a field of `{result}`"
    )
}

/// The help for a JSON reader on prose.
pub(crate) fn json_advice(cx: &Context<'_>, id: NodeId, tool: &JsonTool) -> String {
    if cx.file.recipe.dialect == Dialect::Program {
        return library_advice(cx, id);
    }
    let field = tool.fields.first().map_or("FIELD", |field| field.as_ref());
    format!(
        "put `{} --require-field {field}` before it: it takes the last object that has the field",
        stage(cx, "extract-json")
    )
}

/// A proposal that replaces a scrape by the canonical pipeline: where it is all of a `$(…)`, or all of a test. The prompt
/// gets the sentence that asks for the field, if it does not name it yet.
pub(crate) fn suggest(cx: &Context<'_>, finding: Finding, id: NodeId, patterns: &[Option<Arc<str>>]) -> Finding {
    let field = field_of(patterns);
    let Some((script, range)) = script_at(cx, cx.graph.node(id).place) else { return finding };
    let around = substitution_around(script, range).or_else(|| test_around(script, range));
    let written = around.and_then(|span| script.fragment.text().get(span.range())).unwrap_or_default();
    // A number of lines has no field that stands for it.
    if written.split_whitespace().any(|word| matches!(word, "-c" | "-ic" | "-ci" | "--count" | "wc")) {
        return finding;
    }
    let Some(subject) = subject(written) else { return finding };
    let pipeline = pipeline(cx, &subject, &field);
    let Some((whole, new)) = replacement(script, range, patterns, &pipeline, normaliser(&field).is_some()) else {
        return finding;
    };
    let Some(edit) = in_script(cx, script, whole, &new) else { return finding };
    let mut edits = vec![edit];
    // What a command prints has its form already.
    let asked = if super::trail::read_trust(cx, id) == Trust::Agent { ask_for(cx, id, &field) } else { Some(None) };
    match asked {
        Some(Some(edit)) => edits.push(edit),
        Some(None) => {}
        None => return finding,
    }
    finding.fix(Fix { title: format!("Read the field \"{field}\" instead"), safety: Safety::Suggest, edits })
}

/// The text that a pipeline reads, as a quoted word: a here-string, or what `printf` or `echo` prints at its start.
fn subject(pipeline: &str) -> Option<String> {
    let word = if let Some((_, rest)) = pipeline.split_once("<<<") {
        expansion(rest.trim_start())?
    } else {
        let first = pipeline.split('|').next()?.trim();
        matches!(first.split_whitespace().next(), Some("printf" | "echo")).then_some(())?;
        let last = first.get(first.rfind(char::is_whitespace)?..)?.trim_start();
        expansion(last).filter(|word| word.len() == last.len())?
    };
    Some(if word.starts_with('$') { format!("\"{word}\"") } else { word.to_owned() })
}

/// A word that is one variable, quoted or not, or a template.
fn expansion(text: &str) -> Option<&str> {
    let end = if let Some(rest) = text.strip_prefix('"') {
        rest.find('"')? + 2
    } else if text.starts_with("{{") {
        text.find("}}")? + 2
    } else {
        text.find(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | ')' | '<' | '>')).unwrap_or(text.len())
    };
    let word = text.get(..end)?;
    let bare = word.trim_matches('"');
    let one = bare.starts_with('$') && !bare.starts_with("$(") || bare.starts_with("{{");
    (one && !bare.contains(char::is_whitespace)).then_some(word)
}

/// What is replaced, and by what.
fn replacement(
    script: &Script,
    range: Span,
    patterns: &[Option<Arc<str>>],
    pipeline: &str,
    normalised: bool,
) -> Option<(Span, String)> {
    if let Some(body) = substitution_around(script, range) {
        return Some((body, pipeline.to_owned()));
    }
    let found: Vec<String> = patterns.iter().flatten().flat_map(|pattern| words(pattern, Language::Regex)).collect();
    let [word] = found.as_slice() else { return None };
    let token = if normalised { Vocabulary::work().canonical(word).unwrap_or(word) } else { word };
    let whole = test_around(script, range)?;
    Some((whole, format!("[ \"$({pipeline})\" = {token} ]")))
}

/// The body of the `$(…)` that is the whole value of an assignment, and of which the range is a part.
fn substitution_around(script: &Script, range: Span) -> Option<Span> {
    struct Bodies(Span, Option<Span>);
    impl<'a> Visitor<'a> for Bodies {
        fn part(&mut self, part: &'a WordPart) {
            if let PartKind::Substitution(substitution) = &part.kind
                && !substitution.backquoted
                && substitution.body.span.covers(self.0)
                && substitution.body.items.len() == 1
            {
                self.1 = Some(substitution.body.span);
            }
        }
    }
    let mut bodies = Bodies(range, None);
    visit::list(&script.tree.body, &mut bodies);
    bodies.1
}

/// The pipeline or `[[ … ]]` that is all of an `if`'s condition, without its `!`.
fn test_around(script: &Script, range: Span) -> Option<Span> {
    visit::commands(&script.tree.body).into_iter().rev().find_map(|command| {
        let CommandKind::If(branches) = &command.kind else { return None };
        branches.branches.iter().find_map(|(condition, _)| {
            let [item] = condition.items.as_slice() else { return None };
            let (first, last) = (item.first.commands.first()?, item.first.commands.last()?);
            let span = first.span.to(last.span);
            let matches = matches!(&last.kind, CommandKind::Test(test) if !matches!(&test.kind, TestKind::Binary(_, operator, _) if operator != "!="));
            (item.rest.is_empty() && span.covers(range) && !matches).then_some(span)
        })
    })
}

/// An edit that makes the prompt ask for a field; `Some(None)` where it names it already, `None` where that cannot be.
fn ask_for(cx: &Context<'_>, id: NodeId, field: &str) -> Option<Option<Edit>> {
    let (source, _) = super::trail::origin(cx, id)?;
    let NodeKind::Source(Source::AgentStep { step, .. }) = &cx.graph.node(source).kind else { return None };
    let step = cx.file.recipe.steps.iter().find(|known| known.id.as_ref().is_some_and(|id| id.value == **step))?;
    let Action::Agent(call) = &step.action else { return None };
    let PromptText::Inline(prompt) = &call.prompt.as_ref()?.text else { return None };
    let text = prompt.text();
    if text.contains(&format!("\"{field}\"")) {
        return Some(None);
    }
    let end = text.trim_end().len();
    let separator = if text.trim_end().contains('\n') || text.ends_with('\n') { "\n" } else { " " };
    let sentence = format!("{separator}Finish with one JSON object that has the key \"{field}\".");
    in_scalar(cx, prompt.span(), Span::at(end), &sentence).map(Some)
}

/// Puts `extract-json` before a JSON reader that reads a pipe, a here-string or a file by `<`.
pub(crate) fn insert_extraction(cx: &Context<'_>, finding: Finding, id: NodeId, tool: &JsonTool) -> Finding {
    let place = cx.graph.node(id).place;
    let (Some(field), Some((script, range))) = (tool.fields.first(), script_at(cx, place)) else { return finding };
    let commands = visit::commands(&script.tree.body);
    let Some(command) = commands.into_iter().find(|command| command.span == range) else { return finding };
    let text = script.fragment.text();
    let stage = format!("{} --require-field {field}", stage(cx, "extract-json"));
    let edit = match command.redirects.as_slice() {
        [] if text
            .get(..range.start)
            .is_some_and(|before| before.trim_end_matches([' ', '\n', '\\']).ends_with('|')) =>
        {
            in_script(cx, script, Span::at(range.start), &format!("{stage} | "))
        }
        [redirect] if matches!(redirect.kind, RedirectKind::HereString(_) | RedirectKind::Input(_)) => {
            let written = text.get(redirect.span.range()).unwrap_or_default();
            let rest = [text.get(range.start..redirect.span.start), text.get(redirect.span.end..range.end)]
                .map(Option::unwrap_or_default);
            let reader = rest.concat();
            in_script(cx, script, range, &format!("{stage} {written} | {}", reader.trim()))
        }
        _ => None,
    };
    let Some(edit) = edit else { return finding };
    let safety = if matches!(cx.file.recipe.dialect, Dialect::Workflow | Dialect::Action) {
        Safety::Suggest
    } else {
        Safety::Safe
    };
    finding.fix(Fix { title: format!("Extract the last object with \"{field}\" first"), safety, edits: vec![edit] })
}

/// Takes the quotes off a here-document's delimiter, so that the engine leaves a variable in it. Only where the body has
/// nothing else that the shell would then expand.
pub(crate) fn unpaste(cx: &Context<'_>, finding: Finding, place: Place, pasting: &Pasting) -> Finding {
    let Pasting::Heredoc(delimiter) = pasting else { return finding };
    let Some((script, range)) = script_at(cx, place) else { return finding };
    let commands = visit::commands(&script.tree.body);
    let found = commands.into_iter().flat_map(|command| &command.redirects).find_map(|redirect| match &redirect.kind {
        RedirectKind::HereDocument(document) if document.body.span.covers(range) => Some((redirect, document)),
        _ => None,
    });
    let Some((redirect, document)) = found else { return finding };
    let text = script.fragment.text();
    let body = text.get(document.body.span.range()).unwrap_or_default();
    let operator = text.get(redirect.span.range()).unwrap_or_default();
    if body.contains(['$', '`', '\\']) {
        return finding;
    }
    let Some(at) = operator.find(['\'', '"', '\\']) else { return finding };
    let quoted = Span::new(redirect.span.start + at, redirect.span.end);
    let Some(edit) = in_script(cx, script, quoted, delimiter) else { return finding };
    finding.fix(Fix {
        title: "Take the quotes off the delimiter".to_owned(),
        safety: Safety::Suggest,
        edits: vec![edit],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_that_a_scrape_reads() {
        for (pipeline, wanted) in [
            ("printf '%s' \"$X\" | grep -o a", Some("\"$X\"")),
            ("echo $X | sed s/a/b/", Some("\"$X\"")),
            ("grep -o a <<< {{x}}", Some("{{x}}")),
            ("grep -o a <<<\"${X}\" | head -1", Some("\"${X}\"")),
            ("grep -o a file", None),
            ("grep -o a <<< \"$(cat file)\"", None),
            ("printf '%s\\n' \"$A\" \"b\" | grep a", None),
        ] {
            assert_eq!(subject(pipeline).as_deref(), wanted, "{pipeline}");
        }
    }
}
