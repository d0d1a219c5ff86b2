//! Configuration files as the command line uses them.

use crate::common::{BAD, Folder};

#[test]
fn what_a_configuration_says_in_vain_is_found_in_it() {
    let folder = Folder::new(&[
        ("bad.yaml", BAD),
        (
            "recipelint.yaml",
            "levls: {}\nexclude:\n  - gone/\n  - later/ # recipelint: ignore[unused-configuration] made by the build\n",
        ),
    ]);
    let of_config = |arguments: &[&str]| -> Vec<(String, u64)> {
        let found = folder.findings(arguments).into_iter().filter(|(_, path, _)| path == "recipelint.yaml");
        found.map(|(lint, _, line)| (lint, line)).collect()
    };
    let one = |line| ("unused-configuration".to_owned(), line);
    assert_eq!(of_config(&[]), [one(1), one(3)]);
    assert_eq!(of_config(&["bad.yaml"]), [one(1)], "one file proves no glob idle");
}

#[test]
fn exclude_holds_for_folders_and_not_for_named_files() {
    let folder = Folder::new(&[("a/bad.yaml", BAD), ("b/bad.yaml", BAD), ("recipelint.yaml", "exclude: [b/]\n")]);
    let paths = |arguments: &[&str]| -> Vec<String> { folder.findings(arguments).into_iter().map(|f| f.1).collect() };
    assert_eq!(paths(&[]), ["a/bad.yaml"]);
    assert_eq!(paths(&["b/bad.yaml"]), ["b/bad.yaml"]);
    assert_eq!(paths(&["--no-config"]), ["a/bad.yaml", "b/bad.yaml"]);
}

#[test]
fn nearest_for_each_file() {
    let folder = Folder::new(&[
        ("bad.yaml", BAD),
        ("recipelint.yaml", "levels: {grep-agent-output: off}\n"),
        ("team/bad.yaml", BAD),
        ("team/.recipelint.yaml", "levels: {}\n"),
    ]);
    assert_eq!(folder.findings(&[]).into_iter().map(|f| f.1).collect::<Vec<_>>(), ["team/bad.yaml"]);
    assert_eq!(folder.findings(&["--config", "team/.recipelint.yaml"]).len(), 2);
}

#[test]
fn broken_ones_end_the_run() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("recipelint.yaml", "levels:\n  grep-agent-output: loud\n")]);
    let done = folder.run(&["check"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.starts_with("recipelint: recipelint.yaml:2:"), "{done:?}");
    assert!(done.err.contains("unknown variant `loud`"), "{done:?}");
    assert_eq!(folder.run(&["check", "--no-config"]).code, 1);
    assert_eq!(folder.run(&["config", "--explain", "bad.yaml"]).code, 2);
}

#[test]
fn explained() {
    let folder =
        Folder::new(&[("sub/recipelint.yaml", "levels: {unused-suppression: off}\n"), ("sub/a.yaml", "x: 1\n")]);
    let done = folder.run(&["config", "--explain", "sub/a.yaml"]);
    assert_eq!(done.code, 0);
    assert!(
        done.out.contains("recipelint.yaml\n") && done.out.contains("unused-suppression: off (default warning)"),
        "{done:?}"
    );
    let done = folder.run(&["config", "--explain", "b.yaml"]);
    assert!(done.out.contains("no configuration file was found"), "{done:?}");
}

#[test]
fn suppressions_with_reasons() {
    let comment = "      # recipelint: ignore[grep-agent-output]\n      if printf";
    let folder = Folder::new(&[("bad.yaml", &BAD.replace("      if printf", comment))]);
    assert_eq!(folder.findings(&[]), []);
    folder.write("recipelint.yaml", "require-reasons: true\n");
    assert_eq!(folder.findings(&[]), [("unused-suppression".to_owned(), "bad.yaml".to_owned(), 9)]);
    folder.write(
        "bad.yaml",
        BAD.replace("      if printf", "      # recipelint: ignore[grep-agent-output] known\n      if printf"),
    );
    assert_eq!(folder.findings(&[]), []);
}

#[test]
fn recipes_that_run_each_other_keep_their_own_configurations() {
    let caller = BAD.replace("  - id: act", "  - id: next\n    recipe: ship\n  - id: act");
    let ship = "name: ship\nsteps:\n  - id: last\n    command: grep -q 'APPROVED' <<< \"$REVIEW\" && ./ship.sh\n";
    let trusting = "trusted-outputs: [review]\n";
    let gate = |folder: &str, line| ("grep-agent-output".to_owned(), format!("{folder}.yaml"), line);
    let found = |folder: &Folder| -> Vec<(String, String, u64)> {
        folder.findings(&[]).into_iter().filter(|finding| finding.0 == "grep-agent-output").collect()
    };
    let both = [("gate.yaml", caller.as_str()), ("parts/ship.yaml", ship)];
    let search = ("recipelint.yaml", "search-paths: [parts]\n");
    let folder = Folder::new(&[both[0], both[1], search]);
    assert_eq!(found(&folder), [gate("gate", 11), gate("parts/ship", 4)]);
    folder.write("parts/recipelint.yaml", trusting);
    assert_eq!(found(&folder), [gate("gate", 11)], "the trust of the part is its own");
    let folder = Folder::new(&[both[0], both[1], ("recipelint.yaml", &format!("search-paths: [parts]\n{trusting}"))]);
    folder.write("parts/recipelint.yaml", "trusted-outputs: []\n");
    assert_eq!(found(&folder), [gate("parts/ship", 4)], "and that of the caller is the caller's");
}
