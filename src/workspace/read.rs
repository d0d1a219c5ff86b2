//! One file, from bytes to model.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::disk::{Contents, Disk, READ_LIMIT};
use crate::recipe::dialects::{self, Lowered};
use crate::recipe::{Dialect, File, FileId, MentionKind, Problem};
use crate::text::{Source, Span, SyntaxError};

/// Reads and lowers a file. `shown` is the path that findings name. `None` where it is nothing that this linter knows
/// and `named` is false; a file that the user named is always read, as [`Dialect::Unknown`] if need be. The file's
/// number is set by whoever puts it into an index.
pub fn read(disk: &Disk, location: &Path, shown: &Path, named: bool) -> io::Result<Option<File>> {
    let contents = disk.read(location)?;
    let dialect = dialect_of(location, contents.start(), named);
    Ok(dialect.map(|dialect| file(location, shown, dialect, contents)))
}

/// Reads a file that another one mentions, as what it is mentioned as.
pub(super) fn read_as(disk: &Disk, location: &Path, shown: &Path, kind: MentionKind) -> io::Result<File> {
    let contents = disk.read(location)?;
    let dialect = match (kind, &contents) {
        (MentionKind::Prompt, _) => Dialect::Prompt,
        (MentionKind::Package, _) => Dialect::Package,
        (MentionKind::Judge, _) => Dialect::AgentUse,
        (MentionKind::Recipe, Contents::Text(text)) => dialect_of(location, text, true).unwrap_or(Dialect::Unknown),
        (MentionKind::Script, Contents::Text(text)) => script_dialect(location, text),
        (MentionKind::Recipe | MentionKind::Script, _) => Dialect::Unknown,
    };
    Ok(file(location, shown, dialect, contents))
}

/// The format of a file; for a named one at least [`Dialect::Unknown`].
pub fn dialect_of(location: &Path, text: &str, named: bool) -> Option<Dialect> {
    if named {
        Some(dialects::assume(location, text).unwrap_or(Dialect::Unknown))
    } else {
        dialects::detect(location, text)
    }
}

/// What a script is written in, by its ending or its first line.
fn script_dialect(location: &Path, text: &str) -> Dialect {
    let interpreter = text.strip_prefix("#!").and_then(|rest| rest.lines().next()).unwrap_or_default();
    match dialects::assume(location, text) {
        Some(dialect @ (Dialect::Script | Dialect::Program)) => dialect,
        _ if location.extension().is_some() => Dialect::Unknown,
        _ if interpreter.ends_with("sh") || interpreter.contains("sh ") => Dialect::Script,
        _ if interpreter.contains("node") || interpreter.contains("deno") || interpreter.contains("bun") => {
            Dialect::Program
        }
        _ => Dialect::Unknown,
    }
}

/// Lowers a text, as from an editor's buffer. A text on which that panics is a file of which nothing is known but that.
pub fn lower(location: &Path, source: Source, dialect: Dialect) -> File {
    let lowered = catch_unwind(AssertUnwindSafe(|| dialects::lower(dialect, &source)));
    let Lowered { yaml, recipe, errors } = lowered.unwrap_or_else(|_| {
        let mut lowered = Lowered::empty(dialect);
        let problem =
            Problem::new("internal-error", Span::at(0), "this file could not be read, its findings are missing");
        let help = "this is a bug of recipelint: please report it with the file; everything else was checked";
        lowered.recipe.problems.push(problem.help(help));
        lowered
    });
    File {
        id: FileId(0),
        source,
        location: Some(location.to_owned()),
        dialect,
        tree: yaml.map(Into::into),
        recipe,
        errors,
    }
}

pub(super) fn file(location: &Path, shown: &Path, dialect: Dialect, contents: Contents) -> File {
    let (text, at, message) = match contents {
        Contents::Text(text) => return lower(location, Source::new(shown, text), dialect),
        Contents::NotUtf8 { before, byte } => {
            let at = before.len();
            let what =
                byte.map_or("ends in the middle of a character".to_owned(), |b| format!("holds the byte 0x{b:02x}"));
            (before, at, format!("the file is not UTF-8: at offset {at} it {what}"))
        }
        Contents::TooLarge { head, size } => {
            (head, 0, format!("the file has {size} bytes, over the limit of {READ_LIMIT}, so it was not read"))
        }
    };
    let Lowered { yaml, recipe, .. } = Lowered::empty(dialect);
    let errors = vec![SyntaxError { span: Span::at(at), message }];
    let source = Source::new(shown, text);
    let tree = yaml.map(Into::into);
    File { id: FileId(0), source, location: Some(location.to_owned()), dialect, tree, recipe, errors }
}
