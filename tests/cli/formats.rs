//! Formats and outputs as the command line writes them; what each looks like is tested beside its code.

use crate::common::{BAD, Folder};
use crate::driver::{done, findings_of};

#[test]
fn several_outputs_in_one_run() {
    let folder = Folder::new(&[("bad.yaml", BAD)]);
    let done = folder.run(&[
        "check",
        "--format",
        "concise",
        "--output",
        "sarif=out.sarif",
        "--output",
        "json=out.json",
        "--color",
        "always",
    ]);
    assert_eq!(done.code, 1);
    assert!(done.out.starts_with("bad.yaml:9:"), "{done:?}");
    assert_eq!(findings_of(&folder.read("out.json")).len(), 1);
    let sarif: serde_json::Value = serde_json::from_str(&folder.read("out.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "grep-agent-output");
    let done = folder.run(&["check", "--output", "json=no/such/folder/x.json"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("no/such/folder/x.json: could not be written"), "{done:?}");
}

#[test]
fn fingerprints_are_those_of_the_baseline() {
    let folder = Folder::new(&[("sub/bad.yaml", BAD), (".git/HEAD", "x")]);
    folder.run(&["baseline", "write"]);
    let baseline: serde_json::Value = serde_json::from_str(&folder.read("recipelint-baseline.json")).unwrap();
    let print = |done: &str| -> String {
        let sarif: serde_json::Value = serde_json::from_str(done).unwrap();
        sarif["runs"][0]["results"][0]["partialFingerprints"]["recipelint/v1"].as_str().unwrap().to_owned()
    };
    let sarif = folder.run(&["check", "--format", "sarif"]).out;
    assert_eq!(print(&sarif), baseline["findings"][0]["fingerprint"].as_str().unwrap());
    let below = done(&mut crate::driver::command_in(&folder.path().join("sub"), &["check", "--format", "sarif"]));
    assert_eq!(print(&below.out), print(&sarif), "the working directory does not matter");
    assert!(below.out.contains("\"uri\": \"sub/bad.yaml\""), "paths are those of the repository");
}

#[test]
fn github_writes_the_job_summary() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("summary.md", "before\n")]);
    let mut command = folder.command(&["check", "--format", "github"]);
    let done = done(command.env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md")));
    assert_eq!(done.code, 1);
    assert!(done.out.starts_with("::error file=bad.yaml,line=9,"), "{done:?}");
    let summary = folder.read("summary.md");
    assert!(summary.starts_with("before\n## recipelint: 1 error in 1 file"), "{summary}");
}

#[test]
fn json_has_the_documented_shape() {
    let folder = Folder::new(&[("bad.yaml", BAD)]);
    let value: serde_json::Value = serde_json::from_str(&folder.run(&["check", "--format", "json"]).out).unwrap();
    assert_eq!(value["version"], 1);
    let finding = &value["findings"][0];
    let at = BAD.find("grep").unwrap();
    assert_eq!(finding["start"], serde_json::json!({ "line": 9, "column": 34, "offset": at }));
    for key in ["lint", "level", "message", "path", "start", "end", "related", "help", "url"] {
        assert!(finding.get(key).is_some(), "{key}: {finding}");
    }
    assert_eq!(finding["level"], "error");
    let related = &finding["related"][0];
    assert!(related["message"].is_string() && related["path"] == "bad.yaml" && related["start"]["line"].is_u64());
    assert_eq!(
        value["summary"],
        serde_json::json!({ "files": 1, "findings": 1, "errors": 1, "warnings": 0, "infos": 0 })
    );
}
