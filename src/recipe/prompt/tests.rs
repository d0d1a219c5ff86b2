#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;

fn allowed(text: &str, field: &str) -> Vec<String> {
    Promise::read(text).values(field).map_or_else(Vec::new, |values| {
        for item in &values.closed {
            let written = &text[item.span.range()];
            assert!(written.contains(&item.value) || matches!(written, "true" | "false"), "{text}: {item:?}");
        }
        values.closed.into_iter().map(|item| item.value).collect()
    })
}

#[test]
fn closed_sets_of_values() {
    for (text, field, expected) in [
        ("{\"v\": \"A\" | \"B\" | \"C\"}", "v", "A B C"),
        ("{\"v\": \"A|B\", \"w\": 1}", "v", "A B"),
        ("{\"v\": \"<A | B>\"}", "v", "A B"),
        ("{\"v\": \"PASS/FAIL\"}", "v", "PASS FAIL"),
        ("{\"v\": \"approved/needs_work/rejected\"}", "v", "approved needs_work rejected"),
        ("{\"v\": \"one of low, high\"}", "v", "low high"),
        ("{\n  \"v\": \"A\" | \"B\",\n  \"w\": \"x\"\n}", "v", "A B"),
        ("{\"v\": \"A\" | \"B\", \"w\": \"x\" | \"y\"}", "w", "x y"),
        ("a \"risk\" field: \"low\", \"medium\" or \"high\".", "risk", "low medium high"),
        ("\"overall\" (low or high) and \"people\" (a list of names).", "overall", "low high"),
        ("with \"style\" set to \"ok\" or \"poor\".", "style", "ok poor"),
        ("object with \"area\" (\"ui\" or \"core\").", "area", "ui core"),
        ("* van is small, large or two\n* lift", "van", "small large two"),
        ("- **verdict**: PASS, FAIL", "verdict", "PASS FAIL"),
        ("`verdict` must be one of PASS, FAIL and SKIP.", "verdict", "PASS FAIL SKIP"),
        ("Set verdict to PASS (all good) or FAIL (otherwise).", "verdict", "PASS FAIL"),
        ("\"verdict\": APPROVED or FAILED", "verdict", "APPROVED FAILED"),
        ("`verdict`: `PASS` or `FAIL`", "verdict", "PASS FAIL"),
        ("verdict is one of:\n- PASS: fine\n- FAIL - not\n\nNext", "verdict", "PASS FAIL"),
        ("| field | values |\n|---|---|\n| kind | bug, chore |\n", "kind", "bug chore"),
        (
            "print {\"verdict\": \"PASS\"},\n{\"verdict\": \"FAIL\"} or {\"verdict\": \"UNCLEAR\"} last.",
            "verdict",
            "PASS FAIL UNCLEAR",
        ),
        ("\"v\": \"A\" | \"B\" | null", "v", "A B"),
        ("{\"v\": true/false, \"w\": 1}", "v", "false true"),
        ("{\"v\": true, \"w\": \"x\"}", "v", "false true"),
        ("\"v\" (true or false)", "v", "false true"),
        ("Set \"v\" to true when it is fine.", "v", "false true"),
        ("* v (string): \"a\", \"b\" or \"c\"", "v", "a b c"),
        ("the field v, with the value x, y or z", "v", "x y z"),
        ("\"v\", which must be x, y or z, and \"w\"", "v", "x y z"),
        ("\"v\" whose value is x or y.", "v", "x y"),
        ("\"v\": string, either \"a\" or \"b\"", "v", "a b"),
        ("v ∈ {x, y, z}", "v", "x y z"),
        ("Set \"v\" to \"a\" when it is red, to \"b\" when green, else to \"c\".", "v", "a b c"),
        ("v: \"a\" if nothing breaks, \"b\" if something might, \"c\" otherwise", "v", "a b c"),
        ("\"v\" (\"a\": fine, \"b\": unsure, \"c\": stop)", "v", "a b c"),
        ("\"v\" (x = fine, y = unsure)", "v", "x y"),
        ("\"v\":\n- A: fine\n- B: not\n", "v", "A B"),
        ("\"v\": \"A\" or \"B\". Set \"v\" to \"C\" when in doubt.", "v", "A B C"),
    ] {
        assert_eq!(allowed(text, field).join(" "), expected, "{text}");
    }
}

#[test]
fn open_or_unclear_sets_are_no_sets() {
    for (text, field) in [
        ("{\"v\": \"A\"}", "v"),
        ("{\"v\": \"A\" | \"B\" | ...}", "v"),
        ("\"v\": a category such as \"bug\" or \"chore\"", "v"),
        ("\"v\" (e.g. \"bug\" or \"chore\")", "v"),
        ("\"v\": \"bug\", \"chore\", etc.", "v"),
        ("v (for example low or high)", "v"),
        ("\"v\": \"low\" or \"high\" or another word", "v"),
        ("\"v\" (a list)", "v"),
        ("\"v\": string or null", "v"),
        ("the status of the build, the tests or the lint", "status"),
        ("status (see the wiki, or ask)", "status"),
        ("Example: {\"kind\": \"bug\"}\nExample: {\"kind\": \"chore\"}", "kind"),
        ("\"reasons\": [\"a\", \"b\"] as strings", "other"),
        ("Report PASS or FAIL.", "verdict"),
        ("the report is short, clear and complete", "report"),
        ("v: Low, HIGH", "v"),
        ("{\"v\": \"path/to/file\"}", "v"),
        ("{\"v\": \"src/main.rs\"}", "v"),
        ("{\"v\": \"owner/repo\"}", "v"),
        ("{\"v\": true | \"unknown\"}", "v"),
        ("v is true, false or unclear", "v"),
        ("v: \"a\" if it is red\n\"why\": a sentence", "v"),
        ("\"v\": \"a\" if it is red, \"why\": a sentence", "v"),
        ("\"v\" (\"a\": fine), \"w\" (\"b\": fine)", "v"),
        ("v (string), w (string)", "v"),
        ("\"v\":\n- \"owner\": who\n- \"due\": when\n", "v"),
        ("the value of v, which depends on a, b or c", "v"),
    ] {
        assert_eq!(allowed(text, field), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn mentions() {
    let text = "Return \"overall_risk\" and the Open Shifts per week; lift.works says whether. `{\"a-b\": 1}`";
    let promise = Promise::read(text);
    for field in ["overall_risk", "overallRisk", "open_shifts", "lift", "works", "week", "a-b", "a_b"] {
        assert!(promise.mentions(field), "{field}");
    }
    for field in ["risk_level", "risk", "shift", "person", "lift_state"] {
        assert!(!promise.mentions(field), "{field}");
    }
}

#[test]
fn signals_asked_for_twice() {
    for (text, expected) in [
        (
            "End with a line STATUS: COMPLETE or STATUS: BROKEN, and return a JSON object with \"status\".",
            Some("STATUS: COMPLETE"),
        ),
        ("Return {\"verdict\": \"PASS\"}.\nFinish your answer with this line:\nVERDICT: PASS", Some("VERDICT: PASS")),
        ("Print RESULT=<ok> on the last line and a JSON object with \"result\".", Some("RESULT=<")),
        ("Return {\"status\": \"ok\"}. STATUS: see above", None),
        ("Return a JSON object with \"status\". Never print a line STATUS: OK.", None),
        ("The log has lines such as STATUS: OK. Return {\"state\": 1}", None),
        ("End with a line STATUS: OK.", None),
        ("NOTE: print JSON with \"note\".", None),
    ] {
        let double = double(text).map(|double| &text[double.line.range()]);
        assert_eq!(double, expected, "{text}");
    }
}

#[test]
fn orders_of_json() {
    for text in [
        "Return a JSON object with pass and critique.",
        "Check it. Then output your verdict as JSON.",
        "Rules:\n- Be strict.\n- Respond with JSON only.",
        "End with {\"pass\": true, \"critique\": \"…\"}.",
        "End your answer with:\n{\"pass\": true}",
        "Be strict.\nReturn a JSON object.",
        "Call submit_verdict when you are done.\nAlso print {\"pass\": true} as the last line.",
    ] {
        assert!(asks_for_json(text).is_some(), "{text}");
    }
    for text in [
        "Call submit_verdict. Do not write JSON.",
        "Fail a report whose JSON block does not parse.",
        "The output must include a JSON object.",
        "Check that the answer returns JSON.",
        "Return nothing but the call; never print JSON.",
        "Write the critique in one sentence. The draft may hold JSON.",
    ] {
        assert_eq!(asks_for_json(text), None, "{text}");
    }
}

mod any_prompt {
    use proptest::prelude::*;

    use super::*;
    use crate::recipe::example;

    proptest! {
        /// Prompts are anything: no panic, and every place lies in the text.
        #[test]
        fn every_place_lies_in_the_prompt(text in "(\"v\"|v|PASS|FAIL|or|and|one of|JSON|end with|STATUS: OK|<t>|</t>|```json|[-{}\\[\\]:,|/<>`'\"().*é😀 \n]){0,40}") {
            let promise = Promise::read(&text);
            if let Some(values) = promise.values("v") {
                for item in values.closed {
                    prop_assert!(text.get(item.span.range()).is_some());
                }
            }
            let _ = (promise.mentions("v"), promise.names_value("PASS", "v"), promise.keys(), promise.refers_elsewhere());
            for (span, _) in conflicts(&text, "t") {
                prop_assert!(text.get(span.range()).is_some());
            }
            if let Some(double) = double(&text) {
                prop_assert!(text.get(double.line.range()).is_some());
            }
            for found in example::tagged(&text, "t").into_iter().chain(example::fenced(&text)) {
                prop_assert!(text.get(found.opening.range()).is_some());
                let _ = example::judge(found.body, None);
            }
            let _ = asks_for_json(&text);
        }
    }
}
