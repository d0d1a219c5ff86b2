#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;
use crate::recipe::Dialect;
use crate::recipe::dialects;

fn file(text: &str, dialect: Dialect) -> File {
    let source = Source::new("x", text);
    let lowered = dialects::lower(dialect, &source);
    File {
        id: FileId(0),
        source,
        location: None,
        dialect,
        tree: lowered.yaml.map(Into::into),
        recipe: lowered.recipe,
        errors: lowered.errors,
    }
}

/// A finding of an existing lint at the word BAD; with `scope`, its command goes from there to the word END.
fn finding(text: &str) -> Finding {
    let start = text.find("BAD").expect("BAD");
    let place = Place { file: FileId(0), span: Span::new(start, start + 3) };
    let mut finding = Finding::new("internal-error", place, "m");
    if let Some(end) = text.find("END") {
        finding.scope = Span::new(start, end + 3);
    }
    finding
}

#[track_caller]
fn covered(dialect: Dialect, text: &str, wanted: bool) {
    let file = file(text, dialect);
    assert_eq!(Suppressions::of(&file).covering(&finding(text)).is_some(), wanted, "{text}");
}

/// A recipe with a script.
fn recipe(script: &str) -> String {
    let lines: Vec<String> = script.lines().map(|line| format!("      {line}")).collect();
    format!("name: n\nsteps:\n  - id: a\n    command: |\n{}\n", lines.join("\n"))
}

#[test]
fn in_scripts() {
    for (script, wanted) in [
        ("BAD # recipelint: ignore[internal-error]", true),
        ("# recipelint: ignore[internal-error] why\nBAD", true),
        ("# recipelint: ignore[internal-error]\n\n# another comment\nBAD", true),
        ("# recipelint: ignore[other, internal-error]\nBAD", true),
        ("BAD \\\n  --flag END # recipelint: ignore[internal-error]", true),
        ("BAD one \\\n  two END\n", false),
        ("# recipelint: ignore[internal-error]\nV=\"$(\n  ls |\n  BAD\n)\"", true),
        ("V=\"$(\n  BAD |\n  ls\n)\" # recipelint: ignore[internal-error]", true),
        ("# recipelint: ignore[internal-error]\nls &&\n  BAD", true),
        ("# recipelint: ignore[internal-error]\nif BAD; then ls; fi", true),
        ("# recipelint: ignore[internal-error]\nif ls; then\n  BAD\nfi", false),
        ("if ls; then\n  BAD\nfi # recipelint: ignore[internal-error]", false),
        ("# recipelint: ignore[internal-error]\nf() {\n  BAD\n}", false),
        ("ls | while read -r x; do\n  # recipelint: ignore[internal-error]\n  BAD\ndone", true),
        ("# recipelint: ignore[internal-error]\nls\nBAD", false),
        ("BAD\n# recipelint: ignore[internal-error]", false),
        ("ls # recipelint: ignore[internal-error]\nBAD", false),
        ("# recipelint: ignore[unused-suppression]\nBAD", false),
        ("echo '# recipelint: ignore[internal-error]'; BAD", false),
        ("# recipelint: ignore-file[internal-error]\nls\nBAD", true),
        ("# recipelint: ignore\nBAD", false),
    ] {
        covered(Dialect::Amplihack, &recipe(script), wanted);
    }
}

#[test]
fn in_yaml() {
    let step = |comment_above: &str, behind_id: &str, above_key: &str, behind_key: &str| {
        format!(
            "name: n\n# c\nsteps:\n  - id: z\n    command: ls\n{comment_above}  - id: a{behind_id}\n{above_key}    command: |{behind_key}\n      ls\n      BAD\n"
        )
    };
    let comment = "# recipelint: ignore[internal-error]";
    covered(Dialect::Amplihack, &step("", "", "", ""), false);
    covered(Dialect::Amplihack, &step(&format!("  {comment}\n"), "", "", ""), true);
    covered(Dialect::Amplihack, &step(&format!("  {comment}\n\n  # more\n"), "", "", ""), true);
    covered(Dialect::Amplihack, &step("", &format!(" {comment}"), "", ""), false);
    covered(Dialect::Amplihack, &step("", "", &format!("    {comment}\n"), ""), true);
    covered(Dialect::Amplihack, &step("", "", "", &format!(" {comment}")), true);
    let text = step("", "", "", "");
    covered(Dialect::Amplihack, &text.replace("# c", comment), false);
    covered(Dialect::Amplihack, &text.replace("name: n", &format!("name: n {comment}")), false);
    covered(Dialect::Amplihack, &text.replace("# c", "# recipelint: ignore-file[internal-error]"), true);
    let late = format!("{}# recipelint: ignore-file[internal-error]\n{text}", "# line\n".repeat(FILE_LINES));
    covered(Dialect::Amplihack, &late, false);
    covered(Dialect::Amplihack, &text.replace('\n', "\r\n").replace("# c", comment), false);
    covered(Dialect::Amplihack, &step(&format!("  {comment}\n"), "", "", "").replace('\n', "\r\n"), true);
}

#[test]
fn in_programs() {
    for (text, wanted) in [
        ("run(BAD); // recipelint: ignore[internal-error]", true),
        ("// recipelint: ignore[internal-error] why\nrun(BAD);", true),
        ("/* recipelint: ignore[internal-error] */\nrun(BAD);", true),
        ("/* recipelint: ignore[internal-error] */ run(BAD);", true),
        ("BAD(\n  a, // recipelint: ignore[internal-error]\n  END)", true),
        ("// recipelint: ignore[internal-error]\nother();\nrun(BAD);", false),
        ("run(BAD);", false),
    ] {
        covered(Dialect::Program, text, wanted);
    }
}

#[test]
fn in_markdown() {
    for (text, wanted) in [
        ("<!-- recipelint: ignore[internal-error] why -->\nsay BAD\n", true),
        ("say BAD <!-- recipelint: ignore[internal-error] -->\n", true),
        ("<!-- recipelint: ignore-file[internal-error] -->\n\ntext\nsay BAD\n", true),
        ("# recipelint: ignore[internal-error]\nsay BAD\n", false),
        ("say BAD\n\n<!-- recipelint: ignore[internal-error] -->\n", false),
    ] {
        covered(Dialect::Prompt, text, wanted);
    }
    covered(Dialect::AgentUse, "---\nmodel: m\n---\n<!-- recipelint: ignore[internal-error] -->\nsay BAD\n", true);
}

fn idle(text: &str, used: &[&'static str], settings: &Settings) -> Vec<(String, String)> {
    let file = file(text, Dialect::Amplihack);
    let offset = text.find('#').unwrap();
    let used = used.iter().map(|lint| Used { file: FileId(0), offset, lint }).collect();
    unused(&file, settings, &used, &[])
        .into_iter()
        .map(|finding| (file.source.slice(finding.place.span).to_owned(), finding.message))
        .collect()
}

#[test]
fn idle_ones() {
    let settings = Settings::default();
    let text = recipe("# recipelint: ignore[internal-error, unused-configuration] why\nls");
    assert!(idle(&text, &["internal-error", "unused-configuration"], &settings).is_empty());
    let found = idle(&text, &["internal-error"], &settings);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "unused-configuration");
    assert_eq!(idle(&text, &[], &settings).len(), 2);

    let off = Settings { levels: [("internal-error".to_owned(), Level::Off)].into(), ..Settings::default() };
    assert_eq!(idle(&text, &[], &off).len(), 1, "nobody knows what a lint that is off would have said");

    let unknown = idle(&recipe("# recipelint: ignore[internal-eror]\nls"), &[], &settings);
    assert!(unknown[0].1.contains("is no lint"), "{unknown:?}");

    let bare = idle(&recipe("# recipelint: ignore\nls"), &[], &settings);
    assert!(bare[0].1.contains("names no lint"), "{bare:?}");

    let itself = recipe("# recipelint: ignore[internal-error, unused-suppression] why\nls");
    assert!(idle(&itself, &[], &settings).is_empty());

    let reasons = Settings { require_reasons: true, ..Settings::default() };
    let text = recipe("# recipelint: ignore[internal-error]\nls");
    assert!(idle(&text, &["internal-error"], &reasons)[0].1.contains("gives no reason"));
    assert!(idle(&text.replace("error]", "error] old"), &["internal-error"], &reasons).is_empty());
}

#[test]
fn removals() {
    for (script, rest) in [
        ("# recipelint: ignore[internal-error] why\nls", "ls"),
        ("ls # recipelint: ignore[internal-error] why", "ls"),
        ("ls\n# recipelint: ignore[internal-error]\npwd", "ls\npwd"),
    ] {
        let text = recipe(script);
        let file = file(&text, Dialect::Amplihack);
        let findings = unused(&file, &Settings::default(), &BTreeSet::new(), &[]);
        let edit = &findings[0].fix.as_ref().unwrap().edits[0];
        let mut mended = text.clone();
        mended.replace_range(edit.place.span.range(), &edit.text);
        assert_eq!(mended, recipe(rest));
    }
    let text = recipe("# recipelint: ignore[internal-error, unused-configuration] why\nls");
    let file = file(&text, Dialect::Amplihack);
    let offset = text.find('#').unwrap();
    let used = [Used { file: FileId(0), offset, lint: "internal-error" }].into();
    let findings = unused(&file, &Settings::default(), &used, &[]);
    let edit = &findings[0].fix.as_ref().unwrap().edits[0];
    let mut mended = text.clone();
    mended.replace_range(edit.place.span.range(), &edit.text);
    assert!(mended.contains("ignore[internal-error] why"), "{mended}");
}
