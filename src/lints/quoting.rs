//! Quoting an agent's text where the shell would read it as more than a text.

use std::ops::Range;

use super::edits::{in_script, script_at};
use super::{Context, Finding, Fix, Safety};
use crate::flow::Misuse;
use crate::text::Span;

/// Adds the edit that quotes the word of a finding, where its command shows that nothing else changes.
pub(crate) fn quote(cx: &Context<'_>, finding: Finding, misuse: Misuse) -> Finding {
    let edit = || {
        let (script, place) = script_at(cx, finding.place)?;
        let (range, new) = quoted(script.fragment.text(), place.range(), misuse)?;
        Some((in_script(cx, script, Span::new(range.start, range.end), &new)?, new))
    };
    match edit() {
        Some((edit, new)) => {
            finding.fix(Fix { title: format!("Write `{}`", new.trim()), safety: Safety::Safe, edits: vec![edit] })
        }
        None => finding,
    }
}

/// What to write for a word of a script, and the range that it replaces.
fn quoted(text: &str, word: Range<usize>, misuse: Misuse) -> Option<(Range<usize>, String)> {
    let written = text.get(word.clone())?;
    let before = text.get(..word.start)?;
    let after = text.get(word.end..)?;
    if written.contains('\n') {
        return None;
    }
    match misuse {
        Misuse::Split | Misuse::Pattern => {
            let line = before.rsplit('\n').next().unwrap_or_default();
            // Quoted, it could still be an option.
            let guard = if begins_operands(before, after) { "-- " } else { "" };
            (written.starts_with('$') && !wants_parts(line)).then(|| (word, format!("{guard}\"{written}\"")))
        }
        Misuse::Format => {
            let blank = before.trim_end_matches([' ', '\t']);
            if !is_command(blank, "printf") || !ends_here(after) {
                return None;
            }
            let bare = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(written);
            let (bare, format) = bare.strip_suffix("\\n").map_or((bare, "'%s'"), |bare| (bare, "'%s\\n'"));
            let plain = bare.starts_with('$') && !bare.contains(['%', '\\', '"', '\'']);
            plain.then(|| (word, format!("{format} \"{bare}\"")))
        }
        Misuse::Echo => {
            let blank = before.trim_end_matches([' ', '\t']);
            if !is_command(blank, "echo") || !after.trim_start_matches([' ', '\t']).starts_with('|') {
                return None;
            }
            let bare = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(written);
            let plain = bare.starts_with('$') && !bare.contains(['"', '\'']);
            plain.then(|| (blank.len() - "echo".len()..word.end, format!("printf '%s\\n' \"{bare}\"")))
        }
        Misuse::Option => begins_operands(before, after).then(|| (word.start..word.start, "-- ".to_owned())),
    }
}

/// Whether a word is the first operand of a command that is known to end its options with `--`, and no option follows
/// it: behind `--` that would become an operand.
fn begins_operands(before: &str, after: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let command = line.rsplit(['|', ';', '&', '(']).next().unwrap_or_default();
    let mut words = command.split_whitespace();
    let known = words
        .next()
        .is_some_and(|name| matches!(name, "rm" | "rmdir" | "mv" | "cp" | "mkdir" | "touch" | "cat" | "ls"));
    let rest = after.split(['|', ';', '&', ')', '\n']).next().unwrap_or_default();
    let apart = before.ends_with([' ', '\t']) && after.chars().next().is_none_or(|c| !c.is_alphanumeric());
    known && apart && words.all(|word| word.starts_with('-') && word != "--") && !rest.contains(" -")
}

/// Splitting is what `for x in $list`, `set --` and lists of array elements are for.
fn wants_parts(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.clone().any(|word| matches!(word, "for" | "select" | "set" | "read"))
        || words.any(|word| word.ends_with("=(") || word.contains("=("))
}

/// Whether the text ends with this command's name as a word of its own.
fn is_command(text: &str, name: &str) -> bool {
    let Some(rest) = text.strip_suffix(name) else { return false };
    rest.chars().next_back().is_none_or(|c| c.is_whitespace() || matches!(c, '(' | ';' | '|' | '&' | '{'))
}

/// Whether a command has no further words after this place.
fn ends_here(after: &str) -> bool {
    let after = after.trim_start_matches([' ', '\t']);
    after.is_empty() || after.starts_with(['\n', '|', ';', '&', ')', '>'])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn written(text: &str, word: &str, misuse: Misuse) -> Option<String> {
        let start = text.find(word).unwrap();
        let (range, new) = quoted(text, start..start + word.len(), misuse)?;
        Some(format!("{}{new}{}", &text[..range.start], &text[range.end..]))
    }

    #[test]
    fn words_are_quoted_where_nothing_else_changes() {
        for (text, word, misuse, wanted) in [
            ("./go $X", "$X", Misuse::Split, Some("./go \"$X\"")),
            ("./go a${X}b", "${X}", Misuse::Split, Some("./go a\"${X}\"b")),
            ("rm -r $X", "$X", Misuse::Split, Some("rm -r -- \"$X\"")),
            ("rm -- $X", "$X", Misuse::Split, Some("rm -- \"$X\"")),
            ("rm -r ./a$X", "$X", Misuse::Split, Some("rm -r ./a\"$X\"")),
            ("for w in $X; do :; done", "$X", Misuse::Split, None),
            ("set -- $X", "$X", Misuse::Split, None),
            ("all=($X)", "$X", Misuse::Split, None),
            ("[[ $a == $b ]]", "$b", Misuse::Pattern, Some("[[ $a == \"$b\" ]]")),
            ("printf \"$X\"", "\"$X\"", Misuse::Format, Some("printf '%s' \"$X\"")),
            ("printf \"$X\\n\" > f", "\"$X\\n\"", Misuse::Format, Some("printf '%s\\n' \"$X\" > f")),
            ("printf \"$X %s\" y", "\"$X %s\"", Misuse::Format, None),
            ("printf \"a\\t$X\"", "\"a\\t$X\"", Misuse::Format, None),
            ("echo \"$X\" | ./go", "\"$X\"", Misuse::Echo, Some("printf '%s\\n' \"$X\" | ./go")),
            ("if echo $X | ./go; then :; fi", "$X", Misuse::Echo, Some("if printf '%s\\n' \"$X\" | ./go; then :; fi")),
            ("echo -n \"$X\" | ./go", "\"$X\"", Misuse::Echo, None),
            ("echo \"$X\" more | ./go", "\"$X\"", Misuse::Echo, None),
            ("rm -r \"$X\"", "\"$X\"", Misuse::Option, Some("rm -r -- \"$X\"")),
            ("rm \"$X\" -r", "\"$X\"", Misuse::Option, None),
            ("git checkout \"$X\"", "\"$X\"", Misuse::Option, None),
        ] {
            assert_eq!(written(text, word, misuse).as_deref(), wanted, "{text}");
        }
    }
}
