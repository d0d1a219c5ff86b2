//! Outlines, links, folding and selection: what a document consists of.

use tower_lsp::lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, DocumentLink, DocumentSymbol,
    FoldingRange, FoldingRangeKind, Location, Position, SelectionRange, SymbolInformation, SymbolKind, Url,
};

use super::convert::{location, offset, range, uri_of};
use super::hover::word_at;
use super::worker::World;
use crate::flow::Place;
use crate::recipe::{Action, File, FileId, Index, Step};
use crate::syntax::yaml::{Data, Node};
use crate::text::{Span, Unit};

/// At most so many symbols answer a search over the workspace.
const MOST_SYMBOLS: usize = 500;

impl World {
    /// The steps of a document with their outputs, and its inputs.
    pub fn document_symbols(&mut self, uri: &Url) -> Option<Vec<DocumentSymbol>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let file = session.index().file(id)?;
        let mut symbols: Vec<DocumentSymbol> = file
            .recipe
            .variables
            .iter()
            .map(|variable| {
                symbol(file, &variable.name.value, SymbolKind::VARIABLE, variable.name.span, variable.name.span, unit)
            })
            .collect();
        for (at, step) in file.recipe.steps.iter().enumerate() {
            let (name, span) = match &step.id {
                Some(id) => (id.value.clone(), id.span),
                None => (format!("step {}", at + 1), Span::at(step.span.start)),
            };
            let mut made = symbol(file, &name, kind_of(step), span, step.span.to(span), unit);
            made.detail = Some(detail_of(step).to_owned());
            made.children = step.output.as_ref().map(|output| {
                vec![symbol(file, &output.name.value, SymbolKind::VARIABLE, output.name.span, output.name.span, unit)]
            });
            symbols.push(made);
        }
        Some(symbols)
    }

    /// Recipes, steps and outputs of all workspaces whose name contains a text.
    pub fn workspace_symbols(&mut self, query: &str) -> Vec<SymbolInformation> {
        let unit = self.settings.unit;
        let query = query.to_lowercase();
        let mut found = Vec::new();
        for session in self.sessions.values() {
            let index = session.index();
            for file in index.files() {
                let recipe = &file.recipe;
                let names = recipe.name.iter().map(|name| (name, SymbolKind::MODULE));
                let ids = recipe.steps.iter().filter_map(|step| Some((step.id.as_ref()?, kind_of(step))));
                let outputs =
                    recipe.steps.iter().filter_map(|step| Some((&step.output.as_ref()?.name, SymbolKind::VARIABLE)));
                for (name, kind) in names.chain(ids).chain(outputs) {
                    if found.len() >= MOST_SYMBOLS || !name.value.to_lowercase().contains(&query) {
                        continue;
                    }
                    let Some(location) = location(index, Place { file: file.id, span: name.span }, unit) else {
                        continue;
                    };
                    #[allow(deprecated)]
                    found.push(SymbolInformation {
                        name: name.value.clone(),
                        kind,
                        tags: None,
                        deprecated: None,
                        location,
                        container_name: recipe.name.as_ref().map(|name| name.value.clone()),
                    });
                }
            }
        }
        found
    }

    /// Links from mentioned paths and called recipes to their files.
    pub fn document_links(&mut self, uri: &Url) -> Option<Vec<DocumentLink>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let file = index.file(id)?;
        let link = |span: Span, target: &File| DocumentLink {
            range: range(&file.source, span, unit),
            target: target.location.as_deref().and_then(uri_of),
            tooltip: Some(target.source.path.display().to_string()),
            data: None,
        };
        let mut links: Vec<DocumentLink> = file
            .recipe
            .mentions
            .iter()
            .filter_map(|mention| Some(link(mention.path.span, index.mentioned(file, mention)?)))
            .filter(|link| link.range.start != link.range.end)
            .collect();
        for (at, step) in file.recipe.steps.iter().enumerate() {
            if let Action::Recipe(call) = &step.action
                && let Some(callee) = index.callee(id, Some(at))
            {
                links.push(link(call.name.span, callee));
            }
        }
        Some(links)
    }

    /// Steps and long scalars fold.
    pub fn folding(&mut self, uri: &Url) -> Option<Vec<FoldingRange>> {
        let (session, id) = self.file(uri)?;
        let file = session.index().file(id)?;
        let lines = &file.source.lines;
        let mut ranges = Vec::new();
        let mut add = |span: Span, kind: Option<FoldingRangeKind>| {
            let (start, end) = (lines.line(span.start), lines.line(span.end.saturating_sub(1).max(span.start)));
            if end > start {
                ranges.push(FoldingRange {
                    start_line: start as u32,
                    end_line: end as u32,
                    kind,
                    ..FoldingRange::default()
                });
            }
        };
        for step in &file.recipe.steps {
            add(step.span, Some(FoldingRangeKind::Region));
        }
        let yaml = file.yaml();
        let mut stack: Vec<&Node> = yaml.iter().filter_map(|yaml| yaml.root.as_ref()).collect();
        while let Some(node) = stack.pop() {
            match &node.data {
                Data::Scalar(scalar) => add(scalar.fragment.span(), None),
                Data::Mapping(entries) => stack.extend(entries.iter().map(|entry| &entry.value)),
                Data::Sequence(items) => stack.extend(items),
                Data::Alias(_) => {}
            }
        }
        ranges.sort_by_key(|range| (range.start_line, range.end_line));
        ranges.dedup_by_key(|range| (range.start_line, range.end_line));
        Some(ranges)
    }

    /// From the word outwards: value, entry, step, document.
    pub fn selection(&mut self, uri: &Url, positions: &[Position]) -> Option<Vec<SelectionRange>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let file = session.index().file(id)?;
        let all = positions.iter().map(|position| {
            let at = offset(&file.source, *position, unit);
            let mut spans = vec![Span::new(0, file.source.text.len())];
            let yaml = file.yaml();
            let mut next = yaml.as_ref().and_then(|yaml| yaml.root.as_ref());
            while let Some(node) = next {
                next = None;
                if node.span.touches(at) {
                    spans.push(node.span);
                }
                match &node.data {
                    Data::Mapping(entries) => {
                        for entry in entries {
                            let whole = entry.key.span.to(entry.value.span);
                            if whole.touches(at) {
                                spans.push(whole);
                                next = Some(if entry.key.span.touches(at) { &entry.key } else { &entry.value });
                            }
                        }
                    }
                    Data::Sequence(items) => next = items.iter().find(|item| item.span.touches(at)),
                    _ => {}
                }
            }
            let line = file.source.lines.span(file.source.lines.line(at), &file.source.text);
            spans.push(line);
            spans.push(word_at(&file.source.text, at));
            nested(file, spans, unit)
        });
        Some(all.collect())
    }

    /// The recipe of a document as an item of the call hierarchy.
    pub fn prepare_hierarchy(&mut self, uri: &Url) -> Option<Vec<CallHierarchyItem>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        Some(vec![item(session.index(), id, unit)?])
    }

    /// The recipes that run a recipe.
    pub fn incoming(&mut self, uri: &Url) -> Option<Vec<CallHierarchyIncomingCall>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let calls = index.callers(id).iter().filter_map(|call| {
            let from = item(index, call.caller, unit)?;
            let caller = index.file(call.caller)?;
            Some(CallHierarchyIncomingCall {
                from,
                from_ranges: vec![range(&caller.source, call_span(caller, call.step)?, unit)],
            })
        });
        Some(calls.collect())
    }

    /// The recipes that a recipe runs.
    pub fn outgoing(&mut self, uri: &Url) -> Option<Vec<CallHierarchyOutgoingCall>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let file = index.file(id)?;
        let calls = index.calls(id).iter().filter_map(|call| {
            let to = item(index, call.callee, unit)?;
            Some(CallHierarchyOutgoingCall {
                to,
                from_ranges: vec![range(&file.source, call_span(file, call.step)?, unit)],
            })
        });
        Some(calls.collect())
    }
}

fn call_span(caller: &File, step: Option<usize>) -> Option<Span> {
    match step {
        Some(at) => match &caller.recipe.steps.get(at)?.action {
            Action::Recipe(call) => Some(call.name.span),
            _ => None,
        },
        None => caller.recipe.extends.as_ref().map(|name| name.span),
    }
}

fn item(index: &Index, id: FileId, unit: Unit) -> Option<CallHierarchyItem> {
    let file = index.file(id)?;
    let span = file.recipe.name.as_ref().map_or(Span::at(0), |name| name.span);
    let Location { uri, range: selection } = location(index, Place { file: id, span }, unit)?;
    let name =
        file.recipe.name.as_ref().map_or_else(|| file.source.path.display().to_string(), |name| name.value.clone());
    Some(CallHierarchyItem {
        name,
        kind: SymbolKind::MODULE,
        tags: None,
        detail: Some(file.source.path.display().to_string()),
        uri,
        range: selection,
        selection_range: selection,
        data: None,
    })
}

fn symbol(file: &File, name: &str, kind: SymbolKind, span: Span, whole: Span, unit: Unit) -> DocumentSymbol {
    let name = if name.is_empty() { "(without a name)" } else { name };
    #[allow(deprecated)]
    DocumentSymbol {
        name: name.to_owned(),
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: range(&file.source, whole, unit),
        selection_range: range(&file.source, span, unit),
        children: None,
    }
}

fn kind_of(step: &Step) -> SymbolKind {
    match &step.action {
        Action::Agent(_) => SymbolKind::CLASS,
        Action::Script(_) => SymbolKind::FUNCTION,
        Action::Recipe(_) => SymbolKind::MODULE,
        _ => SymbolKind::OBJECT,
    }
}

fn detail_of(step: &Step) -> &'static str {
    match &step.action {
        Action::Agent(_) => "agent",
        Action::Script(_) => "script",
        Action::Recipe(_) => "recipe",
        Action::Uses(_) => "action",
        Action::Other(_) | Action::Nothing => "step",
    }
}

/// Ranges that contain each other, the smallest first.
fn nested(file: &File, mut spans: Vec<Span>, unit: Unit) -> SelectionRange {
    spans.sort_by_key(|span| std::cmp::Reverse(span.len()));
    spans.dedup();
    let mut result: Option<SelectionRange> = None;
    let mut last = Span::new(0, file.source.text.len());
    for span in spans {
        if !last.covers(span) {
            continue;
        }
        last = span;
        result = Some(SelectionRange { range: range(&file.source, span, unit), parent: result.map(Box::new) });
    }
    result.unwrap_or(SelectionRange { range: range(&file.source, last, unit), parent: None })
}
