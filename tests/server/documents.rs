//! Buffers and their diagnostics.

use serde_json::{Value, json};

use super::client::{Client, lints, slice};
use super::common::{BAD, Folder, GOOD};

#[test]
fn open_change_close() {
    let folder = Folder::new(&[("a.yaml", BAD)]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    let diagnostics = client.diagnostics_of(&uri, 1);
    assert_eq!(lints(&diagnostics), ["grep-agent-output"]);
    assert_eq!(diagnostics[0]["range"]["start"]["line"], 8);
    assert_eq!(diagnostics[0]["severity"], 1);
    assert_eq!(diagnostics[0]["source"], "recipelint");
    assert!(diagnostics[0]["codeDescription"]["href"].as_str().unwrap().contains("grep-agent-output"));
    client.change(&uri, 2, GOOD);
    assert!(client.diagnostics_of(&uri, 2).is_empty());
    client.change(&uri, 3, BAD);
    assert_eq!(client.diagnostics_of(&uri, 3).len(), 1);
    client.close(&uri);
    assert!(client.diagnostics(&uri).is_empty(), "closing clears");
}

#[test]
fn an_edit_is_applied_where_it_says() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    client.diagnostics_of(&uri, 1);
    // The prompt's line goes, then an empty one comes above everything.
    let delete =
        json!({"range": {"start": {"line": 4, "character": 0}, "end": {"line": 5, "character": 0}}, "text": ""});
    let insert =
        json!({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "\n\n"});
    client.edit(&uri, 2, &json!([delete, insert]));
    let diagnostics = client.diagnostics_of(&uri, 2);
    let one = diagnostics.iter().find(|one| one["code"] == "grep-agent-output").expect("the finding moved");
    assert_eq!(one["range"]["start"]["line"], 9);
}

#[test]
fn related_places_tell_the_way() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    let diagnostics = client.diagnostics(&uri);
    let related = diagnostics[0]["relatedInformation"].as_array().expect("a way");
    assert!(related.iter().all(|one| one["location"]["uri"] == uri.as_str()));
    let places: Vec<&str> = related.iter().map(|one| slice(BAD, &one["location"]["range"])).collect();
    assert!(places.iter().any(|place| place.contains("review") || place.contains("reviewer")), "{places:?}");
    let capabilities = json!({"textDocument": {"publishDiagnostics": {"relatedInformation": false}}});
    let mut plain = Client::with(&folder.path(), &json!({"capabilities": capabilities}));
    plain.open(&uri, BAD);
    assert!(plain.diagnostics(&uri)[0]["relatedInformation"].is_null());
}

#[test]
fn broken_yaml_replaces_findings_at_once_and_they_come_back() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    client.diagnostics_of(&uri, 1);
    let broken = BAD.replace("agent: team:reviewer", "agent: \"team:reviewer");
    client.change(&uri, 2, &broken);
    let diagnostics = client.diagnostics_of(&uri, 2);
    assert!(lints(&diagnostics).contains(&"invalid-yaml"), "{diagnostics:?}");
    for one in &diagnostics {
        let lines = one["range"]["end"]["line"].as_u64().unwrap() - one["range"]["start"]["line"].as_u64().unwrap();
        assert!(lines <= 8, "an error underlines a token, not the rest of the file: {one}");
    }
    client.change(&uri, 3, BAD);
    assert_eq!(lints(&client.diagnostics_of(&uri, 3)), ["grep-agent-output"]);
}

#[test]
fn half_a_key_keeps_the_rest_alive() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    let half = format!("{BAD}  - id: next\n    comm");
    client.open(&uri, &half);
    assert!(lints(&client.diagnostics(&uri)).contains(&"grep-agent-output"));
}

#[test]
fn a_burst_of_edits_ends_right_and_questions_see_the_newest_text() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, GOOD);
    let mut version = 1;
    for round in 0..1000 {
        version += 1;
        let end = 4 + round;
        let place = json!({"line": end, "character": 0});
        let text = format!("  # 😀 é {round}\n");
        client.edit(&uri, version, &json!([{"range": {"start": place, "end": place}, "text": text}]));
    }
    version += 1;
    let place = json!({"line": 1004, "character": 0});
    let last = "  - id: last\n    command: ls\n";
    client.edit(&uri, version, &json!([{"range": {"start": place, "end": place}, "text": last}]));
    let symbols = client.of("textDocument/documentSymbol", &uri);
    let names: Vec<&Value> = symbols.as_array().unwrap().iter().map(|symbol| &symbol["name"]).collect();
    assert_eq!(names, ["show", "last"]);
    assert_eq!(symbols[1]["selectionRange"]["start"], json!({"line": 1004, "character": 8}));
    client.diagnostics_of(&uri, version);
}

#[test]
fn a_question_right_after_an_edit_is_never_stale() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, GOOD);
    for version in 2..60 {
        client.change(&uri, version, &GOOD.replace("show", &format!("show-{version}")));
        let symbols = client.of("textDocument/documentSymbol", &uri);
        assert_eq!(symbols[0]["name"], format!("show-{version}"));
    }
}

#[test]
fn paths_with_spaces_and_percent_signs() {
    let folder = Folder::new(&[("my 100% recipes/é 😀.yaml", BAD)]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("my 100% recipes/é 😀.yaml");
    client.open(&uri, BAD);
    let diagnostics = client.diagnostics(&uri);
    assert_eq!(lints(&diagnostics), ["grep-agent-output"]);
    assert_eq!(diagnostics[0]["relatedInformation"][0]["location"]["uri"], uri.as_str());
}

#[test]
fn untitled_buffers() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    for uri in ["untitled:Untitled-1", "untitled:/some/where/new.yaml"] {
        client.open(uri, BAD);
        let diagnostics = client.diagnostics(uri);
        assert_eq!(lints(&diagnostics), ["grep-agent-output"], "{uri}");
        assert_eq!(diagnostics[0]["relatedInformation"][0]["location"]["uri"], uri);
        client.close(uri);
        assert!(client.diagnostics(uri).is_empty());
    }
}

#[test]
fn files_outside_of_every_root() {
    let folder = Folder::new(&[]);
    let elsewhere = Folder::new(&[("below/child.yaml", GOOD), ("a.yaml", BAD)]);
    let mut client = Client::new(&folder.path());
    let uri = elsewhere.uri("a.yaml");
    client.open(&uri, BAD);
    assert_eq!(lints(&client.diagnostics(&uri)), ["grep-agent-output"]);
}

#[test]
fn without_any_root() {
    let folder = Folder::new(&[("a.yaml", BAD), ("recipelint.yaml", "levels:\n  grep-agent-output: off\n")]);
    let mut client = Client::with(&folder.path(), &json!({"workspaceFolders": null}));
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    assert!(client.diagnostics(&uri).is_empty(), "the configuration beside it counts");
}

#[test]
fn a_text_that_is_no_recipe_has_no_findings() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("compose.yaml");
    client.open(&uri, "services:\n  web:\n    image: nginx\n");
    assert!(client.diagnostics(&uri).is_empty());
}

#[test]
fn on_save_diagnostics_wait_for_it() {
    let folder = Folder::new(&[("a.yaml", GOOD)]);
    let mut client = Client::with(&folder.path(), &json!({"initializationOptions": {"runOn": "save"}}));
    let uri = folder.uri("a.yaml");
    client.open(&uri, GOOD);
    assert!(client.diagnostics_of(&uri, 1).is_empty());
    client.change(&uri, 2, BAD);
    assert!(client.quiet(&uri).is_empty(), "nothing while typing");
    client.notify("textDocument/didSave", &json!({"textDocument": {"uri": uri}}));
    assert_eq!(lints(&client.diagnostics_of(&uri, 2)), ["grep-agent-output"]);
}

#[test]
fn settings_that_change_count_from_then_on() {
    let folder = Folder::new(&[("a.yaml", GOOD)]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, GOOD);
    assert!(client.diagnostics_of(&uri, 1).is_empty());
    let configure = |client: &mut Client, settings: Value| {
        client.notify("workspace/didChangeConfiguration", &json!({"settings": settings}));
        client.quiet(&uri);
    };
    configure(&mut client, json!({"recipelint": {"runOn": "save"}}));
    client.change(&uri, 2, BAD);
    assert!(client.quiet(&uri).is_empty(), "nothing while typing");
    configure(&mut client, json!({"runOn": "nonsense"}));
    client.change(&uri, 3, BAD);
    assert!(client.quiet(&uri).is_empty(), "what is no setting changes nothing");
    client.notify("workspace/didChangeConfiguration", &json!({"settings": {"runOn": "type"}}));
    assert_eq!(lints(&client.diagnostics_of(&uri, 3)), ["grep-agent-output"]);
    client.change(&uri, 4, GOOD);
    assert!(client.diagnostics_of(&uri, 4).is_empty());
}

#[test]
fn a_client_that_answers_is_asked_for_its_settings() {
    let folder = Folder::new(&[("a.yaml", GOOD)]);
    let workspace = json!({"configuration": true, "didChangeConfiguration": {"dynamicRegistration": true}});
    let mut client = Client::with(&folder.path(), &json!({"capabilities": {"workspace": workspace}}));
    client.wishes = json!({"runOn": "save"});
    let uri = folder.uri("a.yaml");
    client.open(&uri, GOOD);
    client.diagnostics_of(&uri, 1);
    client.quiet(&uri);
    let methods: Vec<&Value> = client.asked.iter().map(|request| &request["method"]).collect();
    assert!(methods.contains(&&json!("workspace/configuration")), "{methods:?}");
    assert!(methods.contains(&&json!("client/registerCapability")), "{methods:?}");
    client.change(&uri, 2, BAD);
    assert!(client.quiet(&uri).is_empty(), "nothing while typing");
    client.wishes = json!({"runOn": "type"});
    client.notify("workspace/didChangeConfiguration", &json!({"settings": null}));
    assert_eq!(lints(&client.diagnostics_of(&uri, 2)), ["grep-agent-output"]);
}

#[test]
fn an_edit_that_comes_too_late_is_none() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, GOOD);
    client.change(&uri, 7, BAD);
    client.change(&uri, 6, GOOD);
    assert_eq!(lints(&client.diagnostics_of(&uri, 7)), ["grep-agent-output"]);
    client.quiet(&uri);
    let symbols = client.of("textDocument/documentSymbol", &uri);
    assert_eq!(symbols[0]["name"], "review");
}

#[test]
fn a_text_over_the_limit_is_not_read() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    let large = format!("{BAD}# {}\n", "x".repeat(10_000_000));
    client.open(&uri, &large);
    let diagnostics = client.diagnostics_of(&uri, 1);
    assert_eq!(lints(&diagnostics), ["invalid-yaml"]);
    assert!(diagnostics[0]["message"].as_str().unwrap().contains("limit"), "{diagnostics:?}");
    client.change(&uri, 2, BAD);
    assert_eq!(lints(&client.diagnostics_of(&uri, 2)), ["grep-agent-output"]);
}

#[test]
fn breaks_of_all_kinds_and_a_mark_at_the_start() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    for (version, text) in [BAD.replace('\n', "\r\n"), format!("\u{feff}{BAD}")].iter().enumerate() {
        client.open(&uri, text);
        let diagnostics = client.diagnostics(&uri);
        let one = diagnostics.iter().find(|one| one["code"] == "grep-agent-output").expect("the finding");
        assert_eq!(one["range"]["start"], json!({"line": 8, "character": 33}), "{version}");
        // The first line is emptied and written anew, with another break.
        let first = json!({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}, "text": "name: gate\r"});
        client.edit(&uri, 2, &json!([first]));
        let diagnostics = client.diagnostics_of(&uri, 2);
        let one = diagnostics.iter().find(|one| one["code"] == "grep-agent-output").expect("the finding");
        assert_eq!(one["range"]["start"], json!({"line": 8, "character": 33}), "{version}");
        client.close(&uri);
        client.diagnostics(&uri);
    }
}

#[test]
fn opened_again_at_once() {
    let folder = Folder::new(&[("a.yaml", GOOD)]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    client.close(&uri);
    client.open(&uri, BAD);
    client.lints_become(&uri, &["grep-agent-output"]);
    assert!(!client.at("textDocument/hover", &uri, &json!({"line": 8, "character": 24})).is_null());
}
