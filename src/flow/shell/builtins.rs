//! Builtins that set names or leave: `read`, `mapfile`, `declare`, `set`, `exit`.

use super::line::Line;
use super::{Shell, Status};
use crate::flow::{DecisionForm, Effect, Execution, NodeId, NodeKind, Trust, Value};
use crate::syntax::shell::ast::Simple;

impl<'a> Shell<'a, '_> {
    pub(super) fn read(&mut self, line: &Line<'a, '_>) -> Status {
        let mut value = Value { literal: None, prefix: None, ..self.read_from(line) };
        let mut names = Vec::new();
        let mut skip = false;
        let mut array = false;
        for (word, name) in line.arguments() {
            match name.text() {
                _ if skip => skip = false,
                Some(text) if text.starts_with('-') => {
                    array |= !text.starts_with("--") && text.contains('a');
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
        // Several names share the words of a line.
        if names.len() > 1 {
            value = self.piece(value, line.span);
        }
        for (name, span) in names {
            if array {
                self.state.split.insert(name.clone());
                if self.lists() {
                    self.state.lists.insert(name.clone());
                } else {
                    self.state.lists.remove(&name);
                }
            }
            self.assign(&name, value.clone(), span);
        }
        Status::default()
    }

    pub(super) fn mapfile(&mut self, line: &Line<'a, '_>) -> Status {
        let value = Value { literal: None, prefix: None, ..self.state.stdin.clone() };
        let name = line
            .arguments()
            .iter()
            .rev()
            .find_map(|(_, value)| value.text().filter(|text| !text.starts_with('-')).cloned())
            .unwrap_or_else(|| "MAPFILE".into());
        self.state.split.insert(name.clone());
        self.assign(&name, value, line.span);
        Status::default()
    }

    pub(super) fn declare(&mut self, line: &Line<'a, '_>, simple: &'a Simple) -> Status {
        self.state.last = None;
        let has = |letter: char| {
            let mut options = line.arguments().iter().filter_map(|(_, value)| value.text());
            options.any(|option| option.starts_with('-') && option.contains(letter))
        };
        if has('n') {
            self.refer(simple);
            return Status::default();
        }
        let (associative, integer) = (has('A'), has('i'));
        let names = line.arguments().iter().filter_map(|(_, value)| value.text().map(ToString::to_string));
        let names = names.chain(simple.declared.iter().map(|declared| declared.name.clone()));
        for name in names.filter(|name| !name.starts_with('-')) {
            if integer {
                self.state.integers.insert(name.clone());
            }
            if associative {
                self.state.associative.insert(name);
            }
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

    /// `unset "$x"` evaluates the subscript of what it is given.
    pub(super) fn unset(&mut self, line: &Line<'a, '_>) -> Status {
        for (word, value) in line.arguments() {
            if value.literal.is_none() && value.prefix.is_none() && self.builder.trust(value) >= Trust::Extracted {
                let kind = NodeKind::Execute(Execution::Name("unset".into()));
                self.builder.on(kind, self.unit.place(word.span), value);
            }
        }
        Status::default()
    }

    pub(super) fn set(&mut self, line: &Line<'a, '_>) -> Status {
        let mut positional = None;
        let mut previous: Option<String> = None;
        let mut splits = false;
        for (word, value) in line.arguments() {
            let text = value.text().map(|text| &**text);
            if let Some(list) = &mut positional {
                let list: &mut Vec<Value> = list;
                list.push(value.clone());
                splits |= self.splits(word);
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
            if splits {
                self.state.pieces.insert("@".into());
            } else {
                self.state.pieces.remove("@");
            }
        }
        Status::default()
    }

    pub(super) fn exit(&mut self, line: &Line<'a, '_>, returns: bool) -> Status {
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
}
