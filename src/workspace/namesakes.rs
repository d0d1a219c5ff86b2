//! Recipes that share a name: a call gets one of them, and its author may mean another.

use super::Note;
use crate::recipe::{FileId, Index};

/// One note for all names that the checked files call and that several recipes have.
pub(super) fn namesakes(index: &Index, checked: &[FileId]) -> Option<Note> {
    let is_called = |id: FileId| index.callers(id).iter().any(|link| checked.contains(&link.caller));
    let mut shared = index.stems().iter().filter_map(|(name, files)| {
        let called = files.iter().find(|id| files.len() > 1 && is_called(**id))?;
        Some((name, files, *called))
    });
    let (name, files, called) = shared.next()?;
    let path = |id| index.file(id).map(|file| file.source.path.clone()).unwrap_or_default();
    let others: Vec<String> =
        files.iter().filter(|id| **id != called).map(|id| path(*id).display().to_string()).collect();
    let more = match shared.count() {
        0 => String::new(),
        1 => "; 1 other name is shared too".to_owned(),
        more => format!("; {more} other names are shared too"),
    };
    let message = format!(
        "is what a call of `{name}` gets; there is also {}{more}. The engine takes the first on its search path",
        others.join(", ")
    );
    Some(Note { path: path(called), message, failed: false })
}
