//! The prompt of a contract as it can be read: in the file itself, or in a prompt file of the workspace.

use std::path::Path;
use std::sync::Arc;

use crate::flow::Place;
use crate::lints::Context;
use crate::recipe::{
    Base, Contract, ContractText, File, Known, Mention, MentionKind, PromptSource, System, TextPart, installed,
};
use crate::text::{Fragment, Span, Spanned};

/// A prompt's text with a way back to its file.
#[derive(Clone, Debug)]
pub(crate) enum Readable<'a> {
    /// All of it is known, in parts of the checked file.
    Inline(Vec<&'a Fragment>),
    /// It is this file.
    File(&'a Arc<File>),
}

/// What a path of a prompt file leads to.
#[derive(Clone, Debug)]
pub(crate) enum Lookup<'a> {
    /// A file that was read.
    Found(&'a Arc<File>),
    /// A file that is not text: why.
    Unreadable(&'a Arc<File>, String),
    /// Nothing; a file of that name lies here, where the program does not look.
    Missing(Option<&'a Arc<File>>),
    /// A place outside the workspace.
    Outside,
    /// It cannot be known where the program will look.
    Unknown,
}

/// A text of one or more parts, joined, with its ways back.
#[derive(Clone, Debug)]
pub(crate) struct Joined<'a> {
    /// The whole text.
    pub text: String,
    /// Parts with the offset where each begins; `None` for a whole file.
    parts: Option<Vec<(usize, &'a Fragment)>>,
    file: crate::recipe::FileId,
}

impl Joined<'_> {
    /// The place of a range of the text. A range over several parts is the part where it begins.
    pub fn place(&self, range: std::ops::Range<usize>) -> Place {
        let span = match &self.parts {
            None => range.into(),
            Some(parts) => {
                let at = parts.partition_point(|(start, _)| *start <= range.start).saturating_sub(1);
                match parts.get(at) {
                    Some((start, fragment)) => {
                        let end = range.end.saturating_sub(*start).min(fragment.text().len());
                        fragment.locate(range.start.saturating_sub(*start)..end)
                    }
                    None => Span::at(0),
                }
            }
        };
        Place { file: self.file, span }
    }

    /// The place just after the last character, inside its quotes.
    pub fn end(&self) -> Place {
        let span = match &self.parts {
            None => Span::at(self.text.len()),
            Some(parts) => match parts.iter().rev().find(|(_, fragment)| !fragment.text().is_empty()) {
                Some((_, fragment)) => {
                    let last = fragment.pieces().next_back().map_or(fragment.span().end, |piece| piece.source.end);
                    Span::at(last)
                }
                None => Span::at(0),
            },
        };
        Place { file: self.file, span }
    }

    /// It stands in the program itself.
    pub fn is_inline(&self) -> bool {
        self.parts.is_some()
    }
}

/// The text of a contract's prompt; `None` where any of it is not known or cannot be read.
pub(crate) fn text<'a>(context: &Context<'a>, contract: &'a Contract) -> Option<Joined<'a>> {
    match readable(context, contract)? {
        Readable::Inline(fragments) => {
            let mut text = String::new();
            let mut parts = Vec::new();
            for fragment in fragments {
                parts.push((text.len(), fragment));
                text.push_str(fragment.text());
            }
            Some(Joined { text, parts: Some(parts), file: context.file.id })
        }
        Readable::File(file) => Some(Joined { text: file.source.text.to_string(), parts: None, file: file.id }),
    }
}

/// The prompt as it can be read.
pub(crate) fn readable<'a>(context: &Context<'a>, contract: &'a Contract) -> Option<Readable<'a>> {
    let Known::Known(prompt) = &contract.prompt else { return None };
    match &prompt.text {
        ContractText::Inline(parts) => parts
            .iter()
            .map(|part| match part {
                TextPart::Text(fragment) => Some(fragment.as_ref()),
                TextPart::Unknown(_) => None,
            })
            .collect::<Option<Vec<_>>>()
            .map(Readable::Inline),
        ContractText::File(path) => match lookup(context, contract.system, path) {
            Lookup::Found(file) => Some(Readable::File(file)),
            _ => None,
        },
    }
}

/// Where a path of a prompt file leads. Programs are started in the workspace's root or in the folder of their package,
/// which is the nearest one with a `package.json`; YAML may also mean the folder of the file itself.
pub(crate) fn lookup<'a>(context: &Context<'a>, system: System, path: &Spanned<String>) -> Lookup<'a> {
    let mention = |base| Mention { path: path.clone(), base, kind: MentionKind::Prompt };
    let (Some(root), Some(location)) = (context.index.root(), context.file.location.as_deref()) else {
        return Lookup::Unknown;
    };
    if !location.starts_with(root) {
        return Lookup::Unknown;
    }
    let here = location.parent().unwrap_or(root);
    let mut bases = vec![root];
    bases.extend(package_folder(context, here, root));
    if matches!(system, System::Yaml | System::OutpostRecipe) {
        bases.push(here);
    }
    let candidates = context.index.candidates(context.file, &mention(Base::Root));
    if candidates.is_empty() {
        let elsewhere = bases.iter().skip(1).any(|base| *base != root);
        return if elsewhere { Lookup::Unknown } else { Lookup::Outside };
    }
    let upward = context.index.candidates(context.file, &mention(Base::Upward));
    // Upward candidates are one per folder from `here` to the root, so that their folders are known without a join.
    let folders = here.ancestors().take_while(|folder| folder.starts_with(root));
    let mut nearby = None;
    for (folder, candidate) in folders.zip(&upward).chain(candidates.iter().map(|candidate| (root, candidate))) {
        let Some(file) = context.index.at(candidate) else { continue };
        if bases.contains(&folder) {
            return match file.errors.first() {
                Some(error) => Lookup::Unreadable(file, error.message.clone()),
                None => Lookup::Found(file),
            };
        }
        nearby = nearby.or(Some(file));
    }
    Lookup::Missing(nearby)
}

/// The nearest folder with a `package.json`.
fn package_folder<'p>(context: &Context<'_>, here: &'p Path, root: &Path) -> Option<&'p Path> {
    here.ancestors()
        .take_while(|folder| folder.starts_with(root))
        .find(|folder| context.index.at(&folder.join("package.json")).is_some())
}

/// Whether the system looks for the opening tag in the prompt before it starts; `None` where that depends on a version
/// that is not known.
pub(crate) fn demands_tag(context: &Context<'_>, contract: &Contract) -> Option<bool> {
    match contract.system {
        System::Sandcastle | System::Yaml => Some(true),
        System::OutpostRecipe => Some(false),
        System::Outpost => installed(context.file, context.index, contract.package?)?.all_before([10, 0, 0]),
    }
}

/// The prompt, where it is a file.
pub(crate) fn file_of(contract: &Contract) -> Option<(&PromptSource, &Spanned<String>)> {
    let Known::Known(prompt) = &contract.prompt else { return None };
    Some((prompt, prompt.file()?))
}
