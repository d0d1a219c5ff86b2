//! Reading aids in the text: inlay hints, code lenses, semantic tokens.

use std::collections::HashMap;

use tower_lsp::lsp_types::{
    CodeLens, Command, InlayHint, InlayHintKind, InlayHintLabel, InlayHintTooltip, Range, SemanticToken,
    SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend, Url,
};

use super::convert::{offset, position, range};
use super::worker::World;
use crate::flow::{Graph, Name, NodeKind, Normaliser, Trust};
use crate::recipe::names::Role;
use crate::recipe::{Action, Dialect, File, Index, Scopes, Step};
use crate::syntax::shell::ast::{CommandKind, PartKind, WordPart};
use crate::syntax::shell::visit::{self, Visitor};
use crate::syntax::yaml::Data;
use crate::syntax::{condition, template};
use crate::text::{Span, Unit};
use crate::verdict::Vocabulary;

/// Types and modifiers of semantic tokens, in the order of their numbers.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::VARIABLE,
            SemanticTokenType::FUNCTION,
            SemanticTokenType::STRING,
            SemanticTokenType::COMMENT,
            SemanticTokenType::OPERATOR,
            SemanticTokenType::PARAMETER,
        ],
        token_modifiers: vec![SemanticTokenModifier::new("agentText"), SemanticTokenModifier::new("extracted")],
    }
}

const VARIABLE: u32 = 0;
const FUNCTION: u32 = 1;
const STRING: u32 = 2;
const COMMENT: u32 = 3;
const OPERATOR: u32 = 4;
const PARAMETER: u32 = 5;

impl World {
    /// "agent text" behind outputs that are, the kind of steps that do not say theirs, what a normaliser can yield.
    pub fn hints(&mut self, uri: &Url, visible: Range) -> Option<Vec<InlayHint>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let graph = session.graph(id);
        let file = session.index().file(id)?.clone();
        let span = Span::new(offset(&file.source, visible.start, unit), offset(&file.source, visible.end, unit));
        let mut hints = Vec::new();
        let mut add = |at: usize, label: String, tip: &str| {
            if span.touches(at) {
                hints.push(InlayHint {
                    position: position(&file.source, at, unit),
                    label: InlayHintLabel::String(label),
                    kind: Some(InlayHintKind::TYPE),
                    text_edits: None,
                    tooltip: Some(InlayHintTooltip::String(tip.to_owned())),
                    padding_left: Some(true),
                    padding_right: None,
                    data: None,
                });
            }
        };
        for (_, node) in graph.nodes_in(id) {
            match &node.kind {
                NodeKind::Name(Name::Output(_)) if node.trust == Trust::Agent => {
                    add(
                        node.place.span.end,
                        "agent text".to_owned(),
                        "an agent's prose, or cut from it: show it, never decide by it",
                    );
                }
                NodeKind::Name(Name::Output(_)) if node.trust == Trust::Extracted => {
                    add(node.place.span.end, "extracted".to_owned(), "may be tested by equality, and is no code");
                }
                NodeKind::Normalise(which) => {
                    let vocabulary = match which {
                        Normaliser::Verdict => Vocabulary::work(),
                        Normaliser::Loop => Vocabulary::of_loop(),
                        _ => continue,
                    };
                    add(node.place.span.end, words_of(vocabulary), "the only words that come out of it");
                }
                _ => {}
            }
        }
        for (at, kind) in inferred_kinds(&file) {
            add(at, kind.to_owned(), "the kind of step, as the engine infers it from its keys");
        }
        hints.sort_by_key(|hint| (hint.position.line, hint.position.character));
        hints.dedup_by_key(|hint| hint.position);
        Some(hints)
    }

    /// Above each output: who reads it.
    pub fn lenses(&mut self, uri: &Url) -> Option<Vec<CodeLens>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let file = index.file(id)?;
        let scopes = Scopes::new(index);
        let names = index.names(file);
        let around = index.readers(id);
        let lenses = names.uses.iter().filter(|one| one.role == Role::Output).map(|one| {
            let readers = names
                .uses
                .iter()
                .filter(|other| other.role.is_read() && scopes.candidates(file, other).contains(&one.name));
            let count = readers.count();
            let elsewhere = around.reads(&one.name);
            let title = match (count, elsewhere) {
                (0, true) => "read in other recipes".to_owned(),
                (0, false) => "nobody reads this".to_owned(),
                (1, _) => "1 reader".to_owned(),
                (count, _) => format!("{count} readers"),
            };
            let range = range(&file.source, one.span, unit);
            let arguments = serde_json::to_value((uri, range.start)).ok().map(|value| vec![value]);
            CodeLens {
                range,
                command: Some(Command { title, command: "recipelint.showReaders".to_owned(), arguments }),
                data: None,
            }
        });
        Some(lenses.collect())
    }

    /// Tokens of bash, templates and conditions inside scalars.
    pub fn tokens(&mut self, uri: &Url) -> Option<SemanticTokens> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let graph = session.graph(id);
        let file = session.index().file(id)?.clone();
        let mut found = tokens_of(&file);
        mark_trust(&mut found, &graph, session.index(), &file);
        found.sort_by_key(|token| (token.span.start, token.span.end));
        found.dedup_by(|b, a| b.span.start < a.span.end);
        Some(SemanticTokens { result_id: None, data: encoded(&file, &found, unit) })
    }
}

/// The kinds of steps that do not say theirs, each behind the step's id.
fn inferred_kinds(file: &File) -> Vec<(usize, &'static str)> {
    let yaml = file.yaml();
    let root = yaml.as_ref().and_then(|yaml| yaml.root.as_ref());
    let items = root.filter(|_| file.dialect == Dialect::Amplihack).and_then(|root| root.get("steps"));
    let Some(Data::Sequence(items)) = items.map(|items| &items.data) else { return Vec::new() };
    let says = |step: &Step| items.iter().any(|item| item.span.start == step.span.start && item.get("type").is_some());
    let kinds = file.recipe.steps.iter().filter(|step| !says(step)).filter_map(|step| {
        let kind = match &step.action {
            Action::Agent(_) => "agent",
            Action::Script(_) => "bash",
            Action::Recipe(_) => "recipe",
            _ => return None,
        };
        Some((step.id.as_ref()?.span.end, kind))
    });
    kinds.collect()
}

fn words_of(vocabulary: &Vocabulary) -> String {
    vocabulary.outcomes.iter().map(|outcome| outcome.canonical.clone()).collect::<Vec<_>>().join(" | ")
}

struct Token {
    span: Span,
    kind: u32,
    modifiers: u32,
}

fn tokens_of(file: &File) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut push = |span: Span, kind: u32| tokens.push(Token { span, kind, modifiers: 0 });
    for step in &file.recipe.steps {
        if let Action::Script(script) = &step.action {
            let mut collector = Collector { found: Vec::new() };
            visit::list(&script.tree().body, &mut collector);
            for (span, kind) in collector.found {
                push(script.fragment.locate(span), kind);
            }
            for comment in &script.tree().comments {
                push(script.fragment.locate(*comment), COMMENT);
            }
        }
        if let Action::Agent(call) = &step.action
            && let Some(crate::recipe::Prompt { text, .. }) = &call.prompt
        {
            for hole in template::holes(text.text()) {
                push(text.locate(hole.name_span), VARIABLE);
            }
        }
        if let Some(guard) = &step.condition
            && guard.language == crate::recipe::GuardLanguage::Engine
        {
            let parsed = condition::parse(guard.text.text());
            for read in parsed.reads() {
                push(guard.text.locate(read.name_span), VARIABLE);
            }
            if let Some(expr) = &parsed.expr {
                expr.walk(&mut |expr| match &expr.kind {
                    condition::ExprKind::String(_) => push(guard.text.locate(expr.span), STRING),
                    condition::ExprKind::Compare(_, op, _) => push(guard.text.locate(op.span), OPERATOR),
                    condition::ExprKind::Call(function, _) => push(guard.text.locate(function.span), FUNCTION),
                    _ => {}
                });
            }
        }
    }
    tokens.retain(|token| !token.span.is_empty());
    tokens
}

struct Collector {
    found: Vec<(Span, u32)>,
}

impl<'a> Visitor<'a> for Collector {
    fn part(&mut self, part: &'a WordPart) {
        match &part.kind {
            PartKind::Parameter(parameter) => self.found.push((parameter.name_span, VARIABLE)),
            PartKind::Hole(_) => self.found.push((part.span, PARAMETER)),
            PartKind::SingleQuoted(_) | PartKind::AnsiQuoted(_) => self.found.push((part.span, STRING)),
            _ => {}
        }
    }

    fn command(&mut self, command: &'a crate::syntax::shell::ast::Command) {
        if let CommandKind::Simple(simple) = &command.kind
            && let Some(name) = simple.words.first()
            && matches!(name.parts.as_slice(), [WordPart { kind: PartKind::Literal(_), .. }])
        {
            self.found.push((name.span, FUNCTION));
        }
    }
}

/// Marks variables and holes that hold agent text: by the nodes that stand at them, by the variable of the script, by
/// the output that their name means.
fn mark_trust(tokens: &mut [Token], graph: &Graph, index: &Index, file: &File) {
    let mut marks: Vec<(Span, Trust)> = Vec::new();
    let mut outputs: HashMap<&str, Trust> = HashMap::new();
    let mut variables: HashMap<&str, Vec<(usize, Trust)>> = HashMap::new();
    for (_, node) in graph.nodes() {
        match &node.kind {
            NodeKind::Name(Name::Output(name)) => {
                let trust = outputs.entry(name).or_default();
                *trust = node.trust.max(*trust);
            }
            NodeKind::Name(Name::Variable(name)) if node.place.file == file.id => {
                variables.entry(name).or_default().push((node.place.span.start, node.trust));
            }
            _ => {}
        }
        if node.place.file == file.id && node.trust >= Trust::Extracted {
            marks.push((node.place.span, node.trust));
        }
    }
    for all in variables.values_mut() {
        all.sort_unstable();
    }
    marks.sort_by_key(|(span, _)| span.start);
    let names = index.names(file);
    let scopes = Scopes::new(index);
    let mut meant: Vec<(usize, Trust)> = names
        .uses
        .iter()
        .filter(|one| one.role.is_read() && one.fields.is_empty())
        .filter_map(|one| {
            let candidates = scopes.candidates(file, one);
            let trust = candidates.iter().filter_map(|name| outputs.get(name.as_str())).max()?;
            Some((one.span.start, *trust))
        })
        .collect();
    meant.sort_unstable();
    for token in tokens.iter_mut().filter(|token| token.kind == VARIABLE || token.kind == PARAMETER) {
        let assigned = variables
            .get(file.source.slice(token.span))
            .and_then(|all| all.iter().rev().find(|(start, _)| *start < token.span.start));
        let near = marks.partition_point(|(span, _)| span.start < token.span.start.saturating_sub(3));
        let here = marks
            .iter()
            .skip(near)
            .take_while(|(span, _)| span.start <= token.span.end)
            .filter(|(span, _)| span.touches(token.span.start) && span.len() <= token.span.len() + 8)
            .map(|(_, trust)| *trust);
        let from = meant.partition_point(|(start, _)| *start < token.span.start);
        let named = meant.iter().skip(from).take_while(|(start, _)| *start < token.span.end).map(|(_, trust)| *trust);
        let trust = match assigned {
            Some((_, trust)) => Some(*trust),
            None => here.chain(named).max(),
        };
        token.modifiers = match trust {
            Some(Trust::Agent) => 1,
            Some(Trust::Extracted) => 2,
            _ => 0,
        };
    }
}

/// The parts of a token, one a line, without indentation and breaks: no token lies on several lines.
fn lines_of<'f>(file: &'f File, token: &Token) -> impl Iterator<Item = Span> + use<'f> {
    let lines = &file.source.lines;
    let span = token.span;
    let (first, last) = (lines.line(span.start), lines.line(span.end.saturating_sub(1).max(span.start)));
    (first..=last).filter_map(move |line| {
        let whole = lines.span(line, &file.source.text);
        let part = Span::new(whole.start.max(span.start), whole.end.min(span.end).max(whole.start.max(span.start)));
        let text = file.source.slice(part);
        let start = part.start + text.len() - text.trim_start().len();
        let part = Span::new(start, start + text.trim().len());
        (!part.is_empty()).then_some(part)
    })
}

/// The protocol's numbers: each token relative to the one before.
fn encoded(file: &File, tokens: &[Token], unit: Unit) -> Vec<SemanticToken> {
    let mut data = Vec::with_capacity(tokens.len());
    let (mut last_line, mut last_start) = (0, 0);
    for (token, part) in tokens.iter().flat_map(|token| lines_of(file, token).map(move |part| (token, part))) {
        let at = range(&file.source, part, unit);
        let delta_line = at.start.line - last_line;
        let delta_start = if delta_line == 0 { at.start.character - last_start } else { at.start.character };
        data.push(SemanticToken {
            delta_line,
            delta_start,
            length: at.end.character - at.start.character,
            token_type: token.kind,
            token_modifiers_bitset: token.modifiers,
        });
        (last_line, last_start) = (at.start.line, at.start.character);
    }
    data
}
