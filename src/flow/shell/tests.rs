//! Tests: `[`, `[[`, `case`; chains of tests; and what a branch says about a value.

use std::sync::Arc;

use super::checks::{checked_in_test, checked_variable, checks_in_test};
use super::command::Line;
use super::effects::plain_text;
use super::state::Changes;
use super::succeeds::never_fails;
use super::{Shell, Status};
use crate::flow::{
    Arm, Choice, ChoiceForm, Compare, CompareOp, DecisionForm, Effect, Execution, Fallback, FallbackForm, Input, Logic,
    Match, MatchHow, Misuse, NodeId, NodeKind, Role, Trust, Value,
};
use crate::recipe::Holes;
use crate::syntax::shell::ast::{
    AndOr, AndOrOp, Case, CaseEnd, Command, CommandKind, If, List, PartKind, Pipeline, Simple, TestExpr, TestKind, Word,
};
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

    fn presence(&mut self, value: &Value, empty: bool, span: Span) -> Option<NodeId> {
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
                        let found = Match { how: MatchHow::Regex, patterns: vec![pattern], negated: false };
                        Some(self.builder.on(NodeKind::Match(Box::new(found)), self.unit.place(test.span), &a))
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

    /// Agent text as an unquoted pattern is grammar.
    fn pattern_misuse(&mut self, word: &'a Word, value: &Value) {
        let unquoted =
            word.parts.iter().any(|part| matches!(part.kind, PartKind::Parameter(_) | PartKind::Substitution(_)));
        if unquoted && self.builder.trust(value) >= Trust::Extracted {
            self.builder.on(NodeKind::Unquoted(Misuse::Pattern), self.unit.place(word.span), value);
        }
    }

    fn source_of(&self, word: &Word) -> Option<Arc<str>> {
        self.unit.fragment.text().get(word.span.range()).map(Arc::from)
    }

    /// `case`
    pub(super) fn case_command(&mut self, case: &'a Case, span: Span) -> Status {
        let subject = self.word(&case.subject);
        let mut tests: Vec<NodeId> = Vec::new();
        let mut arms = Vec::new();
        let mut otherwise = None;
        let mut effects = Effect::default();
        for arm in &case.arms {
            let effect = self.effect_of_list(&arm.body);
            effects = effects.then(effect);
            let place = self.unit.place(arm.patterns.first().map_or(arm.span, |word| word.span));
            let mut tokens = Vec::new();
            let mut globs = Vec::new();
            let mut catches = false;
            for pattern in &arm.patterns {
                let value = self.word(pattern);
                let text = value.text().cloned();
                match text.as_deref() {
                    Some("*" | "**" | "?*") if is_glob(pattern, &value) => catches = true,
                    Some("") => tests.extend(self.presence(&subject, true, pattern.span)),
                    _ if is_glob(pattern, &value) => globs.push((text, pattern.span)),
                    Some(text) => tokens.push((Arc::from(text), pattern.span)),
                    None => self.pattern_misuse(pattern, &value),
                }
            }
            if catches {
                otherwise = Some((effect, place));
                continue;
            }
            if !subject.is_plain() {
                if !globs.is_empty() {
                    let span = globs.iter().map(|(_, span)| *span).reduce(Span::to).unwrap_or(arm.span);
                    let patterns = globs.iter().map(|(text, _)| text.clone()).collect();
                    let found = Match { how: MatchHow::Case, patterns, negated: false };
                    tests.push(self.builder.on(NodeKind::Match(Box::new(found)), self.unit.place(span), &subject));
                }
                for (token, span) in &tokens {
                    let compare = Compare {
                        op: CompareOp::Equal,
                        operand: Some(Arc::clone(token)),
                        operand_place: Some(self.unit.place(*span)),
                    };
                    tests.push(self.builder.on(NodeKind::Compare(compare), self.unit.place(*span), &subject));
                }
            }
            let tokens = tokens
                .into_iter()
                .map(|(token, _)| token)
                .chain(globs.into_iter().filter_map(|(text, _)| text))
                .collect();
            arms.push(Arm { tokens, negated: false, effect, place });
        }
        let test = self.all(&tests, case.keyword);
        if let Some(test) = test {
            self.decide(
                test,
                case.keyword,
                DecisionForm::Case,
                effects,
                otherwise.map(|(effect, _)| effect).unwrap_or_default(),
            );
        }
        let exhaustive = otherwise.is_some();
        if !subject.is_plain() && !arms.is_empty() {
            let choice = Choice { form: ChoiceForm::Case, arms, otherwise, after: self.after };
            self.builder.on(NodeKind::Choice(Box::new(choice)), self.unit.place(case.keyword), &subject);
        }
        let mut changes: Vec<Changes> = Vec::new();
        let mut exits = exhaustive;
        let mut stopped_on_glob = None;
        let name = whole_variable(&case.subject);
        let mut refused: Vec<String> = Vec::new();
        for arm in &case.arms {
            let (ended, changed) =
                self.with_checked(&refused, arm.span, |shell| shell.under(test, |shell| shell.list(&arm.body, true)));
            let assigns = name.is_some_and(|name| assigns_literal(&arm.body, name));
            if arm.patterns.iter().any(refuses_characters) {
                if ended.exits || assigns {
                    stopped_on_glob = name;
                }
                // What comes to a later arm has none of these characters.
                if arm.end == CaseEnd::Break {
                    refused.extend(name.map(str::to_owned));
                }
            }
            if ended.exits && arm.end == CaseEnd::Break {
                continue;
            }
            exits = false;
            changes.push(changed);
        }
        self.state.join(changes, exhaustive);
        if let Some(name) = stopped_on_glob {
            self.validated(name, span);
        }
        Status { node: test.filter(|_| effects.stops), exits }
    }

    fn all(&mut self, tests: &[NodeId], span: Span) -> Option<NodeId> {
        match tests {
            [] => None,
            [one] => Some(*one),
            many => {
                let inputs = many.iter().map(|from| Input { from: *from, role: Role::Data }).collect();
                Some(self.builder.graph.add(NodeKind::Logic(Logic::Or), self.unit.place(span), inputs, None))
            }
        }
    }

    /// The chain that an `if` makes, when every branch compares the same variable with constants. Looked at before
    /// the branches run, because they may assign the variable.
    pub(super) fn choice_of_if(&mut self, branches: &'a If) -> Option<(Choice, Value)> {
        let mut arms = Vec::new();
        let mut subject: Option<(String, &'a Word)> = None;
        for (condition, body) in &branches.branches {
            let tests = comparisons(condition)?;
            for (word, token, negated, span) in tests {
                let name = self.unit.fragment.text().get(word.span.range())?.to_owned();
                match &subject {
                    Some((known, _)) if *known != name => return None,
                    Some(_) => {}
                    None => subject = Some((name, word)),
                }
                arms.push(Arm {
                    tokens: vec![token.into()],
                    negated,
                    effect: self.effect_of_list(body),
                    place: self.unit.place(span),
                });
            }
        }
        let (_, word) = subject?;
        let otherwise = branches.otherwise.as_ref().map(|list| (self.effect_of_list(list), self.unit.place(list.span)));
        let value = self.peek(word)?;
        Some((Choice { form: ChoiceForm::If, arms, otherwise, after: self.after }, value))
    }

    pub(super) fn add_choice(&mut self, (choice, value): (Choice, Value), span: Span) {
        if !value.is_plain() {
            self.builder.on(NodeKind::Choice(Box::new(choice)), self.unit.place(span), &value);
        }
    }

    /// `[ "$v" = X ] && exit 1` is a chain of one test.
    pub(super) fn note_choice_of_and_or(&mut self, item: &'a AndOr) {
        let Some(tests) = comparisons_of(&item.first) else { return };
        let [(word, token, negated, span)] = tests.as_slice() else { return };
        let effect_of = |op: AndOrOp| {
            item.rest
                .iter()
                .find(|(next, _)| *next == op)
                .map(|(_, pipeline)| (self.effect_of_pipeline(pipeline), pipeline.span))
        };
        let (yes, no) = (effect_of(AndOrOp::And), effect_of(AndOrOp::Or));
        if yes.is_none() {
            // `[ "$v" = X ] || act` is one test, not a chain.
            return;
        }
        let arm = Arm {
            tokens: vec![Arc::from(*token)],
            negated: *negated,
            effect: yes.map(|(effect, _)| effect).unwrap_or_default(),
            place: self.unit.place(*span),
        };
        let otherwise = no.map(|(effect, span)| (effect, self.unit.place(span)));
        let choice = Choice { form: ChoiceForm::If, arms: vec![arm], otherwise, after: self.after };
        if let Some(value) = self.peek(word) {
            self.add_choice((choice, value), item.span);
        }
    }

    /// The value of a word that is one variable, or a substitution (run without keeping what it adds: the test itself
    /// will run it again, so nothing is lost).
    fn peek(&mut self, word: &'a Word) -> Option<Value> {
        let value = self.word(word);
        (!value.is_plain()).then_some(value)
    }

    /// Before `|| echo PASS` in a substitution, or `|| V=PASS`: where the stream and the variable stood, and why the
    /// fallback is never taken.
    pub(super) fn fallback_start(
        &mut self,
        op: AndOrOp,
        item: &'a AndOr,
        at: usize,
    ) -> Option<(Value, Option<&'static str>)> {
        if op != AndOrOp::Or {
            return None;
        }
        let (_, pipeline) = item.rest.get(at)?;
        let [Command { kind: CommandKind::Simple(simple), .. }] = pipeline.commands.as_slice() else { return None };
        let dead = if at == 0 { never_fails(&item.first, self.state.pipefail) } else { None };
        if printed_literal(simple).is_some() && self.captured() {
            return self.state.streams.last().map(|stream| (stream.value.clone(), dead));
        }
        let assignment = only_assignment(simple)?;
        let name = assignment.name.as_str();
        let before = self.state.variables.get(name).cloned()?;
        Some((before, dead))
    }

    pub(super) fn fallback_end(&mut self, (before, dead): (Value, Option<&'static str>), pipeline: &'a Pipeline) {
        let [Command { kind: CommandKind::Simple(simple), .. }] = pipeline.commands.as_slice() else { return };
        let place = self.unit.place(pipeline.span);
        let dead =
            dead.filter(|_| self.unit.holes == Holes::Expression || self.builder.trust(&before) >= Trust::Extracted);
        if before.is_plain() && dead.is_none() {
            return;
        }
        let make = |literal: Option<&str>| {
            let fallback = Fallback { literal: literal.map(Arc::from), form: FallbackForm::Or, place, dead };
            NodeKind::Fallback(Box::new(fallback))
        };
        if let Some(literal) = printed_literal(simple) {
            // Nothing, or no lines counted, is what comes out anyway.
            if before.is_plain() && matches!(literal, "" | "0") {
                return;
            }
            let id = self.builder.on(make(Some(literal)), place, &before);
            if before.is_plain() {
                return;
            }
            if let Some(stream) = self.state.streams.last_mut() {
                stream.value = Value::node(id);
            }
        } else if let Some(assignment) = only_assignment(simple) {
            let literal = match &assignment.value {
                crate::syntax::shell::ast::AssignValue::Word(word) => plain_text(word),
                crate::syntax::shell::ast::AssignValue::Array(_) => None,
            };
            if literal.is_some() {
                let id = self.builder.on(make(literal), place, &before);
                if !before.is_plain() {
                    self.state.set(&assignment.name, Value::node(id));
                }
            }
        }
    }

    /// `if [ -z "$V" ]; then V=PASS; fi`
    pub(super) fn empty_fallback(&mut self, condition: &'a List, body: &'a List, _changed: &Changes) {
        let Some(name) = tested_empty(condition) else { return };
        for item in &body.items {
            let [Command { kind: CommandKind::Simple(simple), .. }] = item.first.commands.as_slice() else { continue };
            let Some(assignment) = only_assignment(simple).filter(|assignment| assignment.name == name) else {
                continue;
            };
            let crate::syntax::shell::ast::AssignValue::Word(word) = &assignment.value else { continue };
            let Some(literal) = plain_text(word) else { continue };
            let before = self.variable(name, assignment.name_span);
            if before.is_plain() {
                continue;
            }
            let place = self.unit.place(assignment.span);
            let fallback = Fallback { literal: Some(literal.into()), form: FallbackForm::Empty, place, dead: None };
            let id = self.builder.on(NodeKind::Fallback(Box::new(fallback)), place, &before);
            self.state.set(name, Value::node(id));
        }
    }

    /// After `[[ $x =~ ^[0-9]+$ ]] || exit`: the variable that was checked. `stops`: the rest of the list leaves or
    /// assigns it anew.
    pub(super) fn guards_validation(&self, item: &'a AndOr, at: usize, stops: bool) -> Option<String> {
        let (op, pipeline) = item.rest.get(at)?;
        if *op != AndOrOp::Or || at != 0 {
            return None;
        }
        let name = checked_variable(&item.first)?;
        let reassigns = pipeline.commands.iter().any(|command| match &command.kind {
            CommandKind::Simple(simple) => only_assignment(simple).is_some_and(|assignment| assignment.name == name),
            CommandKind::Group(list) => assigns_literal(list, &name),
            _ => false,
        });
        (stops || reassigns).then_some(name)
    }

    /// `if ! [[ $x =~ ^…$ ]]; then exit; fi`
    pub(super) fn validated_unless(&self, condition: &'a List) -> Option<String> {
        let [item] = condition.items.as_slice() else { return None };
        let mut pipeline = item.first.clone();
        if pipeline.negated {
            pipeline.negated = false;
            return checked_variable(&pipeline);
        }
        match pipeline.commands.as_slice() {
            [Command { kind: CommandKind::Test(test), .. }] => match &test.kind {
                TestKind::Not(inner) => checked_in_test(inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// `if [[ $x =~ ^…$ ]]; then …; else exit; fi`
    pub(super) fn validated_if(&self, condition: &'a List) -> Option<String> {
        let [item] = condition.items.as_slice() else { return None };
        item.rest.is_empty().then(|| checked_variable(&item.first)).flatten()
    }
}

/// `x$V` against `xPASS`: the common first letter is padding.
fn unpadded(text: &Arc<str>, subject: &Value) -> Arc<str> {
    match &subject.prefix {
        Some(prefix) => text.strip_prefix(&**prefix).map_or_else(|| text.clone(), Arc::from),
        None => text.clone(),
    }
}

/// Whether a pattern word has glob characters outside quotes.
fn is_glob(word: &Word, value: &Value) -> bool {
    word.parts.iter().any(|part| match &part.kind {
        PartKind::Pattern(text) => text.contains(['*', '?', '[', '(']),
        PartKind::Literal(text) => text.contains(['*', '?']) || (text.contains('[') && text.contains(']')),
        PartKind::Parameter(_) => value.text().is_some_and(|text| text.contains(['*', '?'])),
        _ => false,
    })
}

/// `[!0-9]`, `*[!a-f0-9]*`: the arm takes texts with characters outside a set.
fn refuses_characters(word: &Word) -> bool {
    let mut text = String::new();
    for part in &word.parts {
        if let PartKind::Pattern(more) | PartKind::Literal(more) = &part.kind {
            text.push_str(more);
        }
    }
    text.contains("[!") || text.contains("[^")
}

/// The name of the variable that is the whole word.
pub(super) fn whole_variable(word: &Word) -> Option<&str> {
    let mut parts = word.parts.as_slice();
    if let [part] = parts
        && let PartKind::DoubleQuoted(inner) = &part.kind
    {
        parts = inner;
    }
    match parts {
        [part] => match &part.kind {
            PartKind::Parameter(parameter) => Some(&parameter.name),
            _ => None,
        },
        _ => None,
    }
}

type Comparison<'a> = (&'a Word, &'a str, bool, Span);

/// The comparisons with constants that a condition consists of (joined by `||`).
fn comparisons(condition: &List) -> Option<Vec<Comparison<'_>>> {
    let [item] = condition.items.as_slice() else { return None };
    let mut found = comparisons_of(&item.first)?;
    for (op, pipeline) in &item.rest {
        if *op != AndOrOp::Or {
            return None;
        }
        found.extend(comparisons_of(pipeline)?);
    }
    Some(found)
}

fn comparisons_of(pipeline: &Pipeline) -> Option<Vec<Comparison<'_>>> {
    let [command] = pipeline.commands.as_slice() else { return None };
    let mut found = match &command.kind {
        CommandKind::Simple(simple) => {
            let mut words: Vec<&Word> = simple.words.iter().collect();
            match plain_text(words.first()?)? {
                "[" => {
                    words.pop();
                }
                "test" => {}
                _ => return None,
            }
            words.remove(0);
            match words.as_slice() {
                [left, operator, right] => vec![comparison(left, plain_text(operator)?, right, command.span)?],
                _ => return None,
            }
        }
        CommandKind::Test(test) => {
            let mut found = Vec::new();
            let mut stack = vec![&**test];
            while let Some(test) = stack.pop() {
                match &test.kind {
                    TestKind::Or(a, b) => stack.extend([&**b, &**a]),
                    TestKind::Binary(left, operator, right) => {
                        found.push(comparison(left, operator, right, test.span)?);
                    }
                    _ => return None,
                }
            }
            found
        }
        _ => return None,
    };
    if pipeline.negated {
        for comparison in &mut found {
            comparison.2 = !comparison.2;
        }
    }
    Some(found)
}

fn comparison<'a>(left: &'a Word, operator: &str, right: &'a Word, span: Span) -> Option<Comparison<'a>> {
    let negated = match operator {
        "=" | "==" => false,
        "!=" => true,
        _ => return None,
    };
    let token = plain_text(right)?;
    if token.is_empty() || is_glob(right, &Value::default()) || plain_text(left).is_some() {
        return None;
    }
    Some((left, token, negated, span))
}

/// `echo X` or `printf 'X'`: the text.
fn printed_literal(simple: &Simple) -> Option<&str> {
    let name = plain_text(simple.words.first()?)?;
    let last = simple.words.get(1..)?.iter().rev().find_map(plain_text);
    match name {
        "echo" => last.or(Some("")),
        "printf" => last,
        _ => None,
    }
}

fn only_assignment(simple: &Simple) -> Option<&crate::syntax::shell::ast::Assignment> {
    match simple.assignments.as_slice() {
        [assignment] if simple.words.is_empty() => Some(assignment),
        _ => None,
    }
}

/// Whether a list sets a variable to a constant.
pub(super) fn assigns_literal(list: &List, name: &str) -> bool {
    list.items.iter().any(|item| match item.first.commands.as_slice() {
        [Command { kind: CommandKind::Simple(simple), .. }] => only_assignment(simple).is_some_and(|assignment| {
            assignment.name == name
                && matches!(&assignment.value, crate::syntax::shell::ast::AssignValue::Word(word) if plain_text(word).is_some())
        }),
        _ => false,
    })
}

/// The variable of `[ -z "$V" ]`.
fn tested_empty(condition: &List) -> Option<&str> {
    let [item] = condition.items.as_slice() else { return None };
    let [command] = item.first.commands.as_slice() else { return None };
    match &command.kind {
        CommandKind::Simple(simple) => match simple.words.as_slice() {
            [name, operator, word, ..]
                if matches!(plain_text(name), Some("[" | "test")) && plain_text(operator) == Some("-z") =>
            {
                whole_variable(word)
            }
            _ => None,
        },
        CommandKind::Test(test) => match &test.kind {
            TestKind::Unary(operator, word) if operator == "-z" => whole_variable(word),
            _ => None,
        },
        _ => None,
    }
}
