//! Starts `recipelint lsp`: the binary of the settings, else the one on the PATH.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, serde_json::Value, Command, LanguageServerId, Result, Worktree};

const NAME: &str = "recipelint";

struct Recipelint;

impl zed::Extension for Recipelint {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(NAME, worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments) = binary.map(|binary| (binary.path, binary.arguments)).unwrap_or_default();
        let command = path.or_else(|| worktree.which(NAME)).ok_or(
            "recipelint is not on the PATH: install it, or name it in \"lsp\": {\"recipelint\": {\"binary\": {\"path\": …}}}",
        )?;
        Ok(Command { command, args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]), env: worktree.shell_env() })
    }

    fn language_server_initialization_options(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(NAME, worktree).ok().and_then(|settings| settings.initialization_options))
    }

    fn language_server_workspace_configuration(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(NAME, worktree).ok().and_then(|settings| settings.settings))
    }
}

zed::register_extension!(Recipelint);
