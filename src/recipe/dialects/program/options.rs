//! Values of options, as far as they are known.

use crate::recipe::{Argument, Arguments, Known, Number, TextPart};
use crate::syntax::typescript::{Expression, ExpressionKind, Fold, Folded, Member, Members};
use crate::text::{Span, Spanned};

/// A call's arguments as expressions; `None` where a spread hides which is which.
pub(super) fn arguments(call: &Expression) -> Option<Vec<&Expression>> {
    let ExpressionKind::Call { arguments, .. } = &call.kind else { return None };
    arguments.iter().map(|argument| (!argument.spread).then_some(&argument.value)).collect()
}

/// The place of a call's callee without what stands before its last name.
pub(super) fn callee_span(call: &Expression) -> Span {
    match &call.kind {
        ExpressionKind::Call { callee, .. } => callee.span,
        _ => call.span,
    }
}

/// A member that is written and is not `undefined`.
pub(super) fn written<'a>(
    fold: &Fold<'a>,
    members: &Members<'a>,
    key: &str,
) -> Known<(&'a Spanned<String>, &'a Expression)> {
    match members.get(key) {
        Member::Absent => Known::Absent,
        Member::Unknown => Known::Unknown(Span::at(0)),
        Member::Known(_, value) if matches!(fold.resolve(value).kind, ExpressionKind::Undefined) => Known::Absent,
        Member::Known(name, value) => Known::Known((name, value)),
    }
}

/// A number option. What a spread may have set is taken as absent: only what is written can be judged.
pub(super) fn number<'a>(fold: &Fold<'a>, members: &Members<'a>, key: &str) -> Known<Spanned<Number>> {
    let Known::Known((_, value)) = written(fold, members, key) else { return Known::Absent };
    let number = match &fold.resolve(value).kind {
        ExpressionKind::Number(number) => match number.replace('_', "").parse() {
            Ok(whole) => Number::Int(whole),
            Err(_) => whole(number),
        },
        ExpressionKind::String(text) => Number::Other(format!("\"{}\"", text.text())),
        ExpressionKind::Null => Number::Other("null".to_owned()),
        ExpressionKind::Boolean(value) => Number::Other(value.to_string()),
        ExpressionKind::Name(name) if matches!(name.as_str(), "NaN" | "Infinity") => Number::Other(name.clone()),
        _ => return Known::Unknown(value.span),
    };
    Known::Known(Spanned::new(number, value.span))
}

/// `1.0` and `1e0` are whole numbers too.
fn whole(number: &str) -> Number {
    match number.parse::<f64>() {
        Ok(value) if value.fract() == 0.0 && value.abs() < 1e9 => Number::Int(value as i64),
        _ => Number::Other(number.to_owned()),
    }
}

/// A text that is known as a whole.
pub(super) fn text<'a>(fold: &Fold<'a>, members: &Members<'a>, key: &str) -> Known<Spanned<String>> {
    match written(fold, members, key) {
        Known::Absent => Known::Absent,
        Known::Unknown(span) => Known::Unknown(span),
        Known::Known((_, value)) => match fold.literal(value) {
            Some(text) => Known::Known(text),
            None => Known::Unknown(value.span),
        },
    }
}

/// A text in parts.
pub(super) fn parts<'a>(fold: &Fold<'a>, value: &'a Expression) -> Vec<TextPart> {
    fold.text(value)
        .into_iter()
        .map(|part| match part {
            Folded::Text(fragment) => TextPart::Text(fragment),
            Folded::Unknown(span) => TextPart::Unknown(span),
        })
        .collect()
}

/// Whether the value is certain to be a text, not `undefined`.
pub(super) fn certain(parts: &[TextPart]) -> bool {
    parts.len() > 1 || parts.iter().any(|part| matches!(part, TextPart::Text(_)))
}

/// Values for placeholders.
pub(super) fn placeholders<'a>(fold: &Fold<'a>, members: &Members<'a>, key: &str) -> Known<Arguments> {
    let (name, value) = match written(fold, members, key) {
        Known::Absent => return Known::Absent,
        Known::Unknown(span) => return Known::Unknown(span),
        Known::Known(found) => found,
    };
    let resolved = fold.resolve(value);
    if resolved.object().is_none() {
        return Known::Unknown(value.span);
    }
    let inner = fold.members(resolved);
    let entries = inner
        .entries
        .iter()
        .map(|(name, value)| Argument {
            name: (*name).clone(),
            missing: matches!(fold.resolve(value).kind, ExpressionKind::Undefined | ExpressionKind::Null),
        })
        .collect();
    // An object whose keys are set later is known in part only.
    let changed = value
        .name()
        .is_some_and(|name| fold.scopes.find(name, value.span.start).is_none_or(|declaration| declaration.changed));
    Known::Known(Arguments { key: name.span, entries, open: inner.open || changed })
}
