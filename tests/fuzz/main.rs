//! The fuzz targets over random texts: the fuzzer itself needs a nightly compiler, and what it is not run on must hold
//! all the same.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

#[path = "../../fuzz/src/lib.rs"]
mod targets;
