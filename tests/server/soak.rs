//! Very many edits: the text stays right, the memory bounded, the findings those of a fresh check.
//! `RECIPELINT_SOAK` sets the number of edits.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Value, json};

use super::client::Client;
use super::common::{BAD, Folder};
use super::parity::checked;
use super::texts::{CHILD, PARENT};

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides.max(1) as u64).unwrap()
    }
}

/// What is typed. Some of it breaks the document, which the next edits mend or not.
const PIECES: &[&str] = &[
    "x",
    "\n",
    " ",
    "  - id: more\n    command: date\n",
    "\"",
    "{{report}}",
    "$REPORT",
    "é😀",
    "\r\n",
    ": ",
    "# recipelint: ignore[grep-agent-output]\n",
    "| grep -q yes",
    "",
    "",
    "",
    "",
];

fn position(text: &[char], at: usize) -> Value {
    let mut line = 0;
    let mut column = 0;
    for (index, c) in text[..at].iter().enumerate() {
        let breaks = *c == '\n' || (*c == '\r' && text.get(index + 1) != Some(&'\n'));
        if breaks {
            (line, column) = (line + 1, 0);
        } else if *c != '\r' {
            column += c.len_utf16();
        }
    }
    json!({"line": line, "character": column})
}

#[test]
fn very_many_edits() {
    let edits: usize = std::env::var("RECIPELINT_SOAK").ok().and_then(|number| number.parse().ok()).unwrap_or(100_000);
    let folder = Folder::new(&[("parent.yaml", PARENT), ("child.yaml", CHILD), ("bad.yaml", BAD), (".git/HEAD", "")]);
    let mut client = Client::new(&folder.path());
    let start = [("parent.yaml", PARENT), ("bad.yaml", BAD)];
    let mut mirrors: Vec<Vec<char>> = start.iter().map(|(_, text)| text.chars().collect()).collect();
    let uris: Vec<String> = start.iter().map(|(path, _)| folder.uri(path)).collect();
    for (uri, (_, text)) in uris.iter().zip(start) {
        client.open(uri, text);
    }
    let mut dice = Dice(7);
    let mut memory = Vec::new();
    let mut versions = [1; 2];
    for edit in 0..edits {
        let which = dice.roll(2);
        let (mirror, uri) = (&mut mirrors[which], &uris[which]);
        versions[which] += 1;
        if mirror.len() > 4_000 || dice.roll(400) == 0 {
            *mirror = start[which].1.chars().collect();
            client.change(uri, versions[which], start[which].1);
        } else {
            let mut from = dice.roll(mirror.len() + 1);
            let mut until = (from + dice.roll(4) * dice.roll(3)).min(mirror.len());
            // No position lies between the two characters of a break.
            let inside = |text: &[char], at: usize| at > 0 && text.get(at) == Some(&'\n') && text[at - 1] == '\r';
            from -= usize::from(inside(mirror, from));
            until += usize::from(inside(mirror, until));
            let range = json!({"start": position(mirror, from), "end": position(mirror, until)});
            let piece = PIECES[dice.roll(PIECES.len())];
            client.edit(uri, versions[which], &json!([{"range": range, "text": piece}]));
            mirror.splice(from..until, piece.chars());
        }
        if edit % 500 == 499 {
            // The client waits for the server now and then, as a person would.
            client.of("textDocument/documentSymbol", uri);
            if edit % (edits / 4).max(500) == (edits / 4).max(500) - 1 {
                memory.push(client.memory().unwrap_or_default());
            }
        }
    }
    let mut told = BTreeSet::new();
    for ((uri, (path, _)), (mirror, version)) in uris.iter().zip(start).zip(mirrors.iter().zip(&mut versions)) {
        *version += 1;
        // An edit that changes nothing: what comes for this version rests on all that came before.
        client.edit(
            uri,
            *version,
            &json!([{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": ""}]),
        );
        folder.write(path, mirror.iter().collect::<String>());
    }
    for ((uri, (path, _)), version) in uris.iter().zip(start).zip(versions) {
        for one in client.diagnostics_of(uri, version) {
            let line = one["range"]["start"]["line"].as_u64().unwrap();
            told.insert((one["code"].as_str().unwrap().to_owned(), path.to_owned(), line));
        }
    }
    let fresh: BTreeSet<_> = checked(&folder.path(), &[".", "parent.yaml", "bad.yaml"])
        .into_iter()
        .filter(|(_, path, ..)| path != "child.yaml")
        .map(|(lint, path, line, _)| (lint, path, line))
        .collect();
    let mut report = String::new();
    for kib in &memory {
        let _ = write!(report, " {kib}");
    }
    println!("{edits} edits, resident KiB at each quarter:{report}");
    assert_eq!(told, fresh);
    if let (Some(first), Some(last)) = (memory.first(), memory.last()) {
        assert!(*last < first * 2 + 20_000, "memory grows:{report}");
    }
}
