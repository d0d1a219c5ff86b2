//! Files that depend on each other, configurations, pull diagnostics.

use serde_json::{Value, json};

use super::client::{Client, lints, uri};
use super::common::{BAD, Folder, GOOD};
use super::texts::{CHILD, PARENT};

const OFF: &str = "levels:\n  grep-agent-output: off\n";

fn watched(client: &mut Client, uri: &str, kind: u8) {
    client.notify("workspace/didChangeWatchedFiles", &json!({"changes": [{"uri": uri, "type": kind}]}));
}

#[test]
fn a_new_configuration_counts_at_once() {
    let folder = Folder::new(&[("a.yaml", BAD)]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    client.lints_become(&uri, &["grep-agent-output"]);
    folder.write("recipelint.yaml", OFF);
    watched(&mut client, &folder.uri("recipelint.yaml"), 1);
    client.lints_become(&uri, &[]);
    std::fs::remove_file(folder.path().join("recipelint.yaml")).unwrap();
    watched(&mut client, &folder.uri("recipelint.yaml"), 3);
    client.lints_become(&uri, &["grep-agent-output"]);
}

#[test]
fn a_configuration_in_a_buffer_counts_before_it_is_saved() {
    let folder = Folder::new(&[("a.yaml", BAD), ("recipelint.yaml", "levels: {}\n")]);
    let mut client = Client::new(&folder.path());
    let (recipe, config) = (folder.uri("a.yaml"), folder.uri("recipelint.yaml"));
    client.open(&recipe, BAD);
    client.lints_become(&recipe, &["grep-agent-output"]);
    client.open(&config, "levels: {}\n");
    client.change(&config, 2, OFF);
    client.lints_become(&recipe, &[]);
    client.close(&config);
    client.lints_become(&recipe, &["grep-agent-output"]);
}

#[test]
fn a_broken_configuration_keeps_the_last_good_one_and_is_marked() {
    let folder = Folder::new(&[("a.yaml", BAD), ("recipelint.yaml", OFF)]);
    let mut client = Client::new(&folder.path());
    let (recipe, config) = (folder.uri("a.yaml"), folder.uri("recipelint.yaml"));
    client.open(&recipe, BAD);
    client.lints_become(&recipe, &[]);
    folder.write("recipelint.yaml", "levels: [nothing\n");
    watched(&mut client, &config, 2);
    let marked = client.diagnostics_that(&config, |all| !all["diagnostics"].as_array().unwrap().is_empty());
    assert_eq!(marked[0]["severity"], 1);
    assert!(marked[0]["message"].as_str().unwrap().contains("last configuration"), "{marked:?}");
    client.change(&recipe, 2, &format!("{BAD}\n"));
    assert!(client.diagnostics_of(&recipe, 2).is_empty(), "the last good one counts");
    folder.write("recipelint.yaml", "levels: {}\n");
    watched(&mut client, &config, 2);
    client.lints_become(&config, &[]);
    client.lints_become(&recipe, &["grep-agent-output"]);
}

#[test]
fn an_open_configuration_that_breaks_is_marked_in_its_buffer() {
    let folder = Folder::new(&[("a.yaml", BAD), ("recipelint.yaml", OFF)]);
    let mut client = Client::new(&folder.path());
    let (recipe, config) = (folder.uri("a.yaml"), folder.uri("recipelint.yaml"));
    client.open(&recipe, BAD);
    client.open(&config, OFF);
    assert!(client.diagnostics_of(&config, 1).is_empty());
    client.change(&config, 2, "levels: [nothing\n");
    assert_eq!(client.diagnostics_of(&config, 2).len(), 1);
    client.lints_become(&recipe, &[]);
    client.change(&config, 3, OFF);
    assert!(client.diagnostics_of(&config, 3).is_empty());
}

#[test]
fn what_is_idle_in_a_configuration_is_a_finding_there() {
    let text = "levels:\n  no-such-lint: off\nexclude:\n  - nowhere/**\ncolour: red\n";
    let folder = Folder::new(&[("a.yaml", GOOD), ("recipelint.yaml", text)]);
    let mut client = Client::new(&folder.path());
    let (recipe, config) = (folder.uri("a.yaml"), folder.uri("recipelint.yaml"));
    client.open(&recipe, GOOD);
    client.lints_become(&config, &["unused-configuration"; 3]);
    client.open(&config, text);
    assert_eq!(lints(&client.diagnostics_of(&config, 1)).len(), 3);
    client.change(&config, 2, "levels: {}\n");
    assert!(client.diagnostics_of(&config, 2).is_empty());
}

/// A program that runs an agent with a prompt file, and the texts of that.
const PROGRAM: &str = "\
import { run, Output, claudeCode } from \"@ai-hero/sandcastle\";
import { docker } from \"@ai-hero/sandcastle/sandboxes/docker\";
import { z } from \"zod\";

const output = Output.object({ tag: \"plan\", schema: z.object({ steps: z.array(z.string()) }) });
await run({ agent: claudeCode(\"m\"), sandbox: docker(), promptFile: \".sandcastle/plan.md\", promptArgs: { PART: \"x\" }, output });
";
const ASKS: &str = "Plan {{PART}}. Put the JSON between <plan> and </plan>.\n";

#[test]
fn the_text_of_a_prompt_file_counts_for_its_users() {
    let folder = Folder::new(&[(".sandcastle/main.mts", PROGRAM), (".sandcastle/plan.md", ASKS)]);
    let mut client = Client::new(&folder.path());
    let (user, prompt) = (folder.uri(".sandcastle/main.mts"), folder.uri(".sandcastle/plan.md"));
    client.open(&user, PROGRAM);
    client.lints_become(&user, &[]);
    client.open(&prompt, ASKS);
    client.lints_become(&prompt, &[]);
    // What the prompt no longer asks for is missed where it is used; what it wants and nobody gives, in itself.
    client.change(&prompt, 2, "Plan {{PART}} for {{WHOM}}.\n");
    let wrong = client.diagnostics_of(&prompt, 2);
    let at_user = client.diagnostics_that(&user, |all| all["diagnostics"] != json!([]));
    let mut all = lints(&wrong);
    all.extend(lints(&at_user));
    all.sort_unstable();
    assert_eq!(all, ["missing-output-tag", "unfilled-placeholder"]);
    client.change(&prompt, 3, ASKS);
    client.lints_become(&user, &[]);
    client.lints_become(&prompt, &[]);
    // A change on disk counts as soon as the buffer is gone.
    folder.write(".sandcastle/plan.md", "Plan {{PART}}.\n");
    client.close(&prompt);
    client.lints_become(&user, &["missing-output-tag"]);
}

#[test]
fn a_program_that_fills_a_placeholder_takes_the_finding_out_of_the_prompt() {
    let wants = "Plan {{PART}} for {{WHOM}}: <plan></plan>.\n";
    let folder = Folder::new(&[(".sandcastle/main.mts", PROGRAM), (".sandcastle/plan.md", wants)]);
    let mut client = Client::new(&folder.path());
    let (user, prompt) = (folder.uri(".sandcastle/main.mts"), folder.uri(".sandcastle/plan.md"));
    client.open(&prompt, wants);
    client.lints_become(&prompt, &["unfilled-placeholder"]);
    client.open(&user, PROGRAM);
    client.change(&user, 2, &PROGRAM.replace("PART: \"x\"", "PART: \"x\", WHOM: \"me\""));
    client.lints_become(&prompt, &[]);
    client.close(&user);
    client.lints_become(&prompt, &["unfilled-placeholder"]);
}

#[test]
fn an_edit_of_a_sub_recipe_refreshes_its_callers() {
    let caller = "name: up\nsteps:\n  - id: below\n    recipe: down\n    output: below\n  - id: use\n    command: |\n      if printf '%s' \"$RECIPE_VAR_answer\" | grep -q yes; then ./go.sh; fi\n";
    let asks =
        "name: down\nsteps:\n  - id: ask\n    agent: team:reviewer\n    prompt: Say yes or no.\n    output: answer\n";
    let runs = "name: down\nsteps:\n  - id: ask\n    command: date\n    output: answer\n";
    let folder = Folder::new(&[("up.yaml", caller), ("down.yaml", runs)]);
    let mut client = Client::new(&folder.path());
    let (up, down) = (folder.uri("up.yaml"), folder.uri("down.yaml"));
    client.open(&up, caller);
    let before = client.diagnostics(&up);
    assert!(!lints(&before).contains(&"grep-agent-output"), "{before:?}");
    client.open(&down, asks);
    let after = client
        .diagnostics_that(&up, |all| lints(all["diagnostics"].as_array().unwrap()).contains(&"grep-agent-output"));
    let related = after.iter().find(|one| one["code"] == "grep-agent-output").unwrap();
    let places = related["relatedInformation"].as_array().unwrap();
    assert!(places.iter().any(|one| one["location"]["uri"] == down.as_str()), "{related}");
    client.close(&down);
    client.diagnostics_that(&up, |all| !lints(all["diagnostics"].as_array().unwrap()).contains(&"grep-agent-output"));
}

#[test]
fn a_file_that_changes_on_disk_counts() {
    let folder = Folder::new(&[("parent.yaml", PARENT)]);
    let mut client = Client::new(&folder.path());
    let parent = folder.uri("parent.yaml");
    client.open(&parent, PARENT);
    let before = client.diagnostics(&parent);
    assert!(lints(&before).contains(&"unknown-reference"), "{before:?}");
    folder.write("child.yaml", CHILD);
    watched(&mut client, &folder.uri("child.yaml"), 1);
    client
        .diagnostics_that(&parent, |all| !lints(all["diagnostics"].as_array().unwrap()).contains(&"unknown-reference"));
}

#[test]
fn a_file_that_goes_while_it_is_open_lives_in_its_buffer() {
    let folder = Folder::new(&[("parent.yaml", PARENT), ("child.yaml", CHILD)]);
    let mut client = Client::new(&folder.path());
    let (parent, child) = (folder.uri("parent.yaml"), folder.uri("child.yaml"));
    client.open(&parent, PARENT);
    client.open(&child, CHILD);
    client
        .diagnostics_that(&parent, |all| !lints(all["diagnostics"].as_array().unwrap()).contains(&"unknown-reference"));
    std::fs::rename(folder.path().join("child.yaml"), folder.path().join("other.yaml")).unwrap();
    watched(&mut client, &child, 3);
    watched(&mut client, &folder.uri("other.yaml"), 1);
    client.quiet(&parent);
    client.change(&parent, 2, &format!("{PARENT}# end\n"));
    assert!(!lints(&client.diagnostics_of(&parent, 2)).contains(&"unknown-reference"), "its buffer is still there");
    client.close(&child);
    client
        .diagnostics_that(&parent, |all| lints(all["diagnostics"].as_array().unwrap()).contains(&"unknown-reference"));
}

#[test]
fn two_servers_do_not_mind_each_other() {
    let folder = Folder::new(&[("a.yaml", BAD)]);
    let (mut one, mut other) = (Client::new(&folder.path()), Client::new(&folder.path()));
    let uri = folder.uri("a.yaml");
    one.open(&uri, GOOD);
    other.open(&uri, BAD);
    assert_eq!(lints(&one.diagnostics(&uri)), [] as [&str; 0]);
    assert_eq!(lints(&other.diagnostics(&uri)), ["grep-agent-output"]);
}

#[test]
fn several_roots_each_with_its_configuration() {
    let one = Folder::new(&[("a.yaml", BAD), ("recipelint.yaml", OFF)]);
    let other = Folder::new(&[("a.yaml", BAD)]);
    let folders = json!([{"uri": uri(&one.path()), "name": "one"}, {"uri": uri(&other.path()), "name": "other"}]);
    let mut client = Client::with(&one.path(), &json!({"workspaceFolders": folders}));
    client.open(&one.uri("a.yaml"), BAD);
    client.open(&other.uri("a.yaml"), BAD);
    assert!(client.diagnostics(&one.uri("a.yaml")).is_empty());
    assert_eq!(client.diagnostics(&other.uri("a.yaml")).len(), 1);
    let event = json!({"event": {"added": [], "removed": [{"uri": uri(&other.path()), "name": "other"}]}});
    client.notify("workspace/didChangeWorkspaceFolders", &event);
    assert_eq!(client.diagnostics(&other.uri("a.yaml")).len(), 1, "a file needs no folder");
}

/// A client that asks.
fn pulling(folder: &Folder) -> Client {
    let capabilities = json!({
        "textDocument": {"diagnostic": {"dynamicRegistration": false}},
        "workspace": {"diagnostics": {"refreshSupport": true}, "diagnostic": {"refreshSupport": true}},
    });
    Client::with(&folder.path(), &json!({"capabilities": capabilities}))
}

fn refreshes(client: &Client) -> usize {
    client.asked.iter().filter(|one| one["method"] == "workspace/diagnostic/refresh").count()
}

#[test]
fn a_client_that_asks_is_told_to_ask_again_for_others() {
    let folder = Folder::new(&[("parent.yaml", PARENT), ("child.yaml", CHILD)]);
    let mut client = pulling(&folder);
    let (parent, child) = (folder.uri("parent.yaml"), folder.uri("child.yaml"));
    client.open(&parent, PARENT);
    client.open(&child, CHILD);
    let before = client.of("textDocument/diagnostic", &parent);
    assert!(!lints(before["items"].as_array().unwrap()).contains(&"unknown-reference"));
    client.quiet(&parent);
    let asked = refreshes(&client);
    std::fs::remove_file(folder.path().join("child.yaml")).unwrap();
    client.close(&child);
    watched(&mut client, &child, 3);
    client.quiet(&parent);
    assert!(refreshes(&client) > asked, "{:?}", client.asked);
    let after = client.request(
        "textDocument/diagnostic",
        &json!({"textDocument": {"uri": parent}, "previousResultId": before["resultId"]}),
    );
    assert_eq!(after["kind"], "full");
    assert!(lints(after["items"].as_array().unwrap()).contains(&"unknown-reference"), "{after}");
}

#[test]
fn on_save_a_client_that_asks_hears_the_same_until_then() {
    let folder = Folder::new(&[("a.yaml", GOOD)]);
    let mut client = pulling(&folder);
    let uri = folder.uri("a.yaml");
    client.notify("workspace/didChangeConfiguration", &json!({"settings": {"recipelint": {"runOn": "save"}}}));
    client.open(&uri, GOOD);
    let full = client.of("textDocument/diagnostic", &uri);
    assert_eq!(full["items"], json!([]));
    client.change(&uri, 2, BAD);
    let known = json!({"textDocument": {"uri": uri}, "previousResultId": full["resultId"]});
    assert_eq!(client.request("textDocument/diagnostic", &known)["kind"], "unchanged");
    client.notify("textDocument/didSave", &json!({"textDocument": {"uri": uri}}));
    let full = client.request("textDocument/diagnostic", &known);
    assert_eq!(lints(full["items"].as_array().unwrap()), ["grep-agent-output"]);
}

#[test]
fn document_diagnostics_with_result_ids() {
    let folder = Folder::new(&[]);
    let mut client = pulling(&folder);
    let uri = folder.uri("a.yaml");
    client.open(&uri, BAD);
    let full = client.of("textDocument/diagnostic", &uri);
    assert_eq!(full["kind"], "full");
    assert_eq!(lints(full["items"].as_array().unwrap()), ["grep-agent-output"]);
    let again = json!({"textDocument": {"uri": uri}, "previousResultId": full["resultId"]});
    assert_eq!(client.request("textDocument/diagnostic", &again)["kind"], "unchanged");
    client.change(&uri, 2, GOOD);
    let changed = client.request("textDocument/diagnostic", &again);
    assert_eq!((changed["kind"].as_str(), changed["items"].as_array().map(Vec::len)), (Some("full"), Some(0)));
    assert!(client.quiet(&uri).is_empty(), "who asks is not told as well");
}

#[test]
fn workspace_diagnostics_with_files_that_are_not_open() {
    let folder = Folder::new(&[("a.yaml", BAD), ("sub/b.yaml", BAD), ("c.yaml", GOOD)]);
    let mut client = pulling(&folder);
    client.open(&folder.uri("a.yaml"), GOOD);
    let report = client.request("workspace/diagnostic", &json!({"previousResultIds": []}));
    let found = |report: &Value| -> Vec<(String, String, usize)> {
        let items = report["items"].as_array().unwrap().iter();
        items
            .map(|one| {
                let kind = one["kind"].as_str().unwrap().to_owned();
                (one["uri"].as_str().unwrap().to_owned(), kind, one["items"].as_array().map_or(0, Vec::len))
            })
            .collect()
    };
    let (a, b, c) = (folder.uri("a.yaml"), folder.uri("sub/b.yaml"), folder.uri("c.yaml"));
    let full = "full".to_owned();
    assert_eq!(
        found(&report),
        [(a.clone(), full.clone(), 0), (c.clone(), full.clone(), 0), (b.clone(), full.clone(), 1)]
    );
    let known: Vec<Value> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!({"uri": one["uri"], "value": one["resultId"]}))
        .collect();
    client.change(&a, 2, BAD);
    std::fs::remove_file(folder.path().join("c.yaml")).unwrap();
    watched(&mut client, &c, 3);
    let report = client.request("workspace/diagnostic", &json!({"previousResultIds": known}));
    let unchanged = "unchanged".to_owned();
    assert_eq!(found(&report), [(a, full, 1), (b, unchanged.clone(), 0), (c, unchanged, 0)]);
}
