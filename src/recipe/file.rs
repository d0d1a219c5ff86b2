//! A file of the workspace with everything that was read from it.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Dialect, Recipe};
use crate::syntax::yaml;
use crate::text::{Source, SyntaxError};

/// Number of a file in its workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A file that was read and lowered. Immutable; an edit makes a new one.
#[derive(Clone, Debug)]
pub struct File {
    /// Its number.
    pub id: FileId,
    /// Text and lines.
    pub source: Source,
    /// Absolute path on disk; `None` for a buffer that was never saved.
    pub location: Option<PathBuf>,
    /// Which format it is.
    pub dialect: Dialect,
    /// Its YAML tree, for the formats that are YAML or have a YAML frontmatter.
    pub yaml: Option<Arc<yaml::Document>>,
    /// The model.
    pub recipe: Recipe,
    /// Why it could not be read, or not wholly (not UTF-8, too large, broken YAML): reported as `invalid-yaml` where
    /// the format is YAML.
    pub errors: Vec<SyntaxError>,
}
