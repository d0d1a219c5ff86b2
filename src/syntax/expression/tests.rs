#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;

use super::*;

fn expr(text: &str) -> Expr {
    let expression = parse(text, Span::new(0, text.len()));
    expression.expr.unwrap_or_else(|| panic!("{text}: {:?}", expression.error))
}

/// The tree as an S-expression of the written texts.
fn shape(text: &str, expr: &Expr) -> String {
    let all = |operands: &[Expr]| operands.iter().map(|operand| shape(text, operand)).collect::<Vec<_>>().join(" ");
    let written = |span: Span| &text[span.range()];
    match &expr.kind {
        ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) => written(expr.span).to_owned(),
        ExprKind::String(value) => format!("{value:?}"),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Path(head, accesses) => {
            let accesses: String = accesses
                .iter()
                .map(|access| match access {
                    Access::Field(name) => format!(".{}", name.value),
                    Access::Every(_) => ".*".to_owned(),
                    Access::Index(index) => format!("[{}]", shape(text, index)),
                })
                .collect();
            format!("{}{accesses}", shape(text, head))
        }
        ExprKind::Call(name, arguments) => format!("({} {})", name.value, all(arguments)),
        ExprKind::Not(operand) => format!("(! {})", shape(text, operand)),
        ExprKind::Compare(left, operator, right) => {
            format!("({} {} {})", written(operator.span), shape(text, left), shape(text, right))
        }
        ExprKind::And(operands) => format!("(&& {})", all(operands)),
        ExprKind::Or(operands) => format!("(|| {})", all(operands)),
    }
}

#[test]
fn expressions_have_their_tree() {
    for (text, expected) in [
        ("steps.ai.outputs.text == 'PASS'", "(== steps.ai.outputs.text \"PASS\")"),
        ("!contains(needs.review.outputs['verdict'], 'it''s')", "(! (contains needs.review.outputs.verdict \"it's\"))"),
        ("FromJson(env.X).items[0].name", "(fromjson env.X).items[0].name"),
        ("github.event.pull_request.labels.*.name", "github.event.pull_request.labels.*.name"),
        ("a[*].b[c.d]", "a.*.b[c.d]"),
        ("a && b && (c && d) || !e || f", "(|| (&& a b (&& c d)) (! e) f)"),
        ("(a && b) && c", "(&& a b c)"),
        ("(a || b) && (c)", "(&& (|| a b) c)"),
        ("x  >=  1.5", "(>= x 1.5)"),
        ("a != null && b < -2 == true", "(&& (!= a null) (== (< b -2) true))"),
        ("outputs.final-message", "outputs.final-message"),
        ("github", "github"),
        ("success() && (always())", "(&& (success ) (always ))"),
        ("format('{0} }}', steps.a.outputs.b)", "(format \"{0} }}\" steps.a.outputs.b)"),
        ("(fromJSON(x))[0]", "(fromjson x)[0]"),
        ("case(a, 'x', 'y')", "(case a \"x\" \"y\")"),
    ] {
        assert_eq!(shape(text, &expr(text)), expected, "{text}");
    }
}

#[test]
fn holes_are_found_outside_strings() {
    for (text, expected) in [
        ("a ${{ x }} b ${{y}}", vec!["${{ x }}", "${{y}}"]),
        ("😀 ${{ format('}} {0}', x) }}", vec!["${{ format('}} {0}', x) }}"]),
        ("${{ 'it''s }}' }}", vec!["${{ 'it''s }}' }}"]),
        ("${{ x }}}}", vec!["${{ x }}"]),
        ("$ {{ x }} {{ y }} $x", vec![]),
        ("${{ x\n  || y }}", vec!["${{ x\n  || y }}"]),
    ] {
        let found = holes(text);
        assert_eq!(found.iter().map(|hole| &text[hole.span.range()]).collect::<Vec<_>>(), expected, "{text}");
        assert!(found.iter().all(|hole| hole.expression.error.is_none()), "{text}");
    }
}

#[test]
fn spans_count_in_the_whole_text() {
    let text = "é: ${{ steps.AI.outputs.Text == 'x' && contains( env.Y , 'z') }}";
    let found = holes(text);
    let expr = found[0].expression.expr.as_ref().unwrap();
    let reads: Vec<_> = expr.reads().into_iter().map(|read| (read.path.join("."), &text[read.span.range()])).collect();
    assert_eq!(reads, [("steps.ai.outputs.text".to_owned(), "steps.AI.outputs.Text"), ("env.y".to_owned(), "env.Y")]);
    let mut seen = Vec::new();
    expr.walk(&mut |node| match &node.kind {
        ExprKind::Call(name, _) => seen.push(&text[name.span.range()]),
        ExprKind::Compare(_, operator, _) => seen.push(&text[operator.span.range()]),
        ExprKind::String(_) => seen.push(&text[node.span.range()]),
        _ => {}
    });
    assert_eq!(seen, ["==", "'x'", "contains", "'z'"]);
}

#[test]
fn a_condition_is_an_expression_without_braces() {
    let text = " steps.a.outputs.b == 'x' ";
    let found = condition_holes(text);
    assert_eq!((found.len(), &text[found[0].span.range()]), (1, text.trim()));
    assert_eq!(shape(text, found[0].expression.expr.as_ref().unwrap()), "(== steps.a.outputs.b \"x\")");
    assert_eq!(condition_holes("${{ a }} && ${{ b }}").len(), 2);
    assert_eq!(condition_holes("  "), []);
}

#[test]
fn errors_have_a_place() {
    for (text, place, message) in [
        ("${{ a = 'x' }}", "=", "expected `==`"),
        ("${{ a == \"x\" }}", "\"", "unexpected symbol"),
        ("${{ a && }}", "", "unexpected end of expression"),
        ("${{ }}", "", "empty expression"),
        ("${{ foo(a) }}", "foo", "unknown function `foo`"),
        ("${{ contains(a) }}", "contains", "`Contains` takes exactly 2 arguments"),
        ("${{ a b }}", "b", "unexpected trailing input"),
        ("x ${{ a\nnext", "${{ a", "no `}}` closes this `${{`"),
        ("${{ 'open }}", "${{ 'open }}", "no `}}` closes this `${{`"),
    ] {
        let hole = holes(text).pop().unwrap();
        let error = hole.expression.error.unwrap_or_else(|| panic!("{text} has no error"));
        assert_eq!((&text[error.span.range()], error.message.as_str()), (place, message), "{text}");
    }
}

#[test]
fn depth_length_and_chains_are_bounded() {
    let error = |text: String| parse(&text, Span::new(0, text.len())).error.map(|error| error.message);
    assert_eq!(error(format!("{}a", "!".repeat(40))), None);
    assert_eq!(error(format!("{}a", "!".repeat(60))).unwrap(), too_deep());
    assert_eq!(error("a==".repeat(100) + "a").unwrap(), too_deep());
    assert_eq!(error(format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000))).unwrap(), too_deep());
    assert_eq!(error("a||".repeat(400) + "a"), None);
    assert!(error("a||".repeat(5000) + "a").unwrap().contains("operators"));
    assert!(error("a".repeat(21_001)).unwrap().contains("21000"));
    assert_eq!(error(format!("'{}'", "é".repeat(20_000))), None);
}

fn too_deep() -> String {
    "nested deeper than the 50 levels that GitHub reads".to_owned()
}

proptest! {
    #[test]
    fn nothing_panics_and_spans_fit(text in r"([a-zé.()\[\]',=!<>&|0-9 *\n-]|\$\{\{|\}\}|steps\.|contains\(|==|&&|\|\||'x'){0,40}") {
        for hole in holes(&text).into_iter().chain(condition_holes(&text)) {
            prop_assert!(text.get(hole.span.range()).is_some());
            prop_assert!(hole.expression.error.iter().all(|error| text.get(error.span.range()).is_some()));
            let mut fits = true;
            if let Some(expr) = &hole.expression.expr {
                expr.walk(&mut |node| fits &= text.get(node.span.range()).is_some() && hole.span.covers(node.span));
            }
            prop_assert!(fits);
        }
    }
}
