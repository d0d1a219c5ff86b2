//! A baseline: findings that were there when the linter was introduced, and that are not reported until they are gone.
//! It only shrinks.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Outcome, fingerprints, path_in_workspace};

/// Known findings.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Changes with the way in which fingerprints are made.
    version: u32,
    /// By path, lint and fingerprint.
    findings: Vec<Known>,
}

/// A known finding. Only the fingerprint counts; the rest is for readers of the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The file, relative to the workspace's root.
    pub path: String,
    /// The lint.
    pub lint: String,
    /// See [`fingerprints`].
    pub fingerprint: String,
    /// What it said.
    pub message: String,
}

const VERSION: u32 = 1;

impl Baseline {
    /// Reads a baseline file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: could not be read: {}", path.display(), super::disk::reason(&error)))?;
        let baseline: Self = serde_json::from_str(&text).map_err(|error| {
            format!("{}: no baseline: {error}; `recipelint baseline write` makes one", path.display())
        })?;
        if baseline.version != VERSION {
            let found = baseline.version;
            return Err(format!(
                "{}: a baseline of version {found}, this program reads version {VERSION}; write it anew with `recipelint baseline write --renew`",
                path.display()
            ));
        }
        Ok(baseline)
    }

    /// All findings of a run.
    pub fn of(outcome: &Outcome) -> Self {
        let marks = fingerprints(&outcome.index, &outcome.findings);
        let mut findings: Vec<Known> = outcome
            .findings
            .iter()
            .zip(marks)
            .filter_map(|(finding, fingerprint)| {
                let file = outcome.index.file(finding.place.file)?;
                let path = path_in_workspace(&outcome.index, file);
                Some(Known { path, lint: finding.lint.to_owned(), fingerprint, message: finding.message.clone() })
            })
            .collect();
        findings.sort();
        Self { version: VERSION, findings }
    }

    /// Takes the known findings out of a run. Returns the known ones that the run no longer has, though it checked their
    /// files or they are gone.
    pub fn apply(&self, outcome: &mut Outcome) -> Vec<Known> {
        let mut known: HashMap<&str, &Known> =
            self.findings.iter().map(|one| (one.fingerprint.as_str(), one)).collect();
        let marks = fingerprints(&outcome.index, &outcome.findings);
        let mut marks = marks.iter();
        outcome.findings.retain(|_| marks.next().is_none_or(|mark| known.remove(mark.as_str()).is_none()));
        let files = outcome.checked.iter().filter_map(|id| outcome.index.file(*id));
        let checked: BTreeSet<String> = files.map(|file| path_in_workspace(&outcome.index, file)).collect();
        let root = outcome.index.root();
        let mut stale: Vec<Known> = known
            .into_values()
            .filter(|one| checked.contains(&one.path) || root.is_some_and(|root| !root.join(&one.path).exists()))
            .cloned()
            .collect();
        stale.sort();
        stale
    }

    /// The baseline without some entries.
    #[must_use]
    pub fn without(mut self, stale: &[Known]) -> Self {
        self.findings.retain(|one| !stale.contains(one));
        self
    }

    /// Number of known findings.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Writes the file, whole or not at all. Others may read it as they may read any new file: it is committed.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        if let Ok(known) = std::fs::metadata(path) {
            file.as_file().set_permissions(known.permissions())?;
        }
        serde_json::to_writer_pretty(&mut file, self)?;
        io::Write::write_all(&mut file, b"\n")?;
        file.persist(path)?;
        Ok(())
    }
}
