//! Diagnostics: pushed to clients that do not ask, answered to those that do.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use tower_lsp::lsp_types::{Diagnostic, DiagnosticSeverity, Url};

use super::convert::{diagnostics, path_of, range, uri_of};
use super::worker::World;
use crate::recipe::FileId;
use crate::text::Unit;
use crate::workspace::config::ConfigError;

impl World {
    /// Sends the diagnostics of open files that may have changed, unless something newer waits.
    pub fn publish_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if self.settings.pulls {
            // For the file that it edits, the client asks by itself.
            if self.settings.refreshes && (pending.len() > 1 || self.settings.wishes.on_save) {
                let client = self.client.clone();
                self.runtime.spawn(async move {
                    let _ = client.workspace_diagnostic_refresh().await;
                });
            }
        } else {
            for (uri, path) in self.documents.open_buffers() {
                let root = self.root_for(&path);
                let id = self.sessions.get(&root).and_then(|session| session.file(&path)).map(|file| file.id);
                let Some(id) = id.filter(|id| pending.contains(&(root.clone(), *id))) else { continue };
                let version = self.documents.version(&uri);
                let diagnostics = self.diagnostics_of(&root, id);
                if self.documents.has_changes() {
                    // A newer text waits: what was found is stale, and what was not looked at stays to be done.
                    self.pending.extend(pending);
                    return;
                }
                self.send(uri, diagnostics, version);
            }
        }
        self.mark_configurations();
        self.due = false;
    }

    /// The diagnostics of a document for a client that asks.
    pub fn asked(&mut self, uri: &Url) -> Vec<Diagnostic> {
        let on_save = self.settings.wishes.on_save;
        if let Some(told) = self.told.get(uri).filter(|_| on_save) {
            return told.clone();
        }
        let path = path_of(uri);
        let root = self.root_for(&path);
        let id = self.session(&root).file(&path).map(|file| file.id);
        let diagnostics = id.map(|id| self.diagnostics_of(&root, id)).unwrap_or_default();
        if on_save {
            self.told.insert(uri.clone(), diagnostics.clone());
        }
        diagnostics
    }

    /// The diagnostics of a file.
    pub fn diagnostics_of(&mut self, root: &Path, id: FileId) -> Vec<Diagnostic> {
        let (unit, related) = (self.settings.unit, self.settings.related);
        let session = self.session(root);
        let findings = session.findings(id);
        let index = session.index();
        let Some(file) = index.file(id) else { return Vec::new() };
        let errors = session.broken().iter().filter(|error| Some(&error.path) == file.location.as_ref());
        let broken = errors.map(|error| broken(error, unit));
        broken.chain(diagnostics(index, file, &findings, unit, related)).collect()
    }

    /// The diagnostics of all files that are reported on, and of others, such as prompts, that have some.
    pub fn all_diagnostics(&mut self) -> Vec<(Url, Vec<Diagnostic>)> {
        self.open_folders();
        let mut all = Vec::new();
        let mut roots: Vec<PathBuf> = self.sessions.keys().cloned().collect();
        roots.sort();
        for root in roots {
            for id in self.session(&root).all() {
                let diagnostics = self.diagnostics_of(&root, id);
                let session = self.session(&root);
                let location = session.index().file(id).and_then(|file| file.location.as_deref());
                if let Some(uri) = location.and_then(uri_of)
                    && (!diagnostics.is_empty() || session.targets().contains(&id))
                {
                    let told = self.told.get(&uri).filter(|_| self.settings.wishes.on_save);
                    all.push((uri, told.cloned().unwrap_or(diagnostics)));
                }
            }
        }
        all
    }

    /// Marks configurations that are not open: what is wrong in them changes what is found elsewhere.
    fn mark_configurations(&mut self) {
        let unit = self.settings.unit;
        let open: BTreeSet<PathBuf> = self.documents.open_buffers().into_iter().map(|(_, path)| path).collect();
        let mut messages: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for session in self.sessions.values() {
            for error in session.broken().iter().filter(|error| !open.contains(&error.path)) {
                messages.insert(error.path.clone(), vec![broken(error, unit)]);
            }
        }
        if !self.settings.pulls {
            for root in self.sessions.keys().cloned().collect::<Vec<_>>() {
                for id in self.session(&root).configurations() {
                    let diagnostics = self.diagnostics_of(&root, id);
                    let location = self.session(&root).index().file(id).and_then(|file| file.location.clone());
                    if let Some(path) = location.filter(|path| !diagnostics.is_empty() && !open.contains(path)) {
                        messages.insert(path, diagnostics);
                    }
                }
            }
        }
        let before = std::mem::take(&mut self.marked);
        for (path, diagnostics) in messages {
            let Some(uri) = uri_of(&path) else { continue };
            if before.get(&uri) != Some(&diagnostics) {
                self.send(uri.clone(), diagnostics.clone(), None);
            }
            self.marked.insert(uri, diagnostics);
        }
        let gone = before.into_keys().filter(|uri| !self.marked.contains_key(uri) && !open.contains(&path_of(uri)));
        for uri in gone.collect::<Vec<_>>() {
            self.send(uri, Vec::new(), None);
        }
    }

    /// Sends diagnostics.
    pub fn send(&self, uri: Url, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        let client = self.client.clone();
        // In order: the thread waits until the message is on its way.
        self.runtime.block_on(async move { client.publish_diagnostics(uri, diagnostics, version).await });
    }

    /// A document was closed: its marks go, the disk's text counts again for the others.
    pub fn closed(&mut self, uri: Url) {
        if self.documents.version(&uri).is_some() {
            // It was opened again at once.
            return;
        }
        let path = path_of(&uri);
        let root = self.root_for(&path);
        let affected = self.session(&root).close(&path);
        self.mark_pending(&root, affected);
        self.told.remove(&uri);
        self.forget(&root);
        if !self.settings.pulls {
            self.send(uri, Vec::new(), None);
        }
    }
}

/// A name for a result, so that an unchanged one need not be sent again.
pub fn result_id(diagnostics: &[Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(diagnostics).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// A configuration that cannot be used.
fn broken(error: &ConfigError, unit: Unit) -> Diagnostic {
    Diagnostic {
        range: error.place.as_ref().map(|(source, span)| range(source, *span, unit)).unwrap_or_default(),
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("recipelint".to_owned()),
        message: format!("{}\nthe last configuration that could be read stays in force", error.message),
        ..Diagnostic::default()
    }
}
