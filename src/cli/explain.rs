//! `recipelint explain LINT`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;

use super::Failure;
use crate::lints::{lint, suppress};

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// The id of a lint
    lint: String,
}

impl Explain {
    /// Prints the page, the same text as in hovers and SARIF.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let Some(lint) = lint(&self.lint) else {
            let help = match suppress::nearest(&self.lint) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`recipelint lints` lists them".to_owned(),
            };
            return Err(Failure::new(format!("there is no lint `{}`; {help}", self.lint)));
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{}", lint.body().trim_end())?;
        let (level, fix, group) = (lint.level.name(), lint.fix.name(), lint.group.name());
        writeln!(out, "\nLevel: {level}. Fix: {fix}. Group: {group}.")?;
        Ok(ExitCode::SUCCESS)
    }
}
