//! What the tests of the command line and of the server share: a folder with files, and two recipes to put there.

use std::path::PathBuf;

/// A recipe with exactly one finding: an error of `grep-agent-output` in line 9.
pub const BAD: &str = "\
name: gate
steps:
  - id: review
    agent: team:reviewer
    prompt: Say whether the change may go out.
    output: review
  - id: act
    command: |
      if printf '%s' \"$REVIEW\" | grep -q 'APPROVED'; then
        ./release.sh
      fi
";

/// A recipe without findings.
pub const GOOD: &str = "\
name: list
steps:
  - id: show
    command: ls
";

/// A folder with files.
pub struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let new = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            new.write(path, text);
        }
        new
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}
