//! What the lowering already said of a file, passed on as findings.

use super::{Context, Edit, Finding, Fix, Level, Safety, Sink};
use crate::flow::Place;
use crate::recipe::{File, Problem, Severity, linked_problems, versioned_problems};
use crate::text::SyntaxError;

/// Passes on the problems of one lint: those of the file itself, and those that only show beside the other files of the
/// workspace.
pub(crate) fn problems(context: &Context<'_>, sink: &mut Sink, lint: &'static str) {
    let own = context.file.recipe.problems.iter().filter(|problem| problem.lint == lint);
    for problem in own.filter(|problem| !is_guess(context.file, problem)) {
        sink.push(finding(context, problem));
    }
    for problem in linked_problems(context.file, context.index).iter().filter(|problem| problem.lint == lint) {
        sink.push(finding(context, problem));
    }
    for problem in &versioned_problems(context.file, context.index, lint) {
        sink.push(finding(context, problem));
    }
}

/// A key on the line of a syntax error or on the next one: which mapping it belongs to is the parser's guess.
fn is_guess(file: &File, problem: &Problem) -> bool {
    let lines = &file.source.lines;
    let at = lines.line(problem.span.start);
    let near = |error: &SyntaxError| (0..=1).contains(&at.wrapping_sub(lines.line(error.span.start)));
    problem.lint == "unknown-field" && file.errors.iter().any(near)
}

fn finding(context: &Context<'_>, problem: &Problem) -> Finding {
    let mut finding = Finding::new(problem.lint, context.place(problem.span), problem.message.clone());
    finding.help.clone_from(&problem.help);
    finding.own_level = problem.level.map(|level| match level {
        Severity::Info => Level::Info,
        Severity::Warning => Level::Warning,
        Severity::Error => Level::Error,
    });
    for (span, message) in &problem.related {
        finding = finding.related(context.place(*span), message.clone());
    }
    for (file, span, message) in &problem.elsewhere {
        finding = finding.related(Place { file: *file, span: *span }, message.clone());
    }
    if let Some((span, text, certain)) = &problem.fix {
        let edits = vec![Edit { place: context.place(*span), text: text.clone() }];
        let safety = if *certain { Safety::Safe } else { Safety::Suggest };
        let title = if text.trim().is_empty() { "Remove it".to_owned() } else { format!("Write `{}`", text.trim()) };
        finding = finding.fix(Fix { title, safety, edits });
    }
    finding
}
