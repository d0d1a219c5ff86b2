//! Literal schemas as JSON Schema. Only what is certain is kept: `{}` accepts anything.

use serde_json::{Map, Value, json};

use super::api::{Apis, Package};
use crate::recipe::Known;
use crate::syntax::typescript::{Element, Expression, ExpressionKind, Property};
use crate::text::Spanned;

/// Schemas in one another that are read.
const MAX_DEPTH: usize = 24;

/// Members of all objects together that are read.
const MAX_MEMBERS: usize = 2_000;

/// The schema of an expression; `Known::Unknown` where nothing of it is literal.
pub(super) fn schema<'a>(apis: &Apis<'a>, expression: &'a Expression) -> Known<Spanned<Value>> {
    let mut reader = Reader { apis, members: MAX_MEMBERS };
    let schema = reader.schema(expression, MAX_DEPTH).value;
    if schema.as_object().is_none_or(Map::is_empty) {
        return Known::Unknown(expression.span);
    }
    Known::Known(Spanned::new(schema, expression.span))
}

/// A JSON value that is written as a literal; `None` where a part is not known.
pub(super) fn literal<'a>(apis: &Apis<'a>, expression: &'a Expression) -> Option<Value> {
    Reader { apis, members: MAX_MEMBERS }.literal(expression, MAX_DEPTH)
}

/// What a schema says, and whether its member may be missing.
struct Schema {
    value: Value,
    optional: bool,
}

impl Schema {
    fn required(value: Value) -> Self {
        Self { value, optional: false }
    }

    fn anything() -> Self {
        Self { value: json!({}), optional: true }
    }
}

struct Reader<'r, 'a> {
    apis: &'r Apis<'a>,
    members: usize,
}

impl<'a> Reader<'_, 'a> {
    fn schema(&mut self, expression: &'a Expression, left: usize) -> Schema {
        let Some(left) = left.checked_sub(1) else { return Schema::anything() };
        let resolved = self.apis.fold.resolve(expression);
        let ExpressionKind::Call { callee, arguments, .. } = &resolved.kind else { return Schema::anything() };
        if let Some(api) = self.apis.of(callee) {
            let path: Vec<&str> = api.path.iter().map(String::as_str).collect();
            return match (api.package, path.as_slice()) {
                (Package::Zod, [name]) => self.base(name, arguments, left),
                _ => Schema::anything(),
            };
        }
        match &callee.kind {
            ExpressionKind::Member { object, property } => self.refined(&property.value, object, arguments, left),
            _ => Schema::anything(),
        }
    }

    /// `z.name(…)`
    fn base(&mut self, name: &str, arguments: &'a [Element], left: usize) -> Schema {
        let first = arguments.first().filter(|argument| !argument.spread).map(|argument| &argument.value);
        Schema::required(match name {
            "string" | "email" | "url" | "uuid" | "guid" | "iso" | "base64" | "nanoid" | "cuid" | "cuid2" | "ulid" => {
                json!({ "type": "string" })
            }
            "number" => json!({ "type": "number" }),
            "int" | "int32" | "uint32" => json!({ "type": "integer" }),
            "boolean" => json!({ "type": "boolean" }),
            "null" => json!({ "type": "null" }),
            "object" | "looseObject" => match first {
                Some(members) => self.object(members, left),
                None => json!({ "type": "object" }),
            },
            "strictObject" => match first {
                Some(members) => closed(self.object(members, left)),
                None => json!({ "type": "object" }),
            },
            "record" => json!({ "type": "object" }),
            "array" => match first {
                Some(items) => json!({ "type": "array", "items": self.schema(items, left).value }),
                None => json!({ "type": "array" }),
            },
            "tuple" => json!({ "type": "array" }),
            "literal" => match first.and_then(|value| self.literal(value, left)) {
                Some(Value::Array(values)) => json!({ "enum": values }),
                Some(value) => json!({ "const": value }),
                None => json!({}),
            },
            "enum" => match first.and_then(|values| self.literal(values, left)) {
                Some(Value::Array(values)) if !values.is_empty() => json!({ "enum": values }),
                Some(Value::Object(values)) => {
                    json!({ "enum": values.into_iter().map(|(_, value)| value).collect::<Vec<_>>() })
                }
                _ => json!({}),
            },
            "union" => self.union(first, left),
            "discriminatedUnion" => self.union(arguments.get(1).map(|argument| &argument.value), left),
            "nullable" => match first {
                Some(inner) => nullable(self.schema(inner, left).value),
                None => json!({}),
            },
            "optional" => {
                let value = first.map_or(json!({}), |inner| self.schema(inner, left).value);
                return Schema { value, optional: true };
            }
            _ => return Schema::anything(),
        })
    }

    /// `schema.name(…)`
    fn refined(&mut self, name: &str, object: &'a Expression, arguments: &'a [Element], left: usize) -> Schema {
        let first = arguments.first().filter(|argument| !argument.spread).map(|argument| &argument.value);
        let inner = self.schema(object, left);
        match name {
            "optional" | "default" | "prefault" | "catch" => {
                let value = if name == "catch" { json!({}) } else { inner.value };
                Schema { value, optional: true }
            }
            "nullable" => Schema { value: nullable(inner.value), optional: inner.optional },
            "nullish" => Schema { value: nullable(inner.value), optional: true },
            "array" => Schema::required(json!({ "type": "array", "items": inner.value })),
            "or" => match first {
                Some(other) => Schema::required(any_of(vec![inner.value, self.schema(other, left).value])),
                None => Schema::anything(),
            },
            "int" => Schema { value: json!({ "type": "integer" }), ..inner },
            "strict" => Schema { value: closed(inner.value), ..inner },
            "extend" | "safeExtend" => match first {
                Some(members) => Schema::required(merged(inner.value, self.object(members, left))),
                None => inner,
            },
            "partial" | "deepPartial" | "pick" | "omit" | "merge" | "and" | "pipe" | "passthrough" | "catchall"
            | "loose" | "keyof" | "unwrap" | "element" | "shape" => match inner.value.get("type") {
                Some(Value::String(kind)) if kind == "object" && !matches!(name, "and" | "pipe" | "keyof") => {
                    Schema::required(json!({ "type": "object" }))
                }
                _ => Schema::anything(),
            },
            "min" | "max" | "gte" | "lte" | "gt" | "lt" | "positive" | "negative" | "nonnegative" | "nonpositive"
            | "length" | "nonempty" => {
                let limit = first.map_or(Some(json!(0)), |value| self.literal(value, left));
                match limit.filter(Value::is_number) {
                    Some(limit) => Schema { value: bounded(inner.value, name, &limit), ..inner },
                    None => inner,
                }
            }
            // Other checks on the value (`email`, `refine`, `describe`, …) and changes after it (`transform`).
            _ => inner,
        }
    }

    fn object(&mut self, members: &'a Expression, left: usize) -> Value {
        let members = self.apis.fold.members(members);
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (name, value) in &members.entries {
            let Some(fewer) = self.members.checked_sub(1) else { break };
            self.members = fewer;
            let schema = self.schema(value, left);
            required.retain(|known| known != &name.value);
            if !schema.optional && !members.open {
                required.push(name.value.clone());
            }
            properties.insert(name.value.clone(), schema.value);
        }
        if members.open {
            return json!({ "type": "object" });
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }

    fn union(&mut self, members: Option<&'a Expression>, left: usize) -> Value {
        let Some(members) = members else { return json!({}) };
        let ExpressionKind::Array(elements) = &self.apis.fold.resolve(members).kind else { return json!({}) };
        let mut schemas = Vec::new();
        for element in elements {
            let Some(fewer) = self.members.checked_sub(1) else { return json!({}) };
            self.members = fewer;
            if element.spread {
                return json!({});
            }
            schemas.push(self.schema(&element.value, left).value);
        }
        any_of(schemas)
    }

    fn literal(&mut self, expression: &'a Expression, left: usize) -> Option<Value> {
        let left = left.checked_sub(1)?;
        self.members = self.members.checked_sub(1)?;
        let resolved = self.apis.fold.resolve(expression);
        Some(match &resolved.kind {
            ExpressionKind::Null => Value::Null,
            ExpressionKind::Boolean(value) => Value::Bool(*value),
            ExpressionKind::Number(number) => serde_json::from_str(number).ok()?,
            ExpressionKind::Array(elements) => {
                let mut values = Vec::new();
                for element in elements {
                    if element.spread {
                        return None;
                    }
                    values.push(self.literal(&element.value, left)?);
                }
                Value::Array(values)
            }
            ExpressionKind::Object(properties) => {
                let mut values = Map::new();
                for property in properties {
                    let Property::Value(name, value) = property else { return None };
                    values.insert(name.value.clone(), self.literal(value, left)?);
                }
                Value::Object(values)
            }
            _ => Value::String(self.apis.fold.literal(resolved)?.value),
        })
    }
}

/// A schema with a limit on the value of a number, the length of a text or the size of a list.
fn bounded(mut schema: Value, name: &str, limit: &Value) -> Value {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let one = json!(1);
    let limits: &[(&str, &Value)] = match (kind, name) {
        ("number" | "integer", "min" | "gte" | "nonnegative") => &[("minimum", limit)],
        ("number" | "integer", "max" | "lte" | "nonpositive") => &[("maximum", limit)],
        ("number" | "integer", "gt" | "positive") => &[("exclusiveMinimum", limit)],
        ("number" | "integer", "lt" | "negative") => &[("exclusiveMaximum", limit)],
        ("string", "min") => &[("minLength", limit)],
        ("string", "max") => &[("maxLength", limit)],
        ("string", "length") => &[("minLength", limit), ("maxLength", limit)],
        ("string", "nonempty") => &[("minLength", &one)],
        ("array", "min") => &[("minItems", limit)],
        ("array", "max") => &[("maxItems", limit)],
        ("array", "length") => &[("minItems", limit), ("maxItems", limit)],
        ("array", "nonempty") => &[("minItems", &one)],
        _ => &[],
    };
    if let Some(object) = schema.as_object_mut() {
        object.extend(limits.iter().map(|(key, limit)| ((*key).to_owned(), (*limit).clone())));
    }
    schema
}

fn nullable(schema: Value) -> Value {
    any_of(vec![schema, json!({ "type": "null" })])
}

/// A union with an unknown member accepts anything.
fn any_of(schemas: Vec<Value>) -> Value {
    if schemas.iter().any(|schema| schema.as_object().is_none_or(Map::is_empty)) {
        return json!({});
    }
    json!({ "anyOf": schemas })
}

fn closed(mut schema: Value) -> Value {
    if let Some(object) = schema.as_object_mut().filter(|object| object.contains_key("properties")) {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    schema
}

/// The first object's members and the second's.
fn merged(first: Value, second: Value) -> Value {
    let (Some(old), Some(new)) = (first.get("properties"), second.get("properties")) else {
        return json!({ "type": "object" });
    };
    let mut properties = old.as_object().cloned().unwrap_or_default();
    let fresh = new.as_object().cloned().unwrap_or_default();
    let names = |schema: &Value| schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut required: Vec<Value> =
        names(&first).into_iter().filter(|name| name.as_str().is_none_or(|name| !fresh.contains_key(name))).collect();
    required.extend(names(&second));
    properties.extend(fresh);
    json!({ "type": "object", "properties": properties, "required": required })
}
