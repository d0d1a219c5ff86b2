#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;

mod broken;
mod edits;
mod scalars;

#[test]
fn spans_and_aliases() {
    let text = "# top\nname: x # side\nsteps:\n- &a\n  id: *b\n- *a\n";
    let document = parse(text);
    assert_eq!(document.errors.len(), 1);
    let root = document.root.as_ref().unwrap();
    assert_eq!(&text[root.entry("name").unwrap().span().range()], "name: x");
    assert_eq!(document.anchor("a").unwrap().entries().len(), 1);
    let alias = &root.get("steps").unwrap().items()[1];
    assert!(document.resolve(alias).is_mapping());
}

#[test]
fn what_the_engine_refuses() {
    for text in [
        "a: 1\na: 2\n",
        "a:\n  - b: 1\n    b: 2\n",
        "a: b: c",
        "\u{feff}a: 1\nb: 2\n",
        "a: *x",
        "---\na: 1\n---\nb: 2\n",
        "a: \"",
    ] {
        assert!(engine_error(text, &parse(text)).is_some(), "{text:?}");
    }
    for text in ["", "a: 1\nb: 2\n", "x: {{y}}\n", "a: &b [1]\nc: *b\n"] {
        assert_eq!(engine_error(text, &parse(text)), None, "{text:?}");
    }
}
