//! Every style of scalar against `serde_yaml`, and its map against the file.

use proptest::prelude::*;

use super::*;
use crate::text::{Fragment, Source, Span, Unit};

/// What this parser refuses and the engine does not: the tree then has an error, and [`engine_error`] none.
const STRICTER: [&str; 2] = ["wrongly indented line in block scalar", "comments must be separated from other tokens"];

/// Both directions of a fragment's map.
pub fn check_map(text: &str, fragment: &Fragment) {
    let decoded = fragment.text();
    let mut at = 0;
    let mut source = fragment.span().start;
    for piece in fragment.pieces() {
        assert_eq!(piece.decoded, at, "no gaps");
        assert!(piece.source.start >= source && piece.source.end <= fragment.span().end, "in order");
        at += piece.decoded_len;
        source = piece.source.end;
        if piece.verbatim {
            assert_eq!(&text[piece.source.range()], &decoded[piece.decoded..piece.decoded + piece.decoded_len]);
        }
    }
    assert_eq!(at, decoded.len(), "the map covers the text");
    for (offset, character) in decoded.char_indices() {
        let place = fragment.locate(offset..offset + character.len_utf8());
        assert_eq!(fragment.offset_of(place.start), Some(offset), "{character:?} of {decoded:?}");
        if !matches!(character, ' ' | '\n') {
            let written = &text[place.range()];
            assert!(written == character.to_string() || written == "''" || written.starts_with('\\'), "{written:?}");
        }
    }
}

fn scalars(node: &Node) -> Vec<&Scalar> {
    let mut found = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match &node.data {
            Data::Scalar(scalar) => found.push(scalar),
            Data::Sequence(items) => open.extend(items),
            Data::Mapping(entries) => open.extend(entries.iter().flat_map(|entry| [&entry.key, &entry.value])),
            Data::Alias(_) => {}
        }
    }
    found
}

/// The value of `key`, which both parsers must read alike; `None` where both refuse the text.
fn value_of_key(text: &str) -> Option<Node> {
    let document = parse(text);
    if let Some(root) = &document.root {
        for scalar in scalars(root) {
            check_map(text, &scalar.fragment);
        }
    }
    let refused = engine_error(text, &document);
    match serde_yaml::from_str::<serde_yaml::Value>(text.trim_start_matches('\u{feff}')) {
        Ok(value) => {
            if document.errors.iter().any(|error| STRICTER.iter().any(|rule| error.message.contains(rule))) {
                return None;
            }
            assert_eq!(document.errors, [], "{text:?}");
            assert!(text.starts_with('\u{feff}') || refused.is_none(), "{refused:?} {text:?}");
            let node = document.root.as_ref().and_then(|root| root.get("key")).cloned();
            let read = value.get("key").and_then(|value| value.as_str());
            if let (Some(node), Some(read)) = (&node, read) {
                assert_eq!(node.text(), Some(read), "{text:?}");
            }
            node
        }
        Err(error) => {
            assert!(refused.is_some(), "{error} {text:?}");
            None
        }
    }
}

fn line_break() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r")]
}

fn line() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => Just("a"), 2 => Just(" "), 2 => Just("é"), 2 => Just("😀"), 1 => Just("\t"), 1 => Just("#"), 1 => Just(":"),
        1 => Just("-"), 1 => Just("b c"), 1 => Just("\""), 1 => Just("'"),
    ];
    prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

fn lines(indent: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec((indent, line()).prop_map(|(indent, line)| " ".repeat(indent) + &line), 0..6)
}

fn document(before: &str, scalar: &str, after: &str, line_break: &str, bom: bool) -> String {
    let bom = if bom { "\u{feff}" } else { "" };
    format!("{bom}first: é\n{before}key: {scalar}{after}").replace('\n', line_break)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn block_scalars(
        header in prop::sample::select(vec!["|", ">", "|-", ">-", "|+", ">+", "|2", ">2", "|1-", ">-3", "|+1", ">  # x"]),
        lines in lines(0..5), ends in any::<bool>(), after in prop::sample::select(vec!["", "next: 1\n", "\n\n# c\n"]),
        line_break in line_break(), bom in any::<bool>(),
    ) {
        let body: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
        let end = if ends || !after.is_empty() { "\n" } else { "" };
        let text = document("", &format!("{header}\n{}{end}", body.join("\n")), after, line_break, bom);
        let node = value_of_key(&text);
        let block = |scalar: &&Scalar| matches!(scalar.style, Style::Literal | Style::Folded);
        if let Some(scalar) = node.as_ref().and_then(Node::scalar).filter(block) {
            prop_assert!(text[scalar.fragment.span().range()].starts_with(['|', '>']));
        }
    }

    #[test]
    fn plain_scalars(lines in lines(0..3), line_break in line_break(), bom in any::<bool>()) {
        let text = document("", &lines.join("\n  "), "\nnext: 1\n", line_break, bom);
        value_of_key(&text);
    }

    #[test]
    fn single_quoted_scalars(lines in lines(0..3), line_break in line_break(), bom in any::<bool>()) {
        let inner = lines.join("\n  ").replace('\'', "''");
        let text = document("", &format!("'{inner}'"), "\nnext: 1\n", line_break, bom);
        prop_assert!(value_of_key(&text).is_some());
    }

    #[test]
    fn double_quoted_scalars(
        parts in prop::collection::vec(prop_oneof![
            line().prop_map(|line| line.replace('"', "\\\"")),
            prop::sample::select(vec![
                "\\n", "\\\\", "\\\"", "\\t", "\\x41", "\\u00e9", "\\U0001F600", "\\N", "\\_", "\\L", "\\P", "\\ ", "\\/",
                "\\0", "\\e", "\n  ", "\n\n  ", " \\\n  ", "\\\n\n\n   ", "\t\n\t ",
            ]).prop_map(str::to_owned),
        ], 0..8),
        line_break in line_break(), bom in any::<bool>(),
    ) {
        let text = document("", &format!("\"{}\"", parts.concat()), "\nnext: 1\n", line_break, bom);
        prop_assert!(value_of_key(&text).is_some());
    }
}

#[test]
fn a_mark_in_the_third_line_is_where_it_stands() {
    for (name, text, column) in [
        ("literal", "n: ü\nkey: |\n  ärger 😀\n\n  é x MARK y\nz: 1\n", 6),
        ("literal in a list", "k:\n  - key: |2-\n       ä\n      é\n        😀 MARK\n", 10),
        ("folded", "n: ü\nkey: >-\n  ärger 😀\n  two\n  é x MARK y\nz: 1\n", 6),
        ("plain", "n: ü\nkey: ärger 😀\n  two\n    é x MARK y\nz: 1\n", 8),
        ("single", "n: ü\nkey: 'it''s 😀\n  two\n\n  é x MARK y'\nz: 1\n", 6),
        ("double", "n: ü\nkey: \"\\u00e4 😀\n  two\n\n  é \\t MARK y\"\nz: 1\n", 7),
        ("double escaped", "n: ü\nkey: \"\\u00e4 😀\\\n  two \\\n   é MARK\\\n  \"\nz: 1\n", 5),
    ] {
        for (line_break, bom) in [("\n", ""), ("\r\n", ""), ("\n", "\u{feff}"), ("\r", "")] {
            let text = format!("{bom}{text}").replace('\n', line_break);
            let source = Source::new("x.yaml", text.as_str());
            let document = parse(&text);
            assert_eq!(document.errors, [], "{name}");
            let found =
                document.root.iter().flat_map(|root| scalars(root)).find(|s| s.fragment.text().contains("MARK"));
            let fragment = &found.unwrap().fragment;
            let at = fragment.text().find("MARK").unwrap();
            let span = fragment.locate(at..at + 4);
            assert_eq!(source.slice(span), "MARK", "{name}");
            let expected = text.find("MARK").unwrap();
            assert_eq!(source.position(span.start, Unit::Utf32), source.position(expected, Unit::Utf32), "{name}");
            assert_eq!(source.position(span.start, Unit::Utf32).column, column, "{name}");
        }
    }
}

#[test]
fn a_block_scalar_at_the_end_of_the_file_gets_no_line_feed() {
    for (text, expected) in
        [("key: |", ""), ("key: |\n  a", "a"), ("key: |+\n  a\n\n", "a\n\n"), ("key: >\n  a\n  b", "a b")]
    {
        assert_eq!(value_of_key(text).unwrap().text(), Some(expected), "{text:?}");
    }
}

#[test]
fn a_document_may_be_one_block_scalar() {
    for (source, first) in
        [("|\n  a\n  b\n", 4), (" |\n  a\n  b\n", 5), ("# c\n>\n  a\n\n  b\n", 8), ("--- |\n  a\n  b\n", 8)]
    {
        let document = parse(source);
        let scalar = document.root.as_ref().and_then(Node::scalar).expect("a scalar");
        assert_eq!(scalar.fragment.text(), "a\nb\n", "{source:?}");
        assert_eq!(scalar.fragment.locate(0..1), Span::new(first, first + 1), "{source:?}");
    }
}
