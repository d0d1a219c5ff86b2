//! Commands that print: `echo`, `printf`, `cat`, `tee`.

use std::sync::Arc;

use super::line::{Line, starts_with_dash};
use super::{Output, Shell, Status};
use crate::flow::{Execution, Misuse, NodeKind, Source, Trust, Value};
use crate::syntax::shell::ast::Word;
use crate::text::Span;

impl<'a> Shell<'a, '_> {
    pub(super) fn echo(&mut self, line: &Line<'a, '_>) -> Status {
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

    pub(super) fn printf(&mut self, line: &Line<'a, '_>) -> Status {
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
        if let Some(stream) = self.state.streams.last_mut().filter(|stream| stream.to == Output::Captured) {
            stream.line_ended = true;
        }
    }

    pub(super) fn cat(&mut self, line: &Line<'a, '_>) -> Status {
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

    pub(super) fn tee(&mut self, line: &Line<'a, '_>) -> Status {
        let value = self.state.stdin.clone();
        let append = line.arguments().iter().any(|(_, value)| value.text().is_some_and(|text| &**text == "-a"));
        for (word, path) in line.arguments() {
            if !starts_with_dash(path) {
                let key = self.file_key(path, word);
                if let Some(span) = line.redirected.document {
                    self.keep_script(key.clone(), span);
                }
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
    if !text.contains('\\') {
        return text.to_owned();
    }
    text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
}
