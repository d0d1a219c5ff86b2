//! The real binary from outside: every flag and exit code, what it says of bad input, and that nothing depends on the
//! number of threads.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod bad_input;
mod baseline;
mod checking;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod configuration;
mod discovery;
mod driver;
mod formats;
mod scripts;
