//! `recipelint graph FILE`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::Failure;
use crate::flow;
use crate::recipe::Index;
use crate::report::graph;
use crate::workspace::{self, Disk, Request};

/// Arguments of `graph`.
#[derive(Debug, Args)]
pub struct Graph {
    /// The file
    file: PathBuf,
    /// How to draw
    #[arg(long, value_enum, default_value = "text")]
    format: graph::Format,
}

impl Graph {
    /// Draws the flow graph of one file.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let request = Request { paths: vec![self.file.clone()], cwd: std::env::current_dir()?, ..Request::default() };
        let outcome = workspace::check(&Disk::default(), &request, &|_, _| ())
            .map_err(|errors| super::selection::broken(&errors))?;
        let Some(file) = outcome.checked.first().copied() else {
            let note = outcome.notes.first().map(|note| note.message.clone()).unwrap_or_default();
            return Err(Failure::new(format!("{}: {note}", self.file.display())));
        };
        let index: &Index = &outcome.index;
        let group = flow::groups(index).into_iter().find(|group| group.members.contains(&file));
        let graph = group.map(|group| flow::analyse(&group, index, &flow::Options::default())).unwrap_or_default();
        let mut out = io::BufWriter::new(io::stdout().lock());
        graph::write(self.format, &graph, index, file, &mut out)?;
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
