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

/// Types into a document and takes the times.
fn measure(name: &str, folder: &Path, path: &str, text: &str) {
    let (mut server, initialised) = Server::start(folder);
    let uri = format!("file://{}", folder.join(path).display());
    let opened = Instant::now();
    let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
    server.send(&json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}));
    let findings = server.diagnostics(1);
    let opened = opened.elapsed();
    // A word in a script is typed, letter by letter, and deleted again.
    let line = text.lines().position(|line| line.contains("# here")).expect("a place to type");
    let column = text.lines().nth(line).expect("the line").len();
    let mut times: Vec<Duration> = Vec::with_capacity(EDITS);
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
        "{name:>28} {:>6} lines {:>6} bytes {findings:>3} findings | initialise {:>6.1} ms, open {:>6.1} ms | edit p50 {:>6.2} p99 {:>6.2} max {:>6.2} ms | {:>5.1} MiB",
        text.lines().count(),
        text.len(),
        ms(initialised),
        ms(opened),
        ms(times[EDITS / 2]),
        ms(times[EDITS * 99 / 100]),
        ms(times[EDITS - 1]),
        server.memory(),
    );
}

/// A recipe of a given number of lines, at least.
fn recipe(lines: usize) -> String {
    let mut text = "name: bench\ncontext:\n  topic: \"\"\nsteps:\n".to_owned();
    let mut step = 0;
    while text.lines().count() < lines {
        let _ = write!(
            text,
            "  - id: ask-{step}\n    agent: bench:worker\n    prompt: |\n      Look at {{{{topic}}}} and say what you think of part {step}.\n      Be short, and name the files that you read.\n    output: answer_{step}\n  - id: act-{step}\n    command: |\n      set -euo pipefail # here\n      raw=\"${{ANSWER_{step}:-}}\"\n      for file in $(git diff --name-only); do\n        case \"$file\" in\n          *.md) echo \"text: $file\" >&2 ;;\n          *) echo \"other: $file\" >&2 ;;\n        esac\n      done\n      if printf '%s' \"$raw\" | grep -q 'part {step} is done'; then\n        ./go.sh\n      fi\n    output: done_{step}\n"
        );
        step += 1;
    }
    text
}

/// A workflow of a given number of bytes, at least.
fn workflow(bytes: usize) -> String {
    let mut text =
        "name: bench\non:\n  issues:\n    types: [opened]\npermissions:\n  contents: read\njobs:\n".to_owned();
    let mut job = 0;
    while text.len() < bytes {
        let _ = write!(
            text,
            "  job-{job}:\n    runs-on: ubuntu-latest\n    outputs:\n      done: ${{{{ steps.act.outputs.done }}}}\n    steps:\n      - uses: actions/checkout@v4\n      - id: ask\n        uses: anthropics/claude-code-action@v1\n        with:\n          prompt: |\n            Look at issue ${{{{ github.event.issue.number }}}} and say what you think of part {job}.\n            Be short, and name the files that you read.\n      - id: act\n        env:\n          NUMBER: ${{{{ github.event.issue.number }}}}\n        run: |\n          set -euo pipefail # here\n          for file in $(git diff --name-only); do\n            case \"$file\" in\n              *.md) echo \"text: $file\" >&2 ;;\n              *) echo \"other: $file\" >&2 ;;\n            esac\n          done\n          count=$(git status --porcelain | awk '$1 == \"M\" {{ n++ }} END {{ print n + 0 }}')\n          if [[ \"$count\" -gt 0 ]]; then\n            echo \"done=yes\" >> \"$GITHUB_OUTPUT\"\n          fi\n"
        );
        job += 1;
    }
    text
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().canonicalize().expect("its path");
    std::fs::create_dir_all(root.join(".github/workflows")).expect("a folder");
    measure("recipe", &root, "recipe.yaml", &recipe(400));
    measure("workflow", &root, ".github/workflows/bench.yml", &workflow(56_000));
    for at in 0..200 {
        std::fs::write(root.join(format!("other-{at}.yaml")), recipe(100)).expect("a file");
    }
    measure("recipe beside 200 others", &root, "recipe.yaml", &recipe(400));
}
