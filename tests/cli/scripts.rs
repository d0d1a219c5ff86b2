//! Scripts of the repository that workflows run.

use crate::common::Folder;

/// A job that asks an agent and then runs something; the last step begins on line 11.
fn workflow(run: &str) -> String {
    let head = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - id: ask\n        \
                uses: actions/ai-inference@v2\n        with: {prompt: Is the map complete?}\n      - env:\n          \
                ANSWER: ${{ steps.ask.outputs.response }}\n        run: |\n";
    let lines = run.lines().flat_map(|line| ["          ", line, "\n"]);
    head.to_owned() + &lines.collect::<String>()
}

const SHELL: &str = "#!/bin/sh\nset -e\nif printf '%s' \"$ANSWER\" | grep -q complete; then ./print-map; fi\n";
const ARGUMENT: &str = "case \"$1\" in\n  *complete*) ./print-map ;;\n  *) exit 1 ;;\nesac\n";
const NODE: &str = "const answer = process.env.ANSWER;\nif (!answer.includes('complete')) process.exit(1);\n";
const PYTHON: &str = "import os, sys\nif \"complete\" in os.environ[\"ANSWER\"]:\n    sys.exit(0)\nsys.exit(1)\n";

#[test]
fn they_are_followed() {
    for (run, path, text, expected) in [
        ("./tools/gate.sh", "tools/gate.sh", SHELL, vec![("grep-agent-output", "tools/gate.sh", 3)]),
        ("bash tools/gate.sh", "tools/gate.sh", SHELL, vec![("grep-agent-output", "tools/gate.sh", 3)]),
        ("tools/gate", "tools/gate", SHELL, vec![("grep-agent-output", "tools/gate", 3)]),
        (
            "\"$GITHUB_WORKSPACE/tools/gate.sh\"",
            "tools/gate.sh",
            SHELL,
            vec![("grep-agent-output", "tools/gate.sh", 3)],
        ),
        ("bash tools/gate.sh \"$ANSWER\"", "tools/gate.sh", ARGUMENT, vec![("match-agent-output", "tools/gate.sh", 2)]),
        ("bash tools/gate.sh fixed", "tools/gate.sh", ARGUMENT, vec![]),
        ("node tools/gate.js", "tools/gate.js", NODE, vec![("match-agent-output", "tools/gate.js", 2)]),
        ("python3 tools/gate.py", "tools/gate.py", PYTHON, vec![("grep-agent-output", ".github/workflows/a.yml", 12)]),
        ("./tools/other.sh", "tools/gate.sh", SHELL, vec![]),
        ("cat tools/gate.sh", "tools/gate.sh", SHELL, vec![]),
        ("../gate.sh", "tools/gate.sh", SHELL, vec![]),
        ("ANSWER=fixed bash tools/gate.sh", "tools/gate.sh", SHELL, vec![]),
        ("bash tools/gate.sh", "tools/gate.sh", "printf '%s\\n' \"$ANSWER\" >> notes.md\nif [ \n", vec![]),
    ] {
        let folder = Folder::new(&[(".github/workflows/a.yml", &workflow(run)), (path, text)]);
        let found = folder.findings(&[]);
        let found: Vec<_> = found.iter().map(|(lint, path, line)| (lint.as_str(), path.as_str(), *line)).collect();
        assert_eq!(found, expected, "{run}");
    }
}

#[test]
fn one_that_a_step_writes_is_followed_too() {
    let write = "cat > gate.sh <<'END'\nif grep -q complete <<< \"$ANSWER\"; then ./print-map; fi\nEND\n";
    for (run, expected) in [
        (format!("{write}bash gate.sh"), vec![13]),
        (format!("{write}chmod +x gate.sh && ./gate.sh"), vec![13]),
        ("bash <<'END'\nif grep -q complete <<< \"$ANSWER\"; then ./print-map; fi\nEND\n".to_owned(), vec![13]),
        (write.to_owned(), vec![]),
        (write.replace("$ANSWER", "$OTHER") + "sh gate.sh", vec![]),
    ] {
        let folder = Folder::new(&[(".github/workflows/a.yml", &workflow(&run))]);
        let lines: Vec<u64> = folder.findings(&[]).into_iter().map(|(_, _, line)| line).collect();
        assert_eq!(lines, expected, "{run}");
    }
}

#[test]
fn prompts_that_scripts_read_are_prompts() {
    let order = "Sort the photographs.\nThen write `year=NUMBER` to $GITHUB_OUTPUT.\n";
    for (run, expected) in [
        ("claude -p \"$(cat prompts/sort.md)\"", Some(("prompts/sort.md", 2))),
        ("claude -p < prompts/sort.md", Some(("prompts/sort.md", 2))),
        ("cat prompts/sort.md", None),
        ("claude -p \"$(cat prompts/none.md)\"", None),
    ] {
        let folder = Folder::new(&[(".github/workflows/a.yml", &workflow(run)), ("prompts/sort.md", order)]);
        let found = folder.findings(&[]);
        let found = found.first().map(|(_, path, line)| (path.as_str(), *line));
        assert_eq!(found, expected, "{run}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_is_not_read() {
    let outside = Folder::new(&[("gate.sh", SHELL)]);
    let folder = Folder::new(&[(".github/workflows/a.yml", &workflow("./gate.sh"))]);
    std::os::unix::fs::symlink(outside.path().join("gate.sh"), folder.path().join("gate.sh")).unwrap();
    assert!(folder.findings(&[]).is_empty());
}
