//! jq, and programs in other languages given on the command line.

use std::sync::Arc;

use super::filter::{Filter, read_filter};
use super::line::Line;
use super::text_tools::tool_name;
use super::{Shell, Status};
use crate::flow::{
    AgentForm, Compare, CompareOp, Contains, Fallback, FallbackForm, JsonTool, NodeKind, Pass, Source, Trust, Value,
    is_plural,
};

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
                            let tool = JsonTool { tool: tool_name(line.name()), fields: Vec::new() };
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
                if input.literal.is_none() {
                    input.literal = content.literal;
                }
            }
        }
        let text = filter.as_ref().and_then(|(_, value)| value.text().cloned()).unwrap_or_default();
        let read = read_filter(&text);
        // `-R 'fromjson'` parses the text all the same.
        let parses = raw_input && !null_input && read.parses && self.builder.trust(&input) == Trust::Agent;
        if (raw_input || null_input) && !parses {
            input.add_nodes(&values.nodes);
            let value = self.pass(Pass::Print, input, line.span);
            self.print(value, line.span);
            return Status::default();
        }
        if input.is_plain() {
            let found = Some(&read.fields).filter(|_| read.is_path);
            let value = found.and_then(|fields| self.in_context(&input, fields, line.span)).unwrap_or_default();
            self.print(value, line.span);
            return Status::default();
        }
        let place = self.unit.place(line.span);
        if self.is_envelope(&input) {
            return self.envelope(line, &read, input, tests);
        }
        let trust = self.builder.trust(&input);
        if trust == Trust::Agent {
            let tool = JsonTool { tool: tool_name(line.name()), fields: read.fields.clone() };
            let id = self.builder.on(NodeKind::Json(Box::new(tool)), place, &input);
            let value = self.jq_alternatives(Value::node(id), &read, line);
            self.print(value.clone(), line.span);
            return Status::of(tests.then(|| value.nodes.first().copied()).flatten());
        }
        let mut value = input;
        if trust == Trust::Extracted {
            value = self.jq_fields(&read.fields, &read, value, line);
        }
        value = self.jq_containment(value, &read, line);
        if let (Some((yes, no)), Some(_), [test]) = (&read.choice, &read.comparison, value.nodes.as_slice()) {
            // `if .a == "x" then "y" else "n" end`: the words are the script's own, and the field chooses.
            for word in [yes, no] {
                self.under(Some(*test), |shell| shell.print(Value::literal(word.clone()), line.span));
            }
            return Status::default();
        }
        let value = self.jq_alternatives(value, &read, line);
        self.print(value.clone(), line.span);
        Status::of(tests.then(|| value.nodes.first().copied()).flatten())
    }

    /// The field at the end of a path. What a longer filter makes of several fields is not known.
    fn jq_fields(&mut self, fields: &[Arc<str>], read: &Filter, value: Value, line: &Line<'a, '_>) -> Value {
        let place = self.unit.place(line.span);
        let (mut value, fields) = match fields {
            [_, ..] if read.is_path => (value, fields),
            [.., last] => (self.pass(Pass::Command, value, line.span), std::slice::from_ref(last)),
            [] => return value,
        };
        for field in fields {
            value = Value::node(self.builder.on(NodeKind::Field(field.clone()), place, &value));
        }
        if let Some((equal, operand)) = &read.comparison {
            let op = if *equal { CompareOp::Equal } else { CompareOp::NotEqual };
            let compare = Compare { op, operand: Some(operand.clone()), operand_place: None };
            value = Value::node(self.builder.on(NodeKind::Compare(compare), place, &value));
        }
        value
    }

    fn jq_containment(&mut self, mut value: Value, read: &Filter, line: &Line<'a, '_>) -> Value {
        let place = self.unit.place(line.span);
        for (how, needle) in &read.containment {
            // `.labels | index("x")` asks for a member of a list.
            let kind = if &**how == "index" && read.fields.last().is_some_and(|field| is_plural(field)) {
                NodeKind::Compare(Compare { op: CompareOp::Equal, operand: Some(needle.clone()), operand_place: None })
            } else {
                let contains = Contains { how: how.clone(), needle: Some(needle.clone()), negated: false };
                NodeKind::Contains(Box::new(contains))
            };
            value = Value::node(self.builder.on(kind, place, &value));
        }
        value
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
            // The envelope's own name for the object is no field of it.
            let fields = match read.fields.as_slice() {
                [first, rest @ ..] if read.is_path && &**first == "structured_output" => rest,
                fields => fields,
            };
            let typed = Value::node(self.builder.with_trust(NodeKind::Join, place, &input, Trust::Extracted));
            let value = self.jq_fields(fields, read, typed, line);
            let value = self.jq_containment(value, read, line);
            self.jq_alternatives(value, read, line)
        } else if ["result", "response", "text", "content", "message"].iter().any(|name| has(name)) {
            let mut value = Value::node(self.builder.on(NodeKind::Pass(Pass::Envelope), place, &input));
            if read.parses {
                let fields = read.fields.last().cloned().into_iter().collect();
                let tool = JsonTool { tool: tool_name(line.name()), fields };
                value = Value::node(self.builder.on(NodeKind::Json(Box::new(tool)), place, &value));
            }
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
}
