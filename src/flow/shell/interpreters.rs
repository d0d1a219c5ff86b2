//! Programs in other languages: inline, in a here-document, or in a file of the repository.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::line::Line;
use super::redirect::Redirected;
use super::text_tools::tool_name;
use super::{Environment, Outcome, Shell, Start, Status, Trees, Unit};
use crate::flow::{
    Builder, DecisionForm, Effect, Execution, Fallback, FallbackForm, JsonTool, Name, NodeKind, Options, Pass, Place,
    TextTool, Trust, Value,
};
use crate::recipe::{Dialect, File, FileId, Holes};
use crate::syntax::shell::ast::{self, Word};
use crate::syntax::shell::{self, parse};
use crate::text::{Fragment, Span};

/// Calls that read JSON.
const PARSERS: &[&str] = &["json.load", "JSON.parse", "decode_json", "from_json", "raw_decode", "ConvertFrom-Json"];

/// Calls that write JSON.
const WRITERS: &[&str] = &["json.dump", "JSON.stringify", "ConvertTo-Json", "to_json"];

impl<'a> Shell<'a, '_> {
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
            if let Some(status) = self.repository_program(line, &operands) {
                return status;
            }
            // A file of which nothing is known: what goes in may come out. An agent may have written it.
            if let Some((word, path)) = operands.first() {
                let content = self.content(word, path);
                self.executes(&content, Execution::Program(tool_name(line.name())), line.span);
            }
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
        let text = code.text().or(code.prefix.as_ref()).cloned().unwrap_or_default();
        self.interpreted(line, name, &text, &stdin, &operands)
    }

    /// A program of the repository: JavaScript is followed, of another language its words are looked at. `operands`: the
    /// file, and what it is given.
    pub(super) fn repository_program(&mut self, line: &Line<'a, '_>, operands: &[(&'a Word, Value)]) -> Option<Status> {
        let ((_, path), given) = operands.split_first()?;
        let path = path.text().map(ToString::to_string)?;
        let file = self.environment.program(&path)?;
        match file.dialect {
            Dialect::Program => Some(self.javascript(line, file, given)),
            Dialect::Unknown => {
                let name = if path.ends_with(".py") { "python3" } else { line.name()? };
                let stdin = self.state.stdin.clone();
                Some(self.interpreted(line, name, &file.source.text, &stdin, given))
            }
            _ => None,
        }
    }

    /// Runs a JavaScript file of the repository.
    fn javascript(&mut self, line: &Line<'a, '_>, file: &'a File, given: &[(&'a Word, Value)]) -> Status {
        self.act(line);
        let mut surroundings = Inherited {
            variables: self.state.variables.clone(),
            files: self.state.files.clone(),
            stdin: self.state.stdin.clone(),
            arguments: given.iter().map(|(_, value)| value.clone()).collect(),
            outer: self.environment,
        };
        let outcome = crate::flow::program::run_program(self.builder, &mut surroundings, file);
        for (name, value, place) in outcome.outputs {
            let mut written = Value::literal(format!("{name}="));
            written.append(&value);
            let controls = self.builder.controls.clone();
            let file = "$GITHUB_OUTPUT".into();
            self.state.writes.push(super::Write { file, value: written, place, controls, parts: Vec::new() });
        }
        for (file, value, place) in outcome.written {
            let controls = self.builder.controls.clone();
            self.state.writes.push(super::Write { file, value, place, controls, parts: Vec::new() });
        }
        for (file, value) in outcome.files {
            self.state.set_file(file, value);
        }
        let mut value = line.all();
        value.add_nodes(&self.state.stdin.nodes);
        if !value.is_plain() && self.captured() {
            let value = self.pass(Pass::Command, value, line.span);
            self.print(value, line.span);
        }
        Status::default()
    }

    /// What the text of a program says of what goes in and comes out.
    fn interpreted(
        &mut self,
        line: &Line<'a, '_>,
        name: &str,
        text: &str,
        stdin: &Value,
        operands: &[(&'a Word, Value)],
    ) -> Status {
        let mut input = Value::default();
        let reads_stdin = ["stdin", "readFileSync(0", "/dev/stdin", "input()", "fileinput", "STDIN", "<>"]
            .iter()
            .any(|word| text.contains(word))
            || !matches!(name, "python" | "python3" | "node" | "deno" | "bun");
        if reads_stdin {
            input.add_nodes(&stdin.nodes);
        }
        for (word, value) in operands {
            input.add_nodes(&value.nodes);
            let content = self.content(word, value);
            input.add_nodes(&content.nodes);
        }
        input.add_nodes(&line.environment.nodes);
        for variable in names_of_environment(text) {
            let value = self.variable(variable, line.span);
            input.add_nodes(&value.nodes);
        }
        let written = written_files(text);
        for file in opened_files(text) {
            let value = self.read_file(&Arc::from(file), line.span);
            input.add_nodes(&value.nodes);
        }
        if input.is_plain() {
            self.print(Value::default(), line.span);
            return Status::default();
        }
        let place = self.unit.place(line.span);
        let parses = PARSERS.iter().any(|word| text.contains(word));
        let matches = text_matches(name, text);
        let trust = self.builder.trust(&input);
        let mut value = if parses && trust == Trust::Agent {
            let tool = JsonTool { tool: tool_name(line.name().or(Some(name))), fields: Vec::new() };
            let read = Value::node(self.builder.on(NodeKind::Json(Box::new(tool)), place, &input));
            // What the program writes anew is an object of its own making, and no prose around one.
            if WRITERS.iter().any(|word| text.contains(word)) {
                Value::node(self.builder.with_trust(NodeKind::Join, place, &read, Trust::Extracted))
            } else {
                read
            }
        } else if matches {
            let tool = TextTool {
                tool: tool_name(line.name().or(Some(name))),
                patterns: vec![Some(text.into())],
                ..TextTool::default()
            };
            Value::node(self.builder.on(NodeKind::Text(Box::new(tool)), place, &input))
        } else {
            self.pass(Pass::Command, input, line.span)
        };
        for (_, literal, form) in defaults_of(text) {
            let written = self.written_default(literal, line);
            let fallback = Fallback { literal: Some(literal.into()), form, place: written, dead: None };
            value = Value::node(self.builder.on(NodeKind::Fallback(Box::new(fallback)), place, &value));
        }
        self.hands_on(text, &value, line.span);
        for file in written {
            let key: Arc<str> = file.into();
            let content = self.builder.name(Name::File(Arc::clone(&key)), place, value.clone());
            self.state.set_file(key, content);
        }
        self.print(value.clone(), line.span);
        let exits = ["sys.exit", "process.exit", "exit(", "exit 1", "throw "].iter().any(|word| text.contains(word));
        Status::of((exits && (parses || matches)).then(|| value.nodes.first().copied()).flatten())
    }

    /// What a program writes to the files of GitHub's runner: `print(f"verdict={v}", file=out)`.
    fn hands_on(&mut self, text: &str, value: &Value, span: Span) {
        for file in ["GITHUB_OUTPUT", "GITHUB_ENV"].into_iter().filter(|file| text.contains(file)) {
            for start in entries_in(text) {
                let mut written = Value::literal(start);
                written.append(&Value { nodes: value.nodes.clone(), ..Value::default() });
                let (place, controls) = (self.unit.place(span), self.builder.controls.clone());
                let file = format!("${file}").into();
                self.state.writes.push(super::Write { file, value: written, place, controls, parts: Vec::new() });
            }
        }
    }

    /// Where a constant of a program stands in the script, in the command or in its here-document; the whole command
    /// where it is not found.
    fn written_default(&self, literal: &str, line: &Line<'a, '_>) -> Place {
        let found = [Some(line.span), line.redirected.document].into_iter().flatten().find_map(|span| {
            let source = self.unit.fragment.text().get(span.range())?;
            let (at, ..) = defaults_of(source).into_iter().find(|(_, known, _)| *known == literal)?;
            Some(Span::new(span.start + at, span.start + at + literal.len()))
        });
        self.unit.place(found.unwrap_or(line.span))
    }
}

/// Runs a step that is written in another language. Its findings stand in the line that looks into a text.
pub(crate) fn run_other<'a>(
    builder: &mut Builder,
    environment: &mut dyn Environment<'a>,
    options: &Options,
    file: FileId,
    fragment: &'a Fragment,
    trees: &'a Trees,
    program: &str,
) -> Outcome {
    static NOTHING: LazyLock<ast::Script> = LazyLock::new(|| parse("", shell::Options::default()));
    let unit = Unit { file, fragment, tree: &NOTHING, holes: Holes::None, programs: &[], trees };
    let mut shell = Shell::new(builder, environment, options, unit, Start { status_decides: true, ..Start::default() });
    let text = fragment.text();
    let redirected = Redirected::default();
    let span = looking_line(program, text);
    let line = Line { words: Vec::new(), span, redirected: &redirected, piped: false, environment: Value::default() };
    let name = if program.starts_with("python") { "python3" } else { program };
    let status = shell.interpreted(&line, name, text, &Value::default(), &[]);
    if let Some(node) = status.node {
        let stops = Effect { stops: true, ..Effect::default() };
        shell.decide(node, span, DecisionForm::Exit, Effect::default(), stops);
    }
    shell.finish()
}

/// The first line that looks into a text or parses it; all of it where none is known.
fn looking_line(program: &str, text: &str) -> Span {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let ends = start + line.trim_end().len();
        if text_matches(program, line) || PARSERS.iter().any(|word| line.contains(word)) {
            return Span::new(start + line.len() - line.trim_start().len(), ends);
        }
        start += line.len();
    }
    Span::new(0, text.len())
}

/// What a program that a script starts sees of the world.
struct Inherited<'r, 'a> {
    variables: HashMap<Arc<str>, Value>,
    files: HashMap<Arc<str>, Value>,
    stdin: Value,
    arguments: Vec<Value>,
    outer: &'r mut dyn Environment<'a>,
}

impl<'a> Environment<'a> for Inherited<'_, 'a> {
    fn variable(&mut self, builder: &mut Builder, name: &str, place: Place) -> Option<Value> {
        let known = match (name.strip_prefix("file:"), name.strip_prefix("argument:")) {
            (Some("0" | "/dev/stdin"), _) => Some(&self.stdin),
            (Some(path), _) => self.files.get(path.trim_start_matches("./")),
            (None, Some(number)) => number.parse::<usize>().ok().and_then(|number| self.arguments.get(number)),
            (None, None) => self.variables.get(name),
        };
        match known {
            Some(value) => Some(value.clone()),
            None => self.outer.variable(builder, name, place),
        }
    }

    fn hole(&mut self, _: &mut Builder, _: &str, _: Place) -> Option<Value> {
        None
    }

    fn script(&self, _: &str) -> Option<Unit<'a>> {
        None
    }
}

/// Variables that a program reads from its environment: `os.environ["X"]`, `process.env.X`, `$ENV{X}`.
fn names_of_environment(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for opener in ["os.environ[", "os.environ.get(", "os.getenv(", "process.env[", "process.env.", "$ENV{", "$env:"] {
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

/// How the texts begin that set something in a file of the runner: `name=`, and `name<<DELIMITER` with its line break.
fn entries_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(['"', '\'', '`']) {
        let rest = text.get(at + 1..).unwrap_or_default();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        if name.is_empty() {
            continue;
        }
        if behind.starts_with('=') && !behind.starts_with("==") {
            found.push(format!("{name}="));
        } else if let Some(delimiter) = behind.strip_prefix("<<") {
            let end = delimiter.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(delimiter.len());
            let fixed = delimiter.get(..end).filter(|delimiter| !delimiter.is_empty());
            found.extend(fixed.map(|delimiter| format!("{name}<<{delimiter}\n")));
        }
    }
    found
}

/// Files that a program opens by a literal path.
fn opened_files(text: &str) -> Vec<&str> {
    let opened = named_by(text, &["open(", "Path(", "readFileSync("]);
    opened.into_iter().filter(|(_, behind)| !opens_to_write(behind)).map(|(path, _)| path).collect()
}

/// Files that a program writes by a literal path: `open("a", "w")`, `Path("a").write_text(…)`, `writeFileSync("a", …)`.
fn written_files(text: &str) -> Vec<&str> {
    let opened = named_by(text, &["open("]);
    let opened = opened.into_iter().filter(|(_, behind)| opens_to_write(behind));
    let paths = text.contains(".write_text(");
    let paths = named_by(text, &["Path("]).into_iter().filter(|_| paths);
    let written = named_by(text, &["writeFileSync(", "appendFileSync(", "writeFile(", "appendFile("]);
    opened.chain(paths).chain(written).map(|(path, _)| path).collect()
}

/// The literal paths that functions are given first, each with the text behind it.
fn named_by<'t>(text: &'t str, functions: &[&str]) -> Vec<(&'t str, &'t str)> {
    let mut found = Vec::new();
    for function in functions {
        for (at, _) in text.match_indices(function) {
            let rest = text.get(at + function.len()..).unwrap_or_default();
            let Some(quote) = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else { continue };
            let body = rest.get(1..).unwrap_or_default();
            found.extend(body.split_once(quote).map(|(path, behind)| (path.trim_start_matches("./"), behind)));
        }
    }
    found
}

/// Whether the arguments behind a path open the file to write it: `, "w")`, `, mode="a"`.
fn opens_to_write(behind: &str) -> bool {
    let Some(rest) = behind.trim_start().strip_prefix(',').map(str::trim_start) else { return false };
    let named = rest.strip_prefix("mode").and_then(|rest| rest.trim_start().strip_prefix('='));
    let mode = named.map_or(rest, str::trim_start);
    mode.strip_prefix(['"', '\'']).is_some_and(|mode| mode.starts_with(['w', 'a', 'x']))
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
        "\" not in ",
        "' not in ",
        "\" not in ",
        "' not in ",
    ];
    let script =
        [".match(", ".test(", ".includes(", ".startsWith(", ".endsWith(", ".indexOf(", ".split(", ".search(", ".exec("];
    match name {
        "python" | "python3" => python.iter().any(|word| text.contains(word)),
        "node" | "deno" | "bun" => script.iter().any(|word| text.contains(word)),
        "pwsh" | "powershell" => {
            ["-match ", "-like ", "-notmatch ", "-notlike ", ".Contains(", ".StartsWith(", "Select-String", "-replace "]
                .iter()
                .any(|word| text.contains(word))
        }
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
            let taken = if opening == ".get(" { second_argument(text, start) } else { constant(text, start) };
            if let Some((at, literal)) = taken {
                found.push((at, literal, FallbackForm::Expression));
            }
        }
    }
    found.sort_by_key(|(at, ..)| *at);
    found.dedup_by_key(|(at, ..)| *at);
    found
}

/// The constant behind the comma in `("field", "X")`, from behind its parenthesis.
fn second_argument(text: &str, start: usize) -> Option<(usize, &str)> {
    let (at, key) = quoted(text, start)?;
    let behind = at + key.len() + 1;
    let rest = text.get(behind..)?;
    let comma = rest.len() - rest.trim_start().strip_prefix(',')?.len();
    constant(text, behind + comma)
}

/// The quoted text, or the truth value, that stands at an offset, blanks left out.
fn constant(text: &str, from: usize) -> Option<(usize, &str)> {
    let rest = text.get(from..)?;
    let at = from + rest.len() - rest.trim_start().len();
    let rest = text.get(at..)?;
    if rest.starts_with(['"', '\'']) {
        return quoted(text, at);
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    rest.get(..end).filter(|word| matches!(*word, "True" | "False" | "true" | "false")).map(|word| (at, word))
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
