//! Words, walks, and the engine's here-documents.

use super::super::ast::CommandKind;
use super::super::engine::{HolePlace, engine_heredocs, hole_place};
use super::super::visit;
use super::{bash, template};

#[test]
fn literals() {
    let table: &[(&str, Option<&str>)] = &[
        ("abc", Some("abc")),
        ("a\\ b'c'\"d\"", Some("a bcd")),
        ("'a'\"b c\"$'\\n'", Some("ab c\n")),
        ("\"\"", Some("")),
        ("\"a $b\"", None),
        ("$b", None),
        ("*.txt", None),
        (".[0]", None),
        ("'{{x}}'", None),
        ("{{x}}", None),
    ];
    for (text, literal) in table {
        let script = template(&format!("x {text}"));
        let CommandKind::Simple(simple) = &script.body.items[0].first.commands[0].kind else { panic!("{text}") };
        let word = &simple.words[1];
        assert_eq!(word.literal().as_deref(), *literal, "{text}");
    }
}

#[test]
fn every_command_is_visited() {
    let text = "a \"$(b)\" <(c) `d` ${x:-$(e)} $(( $(f) )) <<E >$(g)\n$(h)\nE\nk() { l; }; m=$(n) o=($(p)) q[$(r)]=s\n\
                [[ $(t) == $(u) ]]; case $(v) in $(w)) x;; esac; for y in $(z); do aa; done; local b=$(bb)";
    let script = bash(text);
    let names: Vec<&str> = visit::commands(&script.body)
        .into_iter()
        .filter_map(|command| match &command.kind {
            CommandKind::Simple(simple) => simple.words.first().map(|word| &text[word.span.range()]),
            _ => None,
        })
        .collect();
    let expected =
        ["a", "b", "c", "d", "e", "f", "h", "g", "l", "n", "p", "r", "t", "u", "v", "w", "x", "z", "aa", "local", "bb"];
    assert_eq!(names, expected);
}

/// The text of a body, and whether its delimiter is quoted and found.
type Seen<'t> = (&'t str, bool, bool);

#[test]
fn heredocs_of_the_engine() {
    let table: &[(&str, &[Seen<'_>])] = &[
        ("cat <<E\na\nE\nb", &[("a\n", false, true)]),
        ("cat <<'E'\na\n  E  \ncat <<-\"F\"\nb\n\tF\n", &[("a\n", true, true), ("b\n", true, true)]),
        ("cat <<  E\na", &[("a", false, false)]),
        ("cat <<\\E\na\nE", &[]),
        ("cat <<'a b'\nc\na b", &[]),
        ("cat <<A-B\na\nA-B\nA\n", &[("a\nA-B\n", false, true)]),
        ("cat <<A <<'B'\na\nA\nb\nB\nc\nA\n", &[("a\nA\nb\n", true, true), ("c\n", false, true)]),
        ("cat <<<word\na\n", &[("a\n", false, false)]),
        ("cat <<< 'w'\na\nw\n", &[("a\n", true, true)]),
        ("cat <<< \"$w\"\na\n", &[]),
        ("x=$((1<<n))\na\nn\nb", &[("a\n", false, true)]),
        ("# see <<X\na\nX", &[("a\n", false, true)]),
        ("cat <<E\ncat <<F\nE\n", &[("cat <<F\n", false, true)]),
        ("cat <<E", &[("", false, false)]),
        ("cat <<E\r\na\r\nE\r\nb", &[("a\r\n", false, true)]),
        ("a << 1\n<<'é'\n<<É\n", &[]),
    ];
    for (text, expected) in table {
        let found = engine_heredocs(text);
        let found: Vec<Seen<'_>> =
            found.iter().map(|each| (&text[each.body.range()], each.quoted, each.closed)).collect();
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn places_of_holes() {
    use HolePlace::{Outside, QuotedBody, UnquotedBody};
    let text = "a {{1}} <<E {{2}}\n{{3}}\nE\n{{4}}\nb <<'F'\n{{5}}\nF\n{{6}}";
    let documents = engine_heredocs(text);
    let places: Vec<HolePlace> =
        (1..=6).map(|number| hole_place(&documents, text.find(&format!("{{{{{number}}}}}")).unwrap())).collect();
    assert_eq!(places, [Outside, Outside, UnquotedBody, Outside, QuotedBody, Outside]);
    assert_eq!(hole_place(&engine_heredocs(""), 0), Outside);
}
