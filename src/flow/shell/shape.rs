//! Questions about the form of a tree, whatever the values are.

use crate::syntax::shell::ast::{
    AndOr, AssignValue, Assignment, Command, CommandKind, List, ParameterOp, PartKind, Pipeline, Simple, TestKind,
    Word, WordPart,
};

/// The pipeline that is all of a list.
pub(super) fn sole(list: &List) -> Option<&Pipeline> {
    match list.items.as_slice() {
        [item] if item.rest.is_empty() => Some(&item.first),
        _ => None,
    }
}

/// The text of a word of one literal part.
pub(super) fn plain_text(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [part] => match &part.kind {
            PartKind::Literal(text) | PartKind::SingleQuoted(text) | PartKind::AnsiQuoted(text) => Some(text),
            PartKind::DoubleQuoted(parts) => match parts.as_slice() {
                [inner] => match &inner.kind {
                    PartKind::Literal(text) => Some(text),
                    _ => None,
                },
                [] => Some(""),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The text of a word with its variables as `$name` and everything else left out: a name for a file whose path is not known.
pub(super) fn raw_text(word: &Word) -> String {
    fn add(parts: &[WordPart], into: &mut String) {
        for part in parts {
            match &part.kind {
                PartKind::Literal(text)
                | PartKind::SingleQuoted(text)
                | PartKind::AnsiQuoted(text)
                | PartKind::Pattern(text) => into.push_str(text),
                PartKind::DoubleQuoted(parts) | PartKind::SingleQuotedWithHoles(parts) => add(parts, into),
                PartKind::Parameter(parameter) => {
                    into.push('$');
                    into.push_str(&parameter.name);
                }
                PartKind::Hole(hole) => {
                    into.push_str("{{");
                    into.push_str(&hole.text);
                    into.push_str("}}");
                }
                _ => into.push('\u{1}'),
            }
        }
    }
    let mut text = String::new();
    add(&word.parts, &mut text);
    text
}

/// The part that is the whole word, quotes left out.
pub(super) fn sole_part(word: &Word) -> Option<&PartKind> {
    let mut parts = word.parts.as_slice();
    if let [part] = parts
        && let PartKind::DoubleQuoted(inner) = &part.kind
    {
        parts = inner;
    }
    match parts {
        [part] => Some(&part.kind),
        _ => None,
    }
}

/// The name of the variable that is the whole word.
pub(super) fn whole_variable(word: &Word) -> Option<&str> {
    match sole_part(word)? {
        PartKind::Parameter(parameter) => Some(&parameter.name),
        _ => None,
    }
}

/// The name of the array whose members are the whole word: `"${x[@]}"`, and `@` of `"$@"`.
pub(super) fn whole_array(word: &Word) -> Option<&str> {
    match sole_part(word)? {
        PartKind::Parameter(parameter) if parameter.op == ParameterOp::Plain && !parameter.indirect => {
            if matches!(parameter.name.as_str(), "@" | "*") {
                return Some(&parameter.name);
            }
            let index = parameter.index.as_ref()?;
            let all = matches!(index.parts.as_slice(), [part]
                if matches!(&part.kind, PartKind::Literal(text) | PartKind::Pattern(text) if text == "@" || text == "*"));
            all.then_some(&parameter.name)
        }
        _ => None,
    }
}

/// The list of a word that is one command substitution.
pub(super) fn substituted(word: &Word) -> Option<&[AndOr]> {
    match sole_part(word)? {
        PartKind::Substitution(substitution) => Some(&substitution.body.items),
        _ => None,
    }
}

pub(super) fn only_assignment(simple: &Simple) -> Option<&Assignment> {
    match simple.assignments.as_slice() {
        [assignment] if simple.words.is_empty() => Some(assignment),
        _ => None,
    }
}

/// Whether a list sets a variable to a constant.
pub(super) fn assigns_literal(list: &List, name: &str) -> bool {
    list.items.iter().any(|item| match item.first.commands.as_slice() {
        [Command { kind: CommandKind::Simple(simple), .. }] => only_assignment(simple).is_some_and(|assignment| {
            assignment.name == name
                && matches!(&assignment.value, AssignValue::Word(word) if plain_text(word).is_some())
        }),
        _ => false,
    })
}

/// `echo X` or `printf 'X'`: the text.
pub(super) fn printed_literal(simple: &Simple) -> Option<&str> {
    let name = plain_text(simple.words.first()?)?;
    let last = simple.words.get(1..)?.iter().rev().find_map(plain_text);
    match name {
        "echo" => last.or(Some("")),
        "printf" => last,
        _ => None,
    }
}

/// The variable of `[ -z "$V" ]`.
pub(super) fn tested_empty(condition: &List) -> Option<&str> {
    let [item] = condition.items.as_slice() else { return None };
    let (word, empty) = tested_presence(&item.first)?;
    (empty && item.rest.is_empty()).then(|| whole_variable(word)).flatten()
}

/// The word of a test that only asks whether there is any text, and whether it is true when there is none.
pub(super) fn tested_presence(pipeline: &Pipeline) -> Option<(&Word, bool)> {
    let [command] = pipeline.commands.as_slice() else { return None };
    let (word, empty) = match &command.kind {
        CommandKind::Simple(simple) => {
            let words: Vec<&Word> = simple.words.iter().collect();
            let words = match (plain_text(words.first()?)?, words.get(1..)?) {
                ("test", words) => words,
                ("[", [words @ .., _]) => words,
                _ => return None,
            };
            match words {
                [word] => (*word, false),
                [operator, word] => (*word, asks_for_none(plain_text(operator)?)?),
                [word, operator, other] if plain_text(other) == Some("") => (*word, is_equal(plain_text(operator)?)?),
                _ => return None,
            }
        }
        CommandKind::Test(test) => match &test.kind {
            TestKind::Word(word) => (word, false),
            TestKind::Unary(operator, word) => (word, asks_for_none(operator)?),
            TestKind::Binary(word, operator, other) if plain_text(other) == Some("") => (word, is_equal(operator)?),
            _ => return None,
        },
        _ => return None,
    };
    Some((word, empty != pipeline.negated))
}

fn asks_for_none(operator: &str) -> Option<bool> {
    match operator {
        "-z" => Some(true),
        "-n" => Some(false),
        _ => None,
    }
}

fn is_equal(operator: &str) -> Option<bool> {
    match operator {
        "=" | "==" => Some(true),
        "!=" => Some(false),
        _ => None,
    }
}

/// `>(…)`
pub(super) fn process_of(word: &Word) -> Option<&List> {
    match word.parts.as_slice() {
        [only] => match &only.kind {
            PartKind::Process(process) if process.output => Some(&process.body),
            _ => None,
        },
        _ => None,
    }
}
