//! The real server over its standard input and output: `cargo bench --bench server`. Prints the time from an edit to its
//! diagnostics, from the start of the process to the answer to `initialize`, and the memory.
#![allow(clippy::expect_used, clippy::cast_precision_loss)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const EDITS: usize = 1000;

struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Server {
    fn start(folder: &Path) -> (Self, Duration) {
        let started = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_recipelint"));
        let mut child =
            command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
        let stdin = child.stdin.take().expect("its input");
        let stdout = BufReader::new(child.stdout.take().expect("its output"));
        let mut server = Self { child, stdin, stdout };
        let folders = json!([{"uri": format!("file://{}", folder.display()), "name": "bench"}]);
        let parameters = json!({"processId": null, "capabilities": {}, "workspaceFolders": folders});
        server.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters}));
        server.until(|message| message["id"] == 1);
        let took = started.elapsed();
        server.send(&json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}));
        (server, took)
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        self.stdin.flush().expect("the server reads");
    }

    fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                assert_ne!(self.stdout.read_line(&mut line).expect("the server writes"), 0, "the server ended");
                if let Some(number) = line.trim_end().strip_prefix("Content-Length: ") {
                    length = number.parse().expect("a number");
                }
                if line.trim_end().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            std::io::Read::read_exact(&mut self.stdout, &mut body).expect("a whole message");
            let message: Value = serde_json::from_slice(&body).expect("JSON");
            if message.get("method").is_some() && message.get("id").is_some() {
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}));
            } else if wanted(&message) {
                return message;
            }
        }
    }

    fn diagnostics(&mut self, version: usize) -> usize {
        let published = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version
        };
        self.until(published)["params"]["diagnostics"].as_array().map_or(0, Vec::len)
    }

    /// Processor time so far, seconds.
    fn processor(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let ticks: Vec<f64> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split(' ')
            .skip(12)
            .take(2)
            .filter_map(|ticks| ticks.parse().ok())
            .collect();
        ticks.iter().sum::<f64>() / 100.0
    }

    /// Resident memory, MiB.
    fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|kib| kib.parse::<f64>().ok()).unwrap_or_default() / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Types into the middle of a document and takes the times.
fn measure(name: &str, folder: &Path, path: &str, text: &str) {
    let (mut server, initialised) = Server::start(folder);
    let uri = format!("file://{}", folder.join(path).display());
    let opened = Instant::now();
    let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
    server.send(&json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}));
    let findings = server.diagnostics(1);
    let opened = opened.elapsed();
    // A word in a script is typed, letter by letter, and deleted again.
    let places: Vec<usize> =
        text.lines().enumerate().filter(|(_, line)| line.contains("# here")).map(|(at, _)| at).collect();
    let line = places[places.len() / 2];
    let column = text.lines().nth(line).expect("the line").len();
    let mut times: Vec<Duration> = Vec::with_capacity(EDITS);
    let before = server.processor();
    for edit in 0..EDITS {
        let letters = edit % 20;
        let grows = letters < 10;
        let at = column + if grows { letters } else { 19 - letters };
        let end = at + usize::from(!grows);
        let range = json!({"start": {"line": line, "character": at}, "end": {"line": line, "character": end}});
        let change = json!([{"range": range, "text": if grows { "x" } else { "" }}]);
        let started = Instant::now();
        server.send(&json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": {"uri": uri, "version": edit + 2}, "contentChanges": change}}));
        server.diagnostics(edit + 2);
        times.push(started.elapsed());
    }
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{name:>28} {:>6} lines {:>6} bytes {findings:>3} findings | initialise {:>6.1} ms, open {:>6.1} ms | edit p50 {:>6.2} p99 {:>6.2} max {:>6.2} ms, processor {:>5.2} ms | {:>5.1} MiB",
        text.lines().count(),
        text.len(),
        ms(initialised),
        ms(opened),
        ms(times[EDITS / 2]),
        ms(times[EDITS * 99 / 100]),
        ms(times[EDITS - 1]),
        (server.processor() - before) * 1e3 / EDITS as f64,
        server.memory(),
    );
}

/// A recipe of a given number of bytes, at least. Every fifth of its steps runs a recipe of [`below`], if there are any.
fn recipe(bytes: usize, sub_recipes: usize) -> String {
    let mut text = "name: bench\ncontext:\n  topic: \"\"\nsteps:\n".to_owned();
    for step in 0.. {
        if text.len() >= bytes {
            break;
        }
        let _ = write!(
            text,
            r#"  - id: ask-{step}
    agent: bench:worker
    prompt: |
      Look at {{{{topic}}}} and say what you think of part {step}.
      Be short, and name the files that you read.
    output: answer_{step}
  - id: act-{step}
    command: |
      set -euo pipefail # here
      raw="${{ANSWER_{step}:-}}"
      for file in $(git diff --name-only); do
        case "$file" in
          *.md) echo "text: $file" >&2 ;;
          *) echo "other: $file" >&2 ;;
        esac
      done
      if printf '%s' "$raw" | grep -q 'part {step} is done'; then
        ./go.sh
      fi
    output: done_{step}
"#
        );
        if sub_recipes > 0 && step % 5 == 0 {
            let below = step / 5 % sub_recipes;
            let _ = write!(
                text,
                r#"  - id: below-{step}
    recipe: below-{below}
    context:
      part: "{{{{answer_{step}}}}}"
    output: below_{step}
"#
            );
        }
    }
    text
}

/// A recipe that [`recipe`] runs.
fn below() -> String {
    let mut text = "name: below\ncontext:\n  part: \"\"\nsteps:\n".to_owned();
    for step in 0..6 {
        let _ = write!(
            text,
            r#"  - id: judge-{step}
    agent: bench:judge
    prompt: |
      Judge {{{{part}}}} and print {{"verdict": "PASS", "note": "short"}} last.
    parse_json: true
    output: judged_{step}
  - id: tell-{step}
    condition: "judged_{step}.verdict == 'PASS'"
    command: |
      printf '%s\n' "$RECIPE_VAR_part" >&2
      case "$PART" in *ready*) ./go.sh ;; esac
"#
        );
    }
    text
}

/// A workflow of a given number of bytes, at least; some of its scripts decide by what an agent said, if told so.
fn workflow(bytes: usize, decides: bool) -> String {
    let mut text =
        "name: bench\non:\n  issues:\n    types: [opened]\npermissions:\n  contents: read\njobs:\n".to_owned();
    for job in 0.. {
        if text.len() >= bytes {
            break;
        }
        let _ = write!(
            text,
            r#"  job-{job}:
    runs-on: ubuntu-latest
    outputs:
      done: ${{{{ steps.act.outputs.done }}}}
    steps:
      - uses: actions/checkout@v4
      - id: ask
        uses: anthropics/claude-code-action@v1
        with:
          prompt: |
            Look at issue ${{{{ github.event.issue.number }}}} and say what you think of part {job}.
            Be short, and name the files that you read.
      - id: act
        env:
          NUMBER: ${{{{ github.event.issue.number }}}}
        run: |
          set -euo pipefail # here
          for file in $(git diff --name-only); do
            case "$file" in
              *.md) echo "text: $file" >&2 ;;
              *) echo "other: $file" >&2 ;;
            esac
          done
          count=$(git status --porcelain | awk '$1 == "M" {{ n++ }} END {{ print n + 0 }}')
          if [[ "$count" -gt 0 ]]; then
            echo "done=yes" >> "$GITHUB_OUTPUT"
          fi
"#
        );
        if decides {
            let _ = write!(
                text,
                r#"      - id: judge
        env:
          SAID: ${{{{ steps.ask.outputs.result }}}}
        run: |
          said=$(claude -p "Judge part {job}: $NUMBER")
          if echo "$said" | grep -q APPROVED; then
            gh pr merge "$NUMBER"
          fi
          case "$SAID" in *LGTM*) echo "ok=yes" >> "$GITHUB_OUTPUT" ;; esac
      - if: contains(steps.judge.outputs.ok, 'yes')
        run: ./release.sh
"#
            );
        }
    }
    text
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().canonicalize().expect("its path");
    std::fs::create_dir_all(root.join(".github/workflows")).expect("a folder");
    for at in 0..4 {
        std::fs::write(root.join(format!("below-{at}.yaml")), below()).expect("a file");
    }
    measure("recipe", &root, "recipe.yaml", &recipe(11_000, 0));
    measure("large recipe", &root, "recipe.yaml", &recipe(56_000, 4));
    measure("workflow", &root, ".github/workflows/bench.yml", &workflow(56_000, false));
    measure("workflow that decides", &root, ".github/workflows/bench.yml", &workflow(56_000, true));
    for at in 0..200 {
        std::fs::write(root.join(format!("other-{at}.yaml")), recipe(2_700, 0)).expect("a file");
    }
    measure("recipe beside 200 others", &root, "recipe.yaml", &recipe(11_000, 0));
}
