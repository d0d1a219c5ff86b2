//! Reading aids: hover, completion, names, outlines, tokens.

use serde_json::{Value, json};

use super::client::{Client, applied, position, slice};
use super::common::{BAD, Folder, GOOD};
use super::texts::{CHILD, PARENT};

/// A workspace of two recipes that share a context, both open.
fn family() -> (Folder, Client, String, String) {
    let folder = Folder::new(&[("parent.yaml", PARENT), ("child.yaml", CHILD)]);
    let mut client = Client::new(&folder.path());
    let (parent, child) = (folder.uri("parent.yaml"), folder.uri("child.yaml"));
    client.open(&parent, PARENT);
    client.open(&child, CHILD);
    (folder, client, parent, child)
}

fn one(text: &str) -> (Folder, Client, String) {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("recipe.yaml");
    client.open(&uri, text);
    (folder, client, uri)
}

fn hover(text: &str, part: &str, nth: usize) -> String {
    let (_folder, mut client, uri) = one(text);
    let hover = client.at("textDocument/hover", &uri, &position(text, part, nth, 1));
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hover_tells_what_is_known() {
    let finding = hover(BAD, "grep", 0);
    assert!(finding.contains("**grep-agent-output**") && finding.contains("## Why"), "{finding}");
    let variable = hover(BAD, "REVIEW", 0);
    assert!(variable.contains("agent text") && variable.contains("agent step `review` answers"), "{variable}");
    let key = hover(PARENT, "condition", 0);
    assert!(key.starts_with("`condition`"), "{key}");
    let function = hover(PARENT, "len(", 0);
    assert!(function.contains("`len(x)`"), "{function}");
    let pipeline = "name: p\nsteps:\n  - id: s\n    command: amplihack orch helper normalise-verdict\n";
    assert!(hover(pipeline, "normalise-verdict", 0).contains("| anything else |"));
    assert_eq!(hover(GOOD, "ls", 0), "", "nothing to say of a plain command");
    let declared = hover(PARENT, "topic}}", 0);
    assert!(declared.contains("`topic`") && declared.contains("line 3"), "{declared}");
}

fn labels(text: &str, part: &str, further: usize) -> Vec<String> {
    let (_folder, mut client, uri) = one(text);
    labels_at(&mut client, &uri, &position(text, part, 0, further))
}

fn labels_at(client: &mut Client, uri: &str, position: &Value) -> Vec<String> {
    let items = client.at("textDocument/completion", uri, position);
    items.as_array().into_iter().flatten().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

fn has(labels: &[String], wanted: &[&str]) {
    for one in wanted {
        assert!(labels.iter().any(|label| label == one), "{one} is not among {labels:?}");
    }
}

#[test]
fn completion_by_place() {
    has(&labels("name: a\nste", "ste", 3), &["steps", "context"]);
    has(&labels("name: a\nsteps:\n  - id: x\n    par", "par", 3), &["parse_json", "condition", "command"]);
    has(&labels(PARENT, "{{topic", 3), &["topic", "report"]);
    has(&labels(PARENT, "$REPORT", 2), &["RECIPE_VAR_report", "REPORT"]);
    has(&labels(PARENT, "condition: \"report", 14), &["report", "topic", "len", "not"]);
    let fields = PARENT.replace("report != ''", "report. != ''");
    has(&labels(&fields, "report. !=", 7), &["verdict", "note", "strip"]);
    assert!(!labels(&fields, "report. !=", 7).contains(&"PASS".to_owned()), "a value is no field");
    let suppression = BAD.replace("      if printf", "      # recipelint: ignore[gr]\n      if printf");
    has(&labels(&suppression, "ignore[gr", 9), &["grep-agent-output"]);
    let helper = "name: p\nsteps:\n  - id: s\n    command: amplihack orch helper ext\n";
    has(&labels(helper, "helper ext", 10), &["extract-json", "normalise-verdict"]);
    let flag = "name: p\nsteps:\n  - id: s\n    command: amplihack orch helper extract-field --\n";
    has(&labels(flag, "--", 2), &["--field", "--default"]);
    let kind = "name: p\nsteps:\n  - id: s\n    type: \n";
    has(&labels(kind, "type: ", 6), &["bash", "agent", "recipe"]);
}

#[test]
fn keys_are_offered_where_they_belong() {
    for (text, key) in [
        ("name: a\nst", Some("steps")),
        ("name: a\nsteps:\n  - ", Some("command")),
        ("name: a\nsteps:\n- id: x\n  com", Some("command")),
        ("name: a\nsteps:\n  - id: x\n    command: |\n      ls\n\n    # more\n    out", Some("output")),
        ("name: a\nsteps:\n  - id: x\n    recipe: r\n    context:\n      to", None),
        ("name: a\ncontext:\n  to", None),
        ("name: a\nsteps:\n  - id: x\n    prompt: |\n      Write a", None),
        ("name: a\nsteps:\n  - id: x\n    prompt: >-2\n      Write\n       a\n\n      b", None),
        ("name: a\ntags:\n  - ", None),
    ] {
        let (_folder, mut client, uri) = one(text);
        let line = text.matches('\n').count();
        let at = json!({"line": line, "character": text.lines().last().unwrap().len()});
        let labels = labels_at(&mut client, &uri, &at);
        assert_eq!(labels.iter().find(|label| Some(label.as_str()) == key).map(String::as_str), key, "{text:?}");
        assert!(key.is_some() || labels.is_empty(), "{text:?} offers {labels:?}");
    }
}

#[test]
fn completion_of_recipes_and_of_the_configuration() {
    let (folder, mut client, parent, _) = family();
    has(&labels_at(&mut client, &parent, &position(PARENT, "recipe: child", 0, 8)), &["child", "parent"]);
    let uri = folder.uri("recipelint.yaml");
    client.open(&uri, "levels:\n  gr");
    has(
        &labels_at(&mut client, &uri, &json!({"line": 1, "character": 4})),
        &["levels", "extends", "grep-agent-output"],
    );
}

#[test]
fn signature_of_a_function() {
    let text = PARENT.replace("len(topic) > 0", "min(len(topic), 3) > 0 and topic.replace('a', 'b') == ''");
    let (_folder, mut client, uri) = one(&text);
    let help = client.at("textDocument/signatureHelp", &uri, &position(&text, "min(len(topic), 3", 0, 16));
    assert_eq!(help["signatures"][0]["label"], "min(a, b, …)");
    assert_eq!(help["activeParameter"], 1);
    let help = client.at("textDocument/signatureHelp", &uri, &position(&text, "replace('a'", 0, 9));
    assert_eq!(help["signatures"][0]["label"], ".replace(a, b)");
    assert!(client.at("textDocument/signatureHelp", &uri, &json!({"line": 0, "character": 3})).is_null());
}

/// What stands at locations, as `file: text`, in order.
fn found(locations: &Value) -> Vec<String> {
    let mut all: Vec<(String, u64, u64, String)> = Vec::new();
    for location in locations.as_array().into_iter().flatten() {
        let uri = location["uri"].as_str().unwrap();
        let (name, text) = if uri.ends_with("child.yaml") { ("child", CHILD) } else { ("parent", PARENT) };
        let start = &location["range"]["start"];
        let (line, column) = (start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap());
        all.push((name.to_owned(), line, column, slice(text, &location["range"]).to_owned()));
    }
    all.sort();
    all.into_iter().map(|(name, line, _, text)| format!("{name}:{line} {text}")).collect()
}

#[test]
fn names_in_all_spellings_across_recipes() {
    let (_folder, mut client, parent, child) = family();
    let everywhere = [
        "child:2 report",
        "child:6 report",
        "child:9 report",
        "parent:9 report",
        "parent:12 REPORT",
        "parent:12 report",
        "parent:12 report",
        "parent:15 report",
    ];
    let places = [
        (&parent, position(PARENT, "output: report", 0, 9)),
        (&parent, position(PARENT, "$REPORT", 0, 2)),
        (&parent, position(PARENT, "RECIPE_VAR_report", 0, 13)),
        (&parent, position(PARENT, "{{report}}", 0, 3)),
        (&parent, position(PARENT, "report !=", 0, 1)),
        (&child, position(CHILD, "{{report}}", 0, 3)),
        (&child, position(CHILD, "RECIPE_VAR_report", 0, 13)),
    ];
    for (uri, position) in places {
        let at = json!({"uri": uri});
        let parameters = json!({"textDocument": at, "position": position, "context": {"includeDeclaration": true}});
        let references = found(&client.request("textDocument/references", &parameters));
        let mut wanted: Vec<String> = everywhere.iter().map(|one| (*one).to_owned()).collect();
        wanted.sort_by_key(|one| (one.starts_with("parent"), one.clone()));
        let mut references = references;
        references.sort_by_key(|one| (one.starts_with("parent"), one.clone()));
        assert_eq!(references, wanted, "at {position}");
        let definition = found(&client.at("textDocument/definition", uri, &position));
        assert_eq!(definition, ["child:2 report", "parent:9 report"], "at {position}");
    }
}

#[test]
fn rename_writes_each_place_in_its_own_spelling() {
    let (_folder, mut client, parent, child) = family();
    let at = position(CHILD, "{{report}}", 0, 3);
    let prepared = client.at("textDocument/prepareRename", &child, &at);
    assert_eq!(prepared["placeholder"], "report");
    let parameters = json!({"textDocument": {"uri": child}, "position": at, "newName": "first_look"});
    let edit = client.request("textDocument/rename", &parameters);
    let parent_text = applied(PARENT, &edit["changes"][&parent]);
    let child_text = applied(CHILD, &edit["changes"][&child]);
    assert_eq!(
        parent_text,
        PARENT
            .replace("output: report", "output: first_look")
            .replace("$REPORT", "$FIRST_LOOK")
            .replace("RECIPE_VAR_report", "RECIPE_VAR_first_look")
            .replace("{{report}}", "{{first_look}}")
            .replace("report !=", "first_look !=")
    );
    assert_eq!(
        child_text,
        CHILD
            .replace("  report: ", "  first_look: ")
            .replace("{{report}}", "{{first_look}}")
            .replace("RECIPE_VAR_report", "RECIPE_VAR_first_look")
    );
    for bad in ["1st", "a-b", "", "a__b", "topic"] {
        let parameters = json!({"textDocument": {"uri": child}, "position": at, "newName": bad});
        assert!(client.ask("textDocument/rename", &parameters).is_err(), "{bad}");
    }
}

/// A client that can do what a server asks of files.
fn renaming(folder: &Folder) -> Client {
    let edits = json!({"documentChanges": true, "resourceOperations": ["create", "rename"]});
    Client::with(&folder.path(), &json!({"capabilities": {"workspace": {"workspaceEdit": edits}}}))
}

#[test]
fn a_recipe_is_renamed_with_its_file_and_at_its_callers() {
    let quoted = PARENT.replace("recipe: child", "recipe: 'child'").replace("name: parent", "name: other");
    let folder = Folder::new(&[("parent.yaml", PARENT), ("other.yaml", &quoted), ("child.yaml", CHILD)]);
    let mut client = renaming(&folder);
    let (parent, other, child) = (folder.uri("parent.yaml"), folder.uri("other.yaml"), folder.uri("child.yaml"));
    client.open(&parent, PARENT);
    let at = position(PARENT, "recipe: child", 0, 9);
    assert_eq!(client.at("textDocument/prepareRename", &parent, &at)["placeholder"], "child");
    let rename = |new: &str| json!({"textDocument": {"uri": parent}, "position": at, "newName": new});
    let edit = client.request("textDocument/rename", &rename("below"));
    let mut changed = Vec::new();
    for operation in edit["documentChanges"].as_array().unwrap() {
        let uri = &operation["textDocument"]["uri"];
        for (known, text) in [(&parent, PARENT), (&other, quoted.as_str()), (&child, CHILD)] {
            if uri == known.as_str() {
                changed.push(applied(text, &operation["edits"]));
            }
        }
    }
    changed.sort();
    let mut wanted = [
        PARENT.replace("recipe: child", "recipe: below"),
        quoted.replace("recipe: 'child'", "recipe: 'below'"),
        CHILD.replace("name: child", "name: below"),
    ];
    wanted.sort();
    assert_eq!(changed, wanted);
    let last = edit["documentChanges"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["kind"], &last["newUri"]), (&json!("rename"), &json!(folder.uri("below.yaml"))));
    for bad in ["parent", "1st", "a/b", "", "true"] {
        assert!(client.ask("textDocument/rename", &rename(bad)).is_err(), "{bad}");
    }
    let context = json!({"includeDeclaration": false});
    let parameters = json!({"textDocument": {"uri": parent}, "position": at, "context": context});
    assert_eq!(client.request("textDocument/references", &parameters).as_array().unwrap().len(), 2);
    let mut plain = Client::new(&folder.path());
    let error = plain.ask("textDocument/rename", &rename("below")).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("rename files"), "{error}");
}

#[test]
fn steps_and_jobs_are_renamed_where_they_are_named() {
    let workflow = "\
on: push
jobs:
  ask:
    runs-on: x
    outputs:
      said: ${{ steps.AI.outputs.text }}
    steps:
      - id: ai
        run: echo one
      - if: steps.ai.outcome == 'success'
        run: echo ${{ steps['ai'].outputs.text }}
  act:
    needs: [ask]
    runs-on: x
    steps:
      - id: ai
        run: echo ${{ needs.ask.outputs.said }}
      - run: echo ${{ steps.ai.outputs.text }}
";
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri(".github/workflows/a.yml");
    client.open(&uri, workflow);
    let mut renamed = |part: &str, nth: usize, further: usize, new: &str| {
        let at = position(workflow, part, nth, further);
        let edit = client
            .ask("textDocument/rename", &json!({"textDocument": {"uri": uri}, "position": at, "newName": new}))?;
        Ok::<_, Value>(applied(workflow, &edit["changes"][&uri]))
    };
    let (first, second) = workflow.split_once("  act:").unwrap();
    let step = first
        .replace("steps.AI", "steps.model")
        .replace("id: ai", "id: model")
        .replace("steps.ai", "steps.model")
        .replace("steps['ai']", "steps['model']");
    let step = format!("{step}  act:{second}");
    for (part, nth, further) in [("id: ai", 0, 5), ("steps.ai", 0, 7), ("steps.AI", 0, 7), ("steps['ai", 0, 8)] {
        assert_eq!(renamed(part, nth, further, "model").unwrap(), step, "{part}");
    }
    let job = workflow.replace("  ask:", "  review:").replace("[ask]", "[review]").replace("needs.ask", "needs.review");
    assert_eq!(renamed("needs.ask", 0, 7, "review").unwrap(), job);
    assert!(renamed("needs.ask", 0, 7, "Act").is_err(), "there is one already");
    let recipe = position(PARENT, "id: show", 0, 5);
    let parent = folder.uri("parent.yaml");
    client.open(&parent, PARENT);
    let edit = client.request(
        "textDocument/rename",
        &json!({"textDocument": {"uri": parent}, "position": recipe, "newName": "print-it"}),
    );
    assert_eq!(applied(PARENT, &edit["changes"][&parent]), PARENT.replace("id: show", "id: print-it"));
}

#[test]
fn definition_of_a_recipe_and_call_hierarchy() {
    let (_folder, mut client, parent, child) = family();
    let definition = client.at("textDocument/definition", &parent, &position(PARENT, "recipe: child", 0, 9));
    assert_eq!(definition[0]["uri"], child.as_str());
    let item = client.at("textDocument/prepareCallHierarchy", &child, &position(CHILD, "child", 0, 1));
    assert_eq!(item[0]["name"], "child");
    let incoming = client.request("callHierarchy/incomingCalls", &json!({"item": item[0]}));
    assert_eq!(incoming[0]["from"]["name"], "parent");
    assert_eq!(slice(PARENT, &incoming[0]["fromRanges"][0]), "child");
    let item = client.at("textDocument/prepareCallHierarchy", &parent, &position(PARENT, "parent", 0, 1));
    let outgoing = client.request("callHierarchy/outgoingCalls", &json!({"item": item[0]}));
    assert_eq!(outgoing[0]["to"]["uri"], child.as_str());
}

#[test]
fn highlights_stay_in_the_document() {
    let (_folder, mut client, parent, _) = family();
    let found = client.at("textDocument/documentHighlight", &parent, &position(PARENT, "output: report", 0, 9));
    let kinds: Vec<u64> = found.as_array().unwrap().iter().map(|one| one["kind"].as_u64().unwrap()).collect();
    assert_eq!(kinds.len(), 5, "{found}");
    assert_eq!(kinds.iter().filter(|kind| **kind == 3).count(), 1, "one is a write");
}

#[test]
fn symbols_of_a_document_and_of_the_workspace() {
    let (_folder, mut client, parent, _) = family();
    let symbols = client.of("textDocument/documentSymbol", &parent);
    let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["topic", "ask", "show", "below"]);
    assert_eq!(symbols[1]["children"][0]["name"], "report");
    let found = client.request("workspace/symbol", &json!({"query": "RETELL"}));
    assert_eq!(found[0]["name"], "retell");
    assert_eq!(found[0]["containerName"], "child");
}

#[test]
fn tokens_mark_agent_text() {
    let (_folder, mut client, parent, _) = family();
    let tokens = client.of("textDocument/semanticTokens/full", &parent);
    let data: Vec<usize> =
        tokens["data"].as_array().unwrap().iter().map(|one| usize::try_from(one.as_u64().unwrap()).unwrap()).collect();
    let (mut line, mut column) = (0, 0);
    let mut marked = Vec::new();
    let mut all = Vec::new();
    for token in data.chunks(5) {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        let text = PARENT.lines().nth(line).unwrap();
        let word = &text[column..column + token[2]];
        all.push(word);
        if token[4] & 1 == 1 {
            marked.push(word);
        }
    }
    assert!(all.contains(&"printf") && all.contains(&"topic"), "{all:?}");
    assert!(marked.iter().any(|word| word.contains("REPORT")), "{marked:?} of {all:?}");
    assert!(!marked.contains(&"topic") && !marked.contains(&"printf"), "{marked:?}");
}

#[test]
fn tokens_lie_each_on_one_line_and_never_overlap() {
    let text = "name: a\ncontext:\n  x: \"\"\nsteps:\n  - id: s\n    command: |\n      awk '{ é = \"😀\"\n        print }\n\n      ' \"$RECIPE_VAR_x\" {{x}} # end\n";
    let (_folder, mut client, uri) = one(text);
    let tokens = client.of("textDocument/semanticTokens/full", &uri);
    let numbers: Vec<u64> = tokens["data"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    let (mut line, mut column, mut end) = (0, 0, 0);
    let mut found = Vec::new();
    for token in numbers.chunks(5) {
        if token[0] > 0 {
            (line, column, end) = (line + token[0], 0, 0);
        }
        column += token[1];
        assert!(column >= end && token[2] > 0, "{token:?} overlaps");
        end = column + token[2];
        let units: Vec<u16> = text.lines().nth(usize::try_from(line).unwrap()).unwrap().encode_utf16().collect();
        let (from, until) = (usize::try_from(column).unwrap(), usize::try_from(end).unwrap());
        found.push(String::from_utf16(&units[from..until]).unwrap());
    }
    assert_eq!(found, ["awk", "'{ é = \"😀\"", "print }", "'", "RECIPE_VAR_x", "{{x}}", "# end"]);
}

#[test]
fn hints_and_lenses() {
    let (_folder, mut client, parent, _) = family();
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let hints = client.request("textDocument/inlayHint", &json!({"textDocument": {"uri": parent}, "range": range}));
    let hint = hints.as_array().unwrap().iter().find(|hint| hint["position"]["line"] == 9);
    assert_eq!(hint.unwrap_or_else(|| panic!("{hints}"))["label"], "agent text");
    let kinds: Vec<(u64, &str)> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| (hint["position"]["line"].as_u64().unwrap(), hint["label"].as_str().unwrap()))
        .filter(|(_, label)| ["agent", "bash", "recipe"].contains(label))
        .collect();
    assert_eq!(kinds, [(4, "agent"), (10, "bash"), (13, "recipe")], "what steps do not say themselves");
    let lenses = client.of("textDocument/codeLens", &parent);
    let titles: Vec<&str> =
        lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["4 readers", "nobody reads this"]);
}

#[test]
fn links_lead_to_files() {
    let (_folder, mut client, parent, child) = family();
    let links = client.of("textDocument/documentLink", &parent);
    assert_eq!(links[0]["target"], child.as_str(), "{links}");
    assert_eq!(slice(PARENT, &links[0]["range"]), "child");
}

#[test]
fn folding_and_selection() {
    let (_folder, mut client, uri) = one(BAD);
    let ranges = client.of("textDocument/foldingRange", &uri);
    let lines: Vec<(u64, u64)> = ranges
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["startLine"].as_u64().unwrap(), one["endLine"].as_u64().unwrap()))
        .collect();
    assert!(lines.contains(&(2, 5)) && lines.contains(&(6, 10)), "{lines:?}");
    let at = position(BAD, "release", 0, 2);
    let parameters = json!({"textDocument": {"uri": uri}, "positions": [at]});
    let mut range = client.request("textDocument/selectionRange", &parameters)[0].clone();
    let mut texts = Vec::new();
    while !range.is_null() {
        texts.push(slice(BAD, &range["range"]).to_owned());
        range = range["parent"].clone();
    }
    assert_eq!(texts.first().map(String::as_str), Some("release"));
    assert_eq!(texts.last().map(String::as_str), Some(BAD));
    assert!(texts.windows(2).all(|pair| pair[1].contains(&pair[0]) && pair[0].len() < pair[1].len()), "{texts:?}");
}

#[test]
fn questions_about_unknown_documents_have_no_answer() {
    let folder = Folder::new(&[]);
    let mut client = Client::new(&folder.path());
    let uri = folder.uri("gone.yaml");
    let at = json!({"line": 0, "character": 0});
    for method in ["hover", "completion", "definition", "documentHighlight", "prepareRename", "signatureHelp"] {
        assert!(client.at(&format!("textDocument/{method}"), &uri, &at).is_null(), "{method}");
    }
    for method in ["documentSymbol", "documentLink", "foldingRange", "codeLens", "semanticTokens/full"] {
        assert!(client.of(&format!("textDocument/{method}"), &uri).is_null(), "{method}");
    }
}
