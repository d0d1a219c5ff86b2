//! What the client can do and what its user wants.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use tower_lsp::lsp_types::{InitializeParams, ResourceOperationKind};

use super::convert::{path_of, unit_of};
use crate::text::Unit;

/// Longest delay that can be asked for.
const LONGEST_DELAY: Duration = Duration::from_secs(10);

/// What the client can do and how it counts; known after `initialize`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Unit of columns.
    pub unit: Unit,
    /// Workspace folders.
    pub folders: Vec<PathBuf>,
    /// The client asks for diagnostics itself.
    pub pulls: bool,
    /// It can be told to ask again.
    pub refreshes: bool,
    /// It shows related places.
    pub related: bool,
    /// It watches files for the server.
    pub watches: bool,
    /// It renames files when it is told to.
    pub renames_files: bool,
    /// It answers questions about its settings.
    pub configures: bool,
    /// It says when its settings changed only to those that asked for it.
    pub tells_changes: bool,
    /// What the user wants.
    pub wishes: Wishes,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            unit: Unit::Utf16,
            folders: Vec::new(),
            pulls: false,
            refreshes: false,
            related: true,
            watches: false,
            renames_files: false,
            configures: false,
            tells_changes: false,
            wishes: Wishes::default(),
        }
    }
}

/// What the user wants of the server. All else is in the configuration files, for all tools alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// `runOn: save`: diagnostics only when a file was opened or saved.
    pub on_save: bool,
    /// `delay`, in milliseconds: how long nothing must be typed before a text is checked. Slow checks wait by themselves.
    pub delay: Duration,
}

impl Wishes {
    /// Reads what a client sends: `{"runOn": …, "delay": …}`, or that below `recipelint`. What is missing or no such value
    /// is as it was before.
    pub fn read(self, value: &Value) -> Self {
        let value = value.get("recipelint").unwrap_or(value);
        let run_on = value.get("runOn").and_then(Value::as_str);
        let delay = value.get("delay").and_then(Value::as_u64);
        Self {
            on_save: match run_on {
                Some("save") => true,
                Some("type") => false,
                _ => self.on_save,
            },
            delay: delay.map_or(self.delay, |delay| Duration::from_millis(delay).min(LONGEST_DELAY)),
        }
    }
}

impl Settings {
    /// What the client said of itself.
    pub fn of(parameters: &InitializeParams) -> Self {
        let capabilities = &parameters.capabilities;
        let encodings = capabilities.general.as_ref().and_then(|general| general.position_encodings.clone());
        let units: Vec<Unit> = encodings.unwrap_or_default().iter().filter_map(unit_of).collect();
        // Bytes cost nothing here; UTF-16 is what every client has.
        let unit = [Unit::Utf8, Unit::Utf32].into_iter().find(|unit| units.contains(unit)).unwrap_or(Unit::Utf16);
        let unit = if units.first() == Some(&Unit::Utf16) { Unit::Utf16 } else { unit };
        let text = capabilities.text_document.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let folders = parameters.workspace_folders.iter().flatten().map(|folder| path_of(&folder.uri));
        #[allow(deprecated)]
        let root = parameters.root_uri.as_ref().map(path_of);
        let mut folders: Vec<PathBuf> = folders.collect();
        if folders.is_empty() {
            folders.extend(root);
        }
        let dynamic = |registration: Option<bool>| registration.unwrap_or(false);
        Self {
            unit,
            folders,
            pulls: text.is_some_and(|text| text.diagnostic.is_some()),
            refreshes: workspace
                .and_then(|workspace| workspace.diagnostic.as_ref())
                .and_then(|diagnostic| diagnostic.refresh_support)
                .unwrap_or(false),
            related: text
                .and_then(|text| text.publish_diagnostics.as_ref())
                .and_then(|diagnostics| diagnostics.related_information)
                .unwrap_or(true),
            watches: workspace
                .and_then(|workspace| workspace.did_change_watched_files)
                .is_some_and(|watched| dynamic(watched.dynamic_registration)),
            renames_files: workspace.and_then(|workspace| workspace.workspace_edit.as_ref()).is_some_and(|edits| {
                let operations = edits.resource_operations.iter().flatten();
                edits.document_changes.unwrap_or(false)
                    && operations.into_iter().any(|operation| *operation == ResourceOperationKind::Rename)
            }),
            configures: workspace.and_then(|workspace| workspace.configuration).unwrap_or(false),
            tells_changes: workspace
                .and_then(|workspace| workspace.did_change_configuration)
                .is_some_and(|change| dynamic(change.dynamic_registration)),
            wishes: parameters
                .initialization_options
                .as_ref()
                .map(|options| Wishes::default().read(options))
                .unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn wishes_are_read_with_care() {
        let save = Wishes { on_save: true, delay: Duration::from_millis(5) };
        for (value, wanted) in [
            (json!({"runOn": "type"}), Wishes { on_save: false, ..save }),
            (
                json!({"recipelint": {"runOn": "type", "delay": 300}}),
                Wishes { on_save: false, delay: Duration::from_millis(300) },
            ),
            (json!({"delay": 1e12}), save),
            (json!({"delay": 99_999_999}), Wishes { delay: LONGEST_DELAY, ..save }),
            (json!({"delay": -1, "runOn": 5}), save),
            (json!({"runOn": "never", "other": true}), save),
            (json!({}), save),
            (Value::Null, save),
            (json!([1]), save),
        ] {
            assert_eq!(save.read(&value), wanted, "{value}");
        }
    }
}
