//! The one model that every dialect is lowered to. Lints and the flow analysis see only this, so one lint serves all
//! dialects; what a dialect's loader would say of the file's shape arrives as [`Problem`]s.

mod contract;
pub mod dialects;
pub mod environment;
pub mod example;
pub mod fields;
mod file;
mod index;
mod inner;
mod judge;
mod lazy;
mod linked;
mod links;
mod model;
pub mod names;
pub mod package;
pub mod prompt;
mod readers;
mod scalar;
mod scope;
mod script;

pub use contract::*;
pub use file::{File, FileId};
pub use index::Index;
pub use judge::{AgentFile, GateKind, Verify, VerifyForm};
pub use lazy::Lazy;
pub use linked::linked_problems;
pub use links::{Link, is_parent_name, is_sub_recipe_name};
pub use model::*;
pub use package::{Version, Versioned, Versions, installed, versioned_problems};
pub use readers::Readers;
pub use scope::{Given, Scopes};
pub use script::{Parsed, Script};
