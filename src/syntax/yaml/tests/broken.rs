//! Half-typed and hostile texts.

use std::fmt::Write;

use proptest::prelude::*;

use super::scalars::check_map;
use super::*;

/// The outline of a tree, one line: keys and scalars in JSON's manner.
fn outline(node: &Node) -> String {
    match &node.data {
        Data::Scalar(scalar) => scalar.fragment.text().replace('\n', "\\n"),
        Data::Alias(name) => format!("*{name}"),
        Data::Sequence(items) => format!("[{}]", items.iter().map(outline).collect::<Vec<_>>().join(", ")),
        Data::Mapping(entries) => {
            let entry = |entry: &Entry| format!("{}: {}", outline(&entry.key), outline(&entry.value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

fn recovered(text: &str) -> (String, Vec<String>) {
    let document = parse(text);
    let errors = document.errors.iter().map(|error| text[error.span.range()].to_owned()).collect();
    (document.root.as_ref().map(outline).unwrap_or_default(), errors)
}

#[test]
fn what_stands_around_a_broken_line_is_kept() {
    let good = "name: n\nsteps:\n  - id: a\n    command: |\n      echo\n  - id: b\n    agent: x\n  - id: c\nend: z\n";
    for (after, typed, expected) in [
        (
            "  - id: b\n",
            "    condi\n",
            "{name: n, steps: [{id: a, command: echo\\n}, {id: b, agent: x}, {id: c}], end: z}",
        ),
        (
            "  - id: b\n",
            "    condition: \"\n",
            "{name: n, steps: [{id: a, command: echo\\n}, {id: b, condition: , agent: x}, {id: c}], end: z}",
        ),
        (
            "  - id: b\n",
            "    output: {\n",
            "{name: n, steps: [{id: a, command: echo\\n}, {id: b, output: {}, agent: x}, {id: c}], end: z}",
        ),
        ("  - id: b\n", "    [\n", "{name: n, steps: [{id: a, command: echo\\n}, {id: b, agent: x}, {id: c}], end: z}"),
        (
            "  - id: b\n",
            "    x: {{y}} z\n",
            "{name: n, steps: [{id: a, command: echo\\n}, {id: b, x: {{y: }: }, agent: x}, {id: c}], end: z}",
        ),
        (
            "  - id: b\n",
            "   agent2: \"y\"\n",
            "{name: n, steps: [{id: a, command: echo\\n}, {id: b, agent2: y, agent: x}, {id: c}], end: z}",
        ),
        (
            "    agent: x\n",
            "condi\n",
            "{name: n, steps: [{id: a, command: echo\\n}, {id: b, agent: x}, {id: c}], end: z}",
        ),
        ("steps:\n", "con\n", "{name: n, steps: [{id: a, command: echo\\n}, {id: b, agent: x}, {id: c}], end: z}"),
        (
            "steps:\n",
            " - id: q\n",
            "{name: n, steps: [{id: q}, {id: a, command: echo\\n}, {id: b, agent: x}, {id: c}], end: z}",
        ),
        ("", "nam\n", "{name: n, steps: [{id: a, command: echo\\n}, {id: b, agent: x}, {id: c}], end: z}"),
        ("", "- x\n", "{name: n, steps: [{id: a, command: echo\\n}, {id: b, agent: x}, {id: c}], end: z}"),
    ] {
        let at = good.find(after).unwrap() + after.len();
        let text = [&good[..at], typed, &good[at..]].concat();
        let (tree, errors) = recovered(&text);
        assert_eq!(tree, expected, "{text}");
        assert!(!errors.is_empty(), "{text}");
    }
}

#[test]
fn a_cut_text_keeps_what_was_complete() {
    for (text, expected) in [
        ("name: n\nsteps:\n  - id: a\n  - id: \"b", "{name: n, steps: [{id: a}, {id: }]}"),
        ("name: n\nsteps:\n  - id: a\n    tags: [x, y", "{name: n, steps: [{id: a, tags: [x]}]}"),
        ("name: n\nste", "{name: n}"),
        ("name", "name"),
        ("", ""),
    ] {
        assert_eq!(recovered(text).0, expected, "{text:?}");
    }
}

#[test]
fn errors_show_a_word_or_a_key() {
    for (text, expected) in [
        ("a: 1\nb\nc: 2\n", "b"),
        ("a: b: c\n", ":"),
        ("a: \"x\nb: 1\n", "\"x"),
        ("a: *b\n", "*b"),
        ("a: 1\nbé: 2\na: 3\n", "a"),
        ("a:\n\t- b\n", "-"),
        ("a: 'x' y\n", "y"),
        ("a: [\n", "["),
    ] {
        let errors = recovered(text).1;
        assert_eq!(errors.first().map(String::as_str), Some(expected), "{text:?} {errors:?}");
    }
    let error = &parse("a: 1\n\nb: 2\r\na: 3\n").errors[0];
    assert_eq!(error.message, "the key `a` is already written on line 1 of this mapping");
}

#[test]
fn comments_survive_errors() {
    let text = "# one\na: 1 # two\nb\n# three\nc: | # four\n  x # no comment\n";
    let document = parse(text);
    let comments: Vec<_> =
        document.comments.iter().map(|comment| (&text[comment.span.range()], comment.alone)).collect();
    assert_eq!(comments, [("# one", true), ("# two", false), ("# three", true), ("# four", false)]);
}

#[test]
fn depth_is_bounded_where_the_engine_bounds_it() {
    for (open, close) in [("[", "]"), ("{a: ", "}")] {
        for (depth, refused) in [(MAX_DEPTH, false), (MAX_DEPTH + 1, true), (200, true), (400, true), (10_000, true)] {
            let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let document = parse(&text);
            assert_eq!(!document.errors.is_empty(), refused, "{depth}");
            assert_eq!(engine_error(&text, &document).is_some(), refused);
            if depth < 1_000 {
                assert_eq!(serde_yaml::from_str::<serde_yaml::Value>(&text).is_err(), refused, "{depth}");
            }
        }
    }
    for text in ["- ".repeat(10_000), "? ".repeat(20_000)] {
        let errors = parse(&text).errors;
        assert_eq!(errors.iter().filter(|error| error.message.contains("levels deep")).count(), 1, "{errors:?}");
    }
    let mut block = String::new();
    for depth in 0..2_000 {
        let _ = writeln!(block, "{}k:", " ".repeat(depth));
    }
    assert_eq!(parse(&block).errors.len(), 1);
}

#[test]
fn aliases_are_counted_and_not_expanded() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        let _ = writeln!(bomb, "a{level}: &a{level} [{aliases}]");
    }
    let wide = format!("a: &a [{}]\nb: [{}]\n", "x, ".repeat(3_000), "*a, ".repeat(3_000));
    for text in [bomb, wide] {
        let document = parse(&text);
        assert_eq!(document.errors.len(), 1);
        assert!(document.errors[0].message.contains("more than 100000 values"));
        assert_eq!(engine_error(&text, &document), Some(document.errors[0].clone()));
        let mut nodes = 0;
        let mut open: Vec<&Node> = document.root.iter().collect();
        while let Some(node) = open.pop() {
            nodes += 1;
            open.extend(document.resolve(node).items());
            open.extend(document.resolve(node).entries().iter().flat_map(|entry| [&entry.key, &entry.value]));
        }
        assert!(nodes <= MAX_ALIASED_NODES + 10_000, "{nodes}");
    }
    let deep: String =
        (1..200).fold("a0: &a0 [x]\n".to_owned(), |text, at| format!("{text}a{at}: &a{at} [*a{}]\n", at - 1));
    assert!(parse(&deep).errors[0].message.contains("levels deep"));
    let within = parse("a: &a [*a]\n");
    assert!(within.errors[0].message.contains("inside of what it refers to"));
    assert!(within.anchor("a").unwrap().items()[0].scalar().is_some());
}

#[test]
fn anchors_are_the_last_before_their_alias() {
    let text = "a: &x 1\nb: *x\nc: &x {k: &y [2]}\nd: *x\ne: *y\n";
    let document = parse(text);
    let root = document.root.as_ref().unwrap();
    let resolved = |key: &str| outline(document.resolve(root.get(key).unwrap()));
    assert_eq!([resolved("b"), resolved("d"), resolved("e")], ["1", "{k: [2]}", "[2]"]);
    assert_eq!(outline(document.anchor("x").unwrap()), "{k: [2]}");
    assert!(document.anchor("z").is_none());
}

/// Lines as people leave them while they type.
fn line() -> impl Strategy<Value = String> {
    let content = prop::sample::select(vec![
        "a: 1",
        "a: 2",
        "b:",
        "steps:",
        "- id: x",
        "- ",
        "-",
        "condi",
        "c: \"",
        "d: '",
        "e: {",
        "f: [1,",
        "]",
        "}",
        "g: |",
        "h: >-",
        "text",
        "# note",
        "i: *x",
        "j: &x y",
        "k: {{v}} w",
        "? l",
        ": m",
        "---",
        "...",
        "%YAML 1.2",
        "!!str n",
        "o: p: q",
        "\t- r",
        "s:\tt",
        "~: u",
        "1: v",
        "'q': é",
        "\"esc\\u00e9\": 😀",
        "{a: b}: c",
        "!x y: z",
        "null: w",
        "0x1: v",
    ]);
    (0..5_usize, content).prop_map(|(indent, content)| " ".repeat(2 * indent) + content)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_are_read_as_the_engine_reads_them(
        lines in prop::collection::vec(line(), 0..12), line_break in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let text = lines.join(line_break);
        let document = parse(&text);
        let refused = serde_yaml::from_str::<serde_yaml::Value>(&text).err();
        let said = engine_error(&text, &document);
        prop_assert_eq!(said.is_some(), refused.is_some(), "{:?} {:?} {:?}", text, said, refused);
        for error in document.errors.iter().chain(&said) {
            prop_assert!(text.get(error.span.range()).is_some_and(|shown| !shown.contains(['\n', '\r'])), "{:?}", error);
        }
        let mut open: Vec<&Node> = document.root.iter().collect();
        while let Some(node) = open.pop() {
            prop_assert!(text.get(node.span.range()).is_some());
            if let Some(scalar) = node.scalar() {
                check_map(&text, &scalar.fragment);
            }
            let children = node.items().iter().chain(node.entries().iter().flat_map(|entry| [&entry.key, &entry.value]));
            let mut last = node.span.start;
            for child in children {
                prop_assert!(child.span.start >= last, "children in order: {:?}", text);
                last = child.span.start;
                open.push(child);
            }
        }
    }
}
