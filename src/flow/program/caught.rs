//! `try` and `catch`: values that stand in for what could not be read.

use std::collections::HashMap;
use std::sync::Arc;

use super::Machine;
use super::item::{Item, Members, Shape};
use crate::flow::{Effect, Fallback, FallbackForm, NodeId, NodeKind, Trust, Value};
use crate::syntax::typescript::{
    Catch, Expression, ExpressionKind, Pattern, Statement, StatementKind, Visit, walk_statement,
};
use crate::text::Span;

impl<'a> Machine<'a, '_> {
    /// What a `catch` leaves stands for what could not be read in the `try`.
    pub(super) fn tried(&mut self, block: &'a [Statement], catch: Option<&'a Catch>, after: Effect) -> bool {
        let Some(catch) = catch else { return self.statements(block, after) };
        let mark = self.log.len();
        let returns = self.frames.last().map_or(0, |frame| frame.returns.len());
        let ended = self.statements(block, after);
        let tried = self.rewind(mark);
        let returned = self.frames.last().map_or(0, |frame| frame.returns.len());
        let mark = self.log.len();
        let catch_ended = self.statements(&catch.body, after);
        let mut caught = self.rewind(mark);
        for (key, item) in &mut caught {
            let before = tried.get(key).or_else(|| self.names.get(key)).cloned();
            if let Some(before) = before.filter(|before| self.is_untrusted(before)) {
                let span = self.written_in(catch, *key).unwrap_or(catch.span);
                *item = self.stand_in(&before, item, span);
            }
        }
        if !catch_ended {
            self.presets(&tried, &mut caught);
        }
        self.stand_in_returns(catch, returns, returned, &tried);
        let mut changes = Vec::new();
        if !ended {
            changes.push(tried);
        }
        if !catch_ended {
            changes.push(caught);
        }
        self.merge(changes, !ended || !catch_ended);
        ended && catch_ended
    }

    /// `let v = 'pass'; try { v = read(); } catch {}`: what a name was before stands for what could not be read, unless the
    /// `catch` says something else.
    fn presets(&mut self, tried: &HashMap<usize, Item<'a>>, caught: &mut HashMap<usize, Item<'a>>) {
        let mut keys: Vec<&usize> = tried.keys().filter(|key| !caught.contains_key(key)).collect();
        keys.sort_unstable();
        for key in keys {
            let (Some(read), Some(preset)) = (tried.get(key), self.names.get(key).cloned()) else { continue };
            if self.is_untrusted(read) && preset.whole().is_plain() {
                let item = self.stand_in(read, &preset, Span::at(*key));
                caught.insert(*key, item);
            }
        }
    }

    fn is_untrusted(&self, item: &Item<'a>) -> bool {
        self.builder.trust(&item.whole()) >= Trust::Extracted
    }

    /// Returns of the `catch` stand for those of the `try`, or for what follows it.
    fn stand_in_returns(&mut self, catch: &'a Catch, from: usize, until: usize, tried: &HashMap<usize, Item<'a>>) {
        let Some(frame) = self.frames.last() else { return };
        let Some(before) = frame.returns.get(from..until) else { return };
        let mut keys: Vec<&usize> = tried.keys().collect();
        keys.sort_unstable();
        let read = keys.into_iter().filter_map(|key| tried.get(key));
        let before: Option<Item<'a>> = before.iter().chain(read).find(|item| self.is_untrusted(item)).cloned();
        let count = frame.returns.len();
        let Some(before) = before else { return };
        let spans = returned_in(&catch.body);
        for (at, span) in (until..count).zip(spans) {
            let Some(item) = self.frames.last().and_then(|frame| frame.returns.get(at)).cloned() else { continue };
            let item = self.stand_in(&before, &item, span);
            if let Some(slot) = self.frames.last_mut().and_then(|frame| frame.returns.get_mut(at)) {
                *slot = item;
            }
        }
    }

    /// A value of the file that is taken when an untrusted one could not be read. `null` and other states of their own
    /// are no stand-ins.
    fn stand_in(&mut self, before: &Item<'a>, item: &Item<'a>, span: Span) -> Item<'a> {
        match &item.shape {
            Shape::Object(members) => {
                let base = if members.entries.is_empty() {
                    let id = self.fallback(&before.whole(), Some("{}"), FallbackForm::Catch, span);
                    return Item::node(id).with(Shape::Parsed);
                } else {
                    before.clone()
                };
                let mut entries = Vec::new();
                for (name, value) in &members.entries {
                    let mut entry = value.clone();
                    if let Some(text) = value.value.text() {
                        let text = text.to_string();
                        let read = self.member(&base, name, span);
                        let whole = read.whole();
                        let own = self.builder.trust(&whole) >= Trust::Extracted;
                        if own {
                            let id = self.fallback(&whole, Some(&text), FallbackForm::Catch, span);
                            entry = Item::node(id);
                        }
                    }
                    entries.push((name.clone(), entry));
                }
                Item { value: item.value.clone(), shape: Shape::Object(Members { entries, rest: None }.into()) }
            }
            _ => match item.value.text() {
                Some(text) if !text.is_empty() && text.as_ref() != "null" && text.as_ref() != "undefined" => {
                    let text = text.to_string();
                    let id = self.fallback(&before.whole(), Some(&text), FallbackForm::Catch, span);
                    Item::node(id)
                }
                _ => item.clone(),
            },
        }
    }

    /// A node for a value that stands in for another.
    pub(super) fn fallback(&mut self, value: &Value, literal: Option<&str>, form: FallbackForm, span: Span) -> NodeId {
        let place = self.place(span);
        let fallback = Fallback { literal: literal.map(Arc::from), form, place, dead: None };
        self.builder.on(NodeKind::Fallback(Box::new(fallback)), place, value)
    }

    /// Where a name is assigned in a `catch`.
    fn written_in(&self, catch: &'a Catch, key: usize) -> Option<Span> {
        let mut found = None;
        for statement in &catch.body {
            walk_statement(statement, &mut |visit| {
                if let Visit::Expression(Expression { kind: ExpressionKind::Assign { target, value, .. }, .. }) = visit
                    && let Pattern::Name(name) = &**target
                    && self.key(&name.value, name.span.start) == key
                {
                    found = Some(value.span);
                }
            });
        }
        found
    }
}

/// Places of the values that statements return, in the order in which they run.
fn returned_in(statements: &[Statement]) -> Vec<Span> {
    let mut spans = Vec::new();
    for statement in statements {
        walk_statement(statement, &mut |visit| {
            if let Visit::Statement(Statement { kind: StatementKind::Return(value), span }) = visit {
                spans.push(value.as_ref().map_or(*span, |value| value.span));
            }
        });
    }
    spans
}
