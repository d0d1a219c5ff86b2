//! A rubric about things that the built-in judge cannot see.

use crate::lints::{Context, Finding, Sink};
use crate::text::Span;

/// The lint's name.
pub const ID: &str = "toolless-judge";

/// What only someone with tools can check, in words of a rubric. Each is a sequence of words that follow each other.
const DEEDS: &[&[&str]] = &[
    &["on", "disk"],
    &["on", "the", "disk"],
    &["exit", "code"],
    &["exit", "status"],
    &["exits", "with"],
    &["exits", "0"],
    &["tests", "pass"],
    &["test", "passes"],
    &["test", "suite", "passes"],
    &["tests", "are", "green"],
    &["build", "succeeds"],
    &["build", "passes"],
    &["code", "compiles"],
    &["project", "compiles"],
    &["lint", "passes"],
    &["linter", "passes"],
    &["command", "succeeds"],
    &["linter", "reports"],
    &["linter", "is", "clean"],
    &["tests", "succeed"],
    &["no", "failing", "tests"],
    &["code", "builds"],
    &["project", "builds"],
    &["build", "is", "green"],
    &["ci", "is", "green"],
    &["runs", "without", "error"],
    &["runs", "without", "errors"],
    &["compiles", "without"],
    &["run", "the", "tests"],
    &["run", "the", "test"],
    &["run", "the", "linter"],
    &["run", "the", "build"],
    &["run", "the", "script"],
    &["run", "the", "command"],
    &["exists", "in", "the", "repository"],
    &["exists", "in", "the", "repo"],
    &["exists", "in", "the", "folder"],
    &["exists", "in", "the", "directory"],
    &["was", "committed"],
    &["is", "committed"],
    &["were", "committed"],
    &["working", "tree"],
];
/// Commands that a rubric may name.
const COMMANDS: &[&[&str]] = &[
    &["npm", "test"],
    &["npm", "run"],
    &["pnpm", "test"],
    &["yarn", "test"],
    &["cargo", "test"],
    &["cargo", "build"],
    &["cargo", "clippy"],
    &["go", "test"],
    &["go", "build"],
    &["make", "test"],
    &["pytest"],
    &["tsc"],
    &["git", "status"],
    &["git", "diff"],
];
/// What is said of a named file that has to be opened for it.
const OF_FILES: &[&str] =
    &["exists", "exist", "contains", "contain", "compiles", "parses", "created", "updated", "written"];
/// What is said of a file by its path.
const OF_PATHS: &[&str] = &["opens", "renders", "builds", "has", "lists", "includes", "holds", "runs"];
/// Endings of names of files.
const ENDINGS: &[&str] = &[
    ".md", ".txt", ".json", ".yaml", ".yml", ".csv", ".html", ".css", ".js", ".ts", ".tsx", ".py", ".rs", ".go", ".sh",
    ".toml", ".sql", ".xml", ".pdf", ".png", ".lock",
];

/// Reports rubrics of the built-in judge that speak of files or commands.
pub fn check(context: &Context<'_>, sink: &mut Sink) {
    let Some(agent) = &context.file.recipe.agent else { return };
    let Some(verify) = agent.verify.as_ref().filter(|verify| verify.judge.is_none()) else { return };
    let Some((key, criteria)) = &verify.criteria else { return };
    let Some((span, what)) = deed(criteria.text(), agent.artifacts) else { return };
    let message = format!(
        "the rubric speaks of {what}, and the built-in judge has no tools: it only reads what the agent says of it"
    );
    sink.push(
        Finding::new(ID, context.place(*key), message)
            .related(context.place(criteria.locate(span)), "this cannot be seen in the output")
            .help("name a judge agent (`judge: ./judge.agentuse`) that may open the file or run the command"),
    );
}

/// The first thing in a rubric that only someone with tools can check.
fn deed(text: &str, artifacts: bool) -> Option<(Span, &'static str)> {
    let words = words(text);
    for (at, (span, word)) in words.iter().enumerate() {
        // "The answer mentions a.md" is about the answer.
        let of_answer = || {
            let sentence = sentence(text, *span);
            words.iter().filter(|(span, _)| sentence.covers(*span)).any(|(_, word)| {
                matches!(word.as_str(), "answer" | "output" | "reply" | "response" | "summary" | "mentions" | "links")
            })
        };
        let here = |list: &[&[&str]]| {
            list.iter().find_map(|deed| {
                let words = words.get(at..at + deed.len())?;
                let last = words.last()?;
                words.iter().map(|(_, word)| word.as_str()).eq(deed.iter().copied()).then(|| span.to(last.0))
            })
        };
        if let Some(span) = here(DEEDS).or_else(|| here(COMMANDS).filter(|_| !of_answer())) {
            return Some((span, "what is on disk or what a command says"));
        }
        let file = ENDINGS.iter().any(|ending| word.ends_with(ending) && word.len() > ending.len());
        if file && !artifacts {
            let sentence = sentence(text, *span);
            let path = word.contains('/');
            let says = words
                .iter()
                .filter(|(span, _)| sentence.covers(*span))
                .any(|(_, word)| OF_FILES.contains(&word.as_str()) || (path && OF_PATHS.contains(&word.as_str())));
            if says && !of_answer() {
                return Some((*span, "the content of a file"));
            }
        }
    }
    None
}

fn sentence(text: &str, at: Span) -> Span {
    let before = text.get(..at.start).unwrap_or_default();
    let start = before.rfind(['\n', ';']).map_or(0, |end| end + 1).max(before.rfind(". ").map_or(0, |end| end + 2));
    let after = text.get(at.end..).unwrap_or_default();
    let ends = [after.find('\n'), after.find(". "), after.find(';')];
    Span::new(start, at.end + ends.into_iter().flatten().min().unwrap_or(after.len()))
}

fn words(text: &str) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inner = c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-');
        match (start, inner) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let word = text.get(from..at).unwrap_or_default().trim_end_matches(['.', '-', '/']);
                found.push((Span::new(from, from + word.len()), word.to_lowercase()));
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rubrics_about_what_cannot_be_seen() {
        for text in [
            "The file NOTES.md exists on disk.",
            "notes/plan.md contains every open question.",
            "All tests pass and the build succeeds.",
            "The command exits with 0.",
            "`report.csv` was created",
            "Everything is committed.",
            "Run the linter and check that it reports nothing.",
            "`npm test` prints no failure.",
            "The report in out/report.html opens in a browser.",
        ] {
            assert!(deed(text, false).is_some(), "{text}");
        }
        for text in [
            "The answer names a line and a time.",
            "The answer mentions README.md and what it contains.",
            "The summary contains the file's name.",
            "Each item has a link.",
            "The output lists the tests that ran.",
            "The letter is written in plain words. See style.md.",
            "The reply says which file exists.",
            "The answer tells the reader to call `npm test`.",
            "It does not claim that tests were run.",
            "The tone follows docs/style.md.",
            "The report has a title.",
        ] {
            assert_eq!(deed(text, false), None, "{text}");
        }
        assert_eq!(deed("report.md contains a date.", true), None);
    }
}
