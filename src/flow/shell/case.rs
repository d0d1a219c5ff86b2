//! `case`.

use std::sync::Arc;

use super::shape::{assigns_literal, plain_text, whole_variable};
use super::state::Changes;
use super::test::{alternatives, is_glob};
use super::{Shell, Status};
use crate::flow::{
    Arm, Choice, ChoiceForm, Compare, CompareOp, DecisionForm, Effect, Match, MatchHow, NodeId, NodeKind,
};
use crate::syntax::shell::ast::{Case, CaseEnd, PartKind, Word};
use crate::text::Span;

impl<'a> Shell<'a, '_> {
    /// `case`
    pub(super) fn case_command(&mut self, case: &'a Case, span: Span) -> Status {
        let subject = self.word(&case.subject);
        let mut tests: Vec<NodeId> = Vec::new();
        let mut arms = Vec::new();
        let mut otherwise = None;
        let mut bodies = Vec::new();
        let mut last = None;
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
                    Some(members) if is_glob(pattern, &value) && alternatives(members).is_some() => {
                        let members = alternatives(members).unwrap_or_default();
                        tokens.extend(members.into_iter().map(|member| (Arc::from(member), pattern.span)));
                    }
                    _ if is_glob(pattern, &value) => globs.push((text, pattern.span)),
                    Some(text) => tokens.push((Arc::from(text), pattern.span)),
                    None => self.pattern_misuse(pattern, &value),
                }
            }
            if catches {
                otherwise = Some((effect, place));
                last = Some(&arm.body);
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
            bodies.push(&arm.body);
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
            let alike = last.map_or_else(Vec::new, |last| self.alike(bodies.into_iter(), last));
            let choice = Choice { form: ChoiceForm::Case, arms, otherwise, after: self.after, alike };
            self.builder.on(NodeKind::Choice(Box::new(choice)), self.unit.place(case.keyword), &subject);
        }
        let mut changes: Vec<Changes> = Vec::new();
        let mut exits = exhaustive;
        let mut stopped_on_glob = None;
        let name = whole_variable(&case.subject);
        let mut refused: Vec<String> = Vec::new();
        for arm in &case.arms {
            let mut checked = refused.clone();
            if arm.patterns.iter().all(|pattern| plain_text(pattern).is_some()) {
                // The text is one of these words.
                checked.extend(name.map(str::to_owned));
            }
            let (ended, changed) =
                self.with_checked(&checked, arm.span, |shell| shell.under(test, |shell| shell.list(&arm.body, true)));
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
        self.join(changes, exhaustive, span);
        if let Some(name) = stopped_on_glob {
            self.validated(name, span);
        }
        Status { node: test.filter(|_| effects.stops), exits }
    }
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
