//! Scrapes become the canonical pipeline: the field is read instead of the prose, the prompt asks for it, and the tests
//! behind the scrape compare what the pipeline prints.

use std::sync::Arc;

use super::super::edits::{Changes, script_at};
use super::super::trail::{ancestors_through, descendants_through, origin, read_trust};
use super::super::verdict::gate::{opens, outcomes, same_value};
use super::super::{Context, Finding, Fix, Safety};
use super::ask::ask;
use super::field::{Field, Target, Test, normalised};
use super::site::{Feed, Site, arm_at, expansion, in_loop, part_at, site, test_at, variable_of};
use super::{fed, pipeline, stage, stages};
use crate::flow::{Choice, CompareOp, Match, MatchHow, Name, NodeId, NodeKind, Place, Source, TextTool, Trust};
use crate::recipe::Script;
use crate::syntax::shell::ast::{PartKind, Word};
use crate::text::Span;
use crate::verdict::Vocabulary;

/// A proposal for a text tool on prose, or on something that can be read as JSON.
pub(crate) fn suggest_tool(cx: &Context<'_>, finding: Finding, id: NodeId, tool: &TextTool) -> Finding {
    if !cx.fixes.take() {
        return finding;
    }
    // A number of lines has no field that stands for it.
    if tool.numeric || tool.inverted {
        return finding;
    }
    let target = Target::read(&tool.tool, &tool.patterns);
    with_fix(cx, finding, id, |changes| {
        let (script, range) = script_at(cx, cx.graph.node(id).place)?;
        let site = site(script, range, tool.quiet)?;
        is_whole(cx, id, script, site.span).then_some(())?;
        let field = if site.truth {
            let (field, test) = target.truth(opens_when_true(cx, id))?;
            let after = format!(")\" {} {} ]", operator(test.negated != site.negated), test.token);
            put(changes, script, &site, "[ \"$(", &stages(cx, &field), &after);
            field
        } else {
            let tested = tested(cx, id)?;
            let words: Vec<Arc<str>> = tested.iter().map(|(word, _)| word.clone()).collect();
            let (field, new) = target.value(cx, &words, site.variable.as_deref(), site.fallback.as_deref())?;
            let stages = source_stages(cx, id, script, &site, &field)?;
            put(changes, script, &site, "", &stages, "");
            retest(changes, &tested, &new)?;
            field
        };
        Some(field)
    })
}

/// A proposal for a match of the shell on prose.
pub(crate) fn suggest_match(cx: &Context<'_>, finding: Finding, id: NodeId, found: &Match) -> Finding {
    if !cx.fixes.take() {
        return finding;
    }
    with_fix(cx, finding, id, |changes| {
        let (script, range) = script_at(cx, cx.graph.node(id).place)?;
        is_whole(cx, id, script, range).then_some(())?;
        let tree = script.tree();
        match found.how {
            MatchHow::Regex | MatchHow::Glob => {
                let text = script.fragment.text();
                // The groups of a regular expression are read later on.
                if text.contains("BASH_REMATCH") || in_loop(script, range) {
                    return None;
                }
                let (left, _) = test_at(&tree, range)?;
                let feed = Feed::Text(expansion(script, left)?);
                let opens = opens_when_true(cx, id).map(|opens| opens != found.negated);
                let (field, test) = Target::read("", &found.patterns).truth(opens)?;
                let operator = if test.negated == found.negated { "==" } else { "!=" };
                let new = format!("\"$({})\" {operator} {}", pipeline(cx, &feed, &field), test.token);
                changes.replace(&script.fragment, range, new);
                Some(field)
            }
            MatchHow::Strip | MatchHow::Replace => {
                let part = part_at(&tree, range)?;
                let PartKind::Parameter(parameter) = &part.kind else { return None };
                if parameter.index.is_some() || parameter.indirect || in_loop(script, range) {
                    return None;
                }
                let feed = Feed::Text(format!("\"${}\"", parameter.name));
                let tested = tested(cx, id)?;
                let words: Vec<Arc<str>> = tested.iter().map(|(word, _)| word.clone()).collect();
                let variable = variable_of(script, range);
                let (field, new) = Target::read("", &found.patterns).value(cx, &words, variable.as_deref(), None)?;
                changes.replace(&script.fragment, range, format!("$({})", pipeline(cx, &feed, &field)));
                retest(changes, &tested, &new)?;
                Some(field)
            }
            MatchHow::Case => arms(cx, changes, script, range),
            MatchHow::Piece | MatchHow::Expr | MatchHow::Method(_) => None,
        }
    })
}

fn with_fix<'c>(
    cx: &'c Context<'_>,
    finding: Finding,
    id: NodeId,
    edits: impl FnOnce(&mut Changes<'c, '_>) -> Option<Field>,
) -> Finding {
    let mut changes = Changes::new(cx);
    let made = edits(&mut changes).and_then(|field| {
        // What a command prints has its form already.
        if read_trust(cx, id) == Trust::Agent {
            ask(&mut changes, cx, id, &field)?;
        }
        Some((field, changes.edits()?))
    });
    match made {
        Some((field, edits)) => finding.fix(Fix {
            title: format!("Read the field \"{}\" instead", field.name),
            safety: Safety::Suggest,
            edits,
        }),
        None => finding,
    }
}

fn operator(negated: bool) -> &'static str {
    if negated { "!=" } else { "=" }
}

/// Puts the canonical pipeline in the place of a scrape, between two texts. Commands that it reads stay untouched, as
/// the prompt of an agent may stand in them.
fn put<'c>(changes: &mut Changes<'c, '_>, script: &'c Script, site: &Site, before: &str, stages: &str, after: &str) {
    if let Feed::Commands(commands) = site.feed {
        if commands.start > site.span.start || !before.is_empty() {
            changes.replace(&script.fragment, Span::new(site.span.start, commands.start), before);
        }
        changes.replace(&script.fragment, Span::new(commands.end, site.span.end), format!("{stages}{after}"));
    } else {
        let pipeline = fed(&site.feed, stages);
        changes.replace(&script.fragment, site.span, format!("{before}{pipeline}{after}"));
    }
}

/// The stages behind a program that has a JSON form of its own: it is asked for that, and prints nothing else.
fn source_stages(cx: &Context<'_>, id: NodeId, script: &Script, site: &Site, field: &Field) -> Option<String> {
    let json = matches!(
        origin(cx, id).map(|(source, _)| &cx.graph.node(source).kind),
        Some(NodeKind::Source(Source::Tool { json_form: true, .. }))
    );
    if !json || read_trust(cx, id) == Trust::Agent {
        return Some(stages(cx, field));
    }
    let Feed::Commands(commands) = site.feed else { return None };
    let flag = if script.fragment.text().get(commands.range())?.contains("--json") { "" } else { " --json" };
    Some(format!("{flag} | {} --field {} --default \"\"", stage(cx, "extract-field"), field.name))
}

/// Whether a scrape reads the whole text, apart from what the same pipeline cut before it: nothing can be extracted from
/// a part. What another step printed is a whole again.
fn is_whole(cx: &Context<'_>, id: NodeId, script: &Script, span: Span) -> bool {
    let cuts = |kind: &NodeKind| matches!(kind, NodeKind::Text(_) | NodeKind::Match(_) | NodeKind::Json(_));
    let here = script.fragment.locate(span);
    let through =
        |kind: &NodeKind| (same_value(kind) && !matches!(kind, NodeKind::Name(Name::Output(_)))) || cuts(kind);
    ancestors_through(cx.graph, id, through)
        .into_iter()
        .map(|id| cx.graph.node(id))
        .all(|node| !cuts(&node.kind) || here.covers(node.place.span))
}

/// Whether something happens when a test is true, and not when it is false, or the other way round; `None` where both
/// happens.
fn opens_when_true(cx: &Context<'_>, id: NodeId) -> Option<bool> {
    let mut ways = outcomes(cx, id).into_iter().filter_map(|outcome| {
        let (yes, no) = (outcome.when_true, outcome.when_false);
        match (opens(yes), opens(no)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ if yes.stops != no.stops => Some(no.stops),
            _ => None,
        }
    });
    let first = ways.next()?;
    ways.all(|way| way == first).then_some(first)
}

/// The words that a cut text is compared with, and where they stand. `None` where it is tested in another way.
fn tested(cx: &Context<'_>, id: NodeId) -> Option<Vec<(Arc<str>, Place)>> {
    let through = |kind: &NodeKind| same_value(kind) || matches!(kind, NodeKind::Text(_));
    let mut found = Vec::new();
    for user in descendants_through(cx.graph, id, through) {
        match &cx.graph.node(user).kind {
            NodeKind::Compare(compare) if compare.op != CompareOp::Order => {
                found.push((compare.operand.clone()?, compare.operand_place?));
            }
            NodeKind::Compare(_) | NodeKind::Match(_) | NodeKind::Contains(_) => return None,
            _ => {}
        }
    }
    Some(found)
}

fn retest(changes: &mut Changes<'_, '_>, tested: &[(Arc<str>, Place)], new: &[(Arc<str>, String)]) -> Option<()> {
    for (word, place) in tested {
        let (_, token) = new.iter().find(|(old, _)| old == word)?;
        if **word != **token {
            changes.word(*place, word, token)?;
        }
    }
    Some(())
}

/// A `case` on prose becomes one on the field.
fn arms<'c>(cx: &'c Context<'_>, changes: &mut Changes<'c, '_>, script: &'c Script, range: Span) -> Option<Field> {
    let tree = script.tree();
    let (case, _) = arm_at(&tree, range)?;
    if in_loop(script, case.keyword) {
        return None;
    }
    let text = script.fragment.text();
    let written = |word: &Word| text.get(word.span.range()).map(|text| Arc::from(text.replace(['"', '\''], "")));
    let mut targets: Vec<(Span, Target)> = Vec::new();
    for arm in &case.arms {
        let patterns: Vec<Option<Arc<str>>> = arm.patterns.iter().map(written).collect();
        if patterns.iter().any(|pattern| pattern.as_deref() == Some("*")) {
            continue;
        }
        let (first, last) = (arm.patterns.first()?, arm.patterns.last()?);
        let target = Target::read("", &patterns);
        (!target.phrases.is_empty()).then_some(())?;
        targets.push((first.span.to(last.span), target));
    }
    let place = cx.place(script.fragment.locate(case.keyword));
    let choice = cx.graph.nodes_in(cx.file.id).find_map(|(_, node)| match &node.kind {
        NodeKind::Choice(choice) if node.place == place => Some(choice.as_ref()),
        _ => None,
    });
    let (field, tokens) = field_of_arms(choice, &targets)?;
    let feed = Feed::Text(expansion(script, &case.subject)?);
    changes.replace(&script.fragment, case.subject.span, format!("\"$({})\"", pipeline(cx, &feed, &field)));
    for ((span, _), token) in targets.iter().zip(tokens) {
        changes.replace(&script.fragment, *span, token);
    }
    Some(field)
}

/// One field for all arms, and the pattern of each.
fn field_of_arms(choice: Option<&Choice>, targets: &[(Span, Target)]) -> Option<(Field, Vec<String>)> {
    for vocabulary in [Vocabulary::work(), Vocabulary::of_loop()] {
        let field = normalised(vocabulary);
        let named = |target: &Target| target.name.as_deref().is_none_or(|name| name == field.name);
        let tokens: Option<Vec<String>> = targets
            .iter()
            .map(|(_, target)| {
                let mut words: Vec<&str> =
                    target.phrases.iter().map(|word| vocabulary.canonical(word)).collect::<Option<_>>()?;
                words.dedup();
                named(target).then(|| words.join("|"))
            })
            .collect();
        let distinct = |tokens: &[String]| {
            tokens.iter().enumerate().all(|(at, token)| !tokens.iter().skip(at + 1).any(|other| other == token))
        };
        if let Some(tokens) = tokens.filter(|tokens| distinct(tokens)) {
            return Some((field, tokens));
        }
    }
    if let [(_, target)] = targets {
        let opens = choice.and_then(|choice| {
            let (arm, (otherwise, _)) = (choice.arms.first()?, choice.otherwise?);
            (opens(arm.effect) != opens(otherwise)).then(|| opens(arm.effect))
        });
        let (field, Test { token, negated }) = target.truth(opens)?;
        return (!negated).then(|| (field, vec![token]));
    }
    // Several outcomes: the words themselves, each one word.
    let words: Vec<String> = targets.iter().flat_map(|(_, target)| target.phrases.iter().cloned()).collect();
    let name = targets.first()?.1.name.clone();
    let same = targets.iter().all(|(_, target)| target.name == name);
    if !same || words.iter().any(|word| word.contains(' ')) {
        return None;
    }
    let name = name.unwrap_or_else(|| "verdict".to_owned());
    let default = super::safe_default(&name).to_owned();
    let tokens = targets.iter().map(|(_, target)| target.phrases.join("|")).collect();
    Some((Field { name, default, normaliser: None, offered: words }, tokens))
}
