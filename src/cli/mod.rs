//! The command line: arguments to calls, results to exit codes. One file per subcommand.

mod check;
mod extract;
mod input;
mod normalise;
mod terminal;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Finds decisions that rest on an agent's prose.
#[derive(Debug, Parser)]
#[command(name = "recipelint", version, about, propagate_version = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check recipes, agent files, workflows and programs that run agents
    Check(check::Check),
    /// Read a reply from standard input and print what decides
    Extract(extract::Extract),
    /// Read a verdict's word from standard input and print its canonical form
    Normalise(normalise::Normalise),
}

/// Why a command could not do what it was asked for: exit code 2.
#[derive(Debug)]
pub struct Failure(String);

impl<E: std::fmt::Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Runs the program with the arguments of its process.
pub fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Check(command) => command.run(),
        Command::Extract(command) => command.run(&mut io::stdin(), &mut io::stdout(), &mut io::stderr()),
        Command::Normalise(command) => command.run(&mut io::stdin(), &mut io::stdout()),
    };
    match result {
        Ok(code) => code,
        Err(Failure(message)) => {
            eprintln!("recipelint: {message}");
            ExitCode::from(2)
        }
    }
}
