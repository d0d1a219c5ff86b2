//! What is wrong with a file only beside the other files of the workspace: an Outpost recipe and its configuration, an
//! AgentUse agent and its judge.

use super::dialects::{agentuse, outpost};
use super::{Dialect, File, Index, Problem};

/// The problems of `file` that another file is part of. Empty for formats whose files stand alone.
pub fn linked_problems(file: &File, index: &Index) -> Vec<Problem> {
    match file.dialect {
        Dialect::Outpost => outpost::linked_problems(file, index),
        Dialect::AgentUse => agentuse::linked_problems(file, index),
        _ => Vec::new(),
    }
}
