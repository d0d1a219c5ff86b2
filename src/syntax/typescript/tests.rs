#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;

/// The value of the last `const`.
fn last(program: &Program) -> &Expression {
    let StatementKind::Variables { declarators, .. } = &program.statements.last().unwrap().kind else {
        panic!("no variable at the end");
    };
    declarators.last().unwrap().value.as_ref().unwrap()
}

#[test]
fn constants_of_the_file_are_folded() {
    let table = [
        ("const x = 'a' + \"b\" + `c`;", Some("abc")),
        ("const A = 'a'; const x = `${A}-${A}`;", Some("a-a")),
        ("const A = 'tag' as const; const x = (A satisfies string)!;", Some("tag")),
        ("const O = { tag: 'plan' } as const; const x = O.tag;", Some("plan")),
        ("const O = { tag: 'plan' }; const P = { ...O, n: 1 }; const x = P['tag'];", Some("plan")),
        ("const O = Object.freeze({ tag: 'plan' }); const { tag } = O; const x = tag;", Some("plan")),
        ("const [, second] = ['a', 'b']; const x = second;", Some("b")),
        ("const x = ['a', 'b'].join('\\n').trim();", Some("a\nb")),
        ("let A = 'a'; const x = A;", Some("a")),
        ("let A = 'a'; A = 'b'; const x = A;", None),
        ("const O = { tag: 'plan' }; O.tag = 'other'; const x = O.tag;", None),
        ("const P = ['a']; P.push('b'); const x = P.join('');", None),
        ("const O = { tag: 'plan', ...other }; const x = O.tag;", None),
        ("const O = { ...other, tag: 'plan' }; const x = O.tag;", Some("plan")),
        ("const x = process.env.TAG ?? 'answer';", None),
        ("const x = build('a');", None),
        ("const A = 'outer'; function f(A) { return A; } const x = A;", Some("outer")),
        ("const a = a.b; const x = a.b;", None),
        ("const x = 'tab\\t\\u0041\\x42\\u{1F600}\\q';", Some("tab\tAB\u{1F600}q")),
        ("const x = 'a\\\nb';", Some("ab")),
    ];
    for (text, expected) in table {
        let program = parse(text, Grammar::TypeScript);
        assert!(program.errors.is_empty(), "{text}: {:?}", program.errors);
        let folded = Fold::new(&program).literal(last(&program));
        assert_eq!(folded.map(|text| text.value).as_deref(), expected, "{text}");
    }
}

#[test]
fn names_mean_the_nearest_declaration() {
    let text = "const A = 'out'; function f(A) { use(A); } { const A = 'in'; use(A); } use(A);";
    let program = parse(text, Grammar::TypeScript);
    let fold = Fold::new(&program);
    let mut seen = Vec::new();
    walk(&program, &mut |visit| {
        if let Visit::Expression(Expression { kind: ExpressionKind::Call { arguments, .. }, .. }) = visit {
            seen.push(fold.literal(&arguments[0].value).map(|text| text.value));
        }
    });
    assert_eq!(seen, [None, Some("in".to_owned()), Some("out".to_owned())]);
}

#[test]
fn imports_and_exports_of_all_forms() {
    let text = r#"
import a, { b as c, type T, "d-e" as f } from "one";
import * as g from "two";
import type { U } from "three";
export { c as run } from "four";
export * from "five";
export { a as z };
export default run({});
"#;
    let program = parse(text, Grammar::TypeScript);
    assert!(program.errors.is_empty(), "{:?}", program.errors);
    let mut seen = Vec::new();
    for statement in &program.statements {
        match &statement.kind {
            StatementKind::Import(import) => {
                for (local, exported) in &import.names {
                    seen.push(format!("{} = {}:{exported}", local.value, import.module.value));
                }
            }
            StatementKind::Export(export) => {
                let module = export.module.as_ref().map_or("", |module| module.value.as_str());
                for (here, outside) in &export.names {
                    seen.push(format!("{outside} < {module}:{}", here.value));
                }
            }
            StatementKind::Expression(_) => seen.push("default".to_owned()),
            _ => {}
        }
    }
    assert_eq!(
        seen,
        [
            "a = one:default",
            "c = one:b",
            "T = one:T",
            "f = one:d-e",
            "g = two:*",
            "U = three:U",
            "run < four:c",
            "* < five:*",
            "z < :a",
            "default",
        ]
    );
}

#[test]
fn holes_stand_alone_or_in_strings() {
    let text = "const a = ${{ x.y }}; const b = '${{ p }} and ${{ q }}'; const c = `${{ r }}${a}`;";
    let holes: Vec<_> = text.match_indices("${{").map(|(at, _)| at..at + text[at..].find("}}").unwrap() + 2).collect();
    let program = parse_with_holes(text, Grammar::TypeScript, &holes);
    assert!(program.errors.is_empty(), "{:?}", program.errors);
    let mut seen = Vec::new();
    walk(&program, &mut |visit| {
        if let Visit::Expression(Expression { kind: ExpressionKind::Hole, span }) = visit {
            seen.push(&text[span.range()]);
        }
    });
    assert_eq!(seen, ["${{ x.y }}", "${{ p }}", "${{ q }}", "${{ r }}"]);
}

#[test]
fn text_of_any_kind_gives_a_bounded_tree_and_one_error() {
    let deep = "(".repeat(3000) + &")".repeat(3000);
    let sum = format!("const x = {};", vec!["'a'"; 3000].join(" + "));
    let doubling =
        (0..60).fold(String::new(), |text, at| text + &format!("const v{} = `${{v{at}}}${{v{at}}}`;", at + 1));
    let circle = "const a = { x: b.x }; const b = { x: a.x }; const x = a.x;";
    for text in
        ["const a = {", "run({ prompt: `<a", "\u{feff}#!/usr/bin/env node\nrun()", "}{", &deep, &sum, &doubling, circle]
    {
        let program = parse(text, Grammar::TypeScript);
        assert!(program.errors.len() <= 1, "{:?}", program.errors);
        let fold = Fold::new(&program);
        let mut parts = 0;
        walk(&program, &mut |visit| {
            if let Visit::Expression(expression) = visit {
                parts += fold.text(expression).len();
            }
        });
        assert!(parts < 10_000_000);
    }
    assert!(parse("const a = {", Grammar::TypeScript).errors.len() == 1);
    assert!(parse("\u{feff}#!/usr/bin/env node\nrun()", Grammar::TypeScript).errors.is_empty());
}

#[test]
fn decoded_strings_lead_back_to_the_file() {
    let text = r#"const x = "a\n<plan>";"#;
    let program = parse(text, Grammar::TypeScript);
    let ExpressionKind::String(fragment) = &last(&program).kind else { panic!("no string") };
    assert_eq!(fragment.text(), "a\n<plan>");
    assert_eq!(&text[fragment.locate(2..8).range()], "<plan>");
    assert_eq!(&text[fragment.span().range()], r#""a\n<plan>""#);
}

#[test]
fn javascript_in_the_wild_parses() {
    let texts = [
        "if (!report.includes('x')) labels.push('y'); await go({ ...context.repo, a: 1 }); return 5;",
        "for await (const x of y) { if (/a[/]b/i.test(x)) continue; else break }",
        "switch (v) { case 'a': case 'b': f(); break; default: g() }",
        "try { a() } catch { b() } finally { c() }",
        "const f = async ({ a, b: { c } = {}, ...rest }, [d, , e] = []) => ({ a, c, rest, d, e });",
        "class A extends B { static x = 1; #y = 2; async m() { return super.m(); } get z() { return this.#y } }",
        "label: while (true) { do { x?.y?.[0]?.(1) } while (a ?? b) }",
        "const m = await load<typeof import('a')>(); type P = readonly import('b').C[]; await import('c');",
        "{ await using a = await b();\n  using c: D = d();\n}",
        "apply(x => x!); type T = { a: string }; enum E { A = 'a' } declare const q: number; namespace N { const r = 1 }",
    ];
    for text in texts {
        let program = parse(text, Grammar::TypeScript);
        assert!(program.errors.is_empty(), "{text}: {:?}", program.errors);
    }
}
