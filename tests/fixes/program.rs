//! `check --fix`, `--unsafe-fixes` and `--diff` from outside.

use super::common::Folder;
use super::driver::{command_in, done};

const READS_A_FIELD: &str = "\
name: ferry
steps:
  - id: look
    agent: port:watch
    prompt: Is the ferry in? Answer with a JSON object that has \"arrived\".
    output: look_out # the answer
  - id: board
    condition: look_out.arrived == 'yes'
    command: ./board.sh
";

#[test]
fn a_diff_is_printed_and_nothing_is_written() {
    let folder = Folder::new(&[("ferry.yaml", READS_A_FIELD)]);
    let done = folder.run(&["check", "--diff", "--no-config", "ferry.yaml"]);
    assert_eq!(done.code, 1, "{done:?}");
    insta::assert_snapshot!(done.out);
    assert_eq!(folder.read("ferry.yaml"), READS_A_FIELD);
}

#[test]
fn a_fix_is_written_once() {
    let folder = Folder::new(&[("ferry.yaml", READS_A_FIELD)]);
    let done = folder.run(&["check", "--fix", "--no-config", "ferry.yaml"]);
    assert_eq!(done.code, 0, "{done:?}");
    let mended = folder.read("ferry.yaml");
    assert!(mended.contains("# the answer\n    parse_json: true\n    parse_json_required: true\n"), "{mended}");
    folder.run(&["check", "--fix", "--no-config", "ferry.yaml"]);
    assert_eq!(folder.read("ferry.yaml"), mended);
    assert_eq!(folder.run(&["check", "--diff", "--no-config", "ferry.yaml"]).code, 0);
}

#[test]
fn standard_input_comes_back_mended() {
    let folder = Folder::new(&[("ferry.yaml", READS_A_FIELD)]);
    let windows = READS_A_FIELD.replace('\n', "\r\n");
    let arguments = ["check", "--fix", "--no-config", "--stdin-filename", "ferry.yaml", "-"];
    let done = folder.run_with_input(&arguments, windows.as_bytes());
    assert_eq!(done.code, 0, "{done:?}");
    let wanted = windows
        .replace("# the answer\r\n", "# the answer\r\n    parse_json: true\r\n    parse_json_required: true\r\n");
    assert_eq!(done.out, wanted);
    assert_eq!(folder.read("ferry.yaml"), READS_A_FIELD);
}

/// What came in comes out when there is nothing to mend, or nothing that may be: a pipe may be what puts it back.
#[test]
fn standard_input_comes_back_as_it_is() {
    let folder = Folder::new(&[]);
    for text in ["name: list\nsteps:\n  - id: a\n    command: ls\n", "no recipe\r\nat all", ""] {
        let arguments = ["check", "--fix", "--no-config", "--stdin-filename", "x.yaml", "-"];
        assert_eq!(folder.run_with_input(&arguments, text.as_bytes()).out, text);
    }
}

#[test]
fn a_diff_of_an_absolute_path_can_be_applied_from_the_root() {
    let folder = Folder::new(&[("ferry.yaml", READS_A_FIELD), ("elsewhere/x.txt", "")]);
    let path = folder.path().join("ferry.yaml");
    let done = done(&mut command_in(
        &folder.path().join("elsewhere"),
        &["check", "--diff", "--no-config", path.to_str().unwrap()],
    ));
    let shown = path.to_str().unwrap().trim_start_matches('/').to_owned();
    assert!(done.out.contains(&format!("--- a/{shown}\n+++ b/{shown}\n")), "{done:?}");
}

/// What is not reported is not mended either.
#[test]
fn only_what_is_reported_is_mended() {
    let folder = Folder::new(&[("old.yaml", READS_A_FIELD), ("new.yaml", READS_A_FIELD)]);
    folder.run(&["baseline", "write", "--no-config", "old.yaml"]);
    let done = folder.run(&[
        "check",
        "--fix",
        "--no-config",
        "--baseline",
        "recipelint-baseline.json",
        "old.yaml",
        "new.yaml",
    ]);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(folder.read("old.yaml"), READS_A_FIELD);
    assert!(folder.read("new.yaml").contains("parse_json"), "{done:?}");

    let folder = Folder::new(&[("old.yaml", READS_A_FIELD), ("new.yaml", "name: none\n")]);
    folder.git(&["init", "-q"]);
    folder.git(&["add", "."]);
    folder.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]);
    folder.write("new.yaml", READS_A_FIELD);
    let done = folder.run(&["check", "--fix", "--no-config", "--changed-since", "HEAD", "."]);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(folder.read("old.yaml"), READS_A_FIELD);
    assert!(folder.read("new.yaml").contains("parse_json"), "{done:?}");
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_written_once() {
    let folder = Folder::new(&[("ferry.yaml", READS_A_FIELD)]);
    std::os::unix::fs::symlink("ferry.yaml", folder.path().join("link.yaml")).unwrap();
    let done = folder.run(&["check", "--fix", "--no-config", "ferry.yaml", "link.yaml"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(folder.read("ferry.yaml").matches("parse_json: true").count(), 1);
    assert!(std::fs::symlink_metadata(folder.path().join("link.yaml")).unwrap().file_type().is_symlink());
}

#[test]
fn a_read_only_file_is_left_and_told_of() {
    let folder = Folder::new(&[("ferry.yaml", READS_A_FIELD)]);
    let path = folder.path().join("ferry.yaml");
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    let done = folder.run(&["check", "--fix", "--no-config", "ferry.yaml"]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.err.contains("the file is read-only"), "{done:?}");
    assert_eq!(folder.read("ferry.yaml"), READS_A_FIELD);
}

#[test]
fn a_report_that_cannot_be_written_takes_no_other_with_it() {
    let folder = Folder::new(&[("ferry.yaml", READS_A_FIELD)]);
    let done = folder.run(&[
        "check",
        "--no-config",
        "--format",
        "concise",
        "--output",
        "json=none/there.json",
        "--output",
        "sarif=out.sarif",
        "ferry.yaml",
    ]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(
        done.out.contains("missing-parse-json") && done.err.contains("none/there.json: could not be written"),
        "{done:?}"
    );
    assert!(folder.read("out.sarif").contains("missing-parse-json"));
    let done = folder.run(&["check", "--no-config", "--output", "json=-", "ferry.yaml"]);
    assert_eq!(done.code, 2, "{done:?}");
}

/// Keys that a fix adds to JSON are JSON.
#[test]
fn json_stays_json() {
    let text = r#"{"name": "ferry", "steps": [{"id": "look", "agent": "port:watch", "prompt": "Is it in? Answer with JSON that has \"arrived\".", "output": "look_out"}, {"id": "board", "condition": "look_out.arrived == 'yes'", "command": "./board.sh"}]}"#;
    let folder = Folder::new(&[("ferry.yaml", text)]);
    let done = folder.run(&["check", "--fix", "--no-config", "ferry.yaml"]);
    let new: serde_json::Value = serde_json::from_str(&folder.read("ferry.yaml")).unwrap();
    assert_eq!(new["steps"][0]["parse_json"], true, "{done:?}");
}
