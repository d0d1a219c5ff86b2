//! Which format a file is, and the way from its text to the model. Every dialect has a file here with
//! `pub fn lower(source: &Source) -> Lowered`; [`lower`] is the one entry for all of them.

pub mod agentuse;
pub mod amplihack;
mod calls;
pub mod contracts;
mod detect;
pub mod outpost;
pub mod program;
pub mod workflow;

use std::sync::Arc;

pub use detect::{assume, detect};

use super::{Action, Dialect, Holes, Recipe, Script, Step};
use crate::syntax::yaml;
use crate::text::{Fragment, Source, Span, SyntaxError};

/// A file as its dialect reads it.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// Its YAML tree, for the formats that are YAML or have a YAML frontmatter.
    pub yaml: Option<Arc<yaml::Document>>,
    /// The model; where the text is broken, what could be read.
    pub recipe: Recipe,
    /// Why the text could not be read, or not wholly.
    pub errors: Vec<SyntaxError>,
}

impl Lowered {
    /// A file of which nothing is read.
    pub fn empty(dialect: Dialect) -> Self {
        Self { yaml: None, recipe: Recipe::empty(dialect), errors: Vec::new() }
    }
}

/// Lowers a file of a known dialect. Never fails: what is wrong stands in [`Lowered::errors`] and
/// [`Recipe::problems`].
pub fn lower(dialect: Dialect, source: &Source) -> Lowered {
    match dialect {
        Dialect::Amplihack => {
            let mut lowered = amplihack::lower(source);
            contracts::extend(&mut lowered);
            lowered
        }
        Dialect::Contracts => contracts::lower(source),
        Dialect::Program => program::lower(source),
        Dialect::Script => run_script(source),
        Dialect::Outpost => outpost::lower(source),
        Dialect::OutpostConfig => outpost::lower_config(source),
        Dialect::AgentUse => agentuse::lower(source),
        Dialect::Workflow => workflow::lower(source),
        Dialect::Action => workflow::lower_action(source),
        Dialect::Prompt => prompt(source),
        Dialect::Package | Dialect::Configuration | Dialect::Unknown => Lowered::empty(dialect),
    }
}

/// The YAML tree of a file of a dialect that has one.
pub fn yaml(dialect: Dialect, text: &str) -> yaml::Document {
    yaml::parse(if dialect == Dialect::AgentUse { agentuse::yaml_part(text) } else { text })
}

/// A prompt file has no parts that are lowered; those of GitHub Models (`x.prompt.yml`) are YAML.
fn prompt(source: &Source) -> Lowered {
    let path = source.path.to_string_lossy();
    let yaml = [".prompt.yml", ".prompt.yaml"].iter().any(|ending| path.ends_with(ending));
    Lowered { yaml: yaml.then(|| Arc::new(yaml::parse(&source.text))), ..Lowered::empty(Dialect::Prompt) }
}

/// A shell script of the repository: a recipe of one step.
fn run_script(source: &Source) -> Lowered {
    let mut lowered = Lowered::empty(Dialect::Script);
    let span = Span::new(0, source.text.len());
    let script = Script::new(Fragment::verbatim(&*source.text, 0), Span::at(0), Holes::None);
    lowered.recipe.steps.push(Step {
        id: None,
        job: None,
        action: Action::Script(script),
        condition: None,
        output: None,
        group: None,
        after: Vec::new(),
        env: Vec::new(),
        texts: Vec::new(),
        continue_on_error: false,
        span,
    });
    lowered
}
