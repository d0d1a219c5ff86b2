//! From the parser's events to the tree.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, StructureStyle};

use crate::text::{Fragment, Span, SyntaxError};

use super::scalar::{self, Header};
use super::{Comment, Data, Document, Entry, Node, Scalar, Style};

/// Collections may be nested this deep, aliases expanded: the bound of `serde_yaml` 0.9 (`remaining_depth` in its de.rs).
pub const MAX_DEPTH: usize = 128;

/// Aliases may stand for this many nodes in all.
pub const MAX_ALIASED_NODES: usize = 100_000;

/// More errors than this say nothing new.
pub(super) const MAX_ERRORS: usize = 100;

/// Reads a YAML text. Never fails: what is wrong with the text is in [`Document::errors`].
pub fn parse(text: &str) -> Document {
    let mut builder = Builder::new(text);
    builder.read();
    builder.finish()
}

/// A collection that is not complete.
pub(super) struct Frame {
    pub(super) node: Node,
    /// The key that waits for its value.
    pub(super) key: Option<Node>,
    /// In flow style the parser says where it ends; in block style it ends with its last value.
    pub(super) flow: bool,
    /// The column of its first key or `-`, in characters.
    pub(super) column: usize,
    expanded: Expanded,
    /// The number of its anchor, see [`Builder::anchored`].
    anchor: usize,
}

/// What a node would become with its aliases expanded.
#[derive(Clone, Copy)]
struct Expanded {
    /// Nodes, itself included.
    size: usize,
    /// Levels of collections, itself included.
    height: usize,
}

const LEAF: Expanded = Expanded { size: 1, height: 0 };

/// Properties of a node.
#[derive(Default)]
struct Properties {
    tag: Option<String>,
    anchor: Option<String>,
}

impl Frame {
    pub(super) fn is_mapping(&self) -> bool {
        self.node.is_mapping()
    }
}

/// How a run of the parser ended.
pub(super) enum Outcome {
    /// With the text.
    End,
    /// At this offset, with the collection that it was to go on with.
    Dedent(usize),
    /// At this offset, with an error.
    Error(usize),
}

pub(super) struct Builder<'a> {
    pub(super) text: &'a str,
    pub(super) document: Document,
    pub(super) frames: Vec<Frame>,
    /// The last node with an anchor of this name, with a number of its own; `None` while the node is not complete.
    anchored: HashMap<String, (usize, Option<Expanded>)>,
    /// Anchors so far.
    anchors: usize,
    /// Nodes that aliases stand for, so far.
    aliased: usize,
    /// Collections open below the deepest level that is kept.
    pub(super) skipped: usize,
    /// The end of the last token.
    pub(super) last: usize,
    /// Documents begun.
    documents: usize,
    too_deep: bool,
    too_many: bool,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            document: Document::default(),
            frames: Vec::new(),
            anchored: HashMap::new(),
            anchors: 0,
            aliased: 0,
            skipped: 0,
            last: 0,
            documents: 0,
            too_deep: false,
            too_many: false,
        }
    }

    fn options() -> Options {
        granit_parser::options! {
            block_scalar_eof_without_line_feed: true,
            emit_unresolved_aliases: true,
            emit_anchor_events: true,
            max_buffered_comment_events: usize::MAX,
        }
    }

    /// Reads from the line at `start`: the whole text, or what goes on with the innermost open collection.
    pub(super) fn run(&mut self, start: usize) -> Outcome {
        let text = self.text.get(start..).unwrap_or_default();
        let mut parser = Parser::new_from_str_with_options(text, Self::options());
        let base = self.frames.len();
        let mut within = base == 0;
        let as_value = self.frames.last().is_some_and(|frame| frame.key.is_some());
        self.last = self.last.max(start);
        self.documents = 0;
        while let Some(event) = parser.next() {
            let (event, at) = match event {
                Ok(event) => event,
                Err(error) => {
                    let at = start + error.marker().byte_offset().unwrap_or(text.len());
                    self.parser_error(at, &error);
                    return Outcome::Error(at);
                }
            };
            let span = Span::from(at.byte_range().unwrap_or_default()).shifted(start);
            if !within && !as_value && event.is_node() {
                let mapping = self.frames.last().is_some_and(Frame::is_mapping);
                let goes_on = match event {
                    Event::MappingStart(StructureStyle::Block, ..) => mapping,
                    Event::SequenceStart(StructureStyle::Block, ..) => !mapping,
                    _ => false,
                };
                if !goes_on {
                    return Outcome::Error(span.start);
                }
                within = true;
                continue;
            }
            if base > 0 && matches!(event, Event::MappingEnd | Event::SequenceEnd) {
                if as_value && self.frames.len() == base + 1 {
                    self.close(Some(span.end));
                }
                if self.frames.len() == base {
                    return Outcome::Dedent(span.start);
                }
            }
            let mut properties = Properties {
                tag: at.tag_span().and_then(|tag| tag.slice(text)).map(str::to_owned),
                ..Properties::default()
            };
            if event.anchor_id().is_some_and(|id| id != 0)
                && let Some(Ok((Event::Anchor(_, name), _))) = parser.next()
            {
                properties.anchor = Some(name.into_owned());
            }
            self.event(event, span, at.start.col(), properties);
        }
        Outcome::End
    }

    fn parser_error(&mut self, at: usize, error: &ScanError) {
        let at = if *error.kind() == ErrorKind::TabInPlainScalar { self.leading_tab(at) } else { at };
        let span = token_at(self.text, at);
        if *error.kind() == ErrorKind::RecursionLimitExceeded {
            self.too_deep(span);
        } else if self
            .document
            .errors
            .last()
            .is_none_or(|last| self.line_start(last.span.start) != self.line_start(span.start))
        {
            self.error(SyntaxError { span, message: error.info() });
        }
    }

    /// The tab at the start of a line that a plain scalar at `start` may not go on with; `start` where there is none.
    fn leading_tab(&self, start: usize) -> usize {
        let mut at = start;
        for line in self.text.get(start..).unwrap_or_default().split_inclusive('\n') {
            if at > start && !line.trim().is_empty() {
                return if line.starts_with('\t') { at } else { start };
            }
            at += line.len();
        }
        start
    }

    fn event(&mut self, event: Event<'_>, span: Span, column: usize, properties: Properties) {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    self.document.second.get_or_insert(span);
                } else {
                    let before = self.text.get(self.last..span.start).unwrap_or_default();
                    self.document.unusual |= before.contains('%') || before.contains("...");
                }
                // A start that is not written is told of behind the first token, which may be a whole block scalar.
                if self.text.get(span.range()).is_some_and(|written| written.starts_with("---")) {
                    self.last = self.last.max(span.end);
                }
            }
            Event::DocumentEnd => self.document.unusual |= !span.is_empty(),
            Event::StreamEnd if self.documents == 0 => self.document.unusual |= self.text.contains("..."),
            Event::Comment(..) => self.comment(span),
            _ if self.documents > 1 => {}
            Event::Scalar(value, style, ..) => self.scalar(value, style, span, column, properties),
            Event::MappingStart(style, ..) => self.open(Data::Mapping(Vec::new()), style, span, column, properties),
            Event::SequenceStart(style, ..) => self.open(Data::Sequence(Vec::new()), style, span, column, properties),
            Event::MappingEnd | Event::SequenceEnd if self.skipped > 0 => self.skipped -= 1,
            Event::MappingEnd | Event::SequenceEnd => self.close(Some(span.end)),
            Event::Alias(_) | Event::UnresolvedAlias(_) => self.alias(span),
            _ => {}
        }
    }

    pub(super) fn error(&mut self, error: SyntaxError) {
        if self.document.errors.len() < MAX_ERRORS {
            self.document.errors.push(error);
        }
    }

    pub(super) fn comment(&mut self, span: Span) {
        let before = self.text.get(..span.start).unwrap_or_default();
        let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let alone = before.get(line..).unwrap_or_default().trim_start_matches('\u{feff}').trim().is_empty();
        self.document.comments.push(Comment { span, alone });
    }

    /// A complete node: the key or the value of the mapping, the item of the sequence that is open, or the root.
    fn add(&mut self, node: Node, expanded: Expanded) {
        if let Some(name) = &node.anchor {
            self.document.anchors.entry(name.clone()).or_default().push(node.span.start);
        }
        self.last = self.last.max(node.span.end);
        let Some(frame) = self.frames.last_mut() else {
            self.document.root = Some(node);
            return;
        };
        frame.expanded.size = frame.expanded.size.saturating_add(expanded.size);
        frame.expanded.height = frame.expanded.height.max(expanded.height + 1);
        if !frame.flow {
            frame.node.span.end = frame.node.span.end.max(node.span.end);
        }
        match (&mut frame.node.data, frame.key.take()) {
            (Data::Mapping(entries), Some(key)) => entries.push(Entry { key, value: node }),
            (Data::Mapping(_), None) => {
                self.document.unusual |= node.span.is_empty();
                frame.key = Some(node);
            }
            (Data::Sequence(items), _) => items.push(node),
            _ => {}
        }
    }

    fn scalar(&mut self, value: Cow<'_, str>, style: ScalarStyle, span: Span, column: usize, properties: Properties) {
        if self.skipped > 0 {
            return;
        }
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted => Style::SingleQuoted,
            ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
        };
        let fragment = match style {
            Style::Plain if span.is_empty() => Fragment::verbatim("", self.nothing(span.start, &properties)),
            Style::Literal | Style::Folded => {
                let at = scalar::header(self.text, self.last);
                let header = Header::read(self.text, at);
                let indentation = if value.bytes().all(|byte| byte == b'\n') { usize::MAX } else { column };
                scalar::fragment(self.text, style, Span::new(at, header.end), indentation, value)
            }
            _ => scalar::fragment(self.text, style, span, 0, value),
        };
        let span = fragment.span();
        self.document.unusual |= properties.tag.is_some() || scalar::is_read_differently(self.text, style, &fragment);
        let node = Node {
            span,
            data: Data::Scalar(Scalar { style, fragment }),
            tag: properties.tag,
            anchor: properties.anchor,
        };
        self.anchor(node.anchor.as_deref(), Some(LEAF));
        self.add(node, LEAF);
    }

    /// The place of a value that is not written: behind its indicator, or behind its properties.
    fn nothing(&self, at: usize, properties: &Properties) -> usize {
        if properties.tag.is_some() || properties.anchor.is_some() {
            return at;
        }
        let indicator = match self.frames.last() {
            Some(Frame { node: Node { data: Data::Sequence(_), .. }, .. }) => b'-',
            Some(Frame { key: Some(_), .. }) => b':',
            _ => return at,
        };
        scalar::behind_indicator(self.text, self.last, indicator).unwrap_or(self.last)
    }

    fn open(&mut self, data: Data, style: StructureStyle, span: Span, column: usize, properties: Properties) {
        if self.skipped > 0 {
            self.skipped += 1;
            return;
        }
        if self.frames.len() >= MAX_DEPTH {
            self.too_deep(span);
            self.skipped = 1;
            let fragment = Fragment::verbatim("", span.start);
            let data = Data::Scalar(Scalar { style: Style::Plain, fragment });
            self.add(Node { span: Span::at(span.start), data, tag: None, anchor: None }, LEAF);
            return;
        }
        let anchor = self.anchor(properties.anchor.as_deref(), None);
        self.document.unusual |= properties.tag.is_some();
        let node = Node { span, data, tag: properties.tag, anchor: properties.anchor };
        let flow = style == StructureStyle::Flow;
        self.last = self.last.max(if flow { span.end } else { span.start });
        let expanded = Expanded { size: 1, height: 1 };
        self.frames.push(Frame { node, key: None, flow, column, expanded, anchor });
    }

    /// Notes an anchor; its number.
    fn anchor(&mut self, name: Option<&str>, expanded: Option<Expanded>) -> usize {
        let Some(name) = name else { return 0 };
        self.anchors += 1;
        self.anchored.insert(name.to_owned(), (self.anchors, expanded));
        self.anchors
    }

    /// Opens a collection again that was closed. What it holds has been counted with its parent already.
    pub(super) fn reopen_as(&mut self, node: Node, column: usize) {
        let known = node.anchor.as_ref().and_then(|name| self.anchored.get(name));
        let expanded = known.and_then(|(_, expanded)| *expanded).unwrap_or(Expanded { size: 1, height: 1 });
        let anchor = self.anchor(node.anchor.as_deref(), None);
        self.frames.push(Frame { node, key: None, flow: false, column, expanded, anchor });
    }

    /// Closes collections that the parser did not see the end of, until `len` are open.
    pub(super) fn close_to(&mut self, len: usize) {
        while self.frames.len() > len {
            self.close(None);
        }
    }

    /// Gives a key that waits for its value none.
    pub(super) fn finish_entry(&mut self) {
        let Some(key) = self.frames.last_mut().and_then(|frame| frame.key.as_ref()) else { return };
        let at = key.span.end;
        let data = Data::Scalar(Scalar { style: Style::Plain, fragment: Fragment::verbatim("", at) });
        self.add(Node { span: Span::at(at), data, tag: None, anchor: None }, LEAF);
    }

    /// Closes the innermost collection, at `end` if the parser saw its end.
    fn close(&mut self, end: Option<usize>) {
        self.finish_entry();
        let Some(mut frame) = self.frames.pop() else { return };
        match end {
            Some(end) if frame.flow => frame.node.span.end = end,
            None if frame.flow => frame.node.span.end = frame.node.span.end.max(self.last),
            _ => {}
        }
        if let Data::Mapping(entries) = &frame.node.data {
            self.duplicates(entries);
        }
        if let Some((number, expanded)) = frame.node.anchor.as_ref().and_then(|name| self.anchored.get_mut(name))
            && *number == frame.anchor
        {
            *expanded = Some(frame.expanded);
        }
        self.add(frame.node, frame.expanded);
    }

    fn alias(&mut self, span: Span) {
        if self.skipped > 0 {
            return;
        }
        let name = self.text.get(span.range()).unwrap_or_default().trim_start_matches('*').to_owned();
        let expanded = match self.anchored.get(&name) {
            Some((_, Some(expanded))) => self.within_limits(span, *expanded),
            Some((_, None)) => {
                self.over_limit(span, format!("the alias `*{name}` stands inside of what it refers to"));
                None
            }
            None => {
                let message = format!("the alias `*{name}` has no anchor `&{name}` before it");
                self.error(SyntaxError { span, message });
                None
            }
        };
        self.document.unusual = true;
        // An alias that cannot be followed is none in the tree, so that whoever follows the others is safe.
        let data = match expanded {
            Some(_) => Data::Alias(name),
            None => Data::Scalar(Scalar {
                style: Style::Plain,
                fragment: Fragment::from_pieces(String::new(), Vec::new(), span),
            }),
        };
        self.add(Node { span, data, tag: None, anchor: None }, expanded.unwrap_or(LEAF));
    }

    fn within_limits(&mut self, span: Span, expanded: Expanded) -> Option<Expanded> {
        if self.frames.len() + expanded.height > MAX_DEPTH {
            self.too_deep(span);
            return None;
        }
        self.aliased = self.aliased.saturating_add(expanded.size);
        if self.aliased <= MAX_ALIASED_NODES {
            return Some(expanded);
        }
        if !self.too_many {
            self.too_many = true;
            self.over_limit(span, format!("the aliases up to here stand for more than {MAX_ALIASED_NODES} values"));
        }
        None
    }

    fn too_deep(&mut self, span: Span) {
        if !self.too_deep {
            self.too_deep = true;
            let span = token_at(self.text, span.start);
            self.over_limit(span, format!("collections are nested more than {MAX_DEPTH} levels deep here"));
        }
    }

    /// An error for which nobody else need read the text.
    fn over_limit(&mut self, span: Span, message: String) {
        let error = SyntaxError { span, message };
        self.document.over_limit.get_or_insert_with(|| error.clone());
        self.document.errors.push(error);
    }

    fn finish(mut self) -> Document {
        for starts in self.document.anchors.values_mut() {
            starts.sort_unstable();
            starts.dedup();
        }
        self.document.errors.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
        self.document.errors.dedup();
        self.document
    }
}

/// The word at an offset; for a tab that begins a line the tab with the word behind it, at the end of a line the last
/// word before it, so that every error shows something.
pub(super) fn token_at(text: &str, offset: usize) -> Span {
    let mut start = offset.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let rest = text.get(start..).unwrap_or_default();
    let end = start + rest.find(char::is_whitespace).unwrap_or(rest.len());
    if end > start {
        return Span::new(start, end);
    }
    if rest.starts_with('\t') && text.get(..start).is_some_and(|before| before.ends_with('\n')) {
        let word = rest.trim_start_matches([' ', '\t']);
        let length = word.find(char::is_whitespace).unwrap_or(word.len());
        return Span::new(start, text.len() - word.len() + length);
    }
    let before = text.get(..start).unwrap_or_default().trim_end();
    let word = before.len() - before.rsplit(char::is_whitespace).next().map_or(0, str::len);
    Span::new(word, before.len())
}
