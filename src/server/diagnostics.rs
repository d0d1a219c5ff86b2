//! Diagnostics: pushed to clients that do not ask, answered to those that do.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use tower_lsp::lsp_types::{Diagnostic, DiagnosticSeverity, Range, Url};

use super::convert::{diagnostic, path_of, range, uri_of};
use super::worker::World;
use crate::recipe::FileId;

impl World {
    /// Sends the diagnostics of open files that may have changed, unless something newer waits.
    pub fn publish_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if self.settings.pulls {
            self.mark_configurations();
            let changed_elsewhere = pending.len() > 1;
            if self.settings.refreshes && changed_elsewhere {
                let client = self.client.clone();
                self.runtime.spawn(async move {
                    let _ = client.workspace_diagnostic_refresh().await;
                });
            }
            return;
        }
        let open: Vec<(Url, PathBuf)> = self.documents.open_buffers();
        for (uri, path) in open {
            let root = self.root_for(&path);
            let Some(id) = self.sessions.get(&root).and_then(|session| session.file(&path)).map(|file| file.id) else {
                continue;
            };
            if !pending.contains(&(root.clone(), id)) {
                continue;
            }
            let version = self.documents.version(&uri);
            let diagnostics = self.diagnostics_of(&root, id);
            if self.documents.has_changes() {
                // A newer text waits: what was found is stale, and what was not looked at stays to be done.
                self.pending.extend(pending);
                return;
            }
            self.send(uri, diagnostics, version);
        }
        self.mark_configurations();
    }

    /// The diagnostics of a file.
    pub fn diagnostics_of(&mut self, root: &Path, id: FileId) -> Vec<Diagnostic> {
        let (unit, related) = (self.settings.unit, self.settings.related);
        let session = self.session(root);
        let findings = session.findings(id);
        let index = session.index();
        let Some(file) = index.file(id) else { return Vec::new() };
        findings.iter().map(|finding| diagnostic(index, file, finding, unit, related)).collect()
    }

    /// Marks configurations that cannot be used, in their own files.
    fn mark_configurations(&mut self) {
        let unit = self.settings.unit;
        let mut now = std::collections::BTreeSet::new();
        let mut messages = Vec::new();
        for session in self.sessions.values() {
            for error in session.broken() {
                let Some(uri) = uri_of(&error.path) else { continue };
                let place = error.place.as_ref().map(|(source, span)| range(source, *span, unit)).unwrap_or_default();
                messages.push((uri.clone(), broken(place, &error.message)));
                now.insert(uri);
            }
        }
        for gone in self.marked.difference(&now).cloned().collect::<Vec<_>>() {
            self.send(gone, Vec::new(), None);
        }
        for (uri, diagnostic) in messages {
            self.send(uri, vec![diagnostic], None);
        }
        self.marked = now;
    }

    /// Sends diagnostics.
    pub fn send(&self, uri: Url, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        let client = self.client.clone();
        // In order: the thread waits until the message is on its way.
        self.runtime.block_on(async move { client.publish_diagnostics(uri, diagnostics, version).await });
    }

    /// A document was closed: its marks go, the disk's text counts again for the others.
    pub fn closed(&mut self, uri: Url) {
        let path = path_of(&uri);
        let root = self.root_for(&path);
        let affected = self.session(&root).close(&path);
        self.mark_pending(&root, affected);
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

fn broken(range: Range, message: &str) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some("recipelint".to_owned()),
        message: format!("{message}\nthe last configuration that could be read stays in force"),
        ..Diagnostic::default()
    }
}
