//! The pages of the lints are tests: every example is run through the library. So are the recipes of `tests/corpus`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod catalogue;
mod corpus;
mod layers;
mod page;
mod pages;
mod workspace;
