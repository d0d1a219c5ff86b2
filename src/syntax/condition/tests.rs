#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn context() -> Value {
    json!({
        "status": "ok", "count": 3, "flag": true, "off": false, "empty": "",
        "obj": {"verdict": "PASS", "n": 2, "nested": {"deep": "yes"}, "list": [1, 2]},
        "items": ["alpha", "beta"], "my-var": "dash", "text": "Work is NOT_DONE yet", "num_text": "7", "zero": 0,
        "pi": 2.5, "nul": null, "eo": {}, "el": []
    })
}

fn outcome(condition: &Condition, context: &Value) -> String {
    match evaluate(condition, context) {
        Ok(truth) => truth.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn agrees_with_the_engine() {
    let context = context();
    let rows = include_str!("measured.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for (text, expected) in rows.map(|row| row.split_once('\t').unwrap()) {
        let text: String = serde_json::from_str(text).unwrap();
        let condition = parse(&text);
        assert_eq!(outcome(&condition, &context), expected, "{text:?}");
        if let Some(truth) = condition.constant {
            assert_eq!(truth.to_string(), expected, "constant of {text:?}");
        }
        if condition.error.is_some() {
            assert!(evaluate(&condition, &context).is_err(), "static error of {text:?}");
        }
        count += 1;
    }
    assert!(count > 250);
}

#[test]
fn limits_are_the_engines() {
    let nested = |levels: usize| format!("{}flag{}", "(".repeat(levels), ")".repeat(levels));
    assert_eq!(parse(&nested(32)).error, None);
    let error = parse(&nested(33)).error.unwrap();
    assert_eq!(error.to_string(), "Parse error: condition expression too deeply nested (max 32 levels)");
    assert_eq!(error.span, Span::new(32, 33));
    let beside = vec![nested(30); 40].join(" and ");
    assert_eq!(parse(&beside).error, None);

    let long = |length: usize| format!("'{}'", "é".repeat(length / 2 - 1));
    assert_eq!(parse(&long(8192)).error, None);
    let error = parse(&long(8194)).error.unwrap();
    assert_eq!(error.to_string(), "Parse error: condition expression too long (8194 bytes, max 8192)");
}

#[test]
fn deep_nesting_that_the_engine_has_no_limit_for_is_an_error_of_its_own() {
    for (opening, closing) in [("[", "]"), ("int(", ")"), ("not ", ""), ("a.strip(", ")")] {
        let nested = |levels: usize| format!("{}'1'{}", opening.repeat(levels), closing.repeat(levels));
        assert_eq!(parse(&nested(100)).error, None, "{opening}");
        assert_eq!(parse(&nested(900)).error.unwrap().kind, ErrorKind::Limit, "{opening}");
    }
}

#[test]
fn texts_that_grow_without_bound_are_not_built() {
    let bomb = format!("'a'{} == 'x'", ".replace('a', 'aaaaaaaaaaaaaaaa')".repeat(200));
    let condition = parse(&bomb);
    assert_eq!((condition.constant, condition.error.clone()), (None, None));
    assert_eq!(evaluate(&condition, &json!({})).unwrap_err().kind, ErrorKind::Limit);
    let bomb = format!("'a'{}", ".join('aaaaaaaaaaaaaaaa'.split('a'))".repeat(200));
    assert_eq!(parse(&bomb).constant, None);
}

#[test]
fn tokens_that_are_never_read_are_shown() {
    for (text, rest) in [
        ("a == 'x' AND b == 'y'", Some("AND b == 'y'")),
        ("count -1 ", Some("-1")),
        ("abs(count) == 3", Some("(count) == 3")),
        ("status is None", Some("is None")),
        ("a == 'x' == 'y'", Some("== 'y'")),
        ("a, b", Some(", b")),
        ("a)", Some(")")),
        ("1e3 > count", Some("e3 > count")),
        ("a == 'x' and b == 'y'", None),
        ("a.b.c['d'][0] ", None),
        ("count-1", Some("-1")),
        ("a == 'x' $ b", None),
        ("a ==", None),
    ] {
        assert_eq!(parse(text).rest.map(|span| &text[span.range()]), rest, "{text}");
    }
}

#[test]
fn errors_stand_at_their_token() {
    for (text, place) in [
        ("status = 'ok'", "="),
        ("a == 'x' && b === 'y'", "="),
        ("a == 'open", "'open"),
        ("a == 'open\nnext", "'open"),
        ("n > 1.2.3", "1.2.3"),
        ("a == )", ")"),
        ("obj.0", "0"),
        ("s.capitalize() == 'X'", "capitalize"),
        ("obj['__x'] == 1", "'__x'"),
        ("obj.__class__", "__class__"),
        ("a and __x", "__x"),
        ("list[1.5]", "1.5"),
        ("list[x]", "x"),
        ("max(n) == 1", "max(n)"),
        ("n == int('x')", "int('x')"),
        ("['a'].lower() == 'a'", ".lower()"),
        ("été == 'x'", "é"),
    ] {
        let error = parse(text).error.unwrap_or_else(|| panic!("{text} has no error"));
        assert_eq!(&text[error.span.range()], place, "{text}: {error}");
    }
    let end = parse("status ==  ").error.unwrap();
    assert_eq!((end.span, end.message.as_str()), (Span::at(9), "unexpected end of expression"));
}

#[test]
fn what_no_value_changes_is_constant() {
    for (text, constant) in [
        ("'x' == 'x'", Some(true)),
        ("true", Some(true)),
        ("[]", Some(false)),
        ("a or true", Some(true)),
        ("a and false", Some(false)),
        ("a and true", None),
        ("not (a and false)", Some(true)),
        ("len((items)) == 2", None),
        ("int(3) == 0", Some(true)),
        ("'abc'.find('z')", Some(true)),
        ("a == 'x'", None),
        ("a == a", None),
        ("a in []", None),
    ] {
        assert_eq!(parse(text).constant, constant, "{text}");
    }
}

fn reads(text: &str) -> Vec<String> {
    let condition = parse(text);
    condition
        .reads()
        .iter()
        .map(|read| {
            assert_eq!(&text[read.name_span.range()], read.name);
            let fields: Vec<_> = read.fields().collect();
            format!("{} [{}] {}", &text[read.span.range()], read.name, fields.join("."))
        })
        .collect()
}

#[test]
fn names_are_found_with_their_fields() {
    assert_eq!(
        reads("r-a1.goal['x y'][0].z == 'a' or ', '.join(items) in (other.lower(arg.f)) and min(n, obj.m) > true"),
        [
            "r-a1.goal['x y'][0].z [r-a1] goal.x y",
            "items [items] ",
            "other.lower(arg.f) [other] ",
            "arg.f [arg] f",
            "n [n] ",
            "obj.m [obj] m",
        ]
    );
    assert_eq!(reads("a.b == 'x' AND never.read"), ["a.b [a] b"]);
}

#[test]
fn half_typed_text_keeps_what_was_read() {
    assert_eq!(reads("a.b == 'x' and obj."), ["a.b [a] b", "obj. [obj] "]);
    assert_eq!(reads("a.b == "), ["a.b [a] b"]);
    assert_eq!(reads("(a or b"), ["a [a] ", "b [b] "]);
    assert_eq!(reads("a.startswith("), ["a.startswith( [a] "]);
    assert_eq!(reads("a == 'x' and b == 'unclosed"), ["a [a] ", "b [b] "]);
    assert_eq!(parse("").expr, None);
    assert!(!parse("a == ").expr.unwrap().complete);
}

#[test]
fn the_tree_keeps_operators_and_literals_with_their_places() {
    let text = "not ('PARTIAL' not in r.status) or n >= 2";
    let expr = parse(text).expr.unwrap();
    let ExprKind::Or(operands) = &expr.kind else { panic!("{expr:?}") };
    let ExprKind::Not(group) = &operands[0].kind else { panic!("{expr:?}") };
    let ExprKind::Compare(left, operator, right) = &group.unwrapped().kind else { panic!("{expr:?}") };
    assert_eq!((operator.value, &text[operator.span.range()]), (Comparison::NotIn, "not in"));
    assert_eq!((&left.kind, &text[left.span.range()]), (&ExprKind::String("PARTIAL".into()), "'PARTIAL'"));
    assert_eq!(&text[right.span.range()], "r.status");
    assert_eq!(right.as_read().unwrap().name, "r");
    assert_eq!(&text[operands[1].span.range()], "n >= 2");
    assert_eq!(expr.span, Span::new(0, text.len()));
}

#[test]
fn what_is_missing_lies_in_the_node_that_lacks_it() {
    let expr = parse("not .strip(").expr.unwrap();
    let ExprKind::Not(operand) = &expr.kind else { panic!("{expr:?}") };
    assert_eq!((expr.span, operand.span), (Span::new(0, 3), Span::at(3)));
}

proptest! {
    #[test]
    fn nothing_panics_and_spans_fit(text in r#"([a-z_.()\[\]'",=!<>&|0-9 \\é-]|not|in|and|or|==|len\(|\.strip\(|'x'|true){0,40}"#) {
        let condition = parse(&text);
        let _ = evaluate(&condition, &context());
        let fits = |span: Span| text.get(span.range()).is_some();
        prop_assert!(condition.rest.is_none_or(fits));
        prop_assert!(condition.error.as_ref().is_none_or(|error| fits(error.span)));
        if let Some(expr) = &condition.expr {
            let mut all = true;
            expr.walk(&mut |node| all &= fits(node.span) && expr.span.covers(node.span));
            prop_assert!(all);
        }
        if let (Some(constant), Ok(truth)) = (condition.constant, evaluate(&condition, &context())) {
            prop_assert_eq!(constant, truth);
        }
    }
}
