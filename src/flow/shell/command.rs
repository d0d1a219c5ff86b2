//! Simple commands.

use std::sync::Arc;

use super::list::Redirected;
use super::{DEEPEST_CALL, Output, Shell, Status};
use crate::flow::{DecisionForm, Effect, Execution, Misuse, NodeId, NodeKind, Pass, Source, TEMPORARY, Trust, Value};
use crate::syntax::shell::ast::{PartKind, Simple, Word};
use crate::text::Span;

/// An evaluated command line.
#[derive(Debug)]
pub(super) struct Line<'a, 'r> {
    /// Name and arguments after wrappers like `env` and `timeout`, with their values.
    pub words: Vec<(&'a Word, Value)>,
    /// The whole command.
    pub span: Span,
    /// Its redirections.
    pub redirected: &'r Redirected,
    /// Its output goes into a pipe.
    pub piped: bool,
    /// Values of the variables that stand before the name (`A="$x" python3 …`).
    pub environment: Value,
}

impl<'a> Line<'a, '_> {
    /// The literal text of a word.
    pub fn text(&self, at: usize) -> Option<&str> {
        self.words.get(at).and_then(|(_, value)| value.text()).map(|text| &**text)
    }

    /// The program's name without its folder.
    pub fn name(&self) -> Option<&str> {
        self.text(0).map(|text| text.rsplit('/').next().unwrap_or(text))
    }

    /// The words after the name.
    pub fn arguments(&self) -> &[(&'a Word, Value)] {
        self.words.get(1..).unwrap_or_default()
    }

    /// All nodes of the arguments.
    pub fn all(&self) -> Value {
        let mut all = Value::default();
        for (_, value) in self.arguments() {
            all.add_nodes(&value.nodes);
        }
        all
    }
}

/// Programs whose output does not repeat what they are given.
const KNOWN: &[&str] = &[
    "git",
    "gh",
    "date",
    "mktemp",
    "cargo",
    "npm",
    "npx",
    "yarn",
    "pnpm",
    "make",
    "docker",
    "kubectl",
    "curl",
    "wget",
    "ls",
    "pwd",
    "stat",
    "du",
    "df",
    "find",
    "id",
    "whoami",
    "hostname",
    "uname",
    "nproc",
    "ps",
    "pgrep",
    "kill",
    "pkill",
    "mkdir",
    "rm",
    "rmdir",
    "mv",
    "cp",
    "ln",
    "touch",
    "chmod",
    "chown",
    "sleep",
    "wait",
    "seq",
    "which",
    "type",
    "hash",
    "diff",
    "cmp",
    "sha256sum",
    "sha1sum",
    "md5sum",
    "pip",
    "pip3",
    "pytest",
    "go",
    "rustc",
    "rustup",
    "terraform",
    "helm",
    "aws",
    "gcloud",
    "az",
    "ssh-keygen",
    "openssl",
    "tar",
    "unzip",
    "zip",
    "gzip",
    "uuidgen",
    "realpath",
    "readlink",
    "test",
    "true",
    "false",
    ":",
    "set",
    "shopt",
    "cd",
    "pushd",
    "popd",
    "trap",
    "umask",
    "ulimit",
    "jobs",
    "getopts",
    "shift",
    "unset",
    "hash",
    "apt-get",
    "apt",
    "brew",
    "systemctl",
    "service",
    "lsof",
    "nc",
    "ping",
    "dig",
    "tput",
    "clear",
    "sync",
    "mount",
    "umount",
];

/// Programs for which an argument that begins with `-` is an option, where the text of an agent may stand as an operand.
const OPTION_PRONE: &[&str] = &[
    "rm", "rmdir", "mv", "cp", "ln", "mkdir", "touch", "chmod", "chown", "ls", "cat", "tar", "cd", "git", "kill",
    "source",
];

/// Sub-commands of git that take a name or a path as operand.
const GIT_OPERANDS: &[&str] = &[
    "checkout",
    "switch",
    "revert",
    "reset",
    "merge",
    "rebase",
    "cherry-pick",
    "branch",
    "tag",
    "show",
    "log",
    "diff",
    "add",
    "rm",
    "mv",
    "push",
    "pull",
    "fetch",
    "clone",
    "restore",
    "worktree",
];

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
            words.push((word, value));
        }
        let mut line = Line { words, span, redirected, piped, environment };
        self.unwrap(&mut line);
        let status = self.dispatch(&line, simple);
        for (name, old) in restore.into_iter().rev() {
            self.state.set(&name, old.unwrap_or_default());
        }
        status
    }

    /// Takes wrappers off: `env A=1 timeout 5 command x` is `x`.
    fn unwrap(&mut self, line: &mut Line<'a, '_>) {
        for _ in 0..6 {
            let take = match line.name() {
                Some("command") if line.text(1).is_some_and(|word| word == "-v" || word == "-V") => return,
                Some(
                    "command" | "builtin" | "exec" | "nohup" | "time" | "stdbuf" | "nice" | "ionice" | "setsid"
                    | "caffeinate",
                ) => 1 + line.words.iter().skip(1).take_while(|(_, value)| starts_with_dash(value)).count(),
                Some("sudo" | "doas") => {
                    1 + line.words.iter().skip(1).take_while(|(_, value)| starts_with_dash(value)).count()
                }
                Some("timeout" | "gtimeout") => {
                    2 + line.words.iter().skip(1).take_while(|(_, value)| starts_with_dash(value)).count()
                }
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
            let value = value.clone();
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
            "shopt" | "trap" | "let" | "eval" | "source" | "." | "xargs" | "find" | "ssh" | "parallel" => {
                self.executing(line)
            }
            "bash" | "sh" | "zsh" | "dash" | "ksh" => self.shell_program(line),
            "exit" | "return" => self.exit(line, name == "return"),
            "break" | "continue" => Status { node: None, exits: false },
            "shift" => {
                let count = line.text(1).and_then(|text| text.parse().ok()).unwrap_or(1_usize);
                let count = count.min(self.state.positional.len());
                self.state.positional.drain(..count);
                Status::default()
            }
            "mktemp" => {
                let path = format!("{TEMPORARY}{}", self.unit.place(line.span).span.start);
                self.print(Value::literal(path), line.span);
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
                self.unknown(line)
            }
        }
    }

    /// A program whose output is its own. Its arguments may have been chosen by a test.
    fn known(&mut self, line: &Line<'a, '_>) -> Status {
        self.options(line);
        self.act(line);
        Status::default()
    }

    fn tool(&mut self, line: &Line<'a, '_>, json_form: bool) -> Status {
        self.act(line);
        if json_form || self.captured() {
            let program = line.name().unwrap_or_default().into();
            let id = self.builder.source(Source::Tool { program, json_form }, self.unit.place(line.span), Trust::Clean);
            self.print(Value::node(id), line.span);
        }
        Status::default()
    }

    fn git(&mut self, line: &Line<'a, '_>) -> Status {
        // `-c` before the sub-command sets a configuration; behind it (`git switch -c`) it is another option.
        let mut arguments = line.arguments().iter();
        while let Some((_, option)) = arguments.next().filter(|(_, value)| starts_with_dash(value)) {
            let takes_value = option.text().is_some_and(|text| matches!(&**text, "-c" | "-C"));
            let Some((word, value)) = takes_value.then(|| arguments.next()).flatten() else { continue };
            if option.text().is_some_and(|text| &**text == "-c") && self.builder.trust(value) >= Trust::Extracted {
                let kind = NodeKind::Execute(Execution::Option("git -c".into()));
                self.builder.on(kind, self.unit.place(word.span), value);
            }
        }
        self.known(line)
    }

    /// An unknown program: what goes in may come out.
    pub(super) fn unknown(&mut self, line: &Line<'a, '_>) -> Status {
        self.act(line);
        let mut value = line.all();
        value.add_nodes(&self.state.stdin.nodes.clone());
        if let Some((_, first)) = line.words.first() {
            value.add_nodes(&first.nodes);
        }
        if !value.is_plain() && self.captured() {
            let value = self.pass(Pass::Command, value, line.span);
            self.print(value, line.span);
        }
        Status::default()
    }

    /// A program that hands its operand on.
    fn through(&mut self, line: &Line<'a, '_>) -> Status {
        let value = line.all();
        let value = self.pass(Pass::Command, value, line.span);
        self.print(value, line.span);
        Status::default()
    }

    /// Arguments of a program that acts.
    pub(super) fn act(&mut self, line: &Line<'a, '_>) {
        let all = line.all();
        if !all.is_plain() {
            let program: Arc<str> = line.name().unwrap_or("command").into();
            let comments = line.name() == Some("gh") && line.text(2) == Some("comment");
            let kind = if comments { NodeKind::Show } else { NodeKind::Act { program } };
            self.builder.on(kind, self.unit.place(line.span), &all);
        }
    }

    /// Agent text as an operand that may begin with a dash.
    fn options(&mut self, line: &Line<'a, '_>) {
        let Some(name) = line.name() else { return };
        if !OPTION_PRONE.contains(&name) {
            return;
        }
        if name == "git"
            && !line
                .arguments()
                .iter()
                .take(3)
                .any(|(_, value)| value.text().is_some_and(|text| GIT_OPERANDS.contains(&&**text)))
        {
            return;
        }
        let mut after_option = false;
        for (word, value) in line.arguments() {
            let text = value.text().map(|text| &**text);
            if text == Some("--") {
                return;
            }
            let begins = value.prefix.is_none() && value.literal.is_none();
            if begins && !after_option && self.builder.trust(value) >= Trust::Extracted {
                let value = value.clone();
                self.builder.on(NodeKind::Unquoted(Misuse::Option), self.unit.place(word.span), &value);
            }
            after_option =
                name == "git" && text.is_some_and(|text| text.starts_with("-m") || text == "--message" || text == "-C");
        }
    }

    fn echo(&mut self, line: &Line<'a, '_>) -> Status {
        let mut value = Value::literal("");
        let mut first = true;
        for (word, next) in line.arguments() {
            if first && next.text().is_some_and(|text| matches!(&**text, "-n" | "-e" | "-E" | "-ne" | "-en")) {
                continue;
            }
            if first && line.piped && next.prefix.is_none() && self.builder.trust(next) >= Trust::Extracted {
                let next = next.clone();
                self.builder.on(NodeKind::Unquoted(Misuse::Echo), self.unit.place(word.span), &next);
            }
            if !first {
                value.append(&Value::literal(" "));
            }
            value.append(next);
            first = false;
        }
        self.print_line(value, line.span);
        Status::default()
    }

    fn printf(&mut self, line: &Line<'a, '_>) -> Status {
        let mut arguments = line.arguments().iter().peekable();
        if arguments.peek().is_some_and(|(_, value)| value.text().is_some_and(|text| &**text == "-v")) {
            arguments.next();
            let Some((word, target)) = arguments.next() else { return Status::default() };
            let mut value = Value::default();
            for (_, next) in arguments {
                value.add_nodes(&next.nodes);
            }
            if self.builder.trust(target) >= Trust::Extracted {
                let target = target.clone();
                let kind = NodeKind::Execute(Execution::Name("printf -v".into()));
                self.builder.on(kind, self.unit.place(word.span), &target);
            } else if let Some(name) = target.text().cloned() {
                self.assign(&name, value, line.span);
            }
            return Status::default();
        }
        if arguments.peek().is_some_and(|(_, value)| value.text().is_some_and(|text| &**text == "--")) {
            arguments.next();
        }
        let Some((word, format)) = arguments.next() else { return Status::default() };
        if self.builder.trust(format) >= Trust::Extracted {
            let format = format.clone();
            self.builder.on(NodeKind::Unquoted(Misuse::Format), self.unit.place(word.span), &format);
        }
        let mut rest: Vec<&Value> = arguments.map(|(_, value)| value).collect();
        if self.prints_to_runner()
            && let Some(text) = format.text()
        {
            // Line by line, so that each name keeps its own value.
            let lines: Vec<&str> = text.split_inclusive("\\n").collect();
            for part in lines.iter().take(lines.len().saturating_sub(1)) {
                let count = (part.matches('%').count() - 2 * part.matches("%%").count()).min(rest.len());
                let behind = rest.split_off(count);
                let value = formatted(&Value::literal(*part), &rest);
                rest = behind;
                self.print(value, line.span);
            }
            let last = Value::literal(lines.last().copied().unwrap_or_default());
            let value = formatted(&last, &rest);
            self.print(value, line.span);
            return Status::default();
        }
        let value = formatted(format, &rest);
        self.print(value, line.span);
        Status::default()
    }

    fn print_line(&mut self, value: Value, span: Span) {
        let mut value = value;
        // A line break at the end is dropped by substitutions and changes nothing elsewhere, but files keep lines apart.
        if matches!(self.state.streams.last().map(|stream| &stream.to), Some(Output::File(_))) {
            value.append(&Value::literal("\n"));
        }
        self.print(value, span);
    }

    fn cat(&mut self, line: &Line<'a, '_>) -> Status {
        let mut value = Value::literal("");
        let mut files = 0;
        for (word, path) in line.arguments() {
            if starts_with_dash(path) && path.text().is_some_and(|text| text.len() > 1) {
                continue;
            }
            files += 1;
            let next = self.content(word, path);
            value.append(&next);
        }
        if files == 0 {
            value = self.state.stdin.clone();
            if self.prints_to_runner() && value == self.state.here.0 {
                for part in self.state.here.1.clone() {
                    self.print(part, line.span);
                }
                return Status::default();
            }
        }
        self.print(value, line.span);
        Status::default()
    }

    /// What is in the file that a word names; `-` is the standard input.
    pub(super) fn content(&mut self, word: &'a Word, path: &Value) -> Value {
        if path.text().is_some_and(|text| matches!(&**text, "-" | "/dev/stdin")) {
            return self.state.stdin.clone();
        }
        let key = self.file_key(path, word);
        let known = self.read_file(&key, word.span);
        if known.is_plain() && self.builder.trust(path) >= Trust::Agent {
            // An agent named the file, so the agent wrote it.
            let source =
                Source::AgentOutput { origin: "file".into(), output: key, form: crate::flow::AgentForm::Prose };
            let place = self.unit.place(word.span);
            return Value::node(self.builder.with_trust(NodeKind::Source(source), place, path, Trust::Agent));
        }
        known
    }

    fn tee(&mut self, line: &Line<'a, '_>) -> Status {
        let value = self.state.stdin.clone();
        let append = line.arguments().iter().any(|(_, value)| value.text().is_some_and(|text| &**text == "-a"));
        for (word, path) in line.arguments() {
            if !starts_with_dash(path) {
                let key = self.file_key(path, word);
                self.tee_to(key, append, &value, line.span);
            }
        }
        self.print(value, line.span);
        Status::default()
    }

    fn tee_to(&mut self, key: Arc<str>, append: bool, value: &Value, span: Span) {
        let parts = vec![(value.clone(), self.unit.place(span))];
        self.write_file(key, append, value.clone(), parts, span);
    }

    fn read(&mut self, line: &Line<'a, '_>) -> Status {
        let value = Value { literal: None, prefix: None, ..self.state.stdin.clone() };
        let mut names = Vec::new();
        let mut skip = false;
        for (word, name) in line.arguments() {
            match name.text() {
                _ if skip => skip = false,
                Some(text) if text.starts_with('-') => {
                    skip = matches!(&**text, "-d" | "-n" | "-N" | "-p" | "-t" | "-u" | "-i");
                    if text.ends_with('d') && text.len() > 2 {
                        skip = true;
                    }
                }
                Some(text) => names.push((text.clone(), word.span)),
                None => {
                    if self.builder.trust(name) >= Trust::Extracted {
                        let name = name.clone();
                        let kind = NodeKind::Execute(Execution::Name("read".into()));
                        self.builder.on(kind, self.unit.place(word.span), &name);
                    }
                }
            }
        }
        if names.is_empty() {
            names.push(("REPLY".into(), line.span));
        }
        for (name, span) in names {
            self.assign(&name, value.clone(), span);
        }
        Status::default()
    }

    fn mapfile(&mut self, line: &Line<'a, '_>) -> Status {
        let value = Value { literal: None, prefix: None, ..self.state.stdin.clone() };
        let name = line
            .arguments()
            .iter()
            .rev()
            .find_map(|(_, value)| value.text().filter(|text| !text.starts_with('-')).cloned())
            .unwrap_or_else(|| "MAPFILE".into());
        self.assign(&name, value, line.span);
        Status::default()
    }

    fn declare(&mut self, line: &Line<'a, '_>, simple: &'a Simple) -> Status {
        self.state.last = None;
        let options = line.arguments().iter().filter_map(|(_, value)| value.text());
        if options.into_iter().any(|option| option.starts_with('-') && option.contains('A')) {
            let names = line.arguments().iter().filter_map(|(_, value)| value.text().map(ToString::to_string));
            let names = names.chain(simple.declared.iter().map(|declared| declared.name.clone()));
            self.state.associative.extend(names.filter(|name| !name.starts_with('-')));
        }
        for declared in &simple.declared {
            self.assignment(declared);
        }
        for (word, value) in line.arguments() {
            if value.prefix.is_none() && value.literal.is_none() && self.builder.trust(value) >= Trust::Extracted {
                let value = value.clone();
                let kind = NodeKind::Execute(Execution::Name(line.name().unwrap_or("declare").into()));
                self.builder.on(kind, self.unit.place(word.span), &value);
            }
        }
        Status::default()
    }

    fn set(&mut self, line: &Line<'a, '_>) -> Status {
        let mut positional = None;
        let mut previous: Option<String> = None;
        for (_, value) in line.arguments() {
            let text = value.text().map(|text| &**text);
            if let Some(list) = &mut positional {
                let list: &mut Vec<Value> = list;
                list.push(value.clone());
                continue;
            }
            match text {
                Some("--") => positional = Some(Vec::new()),
                Some("pipefail") => {
                    self.state.pipefail = previous.as_deref().is_some_and(|flag| flag.starts_with('-'));
                }
                Some("errexit") => self.state.errexit = previous.as_deref() == Some("-o"),
                Some(flag) if flag.starts_with('-') && flag.contains('e') => self.state.errexit = true,
                Some(flag) if flag.starts_with('+') && flag.contains('e') => self.state.errexit = false,
                _ => {}
            }
            previous = text.map(str::to_owned);
        }
        if let Some(positional) = positional {
            self.state.positional = positional;
        }
        Status::default()
    }

    fn exit(&mut self, line: &Line<'a, '_>, returns: bool) -> Status {
        let value = line.arguments().first().map(|(_, value)| value.clone()).unwrap_or_default();
        if !value.is_plain() {
            let inputs = value.inputs();
            let decision = crate::flow::Decision {
                form: DecisionForm::Exit,
                when_true: Effect { passes: true, ..Effect::default() },
                when_false: Effect { stops: true, ..Effect::default() },
            };
            self.builder.graph.add(NodeKind::Decide(decision), self.unit.place(line.span), inputs, None);
        }
        if returns {
            let tests: Vec<NodeId> = self.builder.controls.clone();
            self.state.returns.extend(tests);
            self.state.returns.extend(value.nodes.iter());
        }
        Status { node: None, exits: true }
    }

    /// Calls a function of the script.
    fn call(
        &mut self,
        function: &'a crate::syntax::shell::ast::Function,
        unit: Unit<'a>,
        line: &Line<'a, '_>,
    ) -> Status {
        if self.calls >= DEEPEST_CALL {
            return Status::default();
        }
        self.calls += 1;
        let arguments = line.arguments().iter().map(|(_, value)| value.clone()).collect();
        let positional = std::mem::replace(&mut self.state.positional, arguments);
        let outer = std::mem::replace(&mut self.unit, unit);
        let returns = std::mem::take(&mut self.state.returns);
        let outer_controls = self.builder.controls.len();
        let status = self.command(&function.body, None, false);
        let mut tests: Vec<NodeId> = std::mem::replace(&mut self.state.returns, returns);
        self.unit = outer;
        self.state.positional = positional;
        self.calls -= 1;
        let inside: Vec<NodeId> = self.builder.controls.iter().take(outer_controls).copied().collect();
        tests.retain(|test| !inside.contains(test));
        let mut node = if status.exits { None } else { status.node };
        for test in tests {
            node = self.both(crate::flow::Logic::And, node, Some(test), line.span);
        }
        Status::of(node)
    }
}

use super::Unit;

fn starts_with_dash(value: &Value) -> bool {
    value.text().or(value.prefix.as_ref()).is_some_and(|text| text.starts_with('-'))
}

/// What `printf` prints: known formats with known values stay known texts.
fn formatted(format: &Value, arguments: &[&Value]) -> Value {
    let Some(text) = format.text() else {
        let mut value = Value { nodes: format.nodes.clone(), ..Value::default() };
        for argument in arguments {
            value.add_nodes(&argument.nodes);
        }
        return value;
    };
    let mut value = Value::literal("");
    let mut arguments = arguments.iter();
    let mut rest: &str = text;
    while let Some(at) = rest.find('%') {
        let (before, behind) = rest.split_at(at);
        value.append(&Value::literal(unescaped(before)));
        let behind = behind.get(1..).unwrap_or_default();
        let end = behind.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(behind.len());
        if behind[end..].starts_with('%') {
            value.append(&Value::literal("%"));
        } else if let Some(argument) = arguments.next() {
            value.append(argument);
        }
        rest = behind.get(end + 1..).unwrap_or_default();
    }
    value.append(&Value::literal(unescaped(rest)));
    for argument in arguments {
        value.append(&Value { literal: None, ..(*argument).clone() });
    }
    value
}

fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
}
