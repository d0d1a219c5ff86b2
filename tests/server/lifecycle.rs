//! Beginning, end, and what goes wrong in between.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, lints, position};
use super::common::{BAD, Folder, GOOD};

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
    let mut plain = Client::with(&folder.path(), &json!({"capabilities": {}}));
    plain.open(&folder.uri("a.yaml"), GOOD);
    plain.quiet(&folder.uri("a.yaml"));
    assert!(plain.asked.is_empty(), "a client that cannot watch is not asked to: {:?}", plain.asked);
}

/// Where the finding in a line with an emoji and an accent stands, from and until; and what an edit behind them gives.
fn columns(encodings: &Value, behind: u64) -> (Value, [u64; 2], [u64; 2]) {
    let folder = Folder::new(&[]);
    let general = json!({"positionEncodings": encodings});
    let mut client = Client::start();
    let parameters = json!({"processId": null, "capabilities": {"general": general}, "workspaceFolders": null});
    let result = client.request("initialize", &parameters);
    client.notify("initialized", &json!({}));
    let uri = folder.uri("a.yaml");
    let text = "name: a\ncontext:\n  x: \"\"\nsteps:\n  - id: s\n    command: |\n      echo \"😀 é {{x}}\"\n";
    client.open(&uri, text);
    let marked = |diagnostics: Vec<Value>| {
        let one = diagnostics.iter().find(|one| one["code"] == "quoted-template");
        let range = &one.unwrap_or_else(|| panic!("{diagnostics:?}"))["range"];
        assert_eq!((&range["start"]["line"], &range["end"]["line"]), (&json!(6), &json!(6)));
        [range["start"]["character"].as_u64().unwrap(), range["end"]["character"].as_u64().unwrap()]
    };
    let before = marked(client.diagnostics_of(&uri, 1));
    // Another emoji behind the first one: places in edits count in the same unit.
    let place = json!({"line": 6, "character": behind});
    client.edit(&uri, 2, &json!([{"range": {"start": place, "end": place}, "text": "𝄞"}]));
    let after = marked(client.diagnostics_of(&uri, 2));
    (result["capabilities"]["positionEncoding"].clone(), before, after)
}

#[test]
fn columns_count_in_the_agreed_unit() {
    // `      echo "` are 12 columns, then the emoji, a blank, `é`, a blank and `{{x}}`.
    assert_eq!(columns(&json!(["utf-16"]), 14), (json!("utf-16"), [17, 22], [19, 24]));
    assert_eq!(columns(&json!(["utf-8", "utf-16"]), 16), (json!("utf-8"), [20, 25], [24, 29]));
    assert_eq!(columns(&json!(["utf-32"]), 13), (json!("utf-32"), [16, 21], [17, 22]));
    assert_eq!(columns(&json!(["utf-16", "utf-8"]), 14).0, "utf-16", "the client's first wish");
    assert_eq!(columns(&json!(["utf-7"]), 14).0, "utf-16", "what everyone has");
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
fn what_is_no_message_is_answered_and_the_session_lives() {
    let folder = Folder::new(&[("a.yaml", BAD)]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    for (body, code, id) in [
        ("{\"jsonrpc\": \"2.0\", oh", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        ("{\"jsonrpc\": \"2.0\", \"method\": 5, \"id\": \"odd\"}", -32600, json!("odd")),
    ] {
        client.write(body);
        let error = client.answer_to(&id).unwrap_err();
        assert_eq!(error["code"], code, "{body}");
        client.open(&uri, BAD);
        assert_eq!(lints(&client.diagnostics_of(&uri, 1)), ["grep-agent-output"]);
        client.close(&uri);
        client.diagnostics(&uri);
    }
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
    let mut large = BAD.to_owned();
    for at in 0..4000 {
        let _ = write!(large, "  - id: more-{at}\n    command: |\n      echo \"$REVIEW\" | head -n {at}\n");
    }
    // The first question about a large text takes a while; the one behind it waits.
    client.open(&uri, &large);
    let at = json!({"textDocument": {"uri": uri}, "position": position(BAD, "REVIEW", 0, 1)});
    let first = client.send("textDocument/hover", &at);
    let second = client.send("textDocument/hover", &at);
    client.notify("$/cancelRequest", &json!({"id": second}));
    let error = client.answer(second).unwrap_err();
    assert_eq!(error["code"], -32800, "{error}");
    assert!(client.answer(first).unwrap()["contents"]["value"].is_string(), "the one before it is not");
    client.notify("$/cancelRequest", &json!({"id": first}));
    client.notify("$/cancelRequest", &json!({"id": 4711}));
    assert!(client.request("textDocument/hover", &at)["contents"]["value"].is_string());
    client.change(&uri, 2, GOOD);
    assert_eq!(client.diagnostics_of(&uri, 2), [] as [Value; 0]);
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
