//! Baselines.

use crate::common::{BAD, Folder};

const MORE: &str = "  - id: again\n    command: |\n      [[ \"$REVIEW\" =~ ^OK ]] && ./again.sh\n";

#[test]
fn known_findings_are_quiet_until_they_are_gone() {
    let folder = Folder::new(&[("bad.yaml", BAD)]);
    let done = folder.run(&["baseline", "write"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.err.contains("recipelint-baseline.json holds 1 finding"), "{done:?}");
    let with = ["check", "--baseline", "recipelint-baseline.json"];
    assert_eq!(folder.run(&with).code, 0);
    assert_eq!(folder.run(&["baseline", "check"]).code, 0);

    let moved = format!("# a\n# b\n{}", BAD.replace("\n  ", "\n    "));
    folder.write("bad.yaml", &moved);
    assert_eq!(folder.run(&with).code, 0, "lines above and indentation do not matter");

    folder.write("bad.yaml", format!("{BAD}{MORE}"));
    let done = folder.run(&with);
    assert_eq!(done.code, 1, "what is new is reported");
    assert!(done.out.contains("match-agent-output") && !done.out.contains("grep-agent-output"), "{done:?}");
    assert_eq!(folder.run(&["baseline", "check"]).code, 1);
}

#[test]
fn it_only_shrinks() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("worse.yaml", BAD)]);
    folder.run(&["baseline", "write"]);
    let before = folder.read("recipelint-baseline.json");

    folder.write("bad.yaml", format!("{BAD}{MORE}"));
    let done = folder.run(&["baseline", "write"]);
    assert!(done.err.contains("1 new finding was not added"), "{done:?}");
    assert_eq!(folder.read("recipelint-baseline.json"), before);

    folder.write("bad.yaml", BAD.replace("grep -q 'APPROVED'", "true"));
    let done = folder.run(&["check", "--baseline", "recipelint-baseline.json"]);
    assert_eq!(done.code, 0);
    assert!(done.err.contains("1 entry of recipelint-baseline.json is gone"), "{done:?}");
    let done = folder.run(&["baseline", "check"]);
    assert_eq!(done.code, 1);
    assert!(done.out.contains("bad.yaml: gone: grep-agent-output"), "{done:?}");
    folder.run(&["baseline", "write"]);
    assert!(!folder.read("recipelint-baseline.json").contains("bad.yaml"));
    assert_eq!(folder.run(&["baseline", "check"]).code, 0);

    folder.write("bad.yaml", format!("{BAD}{MORE}"));
    folder.run(&["baseline", "write", "--renew"]);
    assert_eq!(folder.run(&["baseline", "check"]).code, 0);
}

#[test]
fn a_partial_run_and_a_deleted_file() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("worse.yaml", BAD)]);
    folder.run(&["baseline", "write"]);
    let done = folder.run(&["baseline", "check", "bad.yaml"]);
    assert_eq!(done.code, 0, "nothing is known of the other file: {done:?}");
    std::fs::remove_file(folder.path().join("worse.yaml")).unwrap();
    let done = folder.run(&["baseline", "check", "bad.yaml"]);
    assert_eq!(done.code, 1);
    assert!(done.out.contains("worse.yaml: gone"), "{done:?}");
}

#[test]
fn broken_baselines() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("old.json", "{\"version\":7,\"findings\":[]}"), ("no.json", "[]")]);
    for (file, says) in [("gone.json", "could not be read"), ("old.json", "version 7"), ("no.json", "no baseline")] {
        let done = folder.run(&["check", "--baseline", file]);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{done:?}");
        assert!(done.err.contains(file) && done.err.contains(says), "{done:?}");
    }
}
