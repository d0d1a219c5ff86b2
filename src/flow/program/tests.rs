#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;
use crate::flow::{AgentForm, Execution, Graph, MatchHow, Source, Trust};

/// `process.env.AGENT` and `${{ agent }}` are an agent's prose, `FIELD` is typed.
struct Answers {
    agent: Value,
    field: Value,
}

impl World for Answers {
    fn variable(&mut self, _: &mut Builder, name: &str, _: Place) -> Option<Value> {
        match name {
            "AGENT" => Some(self.agent.clone()),
            "FIELD" => Some(self.field.clone()),
            _ => None,
        }
    }

    fn hole(&mut self, builder: &mut Builder, text: &str, place: Place) -> Option<Value> {
        self.variable(builder, &text.trim().to_uppercase(), place)
    }
}

fn run(text: &str) -> (Graph, Outcome) {
    let mut builder = Builder::default();
    let place = Place { file: FileId(0), span: Span::at(0) };
    let mut source = |output: &str, form, trust| {
        let source = Source::AgentOutput { origin: "test".into(), output: output.into(), form };
        Value::node(builder.source(source, place, trust))
    };
    let mut world = Answers {
        agent: source("agent", AgentForm::Prose, Trust::Agent),
        field: source("field", AgentForm::Typed, Trust::Extracted),
    };
    let holes: Vec<_> = expression::holes(text).into_iter().map(|hole| hole.span.range()).collect();
    let program = typescript::parse_with_holes(text, Grammar::TypeScript, &holes);
    assert!(program.errors.is_empty(), "{text}: {:?}", program.errors);
    let surroundings = Surroundings { environment: &mut world, text };
    let outcome = Machine::new(&mut builder, surroundings, &program, FileId(0), None).run();
    let mut graph = builder.graph;
    graph.finish();
    (graph, outcome)
}

fn describe(kind: &NodeKind) -> Option<String> {
    Some(match kind {
        NodeKind::Match(found) => match found.how {
            MatchHow::Method(name) => format!(".{name}"),
            how => format!("{how:?}"),
        },
        NodeKind::Json(_) => "JSON".to_owned(),
        NodeKind::Compare(compare) => format!("{:?} {}", compare.op, compare.operand.as_deref().unwrap_or("?")),
        NodeKind::Truthy { .. } => "truthy".to_owned(),
        NodeKind::Fallback(fallback) => format!("default {}", fallback.literal.as_deref().unwrap_or("?")),
        NodeKind::ExtractJson { .. } => "extract".to_owned(),
        _ => return None,
    })
}

/// What reads untrusted text and decides, in the order of the text, each once.
#[track_caller]
fn decides(text: &str, wanted: &[&str]) {
    let (graph, _) = run(text);
    let mut found: Vec<(Span, String)> = graph
        .nodes()
        .filter(|(_, node)| graph.join_trust(&node.inputs) >= Trust::Extracted)
        .filter(|(id, _)| graph.decides(*id).is_some())
        .filter_map(|(_, node)| Some((node.place.span, describe(&node.kind)?)))
        .collect();
    found.sort();
    found.dedup();
    let found: Vec<String> = found.into_iter().map(|(_, text)| text).collect();
    assert_eq!(found, wanted, "{text}");
}

const A: &str = "const a = process.env.AGENT;";
const F: &str = "const f = process.env.FIELD;";

#[test]
fn matches_that_decide() {
    for (text, wanted) in [
        ("if (a.includes('ok')) await go();", &[".includes"][..]),
        ("if (a.includes('\u{2705}')) await go();", &[".includes"]),
        ("if (!/ok/.test(a)) core.setFailed('no');", &["Regex"]),
        ("if (/ok/.test(a) && a.length > 3) await go();", &["Regex"]),
        ("const RE = /ok/i; if (RE.exec(a)) throw new Error('x');", &["Regex"]),
        ("if (a.indexOf('ok') >= 0) process.exit(1);", &[".indexOf"]),
        ("if (a.search(/ok/) !== -1) await go();", &["Regex"]),
        ("a.startsWith('ok') && go();", &[".startsWith"]),
        ("a.endsWith('bad') || go();", &[".endsWith"]),
        ("await (a.includes('ok') ? go() : stop());", &[".includes"]),
        ("const m = a.match(/v: (\\w+)/); if (m?.[1] === 'ok') await go();", &["Regex", "Equal ok"]),
        ("const { groups } = a.match(/(?<v>\\w+)!/); if (groups.v === 'ok') await go();", &["Regex", "Equal ok"]),
        ("const [, v] = a.match(/v: (\\w+)/) || []; switch (v) { case 'ok': await go(); }", &["Regex", "Equal ok"]),
        ("const v = a.replace(/.*verdict: /, ''); if (v === 'ok') await go();", &[".replace", "Equal ok"]),
        ("const l = a.split('\\n'); if (l[l.length - 1] === 'ok') await go();", &[".split", "Equal ok"]),
        (
            "switch (a.split('\\n').at(-1)) { case 'ok': core.setOutput('v', 'y'); break; default: core.setFailed('x'); }",
            &[".split", "Equal ok"],
        ),
        ("const [v] = a.trim().split(/\\s+/); if (v === 'ok') await go();", &[".split", "Equal ok"]),
        ("const [, v] = a.split('\\n'); switch (v) { case 'ok': await go(); }", &[".split", "Equal ok"]),
        ("const v = a.split('verdict: ')[1]; if (v === 'ok') await go();", &[".split", "Equal ok"]),
        ("let l = 'low'; if (a.includes('bad')) l = 'high'; await go(l);", &[".includes"]),
        ("const l = []; if (a.includes('bad')) l.push('x'); await add({ labels: l });", &[".includes"]),
        ("const l = a.includes('bad') ? ['x'] : []; await add({ labels: l });", &[".includes"]),
        ("const o = {}; if (a.includes('x')) o.approved = true; if (o.approved) await go();", &[".includes"]),
        ("const t = (s) => s.toLowerCase().includes('ok'); if (t(a)) await go();", &[".includes"]),
        ("function t(s) { if (s.includes('ok')) return true; return false; } if (t(a)) await go();", &[".includes"]),
        ("const t = async ({ text }) => { if (text.match(/x/)) await go(); }; await t({ text: a });", &["Regex"]),
        ("for (const l of a.split('\\n')) if (l.startsWith('ok')) await go();", &[".startsWith"]),
        ("if (a.split('\\n').some((l) => /ok/.test(l))) await go();", &["Regex"]),
        (
            "const l = a.split('\\n').find((l) => l.startsWith('v:')); if (l === 'v: ok') await go();",
            &[".startsWith", "Equal v: ok"],
        ),
        ("const n = (a.match(/bad/g) ?? []).length; if (n > 3) core.setFailed('x');", &["Regex"]),
        ("while (a.includes('more')) { await go(); }", &[".includes"]),
        ("p().then(() => { if (a.includes('ok')) go(); });", &[".includes"]),
        ("if (a.includes('a') || a.includes('b')) await go();", &[".includes", ".includes"]),
        (
            "let ok = false; ok = a.includes('ok') && !a.includes('bad'); if (ok) await go();",
            &[".includes", ".includes"],
        ),
        ("try { if (a.includes('ok')) await go(); } catch (e) { throw e; }", &[".includes"]),
        ("if (a.includes('bad')) return; await go();", &[".includes"]),
        ("core.setOutput('v', a.includes('ok') ? 'yes' : 'no');", &[]),
    ] {
        decides(&format!("{A} {text}"), wanted);
    }
}

#[test]
fn what_only_shows_or_asks_for_the_form() {
    for text in [
        "if (a.includes('ok')) console.log('fine'); else core.info('bad');",
        "core.summary.addRaw(a.match(/x/) ? 'a' : 'b').write();",
        "if (!a) core.setFailed('no answer');",
        "if (a.trim() === '') return;",
        "if (a.length === 0) throw new Error('none');",
        "await github.rest.issues.createComment({ body: a.replace(/@\\w+/g, 'x') });",
        "const [head, ...rest] = a.split('\\n'); await comment(head, rest.join(' '));",
        "const [, ...rest] = a.split('\\n'); if (rest.length === 0) core.setFailed('one line only');",
        "const l = a.split(',').map((x) => x.trim()); console.log(l.join(' '));",
        "const t = a.slice(0, 300).toUpperCase(); await comment(t);",
        "if (process.env.TEST.includes('ok')) await go();",
        "if (other(a).includes('ok')) await go();",
        "if (typeof a === 'string') await go();",
        "if (a.includes('<promise>COMPLETE</promise>')) await go();",
        "const start = a.indexOf('{'); if (start === -1) throw new Error('no object');",
    ] {
        decides(&format!("{A} {text}"), &[]);
    }
}

#[test]
fn equality_is_equality() {
    decides(&format!("{A} if (a.trim() === 'ok') await go();"), &["Equal ok"]);
    decides(&format!("{A} if (['ok', 'fine'].includes(a)) await go();"), &["Equal fine", "Equal ok"]);
    decides(&format!("{A} const OK = new Set(['ok']); if (OK.has(a)) await go();"), &["Equal ok"]);
    decides(&format!("{A} if (context.labels.includes(a)) await go();"), &["Equal ?"]);
    decides(&format!("{F} if (f in {{ ok: 1 }}) await go();"), &["Equal ok"]);
    decides(&format!("{F} const L = {{ ok: 'x' }}; await go(L[f]);"), &[]);
}

#[test]
fn json_and_defaults() {
    for (text, wanted) in [
        ("const v = JSON.parse(a); if (v.ok === true) await go();", &["JSON", "Equal true"][..]),
        (
            "const { ok } = JSON.parse(a.slice(a.indexOf('{'), a.lastIndexOf('}') + 1)); if (ok) await go();",
            &["JSON", "truthy"],
        ),
        (
            "const m = a.match(/\\{[\\s\\S]*\\}/); if (!m) return; if (JSON.parse(m[0]).ok) await go();",
            &["JSON", "truthy"],
        ),
        ("const m = a.match(/```json\\n([\\s\\S]*?)```/); if (JSON.parse(m[1]).ok) await go();", &["JSON", "truthy"]),
        ("if (JSON.parse(a.slice(a.lastIndexOf('{'))).ok) await go();", &["extract", "truthy"]),
        (
            "const all = [...a.matchAll(/<v>(.*?)<\\/v>/gs)]; if (all.at(-1)[1] === 'ok') await go();",
            &["extract", "Equal ok"],
        ),
        (
            "const v = a.match(/v/)?.[0] ?? 'pass'; if (v === 'pass') await go();",
            &["Regex", "default pass", "Equal pass"],
        ),
        (
            "const v = a.match(/v/); const w = v ? v[0] : 'pass'; if (w === 'pass') await go();",
            &["Regex", "default pass", "Equal pass"],
        ),
        (
            "const p = (s) => { try { return JSON.parse(s); } catch { return { v: 'pass' }; } }; if (p(a).v === 'pass') await go();",
            &["JSON", "default pass", "Equal pass"],
        ),
        (
            "let v; try { v = JSON.parse(a).v; } catch { v = 'pass'; } if (v === 'pass') await go();",
            &["JSON", "default pass", "Equal pass"],
        ),
        (
            "const p = (s) => { try { return JSON.parse(s); } catch { return null; } }; if (p(a)?.v === 'pass') await go();",
            &["JSON", "Equal pass"],
        ),
    ] {
        decides(&format!("{A} {text}"), wanted);
    }
    decides(
        &format!("{F} const v = JSON.parse(f || '{{\"ok\": true}}'); if (v.ok) await go();"),
        &["default true", "default {\"ok\": true}", "truthy"],
    );
    decides(
        &format!("{F} let v = 'pass'; try {{ v = JSON.parse(f).v; }} catch {{ log(); }} if (v === 'pass') await go();"),
        &["default pass", "Equal pass"],
    );
    decides(
        &format!(
            "{F} let v = 'pass'; try {{ v = JSON.parse(f).v; }} catch {{ v = null; }} if (v === 'pass') await go();"
        ),
        &["Equal pass"],
    );
    decides(
        &format!(
            "{F} let v = 'pass'; try {{ v = JSON.parse(f).v; }} catch (e) {{ throw e; }} if (v === 'pass') await go();"
        ),
        &["Equal pass"],
    );
    decides(&format!("{F} const v = JSON.parse(f); if (v.state === 'ok') await go();"), &["Equal ok"]);
    decides(&format!("{F} if (f.includes('ok')) await go();"), &[".includes"]);
    decides(&format!("{F} if (JSON.parse(f).labels.includes('ok')) await go();"), &["Equal ok"]);
}

#[test]
fn typed_answers_of_a_library() {
    const RUN: &str = "import { run, Output, claudeCode as c } from '@ai-hero/sandcastle';";
    let object = "const r = await run({ agent: c('x'), output: Output.object({ tag: 't', schema }) });";
    let string = "const o = Output.string({ tag: 't' }); const r = await run({ agent: c('x'), output: o });";
    for (call, test, wanted) in [
        (object, "if (r.output.status.includes('ok')) await go();", &[".includes"][..]),
        (object, "if (r.output.labels.includes('ok')) await go();", &["Equal ok"]),
        (object, "const { verdict } = r.output; if (verdict === 'ok') await go();", &["Equal ok"]),
        (string, "if (r.output.includes('ok')) await go();", &[".includes"]),
        (string, "if (r.output === 'ok') await go();", &["Equal ok"]),
    ] {
        decides(&format!("{RUN} {call} {test}"), wanted);
    }
    let (graph, _) = run(&format!("{RUN} {object} execSync(r.output.command); execFileSync('git', [r.output.name]);"));
    let executed = graph.nodes().filter(|(_, node)| matches!(node.kind, NodeKind::Execute(_))).count();
    assert_eq!(executed, 1);
}

#[test]
fn execution_of_agent_text() {
    let executions = |text: &str| -> Vec<Execution> {
        let (graph, _) = run(text);
        graph
            .nodes()
            .filter_map(|(_, node)| match &node.kind {
                NodeKind::Execute(how) => Some(how.clone()),
                _ => None,
            })
            .collect()
    };
    assert_eq!(executions(&format!("{A} eval(a);")), [Execution::JavaScript]);
    assert_eq!(executions(&format!("{A} new Function(a)();")), [Execution::JavaScript]);
    assert_eq!(executions(&format!("{A} execSync(`echo ${{a}}`);")), [Execution::Program("sh".into())]);
    assert_eq!(
        executions(&format!("{A} require('node:child_process').execSync('echo ' + a);")),
        [Execution::Program("sh".into())]
    );
    for clean in ["execFileSync('git', ['commit', '-m', a]);", "execSync(`echo ${shellEscape(a)}`);", "execSync('ls');"]
    {
        assert_eq!(executions(&format!("{A} {clean}")), [], "{clean}");
    }
}

#[test]
fn pasted_text_and_what_is_left_behind() {
    let (graph, outcome) =
        run("const a = `${{ agent }}`; core.setOutput('v', a.trim()); core.exportVariable('W', 'x'); return a;");
    let pasted = graph.nodes().filter(|(_, node)| matches!(node.kind, NodeKind::Paste(_))).count();
    assert_eq!(pasted, 1);
    let names = |left: &[(Arc<str>, Value, Place)]| left.iter().map(|(name, ..)| name.to_string()).collect::<Vec<_>>();
    assert_eq!((names(&outcome.outputs), names(&outcome.variables)), (vec!["v".to_owned()], vec!["W".to_owned()]));
    assert_eq!(outcome.outputs[0].1.trust(&graph), Trust::Agent);
    assert_eq!(outcome.result.trust(&graph), Trust::Agent);
    let (graph, _) = run("const n = ${{ number }}; if (n > 3) await go();");
    assert!(graph.nodes().all(|(_, node)| !matches!(node.kind, NodeKind::Paste(_))));
}

#[test]
fn programs_that_never_end_are_bounded() {
    let calls =
        "const f = (n) => f(n) + f(n); function g() { return [1].map(g).map(g); } f(1); g(); while (true) { f(2); }";
    let wide =
        (0..400).fold(String::new(), |text, at| text + &format!("const f{} = () => [f{at}(), f{at}()]; ", at + 1));
    for text in [calls.to_owned(), format!("const f0 = () => 1; {wide} f400();")] {
        let (graph, _) = run(&text);
        assert!(graph.len() <= 60_000);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(96))]

    /// Half-typed programs of any kind are read and run without a panic.
    #[test]
    fn any_text_is_read_and_run(parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..24)) {
        let text = parts.concat();
        let mut builder = Builder::default();
        let fragment = Fragment::verbatim(text.as_str(), 0);
        run_script(&mut builder, &mut crate::flow::Nothing, FileId(0), &fragment);
        let source = crate::text::Source::new("a.mts", text.as_str());
        let lowered = crate::recipe::dialects::program::lower(&source);
        proptest::prop_assert!(lowered.errors.len() <= 1);
        for problem in &lowered.recipe.problems {
            proptest::prop_assert!(problem.span.end <= text.len());
        }
    }
}

const PARTS: &[&str] = &[
    "import { run, Output } from \"@ai-hero/sandcastle\";\n",
    "const a = process.env.AGENT;",
    "await run({",
    "prompt: `a${",
    "a",
    "}",
    "})",
    ");",
    "if (",
    ") {",
    " else ",
    "try {",
    "} catch {",
    "return ",
    "a.match(/x",
    "/)",
    "[0]",
    "?.b",
    " ?? ",
    "'",
    "`",
    "${{ a }}",
    "\n",
    "é",
    "🔴",
    "function f(",
    "=>",
    "({ b, ...c })",
    "output: Output.object({ tag: ",
    "\"t\"",
    ", ",
    "maxIterations: 3",
    "promptFile: 'x.md'",
    "...a",
    "switch (a) { case 'x':",
    "for (const b of a)",
    "JSON.parse(",
    "\\",
    "/*",
    "//",
];
