//! `recipelint lsp`.

use std::process::ExitCode;

use clap::Args;

use super::Failure;

/// Arguments of `lsp`.
#[derive(Clone, Copy, Debug, Args)]
pub struct Lsp {
    /// Accepted and ignored: editors like to say it
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Lsp {
    /// Serves until the client ends.
    pub fn run(self) -> Result<ExitCode, Failure> {
        crate::server::run()?;
        Ok(ExitCode::SUCCESS)
    }
}
