//! Other ways to a text: open descriptors, coprocesses, names that stand for names, items of split arrays.

use super::Shell;
use super::line::Line;
use super::redirect::Redirected;
use super::shape::{process_of, whole_array};
use crate::flow::{Execution, Match, MatchHow, NodeId, NodeKind, Trust, Value};
use crate::recipe::Holes;
use crate::syntax::shell::ast::{Command, List, Parameter, PartKind, Redirect, RedirectKind, Simple, Word, WordPart};
use crate::text::Span;

/// Names that stand for names are followed this far.
const MOST_REFERENCES: usize = 8;
/// The array of a coprocess without a name.
const COPROC: &str = "COPROC";

impl<'a> Shell<'a, '_> {
    /// Something to read: on the standard input of the command, or on a descriptor that stays open.
    pub(super) fn input(&mut self, descriptor: Option<u32>, value: Value, result: &mut Redirected) {
        match descriptor.unwrap_or(0) {
            0 => result.stdin = Some(value),
            number => {
                self.state.descriptors.insert(number, value);
            }
        }
    }

    /// What is read from a descriptor: `3`, or `${NAME[0]}` of a coprocess.
    pub(super) fn descriptor(&mut self, word: &'a Word) -> Option<Value> {
        if let Some(parameter) = only_parameter(&word.parts)
            && let Some(value) = self.state.coprocesses.get(parameter.name.as_str())
        {
            return Some(value.clone());
        }
        let number = self.word(word).text()?.trim_end_matches('-').parse().ok()?;
        self.state.descriptors.get(&number).cloned()
    }

    /// `coproc NAME { …; }`: what it prints is read through `${NAME[0]}`.
    pub(super) fn coprocess(&mut self, command: &'a Command, inner: &'a Command) {
        let head = self.unit.fragment.text().get(command.span.start..inner.span.start).unwrap_or_default();
        let name = head.trim().trim_start_matches("coproc").trim();
        let name = if name.is_empty() { COPROC } else { name }.to_owned();
        let mark = self.state.mark();
        self.push_stream(super::Output::Captured);
        self.command(inner, None, false);
        let printed = self.pop_stream();
        self.state.leave(mark);
        self.state.coprocesses.insert(name, printed);
    }

    /// Runs the commands of `>(…)` on what a command printed.
    pub(super) fn read_by(&mut self, body: &'a List, printed: Value) {
        let stdin = std::mem::replace(&mut self.state.stdin, printed);
        self.push_stream(super::Output::Shown);
        self.list(body, false);
        self.pop_stream();
        self.state.stdin = stdin;
    }

    /// `${BASH_REMATCH[1]}` after `[[ … =~ … ]]`; numbers and names of commits are not followed.
    pub(super) fn remember_groups(&mut self, pattern: Option<&str>, node: NodeId) {
        if self.builder.graph.node(node).trust >= Trust::Agent && !pattern.is_some_and(only_numbers) {
            self.state.set("BASH_REMATCH", Value::node(node));
        }
    }

    /// The variable that a name stands for: `declare -n`.
    pub(super) fn referred<'n>(&self, name: &'n str) -> std::borrow::Cow<'n, str> {
        let mut at = name;
        let mut found = None;
        for _ in 0..MOST_REFERENCES {
            match self.state.references.get(at) {
                Some(next) => {
                    at = next;
                    found = Some(next.clone());
                }
                None => break,
            }
        }
        found.map_or(name.into(), |name| name.to_string().into())
    }

    /// `declare -n ref=NAME`, `local -n ref=$1`
    pub(super) fn refer(&mut self, simple: &'a Simple) {
        for declared in &simple.declared {
            let crate::syntax::shell::ast::AssignValue::Word(word) = &declared.value else { continue };
            let value = self.word(word);
            if self.builder.trust(&value) >= Trust::Extracted {
                // Whoever assigns to the reference evaluates the subscript of what it is given.
                let kind = NodeKind::Execute(Execution::Name("declare -n".into()));
                self.builder.on(kind, self.unit.place(declared.span), &value);
            }
            if let Some(target) = value.text().filter(|target| ***target != *declared.name).cloned() {
                self.state.references.insert(declared.name.as_str().into(), target);
            }
        }
    }

    /// `${words[0]}` of an array that the shell split a text into takes a piece out of it.
    pub(super) fn item(&mut self, parameter: &Parameter, index: &Value, value: Value, span: Span) -> Value {
        let all = matches!(index.text().map(|text| &**text), Some("@" | "*"));
        if all || value.is_plain() || !self.state.split.contains(parameter.name.as_str()) {
            return value;
        }
        self.piece(value, span)
    }

    /// Whether texts are split at a sign and not at blanks: as lists are, whose members are compared as a whole.
    pub(super) fn lists(&self) -> bool {
        let separators = self.state.variables.get("IFS").and_then(|value| value.text());
        separators.is_some_and(|signs| !signs.is_empty() && !signs.contains(char::is_whitespace))
    }

    /// Whether a word stands for the words or lines of one text: `$x`, `$(cat "$x")`, `"${lines[@]}"`.
    pub(super) fn splits(&self, word: &Word) -> bool {
        match whole_array(word) {
            Some("@" | "*") => self.state.pieces.contains("@"),
            Some(name) => self.state.split.contains(name) && !self.state.lists.contains(name),
            None if self.lists() => false,
            None => matches!(word.parts.as_slice(), [only]
                if matches!(only.kind, PartKind::Parameter(_) | PartKind::Substitution(_))
                    || (matches!(only.kind, PartKind::Hole(_)) && self.unit.holes == Holes::Expression)),
        }
    }

    /// What a variable is read as: one word of a text is a piece of it.
    pub(super) fn word_of(&mut self, name: &str, value: Value, span: Span) -> Value {
        let name = if name.starts_with(|c: char| c.is_ascii_digit()) { "@" } else { name };
        if self.state.pieces.contains(name) { self.piece(value, span) } else { value }
    }

    /// A piece that the shell cut out of a text.
    pub(super) fn piece(&mut self, value: Value, span: Span) -> Value {
        if self.builder.trust(&value) < Trust::Agent {
            return value;
        }
        let found = Match { how: MatchHow::Piece, patterns: vec![None], negated: false };
        Value::node(self.builder.on(NodeKind::Match(Box::new(found)), self.unit.place(span), &value))
    }

    /// What `read -u 3` reads from; else the standard input.
    pub(super) fn read_from(&mut self, line: &Line<'a, '_>) -> Value {
        let words = line.arguments();
        for (at, (word, value)) in words.iter().enumerate() {
            let Some(option) = value.text() else { continue };
            if &**option == "-u" {
                let found = words.get(at + 1).and_then(|(word, _)| self.descriptor(word));
                return found.unwrap_or_default();
            }
            if let Some(number) = option.strip_prefix("-u").and_then(|number| number.parse().ok()) {
                return self.state.descriptors.get(&number).cloned().unwrap_or_default();
            }
            if !option.starts_with('-') || word.parts.is_empty() {
                break;
            }
        }
        self.state.stdin.clone()
    }
}

/// Whether the groups of a regular expression take nothing but digits, hexadecimal ones included.
fn only_numbers(pattern: &str) -> bool {
    let mut depth = 0_usize;
    let mut inside = String::new();
    for c in pattern.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth > 0 => inside.push(c),
            _ => {}
        }
    }
    let rest = inside.replace("[:digit:]", "").replace("[:xdigit:]", "").replace("a-f", "").replace("A-F", "");
    !inside.is_empty() && !rest.chars().any(|c| c.is_alphabetic() || matches!(c, '.' | '^'))
}

/// The parameter that a word consists of.
fn only_parameter(parts: &[WordPart]) -> Option<&Parameter> {
    match parts {
        [only] => match &only.kind {
            PartKind::Parameter(parameter) => Some(parameter),
            PartKind::DoubleQuoted(inner) => only_parameter(inner),
            _ => None,
        },
        _ => None,
    }
}

/// The commands that read the standard output of a command: `> >(…)`.
pub(super) fn reader(redirects: &[Redirect]) -> Option<&List> {
    redirects.iter().find_map(|redirect| match &redirect.kind {
        RedirectKind::Output(word) if redirect.fd.unwrap_or(1) == 1 => process_of(word),
        _ => None,
    })
}
