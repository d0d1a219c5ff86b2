//! amplihack recipes. [`keys`] says what the engine reads; the rest encodes how it loads a file: types, defaults,
//! kinds of step, and what it refuses or silently ignores.

mod check;
mod engine;
pub mod keys;
mod steps;
#[cfg(test)]
mod tests;
mod values;

use std::sync::Arc;

use super::Lowered;
use crate::recipe::Dialect;
use crate::syntax::yaml;
use crate::text::{Source, Span, SyntaxError};

/// Largest file that the engine reads, in bytes.
pub const MAX_BYTES: usize = 1_000_000;

/// Lowers a recipe. [`Lowered::errors`] holds what makes the engine's YAML reader refuse the text;
/// what its types refuse or ignore stands in the recipe's problems.
pub fn lower(source: &Source) -> Lowered {
    load(source).0
}

/// The recipe, and whether the engine would load it.
fn load(source: &Source) -> (Lowered, bool) {
    let size = source.text.len();
    if size > MAX_BYTES {
        let message = format!("the file has {size} bytes, and the engine refuses recipes of more than {MAX_BYTES}");
        let span = source.lines.span(0, &source.text);
        let mut lowered = Lowered::empty(Dialect::Amplihack);
        lowered.errors.push(SyntaxError { span, message });
        return (lowered, false);
    }
    let document = yaml::parse(&source.text);
    let mut recipe = steps::lower(source, &document);
    let checked = check::check(source, &document);
    let mut errors = Vec::new();
    if let Some(error) = yaml::refused_as::<engine::Recipe>(&source.text, &document) {
        let overwritten = |span: Span| checked.overwritten.contains(&span);
        errors.extend(document.errors.iter().filter(|error| !overwritten(error.span)).cloned());
        if errors.is_empty() && !checked.refused {
            errors.push(error);
        }
    }
    recipe.problems = checked.problems;
    recipe.mentions = super::calls::programs(&recipe);
    if !errors.is_empty() {
        // What is missing from a text that could be read only in part may stand in the other part.
        recipe.problems.retain(|problem| problem.lint != "missing-field");
    }
    let loads = errors.is_empty() && !checked.refused;
    (Lowered { yaml: Some(Arc::new(document)), recipe, errors }, loads)
}
