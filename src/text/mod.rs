//! Text and places: sources, spans, lines and columns, and decoded fragments with their way back to the file.
//! Nothing here knows YAML or shell.

mod fragment;
mod source;
mod span;

pub use fragment::{Fragment, Piece};
pub use source::{LineColumn, LineIndex, Source, Unit};
pub use span::{Span, Spanned, SyntaxError};
