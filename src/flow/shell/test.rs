//! `[ … ]`, `test` and `[[ … ]]`.

use std::sync::Arc;

use super::Shell;
use super::checks::checks_in_test;
use super::line::Line;
use super::shape::plain_text;
use crate::flow::{
    Compare, CompareOp, Execution, Input, Logic, Match, MatchHow, Misuse, NodeId, NodeKind, Role, Trust, Value,
};
use crate::syntax::shell::ast::{PartKind, TestExpr, TestKind, Word};
use crate::text::Span;

/// One side of a test.
struct Side<'v> {
    value: &'v Value,
    span: Span,
}

impl<'a> Shell<'a, '_> {
    /// `[ … ]` and `test …`
    pub(super) fn test_command(&mut self, line: &Line<'a, '_>) -> Option<NodeId> {
        let mut words: &[(&'a Word, Value)] = line.arguments();
        if line.name() == Some("[") {
            words = words.split_last().map_or(words, |(_, rest)| rest);
        }
        let mut result: Option<NodeId> = None;
        let mut logic = Logic::And;
        let mut group: Vec<(&'a Word, Value)> = Vec::new();
        let mut groups: Vec<(Logic, Vec<(&'a Word, Value)>)> = Vec::new();
        for (word, value) in words {
            match plain_text(word) {
                Some("-a") if group.len() >= 2 => {
                    groups.push((std::mem::replace(&mut logic, Logic::And), std::mem::take(&mut group)));
                }
                Some("-o") if group.len() >= 2 => {
                    groups.push((std::mem::replace(&mut logic, Logic::Or), std::mem::take(&mut group)));
                }
                Some("(" | ")" | "\\(" | "\\)") => {}
                _ => group.push((word, value.clone())),
            }
        }
        groups.push((logic, group));
        for (logic, group) in groups {
            let node = self.single_test(&group, line.span);
            result = self.both(logic, result, node, line.span);
        }
        result
    }

    fn single_test(&mut self, words: &[(&'a Word, Value)], span: Span) -> Option<NodeId> {
        let mut words = words;
        let mut negated = false;
        while let [(first, _), rest @ ..] = words
            && plain_text(first) == Some("!")
            && !rest.is_empty()
        {
            negated = !negated;
            words = rest;
        }
        let node = match words {
            [(_, value)] => self.presence(value, false, span),
            [(operator, _), (word, value)] => self.unary(plain_text(operator)?, word, value, span),
            [(left, a), (operator, _), (right, b)] => {
                let (a, b) = (Side { value: a, span: left.span }, Side { value: b, span: right.span });
                self.binary(plain_text(operator)?, &a, &b, span, false)
            }
            _ => None,
        }?;
        Some(if negated { self.negate(node, span) } else { node })
    }

    fn negate(&mut self, node: NodeId, span: Span) -> NodeId {
        let inputs = vec![Input { from: node, role: Role::Data }];
        self.builder.graph.add(NodeKind::Logic(Logic::Not), self.unit.place(span), inputs, None)
    }

    pub(super) fn presence(&mut self, value: &Value, empty: bool, span: Span) -> Option<NodeId> {
        if value.is_plain() {
            return None;
        }
        Some(self.builder.with_trust(NodeKind::Presence { empty }, self.unit.place(span), value, Trust::Clean))
    }

    fn unary(&mut self, operator: &str, word: &Word, value: &Value, span: Span) -> Option<NodeId> {
        match operator {
            "-z" => self.presence(value, true, span),
            "-n" => self.presence(value, false, span),
            // Whether there is anything in a file.
            "-s" => {
                let content = self.read_file(&self.file_key(value, word), span);
                self.presence(&content, false, span)
            }
            _ => None,
        }
    }

    /// A comparison with an operator of `test` or `[[ ]]`.
    fn binary(&mut self, operator: &str, a: &Side<'_>, b: &Side<'_>, span: Span, evaluates: bool) -> Option<NodeId> {
        let op = match operator {
            "=" | "==" | "-eq" => CompareOp::Equal,
            "!=" | "-ne" => CompareOp::NotEqual,
            "<" | ">" | "-lt" | "-le" | "-gt" | "-ge" | "\\<" | "\\>" => CompareOp::Order,
            _ => return None,
        };
        if evaluates && operator.starts_with('-') {
            for side in [a, b] {
                if self.builder.trust(side.value) >= Trust::Extracted {
                    self.builder.on(NodeKind::Execute(Execution::Arithmetic), self.unit.place(side.span), side.value);
                }
            }
        }
        let (subject, other) = if a.value.is_plain() { (b, a) } else { (a, b) };
        if subject.value.is_plain() {
            return None;
        }
        let place = self.unit.place(span);
        // `[ "$x" = "" ]` asks whether there is any text.
        if other.value.text().is_some_and(|text| text.is_empty()) && op != CompareOp::Order {
            return self.presence(subject.value, op == CompareOp::Equal, span);
        }
        let compare = Compare {
            op,
            operand: other.value.text().map(|text| unpadded(text, subject.value)),
            operand_place: Some(self.unit.place(other.span)),
        };
        let mut inputs = subject.value.inputs();
        if !other.value.is_plain() {
            inputs.extend(other.value.inputs());
        }
        let trust = self.builder.graph.join_trust(&inputs);
        Some(self.builder.graph.add(NodeKind::Compare(compare), place, inputs, Some(trust)))
    }

    /// `[[ … ]]`
    pub(super) fn test_expression(&mut self, test: &'a TestExpr) -> Option<NodeId> {
        if self.nesting >= super::DEEPEST_NESTING {
            return None;
        }
        self.nesting += 1;
        let node = self.test_inner(test);
        self.nesting -= 1;
        node
    }

    fn test_inner(&mut self, test: &'a TestExpr) -> Option<NodeId> {
        match &test.kind {
            TestKind::Not(inner) => self.test_expression(inner).map(|node| self.negate(node, test.span)),
            TestKind::And(a, b) => {
                let first = self.test_expression(a);
                let (second, _) = self.with_checked(&checks_in_test(a), test.span, |shell| shell.test_expression(b));
                self.both(Logic::And, first, second, test.span)
            }
            TestKind::Or(a, b) => {
                let (a, b) = (self.test_expression(a), self.test_expression(b));
                self.both(Logic::Or, a, b, test.span)
            }
            TestKind::Unary(operator, word) => {
                let value = self.word(word);
                self.unary(operator, word, &value, test.span)
            }
            TestKind::Word(word) => {
                let value = self.word(word);
                self.presence(&value, false, test.span)
            }
            TestKind::Unreadable => None,
            TestKind::Binary(left, operator, right) => {
                let a = self.word(left);
                let b = self.word(right);
                match operator.as_str() {
                    "=~" => {
                        if a.is_plain() {
                            return None;
                        }
                        self.pattern_misuse(right, &b);
                        let pattern = b.text().cloned().or_else(|| self.source_of(right));
                        if pattern
                            .as_deref()
                            .is_some_and(|pattern| matches!(pattern, "." | ".+" | "[^[:space:]]" | "[[:graph:]]"))
                        {
                            return self.presence(&a, false, test.span);
                        }
                        // `^(PASS|FAIL)$` is equality with one of several words.
                        if self.builder.trust(&a) == Trust::Extracted
                            && let Some(members) = b.text().and_then(|pattern| exact_words(pattern, false))
                        {
                            return self.is_one_of(&members, false, &a, (right.span, test.span));
                        }
                        let found = Match { how: MatchHow::Regex, patterns: vec![pattern.clone()], negated: false };
                        let node = self.builder.on(NodeKind::Match(Box::new(found)), self.unit.place(test.span), &a);
                        self.remember_groups(pattern.as_deref(), node);
                        Some(node)
                    }
                    "=" | "==" | "!=" if is_glob(right, &b) => {
                        if a.is_plain() {
                            return None;
                        }
                        let negated = operator == "!=";
                        let pattern = b.text().cloned();
                        if pattern.as_deref().is_some_and(|pattern| {
                            matches!(pattern, "*" | "?*" | "*?" | "*[![:space:]]*" | "*[^[:space:]]*")
                        }) {
                            return self.presence(&a, negated, test.span);
                        }
                        if let Some(members) = pattern.as_deref().and_then(alternatives) {
                            return self.is_one_of(&members, negated, &a, (right.span, test.span));
                        }
                        let found = Match { how: MatchHow::Glob, patterns: vec![pattern], negated };
                        Some(self.builder.on(NodeKind::Match(Box::new(found)), self.unit.place(test.span), &a))
                    }
                    operator => {
                        if matches!(operator, "=" | "==" | "!=") {
                            self.pattern_misuse(right, &b);
                        }
                        let (a, b) = (Side { value: &a, span: left.span }, Side { value: &b, span: right.span });
                        self.binary(operator, &a, &b, test.span, true)
                    }
                }
            }
        }
    }

    /// Equality with one of several words. `at`: where the words and the whole test are written.
    pub(super) fn is_one_of(
        &mut self,
        words: &[&str],
        negated: bool,
        value: &Value,
        at: (Span, Span),
    ) -> Option<NodeId> {
        let op = if negated { CompareOp::NotEqual } else { CompareOp::Equal };
        let logic = if negated { Logic::And } else { Logic::Or };
        let (place, operand_place) = (self.unit.place(at.1), Some(self.unit.place(at.0)));
        let mut all = None;
        for word in words {
            let compare = Compare { op, operand: Some((*word).into()), operand_place };
            let next = self.builder.on(NodeKind::Compare(compare), place, value);
            all = self.both(logic, all, Some(next), at.1);
        }
        all
    }

    /// Agent text as an unquoted pattern is grammar.
    pub(super) fn pattern_misuse(&mut self, word: &'a Word, value: &Value) {
        let unquoted =
            word.parts.iter().any(|part| matches!(part.kind, PartKind::Parameter(_) | PartKind::Substitution(_)));
        if unquoted && self.builder.trust(value) >= Trust::Extracted {
            self.builder.on(NodeKind::Unquoted(Misuse::Pattern), self.unit.place(word.span), value);
        }
    }

    fn source_of(&self, word: &Word) -> Option<Arc<str>> {
        self.unit.fragment.text().get(word.span.range()).map(Arc::from)
    }

    pub(super) fn all(&mut self, tests: &[NodeId], span: Span) -> Option<NodeId> {
        match tests {
            [] => None,
            [one] => Some(*one),
            many => {
                let inputs = many.iter().map(|from| Input { from: *from, role: Role::Data }).collect();
                Some(self.builder.graph.add(NodeKind::Logic(Logic::Or), self.unit.place(span), inputs, None))
            }
        }
    }
}

/// `x$V` against `xPASS`: the common first letter is padding.
fn unpadded(text: &Arc<str>, subject: &Value) -> Arc<str> {
    match &subject.prefix {
        Some(prefix) => text.strip_prefix(&**prefix).map_or_else(|| text.clone(), Arc::from),
        None => text.clone(),
    }
}

/// The members of `@(A|B)`, an extended glob that is equality with one of several words.
pub(super) fn alternatives(pattern: &str) -> Option<Vec<&str>> {
    let inner = pattern.strip_prefix("@(")?.strip_suffix(')')?;
    (!inner.contains(['*', '?', '[', '(', '\\'])).then(|| inner.split('|').collect())
}

/// The words of a regular expression that takes nothing but one of them: `^PASS$`, `^(PASS|FAIL)$`. `anchored`: the
/// program takes whole lines only.
pub(super) fn exact_words(pattern: &str, anchored: bool) -> Option<Vec<&str>> {
    let whole = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let body = whole.or(anchored.then_some(pattern))?;
    let group = body.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let words: Vec<&str> = match group {
        Some(inner) => inner.trim_start_matches("?:").split('|').collect(),
        None => vec![body],
    };
    let plain =
        |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
    words.iter().all(plain).then_some(words)
}

/// Whether a pattern word has glob characters outside quotes.
pub(super) fn is_glob(word: &Word, value: &Value) -> bool {
    word.parts.iter().any(|part| match &part.kind {
        PartKind::Pattern(text) => text.contains(['*', '?', '[', '(']),
        PartKind::Literal(text) => text.contains(['*', '?']) || (text.contains('[') && text.contains(']')),
        PartKind::Parameter(_) => value.text().is_some_and(|text| text.contains(['*', '?'])),
        _ => false,
    })
}
