//! jq, and programs in other languages given on the command line.

use std::sync::Arc;

use super::line::Line;
use super::text_tools::tool_name;
use super::{Shell, Status};
use crate::flow::{
    AgentForm, Contains, Execution, Fallback, FallbackForm, JsonTool, NodeKind, Pass, Place, Source, TextTool, Trust,
    Value,
};

use crate::text::Span;

/// What a jq filter does, as far as it matters.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// Fields in order of appearance.
    pub fields: Vec<Arc<str>>,
    /// Literal alternatives: `// "x"`.
    pub alternatives: Vec<(Arc<str>, usize)>,
    /// Containment: function and needle.
    pub containment: Vec<(Arc<str>, Arc<str>)>,
}

impl<'a> Shell<'a, '_> {
    pub(super) fn jq(&mut self, line: &Line<'a, '_>) -> Status {
        let mut null_input = false;
        let mut raw_input = false;
        let mut tests = false;
        let mut operands = Vec::new();
        let mut values = Value::default();
        let mut arguments = line.arguments().iter();
        while let Some((word, value)) = arguments.next() {
            match value.text().map(|text| &**text) {
                Some(option @ ("--arg" | "--argjson" | "--slurpfile" | "--rawfile")) => {
                    let parses = option == "--argjson";
                    arguments.next();
                    if let Some((_, value)) = arguments.next() {
                        values.add_nodes(&value.nodes);
                        if parses && self.builder.trust(value) == Trust::Agent {
                            let tool = JsonTool { tool: tool_name(line.name()), fields: Vec::new(), tests: false };
                            self.builder.on(NodeKind::Json(Box::new(tool)), self.unit.place(line.span), value);
                        }
                    }
                }
                Some("--args" | "--jsonargs" | "--indent" | "-f" | "--from-file" | "-L") => {
                    arguments.next();
                }
                Some("--null-input") => null_input = true,
                Some("--raw-input") => raw_input = true,
                Some("--exit-status") => tests = true,
                Some(option) if option.starts_with('-') && option.len() > 1 && !option.starts_with("--") => {
                    null_input |= option.contains('n');
                    raw_input |= option.contains('R');
                    tests |= option.contains('e');
                }
                Some(option) if option.starts_with("--") => {}
                _ => operands.push((*word, value.clone())),
            }
        }
        let mut operands = operands.into_iter();
        let filter = operands.next();
        let files: Vec<_> = operands.collect();
        let mut input = Value::default();
        if !null_input {
            if files.is_empty() {
                input = self.state.stdin.clone();
            }
            for (word, path) in &files {
                let content = self.content(word, path);
                input.add_nodes(&content.nodes);
            }
        }
        let text = filter.as_ref().and_then(|(_, value)| value.text().cloned()).unwrap_or_default();
        let read = read_filter(&text);
        if raw_input || null_input {
            input.add_nodes(&values.nodes);
            let value = self.pass(Pass::Print, input, line.span);
            self.print(value, line.span);
            return Status::default();
        }
        if input.is_plain() {
            self.print(Value::default(), line.span);
            return Status::default();
        }
        let place = self.unit.place(line.span);
        if self.is_envelope(&input) {
            return self.envelope(line, &read, input, tests);
        }
        let trust = self.builder.trust(&input);
        if trust == Trust::Agent {
            let tool = JsonTool { tool: tool_name(line.name()), fields: read.fields.clone(), tests };
            let id = self.builder.on(NodeKind::Json(Box::new(tool)), place, &input);
            let value = self.jq_alternatives(Value::node(id), &read, line);
            self.print(value.clone(), line.span);
            return Status::of(tests.then(|| value.nodes.first().copied()).flatten());
        }
        let mut value = input;
        if let Some(field) = read.fields.last()
            && trust == Trust::Extracted
        {
            value = Value::node(self.builder.on(NodeKind::Field(field.clone()), place, &value));
        }
        for (how, needle) in &read.containment {
            let contains = Contains { how: how.clone(), needle: Some(needle.clone()), negated: false };
            let id = self.builder.on(NodeKind::Contains(Box::new(contains)), place, &value);
            value = Value::node(id);
        }
        let value = self.jq_alternatives(value, &read, line);
        self.print(value.clone(), line.span);
        Status::of(tests.then(|| value.nodes.first().copied()).flatten())
    }

    fn jq_alternatives(&mut self, mut value: Value, read: &Filter, line: &Line<'a, '_>) -> Value {
        for (literal, _) in &read.alternatives {
            let place = self.unit.place(line.span);
            let fallback = Fallback { literal: Some(literal.clone()), form: FallbackForm::Jq, place, dead: None };
            value = Value::node(self.builder.on(NodeKind::Fallback(Box::new(fallback)), place, &value));
        }
        value
    }

    /// Whether a text is the JSON envelope that an agent program puts around its prose.
    fn is_envelope(&self, value: &Value) -> bool {
        let mut stack = value.nodes.clone();
        let mut steps = 0;
        while let Some(id) = stack.pop() {
            steps += 1;
            if steps > 200 {
                return false;
            }
            let node = self.builder.graph.node(id);
            match &node.kind {
                NodeKind::Source(
                    Source::AgentCli { form: AgentForm::Envelope, .. }
                    | Source::AgentOutput { form: AgentForm::Envelope, .. },
                ) => return true,
                NodeKind::Name(_) | NodeKind::Pass(Pass::Print | Pass::Trim) | NodeKind::Join => {
                    stack.extend(
                        node.inputs
                            .iter()
                            .filter(|input| input.role == crate::flow::Role::Data)
                            .map(|input| input.from),
                    );
                }
                _ => {}
            }
        }
        false
    }

    fn envelope(&mut self, line: &Line<'a, '_>, read: &Filter, input: Value, tests: bool) -> Status {
        let place = self.unit.place(line.span);
        let has = |name: &str| read.fields.iter().any(|field| &**field == name);
        let value = if has("structured_output") {
            let field = read.fields.last().cloned().unwrap_or_default();
            let id = self.builder.with_trust(NodeKind::Field(field), place, &input, Trust::Extracted);
            self.jq_alternatives(Value::node(id), read, line)
        } else if ["result", "response", "text", "content", "message"].iter().any(|name| has(name)) {
            let mut value = Value::node(self.builder.on(NodeKind::Pass(Pass::Envelope), place, &input));
            if let Some((how, needle)) = read.containment.iter().find(|(how, _)| &**how != "select") {
                let contains = Contains { how: how.clone(), needle: Some(needle.clone()), negated: false };
                value = Value::node(self.builder.on(NodeKind::Contains(Box::new(contains)), place, &value));
            }
            self.jq_alternatives(value, read, line)
        } else {
            // is_error, subtype, cost, session: the tool's own fields.
            Value::default()
        };
        self.print(value.clone(), line.span);
        Status::of(tests.then(|| value.nodes.first().copied()).flatten())
    }

    /// `python3 -c '…'`, `node -e '…'`, `perl -ne '…'`, or the program in a here-document.
    pub(super) fn interpreter(&mut self, line: &Line<'a, '_>) -> Status {
        let name = line.name().unwrap_or_default();
        let flag = |text: &str| match name {
            "python" | "python3" => text == "-c",
            "node" | "deno" | "bun" => matches!(text, "-e" | "-p" | "--eval" | "--print" | "-pe" | "eval"),
            _ => text.starts_with('-') && !text.starts_with("--") && text.contains('e'),
        };
        let mut program: Option<(crate::text::Span, Value)> = None;
        let mut operands = Vec::new();
        let mut arguments = line.arguments().iter();
        while let Some((word, value)) = arguments.next() {
            let text = value.text().map(|text| &**text);
            if program.is_none() && text.is_some_and(flag) {
                program = arguments.next().map(|(word, value)| (word.span, value.clone()));
            } else if text.is_some_and(|text| text.starts_with('-') && text.len() > 1) {
                // Another option.
            } else {
                operands.push((*word, value.clone()));
            }
        }
        let reads_script = program.is_none()
            && operands.first().is_none_or(|(_, value)| value.text().is_some_and(|text| &**text == "-"));
        let mut stdin = self.state.stdin.clone();
        if reads_script {
            // The program is the standard input: a here-document, or text that came down a pipe.
            program = Some((line.span, std::mem::take(&mut stdin)));
            if operands.first().is_some_and(|(_, value)| value.text().is_some_and(|text| &**text == "-")) {
                operands.remove(0);
            }
        } else if program.is_none() {
            // A file of the repository: what goes in may come out.
            return self.unknown(line);
        }
        let Some((span, code)) = program else { return Status::default() };
        let place = self.unit.place(span);
        if self.builder.trust(&code) >= Trust::Extracted {
            let kind = if reads_script {
                NodeKind::Execute(Execution::Stdin(tool_name(line.name())))
            } else {
                NodeKind::Execute(Execution::Program(tool_name(line.name())))
            };
            self.builder.on(kind, place, &code);
        }
        let mut input = Value::default();
        let text = code.text().or(code.prefix.as_ref()).cloned().unwrap_or_default();
        let reads_stdin = ["stdin", "readFileSync(0", "/dev/stdin", "input()", "fileinput", "STDIN", "<>"]
            .iter()
            .any(|word| text.contains(word))
            || !matches!(name, "python" | "python3" | "node" | "deno" | "bun");
        if reads_stdin {
            input.add_nodes(&stdin.nodes);
        }
        for (word, value) in &operands {
            input.add_nodes(&value.nodes);
            let content = self.content(word, value);
            input.add_nodes(&content.nodes);
        }
        input.add_nodes(&line.environment.nodes);
        for variable in names_of_environment(&text) {
            let value = self.variable(variable, line.span);
            input.add_nodes(&value.nodes);
        }
        for file in opened_files(&text) {
            let value = self.read_file(&Arc::from(file), line.span);
            input.add_nodes(&value.nodes);
        }
        if input.is_plain() {
            self.print(Value::default(), line.span);
            return Status::default();
        }
        let place = self.unit.place(line.span);
        let parses = ["json.load", "JSON.parse", "decode_json", "from_json", "raw_decode"]
            .iter()
            .any(|word| text.contains(word));
        let matches = text_matches(name, &text);
        let trust = self.builder.trust(&input);
        let mut value = if parses && trust == Trust::Agent {
            let tool = JsonTool { tool: tool_name(line.name()), fields: Vec::new(), tests: false };
            Value::node(self.builder.on(NodeKind::Json(Box::new(tool)), place, &input))
        } else if matches {
            let tool =
                TextTool { tool: tool_name(line.name()), patterns: vec![Some(text.clone())], ..TextTool::default() };
            Value::node(self.builder.on(NodeKind::Text(Box::new(tool)), place, &input))
        } else {
            self.pass(Pass::Command, input, line.span)
        };
        for (_, literal, form) in defaults_of(&text) {
            let written = self.written_default(literal, line.span);
            let fallback = Fallback { literal: Some(literal.into()), form, place: written, dead: None };
            value = Value::node(self.builder.on(NodeKind::Fallback(Box::new(fallback)), place, &value));
        }
        self.print(value.clone(), line.span);
        let exits = ["sys.exit", "process.exit", "exit(", "exit 1"].iter().any(|word| text.contains(word));
        Status::of((exits && (parses || matches)).then(|| value.nodes.first().copied()).flatten())
    }

    /// Where a constant of a program stands in the script; the whole command where it is not found.
    fn written_default(&self, literal: &str, span: Span) -> Place {
        let source = self.unit.fragment.text().get(span.range()).unwrap_or_default();
        let found = defaults_of(source).into_iter().find(|(_, known, _)| *known == literal);
        let span = found.map_or(span, |(at, ..)| Span::new(span.start + at, span.start + at + literal.len()));
        self.unit.place(span)
    }
}

/// Variables that a program reads from its environment: `os.environ["X"]`, `process.env.X`, `$ENV{X}`.
fn names_of_environment(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for opener in ["os.environ[", "os.environ.get(", "os.getenv(", "process.env[", "process.env.", "$ENV{"] {
        for (at, _) in text.match_indices(opener) {
            let rest = text.get(at + opener.len()..).unwrap_or_default().trim_start_matches(['"', '\'']);
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            if let Some(name) = rest.get(..end).filter(|name| !name.is_empty()) {
                found.push(name);
            }
        }
    }
    found
}

/// Files that a program opens by a literal path.
fn opened_files(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for opener in ["open(\"", "open('", "Path(\"", "Path('", "readFileSync(\"", "readFileSync('"] {
        for (at, _) in text.match_indices(opener) {
            let rest = text.get(at + opener.len()..).unwrap_or_default();
            if let Some(path) = rest.find(['"', '\'']).and_then(|end| rest.get(..end)) {
                found.push(path);
            }
        }
    }
    found
}

/// Whether a program looks into a text: regular expressions, containment, splitting.
fn text_matches(name: &str, text: &str) -> bool {
    let python = [
        "re.search",
        "re.match",
        "re.findall",
        "re.compile",
        "re.fullmatch",
        ".startswith(",
        ".endswith(",
        ".find(",
        ".split(",
        ".splitlines(",
        "\" in ",
        "' in ",
    ];
    let script =
        [".match(", ".test(", ".includes(", ".startsWith(", ".endsWith(", ".indexOf(", ".split(", ".search(", ".exec("];
    match name {
        "python" | "python3" => python.iter().any(|word| text.contains(word)),
        "node" | "deno" | "bun" => script.iter().any(|word| text.contains(word)),
        _ => text.contains('/') || text.contains("=~"),
    }
}

/// Constants that a program takes when something is missing or fails: `except: print("X")`, `catch { v = "X" }`,
/// `.get("field", "X")`, `?? "X"`, `|| "X"`. Each with the offset of its text.
fn defaults_of(text: &str) -> Vec<(usize, &str, FallbackForm)> {
    let mut found = Vec::new();
    let caught = ["except", "catch"].iter().find_map(|word| text.find(word).map(|at| at + word.len()));
    if let Some(start) = caught
        && let Some((at, literal)) = quoted(text, start)
    {
        let before = text.get(start..at).unwrap_or_default().trim_end_matches(['"', '\'']).trim_end();
        if before.ends_with(['(', '=']) || before.ends_with("return") {
            found.push((at, literal, FallbackForm::Catch));
        }
    }
    for opening in [".get(", "?? ", "|| "] {
        for (start, _) in text.match_indices(opening) {
            let start = start + opening.len();
            let first = quoted(text, start);
            let taken = match (opening, first) {
                // The second argument: `.get("field", "X")`.
                (".get(", Some((at, key))) => quoted(text, at + key.len() + 1).filter(|(next, _)| {
                    let between = text.get(at + key.len() + 1..*next).unwrap_or_default();
                    between.trim_end_matches(['"', '\'']).trim() == ","
                }),
                (_, Some((at, literal))) if at <= start + 1 => Some((at, literal)),
                _ => None,
            };
            if let Some((at, literal)) = taken {
                found.push((at, literal, FallbackForm::Expression));
            }
        }
    }
    found.sort_by_key(|(at, ..)| *at);
    found.dedup_by_key(|(at, ..)| *at);
    found
}

/// The next quoted text behind an offset, with the offset of its first character.
fn quoted(text: &str, from: usize) -> Option<(usize, &str)> {
    let rest = text.get(from..)?;
    let open = rest.find(['"', '\''])?;
    let quote = rest.get(open..)?.chars().next()?;
    let body = rest.get(open + 1..)?;
    let end = body.find(quote)?;
    Some((from + open + 1, body.get(..end)?))
}

/// Reads a jq filter by its tokens.
pub(super) fn read_filter(text: &str) -> Filter {
    let mut filter = Filter::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut last_word = "";
    let mut alternative = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let start = at + 1;
                let mut end = start;
                while let Some(byte) = bytes.get(end) {
                    match byte {
                        b'\\' => end += 2,
                        b'"' => break,
                        _ => end += 1,
                    }
                }
                let string: Arc<str> = text.get(start..end.min(text.len())).unwrap_or_default().into();
                if alternative {
                    filter.alternatives.push((string, start));
                } else if matches!(
                    last_word,
                    "test" | "contains" | "startswith" | "endswith" | "match" | "index" | "inside"
                ) {
                    filter.containment.push((last_word.into(), string));
                } else if bytes.get(at.wrapping_sub(1)) == Some(&b'[') && bytes.get(end + 1) == Some(&b']') {
                    filter.fields.push(string);
                }
                at = end + 1;
                alternative = false;
                last_word = "";
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                alternative = true;
                at += 2;
            }
            b'.' if bytes.get(at + 1).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') => {
                let end = word_end(bytes, at + 1);
                filter.fields.push(text.get(at + 1..end).unwrap_or_default().into());
                at = end;
                alternative = false;
            }
            b if b.is_ascii_alphabetic() => {
                let end = word_end(bytes, at);
                last_word = text.get(at..end).unwrap_or_default();
                if alternative && matches!(last_word, "true" | "false") {
                    filter.alternatives.push((last_word.into(), at));
                }
                alternative = false;
                at = end;
            }
            b if b.is_ascii_whitespace() || *b == b'(' => at += 1,
            _ => {
                alternative = false;
                at += 1;
            }
        }
    }
    filter
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    let mut end = from;
    while bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        end += 1;
    }
    end
}
