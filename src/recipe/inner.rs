//! Programs of inner shells: `bash -c '…'` in a script.

use std::sync::Arc;

use super::{Holes, Script};
use crate::syntax::shell;
use crate::syntax::shell::ast::{CommandKind, PartKind, Word};
use crate::syntax::shell::visit;
use crate::text::{Fragment, Span};

/// Deepest nesting of programs within programs that is read.
const DEEPEST: usize = 3;

/// The single-quoted programs of a script's inner shells, each with the place of its quotes in `fragment`. What is in
/// double quotes is put together by the outer shell and is no fixed text.
pub(super) fn programs(tree: &shell::Script, fragment: &Fragment, key: Span, depth: usize) -> Vec<(Span, Script)> {
    if depth >= DEEPEST || !fragment.text().contains(" -") || !fragment.text().contains("sh") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for command in visit::commands(&tree.body) {
        let CommandKind::Simple(simple) = &command.kind else { continue };
        let Some(name) = simple.words.iter().position(is_shell) else { continue };
        let Some(flag) = simple.words.iter().skip(name + 1).position(is_program_flag) else { continue };
        let Some([part]) = simple.words.get(name + flag + 2).map(|word| word.parts.as_slice()) else { continue };
        if !matches!(part.kind, PartKind::SingleQuoted(_)) || part.span.end < part.span.start + 2 {
            continue;
        }
        let inner = fragment.part(part.span.start + 1..part.span.end - 1);
        let tree = Arc::new(shell::parse(inner.text(), shell::Options { holes: shell::Holes::None }));
        let programs = programs(&tree, &inner, key, depth + 1);
        let fragment = Arc::new(inner);
        let script = Script { fragment, tree, key, pipefail: false, errexit: false, holes: Holes::None, programs };
        found.push((part.span, script));
    }
    found
}

fn literal(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [part] => match &part.kind {
            PartKind::Literal(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn is_shell(word: &Word) -> bool {
    let name = literal(word).map(|text| text.rsplit('/').next().unwrap_or(text));
    matches!(name, Some("bash" | "sh" | "zsh" | "dash" | "ksh"))
}

fn is_program_flag(word: &Word) -> bool {
    literal(word).is_some_and(|text| text.starts_with('-') && !text.starts_with("--") && text.contains('c'))
}
