//! A prompt file that is not there, or that is no text.

use std::path::Path;

use super::prompt::{self, Lookup};
use crate::flow::Place;
use crate::lints::{Context, Finding, Sink, problems};
use crate::recipe::System;
use crate::text::Span;

pub(super) const ID: &str = "missing-prompt-file";

/// Folders whose programs a generator copies into other repositories: their paths hold there.
const TEMPLATES: &[&str] = &["template", "templates", "scaffold", "scaffolds"];

pub(super) fn check(context: &Context<'_>, sink: &mut Sink) {
    for contract in &context.file.recipe.contracts {
        let Some((_, path)) = prompt::file_of(contract) else { continue };
        let place = context.place(path.span);
        let base = match contract.system {
            System::Sandcastle | System::Outpost => "it is looked for from the working directory, not from this file",
            System::Yaml | System::OutpostRecipe => "it is looked for from the working directory",
        };
        let mut finding = match prompt::lookup(context, contract.system, path) {
            Lookup::Found(_) | Lookup::Unknown => continue,
            Lookup::Missing(_) if is_template(&context.file.source.path) => continue,
            Lookup::Missing(None) => {
                Finding::new(ID, place, format!("there is no prompt file `{}`; {base}", path.value))
            }
            Lookup::Missing(Some(nearby)) => {
                let there = Place { file: nearby.id, span: Span::at(0) };
                Finding::new(ID, place, format!("there is no prompt file `{}`; {base}", path.value))
                    .help(format!("the file that was meant is `{}`", nearby.source.path.display()))
                    .related(there, "a file of that name, where nobody looks for it")
            }
            Lookup::Outside => {
                Finding::new(ID, place, format!("the prompt file `{}` lies outside the workspace", path.value))
            }
            Lookup::Unreadable(file, why) => {
                let there = Place { file: file.id, span: Span::at(0) };
                Finding::new(ID, place, format!("the prompt file `{}` cannot be read: {why}", path.value))
                    .related(there, "this file")
            }
        };
        finding.scope = contract.call.span;
        sink.push(finding);
    }
    problems(context, sink, ID);
}

/// Whether a program stands in a folder of templates.
fn is_template(path: &Path) -> bool {
    let folders = path.parent().into_iter().flat_map(Path::components);
    folders.filter_map(|folder| folder.as_os_str().to_str()).any(|folder| TEMPLATES.contains(&folder))
}
