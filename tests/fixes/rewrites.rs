//! What the proposals write, in every style of scalar, and where there is none.

use std::fmt::Write;

use recipelint::fix::Policy;
use recipelint::syntax::yaml::{self, Node};
use recipelint::workspace::mend;

use super::material::Case;

/// How a script is written in the recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Literal,
    Folded,
    Double,
    Single,
    Windows,
}

const STYLES: [Style; 5] = [Style::Literal, Style::Folded, Style::Double, Style::Single, Style::Windows];

const PROMPT: &str = "Look at the bridge and tell what you see.";

/// A recipe with an agent and a script that reads what it said.
fn recipe(prompt: &str, script: &str, style: Style) -> Case {
    let indented = |text: &str| text.lines().fold(String::new(), |all, line| all + "\n      " + line);
    let script = match style {
        Style::Literal | Style::Windows => format!("|{}", indented(script)),
        Style::Folded => format!(">{}", indented(script)),
        Style::Double => {
            format!("\"{}\"", script.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
        }
        Style::Single => format!("'{}'", script.replace('\'', "''").replace('\n', "\n\n      ")),
    };
    let mut text = format!(
        "name: bridge\nsteps:\n  - id: look\n    agent: works:inspector\n    prompt: {prompt}\n    output: report # kept\n  \
         - id: act\n    command: {script}\n    # the end\n"
    );
    if style == Style::Windows {
        text = text.replace('\n', "\r\n");
    }
    Case { name: format!("{style:?}"), lint: None, files: vec![("bridge.yaml".into(), text)] }
}

/// The text of the recipe after all proposals, if there was one.
fn mended(case: &Case) -> Option<String> {
    let (disk, request, outcome) = case.check();
    let mended = mend(&disk, &request, outcome, Policy::Suggested, &|_| {}).unwrap();
    let (_, (_, new)) = mended.changed.into_iter().next()?;
    Some(new.to_string())
}

fn value<'n>(node: &'n Node, path: &[&str]) -> Option<&'n str> {
    let mut node = node;
    for key in path {
        node = match key.parse::<usize>() {
            Ok(at) => node.items().get(at)?,
            Err(_) => node.get(key)?,
        };
    }
    Some(node.scalar()?.fragment.text())
}

fn script_and_prompt(text: &str) -> (String, String) {
    let document = yaml::parse(text);
    assert_eq!(document.errors, [], "{text}");
    let root = document.root.unwrap();
    let read = |path: &[&str]| value(&root, path).unwrap().trim_end().to_owned();
    (read(&["steps", "1", "command"]), read(&["steps", "0", "prompt"]))
}

const VERDICT: &str = "amplihack orch helper extract-json --require-field verdict | amplihack orch helper extract-field \
                       --field verdict --default INSUFFICIENT_EVIDENCE | amplihack orch helper normalise-verdict";

fn field(name: &str, default: &str) -> String {
    format!(
        "amplihack orch helper extract-json --require-field {name} | amplihack orch helper extract-field --field {name} \
         --default {default}"
    )
}

fn asks(rest: &str) -> String {
    format!("{PROMPT} Finish with one JSON object that has the key {rest}.")
}

/// A script, what becomes of it, and what the prompt ends up as.
fn scrapes() -> Vec<(&'static str, String, String)> {
    let verdict = asks("\"verdict\" (PASS, FAIL or UNCLEAR)");
    vec![
        (
            "if printf '%s' \"$REPORT\" | grep -q APPROVED; then ./open.sh; fi",
            format!("if [ \"$(printf '%s' \"$REPORT\" | {VERDICT})\" = WORK_VERIFIED ]; then ./open.sh; fi"),
            verdict.clone(),
        ),
        (
            "if ! grep -qi failed <<< \"$REPORT\"; then ./open.sh; fi",
            format!("if [ \"$(printf '%s' \"$REPORT\" | {VERDICT})\" = WORK_VERIFIED ]; then ./open.sh; fi"),
            verdict.clone(),
        ),
        (
            "[[ $REPORT == *\"may be opened\"* ]] && ./open.sh",
            format!("[[ \"$(printf '%s' \"$REPORT\" | {})\" == true ]] && ./open.sh", field("may_be_opened", "false")),
            asks("\"may_be_opened\" (true or false)"),
        ),
        (
            "state=\"${REPORT##*State: }\"; [ \"$state\" = sound ] || exit 1; ./open.sh",
            format!(
                "state=\"$(printf '%s' \"$REPORT\" | {})\"; [ \"$state\" = sound ] || exit 1; ./open.sh",
                field("state", "unknown")
            ),
            asks("\"state\""),
        ),
        (
            "case {{report}} in *PASS*) ./open.sh ;; *) exit 1 ;; esac",
            format!(
                "case \"$(printf '%s' {{{{report}}}} | {VERDICT})\" in WORK_VERIFIED) ./open.sh ;; *) exit 1 ;; esac"
            ),
            verdict,
        ),
        (
            "if claude -p \"Is it open? Say yes or no.\" | grep -qw yes; then ./go.sh; fi",
            format!(
                "if [ \"$(claude -p \"Is it open? Say yes or no. Finish with one JSON object that has the key \
                 \\\"answer\\\".\" | {})\" = yes ]; then ./go.sh; fi",
                field("answer", "unknown")
            ),
            PROMPT.to_owned(),
        ),
    ]
}

#[test]
fn scrapes_become_the_canonical_pipeline_in_every_style() {
    let mut wrong = String::new();
    for (script, wanted, prompt) in scrapes() {
        for style in STYLES {
            let case = recipe(PROMPT, script, style);
            let Some(text) = mended(&case) else {
                writeln!(wrong, "{style:?}: no fix of {script}").unwrap();
                continue;
            };
            let found = script_and_prompt(&text);
            if found != (wanted.clone(), prompt.clone()) {
                writeln!(wrong, "{style:?}: {script}\n  {}\n  {}", found.0, found.1).unwrap();
            }
            assert!(text.contains("# kept") && text.contains("# the end"), "{text}");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn lines_that_a_prompt_asks_for_become_fields() {
    let prompt = "'Look at it. End with \"STATE: SOUND\" or \"STATE: WEAK\".'";
    let script = "state=$(grep -oE 'STATE: (SOUND|WEAK)' <<< \"$REPORT\" | tail -n 1)\n[ \"$state\" = 'STATE: SOUND' ] || exit 1\n./open.sh";
    let (script, prompt) = script_and_prompt(&mended(&recipe(prompt, script, Style::Literal)).unwrap());
    assert_eq!(prompt, "Look at it. End with {\"state\": \"SOUND\"} or {\"state\": \"WEAK\"}.");
    let wanted = format!(
        "state=$(printf '%s' \"$REPORT\" | {})\n[ \"$state\" = 'SOUND' ] || exit 1\n./open.sh",
        field("state", "unknown")
    );
    assert_eq!(script, wanted);
}

/// Texts beside a scrape that look like it stay as they are.
#[test]
fn here_documents_and_comments_near_a_scrape_stay() {
    let script = "cat > note.txt <<'EOF'\n  grep -q APPROVED \"$REPORT\"\n\tEOF\nEOF\n# grep -q APPROVED\nif grep -q APPROVED <<< \"$REPORT\"; then\n  ./open.sh <<EOF2\n  yes: $(date)\nEOF2\nfi";
    for style in [Style::Literal, Style::Windows, Style::Double] {
        let (new, _) = script_and_prompt(&mended(&recipe(PROMPT, script, style)).unwrap());
        let test = format!("if [ \"$(printf '%s' \"$REPORT\" | {VERDICT})\" = WORK_VERIFIED ]; then");
        assert_eq!(new, script.replace("if grep -q APPROVED <<< \"$REPORT\"; then", &test), "{style:?}");
    }
}

/// A workflow of one job with this script.
fn workflow(script: &str) -> Case {
    let script = script.lines().fold(String::new(), |all, line| all + "\n          " + line);
    let text = format!("on: push\njobs:\n  vote:\n    runs-on: ubuntu-latest\n    steps:\n      - run: |{script}\n");
    Case { name: "workflow".into(), lint: None, files: vec![(".github/workflows/vote.yml".into(), text)] }
}

fn script_of_workflow(text: &str) -> String {
    let root = yaml::parse(text).root.unwrap();
    value(&root, &["jobs", "vote", "steps", "0", "run"]).unwrap().trim_end().to_owned()
}

#[test]
fn workflows_keep_what_they_mean() {
    for (script, wanted) in [
        (
            "codex exec \"Name a colour.\"\nv=$(git tag --list | tail -n 1 || echo 'dark red')\n./paint.sh \"$v\"",
            "v=$(git tag --list | tail -n 1)\nv=${v:-\"dark red\"}",
        ),
        (
            "codex exec \"Say FINE or BAD.\" > said.md 2>&1\nif grep -q 'FINE' said.md; then ./go.sh; fi",
            "codex exec \"Say FINE or BAD. Finish with one JSON object that has the key \\\"fine\\\" (true or false).\" > \
             said.md\nif [ \"$(recipelint extract json --require-field fine < said.md | recipelint extract field --field \
             fine --default false)\" = true ]; then ./go.sh; fi",
        ),
        (
            "claude -p \"Tell of it.\" > a.md\n{\n  echo 'page<<END'\n  cat a.md\n  echo END\n} >> \"$GITHUB_OUTPUT\"",
            "  delimiter=\"text_$(openssl rand -hex 16)\"\n  echo \"page<<$delimiter\"\n  cat a.md\n  echo \"$delimiter\"",
        ),
    ] {
        let new = mended(&workflow(script)).map_or_else(|| panic!("{script}"), |text| script_of_workflow(&text));
        assert!(new.contains(wanted), "{new}");
    }
}

const NORMALISED: &str = "v=$(printf '%s' \"$REPORT\" | amplihack orch helper extract-json --require-field verdict | amplihack \
                          orch helper extract-field --field verdict --default UNCLEAR | amplihack orch helper normalise-verdict)";

const SAID: &str = "'Look at it. Finish with a JSON object that has \"verdict\" (PASS, FAIL or UNCLEAR).'";

#[test]
fn open_chains_name_what_passes() {
    for (chain, wanted) in [
        (
            "case \"$v\" in HOLLOW_SUCCESS) exit 1 ;; *) ./open.sh ;; esac",
            "case \"$v\" in HOLLOW_SUCCESS) exit 1 ;; WORK_VERIFIED) ./open.sh ;; *) echo \"no WORK_VERIFIED\" >&2; exit 1 ;; esac",
        ),
        (
            "case \"$v\" in\n  HOLLOW_SUCCESS) exit 1 ;;\nesac\n./open.sh",
            "case \"$v\" in\n  HOLLOW_SUCCESS) exit 1 ;;\n  WORK_VERIFIED) ;;\n  *) echo \"no WORK_VERIFIED\" >&2; exit 1 ;;\nesac\n./open.sh",
        ),
        (
            "case \"$v\" in\n  HOLLOW_SUCCESS)\n    exit 1\n    ;;\n  *)\n    ./open.sh\nesac",
            "case \"$v\" in\n  HOLLOW_SUCCESS)\n    exit 1\n    ;;\n  WORK_VERIFIED)\n    ./open.sh ;;\n  *) echo \"no WORK_VERIFIED\" >&2; exit 1 ;;\nesac",
        ),
        (
            "if [ \"$v\" = HOLLOW_SUCCESS ]; then exit 1; fi\n./open.sh",
            "if [ \"$v\" != WORK_VERIFIED ]; then exit 1; fi\n./open.sh",
        ),
        (
            "if [[ \"$v\" == HOLLOW_SUCCESS ]]; then exit 1; else ./open.sh; fi",
            "if [[ \"$v\" != WORK_VERIFIED ]]; then exit 1; else ./open.sh; fi",
        ),
        ("[ \"$v\" = HOLLOW_SUCCESS ] && exit 1\n./open.sh", "[ \"$v\" != WORK_VERIFIED ] && exit 1\n./open.sh"),
    ] {
        let script = format!("{NORMALISED}\n{chain}");
        for style in [Style::Literal, Style::Double, Style::Windows] {
            let (new, _) =
                script_and_prompt(&mended(&recipe(SAID, &script, style)).unwrap_or_else(|| panic!("{chain}")));
            assert_eq!(new, format!("{NORMALISED}\n{wanted}"), "{style:?}");
        }
    }
}

#[test]
fn containment_becomes_equality() {
    let extracted = format!("s=$(printf '%s' \"$REPORT\" | {})", field("state", "WEAK"));
    let said = "'Look at it. Finish with a JSON object that has \"state\" (SOUND, UNSOUND or WEAK).'";
    for (test, wanted) in [
        ("[[ $s == *SOUND* ]] && ./open.sh", "[[ $s == SOUND ]] && ./open.sh"),
        ("[[ \"$s\" =~ SOUND ]] && ./open.sh", "[[ \"$s\" == SOUND ]] && ./open.sh"),
        ("grep -qi 'sound' <<< \"$s\" && ./open.sh", "grep -x -qi 'SOUND' <<< \"$s\" && ./open.sh"),
        ("case $s in *SOUND) ./open.sh ;; *) exit 1 ;; esac", "case $s in SOUND) ./open.sh ;; *) exit 1 ;; esac"),
    ] {
        for style in STYLES {
            if style == Style::Folded {
                continue;
            }
            let script = format!("{extracted}\n{test}");
            let (new, _) =
                script_and_prompt(&mended(&recipe(said, &script, style)).unwrap_or_else(|| panic!("{test}")));
            assert_eq!(new, format!("{extracted}\n{wanted}"), "{style:?}");
        }
    }
}

#[test]
fn conditions_read_a_field_of_the_answer() {
    for (condition, wanted, more) in [
        ("\"'DONE' in report\"", "report.loop_verdict == 'DONE'", true),
        ("report.lower().endswith('sound')", "report.verdict.lower() == 'sound'", true),
        ("\"mode == 'x' and 'NOT_READY' not in report\"", "mode == 'x' and report.verdict == 'READY'", true),
        ("report.count('weak') > 0", "report.verdict == 'weak'", true),
        ("\"'cracks' in report\"", "'cracks' in report", false),
        ("report.find('sound')", "report.find('sound')", false),
        ("report.split(' ') == 'a'", "report.split(' ') == 'a'", false),
    ] {
        let text = format!(
            "name: bridge\ncontext:\n  mode: x\nsteps:\n  - {{id: look, agent: \"works:inspector\", prompt: \"{PROMPT} List the \\\"cracks\\\" in JSON.\", \
             output: report}}\n  - id: act\n    condition: {condition} # why\n    command: ./open.sh\n"
        );
        let case = Case { name: condition.to_owned(), lint: None, files: vec![("bridge.yaml".into(), text.clone())] };
        let new = mended(&case).unwrap_or(text);
        let document = yaml::parse(&new);
        let root = document.root.unwrap();
        assert_eq!(value(&root, &["steps", "1", "condition"]), Some(wanted), "{new}");
        assert_eq!(value(&root, &["steps", "0", "parse_json"]).is_some(), more, "{new}");
        assert!(new.contains("# why"), "{new}");
    }
}

#[test]
fn verdicts_go_through_their_normaliser() {
    let extracted = |end: &str| format!("v=$(printf '%s' \"$REPORT\" | {}{end})", field("verdict", "FAIL"));
    let said = "'Look at it. Finish with a JSON object that has \"verdict\".'";
    let end = " | amplihack orch helper normalise-verdict";
    for (test, wanted) in [
        (
            "case \"$v\" in PASS|\"APPROVED\"|VERIFIED) ./open.sh ;; *) exit 1 ;; esac",
            "case \"$v\" in WORK_VERIFIED) ./open.sh ;; *) exit 1 ;; esac",
        ),
        (
            "if [ \"$v\" = PASS ]; then ./open.sh; elif [ \"$v\" = FAIL ]; then exit 1; else exit 2; fi",
            "if [ \"$v\" = WORK_VERIFIED ]; then ./open.sh; elif [ \"$v\" = HOLLOW_SUCCESS ]; then exit 1; else exit 2; fi",
        ),
    ] {
        let (new, _) =
            script_and_prompt(&mended(&recipe(said, &format!("{}\n{test}", extracted("")), Style::Literal)).unwrap());
        assert_eq!(new, format!("{}\n{wanted}", extracted(end)));
    }
    let whole =
        recipe("Judge it with one word.", "[ \"$REPORT\" = \"APPROVED\" ] || exit 1\n./open.sh", Style::Literal);
    let (new, _) = script_and_prompt(&mended(&whole).unwrap());
    let wanted = "[ \"$(printf '%s' \"$REPORT\" | amplihack orch helper normalise-verdict)\" = \"WORK_VERIFIED\" ] || exit 1\n./open.sh";
    assert_eq!(new, wanted);
}

#[test]
fn json_readers_get_one_object() {
    let extract = "amplihack orch helper extract-json --require-field state";
    for (reader, wanted) in [
        ("s=$(jq -r .state <<< \"$REPORT\")", format!("s=$({extract} <<< \"$REPORT\" | jq -r .state)")),
        (
            "s=$(printf '%s' \"$REPORT\" | jq -r .state)",
            format!("s=$(printf '%s' \"$REPORT\" | {extract} | jq -r .state)"),
        ),
        (
            "f=$(mktemp)\nprintf '%s' \"$REPORT\" > \"$f\"\ns=$(jq -r .state \"$f\")",
            format!("f=$(mktemp)\nprintf '%s' \"$REPORT\" > \"$f\"\ns=$(jq -r .state <({extract} < \"$f\"))"),
        ),
        (
            "s=$(printf '%s' \"$REPORT\" | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"state\"])')",
            format!(
                "s=$(printf '%s' \"$REPORT\" | {extract} | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"state\"])')"
            ),
        ),
    ] {
        let said = "'Look at it. Finish with a JSON object that has \"state\" (SOUND or WEAK).'";
        for style in [Style::Literal, Style::Double, Style::Windows] {
            let script = format!("{reader}\n[ \"$s\" = SOUND ] || exit 1\n./open.sh");
            let (new, _) =
                script_and_prompt(&mended(&recipe(said, &script, style)).unwrap_or_else(|| panic!("{reader}")));
            assert_eq!(new, format!("{wanted}\n[ \"$s\" = SOUND ] || exit 1\n./open.sh"), "{style:?}");
        }
    }
}

/// Findings for which nothing is proposed, because nobody could know what is meant.
#[test]
fn where_nothing_can_be_known_nothing_is_proposed() {
    for script in [
        // How many lines is no field.
        "n=$(printf '%s' \"$REPORT\" | grep -c WEAK)\n[ \"$n\" = 3 ] && exit 1\n./open.sh",
        // The groups are read later on.
        "if [[ $REPORT =~ State:\\ (sound|weak) ]]; then s=${BASH_REMATCH[1]}; fi\n[ \"$s\" = sound ] || exit 1\n./open.sh",
        // Which of the two is meant?
        "if grep -qE 'State: (sound|fair)' <<< \"$REPORT\"; then ./open.sh; fi",
        // It reads line by line.
        "while read -r line; do case \"$line\" in *WEAK*) exit 1 ;; esac; done <<< \"$REPORT\"\n./open.sh",
        // What it reads comes from somewhere else.
        "scan() { grep -q WEAK; }\nif scan <<< \"$REPORT\"; then exit 1; fi\n./open.sh",
        // The cut text is matched once more.
        "s=$(sed -n 's/^State: //p' <<< \"$REPORT\")\ncase \"$s\" in so*) ./open.sh ;; *) exit 1 ;; esac",
        // The pattern is made at run time.
        "if grep -q \"$WORD\" <<< \"$REPORT\"; then ./open.sh; fi",
    ] {
        let case = recipe(PROMPT, script, Style::Literal);
        let (_, _, outcome) = case.check();
        let scraped = |lint: &str| matches!(lint, "grep-agent-output" | "match-agent-output");
        assert!(outcome.findings.iter().any(|finding| scraped(finding.lint)), "{script}: {:?}", outcome.findings);
        let new = mended(&case).map(|text| script_and_prompt(&text).0);
        assert!(new.is_none_or(|new| !new.contains("extract-json")), "{script}");
    }
}
