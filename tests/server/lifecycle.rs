//! Beginning, end, and what goes wrong in between.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, Folder, lints, position};
use super::texts::{BAD, GOOD};

#[test]
fn initialize_tells_what_the_server_can() {
    let mut client = Client::start();
    let result = client.request("initialize", &json!({"processId": null, "capabilities": {}}));
    assert_eq!(result["serverInfo"]["name"], "recipelint");
    let capabilities = &result["capabilities"];
    for provider in ["hoverProvider", "renameProvider", "inlayHintProvider", "codeLensProvider", "documentLinkProvider"]
    {
        assert!(!capabilities[provider].is_null(), "{provider}");
    }
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(capabilities["textDocumentSync"]["change"], 2);
    assert!(capabilities["diagnosticProvider"].is_null(), "only for clients that ask");
}

#[test]
fn watchers_are_registered() {
    let folder = Folder::new(&[("a.yaml", GOOD)]);
    let mut client = Client::new(&folder.path());
    client.open(&folder.uri("a.yaml"), GOOD);
    client.diagnostics(&folder.uri("a.yaml"));
    client.quiet(&folder.uri("a.yaml"));
    let methods: Vec<&Value> = client.asked.iter().map(|request| &request["method"]).collect();
    assert_eq!(methods, ["client/registerCapability"]);
    let registered = client.asked[0]["params"]["registrations"][0]["method"].as_str();
    assert_eq!(registered, Some("workspace/didChangeWatchedFiles"));
}

/// Where the finding in a line with an emoji and an accent stands.
fn column(encodings: &Value) -> (Value, u64) {
    let folder = Folder::new(&[]);
    let general = json!({"positionEncodings": encodings});
    let mut client = Client::start();
    let parameters = json!({"processId": null, "capabilities": {"general": general}, "workspaceFolders": null});
    let result = client.request("initialize", &parameters);
    client.notify("initialized", &json!({}));
    let uri = folder.uri("a.yaml");
    let text = "name: a\ncontext:\n  x: \"\"\nsteps:\n  - id: s\n    command: |\n      echo \"😀 é {{x}}\"\n";
    client.open(&uri, text);
    let diagnostics = client.diagnostics(&uri);
    let one = diagnostics.iter().find(|one| one["code"] == "quoted-template");
    let one = one.unwrap_or_else(|| panic!("{diagnostics:?}"));
    assert_eq!(one["range"]["start"]["line"], 6);
    (result["capabilities"]["positionEncoding"].clone(), one["range"]["start"]["character"].as_u64().unwrap())
}

#[test]
fn columns_count_in_the_agreed_unit() {
    let (utf16, in_utf16) = column(&json!(["utf-16"]));
    let (utf8, in_utf8) = column(&json!(["utf-8", "utf-16"]));
    let (utf32, in_utf32) = column(&json!(["utf-32"]));
    assert_eq!([utf16, utf8, utf32], ["utf-16", "utf-8", "utf-32"]);
    assert_eq!((in_utf8 - in_utf16, in_utf16 - in_utf32), (3, 1));
    assert_eq!(column(&json!(["utf-16", "utf-8"])).0, "utf-16", "the client's first wish");
}

#[test]
fn shutdown_with_null_parameters_and_exit_with_input_open() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    assert_eq!(client.ask("shutdown", &Value::Null), Ok(Value::Null));
    client.notify("exit", &Value::Null);
    let status = client.end(Duration::from_secs(10)).expect("the process ends");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn exit_without_shutdown_is_a_failure() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    client.notify("exit", &Value::Null);
    assert_eq!(client.end(Duration::from_secs(10)).expect("the process ends").code(), Some(1));
}

#[test]
fn the_end_of_input_is_the_end() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    client.close_input();
    assert!(client.end(Duration::from_secs(10)).is_some());
}

#[test]
fn a_body_that_is_no_json_leaves_no_deaf_process() {
    let folder = Folder::new(&[("a.yaml", BAD)]);
    let mut client = Client::new(&folder.path());
    client.write("{\"jsonrpc\": \"2.0\", oh");
    let id = client.send("workspace/symbol", &json!({"query": ""}));
    let ended = client.end(Duration::from_secs(10)).is_some();
    assert!(ended || client.answer(id).is_ok(), "it answers or it ends");
}

#[test]
fn the_server_ends_with_its_parent() {
    let mut parent = Command::new("sleep").arg("600").spawn().unwrap();
    let mut client = Client::start();
    client.request("initialize", &json!({"processId": parent.id(), "capabilities": {}}));
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert!(client.end(Duration::from_secs(20)).is_some());
}

#[test]
#[cfg(debug_assertions)]
fn a_panic_answers_an_error_and_the_session_lives() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    client.diagnostics(&uri);
    let error = client.ask("workspace/executeCommand", &json!({"command": "recipelint.panic"})).unwrap_err();
    assert_eq!(error["code"], -32603, "{error}");
    client.change(&uri, 2, GOOD);
    assert_eq!(client.diagnostics_of(&uri, 2), [] as [Value; 0]);
}

#[test]
fn a_cancelled_request_is_answered_and_the_others_go_on() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    let at = json!({"textDocument": {"uri": uri}, "position": position(BAD, "REVIEW", 0, 1)});
    let first = client.send("textDocument/hover", &at);
    client.notify("$/cancelRequest", &json!({"id": first}));
    match client.answer(first) {
        Ok(hover) => assert!(hover["contents"]["value"].is_string(), "it was done before"),
        Err(error) => assert_eq!(error["code"], -32800),
    }
    assert!(client.request("textDocument/hover", &at)["contents"]["value"].is_string());
}

#[test]
fn what_is_unknown_is_refused_or_ignored() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    assert_eq!(client.ask("no/such", &json!({})).unwrap_err()["code"], -32601);
    client.notify("$/noSuch", &json!({}));
    client.notify("textDocument/didChange", &json!({"strange": true}));
    let uri = folder.uri("a.yaml");
    client.edit(&uri, 4, &json!([{"text": BAD}]));
    client.open(&uri, BAD);
    assert_eq!(lints(&client.diagnostics(&uri)), ["grep-agent-output"]);
}
