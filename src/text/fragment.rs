//! Decoded text with an exact map back to the file.

use std::ops::Range;

use super::Span;

/// One stretch of the map between decoded text and file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it starts in the decoded text.
    pub decoded: usize,
    /// Its length in the decoded text.
    pub decoded_len: usize,
    /// What it was written as in the file.
    pub source: Span,
    /// Decoded and written text are the same bytes, so that offsets inside can be mapped one by one; otherwise the
    /// piece (an escape, a folded line break) is mapped as a whole.
    pub verbatim: bool,
}

/// A text as a reader of the format sees it (a block scalar without its indentation, a string without its escapes),
/// with a map to the bytes of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    text: String,
    pieces: Pieces,
    /// The whole scalar in the file, indicators and quotes included.
    span: Span,
}

/// In order of both sides, without gaps on the decoded side. Nearly every scalar of a recipe is one line written as
/// it reads, so that case costs no allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pieces {
    One(Kept),
    Many(Box<[Kept]>),
}

/// A piece as it is kept, small because every line of a script has one: it ends in the decoded text where the next one
/// starts. Files of more than 4 GB are never read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept {
    decoded: u32,
    start: u32,
    end: u32,
    verbatim: bool,
}

impl Default for Pieces {
    fn default() -> Self {
        Self::Many(Box::default())
    }
}

impl From<&Piece> for Kept {
    fn from(piece: &Piece) -> Self {
        Self {
            decoded: piece.decoded as u32,
            start: piece.source.start as u32,
            end: piece.source.end as u32,
            verbatim: piece.verbatim,
        }
    }
}

impl From<Vec<Piece>> for Pieces {
    fn from(pieces: Vec<Piece>) -> Self {
        match pieces.as_slice() {
            [piece] => Self::One(piece.into()),
            pieces => Self::Many(pieces.iter().map(Kept::from).collect()),
        }
    }
}

impl Fragment {
    /// A fragment that stands in the file as it is, from `start`.
    pub fn verbatim(text: impl Into<String>, start: usize) -> Self {
        let text = text.into();
        let span = Span::new(start, start + text.len());
        Self::verbatim_in(text, start, span)
    }

    /// A fragment that stands in the file as it is, from `start`, inside of a scalar that has more to it (quotes).
    pub fn verbatim_in(text: impl Into<String>, start: usize, span: Span) -> Self {
        let text = text.into();
        let piece = Kept { decoded: 0, start: start as u32, end: (start + text.len()) as u32, verbatim: true };
        Self { text, pieces: Pieces::One(piece), span }
    }

    /// A fragment from its parts. `pieces` must follow each other without gaps on the decoded side, up to the text's end.
    pub fn from_pieces(text: String, pieces: Vec<Piece>, span: Span) -> Self {
        debug_assert!(pieces.windows(2).all(|w| w[0].decoded + w[0].decoded_len == w[1].decoded));
        debug_assert!(pieces.last().is_none_or(|last| last.decoded + last.decoded_len == text.len()));
        Self { text, pieces: pieces.into(), span }
    }

    /// The decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole scalar in the file.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The map, for tests and for building fragments of fragments.
    pub fn pieces(&self) -> impl DoubleEndedIterator<Item = Piece> + '_ {
        (0..self.kept().len()).filter_map(|at| self.piece(at))
    }

    fn kept(&self) -> &[Kept] {
        match &self.pieces {
            Pieces::One(piece) => std::slice::from_ref(piece),
            Pieces::Many(pieces) => pieces,
        }
    }

    fn piece(&self, at: usize) -> Option<Piece> {
        let kept = self.kept().get(at)?;
        let decoded = kept.decoded as usize;
        let end = self.kept().get(at + 1).map_or(self.text.len(), |next| next.decoded as usize);
        let source = Span::new(kept.start as usize, kept.end as usize);
        Some(Piece { decoded, decoded_len: end.saturating_sub(decoded), source, verbatim: kept.verbatim })
    }

    /// The place in the file of a range of the decoded text. The start maps to the first byte that was written for
    /// it, the end to one past the last byte written for the character before it, so that indentation that follows
    /// a line is not part of its span.
    pub fn locate(&self, range: impl Into<Span>) -> Span {
        let range = range.into();
        let start = self.locate_start(range.start);
        if range.is_empty() {
            return Span::at(start);
        }
        Span::new(start, self.locate_end(range.end))
    }

    fn locate_start(&self, offset: usize) -> usize {
        let begun = self.kept().partition_point(|piece| piece.decoded as usize <= offset);
        match self.piece(begun.saturating_sub(1)) {
            Some(piece) if piece.decoded + piece.decoded_len <= offset => piece.source.end,
            Some(piece) if piece.verbatim => piece.source.start + offset.saturating_sub(piece.decoded),
            Some(piece) => piece.source.start,
            None => self.span.end,
        }
    }

    fn locate_end(&self, offset: usize) -> usize {
        let begun = self.kept().partition_point(|piece| (piece.decoded as usize) < offset);
        match begun.checked_sub(1).and_then(|at| self.piece(at)) {
            Some(piece) if piece.verbatim => piece.source.start + (offset - piece.decoded).min(piece.decoded_len),
            Some(piece) => piece.source.end,
            None => self.span.start,
        }
    }

    /// The decoded offset of a place in the file; `None` in indentation, quotes and indicators.
    pub fn offset_of(&self, file_offset: usize) -> Option<usize> {
        let at = self.kept().partition_point(|piece| (piece.end as usize) < file_offset);
        let behind = (at..self.kept().len()).filter_map(|at| self.piece(at));
        behind.take_while(|piece| piece.source.start <= file_offset).find_map(|piece| {
            if piece.verbatim {
                Some(piece.decoded + file_offset - piece.source.start)
            } else if file_offset < piece.source.end {
                Some(piece.decoded)
            } else {
                None
            }
        })
    }

    /// A part of this fragment as a fragment of its own (a here-document body, the program text of `bash -c '…'`).
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        let text = self.text.get(range.clone()).unwrap_or_default().to_owned();
        let mut pieces = Vec::new();
        for piece in self.pieces() {
            let start = piece.decoded.max(range.start);
            let end = (piece.decoded + piece.decoded_len).min(range.end);
            if start >= end {
                continue;
            }
            let source = if piece.verbatim {
                let from = piece.source.start + (start - piece.decoded);
                Span::new(from, from + (end - start))
            } else {
                piece.source
            };
            pieces.push(Piece {
                decoded: start - range.start,
                decoded_len: end - start,
                source,
                verbatim: piece.verbatim,
            });
        }
        let span = self.locate(range);
        Self { text, pieces: pieces.into(), span }
    }
}
