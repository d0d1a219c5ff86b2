//! Input that breaks other tools: one clear finding or error each, the others still checked, never a panic or a hang.

use std::fmt::Write;

use crate::common::{BAD, Folder};

/// Checks one bad file beside a good one; returns the findings of the bad one.
fn beside(name: &str, bytes: impl AsRef<[u8]>) -> Vec<(String, u64)> {
    let folder = Folder::new(&[("zz.yaml", BAD)]);
    folder.write(name, bytes);
    let done = folder.run(&["check", "--format", "json"]);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(!done.err.contains("panicked"), "{done:?}");
    let found = crate::driver::findings_of(&done.out);
    assert!(found.contains(&("grep-agent-output".into(), "zz.yaml".into(), 9)), "the others are checked: {found:?}");
    let alone = crate::driver::findings_of(&folder.run(&["check", "--format", "json", name]).out);
    let of = |found: Vec<(String, String, u64)>| -> Vec<(String, u64)> {
        found.into_iter().filter(|(_, path, _)| path == name).map(|(lint, _, line)| (lint, line)).collect()
    };
    let found = of(found);
    assert_eq!(found, of(alone), "named or met, it is the same");
    found
}

fn recipe(command: &str) -> String {
    format!("name: n\nsteps:\n  - id: a\n    command: |\n      {command}\n")
}

fn invalid(line: u64) -> Vec<(String, u64)> {
    vec![("invalid-yaml".to_owned(), line)]
}

#[test]
fn not_utf8() {
    assert_eq!(beside("a.yaml", b"name: n\nsteps:\n  - id: a\n    command: echo \xe9t\xe9\n"), invalid(4));
}

#[test]
fn not_yaml() {
    assert_eq!(beside("a.yaml", "name: n\ntags: [x\nsteps:\n  - id: a\n    command: ls\n").len(), 1);
    assert_eq!(beside("a.yaml", "name: n\nsteps:\n  - id: b\n    command: ls\n  - id: a\n\tcommand: ls\n").len(), 1);
}

#[test]
fn too_large() {
    let line = "      echo one more line of a script that nobody should read\n";
    let text = format!("{}{}", recipe("ls"), line.repeat(20_000_000 / line.len()));
    assert_eq!(beside("a.yaml", text), invalid(1));
}

#[test]
fn over_the_limit_of_the_engine() {
    let line = "# a comment of some length that only makes the file larger\n";
    let text = format!("{}{}", recipe("ls"), line.repeat(1_000_001 / line.len() + 1));
    assert_eq!(beside("a.yaml", text).len(), 1);
}

#[test]
fn nested_ten_thousand_deep() {
    let brackets = format!("{}context:\n  x: {}{}\n", recipe("ls"), "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(beside("a.yaml", brackets).len(), 1);
    let substitutions = recipe(&format!("echo {}{}", "$(".repeat(10_000), ")".repeat(10_000)));
    assert_eq!(beside("a.yaml", substitutions).len(), 1);
    let parentheses = format!("{}    condition: \"{}a{}\"\n", recipe("ls"), "(".repeat(4_000), ")".repeat(4_000));
    assert_eq!(beside("a.yaml", parentheses).len(), 1);
}

#[test]
fn an_alias_bomb() {
    let mut text = recipe("ls") + "context:\n  a: &a [x, x, x, x, x, x, x, x, x, x]\n";
    for (name, of) in ["b", "c", "d", "e", "f", "g", "h", "i"].iter().zip(["a", "b", "c", "d", "e", "f", "g", "h"]) {
        let all = vec![format!("*{of}"); 10].join(", ");
        writeln!(text, "  {name}: &{name} [{all}]").unwrap();
    }
    assert_eq!(beside("a.yaml", text).len(), 1);
}

#[test]
fn a_quote_that_is_never_closed() {
    let found = beside("a.yaml", recipe("echo \"never closed\n      ls"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "invalid-shell");
}

#[test]
fn a_long_script() {
    let script = "echo \"$HOME\" | sort > /dev/null\n      ".repeat(25_000);
    assert!(beside("a.yaml", recipe(&script)).len() <= 1);
}

#[test]
fn empty() {
    let folder = Folder::new(&[]);
    for text in ["", "\n", "# only a comment\n", "\u{feff}", "---\n"] {
        folder.write("a.yaml", text);
        let done = folder.run(&["check", "--format", "concise", "a.yaml"]);
        assert!(done.out.lines().count() <= 1 && done.code < 2, "{text:?}: {done:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&[("bad.yaml", BAD), ("secret/x.yaml", BAD)]);
    let secret = folder.path().join("secret");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    let readable = std::fs::read_dir(&secret).is_ok();
    let done = folder.run(&["check", "--format", "concise"]);
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o755)).unwrap();
    if readable {
        return; // The superuser reads everything.
    }
    assert_eq!(done.code, 2);
    assert!(done.out.contains("bad.yaml:9:"), "{done:?}");
    assert!(done.err.contains("secret: could not be read: permission denied"), "{done:?}");
}

#[test]
fn functions_that_call_each_other_twice() {
    let mut script: Vec<String> =
        (0..40).map(|at| format!("f{at}() {{ f{} \"$1\"; f{} x; }}", at + 1, at + 1)).collect();
    script.push("f40() { ls; }".to_owned());
    script.push("g() { g \"$1\"; g x; g y; }".to_owned());
    script.push("if ls; then f0 \"$REVIEW\"; g \"$REVIEW\"; fi".to_owned());
    assert_eq!(beside("deep.yaml", recipe(&script.join("\n      "))), []);
}

#[test]
fn a_text_that_doubles() {
    let mut script = vec!["x=ab".to_owned()];
    script.extend((0..60).map(|_| "x=\"$x$x\"".to_owned()));
    script.push("if [ \"$REVIEW\" = \"$x\" ]; then ./go; fi".to_owned());
    assert_eq!(beside("double.yaml", recipe(&script.join("\n      "))), []);
}

#[test]
fn more_than_can_be_followed() {
    let mut script = vec!["f() { ls; ls; ls; ls; ls; ls; ls; ls; ls; ls; }".to_owned()];
    script.extend((0..3_000).map(|_| "f".to_owned()));
    assert_eq!(beside("many.yaml", recipe(&script.join("\n      "))), [("internal-error".to_owned(), 5)]);
}
