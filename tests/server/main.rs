//! The language server as editors meet it: the real program, the real protocol.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod actions;
mod client;
#[path = "../common/mod.rs"]
mod common;
mod documents;
mod lifecycle;
#[path = "../lints/page.rs"]
#[allow(dead_code)]
mod page;
mod parity;
mod reading;
mod soak;
mod texts;
#[path = "../lints/workspace.rs"]
#[allow(dead_code)]
mod workspace;
mod workspaces;
