//! Which shell a `run:` has, and with which options it starts.
//!
//! Source: `ScriptHandlerHelpers` of actions/runner: `bash --noprofile --norc -e -o pipefail {0}` for `shell: bash`,
//! `sh -e {0}` for `shell: sh`, `bash -e {0}` where nothing is said (`pwsh` on Windows).

/// The shell of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    /// Nothing is said: bash on Linux and macOS.
    Default,
    /// Nothing is said, on Windows.
    Windows,
    /// As written.
    Named(String),
}

/// How bash starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub errexit: bool,
    pub pipefail: bool,
}

impl Shell {
    /// The options of bash, or the name of another interpreter.
    pub(super) fn start(&self) -> Result<Start, String> {
        let written = match self {
            Self::Default => return Ok(Start { errexit: true, pipefail: false }),
            Self::Windows => return Err("pwsh, the default shell of Windows".to_owned()),
            Self::Named(written) => written.trim(),
        };
        let mut words = written.split_whitespace();
        let program = words.next().unwrap_or_default().rsplit(['/', '\\']).next().unwrap_or_default();
        if !matches!(program, "bash" | "sh" | "bash.exe" | "zsh" | "dash") {
            return Err(program.to_owned());
        }
        if !written.contains("{0}") {
            return Ok(Start { errexit: true, pipefail: program.starts_with("bash") });
        }
        let mut start = Start { errexit: false, pipefail: false };
        for word in words {
            match word {
                "pipefail" => start.pipefail = true,
                "errexit" => start.errexit = true,
                word if word.starts_with('-') && !word.starts_with("--") => start.errexit |= word.contains('e'),
                _ => {}
            }
        }
        Ok(start)
    }
}
