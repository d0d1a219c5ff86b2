//! Which values of expressions are lists: `contains` compares with their members.

use std::sync::Arc;

use super::scope::Text;
use crate::flow::is_plural;
use crate::syntax::expression::{Access, Expr, ExprKind};

/// Whether `contains` compares with the members of a list here: a list that is written out, `labels.*.name`, or a
/// field that is an array.
pub(super) fn is_list(expr: &Expr, text: &Text) -> bool {
    match &expr.kind {
        ExprKind::Path(_, accesses) if accesses.iter().any(|access| matches!(access, Access::Every(_))) => true,
        ExprKind::Call(name, arguments) if name.value == "fromjson" => {
            matches!(arguments.first().map(|argument| &argument.kind), Some(ExprKind::String(_)))
                || text.value.is_plain()
                || is_array(text) == Some(true)
        }
        _ => is_array(text).unwrap_or_else(|| {
            // Without a schema the plural of a field's name is all there is to go by.
            matches!(&expr.kind, ExprKind::Path(head, accesses)
                if matches!(head.kind, ExprKind::Call(..))
                    && matches!(accesses.last(), Some(Access::Field(name)) if is_plural(&name.value)))
        }),
    }
}

/// Whether a schema says that a value is an array: by its type, or by the values that it allows.
fn is_array(text: &Text) -> Option<bool> {
    let schema = text.schema.as_ref()?;
    let array = serde_json::Value::is_array;
    match schema.get("type") {
        Some(serde_json::Value::Array(kinds)) => Some(kinds.iter().any(|kind| kind == "array")),
        Some(kind) => Some(kind == "array"),
        None if schema.get("items").is_some() => Some(true),
        None => {
            let values = schema.get("enum").and_then(serde_json::Value::as_array);
            values.map(|values| values.iter().any(array)).or_else(|| schema.get("const").map(array))
        }
    }
}

/// The members of `fromJSON('[…]')`.
pub(super) fn members(list: &Expr) -> Vec<Option<Arc<str>>> {
    if let ExprKind::Call(_, arguments) = &list.kind
        && let Some(ExprKind::String(text)) = arguments.first().map(|argument| &argument.kind)
        && let Ok(serde_json::Value::Array(items)) = serde_json::from_str(text)
    {
        return items.iter().map(|item| item.as_str().map(Arc::from)).collect();
    }
    vec![None]
}
