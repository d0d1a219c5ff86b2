//! The command line: arguments to calls, results to exit codes. One file per subcommand.

mod baseline;
mod changed;
mod check;
mod config;
mod explain;
mod extract;
mod generate;
mod graph;
mod init;
mod input;
mod lints;
mod lsp;
mod mend;
mod normalise;
mod selection;
mod terminal;
mod watch;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Finds decisions that rest on an agent's prose.
#[derive(Debug, Parser)]
#[command(name = "recipelint", version, about, propagate_version = true)]
#[command(
    after_help = "Exit codes: 0 nothing found, 1 findings at or above --fail-on, 2 usage, configuration or input/output."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check recipes, agent files, workflows and programs that run agents
    Check(check::Check),
    /// Print the page of a lint: what it finds, why, and how to mend it
    Explain(explain::Explain),
    /// List all lints
    Lints(lints::Lints),
    /// Draw where texts come from and where they decide in one file
    Graph(graph::Graph),
    /// Show the configuration of a file, or the JSON Schema of configuration files
    Config(config::Config),
    /// Write or check the list of findings that are accepted for now
    Baseline(baseline::Baseline),
    /// Write a first recipelint.yaml
    Init(init::Init),
    /// Read a reply from standard input and print what decides
    Extract(extract::Extract),
    /// Read a verdict's word from standard input and print its canonical form
    Normalise(normalise::Normalise),
    /// Run the language server over standard input and output
    Lsp(lsp::Lsp),
    /// Print completions for a shell
    Completions(generate::Completions),
    /// Print the manual page
    Man(generate::Man),
}

/// Why a command could not do what it was asked for: exit code 2.
#[derive(Debug)]
pub struct Failure {
    message: String,
    /// The reader of our output went away, which is no mistake.
    broken_pipe: bool,
}

impl Failure {
    /// A failure with its message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), broken_pipe: false }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self { message: error.to_string(), broken_pipe: error.kind() == io::ErrorKind::BrokenPipe }
    }
}

/// Runs the program with the arguments of its process.
pub fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Check(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Lints(command) => command.run(),
        Command::Graph(command) => command.run(),
        Command::Config(command) => command.run(),
        Command::Baseline(command) => command.run(),
        Command::Init(command) => command.run(),
        Command::Extract(command) => command.run(&mut io::stdin(), &mut io::stdout(), &mut io::stderr()),
        Command::Normalise(command) => command.run(&mut io::stdin(), &mut io::stdout()),
        Command::Lsp(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    };
    match result {
        Ok(code) => code,
        Err(Failure { broken_pipe: true, .. }) => ExitCode::SUCCESS,
        Err(Failure { message, .. }) => {
            say(&message);
            ExitCode::from(2)
        }
    }
}

/// One line for the user on standard error. Nobody may be listening.
fn say(message: &str) {
    let _ = writeln!(io::stderr(), "recipelint: {message}");
}
