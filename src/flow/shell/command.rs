//! Simple commands, dispatched by name.

use super::line::{Line, starts_with_dash};
use super::programs::KNOWN;
use super::redirect::Redirected;
use super::shape::whole_array;
use super::{DEEPEST_CALL, Shell, Status, Unit};
use crate::flow::{Execution, NodeId, NodeKind, TEMPORARY, Trust, Value};
use crate::syntax::shell::ast::{PartKind, Simple, Word};
use crate::text::Span;

impl<'a> Shell<'a, '_> {
    pub(super) fn simple(&mut self, simple: &'a Simple, span: Span, redirected: &Redirected, piped: bool) -> Status {
        if simple.words.is_empty() {
            // `rc=$?` reads the status of the command before.
            let before = self.state.last;
            let mut node = None;
            for assignment in &simple.assignments {
                self.state.last = before;
                self.assignment(assignment);
                node = self.state.last.filter(|last| Some(*last) != before);
            }
            // `x=$(command)` has the command's status.
            return Status::of(node);
        }
        let mut environment = Value::default();
        let mut restore = Vec::new();
        for assignment in &simple.assignments {
            let old = self.state.variables.get(assignment.name.as_str()).cloned();
            let value = self.assignment(assignment);
            environment.add_nodes(&value.nodes);
            restore.push((assignment.name.clone(), old));
        }
        let mut words: Vec<(&'a Word, Value)> = Vec::with_capacity(simple.words.len());
        let declares = !simple.declared.is_empty();
        for (at, word) in simple.words.iter().enumerate() {
            if declares && at > 0 && simple.declared.iter().any(|declared| declared.span == word.span) {
                continue;
            }
            let value = self.argument(word);
            match self.members(word) {
                Some(members) if !members.is_empty() => words.extend(members.into_iter().map(|member| (word, member))),
                _ => {
                    let pieces = if at == 0 { split_command(word, &value) } else { Vec::new() };
                    if pieces.len() > 1 {
                        words.extend(pieces.into_iter().map(|piece| (word, Value::literal(piece))));
                    } else {
                        words.push((word, value));
                    }
                }
            }
        }
        let mut line = Line { words, span, redirected, piped, environment };
        self.unwrap(&mut line);
        let status = self.dispatch(&line, simple);
        for (name, old) in restore.into_iter().rev() {
            self.state.set(&name, old.unwrap_or_default());
        }
        status
    }

    /// The words that one word of the script stands for: `"$@"`, `"${options[@]}"`.
    fn members(&self, word: &Word) -> Option<Vec<Value>> {
        match whole_array(word)? {
            "@" | "*" => Some(self.state.positional.clone()),
            name => self.state.arrays.get(name).cloned(),
        }
    }

    /// Takes wrappers off: `env A=1 timeout 5 command x` is `x`, and so is `npx -y package-of-x`.
    fn unwrap(&mut self, line: &mut Line<'a, '_>) {
        for _ in 0..6 {
            let take = match line.name() {
                Some("npx" | "bunx" | "pnpx" | "uvx") => {
                    let options = line.words.iter().skip(1).take_while(|(_, value)| starts_with_dash(value)).count();
                    let Some(program) = line.text(1 + options).and_then(program_of_package) else { return };
                    line.words.drain(..=options);
                    if let Some((_, value)) = line.words.first_mut() {
                        *value = Value::literal(program);
                    }
                    continue;
                }
                Some("command") if line.text(1).is_some_and(|word| word == "-v" || word == "-V") => return,
                Some("command" | "builtin" | "exec" | "nohup" | "time" | "setsid" | "caffeinate") => {
                    1 + options(line, &[])
                }
                Some("stdbuf") => 1 + options(line, &["-i", "-o", "-e"]),
                Some("nice" | "ionice") => 1 + options(line, &["-n", "-c"]),
                Some("sudo" | "doas") => 1 + options(line, &["-u", "-g", "-h", "-C", "-p", "-r", "-t"]),
                Some("timeout" | "gtimeout") => 2 + options(line, &["-s", "-k", "--signal", "--kill-after"]),
                Some("env") => {
                    let mut count = 1;
                    for (_, value) in line.words.iter().skip(1) {
                        let assigns = value.text().or(value.prefix.as_ref()).is_some_and(|text| text.contains('='));
                        if assigns {
                            let nodes = value.nodes.clone();
                            line.environment.add_nodes(&nodes);
                        } else if !starts_with_dash(value) {
                            break;
                        }
                        count += 1;
                    }
                    count
                }
                _ => return,
            };
            if take >= line.words.len() {
                return;
            }
            line.words.drain(..take);
        }
    }

    fn dispatch(&mut self, line: &Line<'a, '_>, simple: &'a Simple) -> Status {
        let Some((first, value)) = line.words.first() else { return Status::default() };
        if let Some(stage) = self.stage(line) {
            return self.helper(line, &stage);
        }
        if self.is_other_helper(line) {
            self.print(Value::default(), line.span);
            return Status::default();
        }
        if let Some(status) = self.agent(line) {
            return status;
        }
        let Some(name) = line.name() else {
            let begins = first.parts.first().is_some_and(|part| !matches!(part.kind, PartKind::Literal(_)));
            if begins && self.builder.trust(value) >= Trust::Extracted {
                let value = value.clone();
                self.builder.on(NodeKind::Execute(Execution::Command), self.unit.place(first.span), &value);
                return self.unknown(line);
            }
            // `"$GITHUB_WORKSPACE/scripts/gate.sh"`
            if let Some(unit) = self.script_of(line, 0) {
                return self.child(unit, line, 1);
            }
            let value = value.clone();
            self.runs_written(first, &value, line.span);
            let status = self.unknown(line);
            if begins && line.words.len() == 1 && !value.is_plain() {
                // `$ok && …`: the variable holds `true` or `false`.
                let kind = NodeKind::Truthy { negated: false };
                return Status::of(Some(self.builder.with_trust(
                    kind,
                    self.unit.place(first.span),
                    &value,
                    Trust::Clean,
                )));
            }
            return status;
        };
        if let Some((function, unit)) = self.state.functions.get(name).copied() {
            return self.call(function, unit, line);
        }
        match name {
            "echo" => self.echo(line),
            "printf" => self.printf(line),
            "cat" => self.cat(line),
            "tee" => self.tee(line),
            "read" => self.read(line),
            "mapfile" | "readarray" => self.mapfile(line),
            "[" | "test" => Status::of(self.test_command(line)),
            "export" | "declare" | "local" | "readonly" | "typeset" => self.declare(line, simple),
            "set" => self.set(line),
            "unset" => self.unset(line),
            "shopt" | "trap" | "let" | "eval" | "source" | "." | "xargs" | "find" | "ssh" | "parallel" => {
                self.executing(line, simple)
            }
            "bash" | "sh" | "zsh" | "dash" | "ksh" => self.shell_program(line),
            "exit" | "return" => self.exit(line, name == "return"),
            "break" | "continue" => Status { node: None, exits: false },
            "shift" => {
                let count = line.text(1).and_then(|text| text.parse().ok()).unwrap_or(1_usize);
                let kept = usize::from(self.state.pieces.contains("@"));
                let count = count.min(self.state.positional.len().saturating_sub(kept));
                self.state.positional.drain(..count);
                Status::default()
            }
            "mktemp" => {
                let path = format!("{TEMPORARY}{}", self.unit.place(line.span).span.start);
                self.print(Value::literal(path), line.span);
                Status::default()
            }
            "printenv" => {
                let name =
                    line.arguments().iter().find_map(|(_, value)| value.text().filter(|text| !text.starts_with('-')));
                let value = name.cloned().map(|name| self.variable(&name, line.span)).unwrap_or_default();
                self.print(value, line.span);
                Status::default()
            }
            "jq" | "yq" | "gojq" | "jaq" => self.jq(line),
            "python" | "python3" | "node" | "perl" | "ruby" | "deno" | "bun" => self.interpreter(line),
            "grep" | "egrep" | "fgrep" | "rg" | "ag" | "awk" | "gawk" | "mawk" | "nawk" | "sed" | "gsed" | "cut"
            | "tr" | "head" | "tail" | "sort" | "uniq" | "wc" | "column" | "fold" | "fmt" | "nl" | "tac" | "rev"
            | "paste" | "expr" | "base64" | "iconv" | "dos2unix" | "csplit" | "pcregrep" | "zgrep" | "strings" => {
                self.text_tool(line)
            }
            "basename" | "dirname" => self.through(line),
            "git" | "ssh-add" => self.git(line),
            "amplihack" if line.text(1) == Some("session-tree") => self.tool(line, line.text(2) == Some("register")),
            "gh" => self.tool(
                line,
                line.arguments().iter().any(|(_, value)| value.text().is_some_and(|text| &**text == "--json")),
            ),
            _ if KNOWN.contains(&name) => self.known(line),
            _ => {
                if let Some(unit) = self.script_of(line, 0) {
                    return self.child(unit, line, 1);
                }
                // A file of that name may have been written by an agent.
                if line.text(0).is_some_and(|text| text.contains('/')) {
                    let content = self.content(first, value);
                    self.executes(&content, Execution::Program(name.into()), line.span);
                }
                if let Some(status) = self.repository_program(line, &line.words) {
                    return status;
                }
                self.unknown(line)
            }
        }
    }

    /// A file that the script wrote before, run as a program: `"$script"`.
    fn runs_written(&mut self, word: &'a Word, path: &Value, span: Span) {
        let Some(content) = self.state.files.get(&self.file_key(path, word)).cloned() else { return };
        self.executes(&content, Execution::Program("the file".into()), span);
    }

    /// Calls a function of the script.
    fn call(
        &mut self,
        function: &'a crate::syntax::shell::ast::Function,
        unit: Unit<'a>,
        line: &Line<'a, '_>,
    ) -> Status {
        // A function that calls itself shows in its second round all that the later ones do.
        let running = self.running.iter().filter(|running| **running == function.name).count();
        if running > 1 || self.calls >= DEEPEST_CALL {
            return Status::default();
        }
        self.calls += 1;
        self.running.push(&function.name);
        let arguments = line.arguments().iter().map(|(_, value)| value.clone()).collect();
        let positional = std::mem::replace(&mut self.state.positional, arguments);
        let pieces = self.state.pieces.take("@");
        let outer = std::mem::replace(&mut self.unit, unit);
        let returns = std::mem::take(&mut self.state.returns);
        let outer_controls = self.builder.controls.len();
        let absent = std::mem::take(&mut self.absent);
        let status = self.command(&function.body, None, false);
        self.absent = absent;
        let mut tests: Vec<NodeId> = std::mem::replace(&mut self.state.returns, returns);
        self.unit = outer;
        self.state.positional = positional;
        self.state.pieces.extend(pieces);
        self.calls -= 1;
        self.running.pop();
        let inside: Vec<NodeId> = self.builder.controls.iter().take(outer_controls).copied().collect();
        tests.retain(|test| !inside.contains(test));
        let mut node = if status.exits { None } else { status.node };
        for test in tests {
            node = self.both(crate::flow::Logic::And, node, Some(test), line.span);
        }
        Status::of(node)
    }
}

/// How many words behind a wrapper's name are its options and their values. `valued`: the options that take the next word.
fn options(line: &Line<'_, '_>, valued: &[&str]) -> usize {
    let mut count = 0;
    while let Some((_, value)) = line.words.get(1 + count).filter(|(_, value)| starts_with_dash(value)) {
        let takes = value.text().is_some_and(|text| valued.contains(&&**text));
        count += 1 + usize::from(takes);
    }
    count
}

/// The agent program that a package of npm or of Python brings, by its name with or without a version.
fn program_of_package(package: &str) -> Option<&'static str> {
    let version = package.char_indices().skip(1).find(|(_, c)| *c == '@').map(|(at, _)| at);
    match package.get(..version.unwrap_or(package.len())).unwrap_or_default() {
        "@anthropic-ai/claude-code" | "claude" => Some("claude"),
        "@google/gemini-cli" | "gemini" => Some("gemini"),
        "@openai/codex" | "codex" => Some("codex"),
        "@github/copilot" | "copilot" => Some("copilot"),
        "@qwen-code/qwen-code" => Some("qwen"),
        "@sourcegraph/amp" => Some("amp"),
        "@augmentcode/auggie" => Some("auggie"),
        "opencode-ai" | "opencode" => Some("opencode"),
        "llm" => Some("llm"),
        "aider-chat" | "aider" => Some("aider"),
        _ => None,
    }
}

/// The words that a known text in command position is split into: `$HELPER` that holds `amplihack orch helper`.
fn split_command(word: &Word, value: &Value) -> Vec<String> {
    let unquoted = matches!(word.parts.as_slice(), [only] if matches!(only.kind, PartKind::Parameter(_)));
    match value.text().filter(|_| unquoted) {
        Some(text) => text.split_whitespace().map(str::to_owned).collect(),
        None => Vec::new(),
    }
}
