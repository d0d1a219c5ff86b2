#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use std::sync::Arc;

use crate::flow::{
    AgentForm, CompareOp, Framing, Graph, NodeKind, Options, Pasting, Source as From, Trust, analyse, groups,
};
use crate::recipe::{Dialect, File, FileId, Index, dialects};
use crate::text::Source;

/// A workspace of files below `/r`; the first one is what tests look at.
fn graph(files: &[(&str, &str)]) -> (Graph, Index) {
    let files = files.iter().enumerate().map(|(at, (path, text))| {
        let location = PathBuf::from("/r").join(path);
        let dialect = dialects::detect(&location, text).unwrap_or(Dialect::Prompt);
        let source = Source::new(*path, *text);
        let lowered = dialects::lower(dialect, &source);
        assert!(lowered.errors.is_empty(), "{path}: {:?}", lowered.errors);
        let id = FileId(at as u32);
        let dialects::Lowered { yaml, recipe, errors } = lowered;
        Arc::new(File { id, source, location: Some(location), dialect, tree: yaml.map(Into::into), recipe, errors })
    });
    let index = Index::new(files.collect()).with_root("/r");
    let groups = groups(&index);
    let group = groups.iter().find(|group| group.members.contains(&FileId(0))).unwrap();
    (analyse(group, &index, &Options::default()), index)
}

/// Nodes of interest as `line: what`, in order of their places.
fn facts(files: &[(&str, &str)]) -> Vec<String> {
    let (graph, index) = graph(files);
    let mut facts = Vec::new();
    for (id, node) in graph.nodes() {
        let what = match &node.kind {
            NodeKind::Source(From::NoSuchOutput { output, reason, .. }) => {
                format!("no output {output}{}", if reason.is_some() { " without a schema" } else { "" })
            }
            NodeKind::Paste(Pasting::Run) => "pasted into bash".to_owned(),
            NodeKind::Paste(Pasting::JavaScript) => "pasted into JavaScript".to_owned(),
            NodeKind::FromJson { empty: Some(why) } => format!("fromJSON: {why}"),
            NodeKind::Framed(Framing { file, name, delimiter }) => {
                format!("{file} {name} {}", delimiter.as_deref().unwrap_or("random"))
            }
            NodeKind::IgnoredSchema(_) => "ignored schema".to_owned(),
            NodeKind::Fallback(fallback) if fallback.dead.is_some() => "dead default".to_owned(),
            NodeKind::Fallback(fallback) => format!("default {}", fallback.literal.as_deref().unwrap_or("?")),
            NodeKind::Text(tool) if graph.decides(id).is_some() => format!("{} {:?}", tool.tool, node.trust),
            NodeKind::Json(tool) => format!("{} {:?}", tool.tool, node.trust),
            NodeKind::Contains(contains) if graph.decides(id).is_some() => format!("{} {:?}", contains.how, node.trust),
            NodeKind::Compare(compare) if node.trust >= Trust::Extracted && graph.decides(id).is_some() => {
                let op = if compare.op == CompareOp::Equal { "==" } else { "!=" };
                format!("{op} {} {:?}", compare.operand.as_deref().unwrap_or("?"), node.trust)
            }
            _ => continue,
        };
        let file = index.file(node.place.file).unwrap();
        let line = file.source.text[..node.place.span.start].matches('\n').count() + 1;
        facts.push((node.place, format!("{}{line}: {what}", if file.id.0 == 0 { "" } else { "other " })));
    }
    facts.sort();
    facts.dedup();
    facts.into_iter().map(|(_, fact)| fact).collect()
}

fn indented(text: &str) -> String {
    text.lines().flat_map(|line| ["    ", line, "\n"]).collect()
}

/// A job of steps behind one that asks ai-inference (`ai`), one that asks claude under a schema (`typed`), one that asks
/// claude in prose (`free`). The steps begin on line 20.
fn steps(steps: &str) -> Vec<String> {
    let head = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n    - id: ai\n      uses: actions/ai-inference@v2\n      \
                with:\n        prompt: Is it good?\n    - id: typed\n      if: github.actor != 'x'\n      uses: \
                anthropics/claude-code-action@v1\n      with:\n        prompt: Judge it.\n        claude_args: --json-schema \
                '{\"properties\":{\"verdict\":{\"type\":\"string\"},\"areas\":{\"type\":\"array\"}}}'\n    - id: free\n      \
                uses: anthropics/claude-code-action@v1\n      with: {prompt: Write your opinion to review.md.}\n    - run: 'true'\n";
    assert_eq!(head.matches('\n').count(), 19);
    let indented = indented(steps);
    facts(&[(".github/workflows/a.yml", &format!("{head}{indented}"))])
}

#[test]
fn expressions() {
    for (condition, expected) in [
        ("contains(steps.ai.outputs.response, 'good')", vec!["20: contains Agent"]),
        ("!startsWith(steps.ai.outputs.response, 'bad')", vec!["20: startsWith Agent"]),
        ("contains('good fine', steps.ai.outputs.response)", vec!["20: contains Agent"]),
        ("endsWith(env.X, 'good') == true", vec![]),
        ("contains(fromJSON('[\"a\",\"b\"]'), steps.ai.outputs.response)", vec!["20: == a Agent", "20: == b Agent"]),
        ("contains(github.event.pull_request.labels.*.name, steps.ai.outputs.response)", vec!["20: == ? Agent"]),
        ("contains(github.event.comment.body, '@claude')", vec![]),
        ("steps.ai.outputs.response == 'GOOD'", vec!["20: == GOOD Agent"]),
        ("steps.ai.outputs.response != ''", vec![]),
        ("steps.ai.outputs.response-file != '' && steps.free.outputs.session_id != 'x'", vec![]),
        ("steps.ai.outcome == 'success'", vec![]),
        (
            "fromJSON(steps.typed.outputs.structured_output).verdict == 'good'",
            vec!["20: fromJSON: the step is skipped when its `if` is false", "20: == good Extracted"],
        ),
        (
            "steps.typed.outputs.structured_output && fromJSON(steps.typed.outputs.structured_output).verdict != 'bad'",
            vec!["20: != bad Extracted"],
        ),
        (
            "steps.typed.outcome != 'skipped' && fromJSON(steps.typed.outputs.structured_output).verdict == 'good'",
            vec!["20: == good Extracted"],
        ),
        (
            "steps.typed.outputs.structured_output == '' || fromJSON(steps.typed.outputs.structured_output).verdict == 'a'",
            vec!["20: == a Extracted"],
        ),
        (
            "github.actor != 'x' && contains(fromJSON(steps.typed.outputs.structured_output).verdict, 'a')",
            vec!["20: contains Extracted"],
        ),
        (
            "github.actor != 'x' && contains(fromJSON(steps.typed.outputs.structured_output).areas, 'a')",
            vec!["20: == a Extracted"],
        ),
        ("steps.typed.outcome == 'success' && fromJSON(steps.typed.outputs.structured_output).verdict", vec![]),
        ("steps.ai.outputs.text == 'x'", vec!["20: no output text"]),
        ("steps.free.outputs.structured_output == 'x'", vec!["20: no output structured_output without a schema"]),
        ("steps.nobody.outputs.text == 'x'", vec![]),
        ("${{ steps.ai.outputs.response == 'a' }} && true", vec![]),
    ] {
        let found = steps(&format!("- if: {}\n  run: ./deploy", serde_json::to_string(condition).unwrap()));
        assert_eq!(found, expected, "{condition}");
    }
}

#[test]
fn a_step_that_only_shows_decides_nothing() {
    for (step, decides) in [
        ("run: echo shown", false),
        ("run: gh pr comment 1 --body-file x.md", false),
        ("run: gh pr merge 1", true),
        ("uses: peter-evans/create-or-update-comment@v4", false),
        ("uses: actions/upload-artifact@v4", false),
        ("uses: owner/deploy@v1", true),
        (
            "{uses: actions/github-script@v7, with: {script: 'core.info(1); await github.rest.issues.createComment({})'}}",
            false,
        ),
        ("{uses: actions/github-script@v7, with: {script: 'await github.rest.pulls.merge({})'}}", true),
        ("{uses: actions/github-script@v7, with: {script: core.setFailed(1)}}", true),
    ] {
        let condition = "if: contains(steps.ai.outputs.response, 'good')";
        let text = match step.strip_prefix('{') {
            Some(step) => format!("- {{\"if\": \"contains(steps.ai.outputs.response, 'good')\", {step}"),
            None => format!("- {condition}\n  {step}"),
        };
        assert_eq!(!steps(&text).is_empty(), decides, "{step}");
    }
}

#[test]
fn texts_in_scripts() {
    for (step, expected) in [
        ("run: echo '${{ steps.ai.outputs.response }}'", vec!["20: pasted into bash"]),
        ("run: |\n    # ${{ steps.ai.outputs.response }}\n    ls", vec!["21: pasted into bash"]),
        ("run: echo '${{ steps.typed.outputs.structured_output }}'", vec!["20: pasted into bash"]),
        ("run: cat \"${{ steps.ai.outputs.response-file }}\"", vec![]),
        ("run: grep -q good \"${{ steps.ai.outputs.response-file }}\" && ./deploy", vec!["20: grep Agent"]),
        (
            "run: jq -r '.[-1].result' \"$F\" | grep -q ok && ./deploy\n  env:\n    F: ${{ steps.free.outputs.execution_file }}",
            vec!["20: grep Agent"],
        ),
        ("run: grep -q good review.md && ./deploy", vec!["20: grep Agent"]),
        ("run: grep -q good README.md && ./deploy", vec![]),
        ("run: \"git log > review.md; grep -q good review.md && ./deploy\"", vec![]),
        ("run: jq -r .verdict <<< \"$T\"\n  env:\n    T: ${{ steps.ai.outputs.response }}", vec!["20: jq Agent"]),
        ("run: jq -r .verdict <<< \"$T\"\n  env:\n    T: ${{ steps.typed.outputs.structured_output }}", vec![]),
        (
            "env:\n    T: ${{ fromJSON(steps.typed.outputs.structured_output).verdict || 'good' }}\n  run: '[ \"$T\" = good ] || exit 1'",
            vec![
                "21: fromJSON: the step is skipped when its `if` is false",
                "21: default good",
                "22: == good Extracted",
            ],
        ),
        (
            "env:\n    T: ${{ contains(steps.ai.outputs.response, 'good') && 'go' || 'stop' }}\n  run: '[ \"$T\" = go ] || exit 1'",
            vec!["21: contains Agent"],
        ),
        (
            "uses: actions/github-script@v7\n  with:\n    script: |\n      const t = `${{ steps.ai.outputs.response }}`",
            vec!["23: pasted into JavaScript"],
        ),
        ("shell: pwsh\n  run: echo '${{ steps.ai.outputs.response }}'", vec![]),
        ("run: x=$(grep a b | tail -1 || echo none)", vec!["20: dead default"]),
        ("run: x=$(grep a b | tail -1 || echo none)\n  shell: bash", vec![]),
        ("run: x=$(grep a b || echo none)", vec![]),
        ("run: x=$(grep a b | wc -l || echo 0)", vec![]),
        ("run: codex exec review --output-schema s.json", vec!["20: ignored schema"]),
        ("run: codex exec --output-schema s.json", vec![]),
        ("run: \"claude --help | grep -q model || exit 1\"", vec![]),
    ] {
        assert_eq!(steps(&format!("- {step}")), expected, "{step}");
    }
}

/// What a script writes to the runner's files is read by the next step.
#[test]
fn texts_that_are_handed_on() {
    for (script, expected) in [
        ("echo \"v=$T\" >> $GITHUB_OUTPUT", vec!["40: == good Agent"]),
        ("echo \"v=$T\" | tee -a \"$GITHUB_OUTPUT\"", vec!["40: == good Agent"]),
        ("echo \"other=$T\" >> \"$GITHUB_OUTPUT\"", vec![]),
        ("echo v=fixed >> \"$GITHUB_OUTPUT\"", vec![]),
        (
            "{ echo 'v<<EOF'; echo \"$T\"; echo EOF; } >> \"$GITHUB_OUTPUT\"",
            vec!["24: GITHUB_OUTPUT v EOF", "40: == good Agent"],
        ),
        (
            "{\n  echo \"v<<EOF\"\n  cat \"$F\"\n  echo EOF\n  echo \"w=$T\"\n} >> \"$GITHUB_OUTPUT\"",
            vec!["25: GITHUB_OUTPUT v EOF", "40: == good Agent"],
        ),
        (
            "echo 'v<<X' >> $GITHUB_OUTPUT\necho \"$T\" >> $GITHUB_OUTPUT\necho X >> $GITHUB_OUTPUT\necho n=1 >> $GITHUB_OUTPUT",
            vec!["24: GITHUB_OUTPUT v X", "40: == good Agent"],
        ),
        (
            "D=$(uuidgen)\n{ echo \"v<<$D\"; echo \"$T\"; echo \"$D\"; echo \"w=1\"; } >> $GITHUB_OUTPUT",
            vec!["25: GITHUB_OUTPUT v random", "40: == good Agent"],
        ),
        (
            "D=EOF_$RANDOM\n{ echo \"v<<$D\"; echo \"$T\"; echo \"$D\"; } >> $GITHUB_OUTPUT",
            vec!["25: GITHUB_OUTPUT v random", "40: == good Agent"],
        ),
        (
            "D=EOF\n{ echo \"v<<$D\"; echo \"$T\"; echo \"$D\"; } >> $GITHUB_OUTPUT",
            vec!["25: GITHUB_OUTPUT v EOF", "40: == good Agent"],
        ),
        (
            "cat >> \"$GITHUB_OUTPUT\" <<END\nw=1\nv<<EOF\n$T\nEOF\nx=2\nEND",
            vec!["26: GITHUB_OUTPUT v EOF", "40: == good Agent"],
        ),
        ("cat <<END >> $GITHUB_OUTPUT\na=$T\nv=1\nEND", vec![]),
        ("printf 'a=%s\\nv=%s\\n' 1 \"$T\" >> $GITHUB_OUTPUT", vec!["40: == good Agent"]),
        ("printf 'a=%s\\nv=%s\\n' \"$T\" 1 >> $GITHUB_OUTPUT", vec![]),
        (
            "printf 'v<<EOF\\n%s\\nEOF\\n' \"$T\" >> $GITHUB_OUTPUT",
            vec!["24: GITHUB_OUTPUT v EOF", "40: == good Agent"],
        ),
        ("echo \"v<<EOF\n$T\nEOF\" >> $GITHUB_OUTPUT", vec!["24: GITHUB_OUTPUT v EOF", "40: == good Agent"]),
        ("{ echo 'v<<EOF'; git log; echo EOF; } >> $GITHUB_OUTPUT; echo \"$T\"", vec![]),
        ("echo \"V=$T\" >> $GITHUB_ENV", vec!["41: == good Agent"]),
        ("{ echo 'V<<EOF'; echo \"$T\"; echo EOF; } >> $GITHUB_ENV", vec!["24: GITHUB_ENV V EOF", "41: == good Agent"]),
    ] {
        let lines = script.lines().count();
        let body = indented(script);
        let padding = "# \n".repeat(39 - 23 - lines - 1);
        let text = format!(
            "- id: keep\n  env: {{T: '${{{{ steps.ai.outputs.response }}}}', F: '${{{{ steps.ai.outputs.response-file \
             }}}}'}}\n  if: true\n  run: |\n{body}{padding}- {{if: \"steps.keep.outputs.v == 'good'\", run: ./deploy}}\n- {{if: \
             \"env.V == 'good'\", run: ./deploy}}\n"
        );
        let found: Vec<String> = steps(&text).iter().map(|fact| shifted(fact)).collect();
        assert_eq!(found, expected, "{script}");
    }
}

/// The step with the conditions stands where the padding puts it: named 40 and 41 here.
fn shifted(fact: &str) -> String {
    let (line, what) = fact.split_once(": ").unwrap();
    let line: usize = line.parse().unwrap();
    format!("{}: {what}", if line > 30 { line + 1 } else { line })
}

#[test]
fn why_a_json_text_can_be_empty() {
    let job = |extra: &str, read: &str| {
        let text = format!(
            "on: push\njobs:\n  a:\n    outputs:\n      o: ${{{{ steps.t.outputs.structured_output }}}}\n    steps:\n    - id: t\n      \
             uses: anthropics/claude-code-action@v1\n      with: {{prompt: p, claude_args: \"--json-schema '{{}}'\"}}\n{extra}    \
             {read}\n"
        );
        facts(&[(".github/workflows/a.yml", &text)])
    };
    let reads = |read: &str| format!("- run: ls\n      env: {{X: \"${{{{ {read} }}}}\"}}");
    let plain = reads("fromJSON(steps.t.outputs.structured_output).v");
    let guarded = "- run: ls\n      if: steps.t.outputs.structured_output != ''";
    for (extra, read, empty) in [
        ("", plain.clone(), false),
        ("      continue-on-error: true\n", plain.clone(), true),
        ("      if: always()\n", plain.clone(), false),
        ("      if: github.ref == 'x'\n", plain.clone(), true),
        ("      if: github.ref == 'x'\n", reads("fromJSON(steps.t.outputs.structured_output || '{}').v"), false),
        ("      if: github.ref == 'x'\n", reads("steps.t.outputs.structured_output != '' && fromJSON(steps.t.outputs.structured_output).v"), false),
        // `env` is evaluated before `if`, `with` and `run` behind it.
        ("      if: github.ref == 'x'\n", format!("{guarded}\n      env: {{X: '${{{{ fromJSON(steps.t.outputs.structured_output).v }}}}'}}"), true),
        ("      if: github.ref == 'x'\n", format!("{guarded}\n      name: '${{{{ fromJSON(steps.t.outputs.structured_output).v }}}}'"), false),
        ("      if: github.ref == 'x'\n", "- run: ls\n      if: github.ref == 'x'\n      name: ${{ fromJSON(steps.t.outputs.structured_output).v }}".to_owned(), false),
        ("", "- run: ls\n      if: always()\n      name: ${{ fromJSON(steps.t.outputs.structured_output).v }}".to_owned(), true),
        ("", "- run: ls\n      if: always() && steps.t.outcome == 'success'\n      name: ${{ fromJSON(steps.t.outputs.structured_output).v }}".to_owned(), false),
    ] {
        let found = job(extra, &read);
        let told = found.iter().any(|fact| fact.contains("fromJSON"));
        assert_eq!(told, empty, "{extra}{read}: {found:?}");
    }
}

#[test]
fn across_jobs_workflows_and_actions() {
    let caller = "on: push\njobs:\n  ask:\n    outputs: {o: '${{ steps.c.outputs.answer }}'}\n    steps:\n    - id: c\n      uses: ./ask\n      \
                  with: {question: 'Good?'}\n  late:\n    needs: ask\n    if: contains(needs.ask.outputs.o, 'good')\n    steps: [{run: \
                  ./deploy}]\n  call:\n    needs: ask\n    uses: ./.github/workflows/b.yml\n    with: {text: '${{ needs.ask.outputs.o \
                  }}'}\n  last:\n    needs: call\n    steps: [{run: './deploy ${{ needs.call.outputs.back }}'}]\n";
    let action = "name: ask\ninputs: {question: {required: true}}\noutputs: {answer: {value: '${{ steps.x.outputs.final-message \
                  }}'}}\nruns:\n  using: composite\n  steps:\n  - id: x\n    uses: openai/codex-action@v1\n    with: {prompt: '${{ \
                  inputs.question }}'}\n";
    let callee = "on:\n  workflow_call:\n    inputs: {text: {type: string}}\n    outputs: {back: {value: '${{ jobs.j.outputs.r \
                  }}'}}\njobs:\n  j:\n    outputs: {r: '${{ inputs.text }}'}\n    steps:\n    - run: echo '${{ inputs.text }}'\n";
    let found =
        facts(&[(".github/workflows/a.yml", caller), ("ask/action.yml", action), (".github/workflows/b.yml", callee)]);
    assert_eq!(found, ["11: contains Agent", "19: pasted into bash", "other 9: pasted into bash"]);
    let (graph, _) = graph(&[(".github/workflows/a.yml", caller), ("ask/action.yml", action)]);
    let prompt = graph.nodes().find(|(_, node)| matches!(node.kind, NodeKind::Prompt)).unwrap().1;
    assert_eq!((prompt.place.file, prompt.literal.as_deref()), (FileId(0), Some("Good?")));
}

#[test]
fn schemas_of_prompt_files() {
    let workflow = |version: &str| {
        format!(
            "on: push\njobs:\n  a:\n    steps:\n    - id: i\n      uses: actions/ai-inference@{version}\n      with: {{prompt-file: \
             .github/prompts/p.prompt.yml}}\n    - run: jq -r .v <<< \"$T\"\n      env: {{T: '${{{{ steps.i.outputs.response \
             }}}}'}}\n"
        )
    };
    let with = "messages: []\nresponseFormat: json_schema\njsonSchema: '{}'\n";
    let without = "messages: []\n";
    for (version, prompt, expected) in [
        ("v1", with, vec![]),
        ("v2.1.0", with, vec![]),
        ("main", with, vec![]),
        ("v3", with, vec!["8: jq Agent", "other 2: ignored schema"]),
        ("0123456789012345678901234567890123456789 # v3.0.1", with, vec!["8: jq Agent", "other 2: ignored schema"]),
        ("v2", without, vec!["8: jq Agent"]),
    ] {
        let found = facts(&[(".github/workflows/a.yml", &workflow(version)), (".github/prompts/p.prompt.yml", prompt)]);
        assert_eq!(found, expected, "{version}");
    }
}

#[test]
fn sources_of_actions() {
    let form = |uses: &str, with: &str, output: &str| {
        let text = format!(
            "on: push\njobs:\n  a:\n    steps:\n    - id: i\n      uses: {uses}\n      with: {{{with}}}\n    - run: ls \"${{{{ \
             steps.i.outputs.{output} }}}}\"\n"
        );
        let (graph, _) = graph(&[(".github/workflows/a.yml", &text)]);
        graph.nodes().find_map(|(_, node)| match &node.kind {
            NodeKind::Source(From::AgentOutput { output: name, form, .. }) if **name == *output => Some(*form),
            _ => None,
        })
    };
    let claude = "anthropics/claude-code-action@v1";
    for (uses, with, output, expected) in [
        (claude, "prompt: p", "structured_output", None),
        (claude, "claude_args: \"--json-schema '{}'\"", "structured_output", Some(AgentForm::Typed)),
        (claude, "claude_args: '--json-schema=${{ env.S }}'", "structured_output", Some(AgentForm::Typed)),
        (claude, "claude_args: '${{ vars.ARGS }}'", "structured_output", Some(AgentForm::Typed)),
        (claude, "claude_args: --max-turns 3", "structured_output", None),
        ("Anthropics/Claude-Code-Action/base-action@v1", "prompt: p", "execution_file", Some(AgentForm::Envelope)),
        ("openai/codex-action@v1", "prompt: p", "final-message", Some(AgentForm::Prose)),
        ("openai/codex-action@v1", "output-schema: '{}'", "final-message", Some(AgentForm::Typed)),
        (
            "openai/codex-action@v1",
            "codex-args: '[\"--output-schema\", \"s.json\"]'",
            "final-message",
            Some(AgentForm::Typed),
        ),
        ("google-github-actions/run-gemini-cli@v0", "prompt: p", "summary", Some(AgentForm::Prose)),
        ("actions/ai-inference@v2", "prompt: p", "response-file", Some(AgentForm::Prose)),
        ("qodo-ai/pr-agent@main", "a: b", "review", Some(AgentForm::Typed)),
        ("owner/other@v1", "prompt: p", "response", None),
    ] {
        assert_eq!(form(uses, with, output), expected, "{uses} {with} {output}");
    }
}

#[test]
fn without_an_agent_there_is_nothing() {
    for text in [
        "on: push\njobs:\n  a:\n    steps:\n    - run: x=$(git tag | tail -1 || echo v0)\n    - run: grep -q PASS log && ./deploy\n",
        "# claude codex gemini\non: push\njobs:\n  a:\n    steps:\n    - run: x=$(git tag | tail -1 || echo v0)\n",
    ] {
        assert!(graph(&[(".github/workflows/a.yml", text)]).0.is_empty(), "{text}");
    }
}

#[test]
fn cycles_end() {
    let a = "# claude\non: workflow_call\njobs:\n  a: {uses: ./.github/workflows/b.yml}\n  b: {needs: c}\n  c: {needs: b}\n";
    let b = "on: workflow_call\njobs:\n  a: {uses: ./.github/workflows/a.yml}\n";
    assert!(graph(&[(".github/workflows/a.yml", a), (".github/workflows/b.yml", b)]).0.is_empty());
}

proptest::proptest! {
    /// Whatever a workflow says, it is run to an end.
    #[test]
    fn nothing_panics(parts in proptest::collection::vec(0..PARTS.len(), 0..24)) {
        let text: String = parts.iter().map(|part| PARTS[*part]).collect();
        let source = Source::new(".github/workflows/a.yml", format!("# claude\n{text}"));
        let dialects::Lowered { yaml, recipe, errors } = dialects::lower(Dialect::Workflow, &source);
        let location = Some(PathBuf::from("/r/.github/workflows/a.yml"));
        let file = File { id: FileId(0), source, location, dialect: Dialect::Workflow, tree: yaml.map(Into::into), recipe, errors };
        let index = Index::new(vec![Arc::new(file)]).with_root("/r");
        for group in groups(&index) {
            analyse(&group, &index, &Options::default());
        }
    }
}

const PARTS: &[&str] = &[
    "on: push\njobs:\n",
    "  a:\n    needs: [a, b]\n",
    "  b:\n    uses: ./.github/workflows/a.yml\n    with: {x: '${{ needs.a.outputs.o }}'}\n",
    "    outputs: {o: '${{ fromJSON(steps.s.outputs.response).x[0].*.y || steps.s.outputs.response }}'}\n",
    "    steps:\n",
    "    - id: s\n      uses: actions/ai-inference@v2\n      with: {prompt: 'write x.md'}\n",
    "    - run: |\n        echo '${{ steps.s.outputs.response }}' >> $GITHUB_OUTPUT\n        cat x.md <<E >> \"$GITHUB_ENV\"\n        é=$X\n        E\n",
    "    - run: printf 'a<<%s\\n%%%s' >> $GITHUB_OUTPUT\n",
    "    - if: ${{ !contains(steps.s.outputs.*, 'x') && steps['s'].outputs['response'] }}\n      run: '{ echo \"<<\"; echo =; } >> $GITHUB_OUTPUT'\n",
    "      env: {X: '${{ steps.s.outputs.response-file || env.X }}', Y: '${{ case(true, 1, 2) }} ${{'}\n",
    "    - uses: actions/github-script@v7\n      with: {script: 'core.setOutput(`${{ steps.s.outputs.nothing }}`, process.env.X.match(/a/))'}\n",
    "    - *x\n",
    "      if: [\n",
];
