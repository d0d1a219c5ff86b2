//! Scripts and what they leave in the graph, as lines of text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use super::shell::{Environment, Start, Trees, Unit, run};
use super::*;
use crate::recipe::{FileId, Holes};
use crate::syntax::shell;
use crate::text::{Fragment, Span};

/// `$AGENT` and `{{agent}}` are agent text, `$FIELD` and `{{agent.field}}` are extracted, `$TASK` is the user's.
struct World;

impl<'a> Environment<'a> for World {
    fn variable(&mut self, builder: &mut Builder, name: &str, place: Place) -> Option<Value> {
        let (source, trust) = match name {
            "AGENT" => (
                Source::AgentStep { step: "ask".into(), output: "agent".into(), parse_json: false, required: false },
                Trust::Agent,
            ),
            "FIELD" => (
                Source::AgentStep { step: "ask".into(), output: "agent".into(), parse_json: true, required: true },
                Trust::Extracted,
            ),
            "TASK" => (Source::User { name: "task".into() }, Trust::User),
            _ => return None,
        };
        Some(Value::node(builder.source(source, place, trust)))
    }

    fn hole(&mut self, builder: &mut Builder, text: &str, place: Place) -> Option<Value> {
        let name = match text {
            "agent" => "AGENT",
            "agent.field" => "FIELD",
            _ => return None,
        };
        self.variable(builder, name, place)
    }

    fn script(&self, _: &str) -> Option<Unit<'a>> {
        None
    }
}

fn graph_of(script: &str, captured: bool) -> Graph {
    let fragment = Fragment::verbatim(script, 0);
    let tree = shell::parse(script, shell::Options { holes: shell::Holes::Template });
    assert_eq!(tree.errors, [], "{script}");
    let trees = Trees::default();
    let unit = Unit {
        file: FileId(0),
        fragment: &fragment,
        tree: &tree,
        holes: Holes::Template,
        programs: &[],
        trees: &trees,
    };
    let mut builder = Builder::default();
    let start = Start { captured, status_decides: true, ..Start::default() };
    let options = Options::default();
    let outcome = run(&mut builder, &mut World, &options, unit, start);
    if captured {
        let place = Place { file: FileId(0), span: Span::at(script.len()) };
        builder.on(NodeKind::Name(Name::Output("out".into())), place, &outcome.stdout);
    }
    let mut graph = builder.graph;
    graph.finish();
    graph
}

/// The tools that read agent text and decide, as `tool@text-at-its-place`.
fn deciding(script: &str) -> Vec<String> {
    let graph = graph_of(script, false);
    let mut found: Vec<String> = graph
        .nodes()
        .filter(|(_, node)| {
            let at_least = |trust| node.inputs.iter().any(|input| graph.node(input.from).trust >= trust);
            at_least(Trust::Extracted)
        })
        .filter_map(|(id, node)| {
            let name = match &node.kind {
                NodeKind::Text(tool) => format!("text {}", tool.tool),
                NodeKind::Match(found) => format!("match {:?}", found.how),
                NodeKind::Json(tool) => format!("json {}", tool.tool),
                NodeKind::Contains(found) => format!("{} {}", found.how, found.needle.as_deref().unwrap_or("?")),
                NodeKind::Compare(compare) => {
                    format!("{:?} {}", compare.op, compare.operand.as_deref().unwrap_or("?"))
                }
                _ => return None,
            };
            graph.decides(id).map(|_| name)
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

#[track_caller]
fn decides(script: &str, wanted: &[&str]) {
    assert_eq!(deciding(script), wanted, "{script}");
}

#[test]
fn text_tools_that_decide() {
    decides("if printf '%s' \"$AGENT\" | grep -q ok; then ./go; fi", &["text grep"]);
    decides("printf '%s' \"$AGENT\" | grep -q ok && ./go", &["text grep"]);
    decides("grep -q ok <<< \"$AGENT\" || exit 1", &["text grep"]);
    decides("x=$(awk '{print $1}' <<< \"$AGENT\"); [ \"$x\" = ok ] || exit 1", &["Equal ok", "text awk"]);
    decides("t=$(mktemp); printf '%s' {{agent}} > \"$t\"; if ! grep -qw bad \"$t\"; then touch ok; fi", &["text grep"]);
    decides("f() { printf '%s' \"$1\" | grep -q ok; }\nif f \"$AGENT\"; then git push; fi", &["text grep"]);
    decides("claude -p 'is it ok' > a.txt\nhead -n 1 a.txt | grep -q ok || exit 3", &["text grep", "text head"]);
    decides("set -e\ngrep -q ok <<< \"$AGENT\"\n./go", &["text grep"]);
    decides("grep -q ok <<< \"$AGENT\"", &["text grep"]);
    decides("while read -r l; do case \"$l\" in OK*) exit 0 ;; esac; done <<< \"$AGENT\"; exit 1", &["match Case"]);
    decides("m=a; if [[ $AGENT =~ on ]]; then m=b; fi; ./run --mode \"$m\"", &["match Regex"]);
    decides("r=\"${AGENT##*: }\"; if [ \"$r\" = low ]; then ./go; fi", &["Equal low", "match Strip"]);
    decides("printf '%s' \"$AGENT\" | grep -q ok\nif [ $? -eq 0 ]; then ./go; fi", &["Equal 0", "text grep"]);
    decides("{ printf '%s' \"$AGENT\"; } | { grep -q ok; } && ./go", &["text grep"]);
    decides(
        "mapfile -t lines <<< \"$AGENT\"; for l in \"${lines[@]}\"; do [[ $l == OK* ]] && ./go; done",
        &["match Glob", "match Piece"],
    );
    decides("sed -n '/ok/q0;$q1' <<< \"$AGENT\" && ./go", &["text sed"]);
    decides("(printf '%s' \"$AGENT\" > t)\ngrep -q ok t && ./go", &["text grep"]);
    decides("n=$(printf '%s' \"$AGENT\" > t; date)\ngrep -q ok t && ./go", &["text grep"]);
    decides("for w in $AGENT; do [ \"$w\" = ok ] && ./go; done", &["Equal ok", "match Piece"]);
    decides("set -- $AGENT; shift; [ \"$1\" = ok ] || exit 1", &["Equal ok", "match Piece"]);
    for count in ["((n++))", "(( n += 1 ))", "n=$((n + 1))", "let n++", "let n+=1", "((++n))"] {
        decides(&format!("n=0; [[ $AGENT == ok* ]] && {count}\n(( n == 1 )) || exit 1"), &["match Glob"]);
    }
    for other in ["(( n <= 1 ))", "(( n == 2 ))", "(( n >= m ))"] {
        decides(&format!("n=0; [[ $AGENT == ok* ]] && {other}\n(( n == 1 )) || exit 1"), &[]);
    }
    let typed = "o=$(claude -p x --json-schema '{}' --output-format json);";
    for (filter, wanted) in [
        (".structured_output.labels | index(\"ok\")", "Equal ok"),
        (".structured_output.status | index(\"ok\")", "index ok"),
        (".structured_output.labels | contains([\"ok\"])", "contains ok"),
    ] {
        decides(&format!("{typed} if jq -e '{filter}' <<< \"$o\"; then ./go; fi"), &[wanted]);
    }
    let list = "IFS=, read -ra l <<< \"$AGENT\";";
    decides(&format!("{list} for w in \"${{l[@]}}\"; do [ \"$w\" = ok ] && ./go; done"), &["Equal ok"]);
    decides(&format!("{list} [ \"${{l[0]}}\" = ok ] && ./go"), &["Equal ok", "match Piece"]);
    decides("IFS=';'; for w in $AGENT; do [ \"$w\" = ok ] && ./go; done", &["Equal ok"]);
    decides("for w in \"$AGENT\"; do [ \"$w\" = ok ] && ./go; done", &["Equal ok"]);
    decides("f() { [ \"$1\" = ok ]; }\nset -- $AGENT\nf \"$OTHER\" && ./go", &[]);
    decides(
        "export A=\"$AGENT\"; bash -c 'echo'; v=$(sed -n p <<< \"$A\"); test \"$v\" = ok || exit 1",
        &["Equal ok", "text sed"],
    );
    decides("set -- \"$AGENT\"; grep -q ok <<< \"$1\" && ./go", &["text grep"]);
    decides("v=$(cat <<EOF | grep -c ok\n$AGENT\nEOF\n); (( v > 0 )) && ./go", &["Order ?", "text grep"]);
    decides("ok() { [[ \"$1\" =~ yes ]]; }; ok \"$AGENT\" || exit 1", &["match Regex"]);
    decides("v=$(echo \"$AGENT\" | tr -d ' ' | tail -n 1)\n[ \"$v\" = ok ] && ./go", &["Equal ok", "text tail"]);
}

#[test]
fn text_that_is_only_shown_decides_nothing() {
    decides("printf '%s' \"$AGENT\" | head -n 3 >&2", &[]);
    decides("if grep -q ok <<< \"$AGENT\"; then echo fine >&2; else echo bad >&2; fi; true", &[]);
    decides("x=$(cut -c 1-80 <<< \"$AGENT\"); echo \"$x\" >&2; exit 0", &[]);
    decides("short=$(printf '%s' \"$AGENT\" | head -c 300); gh pr comment 1 --body \"$short\"", &[]);
    decides("[ -n \"$AGENT\" ] || exit 1", &[]);
    decides("git diff | grep -q x && ./go", &[]);
    decides("printf '%s' \"$AGENT\" | sed 's/a/b/' >> notes.log", &[]);
    decides("l=a; if grep -q ok <<< \"$AGENT\"; then l=b; fi; echo \"$l\" >&2", &[]);
    decides("err=$(mktemp); git push 2> \"$err\" || grep -q denied \"$err\" || exit 1", &[]);
}

#[test]
fn exact_tests_of_trimmed_text() {
    decides("v=$(printf '%s' \"$AGENT\" | tr -d '[:space:]'); [ \"$v\" = ok ] || exit 1", &["Equal ok"]);
    decides("v=${AGENT^^}; [[ $v == OK ]] && ./go", &["Equal OK"]);
    decides("v=\"${AGENT#\"${AGENT%%[![:space:]]*}\"}\"; [ \"$v\" = ok ] && ./go", &["Equal ok"]);
    decides("v=$(xargs <<< \"$AGENT\"); [ \"$v\" = ok ] && ./go", &["Equal ok"]);
}

fn kinds(script: &str, wanted: fn(&NodeKind) -> Option<String>) -> Vec<String> {
    graph_of(script, true).nodes().filter_map(|(_, node)| wanted(&node.kind)).collect()
}

fn executions(script: &str) -> Vec<String> {
    kinds(script, |kind| match kind {
        NodeKind::Execute(how) => Some(format!("{how:?}")),
        NodeKind::Paste(how) => Some(format!("{how:?}")),
        _ => None,
    })
}

#[test]
fn execution_of_agent_text() {
    let cases: &[(&str, &[&str])] = &[
        ("eval \"$AGENT\"", &["Eval"]),
        ("bash -c \"$AGENT\"", &["Program(\"bash\")"]),
        ("sh -c 'echo \"$1\"' _ \"$AGENT\"", &[]),
        ("printf '%s' \"$AGENT\" | bash", &["Stdin(\"bash\")"]),
        ("$AGENT now", &["Command"]),
        ("(( AGENT < 3 ))", &["Arithmetic"]),
        ("[[ $AGENT -ge 3 ]]", &["Arithmetic"]),
        ("[ \"$AGENT\" -ge 3 ]", &[]),
        ("x=$(( AGENT + 1 ))", &["Arithmetic"]),
        ("echo ${!AGENT}", &["Indirect"]),
        ("printf -v \"$AGENT\" x", &["Name(\"printf -v\")"]),
        ("export \"$AGENT\"", &["Name(\"export\")"]),
        ("declare x=\"$AGENT\"", &[]),
        ("printf '%s\\n' \"$AGENT\" | xargs -I{} sh -c 'rm {}'", &["Spawned(\"xargs sh -c\")"]),
        ("printf '%s\\n' \"$AGENT\" | xargs -n1 sh -c 'rm \"$1\"' _", &[]),
        ("t=$(mktemp); printf '%s' \"$AGENT\" > $t; . \"$t\"", &["Source"]),
        ("ssh host \"$AGENT\"", &["Remote"]),
        ("cat <<'E'\n{{agent}}\nE\n", &["Heredoc(\"E\")"]),
        ("cat <<E\n{{agent}}\nE\n", &[]),
        ("python3 - <<'E'\nx = '''{{agent}}'''\nE\n", &["Heredoc(\"E\")", "Stdin(\"python3\")"]),
        ("git -c \"$AGENT\" status", &["Option(\"git -c\")"]),
        ("jq -n --arg a \"$AGENT\" '$a'", &[]),
    ];
    for (script, wanted) in cases {
        assert_eq!(executions(script), *wanted, "{script}");
    }
}

#[test]
fn checked_fields_are_no_longer_dangerous() {
    for script in [
        "f=$FIELD; [[ \"$f\" =~ ^[0-9]+$ ]] || exit 1; (( f > 3 )) && ./go",
        "f=$FIELD; if ! [[ $f =~ ^[0-9]+$ ]]; then exit 1; fi; x=$(( f + 1 ))",
        "f=$FIELD; case \"$f\" in ''|*[!0-9]*) exit 1 ;; esac; x=$(( f + 1 ))",
        "f=$FIELD; printf '%s' \"$f\" | grep -qE '^[a-z]+$' || exit 1; eval \"$f\"",
    ] {
        assert_eq!(executions(script), Vec::<String>::new(), "{script}");
    }
}

#[test]
fn fallbacks() {
    let fallback = |kind: &NodeKind| match kind {
        NodeKind::Fallback(fallback) => {
            Some(format!("{:?} {}", fallback.form, fallback.literal.as_deref().unwrap_or("?")))
        }
        _ => None,
    };
    let cases: &[(&str, &[&str])] = &[
        ("x=${AGENT:-PASS}", &["Expansion PASS"]),
        ("x=${AGENT:-}", &[]),
        ("x=${AGENT:-${FIELD:-}}", &[]),
        ("x=$(grep ok <<< \"$AGENT\" || echo PASS)", &["Or PASS"]),
        ("x=$(jq -r '.v // \"PASS\"' <<< \"$FIELD\")", &["Jq PASS"]),
        ("x=$AGENT; if [ -z \"$x\" ]; then x=PASS; fi", &["Empty PASS"]),
        ("x=$AGENT; [ -n \"$x\" ] || x=PASS", &["Or PASS"]),
        ("x=$(git describe || echo v0)", &[]),
        ("if [ -z \"$AGENT\" ]; then y=PASS; else y=$FIELD; fi", &["Absent PASS"]),
        ("if [[ -n $AGENT ]]; then y=$FIELD; else y=PASS; fi", &["Absent PASS"]),
        ("[ \"$AGENT\" = '' ] && y=PASS", &["Absent PASS"]),
        ("if [ -n \"$AGENT\" ]; then y=PASS; else y='a note'; fi", &[]),
        ("if [ -z \"$HOME\" ]; then y=PASS; fi", &[]),
    ];
    for (script, wanted) in cases {
        assert_eq!(kinds(script, fallback), *wanted, "{script}");
    }
}

#[test]
fn deep_loops_and_long_chains_are_followed_with_few_nodes_and_edges() {
    let many = |line: &dyn Fn(usize) -> String| (0..300).map(line).collect::<String>();
    let loops = format!("{}make; {}", "while x=$AGENT$x; do y=$x; ".repeat(40), "done; ".repeat(40));
    let words = format!("{}make; {}", "for w in a b; do y=$w$AGENT; ".repeat(40), "done; ".repeat(40));
    let chain = many(&|at| format!("[ \"$x\" = P{at} ] && x=${{x#a}}; "));
    let reads = many(&|at| format!("while read -r l; do y{at}=$l; done <<< \"$AGENT\"; "));
    let branches = many(&|at| format!("elif [ \"$AGENT\" = P{at} ]; then x=v{at}; "));
    for script in [
        format!("{loops}\n[ \"$y\" = PASS ] && deploy"),
        format!("{words}\n[ \"$y\" = PASS ] && deploy"),
        format!("x=$AGENT; {chain}\n[ \"$x\" = PASS ] && deploy"),
        format!("{reads}\n[ \"$l\" = PASS ] && deploy"),
        format!("if [ \"$AGENT\" = a ]; then x=b; {branches}fi\n[ \"$x\" = PASS ] && deploy"),
    ] {
        let graph = graph_of(&script, false);
        assert_eq!(graph.unfinished(FileId(0)), None);
        let edges: usize = graph.nodes().map(|(_, node)| node.inputs.len()).sum();
        assert!(edges < 50 * graph.len() && graph.len() < 20_000, "{edges} edges, {} nodes", graph.len());
        // The last test of the agent's text still decides at the end.
        let tests = graph.nodes().filter(|(_, node)| matches!(node.kind, NodeKind::Compare(_)));
        let last = tests.filter(|(_, node)| node.trust == Trust::Agent).last().expect("a test");
        let end = graph.decides(last.0).and_then(|way| way.last().copied()).expect("a way");
        assert!(graph.node(end).place.span.end + 20 > script.len(), "{:?}", graph.node(end));
    }
}
