#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;

fn workflow(text: &str) -> Recipe {
    lower(&Source::new(".github/workflows/a.yml", text)).recipe
}

#[test]
fn shells_start_as_the_runner_starts_them() {
    for (shell, errexit, pipefail) in [
        (Shell::Default, true, false),
        (Shell::Named("bash".into()), true, true),
        (Shell::Named("sh".into()), true, false),
        (Shell::Named("bash {0}".into()), false, false),
        (Shell::Named("bash -xeuo pipefail {0}".into()), true, true),
        (Shell::Named("/usr/bin/bash -l {0}".into()), false, false),
        (Shell::Named("bash --login -e {0}".into()), true, false),
    ] {
        assert_eq!(shell.start(), Ok(shells::Start { errexit, pipefail }), "{shell:?}");
    }
    for (shell, name) in [
        (Shell::Windows, "pwsh, the default shell of Windows"),
        (Shell::Named("pwsh".into()), "pwsh"),
        (Shell::Named("python".into()), "python"),
        (Shell::Named("cmd".into()), "cmd"),
        (Shell::Named("nix develop -c bash -e {0}".into()), "nix"),
    ] {
        assert_eq!(shell.start(), Err(name.to_owned()), "{shell:?}");
    }
}

#[test]
fn the_nearest_shell_holds() {
    let recipe = workflow(
        "on: push\ndefaults: {run: {shell: bash}}\njobs:\n  a:\n    runs-on: windows-2022\n    steps:\n    - run: a\n    \
         - {run: b, shell: pwsh}\n  b:\n    defaults: {run: {shell: sh}}\n    steps:\n    - run: c\n",
    );
    let shells: Vec<_> = recipe
        .steps
        .iter()
        .map(|step| match &step.action {
            Action::Script(script) => format!("{} {} {:?}", script.errexit, script.pipefail, step.job),
            Action::Other(other) => other.clone(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(shells, ["true true Some(0)", "pwsh", "true false Some(1)"]);
    let recipe = workflow("on: push\njobs:\n  a:\n    runs-on: [self-hosted, Windows]\n    steps:\n    - run: a\n");
    assert!(matches!(&recipe.steps[0].action, Action::Other(what) if what.starts_with("pwsh")));
}

#[test]
fn jobs_have_needs_env_outputs_and_other_texts() {
    let recipe = workflow(
        "on:\n  workflow_call:\n    inputs: {mode: {default: fast}}\n    outputs: {out: {value: '${{ jobs.a.outputs.o }}'}}\n\
         env: {A: '1'}\njobs:\n  a:\n    needs: z\n    if: x\n    continue-on-error: ${{ y }}\n    env: {A: '2', B: '3'}\n    \
         outputs: {o: '${{ steps.s.outputs.t }}'}\n    strategy: {matrix: {v: '${{ fromJSON(w) }}'}}\n    steps: []\n  b:\n    \
         needs: [a, c]\n    uses: ./.github/workflows/other.yml\n    with: {k: v}\n",
    );
    let names = |texts: &[NamedText]| -> Vec<String> {
        texts.iter().map(|text| format!("{}={}", text.name.value, text.text.text())).collect()
    };
    let [a, b] = recipe.jobs.as_slice() else { panic!("{:?}", recipe.jobs) };
    assert_eq!(a.needs.iter().map(|need| need.value.as_str()).collect::<Vec<_>>(), ["z"]);
    assert_eq!(names(&a.env), ["A=1", "A=2", "B=3"]);
    assert_eq!(names(&a.outputs), ["o=${{ steps.s.outputs.t }}"]);
    assert_eq!(names(&a.texts), ["continue-on-error=${{ y }}", "strategy=${{ fromJSON(w) }}"]);
    assert!(a.continue_on_error && a.condition.is_some());
    assert_eq!(b.needs.len(), 2);
    assert_eq!(b.call.as_ref().unwrap().action.value, "./.github/workflows/other.yml");
    assert_eq!(names(&recipe.outputs), ["out=${{ jobs.a.outputs.o }}"]);
    assert_eq!(recipe.variables[0].default.as_ref().unwrap().value, "fast");
    assert_eq!(recipe.mentions[0].path.value, ".github/workflows/other.yml");
}

#[test]
fn versions_come_from_the_ref_or_from_the_comment_behind_a_hash() {
    let hash = "0123456789012345678901234567890123456789";
    for (uses, version) in [
        ("a/b@v2".to_owned(), Some("v2")),
        ("a/b@main".to_owned(), Some("main")),
        (format!("a/b@{hash} # v2.1.0"), Some("v2.1.0")),
        (format!("'a/b@{hash}' # ratchet:a/b@v3"), Some("v3")),
        (format!("a/b@{hash} # pinned"), None),
        (format!("a/b@{hash}"), None),
        ("./a".to_owned(), None),
    ] {
        let recipe = workflow(&format!("on: push\njobs:\n  a:\n    steps:\n    - uses: {uses}\n"));
        let Action::Uses(found) = &recipe.steps[0].action else { panic!("{uses}") };
        assert_eq!(found.version.as_deref(), version, "{uses}");
    }
}

#[test]
fn aliases_are_followed_and_broken_text_is_read_in_part() {
    let recipe = workflow(
        "on: push\njobs:\n  a:\n    env: &env {X: '1'}\n    steps:\n    - &s {run: ls}\n  b:\n    env: *env\n    steps: [*s]\n",
    );
    assert_eq!((recipe.jobs[1].env.len(), recipe.steps.len()), (1, 2));
    let lowered = lower(&Source::new("a.yml", "on: push\njobs:\n  a:\n    steps:\n    - run: ls\n   bad: [\n"));
    assert!(!lowered.errors.is_empty());
    assert_eq!(lowered.recipe.jobs.len(), 1);
    for text in ["", "jobs: 1", "jobs: {a: 1}", "jobs: {a: {steps: 1, needs: {}}}", "- a"] {
        lower(&Source::new("a.yml", text));
        lower_action(&Source::new("action.yml", text));
    }
}

#[test]
fn compiled_workflows_are_skipped() {
    let recipe =
        lower(&Source::new(".github/workflows/a.lock.yml", "on: push\njobs:\n  a: {steps: [{run: ls}]}\n")).recipe;
    assert!(recipe.skipped.is_some() && recipe.steps.is_empty() && recipe.jobs.is_empty());
}

#[test]
fn composite_actions_have_inputs_outputs_and_steps() {
    let text = "name: a\ninputs: {q: {required: true}, r: {default: x}}\noutputs: {o: {value: '${{ steps.s.outputs.t }}'}}\n\
                runs:\n  using: composite\n  steps:\n  - {id: s, shell: bash, run: ls}\n  - uses: ./other\n";
    let recipe = lower_action(&Source::new("action.yml", text)).recipe;
    assert_eq!((recipe.variables.len(), recipe.outputs.len(), recipe.steps.len()), (2, 1, 2));
    let paths: Vec<_> = recipe.mentions.iter().map(|mention| mention.path.value.as_str()).collect();
    assert_eq!(paths, ["other/action.yml", "other/action.yaml"]);
    assert!(matches!(&recipe.steps[0].action, Action::Script(script) if script.pipefail && script.errexit));
}
