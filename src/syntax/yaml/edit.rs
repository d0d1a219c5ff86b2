//! Changing a scalar in place: what to write to the file so that the decoded text becomes what is wanted and nothing
//! else changes.
//!
//! Every replacement is read back before it is handed out, within its own lines, by the parser that the tree comes
//! from. So the rules of each style below say how to write a text, and the parser says whether that was right.

use std::ops::Range;

use crate::text::Span;

use super::scalar::{Header, break_len, line_end};
use super::write::{Place, double_quoted, is_text, literal, plain_rule};
use super::{Data, Document, Node, Scalar, Style, parse};

/// Why a scalar cannot be changed so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditError {
    /// The range does not fit the decoded text, or does not begin and end between characters.
    Range,
    /// The style of the scalar cannot hold the text; the rule that says so, as in "a plain scalar cannot hold `: `".
    /// [`Document::rewrite`] takes another style.
    Style(&'static str),
}

impl std::fmt::Display for EditError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Range => out.write_str("the range does not fit the text"),
            Self::Style(rule) => out.write_str(rule),
        }
    }
}

impl std::error::Error for EditError {}

impl Document {
    /// Replaces `range` of the decoded text of one of this document's scalars: the span to replace in `source` (the
    /// text that was parsed) and what to write there. The scalar keeps its style, its indentation and its line
    /// breaks.
    pub fn edit(
        &self,
        source: &str,
        scalar: &Scalar,
        range: Range<usize>,
        new: &str,
    ) -> Result<(Span, String), EditError> {
        let text = scalar.fragment.text();
        let (Some(before), Some(_), Some(after)) =
            (text.get(..range.start), text.get(range.clone()), text.get(range.end..))
        else {
            return Err(EditError::Range);
        };
        let wanted = [before, new, after].concat();
        let target = Target::new(self, source, scalar);
        if let Some(rule) = target.plain_rule(scalar.style, &wanted) {
            return Err(EditError::Style(rule));
        }
        if target.is_unwritten() {
            return target.written(Style::Plain, &wanted).ok_or(EditError::Style(refusal(Style::Plain)));
        }
        let within = target.within(&range, new);
        let whole = || target.whole(scalar.style, &wanted);
        [Some(within), whole()]
            .into_iter()
            .flatten()
            .find(|(span, written)| target.reads_as(*span, written, scalar.style, &wanted))
            .ok_or(EditError::Style(refusal(scalar.style)))
    }

    /// Replaces the whole text of one of this document's scalars, in its own style if that can hold the text, and
    /// else as a literal block (several lines outside of brackets) or in double quotes, which hold anything.
    pub fn rewrite(&self, source: &str, scalar: &Scalar, text: &str) -> Result<(Span, String), EditError> {
        let target = Target::new(self, source, scalar);
        if target.is_unwritten() {
            return [Style::Plain, Style::DoubleQuoted]
                .into_iter()
                .filter(|style| target.plain_rule(*style, text).is_none())
                .find_map(|style| target.written(style, text))
                .ok_or(EditError::Style("no style can hold this text here"));
        }
        let styles = match scalar.style {
            own @ (Style::Literal | Style::Folded) => [own, Style::Literal, Style::DoubleQuoted],
            own if text.contains('\n') => [Style::Literal, own, Style::DoubleQuoted],
            own => [own, Style::DoubleQuoted, Style::Literal],
        };
        styles
            .into_iter()
            .filter(|style| target.plain_rule(*style, text).is_none())
            .filter_map(|style| Some((style, target.whole(style, text)?)))
            .find(|(style, (span, written))| target.reads_as(*span, written, *style, text))
            .map(|(_, replacement)| replacement)
            .ok_or(EditError::Style("no style can hold this text here"))
    }
}

/// A scalar to be changed, with what stands around it.
struct Target<'a> {
    source: &'a str,
    scalar: &'a Scalar,
    place: Place,
    /// A key is followed by its `:`.
    key: bool,
}

impl<'a> Target<'a> {
    fn new(document: &Document, source: &'a str, scalar: &'a Scalar) -> Self {
        let span = scalar.fragment.span();
        let (flow, key) = document.root.as_ref().map_or((false, false), |root| around(source, root, span));
        let mut place = Place::new(source, span.start, flow || key);
        if let (Style::Literal | Style::Folded, Some(first)) = (scalar.style, scalar.fragment.pieces().next()) {
            let written = &source.get(..first.source.start).unwrap_or_default();
            let column = written.len() - written.rfind(['\n', '\r']).map_or(0, |at| at + 1);
            // A text that begins with empty lines tells nothing of its indentation.
            if column > 0 {
                place.body = column;
            }
        }
        Self { source, scalar, place, key }
    }

    fn plain_rule(&self, style: Style, text: &str) -> Option<&'static str> {
        let rule = (style == Style::Plain).then(|| plain_rule(text, self.place.flow)).flatten();
        // What was no text (a number, nothing at all) may become another such thing.
        rule.or_else(|| {
            let was_text = self.scalar.style != Style::Plain || is_text(self.scalar.fragment.text());
            (style == Style::Plain && was_text && !is_text(text)).then_some("without quotes this is not read as a text")
        })
    }

    fn slice(&self, span: Span) -> &'a str {
        self.source.get(span.range()).unwrap_or_default()
    }

    /// A replacement of the range alone.
    fn within(&self, range: &Range<usize>, new: &str) -> (Span, String) {
        let start = self.boundary(range.start);
        let span = if range.is_empty() { Span::at(start) } else { Span::new(start, self.boundary(range.end)) };
        let rest = self.scalar.fragment.text().get(range.end..).unwrap_or_default();
        let written = match self.scalar.style {
            Style::Plain => new.to_owned(),
            Style::SingleQuoted => self.place.folded(&new.replace('\'', "''")),
            Style::DoubleQuoted => double_quoted(new),
            Style::Literal | Style::Folded => {
                let line = self.source.get(..span.start).unwrap_or_default();
                let column = line.len() - line.rfind(['\n', '\r']).map_or(0, |at| at + 1);
                let missing = " ".repeat(self.place.body.saturating_sub(column));
                let breaks = usize::from(self.scalar.style == Style::Folded);
                self.place.lines(new, &missing, breaks, !rest.is_empty() && !rest.starts_with('\n'))
            }
        };
        (span, written)
    }

    /// The place in the file between two characters of the text. At a line break it is the end of the line before:
    /// what stands between the two (blanks, a break that is folded away, indentation) belongs to the break.
    fn boundary(&self, offset: usize) -> usize {
        let fragment = &self.scalar.fragment;
        let (before, after) = fragment.text().split_at_checked(offset).unwrap_or_default();
        let mapped = || fragment.pieces().any(|piece| !piece.verbatim && piece.decoded == offset);
        let at_break = after.is_empty() || after.starts_with('\n') || mapped();
        if at_break && !before.is_empty() && !before.ends_with('\n') {
            fragment.locate(0..offset).end
        } else {
            fragment.locate(offset..offset).start
        }
    }

    /// A replacement of the whole scalar; `None` where the style cannot stand here.
    fn whole(&self, style: Style, text: &str) -> Option<(Span, String)> {
        let span = self.scalar.fragment.span();
        match style {
            Style::Plain => Some((span, text.to_owned())),
            Style::SingleQuoted => Some((span, format!("'{}'", self.place.folded(&text.replace('\'', "''"))))),
            Style::DoubleQuoted => Some(self.instead_of_block(format!("\"{}\"", double_quoted(text)))),
            Style::Literal | Style::Folded if self.place.flow => None,
            Style::Literal | Style::Folded => {
                let (header, body) = literal(text, &self.place, style == Style::Folded)?;
                Some(self.as_block(&header, &body))
            }
        }
    }

    /// Nothing is written for this scalar: `a:` or `{a}`.
    fn is_unwritten(&self) -> bool {
        self.scalar.fragment.span().is_empty()
    }

    /// A text in the place of nothing: behind its indicator, which in braces may have to be written too. Read back with
    /// the whole document, as nothing tells where this scalar ends.
    fn written(&self, style: Style, text: &str) -> Option<(Span, String)> {
        let span = self.scalar.fragment.span();
        let text_written =
            if style == Style::DoubleQuoted { format!("\"{}\"", double_quoted(text)) } else { text.to_owned() };
        let count = |document: &Document| document.root.as_ref().map_or(0, scalars);
        let before = parse(self.source);
        [" ", "", ": "].into_iter().find_map(|indicator| {
            let new = format!("{indicator}{text_written}");
            let whole =
                [self.slice(Span::new(0, span.start)), &new, self.slice(Span::new(span.end, self.source.len()))];
            let after = parse(&whole.concat());
            let found = after.root.as_ref().and_then(|root| scalar_at(root, span.start + indicator.len()));
            let reads = found.is_some_and(|found| found.style == style && found.fragment.text() == text);
            (reads && after.errors.len() == before.errors.len() && count(&after) == count(&before))
                .then_some((span, new))
        })
    }

    /// A scalar of one line in the place of this one: the comment in the header of a block scalar stays behind it.
    fn instead_of_block(&self, written: String) -> (Span, String) {
        let span = self.scalar.fragment.span();
        if !matches!(self.scalar.style, Style::Literal | Style::Folded) {
            return (span, written);
        }
        let header = Header::read(self.source, span.start);
        let line = line_end(self.source.as_bytes(), header.end);
        let ending = if self.ends_with_break(span) { self.place.line_break } else { "" };
        let comment = self.slice(Span::new(header.end, line));
        (span, format!("{written}{comment}{ending}"))
    }

    /// Header and body in the place of this scalar: what stands behind it on its line stays behind the header.
    fn as_block(&self, header: &str, body: &str) -> (Span, String) {
        let bytes = self.source.as_bytes();
        let mut span = self.scalar.fragment.span();
        let line_break = self.place.line_break;
        let (behind, broken) = if matches!(self.scalar.style, Style::Literal | Style::Folded) {
            let old = Header::read(self.source, span.start);
            (Span::new(old.end, line_end(bytes, old.end)), self.ends_with_break(span))
        } else {
            let line = Span::new(span.end, line_end(bytes, span.end));
            span.end = line.end;
            (line, false)
        };
        let behind = self.slice(behind).trim_end();
        let follows = break_len(bytes, span.end) > 0;
        let ending = if broken || (!follows && !header.contains('-')) { line_break } else { "" };
        (span, format!("{header}{behind}{line_break}{body}{ending}"))
    }

    fn ends_with_break(&self, span: Span) -> bool {
        self.slice(span).ends_with(['\n', '\r'])
    }

    /// Whether the replacement is read as the wanted text in the wanted style, ends where it should, and leaves what
    /// follows it alone.
    fn reads_as(&self, span: Span, written: &str, style: Style, wanted: &str) -> bool {
        let old = self.scalar.fragment.span();
        let line = self.source.get(..old.start).unwrap_or_default().rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let (before, after) = if self.place.flow && !self.key {
            ("[".to_owned(), ", x]".to_owned())
        } else {
            // As far as the first line that is not empty: more does not change how a scalar is read.
            let mut end = line_end(self.source.as_bytes(), old.end.max(span.end));
            if self.ends_with_break(old) && span.end <= old.end {
                end = old.end;
            }
            loop {
                let next = end + break_len(self.source.as_bytes(), end);
                let next_end = line_end(self.source.as_bytes(), next);
                if next == end || !self.slice(Span::new(next, next_end)).trim().is_empty() {
                    end = next;
                    break;
                }
                end = next_end;
            }
            (
                self.slice(Span::new(line, old.start)).to_owned(),
                self.slice(Span::new(old.end.max(span.end), end)).to_owned(),
            )
        };
        let head = self.slice(Span::new(old.start, span.start));
        let tail = self.slice(Span::new(span.end, old.end));
        let joins = self.ends_with_break(old) && span.end < self.source.len() && {
            let last = [head, written, tail].into_iter().rfind(|part| !part.is_empty());
            !last.is_some_and(|part| part.ends_with(['\n', '\r']))
        };
        if joins {
            return false;
        }
        let text = [before.as_str(), head, written, tail, &after].concat();
        let document = parse(&text);
        let found = document.root.as_ref().and_then(|root| scalar_at(root, before.len()));
        document.errors.is_empty() && found.is_some_and(|found| found.style == style && found.fragment.text() == wanted)
    }
}

fn refusal(style: Style) -> &'static str {
    match style {
        Style::Plain => "a plain scalar cannot hold this text here",
        Style::SingleQuoted => "single quotes cannot hold this text: blanks beside a line break or a control character",
        Style::DoubleQuoted => "a key has one line of at most 1,024 characters",
        Style::Literal | Style::Folded => {
            "a block scalar cannot hold this text: a control character or a line break that is not LF"
        }
    }
}

/// Whether the scalar at `span` stands in a flow collection, and whether it is a key.
fn around(source: &str, root: &Node, span: Span) -> (bool, bool) {
    let mut node = root;
    let mut flow = false;
    loop {
        flow |=
            node.scalar().is_none() && source.get(node.span.start..).is_some_and(|text| text.starts_with(['[', '{']));
        node = match &node.data {
            Data::Sequence(items) => {
                let at = items.partition_point(|item| item.span.start <= span.start);
                match at.checked_sub(1).and_then(|at| items.get(at)) {
                    Some(item) => item,
                    None => return (flow, false),
                }
            }
            Data::Mapping(entries) => {
                let at = entries.partition_point(|entry| entry.key.span.start <= span.start);
                match at.checked_sub(1).and_then(|at| entries.get(at)) {
                    Some(entry) if entry.key.span == span => return (flow, true),
                    Some(entry) if entry.key.span.covers(span) => &entry.key,
                    Some(entry) => &entry.value,
                    None => return (flow, false),
                }
            }
            Data::Scalar(_) | Data::Alias(_) => return (flow, false),
        };
    }
}

/// The number of scalars of a tree.
fn scalars(root: &Node) -> usize {
    let mut open = vec![root];
    let mut count = 0;
    while let Some(node) = open.pop() {
        match &node.data {
            Data::Scalar(_) => count += 1,
            Data::Sequence(items) => open.extend(items),
            Data::Mapping(entries) => open.extend(entries.iter().flat_map(|entry| [&entry.key, &entry.value])),
            Data::Alias(_) => {}
        }
    }
    count
}

fn scalar_at(root: &Node, start: usize) -> Option<&Scalar> {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match &node.data {
            Data::Scalar(scalar) if node.span.start == start => return Some(scalar),
            Data::Sequence(items) => open.extend(items),
            Data::Mapping(entries) => open.extend(entries.iter().flat_map(|entry| [&entry.key, &entry.value])),
            _ => {}
        }
    }
    None
}
