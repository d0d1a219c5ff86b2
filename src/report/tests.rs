#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::lints::{Edit, Fix, Safety, Way};
use crate::recipe::Dialect;
use crate::workspace::{fingerprints, lower};

/// A recipe with CRLF line ends, a tab, wide and astral characters before the place.
const RECIPE: &str = "name: späße\r\nsteps:\r\n  - id: gate\r\n    command: |\r\n      echo 漢字🙂;\tgrep -q PASS <<< \"$V\" && deploy\r\n";
const PROMPT: &str = "Say PASS,\nor say why not.";

struct Run {
    index: Index,
    checked: Vec<FileId>,
    findings: Vec<Finding>,
    fingerprints: Vec<String>,
    notes: Vec<Note>,
}

fn place(file: u32, text: &str, needle: &str) -> Place {
    let start = text.find(needle).expect(needle);
    Place { file: FileId(file), span: Span::new(start, start + needle.len()) }
}

fn run() -> Run {
    let file = |id: u32, path: &str, text: &str, dialect| {
        let mut file = lower(Path::new(&format!("/w/{path}")), Source::new(path, text), dialect);
        file.id = FileId(id);
        Arc::new(file)
    };
    let files = vec![
        file(0, "recipes/my gate.yaml", RECIPE, Dialect::Amplihack),
        file(1, "prompts/ask.md", PROMPT, Dialect::Prompt),
        file(2, "recipes/ok.yaml", "name: ok\nsteps:\n  - id: a\n    command: ls\n", Dialect::Amplihack),
    ];
    let index = Index::new(files).with_root("/w");
    let grep = place(0, RECIPE, "grep -q PASS <<< \"$V\"");
    let mut findings = vec![
        Finding::new("internal-error", grep, "`$V` is agent text & its \"wording\" <decides>")
            .help("read a field:\nuse `extract-json` | `extract-field`")
            .on_way(Way::Before, place(1, PROMPT, "Say PASS"), "the agent is asked here")
            .on_way(Way::After, place(0, RECIPE, "deploy"), "this runs when it matches")
            .fix(Fix {
                title: "Use the pipeline".into(),
                safety: Safety::Suggest,
                edits: vec![Edit { place: grep, text: "amplihack orch helper extract-json".into() }],
            }),
        Finding::new("unused-suppression", place(0, RECIPE, "späße"), "100% odd: a, b"),
        Finding::new("unused-configuration", place(1, PROMPT, "or say"), "worth\nknowing"),
    ];
    for (finding, level) in findings.iter_mut().zip([Level::Error, Level::Warning, Level::Info]) {
        finding.level = level;
    }
    let fingerprints = fingerprints(&index, &findings);
    let note = Note { path: "secret".into(), message: "could not be read".into(), failed: true };
    Run { index, checked: vec![FileId(0), FileId(1), FileId(2)], findings, fingerprints, notes: vec![note] }
}

fn written_with(run: &Run, format: Format, style: Style) -> String {
    let report = Report {
        index: &run.index,
        checked: &run.checked,
        findings: &run.findings,
        fingerprints: &run.fingerprints,
        notes: &run.notes,
        style,
    };
    let mut out = Vec::new();
    write(format, &report, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn written(format: Format) -> String {
    written_with(&run(), format, Style::default())
}

#[test]
fn human() {
    insta::assert_snapshot!(written(Format::Human));
}

#[test]
fn human_in_colour() {
    let text = written_with(&run(), Format::Human, Style { color: true, links: false });
    assert!(text.contains("\u{1b}[1;31m"), "errors are red");
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    assert_eq!(plain, written(Format::Human), "colours change nothing else");
}

#[test]
fn formats_for_people_and_logs_keep_the_terminal_safe() {
    let mut run = run();
    let text = "name: \u{1b}[31mred\u{7}\u{9b}\n";
    let mut file = lower(Path::new("/w/x.yaml"), Source::new("x.yaml", text), Dialect::Unknown);
    file.id = FileId(0);
    run.index = Index::new(vec![Arc::new(file)]);
    run.checked.clear();
    let place = Place { file: FileId(0), span: Span::new(6, 10) };
    run.findings = vec![Finding::new("internal-error", place, "odd \u{1b}]0;title\u{7}")];
    for format in [Format::Human, Format::Concise, Format::Github, Format::Markdown] {
        let out = written_with(&run, format, Style::default());
        assert!(!out.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{out}");
    }
}

#[test]
fn a_very_long_line_is_not_printed() {
    let mut run = run();
    let text = format!("name: {}\n", "x".repeat(100_000));
    let mut file = lower(Path::new("/w/x.yaml"), Source::new("x.yaml", text), Dialect::Unknown);
    file.id = FileId(0);
    run.index = Index::new(vec![Arc::new(file)]);
    run.findings = vec![Finding::new("internal-error", Place { file: FileId(0), span: Span::new(6, 9) }, "m")];
    let out = written_with(&run, Format::Human, Style::default());
    assert!(out.len() < 500 && out.contains("x.yaml:1:7"), "{out}");
}

#[test]
fn concise() {
    insta::assert_snapshot!(written(Format::Concise));
}

#[test]
fn json() {
    insta::assert_snapshot!(written(Format::Json));
}

#[test]
fn sarif() {
    let mut value: serde_json::Value = serde_json::from_str(&written(Format::Sarif)).unwrap();
    for rule in value["runs"][0]["tool"]["driver"]["rules"].as_array_mut().unwrap() {
        let page = crate::lints::lint(rule["id"].as_str().unwrap()).unwrap().body();
        assert_eq!(rule["help"]["markdown"], page);
        rule["help"] = "the page".into();
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&value).unwrap());
}

#[test]
fn github() {
    insta::assert_snapshot!(written(Format::Github));
}

#[test]
fn github_shows_the_worst_ten() {
    let mut run = run();
    let of = |level| {
        let mut finding = run.findings[1].clone();
        finding.level = level;
        finding
    };
    run.findings = [vec![of(Level::Info); 4], vec![of(Level::Warning); 9], vec![of(Level::Error); 3]].concat();
    let out = written_with(&run, Format::Github, Style::default());
    let count = |start: &str| out.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!([count("::error"), count("::warning"), count("::notice")], [3, 7, 0]);
    assert!(out.contains("::group::6 more findings") && out.contains("\n::endgroup::\n"), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("recipes/my gate.yaml:1:7: ")).count(), 6);
}

#[test]
fn gitlab() {
    insta::assert_snapshot!(written(Format::Gitlab));
}

#[test]
fn junit() {
    insta::assert_snapshot!(written(Format::Junit));
}

#[test]
fn checkstyle() {
    insta::assert_snapshot!(written(Format::Checkstyle));
}

#[test]
fn rdjson() {
    insta::assert_snapshot!(written(Format::Rdjson));
}

#[test]
fn markdown() {
    insta::assert_snapshot!(written(Format::Markdown));
}

/// The standard's own schema, which the sources of `serde-sarif` carry, where cargo keeps them. A stray
/// bracket in one of its patterns is no regular expression here.
fn official_schema() -> Option<String> {
    let home = std::env::var_os("CARGO_HOME").map(std::path::PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")))?;
    let packages = std::fs::read_dir(home.join("registry/src")).ok()?.flatten();
    let mut packages = packages.flat_map(|registry| std::fs::read_dir(registry.path()).into_iter().flatten().flatten());
    let package = packages.find(|package| package.file_name().to_string_lossy().starts_with("serde-sarif-0.8"))?;
    let text = std::fs::read_to_string(package.path().join("src/schema.json")).ok()?;
    Some(text.replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$"))
}

/// `sarif.schema.json` holds the rules of the standard for the parts that are written and refuses all others.
#[test]
fn sarif_is_valid() {
    let own = include_str!("../../tests/schemas/sarif.schema.json").to_owned();
    validates(&own);
    validates(&official_schema().expect("cargo keeps the sources of serde-sarif 0.8 below its home"));
}

fn validates(schema: &str) {
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let value: serde_json::Value = serde_json::from_str(&written(Format::Sarif)).unwrap();
    let errors: Vec<String> = validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let mut broken = value.clone();
    broken["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!validator.is_valid(&broken), "the schema does look at levels");
}

/// The types of `serde-sarif` are made from the standard's own schema: what they read and write again is all that was
/// written, so nothing has another name, type or place than the standard gives it.
#[test]
fn sarif_is_what_the_standard_knows() {
    let text = written(Format::Sarif);
    let read: serde_sarif::sarif::Sarif = serde_json::from_str(&text).unwrap();
    let again = serde_json::to_value(&read).unwrap();
    assert_eq!(again, serde_json::from_str::<serde_json::Value>(&text).unwrap());
    let unknown = text.replacen("\"ruleIndex\"", "\"ruleIndexes\"", 1);
    let read: Result<serde_sarif::sarif::Sarif, _> = serde_json::from_str(&unknown);
    let kept = read.ok().and_then(|read| serde_json::to_value(&read).ok());
    assert_ne!(kept, serde_json::from_str::<serde_json::Value>(&unknown).ok(), "names are looked at");
}

/// From the source of a text over the finding's place to where it decides.
#[test]
fn sarif_tells_the_way_in_order() {
    let mut run = run();
    let [first, ..] = run.findings.as_mut_slice() else { panic!() };
    first.related.clear();
    *first = std::mem::replace(first, Finding::new("x", first.place, ""))
        .related(place(1, PROMPT, "or say"), "beside")
        .on_way(Way::Before, place(1, PROMPT, "Say PASS"), "source")
        .on_way(Way::After, place(0, RECIPE, "deploy"), "sink");
    let value: serde_json::Value = serde_json::from_str(&written_with(&run, Format::Sarif, Style::default())).unwrap();
    let result = &value["runs"][0]["results"][0];
    let texts = |list: &serde_json::Value, path: &str| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| one.pointer(path).unwrap().as_str().unwrap().to_owned()).collect()
    };
    let way = texts(&result["codeFlows"][0]["threadFlows"][0]["locations"], "/location/message/text");
    assert_eq!(way, ["source", &run.findings[0].message, "sink"]);
    assert_eq!(texts(&result["relatedLocations"], "/message/text"), ["beside", "source", "sink"]);
    assert_eq!(value["runs"][0]["results"][1].get("codeFlows"), None);
}

/// Code quality and annotations are shown in the repository, whatever folder the run started in.
#[test]
fn places_in_the_repository_are_relative_to_its_root() {
    let file = |path: &str| {
        let mut file = lower(Path::new("/w/a/b.yaml"), Source::new(path, RECIPE), Dialect::Amplihack);
        file.id = FileId(0);
        Arc::new(file)
    };
    let mut run = run();
    run.findings.truncate(1);
    run.findings[0].related.clear();
    run.checked = vec![FileId(0)];
    run.index = Index::new(vec![file("b.yaml")]).with_root("/w");
    for format in [Format::Gitlab, Format::Github, Format::Sarif] {
        assert!(written_with(&run, format, Style::default()).contains("a/b.yaml"), "{format:?}");
    }
    assert!(!written_with(&run, Format::Rdjson, Style::default()).contains("a/b.yaml"));
}

/// Edits that belong together are one suggestion; a part of a fix is none.
#[test]
fn a_suggestion_is_a_whole_fix() {
    let mut run = run();
    let edit = |needle: &str, text: &str| Edit { place: place(0, RECIPE, needle), text: text.to_owned() };
    let fix = |edits| Some(Fix { title: "t".into(), safety: Safety::Suggest, edits });
    run.findings[0].fix = fix(vec![edit("deploy", "release"), edit("PASS", "OK")]);
    let suggestions = |run: &Run| {
        let text = written_with(run, Format::Rdjson, Style::default());
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["diagnostics"][0]["suggestions"].clone()
    };
    let found = suggestions(&run);
    assert_eq!(found[0]["text"], "OK <<< \"$V\" && release");
    assert_eq!(found[1], serde_json::Value::Null);
    run.findings[0].fix = fix(vec![edit("PASS", "OK"), Edit { place: place(1, PROMPT, "PASS"), text: "OK".into() }]);
    assert_eq!(suggestions(&run), serde_json::Value::Null);
}

#[test]
fn every_format_says_nothing_of_nothing() {
    let mut run = run();
    run.findings.clear();
    for format in <Format as clap::ValueEnum>::value_variants() {
        let out = written_with(&run, *format, Style::default());
        assert!(!out.contains("internal-error"), "{out}");
        match format {
            Format::Concise => assert_eq!(out, ""),
            Format::Gitlab => assert_eq!(out, "[]\n"),
            _ => assert!(!out.is_empty()),
        }
    }
}
