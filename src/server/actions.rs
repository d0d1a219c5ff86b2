//! Code actions: fixes, fix all, suppressions, explanations.

use std::collections::HashMap;

use tower_lsp::lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Command, Range, TextEdit, Url, WorkspaceEdit,
};

use super::convert::{diagnostics, offset, range, uri_of};
use super::pipeline::pipelines;
use super::worker::World;
use crate::fix::{Policy, select};
use crate::lints::suppress::{Cover, suppress};
use crate::lints::{Context, Edit, Finding, Fixes, Safety};
use crate::recipe::Index;
use crate::text::Unit;

/// The kind of "fix all".
pub const FIX_ALL: &str = "source.fixAll.recipelint";

impl World {
    /// The actions at a range.
    pub fn actions(&mut self, parameters: &CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
        let unit = self.settings.unit;
        let uri = &parameters.text_document.uri;
        let (session, id) = self.file(uri)?;
        let findings = session.findings_with_fixes(id);
        let graph = session.graph(id);
        let settings = session.settings(id);
        let index = session.index();
        let file = index.file(id)?;
        let (start, end) =
            (offset(&file.source, parameters.range.start, unit), offset(&file.source, parameters.range.end, unit));
        let wanted = |kind: &CodeActionKind| {
            parameters.context.only.as_ref().is_none_or(|only| {
                only.iter().any(|only| kind == only || kind.as_str().starts_with(&format!("{}.", only.as_str())))
            })
        };
        let mut actions = Vec::new();
        let is_near = |finding: &&Finding| finding.place.span.start <= end && start <= finding.place.span.end;
        let near: Vec<Finding> = findings.iter().filter(is_near).cloned().collect();
        for (finding, diagnostic) in near.iter().zip(diagnostics(index, file, &near, unit, true)) {
            if let Some(fix) = &finding.fix
                && wanted(&CodeActionKind::QUICKFIX)
            {
                actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                    title: fix.title.clone(),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![diagnostic.clone()]),
                    edit: Some(workspace_edit(index, &fix.edits, unit)),
                    is_preferred: Some(fix.safety == Safety::Safe),
                    ..CodeAction::default()
                }));
            }
            if wanted(&CodeActionKind::QUICKFIX) {
                let covers = [(Cover::Line, "here"), (Cover::Step, "in this step"), (Cover::File, "in this file")];
                for (cover, place) in covers {
                    let Some(edit) = suppress(file, finding, cover) else { continue };
                    actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                        title: format!("Suppress {} {place}", finding.lint),
                        kind: Some(CodeActionKind::QUICKFIX),
                        diagnostics: Some(vec![diagnostic.clone()]),
                        edit: Some(workspace_edit(index, &[edit], unit)),
                        ..CodeAction::default()
                    }));
                }
                let title = format!("Explain {}", finding.lint);
                let arguments = Some(vec![finding.lint.into()]);
                let command = Command { title: title.clone(), command: "recipelint.explain".to_owned(), arguments };
                actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                    title,
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![diagnostic]),
                    command: Some(command),
                    ..CodeAction::default()
                }));
            }
        }
        if wanted(&CodeActionKind::REFACTOR_EXTRACT) {
            let context = Context { file, graph: &graph, index, settings: &settings, fixes: &Fixes::wanted() };
            for (field, edit) in pipelines(&context, start) {
                actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                    title: format!("Insert the canonical pipeline for `{field}`"),
                    kind: Some(CodeActionKind::REFACTOR_EXTRACT),
                    edit: Some(workspace_edit(index, &[edit], unit)),
                    ..CodeAction::default()
                }));
            }
        }
        let fix_all = CodeActionKind::new(FIX_ALL);
        if wanted(&fix_all) {
            let edits = all_fixes(&findings, id);
            if !edits.is_empty() {
                actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                    title: "Apply all safe fixes of recipelint".to_owned(),
                    kind: Some(fix_all),
                    edit: Some(workspace_edit(index, &edits, unit)),
                    ..CodeAction::default()
                }));
            }
        }
        Some(actions)
    }
}

/// The edits of all safe fixes that fit together and stay in one file.
fn all_fixes(findings: &[Finding], id: crate::recipe::FileId) -> Vec<Edit> {
    let own = |at: usize| {
        let edits = findings.get(at).and_then(|finding| finding.fix.as_ref()).map(|fix| &fix.edits);
        edits.is_some_and(|edits| edits.iter().all(|edit| edit.place.file == id))
    };
    select(findings, Policy::Safe, &own).edits.remove(&id).unwrap_or_default()
}

/// Edits as the protocol has them.
pub fn workspace_edit(index: &Index, edits: &[Edit], unit: Unit) -> WorkspaceEdit {
    let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    for edit in edits {
        let Some(file) = index.file(edit.place.file) else { continue };
        let Some(uri) = file.location.as_deref().and_then(uri_of) else { continue };
        let range: Range = range(&file.source, edit.place.span, unit);
        changes.entry(uri).or_default().push(TextEdit::new(range, edit.text.clone()));
    }
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}
