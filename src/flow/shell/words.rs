//! Words and expansions.

use std::sync::Arc;

use super::{DEEPEST_NESTING, Output, Shell};
use crate::flow::{
    Execution, Fallback, FallbackForm, Match, MatchHow, Misuse, NodeId, NodeKind, Pass, Pasting, TEMPORARY, Trust,
    Value,
};
use crate::recipe::Holes;
use crate::syntax::shell::ast::{HereDocument, Hole, Parameter, ParameterOp, PartKind, Substitution, Word, WordPart};
use crate::text::Span;

/// Where a word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// Unquoted parts are split and globbed.
    Split,
    /// Nothing is split here: assignments, `[[ ]]`, `case`, here-strings.
    Whole,
    /// Inside double quotes or a here-document's body.
    Quoted,
}

impl<'a> Shell<'a, '_> {
    /// A word where nothing is split.
    pub(super) fn word(&mut self, word: &'a Word) -> Value {
        self.parts(&word.parts, Quoting::Whole)
    }

    /// A word that is an argument of a command.
    pub(super) fn argument(&mut self, word: &'a Word) -> Value {
        self.parts(&word.parts, Quoting::Split)
    }

    pub(super) fn parts(&mut self, parts: &'a [WordPart], quoting: Quoting) -> Value {
        if self.nesting >= DEEPEST_NESTING {
            return Value::default();
        }
        self.nesting += 1;
        let mut value: Option<Value> = None;
        for part in parts {
            let next = self.part(part, quoting);
            match &mut value {
                Some(value) => value.append(&next),
                None => value = Some(next),
            }
        }
        self.nesting -= 1;
        value.unwrap_or_else(|| Value::literal(""))
    }

    fn part(&mut self, part: &'a WordPart, quoting: Quoting) -> Value {
        match &part.kind {
            PartKind::Literal(text)
            | PartKind::SingleQuoted(text)
            | PartKind::AnsiQuoted(text)
            | PartKind::Pattern(text) => {
                Value { written: Some(self.unit.place(part.span)), ..Value::literal(text.as_str()) }
            }
            PartKind::DoubleQuoted(parts) => self.parts(parts, Quoting::Quoted),
            PartKind::SingleQuotedWithHoles(parts) => self.single_quoted(parts),
            PartKind::Parameter(parameter) => {
                let value = self.parameter(parameter, part.span);
                self.check_split(&value, part.span, quoting);
                value
            }
            PartKind::Substitution(substitution) => {
                let value = self.substitution(substitution, part.span);
                self.check_split(&value, part.span, quoting);
                value
            }
            PartKind::Arithmetic(word) => {
                // A number that was computed from a text: what tests it rests on that text.
                self.arithmetic(word).map(Value::node).unwrap_or_default()
            }
            PartKind::Process(process) => {
                if process.output {
                    let stdin = self.state.stdin.clone();
                    self.push_stream(Output::Shown);
                    self.list(&process.body, false);
                    self.pop_stream();
                    self.state.stdin = stdin;
                    return Value::literal(format!("{TEMPORARY}process:{}", part.span.start));
                }
                let value = self.captured_list(&process.body);
                let key: Arc<str> = format!("{TEMPORARY}process:{}", part.span.start).into();
                self.state.set_file(key.clone(), value);
                Value::literal(key)
            }
            PartKind::Hole(hole) => self.hole(hole, part.span),
        }
    }

    fn single_quoted(&mut self, parts: &'a [WordPart]) -> Value {
        let mut value = Value::literal("");
        for part in parts {
            match &part.kind {
                // The engine writes `"$RECIPE_VAR_x"` here, which single quotes keep as it is.
                PartKind::Hole(hole) if self.unit.holes == Holes::Template => {
                    value.append(&Value::literal(format!("\"$RECIPE_VAR_{}\"", hole.text)));
                }
                PartKind::Hole(hole) => {
                    let next = self.hole(hole, part.span);
                    value.append(&next);
                }
                PartKind::Literal(text) => value.append(&Value::literal(text.as_str())),
                _ => {}
            }
        }
        value
    }

    /// The value of a hole. In GitHub's expressions it is pasted into the script before bash reads it.
    pub(super) fn hole(&mut self, hole: &Hole, span: Span) -> Value {
        let place = self.unit.place(span);
        let value = self.environment.hole(self.builder, &hole.text, place).unwrap_or_default();
        if self.unit.holes == Holes::Expression && self.builder.trust(&value) >= Trust::Extracted {
            self.builder.on(NodeKind::Paste(Pasting::Run), place, &value);
        }
        value
    }

    fn check_split(&mut self, value: &Value, span: Span, quoting: Quoting) {
        if quoting == Quoting::Split && self.builder.trust(value) >= Trust::Extracted {
            self.builder.on(NodeKind::Unquoted(Misuse::Split), self.unit.place(span), value);
        }
    }

    /// The output of a command substitution. Where no text of interest is in it, it is some text that is the same
    /// wherever this value goes, so that a path with `$(date)` in it names one file.
    fn substitution(&mut self, substitution: &'a Substitution, span: Span) -> Value {
        let value = self.captured_list(&substitution.body);
        if value.is_plain() && value.literal.as_deref().is_none_or(str::is_empty) {
            return Value::literal(format!("{TEMPORARY}{}", self.unit.place(span).span.start));
        }
        value
    }

    pub(super) fn captured_list(&mut self, list: &'a crate::syntax::shell::ast::List) -> Value {
        let mark = self.state.mark();
        let after = std::mem::take(&mut self.after);
        self.push_stream(Output::Captured);
        // `set -e` is not inherited by command substitutions.
        let errexit = std::mem::replace(&mut self.state.errexit, false);
        let status = self.list(list, false);
        self.state.errexit = errexit;
        let value = self.pop_stream();
        self.after = after;
        self.state.leave(mark);
        self.state.last = status.node;
        value
    }

    /// A variable's value.
    pub(super) fn variable(&mut self, name: &str, span: Span) -> Value {
        let name = &*self.referred(name);
        if let Some(value) = self.state.variables.get(name) {
            return value.clone();
        }
        let place = self.unit.place(span);
        self.environment.variable(self.builder, name, place).unwrap_or_default()
    }

    fn parameter_value(&mut self, parameter: &Parameter) -> Value {
        match parameter.name.as_str() {
            "@" | "*" => {
                let mut all = Value::default();
                for value in &self.state.positional {
                    all.add_nodes(&value.nodes);
                }
                if let [only] = self.state.positional.as_slice() {
                    all.literal.clone_from(&only.literal);
                }
                all
            }
            "PIPESTATUS" => self.pipe_status(parameter),
            "?" => self.state.last.map(Value::node).unwrap_or_default(),
            // The same in all of a run, so that `/tmp/x.$$` is one file.
            "$" => Value::literal(format!("{TEMPORARY}$")),
            "#" | "!" | "-" => Value::default(),
            "0" => Value::default(),
            name => match name.parse::<usize>() {
                Ok(number) => {
                    // After `set -- $x` any of them is a word of the same text.
                    let last = self.state.positional.last().filter(|_| self.state.pieces.contains("@"));
                    let value = self.state.positional.get(number.saturating_sub(1)).or(last);
                    value.cloned().unwrap_or_else(|| Value::literal(""))
                }
                Err(_) => self.variable(name, parameter.name_span),
            },
        }
    }

    /// `${PIPESTATUS[1]}`; without an index the first.
    fn pipe_status(&self, parameter: &Parameter) -> Value {
        let index = parameter.index.as_ref().and_then(Word::literal);
        let at = index.as_deref().unwrap_or("0").parse::<usize>().ok();
        let node = at.and_then(|at| self.state.pipe.get(at).copied()).flatten();
        node.map(Value::node).unwrap_or_default()
    }

    fn parameter(&mut self, parameter: &'a Parameter, span: Span) -> Value {
        let place = self.unit.place(span);
        let mut index = None;
        if let Some(word) = &parameter.index {
            index = Some(self.subscript(&parameter.name, word, span));
        }
        let mut value = self.parameter_value(parameter);
        value = match index {
            Some(index) => self.item(parameter, &index, value, span),
            None => self.word_of(&parameter.name, value, span),
        };
        if parameter.indirect && parameter.op != ParameterOp::Names {
            value = self.indirect(value, span);
        }
        match &parameter.op {
            ParameterOp::Plain | ParameterOp::Transform(_) => value,
            ParameterOp::Case(_) => self.pass(Pass::Trim, value, span),
            ParameterOp::Length => {
                if value.is_plain() {
                    return Value::default();
                }
                Value::node(self.builder.with_trust(NodeKind::Presence { empty: false }, place, &value, Trust::Clean))
            }
            ParameterOp::Indirect => value,
            ParameterOp::Names => Value::default(),
            ParameterOp::Default { word, .. } => self.default(value, word, span),
            ParameterOp::Assign { word, .. } => {
                let value = self.default(value, word, span);
                self.assign(&parameter.name, value.clone(), span);
                value
            }
            ParameterOp::Error { .. } => value,
            ParameterOp::Alternative { word, .. } => {
                let other = self.parts(&word.parts, Quoting::Quoted);
                if value.is_plain() { other } else { Value { literal: None, ..other } }
            }
            ParameterOp::Strip { pattern, .. } => {
                let text = self.parts(&pattern.parts, Quoting::Quoted);
                self.cut(MatchHow::Strip, value, &text, span)
            }
            ParameterOp::Replace { pattern, with, .. } => {
                let text = self.parts(&pattern.parts, Quoting::Quoted);
                if let Some(with) = with {
                    self.parts(&with.parts, Quoting::Quoted);
                }
                self.cut(MatchHow::Replace, value, &text, span)
            }
            ParameterOp::Slice { offset, length } => {
                for word in std::iter::once(offset).chain(length.as_ref()) {
                    self.arithmetic(word);
                }
                let part = self.unit.fragment.text().get(span.range()).unwrap_or_default().split_once(':');
                let part = part.map_or("", |(_, part)| part.trim_end_matches('}'));
                self.cut(MatchHow::Strip, value, &Value::literal(format!(":{part}")), span)
            }
        }
    }

    /// The value of the variable that a value names.
    fn indirect(&mut self, value: Value, span: Span) -> Value {
        if self.builder.trust(&value) >= Trust::Extracted {
            self.builder.on(NodeKind::Execute(Execution::Indirect), self.unit.place(span), &value);
        }
        match value.text().cloned() {
            Some(name) => self.variable(&name, span),
            None => value,
        }
    }

    /// `${x:-word}`: a constant word is a fallback; another variable is only a second name.
    fn default(&mut self, mut value: Value, word: &'a Word, span: Span) -> Value {
        let other = self.parts(&word.parts, Quoting::Quoted);
        if value.is_plain() && value.literal.as_deref() == Some("") {
            return other;
        }
        match other.text() {
            Some(text) if text.is_empty() => value,
            Some(text) if !value.is_plain() => {
                let place = self.unit.place(span);
                let fallback = Fallback {
                    literal: Some(text.clone()),
                    form: FallbackForm::Expansion,
                    place: self.unit.place(word.span),
                    dead: None,
                };
                Value::node(self.builder.on(NodeKind::Fallback(Box::new(fallback)), place, &value))
            }
            _ => {
                value.join(&other);
                value
            }
        }
    }

    /// A cut by the shell. White space at the ends is trimming, not scraping.
    fn cut(&mut self, how: MatchHow, value: Value, pattern: &Value, span: Span) -> Value {
        if value.is_plain() {
            return Value { literal: None, ..value };
        }
        // `*` beside a blank takes other text as well, but for `[![:space:]]*`, the inner half of the idiom for trimming.
        let trims = |text: &str| is_white_space(text) && (!text.contains('*') || text.contains(['!', '^']));
        if pattern.text().is_some_and(|text| trims(text)) {
            return self.pass(Pass::Trim, value, span);
        }
        // `${x#"${x%%[! ]*}"}`: the pattern is made of the value itself, the idiom for trimming.
        if pattern.literal.is_none() && !pattern.is_plain() {
            return self.pass(Pass::Trim, value, span);
        }
        let place = self.unit.place(span);
        let found = Match { how, patterns: vec![pattern.text().cloned()], negated: false };
        Value::node(self.builder.on(NodeKind::Match(Box::new(found)), place, &value))
    }

    /// A value that goes on unchanged.
    pub(super) fn pass(&mut self, pass: Pass, mut value: Value, span: Span) -> Value {
        if pass == Pass::Command {
            // What a program makes of the user's words is no longer his own words.
            value.nodes.retain(|id| self.builder.graph.node(*id).trust != Trust::User);
        }
        if value.is_plain() {
            return Value { literal: None, ..value };
        }
        Value::node(self.builder.on(NodeKind::Pass(pass), self.unit.place(span), &value))
    }

    /// A subscript is arithmetic, unless the array's subscripts are texts.
    pub(super) fn subscript(&mut self, array: &str, word: &'a Word, span: Span) -> Value {
        let value = self.parts(&word.parts, Quoting::Quoted);
        if self.state.associative.contains(array) {
            return value;
        }
        let mut evaluated = value.clone();
        for part in &word.parts {
            if let PartKind::Literal(text) | PartKind::Pattern(text) = &part.kind {
                for (_, name) in identifiers(text) {
                    evaluated.add_nodes(&self.variable(name, part.span).nodes);
                }
            }
        }
        if self.builder.trust(&evaluated) >= Trust::Extracted {
            self.builder.on(NodeKind::Execute(Execution::Arithmetic), self.unit.place(span), &evaluated);
        }
        value
    }

    /// Arithmetic evaluates what it is given, names of variables and array indexes included. Gives the truth value.
    pub(super) fn arithmetic(&mut self, word: &'a Word) -> Option<NodeId> {
        let mut value = Value::default();
        for part in &word.parts {
            match &part.kind {
                PartKind::Literal(text) | PartKind::Pattern(text) => {
                    for (at, name) in identifiers(text) {
                        let span = Span::new(part.span.start + at, part.span.start + at + name.len());
                        let next = self.variable(name, span);
                        value.add_nodes(&next.nodes);
                    }
                }
                _ => {
                    let next = self.part(part, Quoting::Quoted);
                    value.add_nodes(&next.nodes);
                }
            }
        }
        for part in &word.parts {
            if let PartKind::Literal(text) | PartKind::Pattern(text) = &part.kind {
                self.counted(text, part.span.start, &value);
            }
        }
        if value.is_plain() {
            return None;
        }
        let place = self.unit.place(word.span);
        if self.builder.trust(&value) >= Trust::Extracted {
            self.builder.on(NodeKind::Execute(Execution::Arithmetic), place, &value);
        }
        let compare = crate::flow::Compare { op: crate::flow::CompareOp::Order, operand: None, operand_place: None };
        Some(self.builder.with_trust(NodeKind::Compare(compare), place, &value, Trust::Clean))
    }

    /// Gives the names that an arithmetic text changes what the whole text reads.
    pub(super) fn counted(&mut self, text: &str, start: usize, value: &Value) {
        for (at, name) in changed(text) {
            let value = Value { nodes: value.nodes.clone(), ..Value::default() };
            self.assign(name, value, Span::new(start + at, start + at + name.len()));
        }
    }

    /// The body of a here-document. In a quoted one the engine pastes raw values, and a line equal to the delimiter
    /// in them ends it.
    pub(super) fn here_document(&mut self, document: &'a HereDocument) -> Value {
        let mut value = Value::literal("");
        let mut lines = vec![Value::literal("")];
        for part in &document.body.parts {
            let next = match &part.kind {
                PartKind::Hole(hole) => {
                    let place = self.unit.place(part.span);
                    let next = self.hole(hole, part.span);
                    if document.quoted
                        && self.unit.holes == Holes::Template
                        && self.builder.trust(&next) >= Trust::Extracted
                    {
                        let pasting = Pasting::Heredoc(document.delimiter.as_str().into());
                        self.builder.on(NodeKind::Paste(pasting), place, &next);
                    }
                    next
                }
                _ => self.part(part, Quoting::Quoted),
            };
            value.append(&next);
            match next.text() {
                Some(text) => {
                    for piece in text.split_inclusive('\n') {
                        if let Some(line) = lines.last_mut() {
                            line.append(&Value { literal: Some(piece.into()), ..next.clone() });
                        }
                        if piece.ends_with('\n') {
                            lines.push(Value::literal(""));
                        }
                    }
                }
                None => {
                    if let Some(line) = lines.last_mut() {
                        line.append(&next);
                    }
                }
            }
        }
        self.state.here = (value.clone(), lines);
        value
    }
}

/// Names that an arithmetic text changes: `n++`, `--n`, `n += 2`, `n = m`.
pub(super) fn changed(text: &str) -> impl Iterator<Item = (usize, &str)> {
    identifiers(text).into_iter().filter(|(at, name)| {
        let before = text.get(..*at).unwrap_or_default().trim_end();
        let behind = text.get(at + name.len()..).unwrap_or_default().trim_start();
        let steps = |text: &str| text == "++" || text == "--";
        let operator = behind.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
        let assigns = operator.starts_with('=') && !operator.starts_with("==");
        // `n <= 3` and `n >= 3` compare, `n <<= 3` assigns.
        let compares = matches!(behind.len() - operator.len(), 1) && behind.starts_with(['<', '>']);
        behind.get(..2).is_some_and(steps)
            || before.get(before.len().saturating_sub(2)..).is_some_and(steps)
            || (assigns && !compares)
    })
}

/// Names in an arithmetic text, with their offsets.
pub(super) fn identifiers(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain(std::iter::once((text.len(), ' '))) {
        let inside =
            character == '_' || character.is_ascii_alphabetic() || (start.is_some() && character.is_ascii_digit());
        match (inside, start) {
            (true, None) => {
                // `10#x` and `0xff` hold no names.
                let before = text.get(..at).and_then(|before| before.chars().next_back());
                if !before.is_some_and(|c| c.is_ascii_digit()) {
                    start = Some(at);
                }
            }
            (false, Some(from)) => {
                if let Some(name) = text.get(from..at) {
                    found.push((from, name));
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// A pattern that matches only white space.
pub(super) fn is_white_space(pattern: &str) -> bool {
    let rest = pattern.replace("[[:space:]]", "").replace("[:space:]", "").replace("[:blank:]", "");
    !pattern.is_empty()
        && rest.chars().all(|c| c.is_whitespace() || matches!(c, '*' | '+' | '[' | ']' | '!' | '^'))
        && (pattern.contains("space:") || pattern.contains("blank:") || pattern.chars().any(char::is_whitespace))
}
