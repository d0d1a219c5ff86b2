//! Programs of inner shells: `bash -c '…'` in a script, and here-documents that are a shell's program or become a file
//! of one.

use crate::syntax::shell;
use crate::syntax::shell::ast::{Command, CommandKind, HereDocument, PartKind, RedirectKind, Simple, Word};
use crate::syntax::shell::visit;
use crate::text::Span;

/// The quoted programs of a script's inner shells in which nothing is for the outer shell, each with the place of its
/// quotes in the script's text, and the here-documents with a quoted delimiter that are or become such a program, each
/// with the place of its body; behind it the place of the program itself. What else is in double quotes or in other
/// here-documents is put together by the outer shell and is no fixed text.
pub(super) fn programs(tree: &shell::Script, text: &str) -> Vec<(Span, Span)> {
    if !(text.contains(" -") || text.contains("<<")) || !text.contains("sh") {
        return Vec::new();
    }
    let of_command = |command: &Command| match &command.kind {
        CommandKind::Simple(simple) => quoted_program(simple, text).or_else(|| document_program(command, simple)),
        _ => None,
    };
    visit::commands(&tree.body).into_iter().filter_map(of_command).collect()
}

/// The place of `'…'` in `bash -c '…'`, and of what is inside; of `"…"`, too, where it is a fixed text.
fn quoted_program(simple: &Simple, text: &str) -> Option<(Span, Span)> {
    let name = simple.words.iter().position(is_shell)?;
    let flag = simple.words.iter().skip(name + 1).position(is_program_flag)?;
    let [part] = simple.words.get(name + flag + 2)?.parts.as_slice() else { return None };
    if part.span.end < part.span.start + 2 {
        return None;
    }
    let inside = match &part.kind {
        PartKind::SingleQuoted(_) => Span::new(part.span.start + 1, part.span.end - 1),
        // Nothing in it is for the outer shell; `$"…"` has two signs before it.
        PartKind::DoubleQuoted(parts) => {
            let [only] = parts.as_slice() else { return None };
            let fixed = matches!(only.kind, PartKind::Literal(_)) && !text.get(only.span.range())?.contains('\\');
            fixed.then_some(only.span)?
        }
        _ => return None,
    };
    Some((part.span, inside))
}

/// The body of `bash <<'END'` or `cat > x.sh <<'END'`.
fn document_program(command: &Command, simple: &Simple) -> Option<(Span, Span)> {
    let document = command.redirects.iter().find_map(|redirect| match &redirect.kind {
        RedirectKind::HereDocument(document) => Some(document),
        _ => None,
    })?;
    let runs = simple.words.iter().any(is_shell) && !simple.words.iter().any(is_program_flag);
    let writes = command.redirects.iter().any(
        |redirect| matches!(&redirect.kind, RedirectKind::Output(word) if literal(word).is_some_and(is_script_name)),
    );
    let tees = simple.words.iter().any(|word| literal(word) == Some("tee"))
        && simple.words.iter().any(|word| literal(word).is_some_and(is_script_name));
    ((runs || writes || tees) && is_fixed(document)).then_some((document.body.span, document.body.span))
}

fn is_fixed(document: &HereDocument) -> bool {
    let plain = matches!(document.body.parts.as_slice(), [part] if matches!(part.kind, PartKind::Literal(_)));
    document.quoted && plain && !document.strip_tabs
}

fn is_script_name(path: &str) -> bool {
    [".sh", ".bash"].iter().any(|ending| path.ends_with(ending))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_stand_between_their_quotes() {
        for (script, program) in [
            ("bash -c 'echo a'", "echo a"),
            ("bash -c \"echo a\"", "echo a"),
            ("bash -c $\"echo a\"", "echo a"),
            ("bash <<'END'\necho a\nEND\n", "echo a\n"),
        ] {
            let tree = shell::parse(script, shell::Options::default());
            let found: Vec<_> =
                programs(&tree, script).into_iter().map(|(_, inside)| script.get(inside.range())).collect();
            assert_eq!(found, [Some(program)], "{script}");
        }
        for script in ["bash -c \"$x\"", "bash -c \"a \\$x\"", "bash -c \"\"", "bash <<END\n$x\nEND\n"] {
            assert_eq!(programs(&shell::parse(script, shell::Options::default()), script), [], "{script}");
        }
    }
}
