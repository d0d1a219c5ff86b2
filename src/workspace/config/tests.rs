#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::lints::Level;
use crate::recipe::FileId;
use crate::workspace::Disk;

/// A folder with files; paths ending in `/` are folders.
fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(if text.is_empty() { path.as_path() } else { path.parent().unwrap() }).unwrap();
        if !text.is_empty() {
            fs::write(path, text).unwrap();
        }
    }
    (folder, root)
}

fn resolve(root: &Path, file: &str) -> Result<Option<std::sync::Arc<Chain>>, Box<ConfigError>> {
    Resolver::new(Choice::Nearest).resolve(&Disk::default(), &root.join(file))
}

fn level(root: &Path, file: &str, lint: &str) -> Option<Level> {
    let chain = resolve(root, file).unwrap()?;
    chain.settings(&root.join(file)).levels.get(lint).copied()
}

fn error(root: &Path, file: &str) -> (String, usize, usize, String) {
    let error = *resolve(root, file).unwrap_err();
    let (source, span) = error.place.expect("a place");
    let at = source.position(span.start, crate::text::Unit::Utf32);
    let path = error.path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
    (path, at.line + 1, at.column + 1, error.message)
}

#[test]
fn nearest_up_to_the_repository() {
    let (_keep, root) = folder(&[
        ("recipelint.yaml", "levels: {quoted-template: off}\n"),
        ("repo/.git/", ""),
        ("repo/a.yaml", "x: 1\n"),
        ("repo/sub/.recipelint.yaml", "levels: {quoted-template: error}\n"),
        ("repo/sub/deep/b.yaml", "x: 1\n"),
        ("module/.git", "gitdir: elsewhere\n"),
        ("module/c.yaml", "x: 1\n"),
        ("plain/d.yaml", "x: 1\n"),
    ]);
    assert_eq!(level(&root, "repo/a.yaml", "quoted-template"), None, "a repository ends the search");
    assert_eq!(level(&root, "repo/sub/deep/b.yaml", "quoted-template"), Some(Level::Error));
    assert_eq!(level(&root, "module/c.yaml", "quoted-template"), None, "so does a .git file");
    assert_eq!(level(&root, "plain/d.yaml", "quoted-template"), Some(Level::Off));
}

#[test]
fn extends_and_overrides() {
    let (_keep, root) = folder(&[
        (
            "base.yaml",
            "levels: {quoted-template: off, unused-output: warning}\nagent-outputs: [a]\nexclude: ['*.lock.yml']\n",
        ),
        (
            "recipelint.yaml",
            "extends: base.yaml\nlevels: {unused-output: error}\nagent-outputs: [b]\noverrides:\n  - files: [tests/, 'odd/*.yaml']\n    levels: {unused-output: off}\n",
        ),
    ]);
    assert_eq!(level(&root, "x.yaml", "quoted-template"), Some(Level::Off));
    assert_eq!(level(&root, "x.yaml", "unused-output"), Some(Level::Error));
    assert_eq!(level(&root, "tests/deep/x.yaml", "unused-output"), Some(Level::Off));
    assert_eq!(level(&root, "odd/x.yaml", "unused-output"), Some(Level::Off));
    assert_eq!(level(&root, "odd/deep/x.yaml", "unused-output"), Some(Level::Error), "* does not cross folders");
    let chain = resolve(&root, "x.yaml").unwrap().unwrap();
    assert_eq!(chain.settings(&root.join("x.yaml")).flow.agent_outputs, ["a", "b"]);
    assert!(chain.admits(&root.join("w/x.yml")));
    assert!(!chain.admits(&root.join("w/x.lock.yml")), "a glob without a slash holds in every folder");
}

#[test]
fn include_and_exclude() {
    let (_keep, root) = folder(&[("recipelint.yaml", "include: [recipes/]\nexclude: [recipes/old/**]\n")]);
    let chain = resolve(&root, "x.yaml").unwrap().unwrap();
    for (path, wanted) in
        [("recipes/a.yaml", true), ("recipes/new/a.yaml", true), ("recipes/old/a.yaml", false), ("a.yaml", false)]
    {
        assert_eq!(chain.admits(&root.join(path)), wanted, "{path}");
    }
}

#[test]
fn values_reach_the_settings() {
    let (_keep, root) = folder(&[(
        "recipelint.yaml",
        "require-reasons: true\nengine-version: '0.3.6'\nsearch-paths: [../shared]\ntrusted-outputs: [t]\ndocumentation-keys: [owner]\n\
         helpers:\n  - command: my-tool read-json\n    stage: extract-json\n  - command: [my-tool, norm]\n    stage: normalise\n    vocabulary: review\n\
         vocabularies:\n  - name: review\n    fields: [verdict]\n    tokens:\n      - {token: YES, synonyms: [OK], passes: true}\n      - {token: NO}\n    default: NO\n",
    )]);
    let chain = resolve(&root, "x.yaml").unwrap().unwrap();
    let settings = chain.settings(&root.join("x.yaml"));
    assert!(settings.require_reasons);
    assert_eq!(settings.engine_version.as_deref(), Some("0.3.6"));
    assert_eq!(settings.search_paths, [root.parent().unwrap().join("shared")]);
    assert_eq!(settings.flow.trusted_outputs, ["t"]);
    assert_eq!(settings.documentation_keys, ["owner"]);
    assert_eq!(settings.flow.helpers[0].command, ["my-tool", "read-json"]);
    assert_eq!(settings.flow.helpers[1].stage, crate::flow::Stage::Normalise("review".into()));
    let vocabulary = &settings.vocabularies[0];
    assert_eq!(vocabulary.tokens[0], ("YES".to_owned(), vec!["OK".to_owned()], true));
    assert_eq!(vocabulary.default, "NO");
}

#[test]
fn broken_configurations_have_a_place() {
    for (text, line, column, says) in [
        ("levels:\n  quoted-template: loud\n", 2, 20, "unknown variant `loud`"),
        ("exclude: x\n", 1, 10, "expected a sequence"),
        ("levels: [\n", 1, 9, "not YAML"),
        ("- a\n", 1, 1, "a configuration is a mapping"),
        ("a: 1\nextends: gone.yaml\n", 2, 10, "there is no file"),
        ("a: 1\nextends: [recipelint.yaml]\n", 2, 11, "leads back"),
        ("exclude: ['a[']\n", 1, 11, "is not a glob"),
        ("require-reasons: maybe\n", 1, 18, "expected a boolean"),
    ] {
        let (_keep, root) = folder(&[("recipelint.yaml", text)]);
        let (path, at_line, at_column, message) = error(&root, "x.yaml");
        assert_eq!((path.as_str(), at_line), ("recipelint.yaml", line), "{text}: {message}");
        assert!(message.contains(says), "{text}: {message}");
        assert!(at_column <= column, "{text}: column {at_column}, {message}");
        assert!(!message.contains("at line"), "one place only: {message}");
    }
}

#[test]
fn a_cycle_over_files_is_an_error_and_a_diamond_is_none() {
    let (_keep, root) = folder(&[
        ("recipelint.yaml", "extends: a.yaml\n"),
        ("a.yaml", "extends: b.yaml\n"),
        ("b.yaml", "levels: {}\nextends:\n  - a.yaml\n"),
    ]);
    let (path, line, column, message) = error(&root, "x.yaml");
    assert_eq!((path.as_str(), line, column), ("b.yaml", 3, 5), "{message}");
    let (_keep, root) = folder(&[
        ("recipelint.yaml", "extends: [a.yaml, b.yaml]\n"),
        ("a.yaml", "extends: c.yaml\n"),
        ("b.yaml", "extends: c.yaml\n"),
        ("c.yaml", "agent-outputs: [once]\n"),
    ]);
    let chain = resolve(&root, "x.yaml").unwrap().unwrap();
    assert_eq!(chain.settings(&root.join("x.yaml")).flow.agent_outputs, ["once"]);
}

#[test]
fn not_utf8_is_an_error() {
    let (_keep, root) = folder(&[]);
    fs::write(root.join("recipelint.yaml"), b"levels: {}\n# \xff\n").unwrap();
    let (_, line, column, message) = error(&root, "x.yaml");
    assert_eq!((line, column), (2, 3), "{message}");
}

#[test]
fn what_does_nothing_is_found() {
    let (_keep, root) = folder(&[
        (
            "recipelint.yaml",
            "levls: {}\nlevels:\n  quoted-templates: off\n  unused-suppression: off\nexclude: [gone/**, '*.yaml']\nsearch-paths: [nowhere]\n\
             overrides:\n  - files: ['*.yaml']\n    level: {}\n    levels: {}\n\
             helpers:\n  - {command: x y, stage: normalise}\n  - {command: x z, stage: extract-json, vocabulary: v}\n\
             vocabularies:\n  - {name: v, tokens: [{token: A, passes: true}], default: A}\n  - {name: w, tokens: [{token: A}], default: B}\n",
        ),
        (".recipelint.yaml", "levels: {}\n"),
        ("a.yaml", "x: 1\n"),
    ]);
    let chain = resolve(&root, "a.yaml").unwrap().unwrap();
    chain.meet(&root.join("a.yaml"));
    let review = |whole| {
        let mut found: Vec<String> = review(&Disk::default(), &chain, 0, FileId(0), whole)
            .into_iter()
            .map(|finding| {
                let text = &chain.layers[0].source;
                format!(
                    "{}: {} ({})",
                    text.slice(finding.place.span),
                    finding.message,
                    finding.help.unwrap_or_default()
                )
            })
            .collect();
        found.sort();
        found
    };
    insta::assert_snapshot!(review(true).join("\n"));
    assert!(!review(false).iter().any(|line| line.starts_with("gone")), "only a whole run knows what matches nothing");
}

#[test]
fn an_empty_configuration_says_nothing() {
    for text in ["\u{feff}", "# nothing yet\n", "levels: {}\n"] {
        let (_keep, root) = folder(&[("recipelint.yaml", text)]);
        let chain = resolve(&root, "x.yaml").unwrap().unwrap();
        assert_eq!(chain.settings(&root.join("x.yaml")), crate::lints::Settings::default());
        assert!(review(&Disk::default(), &chain, 0, FileId(0), true).is_empty());
    }
}

#[test]
fn the_shipped_schema_is_current() {
    let shipped = include_str!("../../../recipelint.schema.json");
    let current = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    assert!(shipped == current, "write it anew: cargo run -- config schema > recipelint.schema.json");
}

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for (text, valid) in [
        ("{}", true),
        ("levels: {unused-suppression: info}\nextends: [a, b]\nrequire-reasons: true\n", true),
        ("helpers: [{command: a b, stage: extract-field}]", true),
        ("levls: {}", false),
        ("levels: {no-such-lint: off}", false),
        ("helpers: [{command: a b, stage: other}]", false),
    ] {
        let value: serde_json::Value = serde_yaml::from_str(text).unwrap();
        assert_eq!(validator.is_valid(&value), valid, "{text}");
    }
}

#[test]
fn explained() {
    let (_keep, root) = folder(&[
        ("base.yaml", "levels: {unused-suppression: off}\n"),
        ("recipelint.yaml", "extends: base.yaml\nrequire-reasons: true\nexclude: [a.yaml]\n"),
    ]);
    let chain = resolve(&root, "a.yaml").unwrap().unwrap();
    let text = explain(&root.join("a.yaml"), Some(&chain)).replace(&*root.to_string_lossy(), "ROOT");
    insta::assert_snapshot!(text);
    assert!(explain(Path::new("/x"), None).contains("no configuration file was found"));
}
