#![allow(clippy::unwrap_used, clippy::expect_used)]
//! Each mistake that users of Outpost make, marked with `#~ lint` on the line where it is to be reported, among look-alikes
//! that are fine.

use std::path::PathBuf;
use std::sync::Arc;

use super::*;
use crate::recipe::{File, FileId, Index};

/// `(line, lint)` of every problem and error of the first file, and of what only shows beside the others.
fn found(files: &[(&str, &str)]) -> Vec<(usize, String)> {
    let files: Vec<Arc<File>> = files
        .iter()
        .enumerate()
        .map(|(at, (name, text))| {
            let source = Source::new(*name, *text);
            let config = name.ends_with("outpost.yaml");
            let lowered = if config { lower_config(&source) } else { lower(&source) };
            Arc::new(File {
                id: FileId(at as u32),
                source,
                location: Some(PathBuf::from(format!("/w/{name}"))),
                dialect: lowered.recipe.dialect,
                tree: lowered.yaml.map(Into::into),
                recipe: lowered.recipe,
                errors: lowered.errors,
            })
        })
        .collect();
    let index = Index::new(files.clone()).with_root("/w");
    let file = files.first().unwrap();
    let line = |span: Span| file.source.lines.line(span.start) + 1;
    let linked = crate::recipe::linked_problems(file, &index);
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

fn marked(text: &str) -> Vec<(usize, String)> {
    let mut all: Vec<_> = text
        .lines()
        .enumerate()
        .flat_map(|(at, line)| {
            let marks = line.split_once("#~ ").map_or("", |(_, marks)| marks);
            marks.split_whitespace().map(move |lint| (at + 1, lint.to_owned())).collect::<Vec<_>>()
        })
        .collect();
    all.sort();
    all
}

#[track_caller]
fn recipe(text: &str) {
    assert_eq!(found(&[("recipe.yaml", text)]), marked(text), "{text}");
}

#[track_caller]
fn config(text: &str) {
    assert_eq!(found(&[("outpost.yaml", text)]), marked(text), "{text}");
}

#[track_caller]
fn pair(text: &str, config: &str) {
    assert_eq!(found(&[("flows/recipe.yaml", text), ("outpost.yaml", config)]), marked(text), "{text}");
}

const CONFIG: &str = "version: 2
repository: .
sandbox: { provider: local }
harnesses:
  quick: { type: outpost, conversations: false }
agents:
  coder: { harness: claude, authentication: account }
  quick: { harness: { $ref: harnesses.quick }, model: m }
responses:
  verdict:
    type: json
    tag: verdict
    repairs: 1
    jsonSchema:
      type: object
      properties: { approved: { type: boolean }, summary: { type: string } }
      required: [approved]
      additionalProperties: false
  note: { type: text, tag: note }
  alias: { $ref: responses.verdict }
";

#[test]
fn structure_of_tasks() {
    recipe(
        "version: 2
name: cabin
tasks:
  - key: fell
    agent: sawyer
    brief: Fell the marked trees.
  - key: both
    agent: sawyer
    brief: Saw.
    command: { executable: saw } #~ invalid-value
  - key: idle #~ missing-field
    after: [fell]
  - key: lost
    brief: Nobody reads this. #~ missing-field
  - key: mute
    agent: sawyer #~ missing-field
  - key: -bad #~ invalid-value
    command: { executable: saw, argument: [x] } #~ unknown-field
  - key: slow
    command:
      executable: saw
      deadlineMs: 0 #~ invalid-value
    retry: { delayMs: 5 } #~ missing-field
    timeoutMs: 1.5 #~ invalid-value
",
    );
}

#[test]
fn versions_decide_which_fields_there_are() {
    recipe(
        "version: 1
name: roof
description: later #~ unknown-field
tasks:
  - key: a
    agent: roofer
    brief: 'Braces stay as they are: {{ inputs.x }} {{ steps.q.text }}'
    dispatch: {} #~ unknown-field
",
    );
    recipe(
        "version: 2
name: roof
workflow: {} #~ unknown-field
tasks:
  - key: a
    agent: roofer
    brief: b
    dispatch: { passes: 1 } #~ unknown-field
    when: true #~ unknown-field
",
    );
    recipe("version: 4 #~ invalid-value\nname: x\ntasks: [{ key: a, agent: b, brief: c }]\n");
    recipe("version: 3\nname: '' #~ invalid-value\ntasks: [] #~ invalid-value\n");
}

#[test]
fn inputs() {
    recipe(
        "version: 2
name: garden
inputs:
  bed: { type: string, description: Which bed. }
  rows: #~ missing-field
    type: number
  depth: { type: number, description: d, default: deep } #~ invalid-value
  tool: { type: string, description: t, enum: [spade, fork], default: rake } #~ invalid-value
  wet: { type: boolean, description: w, default: yes } #~ invalid-value
  seeds: { type: object, description: s } #~ invalid-value
  2nd: { type: string, description: n } #~ invalid-value
  none: { type: string, description: n, enum: [] } #~ invalid-value
  mixed: { type: string, description: n, enum: [a, 1] } #~ invalid-value
tasks:
  - { key: dig, agent: digger, brief: 'Dig {{ inputs.bed }} {{inputs.rows}}.' }
"
        .replace("rows: #~\n", "rows:\n")
        .as_str(),
    );
    recipe(
        "version: 3
name: garden
inputs:
  beds: { type: array, description: All beds., default: [a] }
  plan: { type: object, description: p, default: { a: 1 } }
tasks:
  - { key: a, value: { all: { $input: beds }, first: '{{ inputs.plan.a }}' } }
  - { key: b, value: '{{ inputs.beds }}' } #~ unfilled-placeholder
  - { key: c, value: { $input: bed } } #~ unfilled-placeholder
",
    );
}

#[test]
fn references_of_version_2() {
    recipe(
        "version: 2
name: mill
inputs:
  grain: { type: string, description: g }
tasks:
  - key: grind
    command: { executable: mill, arguments: ['{{ inputs.grain }}'] }
  - key: taste.it
    after: [grind]
    agent: miller
    brief: 'Flour: {{ steps.grind.stdout }}, state {{ steps.grind.status }}'
  - key: sell
    after: [taste.it]
    agent: miller
    brief: |
      Fine: {{ steps.taste.it.text }} and {{inputs.grain}}
      {{ inputs.grian }} #~ unfilled-placeholder
      {{ inputs.grain.size }} #~ unfilled-placeholder
      {{ steps.grind.stdout }} #~ unfilled-placeholder
      {{ steps.taste.it.stdout }} #~ unfilled-placeholder
      {{ steps.tast.text }} #~ unfilled-placeholder
      {{ WORK_BRANCH }} #~ unfilled-placeholder
      {{ inputs.grain  #~ unfilled-placeholder
  - key: pack
    after: [grind]
    command:
      executable: pack
      stdin: '{{ steps.grind.text }}' #~ unfilled-placeholder
      variables: { X: '{{ steps.sell.text }}' } #~ unfilled-placeholder
",
    );
}

#[test]
fn references_of_version_3() {
    recipe(
        "version: 3
name: dairy
tasks:
  - key: milk
    command: { executable: milk }
  - key: look
    after: [milk]
    agent: smith
    brief: 'Look at {{ steps.milk.stdout }} {{ steps.milk.exitCode }}'
    dispatch: { response: { type: text, tag: looks } }
  - key: talk
    after: [look]
    agent: smith
    brief: 'Say {{ steps.look.value }} and {{ steps.look.text }}'
  - key: wrong
    after: [look, talk, milk]
    agent: smith
    brief: |
      {{ steps.look.summary }} #~ unfilled-placeholder
      {{ steps.talk.value.mood }} #~ unfilled-placeholder
      {{ steps.milk.text }} #~ unfilled-placeholder
  - key: decide
    after: [look]
    when: { all: [{ eq: [{ $step: look, path: [value] }, good] }, { not: { exists: { $step: look, path: [sum] } } }] } #~ unfilled-placeholder
    value: { a: { $literal: '{{ nothing }}' }, b: { $step: talk } } #~ unfilled-placeholder
  - key: odd
    after: [decide]
    when: { equals: [1, 2] } #~ invalid-value
    value: '{{ steps.decide.value.a }} {{ steps.decide.a }}' #~ unfilled-placeholder
",
    );
}

#[test]
fn keys_and_order() {
    recipe(
        "version: 2
name: bake
tasks:
  - { key: serve, after: [bake, knead], agent: b, brief: b }
  - { key: bake, after: [knead], agent: b, brief: b }
  - { key: knead, agent: b, brief: b }
  - { key: knead, agent: b, brief: b } #~ duplicate-id
  - { key: eat, after: [serv], agent: b, brief: b } #~ unknown-reference
  - { key: nap, after: [bake, bake], agent: b, brief: b } #~ invalid-value
  - { key: own, after: [own], agent: b, brief: b } #~ recipe-cycle
  - { key: one, after: [three], agent: b, brief: b } #~ recipe-cycle
  - { key: two, after: [one], agent: b, brief: b }
  - { key: three, after: [two, bake], agent: b, brief: b }
",
    );
}

#[test]
fn gates_need_a_checkpoint() {
    let tasks = "tasks:
  - key: ask
    gate: { kind: approval, prompt: p } #~ missing-field
  - key: talk
    call: { $ref: functions.f }
    options: { interaction: { actors: [a] } } #~ missing-field
";
    recipe(&format!("version: 3\nname: gate\n{tasks}"));
    let with = tasks.replace(" #~ missing-field", "");
    recipe(&format!("version: 3\nname: gate\nworkflow: {{ checkpoint: {{ runId: r, version: '1' }} }}\n{with}"));
    recipe(&format!("version: 3\nname: gate\nworkflow: {{ checkpoint: {{ runId: r }} }} #~ missing-field\n{with}"));
}

#[test]
fn responses_and_their_references() {
    recipe(
        "version: 3
name: inspect
tasks:
  - { key: a, agent: x, brief: b, dispatch: { response: { $ref: responses.verdict }, passes: 1 } }
  - { key: b, agent: x, brief: b, dispatch: { response: { $ref: response.verdict } } } #~ unknown-reference
  - { key: c, agent: x, brief: b, dispatch: { response: { $ref: agents.verdict } } } #~ unknown-reference
  - { key: d, agent: x, brief: b, dispatch: { response: { tag: verdict } } } #~ missing-field
  - { key: e, agent: x, brief: b, dispatch: { response: { type: json, tag: verdict } } } #~ missing-field
  - { key: f, agent: x, brief: b, dispatch: { response: { type: json, tag: v, jsonSchema: '{}' } } } #~ invalid-value
  - { key: g, agent: x, brief: b, dispatch: { response: { type: text, tag: v, repairs: -1 } } } #~ invalid-value
  - { key: h, agent: x, brief: b, dispatch: { pases: 1 } } #~ unknown-field
  - { key: i, command: { executable: x }, dispatch: {} } #~ invalid-value
",
    );
}

#[test]
fn traps_of_yaml() {
    recipe(
        "version: 2\nname: t\ninputs: { x: { type: string, description: d } }\ntasks:\n  - key: a\n    agent: b\n    brief: {{ inputs.x }} #~ invalid-value\n",
    );
    recipe(
        "version: 2\nname: t\ntasks:\n  - key: a\n    agent: b\n    brief: &text b\n  - key: c\n    agent: b\n    brief: *text #~ invalid-yaml\n",
    );
    recipe("version: 2\nname: t\ntasks:\n  - key: a\n    agent: b\n    brief: &alone b #~ invalid-yaml\n");
    recipe("version: 2\nname: t\ntasks:\n  - &task #~ invalid-yaml\n    key: a\n    agent: b\n    brief: c\n");
    recipe("version: 2\nname: t\ntasks:\n  - key: a\n    agent: b\n    brief: !upper b #~ invalid-yaml\n");
    recipe("version: 2\nname: t\ntasks:\n  - { key: a, agent: b, brief: c }\n--- #~ invalid-yaml\nname: second\n");
    recipe("version: 2\nname: t\nname: u #~ invalid-yaml\ntasks:\n  - { key: a, agent: b, brief: c }\n");
    recipe("version: 2\nname: 12 #~ invalid-value\ntasks:\n  - { key: a, agent: b, brief: c }\n");
}

#[test]
fn configurations() {
    config(
        "version: 1
repository: .
sandbox: { provider: docker, image: i, cpu: 2 } #~ unknown-field
branch: { mode: named } #~ missing-field
agents:
  a: { harness: claude, authentication: account, model: { name: m, reasoning: high } }
  b: { harness: claud, authentication: account } #~ invalid-value
  c: { harness: codex } #~ missing-field
  d: { harness: codex, authentication: { usage: { variable: OPENAI_KEY } } }
  e: { harness: codex, authentication: { usage: { key: sk-123 } } } #~ missing-field unknown-field
environment:
  TOKEN: MY_TOKEN
  SECRET: sk-live-123 #~ invalid-value
responses: {} #~ unknown-field
",
    );
    config(
        "version: 2
repository: .
sandbox: { $ref: sandboxProviders.box }
sandboxProviders: { box: { type: local } }
agents:
  a: { harness: { $ref: harnesses.quik } } #~ unknown-reference
  b: { harness: codex, authentication: account, modle: m } #~ unknown-field
  c: { type: fallback, agents: [a, b], colour: red }
harnesses: { quick: { type: outpost, permissions: { $ref: permision.x } } } #~ unknown-reference
responses:
  good: { type: text, tag: good }
  loose: { tag: good } #~ missing-field
  json: { type: json, tag: j, jsonSchema: { $ref: '#/x' }, repairs: 1.5 } #~ invalid-value
functions:
  a: { $ref: functions.b } #~ recipe-cycle
  b: { $ref: functions.a } #~ recipe-cycle
extensions:
  x: { module: ./m.ts, export: x, kind: callback } #~ missing-field
agent: {} #~ unknown-field
",
    );
    config(
        "version: 3\nrepository: . #~ unknown-field\nworkspace: { kind: git, repository: . }\nruntime: {}\nagents: {}\n",
    );
    config("repository: . #~ missing-field\nagents: {}\n");
}

#[test]
fn recipe_beside_its_configuration() {
    pair(
        "version: 3
name: pair
tasks:
  - key: a
    agent: coder
    brief: b
    dispatch:
      response: { $ref: responses.verdict }
      watchdog: { repetition: { window: 4, maxRepeats: 2 }, onStuck: { instruction: Go on. } }
  - key: b
    agent: codr #~ unknown-reference
    brief: b
  - key: c
    agent: coder
    brief: b
    dispatch: { response: { $ref: responses.verdit } } #~ unknown-reference
  - key: d
    agent: quick
    brief: b
    dispatch: { response: { $ref: responses.alias } } #~ unresumable-retry
  - key: e
    agent: quick
    brief: b
    dispatch: { response: { $ref: responses.note } }
  - key: f
    agent: quick
    brief: b
    dispatch: { response: { type: text, tag: t, repairs: 2 } } #~ unresumable-retry
  - key: g
    after: [a]
    agent: coder
    brief: |
      {{ steps.a.value.approved }} {{ steps.a.value.summary }}
      {{ steps.a.value.sumary }} #~ unfilled-placeholder
",
        CONFIG,
    );
    let dispatch =
        "version: 3\nname: p\ntasks:\n  - key: a\n    agent: coder\n    brief: b\n    dispatch: {} #~ invalid-value\n";
    let old = "version: 1\nrepository: .\nagents: { coder: { harness: kimi, authentication: usage } }\n";
    pair(dispatch, old);
    recipe(&dispatch.replace(" #~ invalid-value", ""));
}

#[test]
fn briefs_that_work_against_the_response() {
    let brief = |brief: &str| {
        format!(
            "version: 3\nname: p\ntasks:\n  - key: a\n    agent: coder\n    dispatch: {{ response: {{ $ref: responses.verdict }} }}\n    brief: {brief}\n"
        )
    };
    for bad in [
        "End with <result>approved</result>. #~ multiple-output-contracts",
        "Return the verdict in a JSON code block. #~ multiple-output-contracts",
        "Judge it. Finish with the line REVIEW DONE. #~ multiple-output-contracts",
        "\"Judge it, then end with `<done>` please.\" #~ multiple-output-contracts",
        "After the verdict block, print the list of files. #~ multiple-output-contracts",
    ] {
        pair(&brief(bad), CONFIG);
    }
    for good in [
        "Review the repository and return a concise verdict.",
        "End with <verdict>…</verdict>.",
        "\"Put <verdict>{}</verdict> at the end. Do not use a code block.\"",
        "Look at the code block in README.md and at <details>x</details> there.",
        "End with a verdict on the change.",
        "Write nothing after the verdict block.",
        "Answer in JSON.",
    ] {
        pair(&brief(good), CONFIG);
    }
}

mod half_typed {
    use proptest::prelude::*;

    use super::*;

    const RECIPE: &str = "version: 3\nname: 'é'\ninputs: { x: { type: string, description: d } }\ntasks:\n  - key: a\n    agent: coder\n    brief: |\n      {{ inputs.x }} 😀\n    dispatch: { response: { type: json, tag: t, jsonSchema: { type: object } }, passes: 2 }\n  - key: b\n    after: [a]\n    when: { eq: [{ $step: a, path: [value] }, 1] }\n    value: '{{ steps.a.value.b }}'\n";

    proptest! {
        /// Whatever is cut out of a file or typed into it: no panic, and every place lies in the file.
        #[test]
        fn every_place_lies_in_the_file(from in 0usize..400, len in 0usize..40, typed in "[-{}\\[\\]:&*!|>'\"a \n€]{0,6}", config in any::<bool>()) {
            let base = if config { CONFIG } else { RECIPE };
            let cut: String = base.chars().take(from).chain(typed.chars()).chain(base.chars().skip(from + len)).collect();
            let source = Source::new("recipe.yaml", cut.as_str());
            let lowered = if config { lower_config(&source) } else { lower(&source) };
            for problem in &lowered.recipe.problems {
                prop_assert!(cut.get(problem.span.range()).is_some(), "{problem:?}\n{cut}");
            }
        }
    }
}
