//! Deep, long and hostile texts.

use std::thread;

use super::super::{MAX_BYTES, MAX_DEPTH};
use super::{bash, template};

/// Openings, and what closes each.
const NESTS: &[(&str, &str)] = &[
    ("$(", ")"),
    ("(", ")"),
    ("((", "))"),
    ("\"$(", ")\""),
    ("${x:-", "}"),
    ("\"${x:-", "}\""),
    ("if a; then ", "; fi"),
    ("if ", "; then b; fi"),
    ("{ ", "; }"),
    ("case x in a) ", ";; esac"),
    ("while ", "; do b; done"),
    ("for x in y; do ", "; done"),
    ("f() { ", "; }"),
    ("`", "`"),
    ("$((", "))"),
    ("<(", ")"),
    ("<((", "))"),
    ("a[", "]"),
    ("${a[", "]}"),
    ("$[", "]"),
    ("[[ ( ", ") ]]"),
    ("[[ a == @(", ") ]]"),
    ("a=(", ")"),
    ("echo (", ")"),
    ("a <<E $(", ")\nE\n"),
    ("cat <<E\n$(", ")\nE\n"),
    ("!", ""),
    ("! ", ""),
    ("[[ ! ", " ]]"),
    ("a && ", ""),
    ("[[ a && ", " ]]"),
    ("coproc ", ""),
    ("{{x}}", ""),
    ("{", "}"),
    ("[", "]"),
    ("\"", ""),
    ("'", ""),
    ("\"\n", ""),
    ("${x\n", ""),
    ("$((\n", ""),
    ("$(( (\n", ""),
    ("`\n", ""),
    ("a <<E\n", ""),
    ("$(a <<E\n", ""),
    ("\\`", ""),
    ("`\\`", ""),
];

/// Runs on a stack as small as that of a worker thread.
fn on_small_stack(check: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(2 << 20).spawn(check).unwrap().join().unwrap();
}

#[test]
fn deep_nesting_ends() {
    on_small_stack(|| {
        for (open, close) in NESTS {
            for depth in [MAX_DEPTH - 1, 10_000] {
                let text = open.repeat(depth);
                drop(bash(&text));
                let text = format!("{text}a{}", close.repeat(depth));
                drop(bash(&text));
                drop(template(&text).clone());
            }
        }
    });
}

#[test]
fn mixed_nesting_at_the_limit_fits_the_stack() {
    on_small_stack(|| {
        let open = "if a \"${x:-$(for y in z; do case w in v) f() { [[ ( a == $(";
        let close = ") ) ]]; };; esac; done)}\"; then c; fi";
        let text = format!("{}b{}", open.repeat(60), close.repeat(60));
        let script = bash(&text);
        assert!(script.errors.iter().any(|error| error.message.contains("nested too deeply")), "{:?}", script.errors);
    });
}

#[test]
fn nesting_up_to_the_limit_is_read() {
    let depth = MAX_DEPTH - 1;
    let text = format!("{}a{}", "$(".repeat(depth), ")".repeat(depth));
    assert_eq!(bash(&text).errors, []);
    let text = format!("{}a{}", "{ ".repeat(depth), "; }".repeat(depth));
    assert_eq!(bash(&text).errors, []);
}

#[test]
fn too_deep_is_one_error() {
    let text = format!("echo before\n{}a{}", "$(".repeat(1000), ")".repeat(1000));
    let script = bash(&text);
    assert_eq!(script.errors.len(), 1);
    assert!(script.errors[0].message.contains("nested too deeply"));
    assert_eq!(script.body.items.len(), 2);
}

#[test]
fn the_longest_script_is_read() {
    let line = "printf '%s\\n' \"${value:-none}\" | grep -q x && echo {{found}} # note\n";
    let text = line.repeat(MAX_BYTES / line.len());
    let script = template(&text);
    assert_eq!(script.errors, []);
    assert_eq!(script.body.items.len(), MAX_BYTES / line.len());
    let script = template(&line.repeat(MAX_BYTES / line.len() + 1));
    assert_eq!(script.errors.len(), 1);
    assert!(script.errors[0].message.contains("longer than"));
    assert_eq!(script.body.items, []);
}

#[test]
fn long_hostile_texts_take_linear_time() {
    for (open, _) in NESTS {
        drop(template(&open.repeat(20_000 / open.len())));
    }
    for text in
        ["\"a\n", "'a\n", "${a\n", "$((a\n", "((a) ", "((a) b); ", "$((a) b); ", "<<E ", "${{ ' ", "{a,", "[a", "@(a\n"]
    {
        drop(bash(&text.repeat(20_000 / text.len())));
    }
}
