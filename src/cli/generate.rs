//! `recipelint completions` and `recipelint man`: made from the arguments themselves.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, Failure};

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "recipelint", &mut script);
        io::stdout().write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct Man;

impl Man {
    /// Prints the page of the program and those of its commands, one after another.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let mut command = Arguments::command();
        command.build();
        let mut pages = Vec::new();
        clap_mangen::Man::new(command.clone()).render(&mut pages)?;
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            let name: &'static str = Box::leak(format!("recipelint-{}", sub.get_name()).into_boxed_str());
            clap_mangen::Man::new(sub.clone().name(name)).render(&mut pages)?;
        }
        io::stdout().write_all(&pages)?;
        Ok(ExitCode::SUCCESS)
    }
}
