//! Chains of tests on one subject: `if … elif … else`, `[ … ] && …`.

use std::sync::Arc;

use super::Shell;
use super::shape::{plain_text, sole, whole_variable};
use super::test::is_glob;
use crate::flow::{Arm, Choice, ChoiceForm, NodeKind, Value};
use crate::syntax::shell::ast::{AndOr, AndOrOp, Command, CommandKind, If, List, Pipeline, TestKind, Word};
use crate::text::Span;

impl<'a> Shell<'a, '_> {
    /// The chain that an `if` makes, when every branch compares the same variable with constants. Looked at before
    /// the branches run, because they may assign the variable.
    pub(super) fn choice_of_if(&mut self, branches: &'a If) -> Option<(Choice, Value)> {
        let mut arms = Vec::new();
        let mut bodies = Vec::new();
        let mut subject: Option<(String, &'a Word)> = None;
        for (condition, body) in &branches.branches {
            let tests = comparisons(condition).or_else(|| self.predicate(condition).map(|test| vec![test]))?;
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
                bodies.push(body);
            }
        }
        let (_, word) = subject?;
        let otherwise = branches.otherwise.as_ref().map(|list| (self.effect_of_list(list), self.unit.place(list.span)));
        let alike = branches.otherwise.as_ref().map_or_else(Vec::new, |last| self.alike(bodies.into_iter(), last));
        let value = self.peek(word)?;
        Some((Choice { form: ChoiceForm::If, arms, otherwise, after: self.after, alike }, value))
    }

    /// A condition that is one call of a function which only compares its first argument: `is_good "$verdict"`.
    fn predicate(&self, condition: &'a List) -> Option<Comparison<'a>> {
        let pipeline = sole(condition)?;
        let [Command { kind: CommandKind::Simple(call), span, .. }] = pipeline.commands.as_slice() else { return None };
        let [name, argument, ..] = call.words.as_slice() else { return None };
        let (function, _) = *self.state.functions.get(plain_text(name)?)?;
        let CommandKind::Group(body) = &function.body.kind else { return None };
        let inner = comparisons_of(sole(body)?)?;
        let [(subject, token, negated, _)] = inner.as_slice() else { return None };
        (whole_variable(subject)? == "1").then_some((argument, *token, *negated != pipeline.negated, *span))
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
        let choice = Choice { form: ChoiceForm::If, arms: vec![arm], otherwise, after: self.after, alike: Vec::new() };
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
            let (name, operands) = simple.words.split_first()?;
            let operands = match plain_text(name)? {
                "[" => operands.split_last()?.1,
                "test" => operands,
                _ => return None,
            };
            match operands {
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
