//! Holes: places that a templating system fills in before bash reads the script.

use super::Holes;
use super::ast::{Hole, HoleKind, PartKind, WordPart};
use super::parser::{Parser, Parts};

/// The end of the hole that starts at `at` of `text`.
fn end(text: &str, at: usize, holes: Holes) -> Option<usize> {
    let rest = text.as_bytes().get(at..)?;
    match holes {
        Holes::None => None,
        Holes::Template => {
            let name = rest.strip_prefix(b"{{")?;
            let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte)).count();
            (length > 0 && name.get(length..)?.starts_with(b"}}")).then_some(at + length + 4)
        }
        Holes::Expression => {
            let expression = rest.strip_prefix(b"${{")?;
            let mut quoted = false;
            for (index, byte) in expression.iter().enumerate() {
                match byte {
                    b'\'' => quoted = !quoted,
                    b'}' if !quoted && expression.get(index + 1) == Some(&b'}') => return Some(at + index + 5),
                    _ => {}
                }
            }
            None
        }
    }
}

/// How many expressions without an end are searched for before the rest is taken as plain bash, so that time stays
/// linear.
const MAX_FAILED_HOLES: u32 = 64;

impl Parser<'_> {
    fn opens_expression(&self, offset: usize) -> bool {
        self.holes == Holes::Expression && self.rest(offset).starts_with(b"${{")
    }

    /// The hole at `offset` and where it ends.
    pub(super) fn hole_at(&self, offset: usize) -> Option<(Hole, usize)> {
        if self.failed_holes.get() > MAX_FAILED_HOLES {
            return None;
        }
        let Some(end) = end(self.slice(0, self.end), offset, self.holes) else {
            self.failed_holes.set(self.failed_holes.get() + u32::from(self.opens_expression(offset)));
            return None;
        };
        let (kind, open) = match self.holes {
            Holes::Expression => (HoleKind::Expression, 3),
            _ => (HoleKind::Template, 2),
        };
        let text = self.slice(offset + open, end - 2).to_owned();
        Some((Hole { text, kind }, end))
    }

    /// Reads a hole that stands here into `parts`.
    pub(super) fn take_hole(&mut self, parts: &mut Parts) -> bool {
        let Some((hole, end)) = self.hole_at(self.pos) else { return false };
        let start = self.pos;
        self.pos = end;
        self.push(parts, PartKind::Hole(hole), start);
        true
    }

    /// Literals and holes of `start..end`; `None` where there is no hole.
    pub(super) fn holes_in(&self, start: usize, end: usize) -> Option<Vec<WordPart>> {
        let first = match self.holes {
            Holes::None => return None,
            Holes::Template => "{{",
            Holes::Expression => "${{",
        };
        let mut parts = Vec::new();
        let (mut plain, mut at) = (start, start);
        while let Some(found) = self.slice(at, end).find(first) {
            let open = at + found;
            match self.hole_at(open).filter(|(_, close)| *close <= end) {
                Some((hole, close)) => {
                    if plain < open {
                        let kind = PartKind::Literal(self.slice(plain, open).to_owned());
                        parts.push(WordPart { kind, span: self.span(plain, open) });
                    }
                    parts.push(WordPart { kind: PartKind::Hole(hole), span: self.span(open, close) });
                    (plain, at) = (close, close);
                }
                None => at = open + 1,
            }
        }
        if parts.is_empty() {
            return None;
        }
        if plain < end {
            let kind = PartKind::Literal(self.slice(plain, end).to_owned());
            parts.push(WordPart { kind, span: self.span(plain, end) });
        }
        Some(parts)
    }

    /// The parts of `start..end` where only holes count: the body of a quoted here-document.
    pub(super) fn raw_parts(&self, start: usize, end: usize, strip_tabs: bool) -> Vec<WordPart> {
        let mut parts = self.holes_in(start, end).unwrap_or_else(|| {
            let kind = PartKind::Literal(self.slice(start, end).to_owned());
            vec![WordPart { kind, span: self.span(start, end) }]
        });
        if strip_tabs {
            let mut line_start = true;
            for part in &mut parts {
                if let PartKind::Literal(text) = &mut part.kind {
                    *text = without_tabs(text, line_start);
                }
                line_start = matches!(&part.kind, PartKind::Literal(text) if text.ends_with('\n'));
            }
        }
        parts.retain(|part| !matches!(&part.kind, PartKind::Literal(text) if text.is_empty()));
        parts
    }
}

/// Text without the tabs that begin its lines.
fn without_tabs(text: &str, line_start: bool) -> String {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let mut kept = if line_start { first.trim_start_matches('\t') } else { first }.to_owned();
    kept.extend(lines.map(|line| line.trim_start_matches('\t')));
    kept
}
