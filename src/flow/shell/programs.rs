//! Programs that are only known by what they do with their arguments: ordinary tools and unknown ones.

use std::sync::Arc;

use super::line::{Line, starts_with_dash};
use super::{Shell, Status};
use crate::flow::{Execution, Misuse, NodeKind, Pass, Source, Trust, Value};

/// Programs whose output does not repeat what they are given.
pub(super) const KNOWN: &[&str] = &[
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

/// Options of git that take the next word as their value, so that it is no option itself (source: their manual pages).
const GIT_VALUED: &[&str] = &[
    "-m",
    "-am",
    "--message",
    "-F",
    "--file",
    "-C",
    "-b",
    "-B",
    "-c",
    "--create",
    "--branch",
    "--orphan",
    "--onto",
    "--source",
    "--author",
    "--date",
    "--grep",
    "-S",
    "-G",
];

/// Whether the word behind an option is its value.
fn takes_value(program: &str, option: &str) -> bool {
    match program {
        "git" => GIT_VALUED.contains(&option),
        "tar" => option == "-C",
        "cp" | "mv" | "ln" => option == "-t",
        _ => false,
    }
}

/// `--json`, `-o json`, `--format=json`
fn asks_for_json(line: &Line<'_, '_>) -> bool {
    let mut before = "";
    line.arguments().iter().filter_map(|(_, value)| value.text()).any(|text| {
        let (option, value) = text.split_once('=').unwrap_or((before, text));
        before = text;
        &**text == "--json" || (value == "json" && matches!(option, "-o" | "--output" | "--format" | "--output-format"))
    })
}

/// `gh issue view 7 --json body --jq .body`: what somebody wrote into an issue.
fn reads_issue(line: &Line<'_, '_>) -> bool {
    let mut texts = line.arguments().iter().filter_map(|(_, value)| value.text());
    line.name() == Some("gh")
        && line.text(1) == Some("issue")
        && line.text(2) == Some("view")
        && texts.any(|text| matches!(text.trim_start_matches("--jq="), ".body" | ".body // \"\""))
}

impl<'a> Shell<'a, '_> {
    /// A program whose output is its own. Its arguments may have been chosen by a test.
    pub(super) fn known(&mut self, line: &Line<'a, '_>) -> Status {
        self.options(line);
        if matches!(line.name(), Some("docker" | "kubectl")) {
            self.inner_shell(line);
        }
        if asks_for_json(line) {
            return self.tool(line, true);
        }
        self.act(line);
        Status::default()
    }

    pub(super) fn tool(&mut self, line: &Line<'a, '_>, json_form: bool) -> Status {
        self.act(line);
        if reads_issue(line) {
            let source = Source::User { name: "the issue's body".into() };
            let id = self.builder.source(source, self.unit.place(line.span), Trust::User);
            self.print(Value::node(id), line.span);
        } else if json_form || self.captured() {
            let program = line.name().unwrap_or_default().into();
            let id = self.builder.source(Source::Tool { program, json_form }, self.unit.place(line.span), Trust::Clean);
            self.print(Value::node(id), line.span);
        }
        Status::default()
    }

    pub(super) fn git(&mut self, line: &Line<'a, '_>) -> Status {
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
        self.inner_shell(line);
        let mut value = line.all();
        value.add_nodes(&self.state.stdin.nodes.clone());
        if let Some((_, first)) = line.words.first() {
            value.add_nodes(&first.nodes);
        }
        if value.is_plain() && asks_for_json(line) {
            return self.tool(line, true);
        }
        self.act(line);
        if !value.is_plain() && self.captured() {
            let value = self.pass(Pass::Command, value, line.span);
            self.print(value, line.span);
        }
        Status::default()
    }

    /// A program that hands its operand on.
    pub(super) fn through(&mut self, line: &Line<'a, '_>) -> Status {
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
            after_option = text.is_some_and(|text| takes_value(name, text));
        }
    }
}
