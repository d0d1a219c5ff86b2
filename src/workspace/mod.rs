//! From paths to findings: which files are meant, what is in them and around them, and the run over them. The only
//! rooms that touch the disk are this one, the command line's and the server's.

pub mod baseline;
pub mod config;
mod discover;
mod disk;
mod fingerprint;
mod graphs;
mod load;
mod mend;
mod namesakes;
mod read;
mod run;
mod session;

pub use discover::{Discovery, Target, discover};
pub use disk::{Contents, Disk, READ_LIMIT, absolute, reason, shown};
pub use fingerprint::{fingerprints, path_in_workspace};
pub use load::{Loaded, Plan, Root, load, root_of};
pub use mend::{Mended, Skipped, mend, write};
pub use read::{dialect_of, lower, read};
pub use run::{Outcome, Request, check};
pub use session::{MOST_ENTRIES, Scope, Session, is_configuration};

/// Something that a user should know of a run, and that is no finding in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What about.
    pub path: std::path::PathBuf,
    /// What happened and what to do.
    pub message: String,
    /// A part of what was asked for could not be done: the run ends with exit code 2.
    pub failed: bool,
}
