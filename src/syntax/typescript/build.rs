//! From tree-sitter's tree to ours: statements, declarations and patterns.

use std::ops::Range;

use tree_sitter::Node;

use super::ast::{
    Case, Catch, Class, Declarator, Export, Expression, Function, Import, Loop, Pattern, Program, Statement,
    StatementKind,
};
use super::{MAX_DEPTH, text};
use crate::text::{Span, Spanned, SyntaxError};

/// What the builder reads from.
pub(super) struct Builder<'a> {
    pub text: &'a str,
    pub holes: &'a [Range<usize>],
    depth: usize,
}

/// The whole tree.
pub(super) fn program(text: &str, holes: &[Range<usize>], root: Node) -> Program {
    let mut builder = Builder { text, holes, depth: 0 };
    let statements = builder.statements(root);
    let (comments, errors) = survey(root);
    Program { statements, comments, errors }
}

/// Comments, and the first error.
fn survey(root: Node) -> (Vec<Span>, Vec<SyntaxError>) {
    let mut comments = Vec::new();
    let mut errors = Vec::new();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "comment" {
            comments.push(span(node));
        } else if errors.is_empty() && (node.is_error() || node.is_missing()) {
            let message = if node.is_missing() {
                format!("here a `{}` is missing", node.kind())
            } else {
                "this is neither TypeScript nor JavaScript".to_owned()
            };
            let start = node.start_byte();
            errors.push(SyntaxError { span: Span::new(start, node.end_byte().min(start + 40)), message });
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (comments, errors);
            }
        }
    }
}

pub(super) fn span(node: Node) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// The named children without comments.
pub(super) fn children(node: Node) -> Vec<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}

impl<'a> Builder<'a> {
    pub(super) fn slice(&self, node: Node) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    pub(super) fn spanned(&self, node: Node) -> Spanned<String> {
        Spanned::new(self.slice(node).to_owned(), span(node))
    }

    /// Runs one level deeper; `None` at the bound.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        Some(value)
    }

    /// The text of a `string` node and its place.
    pub(super) fn string(&self, node: Node) -> Spanned<String> {
        let whole = span(node);
        let inner = Span::new(whole.start + 1, whole.end.saturating_sub(1));
        Spanned::new(text::decode(self.text, inner, whole).text().to_owned(), whole)
    }

    pub(super) fn statements(&mut self, node: Node) -> Vec<Statement> {
        children(node).into_iter().map(|child| self.statement(child)).collect()
    }

    fn statement(&mut self, node: Node) -> Statement {
        let kind = self.deeper(|builder| builder.statement_kind(node)).unwrap_or(StatementKind::Other);
        Statement { kind, span: span(node) }
    }

    fn statement_kind(&mut self, node: Node) -> StatementKind {
        match node.kind() {
            "import_statement" => StatementKind::Import(self.import(node)),
            "export_statement" => self.export(node),
            "lexical_declaration" | "variable_declaration" => self.variables(node),
            "function_declaration" | "generator_function_declaration" => match node.child_by_field_name("name") {
                Some(name) => StatementKind::Function(self.spanned(name), Box::new(self.function(node))),
                None => StatementKind::Other,
            },
            "class_declaration" | "abstract_class_declaration" => StatementKind::Class(self.class(node)),
            "expression_statement" => match children(node).first() {
                Some(inner) if inner.kind() == "internal_module" => self.block_of(*inner),
                Some(inner) => StatementKind::Expression(self.expression(*inner)),
                None => StatementKind::Other,
            },
            "if_statement" => self.condition(node),
            "for_statement" | "for_in_statement" | "while_statement" | "do_statement" => {
                StatementKind::Loop(Box::new(self.loop_(node)))
            }
            "switch_statement" => self.switch(node),
            "try_statement" => self.try_(node),
            "return_statement" => StatementKind::Return(children(node).first().map(|value| self.expression(*value))),
            "throw_statement" => match children(node).first() {
                Some(value) => StatementKind::Throw(self.expression(*value)),
                None => StatementKind::Other,
            },
            "break_statement" => StatementKind::Break,
            "continue_statement" => StatementKind::Continue,
            "statement_block" => StatementKind::Block(self.statements(node)),
            "labeled_statement" | "internal_module" | "module" | "ambient_declaration" => self.block_of(node),
            "ERROR" => StatementKind::Block(self.statements(node)),
            _ if is_type(node.kind()) => StatementKind::Other,
            _ => StatementKind::Expression(self.expression(node)),
        }
    }

    /// The body of a labelled statement or a namespace.
    fn block_of(&mut self, node: Node) -> StatementKind {
        match node.child_by_field_name("body") {
            Some(body) if body.kind() == "statement_block" => StatementKind::Block(self.statements(body)),
            Some(body) => StatementKind::Block(vec![self.statement(body)]),
            None => StatementKind::Other,
        }
    }

    fn import(&mut self, node: Node) -> Import {
        let module = node.child_by_field_name("source").map(|source| self.string(source)).unwrap_or_default();
        let mut names = Vec::new();
        for clause in children(node).into_iter().filter(|child| child.kind() == "import_clause") {
            for part in children(clause) {
                match part.kind() {
                    "identifier" => names.push((self.spanned(part), "default".to_owned())),
                    "namespace_import" => {
                        names.extend(children(part).first().map(|name| (self.spanned(*name), "*".to_owned())));
                    }
                    "named_imports" => {
                        for specifier in children(part) {
                            let Some(name) = specifier.child_by_field_name("name") else { continue };
                            let local = specifier.child_by_field_name("alias").unwrap_or(name);
                            names.push((self.spanned(local), self.exported(name)));
                        }
                    }
                    _ => {}
                }
            }
        }
        Import { module, names }
    }

    /// A name in an import or export, which may be written as a string.
    fn exported(&self, node: Node) -> String {
        if node.kind() == "string" { self.string(node).value } else { self.slice(node).to_owned() }
    }

    fn export(&mut self, node: Node) -> StatementKind {
        if let Some(declaration) = node.child_by_field_name("declaration") {
            return self.statement_kind(declaration);
        }
        if let Some(value) = node.child_by_field_name("value") {
            return StatementKind::Expression(self.expression(value));
        }
        let module = node.child_by_field_name("source").map(|source| self.string(source));
        let mut names = Vec::new();
        for clause in children(node) {
            match clause.kind() {
                "export_clause" => {
                    for specifier in children(clause) {
                        let Some(name) = specifier.child_by_field_name("name") else { continue };
                        let alias = specifier.child_by_field_name("alias").unwrap_or(name);
                        names.push((Spanned::new(self.exported(name), span(name)), self.exported(alias)));
                    }
                }
                "namespace_export" => names.push((Spanned::new("*".to_owned(), span(clause)), "*".to_owned())),
                _ => {}
            }
        }
        if names.is_empty() && module.is_some() {
            names.push((Spanned::new("*".to_owned(), span(node)), "*".to_owned()));
        }
        StatementKind::Export(Export { module, names })
    }

    fn variables(&mut self, node: Node) -> StatementKind {
        let constant = node.child_by_field_name("kind").is_some_and(|kind| self.slice(kind) == "const");
        let mut declarators = Vec::new();
        for declarator in children(node) {
            let Some(name) = declarator.child_by_field_name("name") else { continue };
            let value = declarator.child_by_field_name("value").map(|value| self.expression(value));
            declarators.push(Declarator { target: self.pattern(name), value });
        }
        StatementKind::Variables { constant, declarators }
    }

    /// A pattern of a declaration, a parameter or an assignment.
    pub(super) fn pattern(&mut self, node: Node) -> Pattern {
        self.deeper(|builder| builder.pattern_kind(node)).unwrap_or(Pattern::Other(span(node)))
    }

    fn pattern_kind(&mut self, node: Node) -> Pattern {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => Pattern::Name(self.spanned(node)),
            "object_pattern" => {
                let mut properties = Vec::new();
                let mut rest = None;
                for child in children(node) {
                    match child.kind() {
                        "shorthand_property_identifier_pattern" => {
                            let name = self.spanned(child);
                            properties.push((name.clone(), Pattern::Name(name), None));
                        }
                        "pair_pattern" => {
                            let (Some(key), Some(value)) =
                                (child.child_by_field_name("key"), child.child_by_field_name("value"))
                            else {
                                continue;
                            };
                            let (pattern, default) = self.with_default(value);
                            properties.push((self.key(key).unwrap_or_default(), pattern, default));
                        }
                        "object_assignment_pattern" => {
                            let Some(left) = child.child_by_field_name("left") else { continue };
                            let name = self.spanned(left);
                            let default = child.child_by_field_name("right").map(|right| self.expression(right));
                            properties.push((name.clone(), Pattern::Name(name), default));
                        }
                        "rest_pattern" => rest = children(child).first().map(|name| self.spanned(*name)),
                        _ => {}
                    }
                }
                Pattern::Object { properties, rest }
            }
            "array_pattern" => {
                let mut elements = Vec::new();
                let mut rest = None;
                let mut cursor = node.walk();
                let mut empty = true;
                for child in node.children(&mut cursor) {
                    match child.kind() {
                        "[" | "]" | "comment" => {}
                        "," => {
                            if empty {
                                elements.push(None);
                            }
                            empty = true;
                        }
                        "rest_pattern" => {
                            rest = children(child).first().map(|name| Box::new(self.pattern(*name)));
                            empty = false;
                        }
                        _ => {
                            elements.push(Some(self.with_default(child)));
                            empty = false;
                        }
                    }
                }
                Pattern::Array { elements, rest }
            }
            "member_expression" | "subscript_expression" => Pattern::Place(Box::new(self.expression(node))),
            "parenthesized_expression" | "non_null_expression" | "as_expression" | "satisfies_expression" => {
                match children(node).first() {
                    Some(inner) => self.pattern(*inner),
                    None => Pattern::Other(span(node)),
                }
            }
            "rest_pattern" => match children(node).first() {
                Some(inner) => self.pattern(*inner),
                None => Pattern::Other(span(node)),
            },
            _ => Pattern::Other(span(node)),
        }
    }

    fn with_default(&mut self, node: Node) -> (Pattern, Option<Expression>) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return (self.pattern(node), None);
        };
        (self.pattern(left), Some(self.expression(right)))
    }

    /// A property's name; `None` for a computed one.
    pub(super) fn key(&self, node: Node) -> Option<Spanned<String>> {
        match node.kind() {
            "computed_property_name" => {
                let inner = children(node).into_iter().next()?;
                (inner.kind() == "string").then(|| self.string(inner))
            }
            "string" => Some(self.string(node)),
            _ => Some(self.spanned(node)),
        }
    }

    /// A function, whatever its form.
    pub(super) fn function(&mut self, node: Node) -> Function {
        let mut parameters = Vec::new();
        if let Some(single) = node.child_by_field_name("parameter") {
            parameters.push((self.pattern(single), None));
        }
        if let Some(list) = node.child_by_field_name("parameters") {
            for parameter in children(list) {
                let Some(pattern) = parameter.child_by_field_name("pattern") else { continue };
                if pattern.kind() == "this" {
                    continue;
                }
                let default = parameter.child_by_field_name("value").map(|value| self.expression(value));
                parameters.push((self.pattern(pattern), default));
            }
        }
        let body = match node.child_by_field_name("body") {
            Some(body) if body.kind() == "statement_block" => self.statements(body),
            Some(body) => {
                let value = self.expression(body);
                vec![Statement { span: value.span, kind: StatementKind::Return(Some(value)) }]
            }
            None => Vec::new(),
        };
        Function { parameters, body, span: span(node) }
    }

    pub(super) fn class(&mut self, node: Node) -> Class {
        let name = node.child_by_field_name("name").map(|name| self.spanned(name));
        let mut methods = Vec::new();
        let mut fields = Vec::new();
        for member in node.child_by_field_name("body").map(children).unwrap_or_default() {
            let Some(key) = member.child_by_field_name("name").and_then(|name| self.key(name)) else { continue };
            match member.kind() {
                "method_definition" => methods.push((key, self.function(member))),
                "public_field_definition" => {
                    if let Some(value) = member.child_by_field_name("value") {
                        fields.push((key, self.expression(value)));
                    }
                }
                _ => {}
            }
        }
        Class { name, methods, fields }
    }

    fn field(&mut self, node: Node, name: &str) -> Expression {
        match node.child_by_field_name(name) {
            Some(child) => self.expression(child),
            None => Expression::other(span(node)),
        }
    }

    fn body(&mut self, node: Node, name: &str) -> Statement {
        match node.child_by_field_name(name) {
            Some(child) => self.statement(child),
            None => Statement { kind: StatementKind::Other, span: span(node) },
        }
    }

    fn condition(&mut self, node: Node) -> StatementKind {
        let otherwise = node
            .child_by_field_name("alternative")
            .and_then(|clause| children(clause).into_iter().next())
            .map(|inner| Box::new(self.statement(inner)));
        StatementKind::If {
            test: self.field(node, "condition"),
            then: Box::new(self.body(node, "consequence")),
            otherwise,
        }
    }

    fn loop_(&mut self, node: Node) -> Loop {
        let body = self.body(node, "body");
        match node.kind() {
            "for_in_statement" => {
                let pattern = match node.child_by_field_name("left") {
                    Some(left) => self.pattern(left),
                    None => Pattern::Other(span(node)),
                };
                let each = Some((pattern, self.field(node, "right")));
                Loop { start: None, each, test: None, step: None, body }
            }
            "for_statement" => {
                let start = node.child_by_field_name("initializer").map(|start| self.statement(start));
                let test = node.child_by_field_name("condition").map(|test| self.expression(test));
                let step = node.child_by_field_name("increment").map(|step| self.expression(step));
                Loop { start, each: None, test, step, body }
            }
            _ => {
                let test = node.child_by_field_name("condition").map(|test| self.expression(test));
                Loop { start: None, each: None, test, step: None, body }
            }
        }
    }

    fn switch(&mut self, node: Node) -> StatementKind {
        let mut cases = Vec::new();
        for arm in node.child_by_field_name("body").map(children).unwrap_or_default() {
            let value = arm.child_by_field_name("value");
            let mut cursor = arm.walk();
            let body: Vec<Node> =
                arm.children_by_field_name("body", &mut cursor).filter(tree_sitter::Node::is_named).collect();
            cases.push(Case {
                value: value.map(|value| self.expression(value)),
                body: body.into_iter().map(|child| self.statement(child)).collect(),
                span: span(arm),
            });
        }
        StatementKind::Switch { subject: self.field(node, "value"), cases }
    }

    fn try_(&mut self, node: Node) -> StatementKind {
        let block = node.child_by_field_name("body").map(|body| self.statements(body)).unwrap_or_default();
        let catch = node.child_by_field_name("handler").map(|handler| Catch {
            parameter: handler.child_by_field_name("parameter").map(|parameter| self.pattern(parameter)),
            body: handler.child_by_field_name("body").map(|body| self.statements(body)).unwrap_or_default(),
            span: span(handler),
        });
        let finally = node
            .child_by_field_name("finalizer")
            .and_then(|clause| clause.child_by_field_name("body"))
            .map(|body| self.statements(body))
            .unwrap_or_default();
        StatementKind::Try { block, catch, finally }
    }
}

/// Declarations that exist for the type checker only.
fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "interface_declaration"
            | "type_alias_declaration"
            | "enum_declaration"
            | "empty_statement"
            | "debugger_statement"
            | "function_signature"
            | "import_alias"
            | "hash_bang_line"
            | "decorator"
    )
}
