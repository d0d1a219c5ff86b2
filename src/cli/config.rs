//! `recipelint config`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::Failure;
use super::selection::broken;
use crate::workspace::config::{self, Choice, Resolver};
use crate::workspace::{Disk, absolute};

/// Arguments of `config`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, args_conflicts_with_subcommands = true)]
pub struct Config {
    /// Show which configuration files hold for this file, and the values in effect
    #[arg(long, value_name = "FILE")]
    explain: Option<PathBuf>,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the JSON Schema of configuration files
    Schema,
}

impl Config {
    /// Explains or prints the schema.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let mut out = io::stdout().lock();
        match (self.what, self.explain) {
            (Some(What::Schema), _) => {
                let text = serde_json::to_string_pretty(&config::schema()).map_err(io::Error::from)?;
                writeln!(out, "{text}")?;
            }
            (None, Some(file)) => {
                let file = absolute(&file, &std::env::current_dir()?);
                let chain = Resolver::new(Choice::Nearest).resolve(&Disk::default(), &file);
                let chain = chain.map_err(|error| broken(&[*error]))?;
                write!(out, "{}", config::explain(&file, chain.as_deref()))?;
            }
            (None, None) => {}
        }
        Ok(ExitCode::SUCCESS)
    }
}
