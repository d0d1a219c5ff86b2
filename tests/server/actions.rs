//! What can be done about a finding.

use serde_json::{Value, json};

use super::client::{Client, applied, lints, position};
use super::common::{BAD, Folder};

/// Two findings with safe fixes: quotes around a template that is quoted already.
const FIXABLE: &str = "\
name: quotes
context:
  topic: \"\"
steps:
  - id: ask
    command: |
      printf '%s' \"{{topic}}\"
      printf '%s' '{{topic}}'
";

fn whole() -> Value {
    json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}})
}

fn actions(client: &mut Client, uri: &str, range: &Value, only: Option<&str>) -> Vec<Value> {
    let mut context = json!({"diagnostics": []});
    if let Some(only) = only {
        context["only"] = json!([only]);
    }
    let parameters = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
    client.request("textDocument/codeAction", &parameters).as_array().unwrap().clone()
}

fn titled<'a>(actions: &'a [Value], title: &str) -> &'a Value {
    let found = actions.iter().find(|action| action["title"].as_str().unwrap().starts_with(title));
    found.unwrap_or_else(|| {
        panic!("no `{title}` among {:?}", actions.iter().map(|one| &one["title"]).collect::<Vec<_>>())
    })
}

#[test]
fn a_fix_takes_its_finding_away() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, FIXABLE);
    let diagnostics = client.diagnostics(&uri);
    assert_eq!(lints(&diagnostics), ["quoted-template"; 2]);
    let found = actions(&mut client, &uri, &diagnostics[0]["range"], Some("quickfix"));
    let fix = found.iter().find(|action| action["isPreferred"] == true).expect("a fix");
    assert_eq!(fix["diagnostics"][0]["code"], "quoted-template");
    let fixed = applied(FIXABLE, &fix["edit"]["changes"][&uri]);
    client.change(&uri, 2, &fixed);
    assert_eq!(lints(&client.diagnostics_of(&uri, 2)), ["quoted-template"]);
}

#[test]
fn fix_all_takes_all_away() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, FIXABLE);
    for (round, only) in ["source.fixAll", "source.fixAll.recipelint"].into_iter().enumerate() {
        let version = 2 + 2 * i64::try_from(round).unwrap();
        let found = actions(&mut client, &uri, &whole(), Some(only));
        assert_eq!(found.len(), 1, "{only}: {found:?}");
        assert_eq!(found[0]["kind"], "source.fixAll.recipelint");
        let fixed = applied(FIXABLE, &found[0]["edit"]["changes"][&uri]);
        client.change(&uri, version, &fixed);
        client.lints_become(&uri, &[]);
        client.change(&uri, version + 1, FIXABLE);
    }
    assert_eq!(actions(&mut client, &uri, &whole(), Some("refactor")), [] as [Value; 0]);
}

#[test]
fn suppressions_count_where_they_say() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    for place in ["here", "in this step", "in this file"] {
        client.open(&uri, BAD);
        let range = client.diagnostics(&uri)[0]["range"].clone();
        let found = actions(&mut client, &uri, &range, None);
        let action = titled(&found, &format!("Suppress grep-agent-output {place}"));
        let text = applied(BAD, &action["edit"]["changes"][&uri]);
        assert_eq!(text.matches("recipelint: ignore").count(), 1, "{text}");
        client.change(&uri, 2, &text);
        assert!(client.diagnostics_of(&uri, 2).is_empty(), "{place}:\n{text}");
        client.close(&uri);
        client.diagnostics(&uri);
    }
}

#[test]
fn a_suppression_joins_the_one_that_is_there() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    let text = BAD.replace("      if printf", "      # recipelint: ignore[quoted-template] known\n      if printf");
    client.open(&uri, &text);
    let diagnostics = client.diagnostics(&uri);
    let one = diagnostics.iter().find(|one| one["code"] == "grep-agent-output").unwrap();
    let found = actions(&mut client, &uri, &one["range"], None);
    let action = titled(&found, "Suppress grep-agent-output here");
    let text = applied(&text, &action["edit"]["changes"][&uri]);
    assert!(text.contains("# recipelint: ignore[quoted-template, grep-agent-output] known"), "{text}");
}

#[test]
fn the_canonical_pipeline_is_written_above_the_statement() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    let asks =
        BAD.replace("Say whether the change may go out.", "'Print {\"verdict\": \"PASS\", \"risk\": \"low\"} last.'");
    for (text, titles) in [(BAD.to_owned(), vec!["verdict"]), (asks, vec!["verdict", "risk"])] {
        client.open(&uri, &text);
        let at = position(&text, "$REVIEW", 0, 2);
        let found = actions(&mut client, &uri, &json!({"start": at, "end": at}), Some("refactor"));
        let wanted: Vec<String> =
            titles.iter().map(|field| format!("Insert the canonical pipeline for `{field}`")).collect();
        let names: Vec<&Value> = found.iter().map(|one| &one["title"]).collect();
        assert_eq!(names, wanted.iter().collect::<Vec<_>>());
        let new = applied(&text, &found[0]["edit"]["changes"][&uri]);
        let lines: Vec<&str> = new.lines().collect();
        assert_eq!(
            lines[8],
            "      VERDICT=$(printf '%s' \"$REVIEW\" | amplihack orch helper extract-json --require-field verdict | amplihack orch helper extract-field --field verdict --default INSUFFICIENT_EVIDENCE | amplihack orch helper normalise-verdict)"
        );
        assert!(lines[9].starts_with("      if printf"), "{new}");
        client.close(&uri);
    }
    client.open(&uri, BAD);
    let at = position(BAD, "release", 0, 1);
    assert_eq!(actions(&mut client, &uri, &json!({"start": at, "end": at}), Some("refactor")), [] as [Value; 0]);
}

#[test]
fn explain_gives_the_page() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    let range = client.diagnostics(&uri)[0]["range"].clone();
    let found = actions(&mut client, &uri, &range, None);
    let command = &titled(&found, "Explain grep-agent-output")["command"];
    let parameters = json!({"command": command["command"], "arguments": command["arguments"]});
    let page = client.request("workspace/executeCommand", &parameters);
    assert!(page.as_str().unwrap().contains("## How to fix"), "{page}");
    let unknown = json!({"command": "recipelint.explain", "arguments": ["no-such-lint"]});
    assert!(client.request("workspace/executeCommand", &unknown).is_null());
}
