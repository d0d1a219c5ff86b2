//! Commands that execute what they are given, and child scripts.

use std::sync::Arc;

use super::line::Line;
use super::shape::raw_text;
use super::state::State;
use super::words::identifiers;
use super::{DEEPEST_CALL, Shell, Start, Status, Unit};
use crate::flow::{Execution, NodeKind, Pass, Pasting, Trust, Value};
use crate::recipe::Holes;
use crate::syntax::shell::ast::{AssignValue, PartKind, Simple, Word, WordPart};
use crate::text::Span;

impl<'a> Shell<'a, '_> {
    pub(super) fn executing(&mut self, line: &Line<'a, '_>, simple: &'a Simple) -> Status {
        let name = line.name().unwrap_or_default();
        match name {
            "eval" => {
                let mut all = line.all();
                for word in assigned(simple) {
                    all.add_nodes(&self.word(word).nodes);
                }
                self.executes(&all, Execution::Eval, line.span);
                Status::default()
            }
            "source" | "." => {
                let Some((word, path)) = line.words.get(1) else { return Status::default() };
                let content = self.content(word, path);
                self.executes(&content, Execution::Source, line.span);
                if content.is_plain()
                    && let Some(unit) = self.script_of(line, 1)
                    && self.calls < DEEPEST_CALL
                {
                    self.calls += 1;
                    let outer = std::mem::replace(&mut self.unit, unit);
                    self.list(&unit.tree.body, true);
                    self.unit = outer;
                    self.calls -= 1;
                }
                Status::default()
            }
            "trap" => {
                if let Some((word, value)) = line.words.get(1) {
                    let value = value.clone();
                    self.executes(&value, Execution::Trap, word.span);
                }
                Status::default()
            }
            "let" => {
                let mut all = line.all();
                for word in assigned(simple) {
                    all.add_nodes(&self.word(word).nodes);
                }
                for word in line.arguments().iter().map(|(word, _)| *word).chain(assigned(simple)) {
                    for (at, name) in identifiers(&raw_text(word)) {
                        let span = Span::new(word.span.start + at, word.span.start + at + name.len());
                        all.add_nodes(&self.variable(name, span).nodes);
                    }
                }
                for word in line.arguments().iter().map(|(word, _)| *word) {
                    self.counted(&raw_text(word), word.span.start, &all);
                }
                for declared in &simple.declared {
                    self.assign(&declared.name, Value { nodes: all.nodes.clone(), ..Value::default() }, declared.span);
                }
                self.executes(&all, Execution::Arithmetic, line.span);
                Status::default()
            }
            "ssh" => {
                self.remote(line);
                Status::default()
            }
            "xargs" | "parallel" => self.xargs(line),
            "find" => {
                self.spawned(line, "find -exec sh -c");
                Status::default()
            }
            _ => Status::default(),
        }
    }

    pub(super) fn executes(&mut self, value: &Value, how: Execution, span: crate::text::Span) {
        if self.builder.trust(value) >= Trust::Extracted {
            self.builder.on(NodeKind::Execute(how), self.unit.place(span), value);
        }
    }

    fn remote(&mut self, line: &Line<'a, '_>) {
        let mut host_seen = false;
        let mut option = false;
        let mut guarded = false;
        let mut command = Vec::new();
        for (word, value) in line.arguments() {
            let text = value.text().or(value.prefix.as_ref()).map(std::string::ToString::to_string);
            let value = value.clone();
            if option {
                self.executes(&value, Execution::Option("ssh -o".into()), word.span);
                option = false;
            } else if text.as_deref().is_some_and(|text| text.starts_with('-')) && !host_seen {
                guarded = guarded || text.as_deref() == Some("--");
                option = text.as_deref().is_some_and(|text| matches!(text, "-o" | "-i" | "-p" | "-l" | "-F" | "-J"));
            } else if host_seen {
                self.executes(&value, Execution::Remote, word.span);
                command.push(text.unwrap_or_default());
            } else {
                // A host that begins with a dash is an option, and `-oProxyCommand=…` runs a program.
                if !guarded && text.is_none() {
                    self.executes(&value, Execution::Option("ssh -o".into()), word.span);
                }
                host_seen = true;
            }
        }
        if starts_shell(&command.join(" ")) {
            let stdin = self.state.stdin.clone();
            self.executes(&stdin, Execution::Stdin("the remote shell".into()), line.span);
        }
    }

    /// `xargs sh -c '…{}…'` runs what comes down the pipe; `xargs` alone trims; `xargs cmd` gives it as arguments.
    fn xargs(&mut self, line: &Line<'a, '_>) -> Status {
        let stdin = self.state.stdin.clone();
        let position = line.words.iter().skip(1).position(|(_, value)| {
            value.text().is_some_and(|text| {
                matches!(
                    text.rsplit('/').next(),
                    Some("sh" | "bash" | "zsh" | "dash" | "python" | "python3" | "node" | "perl")
                )
            })
        });
        let is_flag = |text: &Arc<str>| matches!(&**text, "-c" | "-e" | "-lc" | "-ec");
        let flag = position.and_then(|at| {
            let mut behind = line.words.iter().enumerate().skip(at + 1);
            behind.find_map(|(at, (_, value))| value.text().filter(|text| is_flag(text)).map(|_| at))
        });
        if let Some(flag) = flag {
            if let Some((word, value)) = line.words.get(flag + 1) {
                self.executes(value, Execution::Spawned("xargs sh -c".into()), word.span);
            }
            let program = line.text(flag + 1);
            let holds = replaced(line).is_some_and(|mark| program.is_some_and(|program| program.contains(&mark)));
            // Without a replacement in the program text the lines are only positional arguments of it.
            if holds || flag + 1 == line.words.len() {
                self.executes(&stdin, Execution::Spawned("xargs sh -c".into()), line.span);
            }
            return Status::default();
        }
        let program = line.arguments().iter().position(|(_, value)| {
            value
                .text()
                .is_some_and(|text| text.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !text.starts_with('-'))
        });
        if let Some(words) = program.and_then(|at| line.arguments().get(at..)) {
            // `xargs -I{} claude -p "… {}"`
            let environment = line.environment.clone();
            let inner = Line {
                words: words.to_vec(),
                span: line.span,
                redirected: line.redirected,
                piped: line.piped,
                environment,
            };
            if let Some(status) = self.agent(&inner) {
                return status;
            }
        }
        let only_flags =
            line.arguments().iter().all(|(_, value)| value.text().is_some_and(|text| text.starts_with('-')));
        if only_flags || line.arguments().iter().any(|(_, value)| value.text().is_some_and(|text| &**text == "echo")) {
            let value = self.pass(Pass::Trim, stdin, line.span);
            self.print(value, line.span);
            return Status::default();
        }
        let runs_lines = line
            .arguments()
            .iter()
            .rev()
            .take_while(|(_, value)| value.text().is_some_and(|text| &**text == "{}"))
            .count()
            > 0
            && line
                .arguments()
                .iter()
                .filter(|(_, value)| value.text().is_some_and(|text| &**text != "{}" && !text.starts_with('-')))
                .count()
                == 0;
        if runs_lines {
            self.executes(&stdin, Execution::Command, line.span);
        } else if !stdin.is_plain() {
            let program = line
                .arguments()
                .iter()
                .find_map(|(_, value)| value.text().filter(|text| !text.starts_with('-')))
                .cloned();
            let kind = NodeKind::Act { program: program.unwrap_or_else(|| "xargs".into()) };
            self.builder.on(kind, self.unit.place(line.span), &stdin);
        }
        Status::default()
    }

    /// `docker run image sh -c "$x"`: a shell that another program starts.
    pub(super) fn inner_shell(&mut self, line: &Line<'a, '_>) {
        let text = |at: usize| line.text(at).map(|text| text.rsplit('/').next().unwrap_or(text));
        let shell = (1..line.words.len()).find(|at| matches!(text(*at), Some("sh" | "bash" | "zsh" | "dash")));
        let Some(at) = shell.filter(|at| text(at + 1).is_some_and(|flag| flag.starts_with('-') && flag.contains('c')))
        else {
            return;
        };
        if let Some((word, value)) = line.words.get(at + 2) {
            let how = format!("{} … {} -c", line.name().unwrap_or_default(), text(at).unwrap_or_default());
            self.executes(value, Execution::Spawned(how.into()), word.span);
        }
    }

    fn spawned(&mut self, line: &Line<'a, '_>, how: &str) {
        let mut program = false;
        for (word, value) in line.arguments() {
            if program {
                let value = value.clone();
                self.executes(&value, Execution::Spawned(how.into()), word.span);
                program = false;
            } else {
                program = value.text().is_some_and(|text| &**text == "-c");
            }
        }
        self.act(line);
    }

    /// `bash -c '…'`, `… | bash`, `bash script.sh`.
    pub(super) fn shell_program(&mut self, line: &Line<'a, '_>) -> Status {
        let flag = line.words.iter().skip(1).position(|(_, value)| {
            value.text().is_some_and(|text| text.starts_with('-') && !text.starts_with("--") && text.contains('c'))
        });
        if let Some(at) = flag {
            let Some((word, value)) = line.words.get(at + 2) else { return Status::default() };
            let value = value.clone();
            let pasted = self.paste(word);
            if let Some(unit) = self.unit.program(word.span) {
                // The word behind the program is its `$0`.
                return self.child(unit, line, at + 4);
            }
            if pasted.is_none() {
                self.executes(&value, Execution::Program(super::text_tools::tool_name(line.name())), word.span);
            }
            // Positional arguments and the standard input are data of the inner program.
            let mut data = Value::default();
            for (_, value) in line.words.iter().skip(at + 3) {
                data.add_nodes(&value.nodes);
            }
            data.add_nodes(&self.state.stdin.nodes.clone());
            if !data.is_plain() {
                let value = self.pass(Pass::Command, data, line.span);
                self.print(value, line.span);
            }
            return Status::default();
        }
        let operand = line
            .words
            .iter()
            .skip(1)
            .position(|(_, value)| !value.text().is_some_and(|text| text.starts_with('-') && text.len() > 1));
        if operand.is_none()
            && let Some(unit) = line.redirected.document.and_then(|span| self.unit.program(span))
        {
            return self.child(unit, line, line.words.len());
        }
        let Some(at) = operand.map(|at| at + 1) else {
            let stdin = self.state.stdin.clone();
            self.executes(&stdin, Execution::Stdin(super::text_tools::tool_name(line.name())), line.span);
            return Status::default();
        };
        if let Some(unit) = self.script_of(line, at) {
            return self.child(unit, line, at + 1);
        }
        if let Some((word, path)) = line.words.get(at) {
            let content = self.content(word, path);
            self.executes(&content, Execution::Program(super::text_tools::tool_name(line.name())), line.span);
        }
        self.unknown(line)
    }

    /// Holes inside a program text are pasted before any shell reads it.
    fn paste(&mut self, word: &'a Word) -> Option<()> {
        // A template that is the whole word becomes one variable: it is run, but nothing is pasted.
        if self.unit.holes != Holes::Template
            || matches!(word.parts.as_slice(), [only] if matches!(only.kind, PartKind::Hole(_)))
        {
            return None;
        }
        let mut found = None;
        let mut stack: Vec<&'a WordPart> = word.parts.iter().collect();
        while let Some(part) = stack.pop() {
            match &part.kind {
                PartKind::DoubleQuoted(parts) | PartKind::SingleQuotedWithHoles(parts) => stack.extend(parts),
                PartKind::Hole(hole) => {
                    let place = self.unit.place(part.span);
                    let value = self.environment.hole(self.builder, &hole.text, place).unwrap_or_default();
                    if self.builder.trust(&value) >= Trust::Extracted {
                        let kind = NodeKind::Paste(Pasting::Program("bash -c".into()));
                        self.builder.on(kind, place, &value);
                        found = Some(());
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// The script of the repository that a word names.
    pub(super) fn script_of(&mut self, line: &Line<'a, '_>, at: usize) -> Option<Unit<'a>> {
        let (word, value) = line.words.get(at)?;
        if let Some(unit) = self.state.scripts.get(&self.file_key(value, word)) {
            return Some(*unit);
        }
        let path = match value.text() {
            Some(text) => text.to_string(),
            None => super::shape::raw_text(word),
        };
        path.contains(['.', '/']).then(|| self.environment.script(&path)).flatten()
    }

    /// Runs a child script: its arguments, its standard input and the exported environment are what it sees.
    pub(super) fn child(&mut self, unit: Unit<'a>, line: &Line<'a, '_>, arguments: usize) -> Status {
        if self.calls >= DEEPEST_CALL {
            return Status::default();
        }
        self.calls += 1;
        self.act(line);
        let start = Start { captured: self.captured(), ..Start::default() };
        let mut state = State::new(start);
        state.positional = line.words.iter().skip(arguments).map(|(_, value)| value.clone()).collect();
        state.stdin = self.state.stdin.clone();
        state.variables = self.state.variables.clone();
        state.files = std::mem::take(&mut self.state.files);
        state.scripts = std::mem::take(&mut self.state.scripts);
        let outer_state = std::mem::replace(&mut self.state, state);
        let outer_unit = std::mem::replace(&mut self.unit, unit);
        let status = self.list(&unit.tree.body, true);
        let inner = std::mem::replace(&mut self.state, outer_state);
        self.unit = outer_unit;
        self.calls -= 1;
        self.state.files = inner.files;
        self.state.scripts = inner.scripts;
        self.state.writes.extend(inner.writes);
        for stream in inner.streams {
            self.print(stream.value, line.span);
        }
        Status { exits: false, ..status }
    }
}

/// The right sides of words that look like assignments: `let total=x*2`, `eval cmd=$x`.
fn assigned(simple: &Simple) -> impl Iterator<Item = &Word> {
    simple.declared.iter().filter_map(|declared| match &declared.value {
        AssignValue::Word(word) => Some(word),
        AssignValue::Array(_) => None,
    })
}

/// Whether a remote command is a shell that reads its script from the standard input: `bash -s`, `sudo sh`.
fn starts_shell(command: &str) -> bool {
    let mut words = command.split_whitespace().skip_while(|word| matches!(*word, "sudo" | "exec" | "env"));
    let shell =
        words.next().is_some_and(|word| matches!(word.rsplit('/').next(), Some("bash" | "sh" | "zsh" | "dash")));
    shell && words.next().is_none_or(|word| word.starts_with("-s") || word == "-e" || word == "-eu" || word == "-")
}

/// What `xargs` replaces by a line: `{}` of `-I{}`, `%` of `-I %`.
fn replaced(line: &Line<'_, '_>) -> Option<String> {
    let mut arguments = line.arguments().iter().filter_map(|(_, value)| value.text());
    while let Some(text) = arguments.next() {
        let attached = text.strip_prefix("-I").or_else(|| text.strip_prefix("--replace=")).or(match &**text {
            "--replace" | "-i" => Some("{}"),
            _ => None,
        });
        match attached {
            Some("") => return arguments.next().map(ToString::to_string),
            Some(mark) => return Some(mark.to_owned()),
            None => {}
        }
    }
    None
}
