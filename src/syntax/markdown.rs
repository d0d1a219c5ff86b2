//! Markdown: what stands where in prompt files, agent files and prompts.
//!
//! pulldown-cmark answers what is code, a comment or an item; nothing is rendered. All spans count from the start of
//! the text that was parsed.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::text::{Fragment, Piece, Span, Spanned};

/// What a Markdown text holds, each list in source order.
#[derive(Clone, Debug, Default)]
pub struct Markdown {
    /// Code blocks, fenced ones and indented ones.
    pub fences: Vec<Fence>,
    /// Code spans, with their backticks.
    pub code_spans: Vec<Span>,
    /// `<!-- … -->`; one that does not end goes to the end of its block.
    pub comments: Vec<Span>,
    /// Headings.
    pub headings: Vec<Heading>,
    /// The text of list items, without their marker and without what is nested in them.
    pub items: Vec<Span>,
    /// The text of table cells.
    pub cells: Vec<Span>,
}

/// A code block.
#[derive(Clone, Debug)]
pub struct Fence {
    /// With its fences.
    pub span: Span,
    /// The info string (`json`, `bash title=x`); empty for an indented block.
    pub info: Spanned<String>,
    /// The code, without the indentation of the list or quote that the block stands in.
    pub body: Fragment,
    /// It has a closing fence; an indented block needs none.
    pub closed: bool,
}

impl Fence {
    /// The first word of the info string in lower case: the language.
    pub fn language(&self) -> String {
        self.info.value.split([' ', '\t', ',', '{']).next().unwrap_or_default().to_ascii_lowercase()
    }
}

/// A heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its text, without `#` or underline.
    pub span: Span,
    /// 1 to 6.
    pub level: u8,
}

/// Reads a text; every text is Markdown.
pub fn parse(text: &str) -> Markdown {
    let mut reader = Reader { text, markdown: Markdown::default(), open: Vec::new(), html: None };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.event(event, range);
    }
    let mut markdown = reader.markdown;
    markdown.items.sort_unstable();
    markdown
}

/// Something open whose text is collected.
enum Open {
    Code { span: Span, info: Spanned<String>, fenced: bool, text: String, pieces: Vec<Piece> },
    Heading { level: u8, text: Option<Span> },
    Item { text: Option<Span>, complete: bool },
    Cell { text: Option<Span> },
}

struct Reader<'a> {
    text: &'a str,
    markdown: Markdown,
    open: Vec<Open>,
    /// The HTML block that is open.
    html: Option<Span>,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        let span = Span::from(range);
        match event {
            Event::Start(tag) => self.start(&tag, span),
            Event::End(tag) => self.end(tag, span),
            Event::Text(text) => match self.open.last_mut() {
                Some(Open::Code { text: code, pieces, .. }) => {
                    let source = self.text.get(span.range()).unwrap_or_default();
                    let decoded = code.len();
                    code.push_str(&text);
                    add(pieces, Piece { decoded, decoded_len: text.len(), source: span, verbatim: source == &*text });
                }
                _ => self.inline(span),
            },
            Event::Code(_) => {
                self.markdown.code_spans.push(span);
                self.inline(span);
            }
            Event::InlineHtml(_) => {
                self.comments(span);
                self.inline(span);
            }
            Event::Html(_) => self.html = Some(self.html.map_or(span, |block| block.to(span))),
            Event::SoftBreak | Event::HardBreak | Event::TaskListMarker(_) | Event::Rule => {}
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => self.inline(span),
        }
    }

    fn start(&mut self, tag: &Tag<'_>, span: Span) {
        match tag {
            Tag::CodeBlock(kind) => {
                let fenced = matches!(kind, CodeBlockKind::Fenced(_));
                let info = if fenced { self.info(span) } else { Spanned::new(String::new(), Span::at(span.start)) };
                self.complete_item();
                self.open.push(Open::Code { span, info, fenced, text: String::new(), pieces: Vec::new() });
            }
            Tag::Heading { level, .. } => self.open.push(Open::Heading { level: *level as u8, text: None }),
            Tag::Item => self.open.push(Open::Item { text: None, complete: false }),
            Tag::TableCell => self.open.push(Open::Cell { text: None }),
            Tag::List(_) | Tag::BlockQuote(_) | Tag::Table(_) => self.complete_item(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, span: Span) {
        match tag {
            TagEnd::HtmlBlock => {
                if let Some(block) = self.html.take() {
                    self.comments(block);
                }
            }
            TagEnd::CodeBlock | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableCell => match self.open.pop() {
                Some(Open::Code { span, info, fenced, text, pieces }) => {
                    let inner = pieces.iter().map(|piece| piece.source).reduce(Span::to);
                    let body = Fragment::from_pieces(text, pieces, inner.unwrap_or(Span::at(info.span.end)));
                    let closed = !fenced || self.has_closing_fence(span, body.span().end);
                    self.markdown.fences.push(Fence { span, info, body, closed });
                }
                Some(Open::Heading { level, text }) => {
                    self.markdown.headings.push(Heading { span: text.unwrap_or(Span::at(span.end)), level });
                }
                Some(Open::Item { text, .. }) => self.markdown.items.extend(text),
                Some(Open::Cell { text }) => self.markdown.cells.extend(text),
                None => {}
            },
            _ => {}
        }
    }

    /// Text of the innermost heading, item or cell.
    fn inline(&mut self, span: Span) {
        if let Some(Open::Heading { text, .. } | Open::Cell { text } | Open::Item { text, complete: false }) =
            self.open.last_mut()
        {
            *text = Some(text.map_or(span, |text| text.to(span)));
        }
    }

    /// The item's own text ends where something is nested in it.
    fn complete_item(&mut self) {
        if let Some(Open::Item { complete, .. }) = self.open.last_mut() {
            *complete = true;
        }
    }

    /// The info string of the fenced block that begins at the start of `span`.
    fn info(&self, span: Span) -> Spanned<String> {
        let block = self.text.get(span.range()).unwrap_or_default();
        let line = block.split(['\n', '\r']).next().unwrap_or_default();
        let info = line.trim_start_matches(' ').trim_start_matches(['`', '~']);
        let start = span.start + line.len() - info.trim_start().len();
        let info = info.trim();
        Spanned::new(info.to_owned(), Span::new(start, start + info.len()))
    }

    fn has_closing_fence(&self, span: Span, body: usize) -> bool {
        let opening = self.text.get(span.range()).unwrap_or_default().trim_start();
        let fence: String = opening.chars().take_while(|c| opening.starts_with(*c)).collect();
        let last = self.text.get(body.max(span.start)..span.end).unwrap_or_default().trim_end();
        let last = last.rsplit(['\n', '\r']).next().unwrap_or_default();
        let last = last.trim_start_matches([' ', '\t', '>']);
        !fence.is_empty() && last.len() >= fence.len() && last.chars().all(|c| fence.starts_with(c))
    }

    fn comments(&mut self, block: Span) {
        let html = self.text.get(block.range()).unwrap_or_default();
        let mut at = 0;
        while let Some(start) = html.get(at..).and_then(|rest| rest.find("<!--")).map(|start| at + start) {
            let end =
                html.get(start + 4..).and_then(|rest| rest.find("-->")).map_or(html.len(), |end| start + 4 + end + 3);
            self.markdown.comments.push(Span::new(block.start + start, block.start + end));
            at = end;
        }
    }
}

/// Adds a piece; verbatim ones that follow each other are one.
fn add(pieces: &mut Vec<Piece>, piece: Piece) {
    match pieces.last_mut() {
        Some(last) if last.verbatim && piece.verbatim && last.source.end == piece.source.start => {
            last.decoded_len += piece.decoded_len;
            last.source.end = piece.source.end;
        }
        _ => pieces.push(piece),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn show<'a>(text: &'a str, spans: &[Span]) -> Vec<&'a str> {
        spans.iter().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn code_blocks_have_their_info_and_body() {
        for (text, info, body, closed) in [
            ("é\n\n```json\n{\"a\": 1}\n```\n", "json", "{\"a\": 1}\n", true),
            ("```json\r\n{\r\n}\r\n```\r\n", "json", "{\n}\n", true),
            ("~~~~ bash  title=x \necho\n\n~~~\n~~~~\n", "bash  title=x", "echo\n\n~~~\n", true),
            ("- x\n\n  ```sh\n  a\n    b\n  ```\n", "sh", "a\n  b\n", true),
            ("> ```\n> é\n> ```\n", "", "é\n", true),
            ("```\nopen", "", "open", false),
            ("```json\n", "json", "", false),
            ("```\n```\n", "", "", true),
            ("x\n\n    a\n      b\n\ny\n", "", "a\n  b\n", true),
        ] {
            let markdown = parse(text);
            let fence = markdown.fences.first().unwrap();
            assert_eq!((fence.info.value.as_str(), fence.body.text(), fence.closed), (info, body, closed), "{text:?}");
            assert_eq!(&text[fence.info.span.range()], info, "{text:?}");
            for piece in fence.body.pieces().filter(|piece| piece.verbatim) {
                assert_eq!(&text[piece.source.range()], &body[piece.decoded..piece.decoded + piece.decoded_len]);
            }
            if let Some(at) = body.find('é') {
                assert_eq!(&text[fence.body.locate(at..at + 2).range()], "é");
            }
        }
        assert_eq!(parse("```JSON {.x}\n```\n").fences.first().unwrap().language(), "json");
    }

    #[test]
    fn what_stands_in_code_is_nothing_else() {
        let text = "```\n<!-- a -->\n# b\n- c\n`d`\n```\n";
        let markdown = parse(text);
        assert!(markdown.comments.is_empty() && markdown.headings.is_empty());
        assert!(markdown.items.is_empty() && markdown.code_spans.is_empty());
    }

    #[test]
    fn comments_headings_items_cells_and_code_spans() {
        let text = "# Tïtle `x` #\n\n<!-- one\n\ntwo --> and <!-- three -->\n\nText <!-- four --> end.\n\n\
                    Under\n=====\n\n- an item\n  that goes *on*\n  - nested\n- [ ] task\n\n1. first\n\n   more\n\n\
                    | a | `b` |\n|---|---|\n| é  |  |\n\n<!-- open\n";
        let markdown = parse(text);
        assert_eq!(
            show(text, &markdown.comments),
            ["<!-- one\n\ntwo -->", "<!-- three -->", "<!-- four -->", "<!-- open\n"]
        );
        let headings: Vec<_> = markdown.headings.iter().map(|h| (&text[h.span.range()], h.level)).collect();
        assert_eq!(headings, [("Tïtle `x`", 1), ("Under", 1)]);
        assert_eq!(show(text, &markdown.items), ["an item\n  that goes *on", "nested", "task", "first\n\n   more"]);
        assert_eq!(show(text, &markdown.cells), ["a", "`b`", "é"]);
        assert_eq!(show(text, &markdown.code_spans), ["`x`", "`b`"]);
    }

    #[test]
    fn any_text_is_read() {
        for text in
            ["", "\0", "\u{feff}# x", "[[[[", "<!--", &"> ".repeat(10_000), &"- ".repeat(10_000), &"[".repeat(100_000)]
        {
            let markdown = parse(text);
            assert!(markdown.fences.is_empty());
        }
    }
}
