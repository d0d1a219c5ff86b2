//! Byte ranges.

use std::ops::Range;

/// A half-open range of bytes. Unless a type says otherwise it counts from the start of the original file
/// (a byte-order mark included), so that every layer can exchange spans without knowing lines or columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` to `end`; an end before the start is taken as empty.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// An empty span at one offset.
    pub fn at(offset: usize) -> Self {
        Self { start: offset, end: offset }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `offset` lies inside, the end included (an editor's cursor may stand there).
    pub fn touches(self, offset: usize) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Whether `other` lies wholly inside.
    pub fn covers(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The same span moved right by `by` bytes.
    #[must_use]
    pub fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// The span as a range, for slicing with `str::get`.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A value with the place it was read from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands in the file.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value and its place.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// Something a parser could not read, as a value: parsers of this crate never fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Where: a token or a line, never "to the end of the file".
    pub span: Span,
    /// What is wrong, in one sentence without a position.
    pub message: String,
}
