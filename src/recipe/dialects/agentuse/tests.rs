#![allow(clippy::unwrap_used, clippy::expect_used)]
//! Each mistake that users of AgentUse make, marked with `#~ lint` (`@N lint` in the first line: on line N).

use std::path::PathBuf;

use super::*;
use crate::recipe::{File, FileId, Index, linked_problems};

fn marks(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut line_number = at + 1;
        for mark in line.split_once("#~ ").map_or("", |(_, marks)| marks).split_whitespace() {
            match mark.strip_prefix('@') {
                Some(number) => line_number = number.parse().unwrap(),
                None => all.push((line_number, mark.to_owned())),
            }
        }
    }
    all.sort();
    all
}

fn workspace(files: &[(&str, &str)]) -> (Vec<Arc<File>>, Index) {
    let files: Vec<Arc<File>> = files
        .iter()
        .enumerate()
        .map(|(at, (name, text))| {
            let source = Source::new(*name, *text);
            let Lowered { yaml, recipe, errors } = lower(&source);
            let location = Some(PathBuf::from(format!("/w/{name}")));
            Arc::new(File {
                id: FileId(at as u32),
                source,
                location,
                dialect: Dialect::AgentUse,
                tree: yaml.map(Into::into),
                recipe,
                errors,
            })
        })
        .collect();
    let index = Index::new(files.clone()).with_root("/w");
    (files, index)
}

fn found(file: &File, index: &Index) -> Vec<(usize, String)> {
    let line = |span: Span| file.source.lines.line(span.start) + 1;
    let linked = linked_problems(file, index);
    let mut all: Vec<_> = file
        .recipe
        .problems
        .iter()
        .chain(&linked)
        .map(|problem| (line(problem.span), problem.lint.to_owned()))
        .chain(file.errors.iter().map(|error| (line(error.span), "invalid-yaml".to_owned())))
        .collect();
    all.sort();
    all
}

#[track_caller]
fn expect(files: &[(&str, &str)]) {
    let (files, index) = workspace(files);
    for file in files {
        assert_eq!(found(&file, &index), marks(&file.source.text), "{}", file.source.text);
    }
}

#[track_caller]
fn agent(frontmatter: &str) {
    expect(&[("a.agentuse", &format!("---\nmodel: anthropic:claude-sonnet-5\n{frontmatter}\n---\nDo it.\n"))]);
}

#[test]
fn every_form_of_verify() {
    for good in [
        "verify: true",
        "verify: True",
        "verify: {}",
        "verify: The answer has a date.",
        "verify: '   '",
        "verify: 'no'",
        "verify: { model: 'anthropic:claude-haiku-4-5' }",
        "verify:\n  criteria: Has a date.\n  model: m\n  maxRedos: 0",
        "verify: { criteria: a, at: output, maxRedos: 10 }",
        "approval: true\nverify: { criteria: a, at: gate, gateReview: fresh }",
        "tools: { await_human: true }\nverify: { at: both }",
        "tools: { bash: { commands: [ls], gated: ['git push *'] } }\nverify: { at: gate }",
        "approval: { timeout: 24h }\nverify: { at: output }",
    ] {
        agent(good);
    }
    for bad in [
        "verify: false #~ invalid-verify",
        "verify: #~ invalid-verify",
        "verify: ~ #~ invalid-verify",
        "verify: null #~ invalid-verify",
        "verify: '' #~ invalid-verify",
        "verify: 3 #~ invalid-verify",
        "verify: [a] #~ invalid-verify",
        "verify: no #~ invalid-verify",
        "verify: off #~ invalid-verify",
        "verify: yes #~ invalid-verify",
        "verify: On #~ invalid-verify",
        "verify: { criteria: '' } #~ invalid-verify",
        "verify: { criteria: [a] } #~ invalid-verify",
        "verify: { model: 1 } #~ invalid-verify",
        "verify: { at: Gate } #~ invalid-verify",
        "verify: { at: outputs } #~ invalid-verify",
        "approval: true\nverify: { gateReview: true } #~ invalid-verify",
        "approval: true\nverify: { gateReview: incremental } #~ invalid-verify",
        "verify: { maxRedos: 11 } #~ invalid-verify",
        "verify: { maxRedos: -1 } #~ invalid-verify",
        "verify: { maxRedos: 1.5 } #~ invalid-verify",
        "verify: { maxRedos: '2' } #~ invalid-verify",
        "verify: { redos: 2 } #~ invalid-verify",
        "verify:\n  Judge: x #~ invalid-verify\n  enabled: true #~ invalid-verify\n  retries: 1 #~ invalid-verify",
        "verify:\n  max_redos: 2 #~ invalid-verify\n  placement: gate #~ invalid-verify",
        "verify: { at: gate } #~ invalid-verify",
        "verify: { at: both } #~ invalid-verify",
        "approval: false\nverify: { at: gate } #~ invalid-verify",
        "verify: { gateReview: fresh } #~ invalid-verify",
        "approval: true\nverify: { at: output, gateReview: fresh } #~ invalid-verify",
        "verify: check: it #~ invalid-yaml",
    ] {
        agent(bad);
    }
}

#[test]
fn keys_that_are_dropped_or_refused() {
    for text in [
        "description: d\nversion: '1'\nnotes: n\nmetadata: { team: x }\nintent: false",
        "verfy: true #~ unknown-field",
        "judge: ./j.agentuse #~ unknown-field",
        "maxRedos: 3 #~ unknown-field",
        "criteria: x #~ unknown-field",
        "team: red #~ unknown-field",
        "version: 1.0 #~ invalid-value",
        "openai: { effort: high } #~ unknown-field",
        "openai: { reasoningEffort: high }",
        "anthropic: { thinking: { budgetTokens: 100 } } #~ invalid-value",
        "approval: { channel: slack } #~ unknown-field",
        "approval: { timeout: 30m }",
        "approval: maybe #~ invalid-value",
        "learning: { evaluate: true } #~ unknown-field",
        "learning: { capture: true, apply: false, max: 51 } #~ invalid-value",
        "notifications: [slack] #~ unknown-field",
        "channels: [slack]",
        "channels: { slack: { events: [completion] } }",
        "channels: { slack: {} } #~ invalid-value",
        "channels: {} #~ invalid-value",
        "channels: [] #~ invalid-value",
        "channels: { slack: { events: [complete] } } #~ invalid-value",
        "channels: { email: true } #~ unknown-field",
        "mcpServers: { a: { command: x } }",
        "mcp_servers: { a: { command: x } } #~ unknown-field",
        "mcpServers: { a: { command: x } }\nmcp_servers: { a: { command: x } } #~ invalid-value",
        "mcpServers: { a: { url: 'ftp://x' } } #~ invalid-value",
        "mcpServers: { a: { args: [x] } } #~ missing-field",
        "timeout: 10m\nmaxSteps: 5",
        "timeout: soon #~ invalid-value",
        "maxSteps: 0 #~ invalid-value",
        "reasoning: extreme #~ invalid-value",
        "type: worker #~ invalid-value",
        "store: false #~ invalid-value",
        "name: -x #~ invalid-value",
    ] {
        agent(text);
    }
}

#[test]
fn tools_and_schedules() {
    for text in [
        "tools: { bash: { commands: ['git *'], timeout: 30s } }",
        "tools: { bash: { timeout: 30 } } #~ invalid-value",
        "tools: { bash: { gated: [] } } #~ invalid-value",
        "tools: { filesystem: [{ path: ., permissions: [read] }] }",
        "tools: { filesystem: [{ path: ., permissions: [delete] }] } #~ invalid-value",
        "tools: { filesystem: [{ permissions: [read] }] } #~ missing-field",
        "tools: { filesystem: [{ path: . }] } #~ missing-field",
        "sandbox: true",
        "sandbox: { provider: docker, image: node, timeout: 60, setup: npm ci, env: [TOKEN] }",
        "sandbox: { provider: podman } #~ invalid-value",
        "sandbox: { image: node } #~ missing-field",
        "sandbox: false #~ invalid-value",
        "schedule: 10m",
        "schedule: '0 9 * * 1-5'",
        "schedule: '*/5 0 9 * * *'",
        "schedule: 90s #~ invalid-value",
        "schedule: 25h #~ invalid-value",
        "schedule: daily at nine #~ invalid-value",
        "schedule: 5 #~ invalid-value",
    ] {
        agent(text);
    }
}

#[test]
fn frontmatter_that_is_none() {
    expect(&[("a.agentuse", "\n--- #~ invalid-yaml\nmodel: m\nverify: true\n---\nbody\n")]);
    expect(&[("a.agentuse", "---- #~ invalid-yaml\nmodel: m\n---\nbody\n")]);
    expect(&[("a.agentuse", "#~ @1 missing-field\nOnly instructions.\n")]);
    let (files, index) = workspace(&[("a.agentuse", "")]);
    assert_eq!(found(&files[0], &index), [(1, "missing-field".to_owned())]);
    expect(&[("a.agentuse", "---\ndescription: d #~ missing-field\n---\nbody\n")]);
    expect(&[("a.agentuse", "--- #~ missing-field\n---\nbody\n")]);
    expect(&[("a.agentuse", "---\n- a #~ invalid-value\n---\nbody\n")]);
    expect(&[("a.agentuse", "\u{feff}---\r\nmodel: m\r\n---\r\nbody\r\n")]);
    expect(&[("a.agentuse", "---\nmodel: m\nmodel: n #~ invalid-yaml\n---\nbody\n")]);
}

#[test]
fn placeholders_in_the_instructions() {
    let (files, index) = workspace(&[(
        "a.agentuse",
        "---\nmodel: m\n---\nRead ${root}/a, ${agentDir}/b and ${tmpDir}; write \\${root}.\nUse `{{x}}` and `${HOME}`.\n```\n{{y}} ${Z}\n```\nGreet {{ name }}.\nSee ${rootDir}.\nPull ${PR_NUMBER}.\n",
    )]);
    let lines: Vec<_> = found(&files[0], &index).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [9, 10, 11]);
    let levels: Vec<_> = files[0].recipe.problems.iter().map(|problem| problem.level).collect();
    assert_eq!(levels, [Some(Severity::Warning), Some(Severity::Warning), Some(Severity::Info)]);
}

#[test]
fn judges_and_subagents_beside_the_agent() {
    let plain = "---\nmodel: m\n---\nCall submit_verdict.\n";
    let user = |judge: &str| format!("---\nmodel: m\nverify:\n  judge: {judge}\n---\nbody\n");
    for (judge, mark) in [
        ("./judge.agentuse", ""),
        ("judge.agentuse", ""),
        ("../judge.agentuse", ""),
        ("./jugde.agentuse", " #~ missing-judge"),
        ("./judge.md", " #~ missing-judge"),
        ("'${root}/judge.agentuse'", " #~ missing-judge"),
        ("~/judge.agentuse", " #~ missing-judge"),
        ("agents/judge.agentuse", " #~ missing-judge"),
    ] {
        expect(&[
            ("agents/a.agentuse", &user(&format!("{judge}{mark}"))),
            ("agents/judge.agentuse", plain),
            ("judge.agentuse", plain),
        ]);
    }
    // What lies outside of the workspace cannot be known.
    expect(&[("a.agentuse", &user("../elsewhere.agentuse"))]);
    let calls = |paths: &str| format!("---\nmodel: m\nsubagents:\n{paths}---\nbody\n");
    expect(&[
        ("a.agentuse", &calls("  - path: ./b.agentuse #~ recipe-cycle\n  - path: ./d.agentuse\n")),
        ("b.agentuse", &calls("  - path: ./c.agentuse #~ recipe-cycle\n  - path: ./e.agentuse #~ unknown-reference\n")),
        ("c.agentuse", &calls("  - path: ./a.agentuse #~ recipe-cycle\n")),
        ("d.agentuse", &calls("  - path: ./d.agentuse #~ recipe-cycle\n  - path: https://example.com/e.agentuse\n")),
    ]);
}

mod half_typed {
    use proptest::prelude::*;

    use super::*;

    const AGENT: &str = "---\nmodel: m\ntools: { bash: { gated: [é], timeout: 3s } }\nverify:\n  judge: ./j.agentuse\n  at: gate\n---\n\nCall {{x}} ${root} 😀 `a`.\n";

    proptest! {
        /// Whatever is cut out of a file or typed into it: no panic, and every place lies in the file.
        #[test]
        fn every_place_lies_in_the_file(from in 0usize..160, len in 0usize..40, typed in "[-{}\\[\\]:&*$`'\"a \n€]{0,6}") {
            let cut: String = AGENT.chars().take(from).chain(typed.chars()).chain(AGENT.chars().skip(from + len)).collect();
            let lowered = lower(&Source::new("a.agentuse", cut.as_str()));
            for problem in &lowered.recipe.problems {
                prop_assert!(cut.get(problem.span.range()).is_some(), "{problem:?}\n{cut}");
            }
            let agent = lowered.recipe.agent.unwrap();
            prop_assert!(cut.get(agent.first_line.range()).is_some());
        }
    }
}
