//! TypeScript and JavaScript, read by tree-sitter and handed on as an own small tree: nothing of tree-sitter leaks,
//! and the tree is never deeper than [`MAX_DEPTH`], so that its readers may recurse.

mod ast;
mod build;
mod expression;
mod fold;
mod scope;
#[cfg(test)]
mod tests;
mod text;
mod walk;

use std::borrow::Cow;
use std::ops::Range;

pub use ast::*;
pub use fold::{Fold, Folded, Member, Members};
pub use scope::{Binding, Declaration, Scopes, Step};
pub use walk::{Visit, walk, walk_expression, walk_statement};

use crate::text::{Span, SyntaxError};

/// Levels of statements and expressions in one another that are read; what is deeper is left out.
pub const MAX_DEPTH: usize = 160;

/// Bytes of a text that is read; a longer one gives an error and an empty tree.
pub const MAX_BYTES: usize = 2_000_000;

/// Which grammar to read with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// TypeScript, which JavaScript is a part of.
    TypeScript,
    /// With elements: `.tsx`, `.jsx`.
    Tsx,
}

impl Grammar {
    /// The grammar for a file's name. JavaScript files may hold elements, too, but then no `<T>x` assertions.
    pub fn of(path: &std::path::Path) -> Self {
        match path.extension().and_then(std::ffi::OsStr::to_str) {
            Some("tsx" | "jsx" | "js" | "mjs" | "cjs") => Self::Tsx,
            _ => Self::TypeScript,
        }
    }
}

/// Reads a text. Errors are values: see [`Program::errors`].
pub fn parse(text: &str, grammar: Grammar) -> Program {
    parse_with_holes(text, grammar, &[])
}

/// Reads a text in which another templating fills `holes` (byte ranges, in order): they count as one name where they
/// stand alone, and as a [`ExpressionKind::Hole`] part of the string that holds them.
pub fn parse_with_holes(text: &str, grammar: Grammar, holes: &[Range<usize>]) -> Program {
    if text.len() > MAX_BYTES {
        let message = format!("the text has {} bytes and only {MAX_BYTES} are read", text.len());
        return Program { errors: vec![SyntaxError { span: Span::at(0), message }], ..Program::default() };
    }
    let filled = without_import_types(without_using(fill(text, holes)));
    let language = match grammar {
        Grammar::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        Grammar::Tsx => tree_sitter_typescript::LANGUAGE_TSX,
    };
    let mut parser = tree_sitter::Parser::new();
    let tree = match parser.set_language(&language.into()) {
        Ok(()) => parser.parse(filled.as_ref(), None),
        Err(_) => None,
    };
    match tree {
        Some(tree) => build::program(&filled, holes, tree.root_node()),
        None => Program {
            errors: vec![SyntaxError { span: Span::at(0), message: "the text cannot be read".to_owned() }],
            ..Program::default()
        },
    }
}

/// `using` declarations are younger than the grammar: they are read as `const` ones of the same length.
fn without_using(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains("using ") {
        return text;
    }
    let mut read = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.trim_start();
        let indent = line.get(..line.len() - body.len()).unwrap_or_default();
        let declared = |keyword: &str| {
            let rest = body.strip_prefix(keyword)?;
            let name = rest.trim_start_matches(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$'));
            (name.len() < rest.len() && name.trim_start().starts_with(['=', ':'])).then_some(rest)
        };
        read.push_str(indent);
        if let Some(rest) = declared("await using ") {
            read.push_str("const       ");
            read.push_str(rest);
        } else if let Some(rest) = declared("using ") {
            read.push_str("const ");
            read.push_str(rest);
        } else {
            read.push_str(body);
        }
    }
    read.into()
}

/// `typeof import("x")` and `readonly import("x")` are types that the grammar does not have: a name of the same length
/// stands for them.
fn without_import_types(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(" import(") {
        return text;
    }
    let mut read = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(at) = rest.find(" import(") {
        let (before, from) = rest.split_at(at + 1);
        read.push_str(before);
        let is_type = ["typeof ", "readonly "].iter().any(|word| before.ends_with(word));
        let end = from.find(')').map(|end| end + 1).filter(|end| is_type && *end < 200);
        if let Some((import, after)) = end.and_then(|end| from.split_at_checked(end)) {
            read.extend(import.bytes().map(|byte| if byte == b'\n' { '\n' } else { '_' }));
            rest = after;
        } else {
            read.push_str("import(");
            rest = from.get("import(".len()..).unwrap_or_default();
        }
    }
    read.push_str(rest);
    read.into()
}

/// The text with every hole as a name of the same length, so that offsets stay.
fn fill<'a>(text: &'a str, holes: &[Range<usize>]) -> Cow<'a, str> {
    if holes.is_empty() {
        return text.into();
    }
    let mut filled = String::with_capacity(text.len());
    let mut at = 0;
    for hole in holes {
        let (Some(before), Some(inside)) = (text.get(at..hole.start), text.get(hole.clone())) else { continue };
        filled.push_str(before);
        filled.extend(std::iter::repeat_n('_', inside.len()));
        at = hole.end;
    }
    filled.push_str(text.get(at..).unwrap_or_default());
    filled.into()
}
