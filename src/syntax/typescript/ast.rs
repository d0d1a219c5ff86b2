//! The tree of a TypeScript or JavaScript text, without its types: `x as T`, `x satisfies T`, `x!`, `<T>x` and
//! parentheses are the expression inside them. Spans are offsets of the text that was parsed.

use std::sync::Arc;

use crate::text::{Fragment, Span, Spanned, SyntaxError};

/// A whole text.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its statements.
    pub statements: Vec<Statement>,
    /// Its comments in order, delimiters included.
    pub comments: Vec<Span>,
    /// What could not be read: the first place only, the rest of the tree is there all the same.
    pub errors: Vec<SyntaxError>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where.
    pub span: Span,
}

/// Kinds of statement.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `import … from "module"`
    Import(Import),
    /// `export … from "module"`, `export { a as b }`
    Export(Export),
    /// `const`, `let`, `var`
    Variables {
        /// `const`
        constant: bool,
        /// One for each name or pattern.
        declarators: Vec<Declarator>,
    },
    /// `function name() {}`
    Function(Spanned<String>, Box<Function>),
    /// A class: its methods and field values.
    Class(Class),
    /// An expression on its own.
    Expression(Expression),
    /// `if`
    If {
        /// The condition.
        test: Expression,
        /// What runs when it holds.
        then: Box<Statement>,
        /// `else`
        otherwise: Option<Box<Statement>>,
    },
    /// `for`, `for … of`, `for … in`, `while`, `do`
    Loop(Box<Loop>),
    /// `switch`
    Switch {
        /// What is compared.
        subject: Expression,
        /// The arms in order.
        cases: Vec<Case>,
    },
    /// `try`
    Try {
        /// What is tried.
        block: Vec<Statement>,
        /// `catch`
        catch: Option<Catch>,
        /// `finally`
        finally: Vec<Statement>,
    },
    /// `return`
    Return(Option<Expression>),
    /// `throw`
    Throw(Expression),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `{ … }`, also of a namespace.
    Block(Vec<Statement>),
    /// Types, empty statements, and what is nested too deeply to be read.
    Other,
}

/// An import.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// The module as written.
    pub module: Spanned<String>,
    /// Local names with the exported name that they stand for: `default`, `*` for the whole namespace.
    pub names: Vec<(Spanned<String>, String)>,
}

/// An export of names, or of another module's names.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// The other module.
    pub module: Option<Spanned<String>>,
    /// Pairs of the name here and the name outside; `*` for all.
    pub names: Vec<(Spanned<String>, String)>,
}

/// A declared name or pattern with its value.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// What is declared.
    pub target: Pattern,
    /// Its value.
    pub value: Option<Expression>,
}

/// What a value is bound to.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A name.
    Name(Spanned<String>),
    /// `{ a, b: c, d = 1, ...rest }`
    Object {
        /// Key, what its value is bound to, and its default.
        properties: Vec<(Spanned<String>, Pattern, Option<Expression>)>,
        /// `...rest`
        rest: Option<Spanned<String>>,
    },
    /// `[a, , b = 1, ...rest]`
    Array {
        /// The elements with their defaults.
        elements: Vec<Option<(Pattern, Option<Expression>)>>,
        /// `...rest`
        rest: Option<Box<Pattern>>,
    },
    /// `a.b = …`, `a[b] = …`
    Place(Box<Expression>),
    /// Anything else.
    Other(Span),
}

/// A function, arrow function or method.
#[derive(Clone, Debug)]
pub struct Function {
    /// Parameters with their defaults.
    pub parameters: Vec<(Pattern, Option<Expression>)>,
    /// Its statements; an arrow function with an expression has one `return`.
    pub body: Vec<Statement>,
    /// The whole function.
    pub span: Span,
}

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: Option<Spanned<String>>,
    /// Methods by name.
    pub methods: Vec<(Spanned<String>, Function)>,
    /// Values of fields.
    pub fields: Vec<(Spanned<String>, Expression)>,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// What runs first, in `for (…; …; …)`.
    pub start: Option<Statement>,
    /// `for (pattern of value)`; for `in`, the keys.
    pub each: Option<(Pattern, Expression)>,
    /// The condition.
    pub test: Option<Expression>,
    /// What runs after each round.
    pub step: Option<Expression>,
    /// The body.
    pub body: Statement,
}

/// An arm of a `switch`.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its value; `None` for `default`.
    pub value: Option<Expression>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// The whole arm.
    pub span: Span,
}

/// A `catch`.
#[derive(Clone, Debug)]
pub struct Catch {
    /// The error's name.
    pub parameter: Option<Pattern>,
    /// Its statements.
    pub body: Vec<Statement>,
    /// The whole clause.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where.
    pub span: Span,
}

/// Kinds of expression.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// A name; `this` and `super` are names.
    Name(String),
    /// `"…"`, `'…'`
    String(Arc<Fragment>),
    /// `` `…${x}…` ``
    Template(Vec<TemplatePart>),
    /// `/…/flags`
    Regex {
        /// Between the slashes.
        pattern: String,
        /// After them.
        flags: String,
    },
    /// A number as written.
    Number(String),
    /// `true`, `false`
    Boolean(bool),
    /// `null`
    Null,
    /// `undefined`, `void 0`
    Undefined,
    /// `[…]`
    Array(Vec<Element>),
    /// `{…}`
    Object(Vec<Property>),
    /// `object.property`, `object?.property`
    Member {
        /// What it is a member of.
        object: Box<Expression>,
        /// Its name.
        property: Spanned<String>,
    },
    /// `object[index]`
    Index {
        /// What it is an element of.
        object: Box<Expression>,
        /// Which one.
        index: Box<Expression>,
    },
    /// `f(x)`, `new F(x)`
    Call {
        /// What is called.
        callee: Box<Expression>,
        /// With what.
        arguments: Vec<Element>,
        /// `new`
        constructs: bool,
    },
    /// `` tag`…` ``
    Tagged {
        /// The function.
        tag: Box<Expression>,
        /// The template.
        parts: Vec<TemplatePart>,
    },
    /// A function.
    Function(Box<Function>),
    /// A class expression.
    Class(Box<Class>),
    /// `!x`, `-x`, `typeof x`, …
    Unary {
        /// The operator.
        operator: String,
        /// Its operand.
        operand: Box<Expression>,
    },
    /// `a + b + c` in one, however long.
    Sum(Vec<Expression>),
    /// Two operands and anything but `+`, `&&`, `||`, `??`.
    Binary {
        /// The operator as written: `===`, `<`, `in`, `instanceof`, …
        operator: String,
        /// Left operand.
        left: Box<Expression>,
        /// Right operand.
        right: Box<Expression>,
    },
    /// `a && b`, `a || b`, `a ?? b`
    Logical {
        /// Which.
        operator: Logical,
        /// Left operand.
        left: Box<Expression>,
        /// Right operand.
        right: Box<Expression>,
    },
    /// `test ? then : otherwise`
    Conditional {
        /// The condition.
        test: Box<Expression>,
        /// When it holds.
        then: Box<Expression>,
        /// When it does not.
        otherwise: Box<Expression>,
    },
    /// `target = value`, `target += value`
    Assign {
        /// `=`, `+=`, `??=`, …
        operator: String,
        /// What is assigned to.
        target: Box<Pattern>,
        /// The value.
        value: Box<Expression>,
    },
    /// `await x`
    Await(Box<Expression>),
    /// `a, b`, and the operands of what has no kind of its own.
    Sequence(Vec<Expression>),
    /// A hole that another templating fills before the program is read.
    Hole,
    /// What could not be read, or is nested too deeply.
    Other,
}

/// Short-circuit operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logical {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `??`
    Nullish,
}

/// A part of a template string.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    /// Text.
    Text(Arc<Fragment>),
    /// `${…}`
    Value(Expression),
}

/// An element of an array or an argument of a call.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its value.
    pub value: Expression,
    /// `...value`
    pub spread: bool,
}

/// A property of an object literal.
#[derive(Clone, Debug)]
pub enum Property {
    /// `key: value`, `key() {}` (a function), and `key` alone (a name).
    Value(Spanned<String>, Expression),
    /// `[key]: value`
    Computed(Expression, Expression),
    /// `...value`
    Spread(Expression),
}

impl Expression {
    /// An expression that says nothing.
    pub fn other(span: Span) -> Self {
        Self { kind: ExpressionKind::Other, span }
    }

    /// The expression under `await`s.
    pub fn awaited(&self) -> &Self {
        let mut expression = self;
        while let ExpressionKind::Await(inner) = &expression.kind {
            expression = inner;
        }
        expression
    }

    /// The name, if it is one.
    pub fn name(&self) -> Option<&str> {
        match &self.kind {
            ExpressionKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// `a.b.c` as its parts, if it is nothing but names.
    pub fn path(&self) -> Option<Vec<&str>> {
        let mut parts = Vec::new();
        let mut at = self;
        loop {
            match &at.kind {
                ExpressionKind::Member { object, property } => {
                    parts.push(property.value.as_str());
                    at = object;
                }
                ExpressionKind::Name(name) => {
                    parts.push(name);
                    parts.reverse();
                    return Some(parts);
                }
                _ => return None,
            }
        }
    }

    /// The properties of an object literal.
    pub fn object(&self) -> Option<&[Property]> {
        match &self.kind {
            ExpressionKind::Object(properties) => Some(properties),
            _ => None,
        }
    }
}

impl Pattern {
    /// All names that it binds.
    pub fn names<'a>(&'a self, into: &mut Vec<&'a Spanned<String>>) {
        let mut stack = vec![self];
        while let Some(pattern) = stack.pop() {
            match pattern {
                Self::Name(name) => into.push(name),
                Self::Object { properties, rest } => {
                    stack.extend(properties.iter().map(|(_, pattern, _)| pattern));
                    into.extend(rest);
                }
                Self::Array { elements, rest } => {
                    stack.extend(elements.iter().flatten().map(|(pattern, _)| pattern));
                    stack.extend(rest.as_deref());
                }
                Self::Place(_) | Self::Other(_) => {}
            }
        }
    }
}
