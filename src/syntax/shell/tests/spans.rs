//! Every node's place in the text.

use proptest::prelude::*;

use super::super::ast::{AndOr, Command, CommandKind, List, PartKind, Script, Word, WordPart};
use super::super::{Holes, Options, parse, visit};
use super::{bash, template};
use crate::text::Span;

/// Texts of all nodes of one kind, in the order of the walk.
fn slices<'t>(text: &'t str, script: &Script, pick: fn(&mut Vec<Span>, Node<'_>)) -> Vec<&'t str> {
    let mut found = Collector(Vec::new(), pick);
    visit::list(&script.body, &mut found);
    found.0.into_iter().map(|span| &text[span.range()]).collect()
}

enum Node<'a> {
    Command(&'a Command),
    Word(&'a Word),
    Part(&'a WordPart),
}

struct Collector(Vec<Span>, fn(&mut Vec<Span>, Node<'_>));

impl<'a> visit::Visitor<'a> for Collector {
    fn command(&mut self, command: &'a Command) {
        (self.1)(&mut self.0, Node::Command(command));
    }
    fn word(&mut self, word: &'a Word) {
        (self.1)(&mut self.0, Node::Word(word));
    }
    fn part(&mut self, part: &'a WordPart) {
        (self.1)(&mut self.0, Node::Part(part));
    }
}

#[test]
fn commands() {
    let text = "if  a b >c; then\n  d | e \"$(f  g)\" &\nelse (h; i) 2>&1; fi # j\nk() { l; }; X=1 m <<E | n\n$(o)\nE\n[[ p ]] && ((q))";
    let found = slices(text, &bash(text), |spans, node| {
        if let Node::Command(command) = node {
            spans.push(command.span);
        }
    });
    let expected = [
        "if  a b >c; then\n  d | e \"$(f  g)\" &\nelse (h; i) 2>&1; fi",
        "a b >c",
        "d",
        "e \"$(f  g)\"",
        "f  g",
        "(h; i) 2>&1",
        "h",
        "i",
        "k() { l; }",
        "{ l; }",
        "l",
        "X=1 m <<E",
        "o",
        "n",
        "[[ p ]]",
        "((q))",
    ];
    assert_eq!(found, expected);
}

#[test]
fn words() {
    let text =
        "é=ü a\\ b'c' \"d $e\" >f <<<\"g\" ${h:-i j} k=(l) $((m + 1))\ncase n in o*|p) ;; esac; [[ q == \"r\" ]]";
    let found = slices(text, &bash(text), |spans, node| {
        if let Node::Word(word) = node {
            spans.push(word.span);
        }
    });
    let expected = [
        "é=ü",
        "a\\ b'c'",
        "\"d $e\"",
        "${h:-i j}",
        "i j",
        "k=",
        "$((m + 1))",
        "f",
        "\"g\"",
        "n",
        "o*",
        "p",
        "q",
        "\"r\"",
    ];
    // `k=(` is an error among arguments, and what follows it is read on.
    assert_eq!(found.iter().filter(|text| **text != "m + 1").copied().collect::<Vec<_>>(), expected);
}

#[test]
fn parts() {
    let text = "a\"b $c {{d}}\"'e'$'f'${g%h}`i`$((j))*{k,l} <(m)~\n{{n}}x";
    let found = slices(text, &template(text), |spans, node| {
        if let Node::Part(part) = node {
            spans.push(part.span);
        }
    });
    let expected = [
        "a",
        "\"b $c {{d}}\"",
        "b ",
        "$c",
        " ",
        "{{d}}",
        "'e'",
        "$'f'",
        "${g%h}",
        "h",
        "`i`",
        "i",
        "$((j))",
        "j",
        "*",
        "{k,l}",
        "<(m)",
        "m",
        "~",
        "{{n}}",
        "x",
    ];
    assert_eq!(found, expected);
}

#[test]
fn inside_backquotes() {
    let text = "a `b \\`c \"\\$d\"\\` e`";
    let found = slices(text, &bash(text), |spans, node| match node {
        Node::Part(part) if matches!(part.kind, PartKind::Literal(_) | PartKind::Parameter(_)) => spans.push(part.span),
        _ => {}
    });
    assert_eq!(found, ["a", "b", "c", "\\$d", "e"]);
}

#[test]
fn bodies_and_comments() {
    let text = "a <<E <<-'F' # one\nb $c\nE\n\td\n\tF\n#two\n";
    let script = bash(text);
    let comments: Vec<&str> = script.comments.iter().map(|span| &text[span.range()]).collect();
    assert_eq!(comments, ["# one", "#two"]);
    let found = slices(text, &script, |spans, node| {
        if let Node::Word(word) = node {
            spans.push(word.span);
        }
    });
    assert_eq!(found, ["a", "b $c\n", "\td\n"]);
}

/// Children lie inside their parents, in order, on whole characters.
fn check(text: &str, script: &Script) {
    let whole = Span::new(0, text.len());
    for span in script.comments.iter().chain(script.errors.iter().map(|error| &error.span)) {
        assert!(whole.covers(*span) && text.get(span.range()).is_some(), "{span:?} of {text:?}");
    }
    check_list(text, &script.body, whole);
    let mut nodes = Collector(Vec::new(), |spans, node| match node {
        Node::Command(command) => spans.push(command.span),
        Node::Word(word) => {
            let mut end = word.span.start;
            for part in &word.parts {
                assert!(part.span.start >= end && word.span.covers(part.span), "{word:?}");
                end = part.span.end;
            }
            spans.push(word.span);
        }
        Node::Part(part) => {
            if let PartKind::DoubleQuoted(parts) | PartKind::SingleQuotedWithHoles(parts) = &part.kind {
                let mut end = part.span.start;
                for inner in parts {
                    assert!(inner.span.start >= end && part.span.covers(inner.span), "{part:?}");
                    end = inner.span.end;
                }
            }
            spans.push(part.span);
        }
    });
    visit::list(&script.body, &mut nodes);
    for span in nodes.0 {
        assert!(whole.covers(span) && text.get(span.range()).is_some(), "{span:?} of {text:?}");
    }
}

fn check_list(text: &str, list: &List, outer: Span) {
    assert!(outer.covers(list.span), "{:?} in {outer:?} of {text:?}", list.span);
    let mut end = list.span.start;
    for AndOr { first, rest, span, .. } in &list.items {
        assert!(list.span.covers(*span) && span.start >= end, "{span:?} of {text:?}");
        end = span.end;
        for pipeline in std::iter::once(first).chain(rest.iter().map(|(_, pipeline)| pipeline)) {
            assert!(span.covers(pipeline.span), "{pipeline:?} in {span:?} of {text:?}");
            let mut end = pipeline.span.start;
            for command in &pipeline.commands {
                assert!(pipeline.span.covers(command.span) && command.span.start >= end, "{command:?} of {text:?}");
                end = command.span.end;
                check_command(text, command);
            }
        }
    }
}

fn check_command(text: &str, command: &Command) {
    let inside = |list: &List| check_list(text, list, command.span);
    match &command.kind {
        CommandKind::Simple(simple) => {
            for span in simple.words.iter().map(|word| word.span).chain(simple.assignments.iter().map(|each| each.span))
            {
                assert!(command.span.covers(span), "{span:?} in {command:?} of {text:?}");
            }
        }
        CommandKind::If(node) => {
            node.branches.iter().for_each(|(condition, body)| {
                inside(condition);
                inside(body);
            });
            node.otherwise.iter().for_each(inside);
        }
        CommandKind::While(node) => {
            inside(&node.condition);
            inside(&node.body);
        }
        CommandKind::For(node) => inside(&node.body),
        CommandKind::ArithmeticFor(node) => inside(&node.body),
        CommandKind::Case(node) => node.arms.iter().for_each(|arm| {
            assert!(command.span.covers(arm.span), "{arm:?} of {text:?}");
            inside(&arm.body);
        }),
        CommandKind::Subshell(body) | CommandKind::Group(body) => inside(body),
        CommandKind::Function(node) => {
            assert!(command.span.covers(node.body.span), "{command:?} of {text:?}");
            check_command(text, &node.body);
        }
        CommandKind::Coproc(inner) => check_command(text, inner),
        CommandKind::Arithmetic(_) | CommandKind::Test(_) | CommandKind::Unreadable => {}
    }
}

/// Pieces that meet in every order.
const PIECES: &[&str] = &[
    "a",
    "b=",
    "é",
    " ",
    " ",
    "\n",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "{{x}}",
    "${{ y }}",
    "[[",
    "]]",
    "[",
    "]",
    "$",
    "${",
    "$(",
    "$((",
    "`",
    "\\",
    "'",
    "\"",
    "<",
    ">",
    "<<E",
    "\nE\n",
    "<<'F'",
    "\nF\n",
    "<(",
    "*",
    "?",
    "@(",
    "!",
    "#",
    "~",
    "=",
    "if ",
    "then ",
    "fi ",
    "while ",
    "do ",
    "done ",
    "for ",
    "in ",
    "case ",
    "esac ",
    "function ",
    "f()",
    "time ",
    "coproc ",
    "=~ ",
    ";;",
    "-f ",
    "2",
    "\r\n",
    "\t",
    "$'",
    "$x",
    ":-",
    "/",
    "%",
    "\0",
    "\u{1f600}",
    "declare ",
    "x=(",
    "elif ",
    "else ",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_nest_in_any_text(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        let text = pieces.concat();
        for holes in [Holes::None, Holes::Template, Holes::Expression] {
            check(&text, &parse(&text, Options { holes }));
        }
    }

    #[test]
    fn any_characters_are_read(text in any::<String>()) {
        check(&text, &template(&text));
    }
}
