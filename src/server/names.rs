//! Names of the context across recipes, in all their spellings: definition, references, highlights, rename.

use std::collections::{BTreeSet, HashMap};

use tower_lsp::lsp_types::{
    DocumentChangeOperation, DocumentChanges, DocumentHighlight, DocumentHighlightKind, Location, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, PrepareRenameResponse, RenameFile, ResourceOp, TextDocumentEdit,
    TextEdit, Url, WorkspaceEdit,
};

use super::actions::workspace_edit;
use super::convert::{location, offset, range, uri_of};
use super::things::{Thing, is_no_text, places_of, refusal, thing_at};
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

/// The recipe whose name is written at an offset: the one that the file extends, or that a step runs.
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
        if let Some(named) = thing_at(index, file, at) {
            let made = places_of(index, &named.thing).into_iter().filter(|(_, declares)| *declares);
            return Some(made.filter_map(|(place, _)| location(index, place, unit)).collect());
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
        if let Some(named) = thing_at(index, file, at) {
            let found = places_of(index, &named.thing).into_iter().filter(|(_, declares)| declarations || !declares);
            return Some(found.filter_map(|(place, _)| location(index, place, unit)).collect());
        }
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
        let at = offset(&file.source, position, unit);
        let highlight = |span, read| DocumentHighlight {
            range: range(&file.source, span, unit),
            kind: Some(if read { DocumentHighlightKind::READ } else { DocumentHighlightKind::WRITE }),
        };
        if let Some(named) = thing_at(index, file, at) {
            let found = places_of(index, &named.thing).into_iter().filter(|(place, _)| place.file == id);
            return Some(found.map(|(place, declares)| highlight(place.span, !declares)).collect());
        }
        let variable = variable_at(index, file, at)?;
        let found = places(index, id, &variable.name).into_iter().filter(|(at, _)| *at == id);
        Some(found.map(|(_, one)| highlight(one.span, one.role.is_read())).collect())
    }

    /// What would be renamed at a position.
    pub fn prepare_rename(&mut self, uri: &Url, position: Position) -> Option<PrepareRenameResponse> {
        let unit = self.settings.unit;
        let (session, id) = self.file(uri)?;
        let index = session.index();
        let file = index.file(id)?;
        let at = offset(&file.source, position, unit);
        if let Some(named) = thing_at(index, file, at) {
            let (range, placeholder) =
                (range(&file.source, named.span, unit), file.source.slice(named.span).to_owned());
            return Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder });
        }
        let variable = variable_at(index, file, at)?;
        let range = range(&file.source, own_span(&variable.name, &variable.at), unit);
        Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: variable.name })
    }

    /// Renames the variable at a position everywhere, each place in its own spelling.
    pub fn rename(&mut self, uri: &Url, position: Position, new: &str) -> Result<Option<WorkspaceEdit>, String> {
        if let Some(edit) = self.rename_thing(uri, position, new)? {
            return Ok(Some(edit));
        }
        let usable = !new.is_empty() && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !usable || new.starts_with(|c: char| c.is_ascii_digit()) || new.contains("__") || is_no_text(new) {
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

impl World {
    /// Renames the recipe, job or step at a position; a recipe's file goes with it, for it is found by that name.
    fn rename_thing(&mut self, uri: &Url, position: Position, new: &str) -> Result<Option<WorkspaceEdit>, String> {
        let (unit, renames_files) = (self.settings.unit, self.settings.renames_files);
        let Some((session, id)) = self.file(uri) else { return Ok(None) };
        let index = session.index();
        let Some(file) = index.file(id) else { return Ok(None) };
        let Some(named) = thing_at(index, file, offset(&file.source, position, unit)) else { return Ok(None) };
        if let (Thing::Recipe(_), true) = (&named.thing, named.declares)
            && file.source.path.file_stem().is_none_or(|stem| stem != file.source.slice(named.span))
        {
            // A title that is not the name by which the recipe is found.
            let edit = Edit { place: Place { file: id, span: named.span }, text: new.to_owned() };
            return Ok(Some(workspace_edit(index, &[edit], unit)));
        }
        if let Some(why) = refusal(index, &named.thing, new) {
            return Err(why);
        }
        let mut edits: Vec<Edit> =
            places_of(index, &named.thing).into_iter().map(|(place, _)| Edit { place, text: new.to_owned() }).collect();
        let Thing::Recipe(id) = named.thing else { return Ok(Some(workspace_edit(index, &edits, unit))) };
        let path = index.file(id).and_then(|file| file.location.clone());
        let (Some(path), true) = (path, renames_files) else {
            return Err(
                "a recipe is found by the name of its file, and this editor does not let a server rename files"
                    .to_owned(),
            );
        };
        // A title that is no name of the file stays.
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_title = |edit: &Edit| {
            let text = index.file(edit.place.file).map(|file| file.source.slice(edit.place.span));
            edit.place.file == id && text != Some(stem)
        };
        edits.retain(|edit| !is_title(edit));
        let mut target = path.clone();
        target.set_file_name(new);
        target.set_extension(path.extension().unwrap_or_default());
        if self.documents.is_open(&target) || target.exists() {
            return Err(format!("there is a file `{}` already", target.display()));
        }
        let (Some(old_uri), Some(new_uri)) = (uri_of(&path), uri_of(&target)) else { return Ok(None) };
        let session = self.file(uri).map(|(session, _)| session);
        let Some(session) = session else { return Ok(None) };
        let changes = workspace_edit(session.index(), &edits, unit).changes.unwrap_or_default();
        Ok(Some(self.with_rename(changes, old_uri, new_uri)))
    }

    /// Edits of texts, each of the version that it was made for, and then the file's new name.
    fn with_rename(&self, changes: HashMap<Url, Vec<TextEdit>>, old_uri: Url, new_uri: Url) -> WorkspaceEdit {
        let mut changes: Vec<_> = changes.into_iter().collect();
        changes.sort_by(|a, b| a.0.cmp(&b.0));
        let edits = changes.into_iter().map(|(uri, edits)| {
            let version = self.documents.version(&uri);
            let edits = edits.into_iter().map(OneOf::Left).collect();
            let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
            DocumentChangeOperation::Edit(TextDocumentEdit { text_document, edits })
        });
        let rename = ResourceOp::Rename(RenameFile { old_uri, new_uri, options: None, annotation_id: None });
        let operations = edits.chain([DocumentChangeOperation::Op(rename)]).collect();
        WorkspaceEdit { document_changes: Some(DocumentChanges::Operations(operations)), ..WorkspaceEdit::default() }
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
