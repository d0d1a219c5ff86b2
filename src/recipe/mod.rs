//! The one model that every dialect is lowered to. Lints and the flow analysis see only this, so one lint serves all
//! dialects; what a dialect's loader would say of the file's shape arrives as [`Problem`]s.

mod contract;
mod file;
mod index;
mod model;

pub use contract::*;
pub use file::{File, FileId};
pub use index::Index;
pub use model::*;
