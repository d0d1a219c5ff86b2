//! `check`: exit codes, levels, streams.

use std::fmt::Write;
use std::io::Read;
use std::process::Stdio;

use crate::common::{BAD, Folder, GOOD};
use crate::driver::findings_of;

fn bad() -> (String, String, u64) {
    ("grep-agent-output".to_owned(), "bad.yaml".to_owned(), 9)
}

#[test]
fn exit_codes() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("good.yaml", GOOD)]);
    for (arguments, code) in [
        (&["check", "good.yaml"][..], 0),
        (&["check", "bad.yaml"], 1),
        (&["check"], 1),
        (&["check", "--exit-zero"], 0),
        (&["check", "--fail-on", "error"], 1),
        (&["check", "--fail-on", "info"], 1),
        (&["check", "gone.yaml"], 2),
        (&["check", "gone.yaml", "--exit-zero"], 2),
        (&["check", "--no-such-flag"], 2),
        (&["check", "--fail-on", "panic"], 2),
        (&["check", "--format", "prose"], 2),
        (&["check", "--output", "sarif"], 2),
        (&["check", "--output", "prose=x"], 2),
        (&["check", "--config", "gone.yaml"], 2),
        (&["check", "-"], 2),
        (&["check", "--stdin-filename", "x.yaml"], 2),
        (&["nothing"], 2),
        (&[], 2),
        (&["--version"], 0),
        (&["--help"], 0),
    ] {
        let done = folder.run(arguments);
        assert_eq!(done.code, code, "{arguments:?}: {done:?}");
    }
}

#[test]
fn the_format_never_changes_the_exit_code() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("good.yaml", GOOD)]);
    for format in ["human", "concise", "json", "sarif", "github", "gitlab", "junit", "checkstyle", "rdjson", "markdown"]
    {
        assert_eq!(folder.run(&["check", "--format", format]).code, 1, "{format}");
        assert_eq!(folder.run(&["check", "--format", format, "good.yaml"]).code, 0, "{format}");
    }
}

#[test]
fn levels_decide() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("recipelint.yaml", "levels: {grep-agent-output: info}\n")]);
    assert_eq!(folder.run(&["check"]).code, 0);
    assert_eq!(folder.run(&["check", "--fail-on", "info"]).code, 1);
    folder.write("recipelint.yaml", "levels: {grep-agent-output: warning}\n");
    assert_eq!(folder.run(&["check"]).code, 1);
    assert_eq!(folder.run(&["check", "--fail-on", "error"]).code, 0);
    folder.write("recipelint.yaml", "levels: {grep-agent-output: off}\n");
    assert_eq!(folder.findings(&[]), []);
    assert_eq!(folder.findings(&["--no-config"]), [bad()]);
}

#[test]
fn a_recipe_from_standard_input() {
    let folder = Folder::new(&[("recipelint.yaml", "levels: {grep-agent-output: info}\n")]);
    let arguments = ["check", "--format", "json", "--stdin-filename", "bad.yaml", "-"];
    let done = folder.run_with_input(&arguments, BAD.as_bytes());
    assert_eq!(findings_of(&done.out), [bad()]);
    assert_eq!(done.code, 0, "the configuration of that path holds: {done:?}");
    assert!(!folder.path().join("bad.yaml").exists());

    let done = folder.run_with_input(&arguments, b"name: \xff");
    assert_eq!(done.code, 2);
    assert!(done.err.contains("not UTF-8, from offset 6 on"), "{done:?}");

    let done = folder.run_with_input(&arguments, &vec![b'#'; 10_000_001]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("over 10000000 bytes"), "{done:?}");
}

#[test]
fn standard_input_stands_for_the_file_on_disk() {
    let folder = Folder::new(&[("bad.yaml", GOOD)]);
    let arguments = ["check", "--format", "json", "--stdin-filename", "bad.yaml", "-"];
    assert_eq!(findings_of(&folder.run_with_input(&arguments, BAD.as_bytes()).out), [bad()]);
}

#[test]
fn quiet_and_verbose() {
    let folder = Folder::new(&[("good.yaml", GOOD), ("notes.png", "x")]);
    let done = folder.run(&["check", "good.yaml", "notes.png"]);
    assert!(done.err.contains("notes.png: is nothing that recipelint knows"), "{done:?}");
    let done = folder.run(&["check", "--quiet", "good.yaml", "notes.png"]);
    assert_eq!(done.err, "");
    let done = folder.run(&["check", "--quiet", "gone.yaml"]);
    assert!(done.err.contains("gone.yaml: there is no such file"), "what failed is always said: {done:?}");
    let done = folder.run(&["check", "--verbose", "good.yaml"]);
    assert!(done.err.contains("good.yaml: read as an amplihack recipe"), "{done:?}");
    assert!(done.err.contains("1 files checked"), "{done:?}");
}

#[test]
fn colours() {
    let folder = Folder::new(&[("bad.yaml", BAD)]);
    assert!(!folder.run(&["check"]).out.contains('\u{1b}'), "no terminal");
    assert!(folder.run(&["check", "--color", "always"]).out.contains('\u{1b}'));
    let forced = crate::driver::done(folder.command(&["check"]).env("CLICOLOR_FORCE", "1"));
    assert!(forced.out.contains('\u{1b}'));
    let none = crate::driver::done(folder.command(&["check"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
    assert!(!none.out.contains('\u{1b}'));
}

#[test]
fn statistics_count() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("worse.yaml", BAD)]);
    let done = folder.run(&["check", "--format", "concise", "--statistics"]);
    assert!(done.out.ends_with("     2  grep-agent-output\n"), "{done:?}");
    let done = folder.run(&["check", "--format", "json", "--statistics"]);
    assert_eq!(findings_of(&done.out).len(), 2, "JSON stays JSON");
    assert!(done.err.contains("2  grep-agent-output"));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let files: Vec<(String, String)> =
        (0..40).map(|at| (format!("r{at}/x.yaml"), BAD.replace("APPROVED", &format!("APPROVED{at}")))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let folder = Folder::new(&files);
    let with = |threads: &str| {
        let done =
            crate::driver::done(folder.command(&["check", "--format", "json"]).env("RAYON_NUM_THREADS", threads));
        assert_eq!(findings_of(&done.out).len(), 40);
        done.out
    };
    let one = with("1");
    for threads in ["2", "7"] {
        assert_eq!(with(threads), one);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut long = String::new();
    for at in 0..3_000 {
        write!(long, "  - id: s{at}\n    command: |\n      [[ \"$REVIEW\" =~ a{at} ]] && ./go\n").unwrap();
    }
    let folder = Folder::new(&[("bad.yaml", &(BAD.to_owned() + &long))]);
    let mut child = folder
        .command(&["check", "--format", "concise"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{err}");
    assert_eq!(err, "");
}

#[test]
fn only_what_changed() {
    let folder = Folder::new(&[("bad.yaml", BAD), ("worse.yaml", BAD)]);
    folder.git(&["init", "-q"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "-q", "-m", "x"]);
    assert_eq!(folder.findings(&["--changed-since", "HEAD"]), []);
    folder.write("bad.yaml", BAD.replace("name: gate", "name: other"));
    assert_eq!(folder.findings(&["--changed-since", "HEAD"]), [bad()]);
    assert_eq!(folder.findings(&[]).len(), 2);
    folder.git(&["commit", "-q", "-a", "-m", "y"]);
    assert_eq!(folder.findings(&["--changed-since", "HEAD~1"]), [bad()]);
    folder.write("bad.yaml", GOOD);
    folder.write("new.yaml", BAD);
    let new = ("grep-agent-output".to_owned(), "new.yaml".to_owned(), 9);
    assert_eq!(folder.findings(&["--changed-since", "HEAD"]), [new]);
    for revision in ["no-such-revision", "--output=x", ""] {
        let done = folder.run(&["check", &format!("--changed-since={revision}")]);
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.err.contains("--changed-since"), "{done:?}");
    }
    assert!(!folder.path().join("x").exists());
    let outside = Folder::new(&[("bad.yaml", BAD)]);
    let done = outside.run(&["check", "--changed-since", "HEAD"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("no git repository"), "{done:?}");
}

#[test]
fn watching_checks_again() {
    let folder = Folder::new(&[("x.yaml", GOOD)]);
    let mut child = folder
        .command(&["check", "--watch", "--format", "concise", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut err = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut err, &mut line).unwrap();
    assert!(line.contains("watching"), "{line}");
    folder.write("x.yaml", BAD);
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut found = String::new();
    std::io::BufRead::read_line(&mut out, &mut found).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(found.starts_with("x.yaml:9:"), "{found}");
}

#[test]
fn a_prompt_named_alone_is_checked_for_the_programs_that_use_it() {
    let program = "import { run, claudeCode } from \"@ai-hero/sandcastle\";\n\
                   await run({ agent: claudeCode(\"m\"), promptFile: \"brief.md\", promptArgs: { POND: \"north\" } });\n";
    let brief = "Count the frogs of {{POND}} for {{WARDEN}}.\n";
    let folder = Folder::new(&[("main.mts", program), ("brief.md", brief), (".git/HEAD", "")]);
    let found = findings_of(&folder.run(&["check", "brief.md", "--format", "json"]).out);
    assert_eq!(found, [("unfilled-placeholder".to_owned(), "brief.md".to_owned(), 1)]);
}
