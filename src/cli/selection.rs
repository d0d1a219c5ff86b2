//! The arguments that say what is checked, shared by all commands that check.

use std::collections::HashMap;
use std::io::Read;
use std::path::PathBuf;

use clap::Args;

use super::Failure;
use crate::workspace::config::{Choice, ConfigError};
use crate::workspace::{self, Disk, Outcome, Request, absolute, shown};

/// What to check, by which configuration.
#[derive(Clone, Debug, Args)]
pub struct Selection {
    /// Files, folders and globs; `-` is standard input, see --stdin-filename
    #[arg(default_value = ".")]
    pub paths: Vec<PathBuf>,
    /// Use this configuration file for all files
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Ignore configuration files
    #[arg(long)]
    pub no_config: bool,
    /// Treat named files like those met in folders: skip what is no recipe and what the configuration excludes. For hooks
    /// that name every changed file
    #[arg(long)]
    pub recognised_only: bool,
    /// The name under which standard input is checked: it decides the format, the configuration and the neighbours
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<PathBuf>,
}

impl Selection {
    /// The request, and the disk with standard input over it.
    pub fn request(&self) -> Result<(Disk, Request), Failure> {
        let cwd = std::env::current_dir()?;
        let config = match &self.config {
            Some(path) => Choice::File(absolute(path, &cwd)),
            None if self.no_config => Choice::None,
            None => Choice::Nearest,
        };
        let mut paths = self.paths.clone();
        let mut buffers = HashMap::new();
        if let Some(at) = paths.iter().position(|path| path.as_os_str() == "-") {
            let Some(name) = &self.stdin_filename else {
                return Err(Failure::new("`-` needs --stdin-filename NAME, so that the format is known"));
            };
            let mut bytes = Vec::new();
            std::io::stdin().lock().take(workspace::READ_LIMIT + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 > workspace::READ_LIMIT {
                let limit = workspace::READ_LIMIT;
                return Err(Failure::new(format!("standard input has over {limit} bytes, so it was not read")));
            }
            let text = String::from_utf8(bytes).map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                Failure::new(format!("standard input is not UTF-8, from offset {at} on"))
            })?;
            let name = absolute(name, &cwd);
            buffers.insert(name.clone(), text.into());
            paths.splice(at..=at, [name]);
        } else if self.stdin_filename.is_some() {
            return Err(Failure::new("--stdin-filename counts only with the path `-`"));
        }
        Ok((
            Disk::with_buffers(buffers),
            Request { paths, cwd, config, recognised_only: self.recognised_only, fixes: false },
        ))
    }

    /// Checks, without a sign of progress.
    pub fn check(&self) -> Result<Outcome, Failure> {
        let (disk, request) = self.request()?;
        workspace::check(&disk, &request, &|_, _| ()).map_err(|errors| broken(&errors))
    }
}

/// Broken configuration files, each with its place.
pub fn broken(errors: &[ConfigError]) -> Failure {
    let cwd = std::env::current_dir().unwrap_or_default();
    let lines: Vec<String> = errors
        .iter()
        .map(|error| {
            let path = shown(&error.path, &cwd);
            match &error.place {
                Some((source, span)) => {
                    let at = source.position(span.start, crate::text::Unit::Utf32);
                    format!("{}:{}:{}: {}", path.display(), at.line + 1, at.column + 1, error.message)
                }
                None => format!("{}: {}", path.display(), error.message),
            }
        })
        .collect();
    Failure::new(lines.join("\nrecipelint: "))
}
