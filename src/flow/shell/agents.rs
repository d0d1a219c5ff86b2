//! Agent programs inside scripts.

use std::sync::Arc;

use super::line::{Line, starts_with_dash};
use super::shape::plain_text;
use super::{Shell, Status};
use crate::flow::{AgentForm, IgnoredSchema, Name, NodeKind, Source, Trust, Value};
use crate::syntax::shell::ast::{ParameterOp, PartKind, Word};

impl<'a> Shell<'a, '_> {
    /// Runs an agent program, if the command is one.
    pub(super) fn agent(&mut self, line: &Line<'a, '_>) -> Option<Status> {
        let name = line.name().or_else(|| default_name(line.words.first()?.0))?;
        let has = |flags: &[&str]| {
            line.arguments().iter().any(|(_, value)| {
                value.text().or(value.prefix.as_ref()).is_some_and(|text| {
                    flags.iter().any(|flag| &**text == *flag || text.starts_with(&format!("{flag}=")))
                })
            })
        };
        let option = |flags: &[&str]| {
            line.words.iter().enumerate().find_map(|(at, (_, value))| {
                let text = value.text()?;
                if flags.contains(&&**text) {
                    return line.words.get(at + 1).and_then(|(_, value)| value.text()).map(ToString::to_string);
                }
                flags.iter().find_map(|flag| text.strip_prefix(&format!("{flag}=")).map(str::to_owned))
            })
        };
        let print = ["-p", "--print", "--prompt"];
        let first = line.text(1).unwrap_or_default();
        let runs = match name {
            "claude" | "gemini" | "copilot" | "cursor-agent" | "qwen" | "amp" => {
                has(&print)
                    || has(&["-x", "--execute"])
                    || (name == "gemini"
                        && line.words.get(1).is_some_and(|(_, value)| !starts_with_dash(value))
                        && !matches!(first, "mcp" | "extensions" | "update"))
                    || (matches!(name, "claude" | "gemini")
                        && (line.redirected.document.is_some() || !self.state.stdin.is_plain()))
            }
            "codex" => matches!(first, "exec" | "e"),
            "amplihack" | "rustyclawd" => has(&print) && !matches!(first, "orch" | "session-tree" | "recipe"),
            "llm" => !matches!(
                first,
                "logs"
                    | "keys"
                    | "models"
                    | "install"
                    | "uninstall"
                    | "plugins"
                    | "templates"
                    | "aliases"
                    | "--version"
                    | "--help"
            ),
            "aider" => has(&["--message", "-m", "--message-file"]),
            // The prompt is all that they take.
            "sgpt" | "aichat" | "mods" | "tgpt" | "interpreter" => true,
            "fabric" => has(&["-p", "--pattern"]),
            "goose" | "opencode" | "crush" | "ollama" => first == "run",
            "droid" => first == "exec",
            "auggie" => has(&print),
            // GitHub Models' extension of gh: `gh models run MODEL "prompt"`.
            "gh" if first == "copilot" => matches!(line.text(2), Some("explain" | "suggest")) || has(&print),
            "gh" => first == "models" && line.text(2) == Some("run"),
            _ => false,
        };
        // Asked about itself, the program answers, and no agent.
        if !runs || has(&["--help", "-h", "--version"]) {
            return None;
        }
        let review = name == "codex"
            && line.arguments().iter().take(6).any(|(_, value)| value.text().is_some_and(|text| &**text == "review"));
        let format = option(&["--output-format", "--format", "-o"]).unwrap_or_default();
        let schema = has(&["--json-schema", "--schema", "--output-schema"]) && !review;
        let form = match name {
            "claude" if format.contains("json") => AgentForm::Envelope,
            "amplihack" if first == "claude" && format.contains("json") => AgentForm::Envelope,
            "gemini" | "cursor-agent" | "qwen" if format.contains("json") => AgentForm::Envelope,
            "opencode" if format == "json" => AgentForm::Envelope,
            "codex" if has(&["--json", "--experimental-json"]) => AgentForm::Envelope,
            "llm" | "codex" | "claude" if schema => AgentForm::Typed,
            _ => AgentForm::Prose,
        };
        let place = self.unit.place(line.span);
        for (word, value) in line.arguments() {
            let text = value.text().or(value.prefix.as_ref());
            if text.is_some_and(|text| text.contains(' ')) || !value.is_plain() {
                let literal = text.cloned();
                let written = value.written.unwrap_or(self.unit.place(word.span));
                let id = self.builder.graph.add(NodeKind::Prompt, written, value.inputs(), None);
                if let Some(literal) = literal {
                    self.builder.graph.set_literal(id, literal);
                }
            }
        }
        let stdin = self.state.stdin.clone();
        let document = line.redirected.document.map(|span| self.unit.place(span));
        if document.is_some() || !stdin.is_plain() || stdin.text().is_some_and(|text| text.contains(' ')) {
            let written = document.or(stdin.written).unwrap_or(place);
            let id = self.builder.graph.add(NodeKind::Prompt, written, stdin.inputs(), None);
            if let Some(text) = stdin.text() {
                self.builder.graph.set_literal(id, text.clone());
            }
        }
        if review
            && let Some((word, _)) = line.words.iter().find(|(_, value)| {
                value.text().or(value.prefix.as_ref()).is_some_and(|text| text.starts_with("--output-schema"))
            })
        {
            let what = IgnoredSchema {
                tool: "codex exec review".into(),
                reason: "a review is always prose, and the schema is not read",
                user: None,
            };
            let place = self.unit.place(word.span);
            self.builder.graph.add(NodeKind::IgnoredSchema(what), place, Vec::new(), Some(Trust::Clean));
        }
        let merged = line.redirected.merged.map(|span| self.unit.place(span));
        let trust = if form == AgentForm::Typed { Trust::Extracted } else { Trust::Agent };
        let source = Source::AgentCli { program: name.into(), form, merged };
        let id = self.builder.source(source, place, trust);
        let written = option(&["--json-schema"]).and_then(|text| serde_json::from_str(&text).ok());
        if let Some(schema @ serde_json::Value::Object(_)) = written {
            self.builder.graph.set_schema(id, Arc::new(schema));
        }
        // `codex exec -o FILE` writes the last message only, whatever the stream holds.
        if name == "codex"
            && let Some(at) = line.words.iter().position(|(_, value)| {
                value.text().is_some_and(|text| matches!(&**text, "-o" | "--output-last-message"))
            })
            && let Some((word, path)) = line.words.get(at + 1)
        {
            let key = self.file_key(path, word);
            let form = if schema { AgentForm::Typed } else { AgentForm::Prose };
            let trust = if schema { Trust::Extracted } else { Trust::Agent };
            let source = Source::AgentCli { program: name.into(), form, merged: None };
            let last = self.builder.source(source, place, trust);
            let content = self.builder.name(Name::File(key.clone()), place, Value::node(last));
            self.state.set_file(key, content);
        }
        // codex shows the prompt and its progress on the standard error.
        if name == "codex" && line.redirected.stderr.is_some() {
            let source = Source::AgentCli { program: name.into(), form: AgentForm::Prose, merged: Some(place) };
            self.state.stderr = Value::node(self.builder.source(source, place, Trust::Agent));
        }
        self.print(Value::node(id), line.span);
        Some(Status::default())
    }
}

/// The name that stands in `"${CLAUDE:-claude}"`.
fn default_name(word: &Word) -> Option<&str> {
    match super::shape::sole_part(word)? {
        PartKind::Parameter(parameter) => match &parameter.op {
            ParameterOp::Default { word, .. } | ParameterOp::Assign { word, .. } => plain_text(word),
            _ => None,
        },
        _ => None,
    }
}
