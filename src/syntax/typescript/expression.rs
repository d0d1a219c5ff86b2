//! From tree-sitter's tree to ours: expressions.

use std::sync::Arc;

use tree_sitter::Node;

use super::ast::{Element, Expression, ExpressionKind, Logical, Property, TemplatePart};
use super::build::{Builder, children, span};
use super::text;
use crate::text::Span;

impl Builder<'_> {
    /// An expression. What only concerns types is left out, so that the result may be smaller than the node.
    pub(super) fn expression(&mut self, node: Node) -> Expression {
        let node = bare(node);
        self.deeper(|builder| Expression { kind: builder.kind(node), span: span(node) })
            .unwrap_or_else(|| Expression::other(span(node)))
    }

    fn boxed(&mut self, node: Node, field: &str) -> Box<Expression> {
        Box::new(match node.child_by_field_name(field) {
            Some(child) => self.expression(child),
            None => Expression::other(span(node)),
        })
    }

    fn kind(&mut self, node: Node) -> ExpressionKind {
        match node.kind() {
            "identifier" | "shorthand_property_identifier" | "this" | "super" | "import" => {
                if self.is_hole(span(node)) {
                    return ExpressionKind::Hole;
                }
                match self.slice(node) {
                    "undefined" => ExpressionKind::Undefined,
                    name => ExpressionKind::Name(name.to_owned()),
                }
            }
            "undefined" => ExpressionKind::Undefined,
            "string" => {
                let whole = span(node);
                self.text(Span::new(whole.start + 1, whole.end.saturating_sub(1)), whole)
            }
            "template_string" => ExpressionKind::Template(self.template(node)),
            "regex" => ExpressionKind::Regex {
                pattern: node
                    .child_by_field_name("pattern")
                    .map(|part| self.slice(part))
                    .unwrap_or_default()
                    .to_owned(),
                flags: node.child_by_field_name("flags").map(|part| self.slice(part)).unwrap_or_default().to_owned(),
            },
            "number" => ExpressionKind::Number(self.slice(node).to_owned()),
            "true" => ExpressionKind::Boolean(true),
            "false" => ExpressionKind::Boolean(false),
            "null" => ExpressionKind::Null,
            "array" => ExpressionKind::Array(self.elements(node)),
            "object" => ExpressionKind::Object(self.properties(node)),
            "member_expression" => match node.child_by_field_name("property") {
                Some(property) => {
                    ExpressionKind::Member { object: self.boxed(node, "object"), property: self.spanned(property) }
                }
                None => ExpressionKind::Other,
            },
            "subscript_expression" => {
                ExpressionKind::Index { object: self.boxed(node, "object"), index: self.boxed(node, "index") }
            }
            "call_expression" => match node.child_by_field_name("arguments") {
                Some(template) if template.kind() == "template_string" => {
                    ExpressionKind::Tagged { tag: self.boxed(node, "function"), parts: self.template(template) }
                }
                arguments => ExpressionKind::Call {
                    callee: self.boxed(node, "function"),
                    arguments: arguments.map(|list| self.elements(list)).unwrap_or_default(),
                    constructs: false,
                },
            },
            "new_expression" => ExpressionKind::Call {
                callee: self.boxed(node, "constructor"),
                arguments: node.child_by_field_name("arguments").map(|list| self.elements(list)).unwrap_or_default(),
                constructs: true,
            },
            "arrow_function" | "function_expression" | "generator_function" | "method_definition" => {
                ExpressionKind::Function(Box::new(self.function(node)))
            }
            "class" => ExpressionKind::Class(Box::new(self.class(node))),
            "unary_expression" => self.unary(node),
            "binary_expression" => self.binary(node),
            "ternary_expression" => ExpressionKind::Conditional {
                test: self.boxed(node, "condition"),
                then: self.boxed(node, "consequence"),
                otherwise: self.boxed(node, "alternative"),
            },
            "assignment_expression" | "augmented_assignment_expression" => {
                let Some(left) = node.child_by_field_name("left") else { return ExpressionKind::Other };
                let operator = node.child_by_field_name("operator").map_or("=", |operator| self.slice(operator));
                ExpressionKind::Assign {
                    operator: operator.to_owned(),
                    target: Box::new(self.pattern(left)),
                    value: self.boxed(node, "right"),
                }
            }
            "update_expression" => {
                let Some(target) = node.child_by_field_name("argument") else { return ExpressionKind::Other };
                let value = Box::new(Expression::other(span(node)));
                ExpressionKind::Assign { operator: "+=".to_owned(), target: Box::new(self.pattern(target)), value }
            }
            "await_expression" => match children(node).first() {
                Some(inner) => ExpressionKind::Await(Box::new(self.expression(*inner))),
                None => ExpressionKind::Other,
            },
            kind if kind.starts_with("jsx_")
                || matches!(kind, "yield_expression" | "sequence_expression" | "ERROR") =>
            {
                ExpressionKind::Sequence(children(node).into_iter().map(|child| self.expression(child)).collect())
            }
            _ => ExpressionKind::Other,
        }
    }

    fn is_hole(&self, span: Span) -> bool {
        self.holes
            .binary_search_by_key(&span.start, |hole| hole.start)
            .is_ok_and(|at| self.holes.get(at).is_some_and(|hole| hole.end == span.end))
    }

    /// A text without its delimiters, in parts where holes stand in it.
    fn text(&self, inner: Span, whole: Span) -> ExpressionKind {
        let mut parts = self.parts(inner);
        match (parts.len(), parts.pop()) {
            (1, Some(TemplatePart::Text(_))) | (0, None) => {
                ExpressionKind::String(Arc::new(text::decode(self.text, inner, whole)))
            }
            (_, last) => {
                parts.extend(last);
                ExpressionKind::Template(parts)
            }
        }
    }

    fn parts(&self, span: Span) -> Vec<TemplatePart> {
        let mut parts = Vec::new();
        let mut at = span.start;
        let text = |from: usize, to: usize, parts: &mut Vec<TemplatePart>| {
            if from < to {
                let span = Span::new(from, to);
                parts.push(TemplatePart::Text(Arc::new(text::decode(self.text, span, span))));
            }
        };
        let first = self.holes.partition_point(|hole| hole.start < span.start);
        for hole in self.holes.iter().skip(first).take_while(|hole| hole.end <= span.end) {
            text(at, hole.start, &mut parts);
            let kind = ExpressionKind::Hole;
            parts.push(TemplatePart::Value(Expression { kind, span: hole.clone().into() }));
            at = hole.end;
        }
        text(at, span.end, &mut parts);
        parts
    }

    fn template(&mut self, node: Node) -> Vec<TemplatePart> {
        let mut parts = Vec::new();
        let whole = span(node);
        let mut at = whole.start + 1;
        for child in children(node).into_iter().filter(|child| child.kind() == "template_substitution") {
            parts.extend(self.parts(Span::new(at, child.start_byte())));
            parts.extend(children(child).first().map(|value| TemplatePart::Value(self.expression(*value))));
            at = child.end_byte();
        }
        parts.extend(self.parts(Span::new(at, whole.end.saturating_sub(1))));
        parts
    }

    fn elements(&mut self, node: Node) -> Vec<Element> {
        children(node)
            .into_iter()
            .map(|child| match (child.kind(), children(child).first()) {
                ("spread_element", Some(inner)) => Element { value: self.expression(*inner), spread: true },
                _ => Element { value: self.expression(child), spread: false },
            })
            .collect()
    }

    fn properties(&mut self, node: Node) -> Vec<Property> {
        let mut properties = Vec::new();
        for child in children(node) {
            match child.kind() {
                "pair" | "method_definition" => {
                    let field = if child.kind() == "pair" { "key" } else { "name" };
                    let Some(key) = child.child_by_field_name(field) else { continue };
                    let value =
                        if child.kind() == "pair" { *self.boxed(child, "value") } else { self.expression(child) };
                    if let Some(name) = self.key(key) {
                        properties.push(Property::Value(name, value));
                    } else {
                        let computed = children(key).first().map(|inner| self.expression(*inner));
                        let key = computed.unwrap_or_else(|| Expression::other(span(key)));
                        properties.push(Property::Computed(key, value));
                    }
                }
                "shorthand_property_identifier" => {
                    properties.push(Property::Value(self.spanned(child), self.expression(child)));
                }
                "spread_element" => {
                    properties.extend(children(child).first().map(|inner| Property::Spread(self.expression(*inner))));
                }
                _ => {}
            }
        }
        properties
    }

    fn unary(&mut self, node: Node) -> ExpressionKind {
        let operator = node.child_by_field_name("operator").map(|operator| self.slice(operator)).unwrap_or_default();
        let operand = self.boxed(node, "argument");
        match (operator, &operand.kind) {
            ("-", ExpressionKind::Number(number)) => ExpressionKind::Number(format!("-{number}")),
            ("void", ExpressionKind::Number(_)) => ExpressionKind::Undefined,
            _ => ExpressionKind::Unary { operator: operator.to_owned(), operand },
        }
    }

    fn binary(&mut self, node: Node) -> ExpressionKind {
        let operator = |node: Node| node.child_by_field_name("operator").map_or("", |operator| self.slice(operator));
        let logical = match operator(node) {
            "+" => return self.sum(node),
            "&&" => Logical::And,
            "||" => Logical::Or,
            "??" => Logical::Nullish,
            other => {
                let operator = other.to_owned();
                let (left, right) = (self.boxed(node, "left"), self.boxed(node, "right"));
                return ExpressionKind::Binary { operator, left, right };
            }
        };
        ExpressionKind::Logical { operator: logical, left: self.boxed(node, "left"), right: self.boxed(node, "right") }
    }

    /// `a + b + …` leans to the left and may be very long, so it is read in a loop.
    fn sum(&mut self, node: Node) -> ExpressionKind {
        let mut operands = Vec::new();
        let mut at = node;
        loop {
            let is_sum = at.kind() == "binary_expression"
                && at.child_by_field_name("operator").is_some_and(|operator| self.slice(operator) == "+");
            let (Some(left), Some(right), true) =
                (at.child_by_field_name("left"), at.child_by_field_name("right"), is_sum)
            else {
                operands.push(self.expression(at));
                break;
            };
            operands.push(self.expression(right));
            at = bare(left);
        }
        operands.reverse();
        ExpressionKind::Sum(operands)
    }
}

/// The node under parentheses, casts and assertions.
fn bare(mut node: Node) -> Node {
    loop {
        let inner = match node.kind() {
            "parenthesized_expression" | "non_null_expression" | "as_expression" | "satisfies_expression" => {
                children(node).first().copied()
            }
            "type_assertion" => children(node).last().copied(),
            "instantiation_expression" => node.child_by_field_name("function").or(children(node).first().copied()),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return node,
        }
    }
}
