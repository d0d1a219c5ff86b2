//! What the engine loads, measured with `recipe-runner-rs 0.3.6 --validate-only` on each document (2026-11), and what
//! this dialect says of it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fmt::Write;

use proptest::prelude::*;

use super::keys::{self, Holds};
use super::{MAX_BYTES, engine, load};
use crate::recipe::{Action, Shape};
use crate::text::Source;

/// The lints that speak of a document, with the text that each points to.
fn said(text: &str) -> (bool, Vec<(&'static str, String)>) {
    let source = Source::new("x.yaml", text);
    let (lowered, loads) = load(&source);
    let errors = lowered.errors.iter().map(|error| ("invalid-yaml", source.slice(error.span).to_owned()));
    let problems = lowered.recipe.problems.iter().map(|one| (one.lint, source.slice(one.span).to_owned()));
    (loads, errors.chain(problems).collect())
}

const LOADS: bool = true;
const REFUSED: bool = false;

#[track_caller]
fn expect(text: &str, loads: bool, lints: &[(&str, &str)]) {
    let (loaded, said) = said(text);
    let said: Vec<(&str, &str)> = said.iter().map(|(lint, at)| (*lint, at.as_str())).collect();
    assert_eq!(loaded, loads, "{text}\n{said:?}");
    assert_eq!(said, lints, "{text}");
}

/// A document with a step that is whole, and `rest` before it.
fn with(rest: &str) -> String {
    format!("{rest}\nsteps:\n  - id: only\n    command: make\n")
}

/// A document with a step `only` that has `rest` too.
fn step(rest: &str) -> String {
    format!("name: probe\nsteps:\n  - id: only\n    command: make\n{rest}\n")
}

#[test]
fn the_recipe() {
    expect(&with("name: probe"), LOADS, &[]);
    expect(&with("name: 12"), LOADS, &[]);
    expect(&with("name: on"), LOADS, &[]);
    expect(&with("name: ~"), LOADS, &[]);
    expect(&with("name: !tagged probe"), LOADS, &[]);
    expect(&with("name: probe\nversion: 2.10"), LOADS, &[]);
    expect(&with("name: &label probe\nauthor: *label"), LOADS, &[]);
    expect(&with("name: probe\nextends: no-such-recipe"), LOADS, &[]);
    expect(&with("author: someone"), REFUSED, &[("missing-field", "author")]);
    expect(&with("name: ''"), REFUSED, &[("missing-field", "name")]);
    expect(&with("name:"), REFUSED, &[("missing-field", "name")]);
    expect(&with("name: [probe]"), REFUSED, &[("invalid-value", "[probe]")]);
    expect(&with("name: probe\nname: again"), REFUSED, &[("invalid-yaml", "name")]);
    expect(&with("name: probe\nextends: [base]"), REFUSED, &[("invalid-value", "[base]")]);
    expect(&with("name: probe\ntags: nightly"), REFUSED, &[("invalid-value", "nightly")]);
    expect(&with("name: probe\ntags: ~"), REFUSED, &[("invalid-value", "~")]);
    expect(&with("name: probe\ntags:"), LOADS, &[]);
    expect(&with("name: probe\ntags: [1, true]"), LOADS, &[]);
    expect(&with("name: probe\ntags: [[a]]"), REFUSED, &[("invalid-value", "[a]")]);
    expect(&with("name: probe\nhooks: [echo]"), REFUSED, &[("invalid-value", "[echo]")]);
    expect(&with("name: probe\nhooks: {pre_step: [a]}"), REFUSED, &[("invalid-value", "[a]")]);
    expect(&with("name: probe\nrecursion: {max_depth: -3}"), REFUSED, &[("invalid-value", "-3")]);
    expect(&with("name: probe\nrecursion: {max_depth: 4294967296}"), REFUSED, &[("invalid-value", "4294967296")]);
    expect(&with("name: probe\nrecursion: {max_depth: 2, spare: 1}"), LOADS, &[("unknown-field", "spare")]);
    expect("", REFUSED, &[("missing-field", "")]);
    expect("# only a comment\n", REFUSED, &[("missing-field", "")]);
    expect("- id: a\n", REFUSED, &[("invalid-value", "- id: a")]);
}

#[test]
fn the_steps() {
    expect("name: probe\n", REFUSED, &[("missing-field", "name")]);
    expect("name: probe\nsteps:\n", REFUSED, &[("missing-field", "steps")]);
    expect("name: probe\nsteps: []\n", REFUSED, &[("missing-field", "steps")]);
    expect("name: probe\nsteps: ~\n", REFUSED, &[("invalid-value", "~")]);
    expect("name: probe\nsteps:\n  one: {id: one}\n", REFUSED, &[("invalid-value", "steps")]);
    expect("name: probe\nsteps: [hello]\n", REFUSED, &[("invalid-value", "hello")]);
    expect("name: probe\nsteps:\n  - command: ls\n", REFUSED, &[("missing-field", "command")]);
    expect("name: probe\nsteps:\n  - id: ''\n    command: ls\n", REFUSED, &[("missing-field", "id")]);
    expect("name: probe\nsteps:\n  - id: 7\n    command: ls\n", LOADS, &[]);
    expect(
        "name: probe\nsteps:\n  - {id: 1, command: a}\n  - {id: '1', command: b}\n",
        REFUSED,
        &[("duplicate-id", "'1'")],
    );
    expect("name: probe\nsteps:\n  - {id: 1, command: a}\n  - {id: 0x1, command: b}\n", LOADS, &[]);
    expect(
        "name: probe\nsteps:\n  - id: a\n    command: x\n    prompt: y\n    command: z\n",
        REFUSED,
        &[("invalid-yaml", "command"), ("unknown-field", "prompt")],
    );
    expect(&step("    type: skill"), REFUSED, &[("invalid-value", "skill")]);
    expect(&step("    type: 'bash'"), LOADS, &[]);
    expect(&step("    type: !bash"), LOADS, &[]);
    expect(&step("    timeout: -1"), REFUSED, &[("invalid-value", "-1")]);
    expect(&step("    parse_json: 'true'"), REFUSED, &[("invalid-value", "'true'")]);
    expect(&step("    parse_json: yes"), REFUSED, &[("invalid-value", "yes")]);
    expect(&step("    parse_json: True"), LOADS, &[]);
    expect(&step("    parse_json: ~"), REFUSED, &[("invalid-value", "~")]);
    expect(&step("    condition: true"), LOADS, &[]);
    expect(&step("    condition: 1"), LOADS, &[]);
    expect(&step("    output: 5"), LOADS, &[]);
    expect(&step("    when_tags: nightly"), REFUSED, &[("invalid-value", "nightly")]);
    expect(&step("    fatal: false"), LOADS, &[]);
    expect(&step("    nonfatal: true"), LOADS, &[]);
    expect(
        &step("    nonfatal: true\n    continue_on_error: true"),
        REFUSED,
        &[("invalid-value", "continue_on_error")],
    );
    expect("name: probe\nsteps:\n  - id: a\n    command: [x, y]\n", REFUSED, &[("invalid-value", "[x, y]")]);
    expect("name: probe\nsteps:\n  - id: a\n    command: {{x}}\n", REFUSED, &[("invalid-value", "{{x}}")]);
}

#[test]
fn the_text() {
    expect("name: *nobody\nsteps:\n  - {id: a, command: x}\n", REFUSED, &[("invalid-yaml", "*nobody")]);
    let two = "name: a\nsteps:\n  - {id: a, command: x}\n---\nname: b\nsteps:\n  - {id: a, command: x}\n";
    expect(two, REFUSED, &[("invalid-yaml", "---")]);
    let colon = "name: a\nsteps:\n  - id: a\n    command: echo a: b\n";
    expect(colon, REFUSED, &[("invalid-yaml", ":")]);
    for text in ["\u{feff}name: a\nsteps:\n  - {id: a, command: x}\n", "name: a\nsteps:\n\t- id: a\n"] {
        let (loads, said) = said(text);
        assert!(!loads && said.iter().any(|(lint, _)| *lint == "invalid-yaml"), "{said:?}");
    }
    let large = format!("{}description: |\n  {}\n", with("name: a"), "x".repeat(MAX_BYTES));
    assert_eq!(said(&large).1, [("invalid-yaml", "name: a".to_owned())]);
}

#[test]
fn repeated_keys_that_the_engine_takes() {
    expect(&with("name: probe\ncontext: {city: a, city: b}"), LOADS, &[("unknown-field", "city")]);
    expect(&with("name: probe\ncontext: {deep: {x: 1, x: 2}}"), LOADS, &[("unknown-field", "x")]);
    expect(&with("name: probe\ncontext: {}\ncontext: {}"), REFUSED, &[("invalid-yaml", "context")]);
}

#[test]
fn what_a_kind_of_step_needs() {
    let one = |keys: &str| format!("name: probe\nsteps:\n  - {{id: a{keys}}}\n");
    for (keys, missing) in [
        (", type: bash", "`command`"),
        (", agent: 'a:b'", "`prompt`"),
        (", type: agent, command: x", "`prompt`"),
        (", type: recipe", "`recipe`"),
        (", recipe: ''", "`recipe`"),
        (", command: ~", "`command`"),
        ("", "`command`"),
    ] {
        let source = Source::new("x.yaml", one(keys));
        let (lowered, loads) = load(&source);
        let problem = lowered.recipe.problems.iter().find(|problem| problem.lint == "missing-field").expect(keys);
        assert!(loads && problem.message.contains(missing), "{keys}: {}", problem.message);
    }
    for keys in
        [", prompt: p", ", agent: 'a:b', prompt: p", ", command: ''", ", recipe: other", ", type: bash, command: x"]
    {
        expect(&one(keys), LOADS, &[]);
    }
}

#[test]
fn keys_that_do_nothing() {
    expect(&step("    prompt: p"), LOADS, &[("unknown-field", "prompt")]);
    expect(&step("    context: {a: b}"), LOADS, &[("unknown-field", "context")]);
    expect(&step("    recovery_on_failure: false"), LOADS, &[]);
    expect(&step("    agent: 'a:b'\n    prompt: p"), LOADS, &[("unknown-field", "command")]);
    expect(&step("    <<: {output: x}"), LOADS, &[("unknown-field", "<<")]);
    expect(&with("x-shared: [1]\nname: probe"), LOADS, &[]);
    expect(&with("shared: &all [1]\nname: probe\ntags: *all"), LOADS, &[]);
    expect(&with("name: probe\ninputs: {a: 1}"), LOADS, &[("unknown-field", "inputs")]);
    expect(&with("name: probe\ncontext_validation: {a: non-empty}"), LOADS, &[("unknown-field", "non-empty")]);
    expect(&with("name: probe\ncontext_validation: {a: nonempty, b: path}"), LOADS, &[]);
}

#[test]
fn renames() {
    let fix = |text: &str| {
        let source = Source::new("x.yaml", text);
        let lowered = super::lower(&source);
        lowered.recipe.problems.iter().find_map(|problem| problem.fix.clone()).map(|(_, text, certain)| (text, certain))
    };
    let certain = |name: &str| Some((name.to_owned(), true));
    assert_eq!(fix(&step("    condtion: x")), certain("condition"));
    assert_eq!(fix("name: n\nsteps:\n  - {id: a, recipe: r, sub_context: {x: y}}\n"), certain("context"));
    assert_eq!(fix("name: n\nsteps:\n  - {id: a, recipe: r, sub_context: {x: y}, context: {}}\n"), None);
    assert_eq!(fix(&step("    timeout_seconds: soon")), None, "the value does not fit");
    assert_eq!(fix(&step("    if: x")), Some(("condition".to_owned(), false)));
    assert_eq!(fix(&step("    depends_on: [a]")), None);
}

#[test]
fn the_model() {
    let source = Source::new(
        "x.yaml",
        "name: n\ncontext:\n  city: Oslo\n  limits: {cpu: 2, ram: 4}\n  zones: [a]\n  none:\nhooks: {on_error: echo}\n\
         extends: base\nsteps:\n  - {id: a, command: ls, output: files, fatal: false, working_dir: '{{city}}'}\n  \
         - {id: b, prompt: p, parse_json: true, output: plan, parse_json_required: true}\n  \
         - {id: c, recipe: child, context: {x: '{{plan.y}}', n: 3}, condition: plan.ok, parallel_group: g}\n",
    );
    let recipe = super::lower(&source).recipe;
    assert!(recipe.problems.is_empty(), "{:?}", recipe.problems);
    let shapes: Vec<&Shape> = recipe.variables.iter().map(|variable| &variable.shape).collect();
    let keys = vec!["cpu".to_owned(), "ram".to_owned()];
    assert_eq!(shapes, [&Shape::Scalar, &Shape::Object(Some(keys)), &Shape::Array, &Shape::Scalar]);
    assert_eq!(recipe.hooks.len(), 1);
    assert_eq!(recipe.extends.unwrap().value, "base");
    let [a, b, c] = recipe.steps.as_slice() else { panic!("three steps") };
    assert!(matches!(a.action, Action::Script(_)) && a.continue_on_error && a.texts.len() == 1);
    assert!(matches!(b.action, Action::Agent(_)));
    assert!(b.output.as_ref().is_some_and(|output| output.parse_json && output.required));
    let Action::Recipe(call) = &c.action else { panic!("a call") };
    assert_eq!((call.name.value.as_str(), call.context.len()), ("child", 2));
    assert_eq!(c.condition.as_ref().unwrap().text.text(), "plan.ok");
    assert_eq!(c.group.as_ref().unwrap().value, "g");
}

/// Values of every style and type, tagged ones and broken ones among them.
const VALUES: &[&str] = &[
    "word",
    "'word'",
    "\"word\"",
    "5",
    "-5",
    "0",
    "1.5",
    "+5",
    "007",
    "0x10",
    "0o7",
    "0b1",
    "1e3",
    "1_000",
    ".nan",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999",
    "true",
    "True",
    "TRUE",
    "'true'",
    "yes",
    "off",
    "null",
    "~",
    "",
    "NULL",
    "''",
    "[a]",
    "[1, true]",
    "[]",
    "[[a]]",
    "[null]",
    "{a: b}",
    "{}",
    "{a: [1]}",
    "{1: 2}",
    "{a: {{x}}}",
    "{{x}}",
    "'{{x}}'",
    "!t word",
    "!!str 5",
    "!!int 5",
    "!!bool true",
    "!!null null",
    "!!null x",
    "bash",
    "agent",
    "recipe",
    "BASH",
    "!bash",
    "!bash ~",
    "&v word",
    "*z",
    "[*z]",
    "{a: *z}",
    "{a: 1, a: 2}",
    "{a: {b: 1, b: 2}}",
    "@x",
    "a: b",
    "{[a]: b}",
    "{? [a] : b}",
    "{a: !t b}",
    "{~: a}",
    "{pre_step: 5}",
    "{pre_step: [a]}",
    "{max_depth: 1.0}",
    "{max_depth: ~}",
    "{max_depth: '6'}",
    "{max_depth: 3, max_depth: 4}",
    "[{id: a}]",
    "[{id: a}, {id: a}]",
    "[~]",
    "[{}]",
    "[{id: ~}]",
    "[{id: [a]}]",
    "[{id: a, x: 1, x: 2}]",
];

/// Whether the engine loads a text, by its own types and the checks after them (`RecipeParser::parse`).
fn engine_loads(text: &str) -> bool {
    serde_yaml::from_str::<engine::Recipe>(text).is_ok_and(|recipe| recipe.is_complete())
}

#[test]
fn every_value_at_every_key_is_taken_as_the_engine_takes_it() {
    for value in VALUES {
        for key in keys::TOP.iter().map(|key| key.name).chain(["inputs", "unknown"]) {
            let name = if key == "name" { "" } else { "name: n\n" };
            let steps = if key == "steps" { "" } else { "steps:\n  - id: s\n    command: x\n" };
            let text = format!("z: &z word\n{name}{key}: {value}\n{steps}");
            assert_eq!(said(&text).0, engine_loads(&text), "{text}");
        }
        for key in keys::STEP.iter().map(|key| key.name).chain(["sub_context", "unknown"]) {
            let id = if key == "id" { "" } else { "id: s\n    " };
            let text = format!("z: &z word\nname: n\nsteps:\n  - {id}{key}: {value}\n    nothing: x\n");
            assert_eq!(said(&text).0, engine_loads(&text), "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn recipes_of_any_keys_are_taken_as_the_engine_takes_them(
        top in prop::collection::vec((0..keys::TOP.len(), 0..VALUES.len()), 0..3),
        steps in prop::collection::vec(prop::collection::vec((0..keys::STEP.len(), 0..VALUES.len()), 0..4), 1..3),
    ) {
        let mut text = "z: &z word\nname: n\n".to_owned();
        for (key, value) in top {
            let key = keys::TOP[key];
            if key.holds != Holds::Steps {
                writeln!(text, "{}: {}", key.name, VALUES[value]).unwrap();
            }
        }
        text += "steps:\n";
        for (at, step) in steps.iter().enumerate() {
            writeln!(text, "  - id: s{at}").unwrap();
            for (key, value) in step {
                writeln!(text, "    {}: {}", keys::STEP[*key].name, VALUES[*value]).unwrap();
            }
        }
        prop_assert_eq!(said(&text).0, engine_loads(&text), "{}", text);
    }
}
