//! The other subcommands.

use crate::common::{BAD, Folder, GOOD};

#[test]
fn explain() {
    let folder = Folder::new(&[]);
    let done = folder.run(&["explain", "unused-suppression"]);
    assert_eq!(done.code, 0);
    assert!(done.out.starts_with("# unused-suppression\n"), "{done:?}");
    assert!(done.out.ends_with("\nLevel: warning. Fix: safe. Group: recipe.\n"), "{done:?}");
    let done = folder.run(&["explain", "unused-supression"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.contains("did you mean `unused-suppression`?"), "{done:?}");
}

#[test]
fn lints() {
    let folder = Folder::new(&[]);
    let text = folder.run(&["lints"]).out;
    let json: serde_json::Value = serde_json::from_str(&folder.run(&["lints", "--format", "json"]).out).unwrap();
    let all = json.as_array().unwrap();
    assert_eq!(text.lines().count(), all.len());
    for lint in all {
        for key in ["id", "group", "level", "fix", "summary"] {
            assert!(lint[key].as_str().is_some_and(|value| !value.is_empty()), "{key}: {lint}");
        }
        assert_eq!(folder.run(&["explain", lint["id"].as_str().unwrap()]).code, 0);
    }
}

#[test]
fn graph() {
    let folder = Folder::new(&[("bad.yaml", BAD)]);
    let text = folder.run(&["graph", "bad.yaml"]);
    assert_eq!(text.code, 0);
    assert!(text.out.contains("agent step review, output review [agent]"), "{text:?}");
    assert!(text.out.contains("text tool grep [agent]"), "{text:?}");
    let dot = folder.run(&["graph", "bad.yaml", "--format", "dot"]).out;
    assert!(dot.starts_with("digraph recipe {") && dot.ends_with("}\n") && dot.contains(" -> "), "{dot}");
    let json: serde_json::Value =
        serde_json::from_str(&folder.run(&["graph", "bad.yaml", "--format", "json"]).out).unwrap();
    let ids: Vec<_> = json["nodes"].as_array().unwrap().iter().map(|node| &node["id"]).collect();
    assert!(json["edges"].as_array().unwrap().iter().all(|edge| ids.contains(&&edge["to"])));
    assert_eq!(folder.run(&["graph", "gone.yaml"]).code, 2);
}

#[test]
fn schema() {
    let folder = Folder::new(&[]);
    let json: serde_json::Value = serde_json::from_str(&folder.run(&["config", "schema"]).out).unwrap();
    assert!(json["properties"]["levels"]["properties"]["unused-suppression"].is_object());
    assert_eq!(folder.run(&["config"]).code, 2);
}

#[test]
fn init() {
    let folder = Folder::new(&[("good.yaml", GOOD)]);
    assert_eq!(folder.run(&["init"]).code, 0);
    let done = folder.run(&["check"]);
    assert_eq!(done.out, "no findings in 2 files\n", "{done:?}");
    let done = folder.run(&["init"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("is there already"), "{done:?}");
    assert_eq!(folder.run(&["init", "no/such/folder"]).code, 2);
}

#[test]
fn completions_and_manual() {
    let folder = Folder::new(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = folder.run(&["completions", shell]);
        assert!(done.code == 0 && done.out.contains("changed-since"), "{shell}");
    }
    let done = folder.run(&["man"]);
    assert!(done.out.contains(".TH recipelint 1") && done.out.contains("recipelint\\-check"), "{}", &done.out[..500]);
}

#[test]
fn help_names_the_exit_codes() {
    let done = Folder::new(&[]).run(&["--help"]);
    assert!(done.out.contains("Exit codes: 0 nothing found, 1 findings"), "{done:?}");
}
