//! Where things stand.

use crate::recipe::FileId;
use crate::text::Span;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Bytes of that file.
    pub span: Span,
}
