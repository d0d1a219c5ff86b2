//! Checks of a variable's characters: `[[ $x =~ ^[0-9]+$ ]]`, `grep -qE '^[a-z-]+$' <<< "$x"`.

use super::Shell;
use super::shape::{assigns_literal, only_assignment, plain_text, whole_variable};
use super::state::Changes;
use crate::syntax::shell::ast::{
    AndOr, AndOrOp, Command, CommandKind, List, PartKind, Pipeline, RedirectKind, Simple, TestExpr, TestKind,
};
use crate::text::Span;

impl<'a> Shell<'a, '_> {
    /// Runs something that is reached only when the characters of these variables were found to be right. Gives what
    /// it assigned; the variables themselves are taken for unchecked again.
    pub(super) fn with_checked<T>(
        &mut self,
        names: &[String],
        span: Span,
        run: impl FnOnce(&mut Self) -> T,
    ) -> (T, Changes) {
        let mark = self.state.mark();
        for name in names {
            self.validated(name, span);
        }
        let value = |name: &String| self.state.variables.get(name.as_str()).cloned();
        let checked: Vec<_> = names.iter().filter_map(|name| Some((name.clone(), value(name)?))).collect();
        let result = run(self);
        let mut changes = self.state.rewind(mark);
        changes.forget(&checked);
        (result, changes)
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

/// The variable whose whole text a pipeline checks against an anchored character set.
pub(super) fn checked_variable(pipeline: &Pipeline) -> Option<String> {
    if pipeline.negated {
        return None;
    }
    match pipeline.commands.as_slice() {
        [Command { kind: CommandKind::Test(test), .. }] => checked_in_test(test),
        [.., Command { kind: CommandKind::Simple(simple), redirects, .. }] => {
            let name = plain_text(simple.words.first()?)?;
            if !matches!(name, "grep" | "egrep") {
                return None;
            }
            let options = |letter: char| {
                simple.words.iter().filter_map(plain_text).any(|word| word.starts_with('-') && word.contains(letter))
            };
            let pattern = simple.words.iter().skip(1).filter_map(plain_text).find(|word| !word.starts_with('-'))?;
            if !(is_character_check(pattern) || (options('x') && !pattern.contains(".*"))) {
                return None;
            }
            let source = match pipeline.commands.as_slice() {
                [_] => redirects.iter().find_map(|redirect| match &redirect.kind {
                    RedirectKind::HereString(word) => whole_variable(word),
                    _ => None,
                }),
                [Command { kind: CommandKind::Simple(printer), .. }, _] => {
                    printer.words.last().and_then(whole_variable)
                }
                _ => None,
            };
            source.map(str::to_owned)
        }
        _ => None,
    }
}

/// The variables that are checked where the first pipelines of a list have succeeded, all of them joined by `&&`.
pub(super) fn checks_before(item: &AndOr, count: usize) -> Vec<String> {
    let mut names = checks(&item.first);
    for (op, pipeline) in item.rest.iter().take(count) {
        if *op != AndOrOp::And {
            return Vec::new();
        }
        names.extend(checks(pipeline));
    }
    names
}

/// The variables that are checked where a condition is true.
pub(super) fn checks_in_condition(condition: &List) -> Vec<String> {
    match condition.items.as_slice() {
        [item] => checks_before(item, item.rest.len()),
        _ => Vec::new(),
    }
}

fn checks(pipeline: &Pipeline) -> Vec<String> {
    match pipeline.commands.as_slice() {
        [Command { kind: CommandKind::Test(test), .. }] if !pipeline.negated => checks_in_test(test),
        [Command { kind: CommandKind::Simple(simple), .. }] if !pipeline.negated && is_test(simple) => {
            equal_variable(simple).into_iter().collect()
        }
        _ => checked_variable(pipeline).into_iter().collect(),
    }
}

fn is_test(simple: &Simple) -> bool {
    matches!(simple.words.first().and_then(plain_text), Some("[" | "test"))
}

/// The variable of `[ "$x" = word ]`.
fn equal_variable(simple: &Simple) -> Option<String> {
    match simple.words.get(1..)? {
        [left, operator, right, ..] if matches!(plain_text(operator), Some("=" | "==")) => {
            plain_text(right).filter(|word| !word.is_empty())?;
            whole_variable(left).map(str::to_owned)
        }
        _ => None,
    }
}

pub(super) fn checks_in_test(test: &TestExpr) -> Vec<String> {
    match &test.kind {
        TestKind::And(a, b) => checks_in_test(a).into_iter().chain(checks_in_test(b)).collect(),
        // One exact word, no pattern.
        TestKind::Binary(left, operator, right) if matches!(operator.as_str(), "=" | "==") => {
            let word = plain_text(right).filter(|text| !text.is_empty() && !text.contains(['*', '?', '[', '(']));
            word.and(whole_variable(left)).map(str::to_owned).into_iter().collect()
        }
        _ => checked_in_test(test).into_iter().collect(),
    }
}

pub(super) fn checked_in_test(test: &TestExpr) -> Option<String> {
    match &test.kind {
        TestKind::Binary(left, operator, right) if operator == "=~" => {
            let mut pattern = String::new();
            for part in &right.parts {
                match &part.kind {
                    PartKind::Literal(text) | PartKind::Pattern(text) | PartKind::SingleQuoted(text) => {
                        pattern.push_str(text);
                    }
                    _ => return None,
                }
            }
            is_character_check(&pattern).then(|| whole_variable(left).map(str::to_owned)).flatten()
        }
        _ => None,
    }
}

/// `^[0-9a-f]{40}$`: anchored at both ends, made of character sets.
fn is_character_check(pattern: &str) -> bool {
    pattern.starts_with('^') && pattern.ends_with('$') && !pattern.contains(".*") && !pattern.contains(".+")
}
