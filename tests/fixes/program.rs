//! `check --fix`, `--unsafe-fixes` and `--diff` from outside.

use super::driver::Folder;

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
