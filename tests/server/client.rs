//! A client of the real program, over its standard input and output.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::common::Folder;

/// Longer than anything takes on a machine that is busy.
const PATIENCE: Duration = Duration::from_mins(1);

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    incoming: Receiver<Value>,
    /// Notifications that nobody asked for yet.
    waiting: VecDeque<Value>,
    /// Answers to other requests than the one that was asked for.
    answers: VecDeque<Value>,
    /// Requests of the server; questions about settings are answered with `wishes`, all others with null.
    pub asked: Vec<Value>,
    pub wishes: Value,
    next: i64,
}

impl Client {
    /// The program, not initialised.
    pub fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_recipelint"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, incoming) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            stdin,
            incoming,
            waiting: VecDeque::new(),
            answers: VecDeque::new(),
            asked: Vec::new(),
            wishes: Value::Null,
            next: 1,
        }
    }

    /// Initialised with one folder and with capabilities and options over the usual.
    pub fn with(folder: &Path, extra: &Value) -> Self {
        let mut client = Self::start();
        let mut parameters = json!({
            "processId": std::process::id(),
            "capabilities": {
                "textDocument": {"publishDiagnostics": {"relatedInformation": true}},
                "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
            },
            "workspaceFolders": [{"uri": uri(folder), "name": "w"}],
        });
        for (key, value) in extra.as_object().into_iter().flatten() {
            parameters[key] = value.clone();
        }
        client.request("initialize", &parameters);
        client.notify("initialized", &json!({}));
        client
    }

    pub fn new(folder: &Path) -> Self {
        Self::with(folder, &json!({}))
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Writes bytes as they are.
    pub fn write(&mut self, body: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        stdin.flush().unwrap();
    }

    pub fn notify(&mut self, method: &str, parameters: &Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}).to_string());
    }

    /// Sends a request and gives its number.
    pub fn send(&mut self, method: &str, parameters: &Value) -> i64 {
        let id = self.next;
        self.next += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}).to_string());
        id
    }

    /// Waits for the answer to a request: its result, or its error.
    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        self.answer_to(&json!(id))
    }

    /// The same for any id.
    pub fn answer_to(&mut self, id: &Value) -> Result<Value, Value> {
        loop {
            let at = self.answers.iter().position(|message| message["id"] == *id);
            let message = match at.and_then(|at| self.answers.remove(at)) {
                Some(message) => message,
                None => self.receive(PATIENCE).expect("an answer"),
            };
            if message.get("method").is_none() && message["id"] == *id {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.keep(message);
        }
    }

    pub fn ask(&mut self, method: &str, parameters: &Value) -> Result<Value, Value> {
        let id = self.send(method, parameters);
        self.answer(id)
    }

    pub fn request(&mut self, method: &str, parameters: &Value) -> Value {
        self.ask(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// A request about a place in a document.
    pub fn at(&mut self, method: &str, uri: &str, position: &Value) -> Value {
        self.request(method, &json!({"textDocument": {"uri": uri}, "position": position}))
    }

    /// A request about a document.
    pub fn of(&mut self, method: &str, uri: &str) -> Value {
        self.request(method, &json!({"textDocument": {"uri": uri}}))
    }

    fn receive(&mut self, patience: Duration) -> Option<Value> {
        self.incoming.recv_timeout(patience).ok()
    }

    fn keep(&mut self, message: Value) {
        if message.get("method").is_none() {
            self.answers.push_back(message);
            return;
        }
        if let Some(id) = message.get("id") {
            let settings = message["method"] == "workspace/configuration";
            let result = if settings { json!([self.wishes]) } else { Value::Null };
            self.write(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
            self.asked.push(message);
        } else {
            self.waiting.push_back(message);
        }
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
    }

    /// Replaces the whole text.
    pub fn change(&mut self, uri: &str, version: i64, text: &str) {
        self.edit(uri, version, &json!([{"text": text}]));
    }

    pub fn edit(&mut self, uri: &str, version: i64, changes: &Value) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
    }

    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", &json!({"textDocument": {"uri": uri}}));
    }

    /// The next diagnostics of a document that satisfy a condition; older ones are dropped.
    pub fn diagnostics_that(&mut self, uri: &str, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let is_for =
            |message: &Value| message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri;
        let started = Instant::now();
        let mut last = Value::Null;
        while started.elapsed() < PATIENCE {
            while let Some(at) = self.waiting.iter().position(is_for) {
                let message = self.waiting.remove(at).unwrap();
                if wanted(&message["params"]) {
                    return message["params"]["diagnostics"].as_array().unwrap().clone();
                }
                last = message;
            }
            match self.receive(PATIENCE) {
                Some(message) => self.keep(message),
                None => break,
            }
        }
        panic!("no such diagnostics came for {uri}; the last were {last}");
    }

    /// The next diagnostics of a document.
    pub fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        self.diagnostics_that(uri, |_| true)
    }

    /// The diagnostics of one version of a document.
    pub fn diagnostics_of(&mut self, uri: &str, version: i64) -> Vec<Value> {
        self.diagnostics_that(uri, |parameters| parameters["version"] == version)
    }

    /// Waits until a document has exactly these findings.
    pub fn lints_become(&mut self, uri: &str, wanted: &[&str]) {
        self.diagnostics_that(uri, |parameters| lints(parameters["diagnostics"].as_array().unwrap()) == wanted);
    }

    /// What came for a document and was not asked for, after everything that was sent before has been dealt with.
    pub fn quiet(&mut self, uri: &str) -> Vec<Value> {
        for _ in 0..2 {
            self.ask("workspace/symbol", &json!({"query": "nothing is called so"})).unwrap();
            std::thread::sleep(Duration::from_millis(300));
        }
        self.ask("workspace/symbol", &json!({"query": "nothing is called so"})).unwrap();
        let wanted =
            |message: &Value| message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri;
        let found = self.waiting.iter().filter(|message| wanted(message)).cloned().collect();
        self.waiting.retain(|message| !wanted(message));
        found
    }

    /// Waits for the end of the process.
    pub fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        while started.elapsed() < patience {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Resident memory in KiB, where the system tells.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length: ") {
            length = number.parse().ok();
        }
    }
    let mut body = vec![0; length?];
    from.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

impl Folder {
    pub fn uri(&self, path: &str) -> String {
        uri(&self.path().join(path))
    }
}

/// The address of a path, as editors write it.
pub fn uri(path: &Path) -> String {
    let mut text = String::from("file://");
    for byte in path.to_str().unwrap().bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' => text.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
            byte => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

/// The ids of diagnostics, in order.
pub fn lints(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|one| one["code"].as_str().unwrap_or("(none)")).collect()
}

/// The position of the n-th occurrence (from 0) of a text, some characters further; for texts in ASCII.
pub fn position(text: &str, part: &str, nth: usize, further: usize) -> Value {
    let at = text.match_indices(part).nth(nth).unwrap_or_else(|| panic!("{part} is not in the text")).0 + further;
    let before = &text[..at];
    let line = before.matches('\n').count();
    json!({"line": line, "character": at - before.rfind('\n').map_or(0, |at| at + 1)})
}

/// The text of a range; for texts in ASCII.
pub fn slice<'t>(text: &'t str, range: &Value) -> &'t str {
    &text[offset(text, &range["start"])..offset(text, &range["end"])]
}

fn offset(text: &str, position: &Value) -> usize {
    let number = |key: &str| usize::try_from(position[key].as_u64().unwrap()).unwrap();
    let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
    start + number("character")
}

/// A text after edits of the protocol; for texts in ASCII.
pub fn applied(text: &str, edits: &Value) -> String {
    let mut edits: Vec<&Value> = edits.as_array().unwrap().iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(text, &edit["range"]["start"])));
    let mut text = text.to_owned();
    for edit in edits {
        let range = offset(&text, &edit["range"]["start"])..offset(&text, &edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}
