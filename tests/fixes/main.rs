//! Fixes and suppressions, applied to every example of the repository and to changed copies of them: twice gives the
//! same text, findings only shrink, and what was not meant stays as it was.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod change;
#[path = "../common/mod.rs"]
#[allow(dead_code)]
mod common;
#[path = "../cli/driver.rs"]
#[allow(dead_code)]
mod driver;
mod material;
#[path = "../lints/page.rs"]
#[allow(dead_code)]
mod page;
mod program;
mod properties;
mod rewrites;
mod suppressions;
#[path = "../lints/workspace.rs"]
#[allow(dead_code)]
mod workspace;
mod writing;
