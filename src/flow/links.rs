//! The files of the repository that a text names: sub-recipes, actions and workflows, scripts.

use std::sync::Arc;

use super::shell::{Trees, Unit};
use crate::recipe::dialects::workflow::local_files;
use crate::recipe::{Action, Base, Dialect, File, Index, Mention, MentionKind, Uses};
use crate::text::Spanned;

/// The file of the repository that a local `uses:` runs.
pub(super) fn local<'a>(index: &'a Index, from: &File, uses: &Uses) -> Option<&'a Arc<File>> {
    let path = uses.action.value.strip_prefix("./")?;
    local_files(path)
        .into_iter()
        .find_map(|path| {
            let path = Spanned::new(path, uses.action.span);
            index.mentioned(from, &Mention { path, base: Base::Root, kind: MentionKind::Recipe })
        })
        .filter(|file| matches!(file.dialect, Dialect::Workflow | Dialect::Action))
}

/// The recipe that a file runs or extends under a name, as the engine would find it; else the only one of that name, so
/// that a text is followed although the run would fail.
pub(super) fn sub_recipe<'a>(index: &'a Index, from: &File, name: &str) -> Option<&'a File> {
    let named = |file: &&File| file.source.path.file_stem().is_some_and(|stem| stem == name);
    let called = index.calls(from.id).iter().filter_map(|call| index.file(call.callee)).map(AsRef::as_ref).find(named);
    called.or_else(|| match index.stems().get(name).map(Vec::as_slice) {
        Some([only]) => index.file(*only).map(AsRef::as_ref),
        _ => None,
    })
}

/// The files that the scripts of a workflow run, as far as they were read.
pub(super) fn programs<'a>(index: &'a Index, from: &'a File) -> impl Iterator<Item = &'a Arc<File>> {
    let mentions = from.recipe.mentions.iter().filter(|mention| mention.kind == MentionKind::Script);
    mentions.filter_map(|mention| index.mentioned(from, mention))
}

/// A program of the repository by the path as a script writes it.
pub(super) fn program<'a>(index: &'a Index, from: &'a File, path: &str) -> Option<&'a File> {
    let tail = tail(path);
    programs(index, from).map(AsRef::as_ref).find(|file| !tail.is_empty() && file.source.path.ends_with(tail))
}

/// The end of a path behind variables that are not known.
fn tail(path: &str) -> &str {
    let path = path.trim_start_matches("./");
    let known = path.rsplit('$').next().filter(|_| path.contains('$'));
    known.and_then(|tail| tail.split_once('/')).map_or(path, |(_, tail)| tail)
}

/// A shell script of the repository by the path as a script writes it: the end of the path must agree.
pub(super) fn script<'a>(index: &'a Index, trees: &'a Trees, from: &'a File, path: &str) -> Option<Unit<'a>> {
    let tail = tail(path);
    if tail.is_empty() {
        return None;
    }
    let is_script = |file: &&File| file.dialect == Dialect::Script && file.id != from.id;
    let near = program(index, from, path).filter(is_script);
    let file = near.or_else(|| {
        index.files().iter().map(AsRef::as_ref).find(|file| is_script(file) && file.source.path.ends_with(tail))
    })?;
    let step = file.recipe.steps.first()?;
    match &step.action {
        Action::Script(script) => Some(Unit::of(file, script, trees)),
        _ => None,
    }
}
