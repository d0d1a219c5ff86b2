//! Comments that suppress a finding: each takes its finding away and brings nothing.

use std::collections::BTreeMap;
use std::fmt::Write;

use recipelint::fix::apply;
use recipelint::lints::Finding;
use recipelint::lints::suppress::{Cover, suppress};
use recipelint::workspace::Outcome;

use super::material::{Case, cases, root};

/// The case with a finding suppressed; `None` where no comment can stand.
fn suppressed(case: &Case, outcome: &Outcome, finding: &Finding, cover: Cover) -> Option<Case> {
    let file = outcome.index.file(finding.place.file).unwrap();
    let edit = suppress(file, finding, cover)?;
    let new = apply(&file.source.text, &[edit]).expect("the edit fits");
    let path = file.location.clone().unwrap();
    let files = case.files.iter().map(|(name, text)| {
        let text = if root().join(name) == path { new.clone() } else { text.clone() };
        (name.clone(), text)
    });
    Some(case.with(files.collect()))
}

fn counts(outcome: &Outcome) -> BTreeMap<(String, &'static str), usize> {
    let mut counts = BTreeMap::new();
    for finding in &outcome.findings {
        let path = outcome.index.file(finding.place.file).unwrap().source.path.display().to_string();
        *counts.entry((path, finding.lint)).or_default() += 1;
    }
    counts
}

#[test]
fn a_suppression_takes_its_finding_away_and_brings_none() {
    let mut wrong = String::new();
    let mut tried = 0;
    for case in cases() {
        let (_, _, outcome) = case.check();
        let old = counts(&outcome);
        for (at, finding) in outcome.findings.iter().enumerate() {
            // One cover for each finding in turn, all of them over the whole material; the syntax errors of a file
            // that nobody can read hold comments too.
            let cover = [Cover::Line, Cover::Step, Cover::File][(at + tried) % 3];
            if finding.lint == "unused-suppression" {
                continue;
            }
            let Some(new) = suppressed(&case, &outcome, finding, cover) else { continue };
            tried += 1;
            let (_, _, after) = new.check();
            let file = outcome.index.file(finding.place.file).unwrap();
            let line = file.source.lines.line(finding.place.span.start) + 1;
            let place = format!("{} {}:{line} {} {cover:?}", case.name, file.source.path.display(), finding.lint);
            let key = (file.source.path.display().to_string(), finding.lint);
            let new = counts(&after);
            if new.get(&key).copied().unwrap_or_default() >= old[&key] {
                writeln!(wrong, "{place}: not suppressed").unwrap();
            }
            for (other, count) in &new {
                if old.get(other).copied().unwrap_or_default() < *count {
                    writeln!(wrong, "{place}: brings {other:?}").unwrap();
                }
            }
            if let Some(lost) = old
                .iter()
                .find(|(other, count)| **other != key && new.get(*other).copied().unwrap_or_default() < **count)
            {
                writeln!(wrong, "{place}: takes {lost:?} too").unwrap();
            }
        }
    }
    println!("{tried} suppressions written");
    assert!(wrong.is_empty(), "{} faults\n{wrong}", wrong.lines().count());
}

#[test]
fn a_second_suppression_goes_into_the_comment() {
    let text = "name: a\nsteps:\n  - id: b\n    agent: t:u\n    prompt: Say something.\n    output: answer\n  - id: c\n    \
                command: |\n      echo \"$ANSWER\" | grep -q yes && ./go.sh\n";
    let mut case = Case { name: "two".into(), lint: None, files: vec![("a.yaml".into(), text.into())] };
    for _ in 0..3 {
        let (_, _, outcome) = case.check();
        let Some(finding) = outcome.findings.first() else { break };
        case = suppressed(&case, &outcome, finding, Cover::Line).unwrap();
    }
    insta::assert_snapshot!(case.files[0].1);
    assert_eq!(case.check().2.findings, []);
}

#[test]
fn an_agent_without_a_head_has_comments_of_markdown() {
    let files = vec![("a.agentuse".to_owned(), "Do the thing.\n".to_owned())];
    let case = Case { name: "no head".into(), lint: None, files };
    let (_, _, outcome) = case.check();
    let finding = outcome.findings.first().unwrap();
    for cover in [Cover::Line, Cover::File] {
        let new = suppressed(&case, &outcome, finding, cover).unwrap();
        assert_eq!(new.check().2.findings, [], "{}", new.files[0].1);
    }
}
