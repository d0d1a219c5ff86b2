//! One file, from bytes to model.

use std::path::Path;

use super::disk::{Contents, Disk, READ_LIMIT};
use crate::recipe::dialects::{self, Lowered};
use crate::recipe::{Dialect, File, FileId, Recipe};
use crate::text::{Source, Span, SyntaxError};

/// Reads and lowers a file. `shown` is the path that findings name. `None` where it is nothing that this linter knows
/// and `named` is false; a file that the user named is always read, as [`Dialect::Unknown`] if need be. The file's
/// number is set by whoever puts it into an index.
pub fn read(disk: &Disk, location: &Path, shown: &Path, named: bool) -> std::io::Result<Option<File>> {
    Ok(match disk.read(location)? {
        Contents::Text(text) => lower(location, Source::new(shown, text), named),
        Contents::NotUtf8 { before, byte } => {
            let at = before.len();
            let what =
                byte.map_or("ends in the middle of a character".to_owned(), |b| format!("holds the byte 0x{b:02x}"));
            let message = format!("the file is not UTF-8: at offset {at} it {what}");
            unread(location, Source::new(shown, before), Span::at(at), message, named)
        }
        Contents::TooLarge { head, size } => {
            let message = format!("the file has {size} bytes, over the limit of {READ_LIMIT}, and was not read");
            unread(location, Source::new(shown, head), Span::at(0), message, named)
        }
    })
}

/// A file of which only the start is known: recognised by that start, and reported.
fn unread(location: &Path, source: Source, span: Span, message: String, named: bool) -> Option<File> {
    let dialect = recognise(location, &source.text, named)?;
    Some(File {
        id: FileId(0),
        source,
        location: Some(location.to_owned()),
        dialect,
        yaml: None,
        recipe: Recipe::empty(dialect),
        errors: vec![SyntaxError { span, message }],
    })
}

/// Lowers a text.
pub fn lower(location: &Path, source: Source, named: bool) -> Option<File> {
    let dialect = recognise(location, &source.text, named)?;
    let Lowered { yaml, recipe, errors } = dialects::lower(dialect, &source);
    Some(File { id: FileId(0), source, location: Some(location.to_owned()), dialect, yaml, recipe, errors })
}

fn recognise(location: &Path, text: &str, named: bool) -> Option<Dialect> {
    let found = if named { dialects::assume(location, text) } else { dialects::detect(location, text) };
    found.or(named.then_some(Dialect::Unknown))
}
