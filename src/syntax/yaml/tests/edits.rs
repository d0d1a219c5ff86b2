//! Edits: applied and parsed again, the text is the wanted one and the rest of the tree is as it was.

use std::ops::Range;

use proptest::prelude::*;

use super::scalars::check_map;
use super::*;
use crate::text::Span;

fn apply(text: &str, (span, new): &(Span, String)) -> String {
    [&text[..span.start], new, &text[span.end..]].concat()
}

/// A tree without its places, the scalar at `path` taken out.
fn shape(node: &Node, path: &[usize]) -> String {
    let child = |at: usize, node: &Node| match path.split_first() {
        Some((first, rest)) if *first == at => shape(node, rest),
        _ => shape(node, &[usize::MAX]),
    };
    let here = match &node.data {
        Data::Scalar(_) if path.is_empty() => "THIS".to_owned(),
        Data::Scalar(scalar) => format!("{:?} {:?}", scalar.style, scalar.fragment.text()),
        Data::Alias(name) => format!("*{name}"),
        Data::Sequence(items) => {
            items.iter().enumerate().map(|(at, item)| child(at, item)).collect::<Vec<_>>().join(",")
        }
        Data::Mapping(entries) => {
            let entry =
                |(at, entry): (usize, &Entry)| child(2 * at, &entry.key) + ":" + &child(2 * at + 1, &entry.value);
            entries.iter().enumerate().map(entry).collect::<Vec<_>>().join(",")
        }
    };
    format!("({:?} {:?} {here})", node.tag, node.anchor)
}

fn at<'a>(node: &'a Node, path: &[usize]) -> &'a Node {
    path.iter().fold(node, |node, at| match &node.data {
        Data::Sequence(items) => &items[*at],
        Data::Mapping(entries) if at % 2 == 0 => &entries[at / 2].key,
        Data::Mapping(entries) => &entries[at / 2].value,
        _ => panic!("no child in a scalar"),
    })
}

/// Checks that a replacement makes the scalar at `path` read as `wanted`, and changes nothing else; the new text.
fn check(text: &str, path: &[usize], replacement: &(Span, String), wanted: &str) -> String {
    let before = parse(text);
    let changed = apply(text, replacement);
    let after = parse(&changed);
    let context = format!("{text:?}\n->\n{changed:?}");
    assert_eq!(after.errors, before.errors, "{context}");
    let (old, new) = (before.root.as_ref().unwrap(), after.root.as_ref().unwrap());
    assert_eq!(at(new, path).text(), Some(wanted), "{context}");
    assert_eq!(shape(new, path), shape(old, path), "{context}");
    let comments = |document: &Document, text: &str| {
        document.comments.iter().map(|comment| text[comment.span.range()].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(comments(&after, &changed), comments(&before, text), "{context}");
    check_map(&changed, &at(new, path).scalar().unwrap().fragment);
    changed
}

fn edited(text: &str, path: &[usize], old: &str, new: &str) -> Result<String, EditError> {
    let document = parse(text);
    let scalar = at(document.root.as_ref().unwrap(), path).scalar().unwrap();
    let decoded = scalar.fragment.text();
    let start = decoded.find(old).unwrap();
    let replacement = document.edit(text, scalar, start..start + old.len(), new)?;
    Ok(check(text, path, &replacement, &decoded.replacen(old, new, 1)))
}

fn rewritten(text: &str, path: &[usize], new: &str) -> String {
    let document = parse(text);
    let scalar = at(document.root.as_ref().unwrap(), path).scalar().unwrap();
    check(text, path, &document.rewrite(text, scalar, new).unwrap(), new)
}

#[test]
fn an_edit_keeps_the_style() {
    for (text, old, new, expected) in [
        ("k: |\n    é a\n    b\nz: 1\n", "a\n", "x\n\ny\n", "k: |\n    é x\n\n    y\n    b\nz: 1\n"),
        ("k: |\n  a\n  b\n", "b\n", "b\nc\n", "k: |\n  a\n  b\n  c\n"),
        ("k: |\r\n  a\r\n  b\r\n", "a", "a\nq", "k: |\r\n  a\r\n  q\r\n  b\r\n"),
        ("k: |-\n  a\n\n  b\n\nz: 1\n", "\n\nb", "\n\nc\nb", "k: |-\n  a\n\n  c\n  b\n\nz: 1\n"),
        ("k: |\n  a\n  b\n  c\n", "b\n", "", "k: |\n  a\n  c\n"),
        ("k: >\n  a\n  b\n\n  c\n", "b", "x", "k: >\n  a\n  x\n\n  c\n"),
        ("k: >\n  a\n  b\n\n  c\n", "b", "x\ny", "k: >\n  a\n  x\n\n  y\n\n  c\n"),
        ("k: 'it''s'\n", "s", "s '", "k: 'it''s '''\n"),
        ("k: \"a \\u00e9 b\"\n", "b", "\"\\\n\u{1}", "k: \"a \\u00e9 \\\"\\\\\\n\\x01\"\n"),
        ("k: \"a  \n  b\"\n", "a b", "a c", "k: \"a c\"\n"),
        ("k: a b # c\n", "b", "x y", "k: a x y # c\n"),
        ("k: a\n  b\n", "b", "c", "k: a\n  c\n"),
        ("k: 30\n", "30", "60", "k: 60\n"),
        ("k: [a, 'b']\n", "", "", "k: [a, 'b']\n"),
    ] {
        let path: &[usize] = if text.contains('[') { &[1, 0] } else { &[1] };
        assert_eq!(edited(text, path, old, new).as_deref(), Ok(expected));
    }
}

#[test]
fn what_a_style_cannot_hold_is_refused_by_its_rule() {
    for (text, new, rule) in [
        ("k: a\n", "x: y", "`: `"),
        ("k: a\n", "x #y", "` #`"),
        ("k: a\n", "x\ny", "line break"),
        ("k: a\n", "'x", "indicator"),
        ("k: a\n", " x", "blank"),
        ("k: a\n", "12", "not read as a text"),
        ("k: a\n", "", "not read as a text"),
        ("k: 'a'\n", "x\u{1}", "single quotes"),
        ("k: |\n  a\n", "\r", "block scalar"),
    ] {
        let error = edited(text, &[1], "a", new).unwrap_err();
        assert!(error.to_string().contains(rule), "{new:?}: {error}");
    }
    assert!(edited("k: [a]\n", &[1, 0], "a", "x, y").unwrap_err().to_string().contains("brackets"));
    let document = parse("k: é\n");
    let scalar = at(document.root.as_ref().unwrap(), &[1]).scalar().unwrap();
    assert_eq!(document.edit("k: é\n", scalar, 1..2, ""), Err(EditError::Range));
    assert_eq!(document.edit("k: é\n", scalar, 0..9, ""), Err(EditError::Range));
}

#[test]
fn a_rewrite_takes_a_style_that_can() {
    for (text, path, new, expected) in [
        ("k: a # c\nz: 1\n", vec![1], "x\ny", "k: |- # c\n  x\n  y\nz: 1\n"),
        ("  - k: a\n    z: 1\n", vec![0, 1], "x: 1\n\ny\n", "  - k: |\n      x: 1\n\n      y\n    z: 1\n"),
        ("- a\n- b\n", vec![0], "x\ny\n", "- |\n  x\n  y\n- b\n"),
        ("k: 'a'\r\nz: 1\r\n", vec![1], "x\ny\n", "k: |\r\n  x\r\n  y\r\nz: 1\r\n"),
        ("k: a", vec![1], "x\ny\n", "k: |\n  x\n  y\n"),
        ("k: a", vec![1], "x: y", "k: \"x: y\""),
        ("k: a\n", vec![1], " x\ny", "k: |2-\n   x\n  y\n"),
        ("k: {a: b}\n", vec![1, 1], "x\ny", "k: {a: \"x\\ny\"}\n"),
        ("k: | # c\n  a\nz: 1\n", vec![1], "x\r", "k: \"x\\r\" # c\nz: 1\n"),
        ("a b: 1\n", vec![0], "x: y", "\"x: y\": 1\n"),
        ("k: |\n    a\nz: 1\n", vec![1], "x\n\n", "k: |+\n    x\n\nz: 1\n"),
        ("k: |+\n  a\n\nz: 1\n", vec![1], "x", "k: |-\n  x\nz: 1\n"),
    ] {
        assert_eq!(rewritten(text, &path, new), expected);
    }
}

#[test]
fn values_that_are_not_written_get_their_indicator() {
    for (before, path, text, after) in [
        ("a:\nb: x\n", &[1][..], "one", "a: one\nb: x\n"),
        ("a: # why\nb: x\n", &[1], "one", "a: one # why\nb: x\n"),
        ("a: &n\nb: x\n", &[1], "one", "a: &n one\nb: x\n"),
        ("- \n- b\n", &[0], "one", "-  one\n- b\n"),
        ("-\n- b\n", &[0], "one", "- one\n- b\n"),
        ("{a: , b: x}\n", &[1], "one", "{a: one , b: x}\n"),
        ("{a:, b: x}\n", &[1], "one", "{a: one, b: x}\n"),
        ("{a, b: x}\n", &[1], "one", "{a: one, b: x}\n"),
        ("{a}\n", &[1], "one", "{a: one}\n"),
        ("{\"a\":}\n", &[1], "one two", "{\"a\": one two}\n"),
        ("{\"a\"}\n", &[1], "one", "{\"a\": one}\n"),
        ("{a: , b: x}\n", &[1], "x, y", "{a: \"x, y\" , b: x}\n"),
        ("[{a}, b]\n", &[0, 1], "one", "[{a: one}, b]\n"),
    ] {
        let new = rewritten(before, path, text);
        assert_eq!(parse(&new).errors, [], "{new}");
        if after.contains("-  ") || after.contains("one ,") || after.contains("\" ,") {
            // Where exactly the blanks are does not matter.
            assert_eq!(new.replace(' ', ""), after.replace(' ', ""));
        } else {
            assert_eq!(new, after);
        }
        assert_eq!(at(parse(&new).root.as_ref().unwrap(), path).text(), Some(text), "{new}");
    }
}

fn text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "a", "b c", " ", "\n", "\n", "é", "😀", "\t", "#", ": ", "'", "\"", "\\", "- ", "{{x}}", "[", ",", "\u{1}",
        "\r", "\u{85}",
    ]);
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// Documents with a scalar of each style, and the way to it.
fn place() -> impl Strategy<Value = (String, Vec<usize>)> {
    let scalar = prop::sample::select(vec![
        "plain é",
        "plain\n      over lines",
        "'single'",
        "'it''s\n\n      é'",
        "\"dou\\tble é\"",
        "\"two\n      lines \\\n      é\"",
        "|\n      one\n\n        é two\n      three\n",
        "|-\n        one\n         two\n\n\n",
        "|+ # note\n      é\n\n",
        "|2\n       deep\n      é\n\n",
        ">\n      one\n      two é\n\n      three\n        more\n      end\n",
        ">-\n      one\n\n\n      two\n",
    ]);
    let around = prop::sample::select(vec![
        ("    k: ", "\n    z: 1 # end\n", vec![1]),
        ("- a\n- ", "\n- z\n", vec![1]),
        ("  - id: x\n    k: ", "\n    z: |\n      q\n  - y\n", vec![0, 3]),
        ("- - k: ", "\n    z: é\n", vec![0, 0, 1]),
        ("    k: ", "", vec![1]),
        ("k: &anchor !!str ", "\nz: *anchor\n", vec![1]),
    ]);
    let line_break = prop::sample::select(vec!["\n", "\r\n"]);
    (scalar, around, line_break, any::<bool>()).prop_map(|(scalar, (before, after, path), line_break, bom)| {
        let bom = if bom { "\u{feff}" } else { "" };
        let after = if scalar.ends_with('\n') { after.strip_prefix('\n').unwrap_or_default() } else { after };
        (format!("{bom}{before}{scalar}{after}").replace('\n', line_break), path)
    })
}

fn range(text: &str, from: prop::sample::Index, to: prop::sample::Index) -> Range<usize> {
    let mut offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    offsets.push(text.len());
    let (from, to) = (offsets[from.index(offsets.len())], offsets[to.index(offsets.len())]);
    from.min(to)..from.max(to)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_change_the_text_alone(
        (text, path) in place(), new in text(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(),
    ) {
        let document = parse(&text);
        prop_assert_eq!(&document.errors, &[], "{}", text);
        let scalar = at(document.root.as_ref().unwrap(), &path).scalar().unwrap();
        let decoded = scalar.fragment.text();
        let range = range(decoded, from, to);
        let wanted = [&decoded[..range.start], &new, &decoded[range.end..]].concat();
        match document.edit(&text, scalar, range, &new) {
            Ok(replacement) => {
                let changed = check(&text, &path, &replacement, &wanted);
                let after = parse(&changed);
                prop_assert_eq!(at(after.root.as_ref().unwrap(), &path).scalar().unwrap().style, scalar.style);
            }
            Err(_) => prop_assert!(scalar.style != Style::DoubleQuoted, "double quotes hold anything: {:?} {:?}", text, wanted),
        }
    }

    #[test]
    fn rewrites_hold_any_text((text, path) in place(), new in text()) {
        let document = parse(&text);
        let scalar = at(document.root.as_ref().unwrap(), &path).scalar().unwrap();
        match document.rewrite(&text, scalar, &new) {
            Ok(replacement) => {
                check(&text, &path, &replacement, &new);
            }
            Err(error) => prop_assert!(false, "{}: {:?} {:?}", error, text, new),
        }
    }
}
