//! `recipelint init`.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{Failure, say};
use crate::workspace::config::NAMES;

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct Init {
    /// The folder that gets the file
    #[arg(default_value = ".")]
    folder: PathBuf,
}

/// The first configuration: everything that is often wanted, commented out.
const FIRST: &str = "\
# Configuration of recipelint. `recipelint config --explain FILE` shows what holds for a file, `recipelint lints` lists
# the lints, `recipelint explain LINT` tells about one.

# Levels: error, warning, info, off.
levels: {}
#  unused-output: off

# Levels for some files; globs are relative to this folder.
overrides: []
#  - files: [\"tests/**\"]
#    levels:
#      undefined-variable: off

# Files that are left out when a folder is checked.
exclude: []
#  - generated/

# Whether each `# recipelint: ignore[…]` must say why.
require-reasons: false
";

impl Init {
    /// Writes the file; one that is there is kept.
    pub fn run(self) -> Result<ExitCode, Failure> {
        if let Some(there) = NAMES.iter().map(|name| self.folder.join(name)).find(|path| path.exists()) {
            return Err(Failure::new(format!("{} is there already, nothing was written", there.display())));
        }
        let path = self.folder.join(NAMES[0]);
        let fail = |error: io::Error| Failure::new(format!("{}: could not be written: {error}", path.display()));
        let mut file = File::create_new(&path).map_err(fail)?;
        file.write_all(FIRST.as_bytes()).map_err(fail)?;
        say(&format!("{} was written", path.display()));
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::workspace::config::Config;

    #[test]
    fn the_first_configuration_changes_nothing() {
        assert_eq!(
            serde_yaml::from_str::<Config>(FIRST).unwrap(),
            Config { require_reasons: Some(false), ..Config::default() }
        );
    }
}
