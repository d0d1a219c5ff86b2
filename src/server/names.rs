//! Names of the context across recipes, in all their spellings: definition, references, highlights, rename.

use std::collections::BTreeSet;

use tower_lsp::lsp_types::{
    DocumentHighlight, DocumentHighlightKind, Location, Position, PrepareRenameResponse, Url, WorkspaceEdit,
};

use super::actions::workspace_edit;
use super::convert::{location, offset, range};
use super::worker::World;
use crate::flow::Place;
use crate::lints::Edit;
use crate::recipe::environment::{alias, environment_name};
use crate::recipe::names::{NameUse, Role, Spelling};
use crate::recipe::{Action, File, FileId, Index, Scopes};
use crate::text::{Span, Unit};

/// At most so many recipes are searched for one name.
const MOST_RECIPES: usize = 500;

/// A variable of the context, in a recipe and all that share it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Variable {
    name: String,
    at: NameUse,
}

/// What stands at an offset.
fn variable_at(index: &Index, file: &File, at: usize) -> Option<Variable> {
    let names = index.names(file);
    let one = names.uses.iter().find(|one| one.span.touches(at))?.clone();
    let known = all_names(index, file.id);
    let candidates = Scopes::new(index).candidates(file, &one);
    let name = candidates.iter().find(|name| known.contains(*name)).or(candidates.first())?.clone();
    Some(Variable { name, at: one })
}

/// The recipes that share a context: those that run each other, up and down.
fn around(index: &Index, file: FileId) -> Vec<FileId> {
    let mut found = vec![file];
    let mut at = 0;
    while let Some(id) = found.get(at).copied() {
        let next =
            index.calls(id).iter().map(|call| call.callee).chain(index.callers(id).iter().map(|call| call.caller));
        for id in next.collect::<Vec<_>>() {
            if !found.contains(&id) && found.len() < MOST_RECIPES {
                found.push(id);
            }
        }
        at += 1;
    }
    found
}

fn all_names(index: &Index, file: FileId) -> BTreeSet<String> {
    around(index, file)
        .into_iter()
        .filter_map(|id| index.file(id))
        .flat_map(|file| {
            let names = index.names(file);
            names
                .uses
                .iter()
                .filter(|one| one.spelling == Spelling::Key)
                .map(|one| one.name.clone())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// All places of a variable.
fn places(index: &Index, file: FileId, name: &str) -> Vec<(FileId, NameUse)> {
    let mut found = Vec::new();
    for id in around(index, file) {
        let Some(file) = index.file(id) else { continue };
        let names = index.names(file);
        found.extend(names.uses.iter().filter(|one| one.of(name).is_some()).map(|one| (id, one.clone())));
    }
    found
}

/// The step ids of one recipe; a step is not named anywhere else, so its definition is where it stands.
fn recipe_name_at<'i>(index: &'i Index, file: &File, at: usize) -> Option<&'i std::sync::Arc<File>> {
    let extends = file.recipe.extends.as_ref().filter(|name| name.span.touches(at));
    if extends.is_some() {
        return index.callee(file.id, None);
    }
    let step = file
        .recipe
        .steps
        .iter()
        .position(|step| matches!(&step.action, Action::Recipe(call) if call.name.span.touches(at)))?;
    index.callee(file.id, Some(step))
}

impl World {
    /// Where the thing at a position is made: an output, an input, another recipe, a mentioned file.
    pub fn definition(&mut self, uri: &Url, position: Position) -> Option<Vec<Location>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let file = index.file(id)?;
        let at = offset(&file.source, position, unit);
        if let Some(callee) = recipe_name_at(index, file, at) {
            let span = callee.recipe.name.as_ref().map_or(Span::at(0), |name| name.span);
            return Some(vec![location(index, Place { file: callee.id, span }, unit)?]);
        }
        if let Some(mention) = file.recipe.mentions.iter().find(|mention| mention.path.span.touches(at)) {
            let target = index.mentioned(file, mention)?;
            return Some(vec![location(index, Place { file: target.id, span: Span::at(0) }, unit)?]);
        }
        let variable = variable_at(index, file, at)?;
        let made = |role: Role| matches!(role, Role::Declare | Role::Output | Role::Argument);
        let found: Vec<Location> = places(index, id, &variable.name)
            .into_iter()
            .filter(|(_, one)| made(one.role))
            .filter_map(|(file, one)| location(index, Place { file, span: one.span }, unit))
            .collect();
        (!found.is_empty()).then_some(found)
    }

    /// All places of the variable at a position.
    pub fn references(&mut self, uri: &Url, position: Position, declarations: bool) -> Option<Vec<Location>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let file = index.file(id)?;
        let at = offset(&file.source, position, unit);
        let variable = variable_at(index, file, at)?;
        let found = places(index, id, &variable.name)
            .into_iter()
            .filter(|(_, one)| declarations || one.role.is_read())
            .filter_map(|(file, one)| location(index, Place { file, span: one.span }, unit));
        Some(found.collect())
    }

    /// The places of the variable at a position in the same document.
    pub fn highlights(&mut self, uri: &Url, position: Position) -> Option<Vec<DocumentHighlight>> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let file = index.file(id)?;
        let variable = variable_at(index, file, offset(&file.source, position, unit))?;
        let found = places(index, id, &variable.name).into_iter().filter(|(at, _)| *at == id);
        Some(
            found
                .map(|(_, one)| DocumentHighlight {
                    range: range(&file.source, one.span, unit),
                    kind: Some(if one.role.is_read() {
                        DocumentHighlightKind::READ
                    } else {
                        DocumentHighlightKind::WRITE
                    }),
                })
                .collect(),
        )
    }

    /// What would be renamed at a position.
    pub fn prepare_rename(&mut self, uri: &Url, position: Position) -> Option<PrepareRenameResponse> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let file = index.file(id)?;
        let variable = variable_at(index, file, offset(&file.source, position, unit))?;
        let range = range(&file.source, own_span(&variable.name, &variable.at), unit);
        Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: variable.name })
    }

    /// Renames the variable at a position everywhere, each place in its own spelling.
    pub fn rename(&mut self, uri: &Url, position: Position, new: &str) -> Result<Option<WorkspaceEdit>, String> {
        let usable = !new.is_empty() && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !usable || new.starts_with(|c: char| c.is_ascii_digit()) || new.contains("__") {
            return Err(format!(
                "`{new}` cannot be a variable: use letters, digits and single `_`, so that every spelling can be made of it"
            ));
        }
        let unit: Unit = self.settings.unit;
        let Some((session, id)) = self.file(uri) else { return Ok(None) };
        let index = session.index();
        let Some(file) = index.file(id) else { return Ok(None) };
        let Some(variable) = variable_at(index, file, offset(&file.source, position, unit)) else { return Ok(None) };
        if all_names(index, id).contains(new) {
            return Err(format!("there is a variable `{new}` already"));
        }
        let edits: Vec<Edit> = places(index, id, &variable.name)
            .into_iter()
            .map(|(file, one)| Edit {
                place: Place { file, span: own_span(&variable.name, &one) },
                text: spelled(new, one.spelling),
            })
            .collect();
        Ok(Some(workspace_edit(index, &edits, unit)))
    }
}

/// The part of a place that is the variable's own name, without the fields that the shell's spelling appends.
fn own_span(name: &str, one: &NameUse) -> Span {
    let length = match one.spelling {
        Spelling::Variable => environment_name(name).len().min(one.span.len()),
        _ => one.span.len(),
    };
    // For `$RECIPE_VAR_x` the span is what follows the prefix.
    Span::new(one.span.start, one.span.start + length)
}

/// A name as a spelling writes it.
fn spelled(name: &str, spelling: Spelling) -> String {
    match spelling {
        Spelling::Alias => alias(name).unwrap_or_else(|| name.to_uppercase()),
        Spelling::Variable => environment_name(name),
        Spelling::Key | Spelling::Template | Spelling::Condition => name.to_owned(),
    }
}
