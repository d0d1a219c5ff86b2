//! Runs of the program in a folder.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::Folder;

/// Variables of the surroundings that would change the output.
const SCRUBBED: &[&str] = &[
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "TERM",
    "TERM_PROGRAM",
    "VTE_VERSION",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_ACTIONS",
];

#[derive(Debug)]
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        command_in(&self.path(), arguments)
    }

    pub fn run(&self, arguments: &[&str]) -> Done {
        done(self.command(arguments).stdin(Stdio::null()))
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Done {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The program may refuse to read all of it.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        of(&output)
    }

    /// `(lint, path, line)` of all findings, from JSON.
    pub fn findings(&self, arguments: &[&str]) -> Vec<(String, String, u64)> {
        let done = self.run(&[&["check", "--format", "json", "--exit-zero"], arguments].concat());
        assert_eq!(done.code, 0, "{done:?}");
        findings_of(&done.out)
    }

    pub fn git(&self, arguments: &[&str]) {
        let status = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"])
            .args(["-c", "init.defaultBranch=main"])
            .args(arguments)
            .current_dir(self.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "git {arguments:?}");
    }
}

pub fn findings_of(json: &str) -> Vec<(String, String, u64)> {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    value["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (text(&one["lint"]), text(&one["path"]), one["start"]["line"].as_u64().unwrap()))
        .collect()
}

pub fn command_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recipelint"));
    command.args(arguments).current_dir(folder);
    for name in SCRUBBED {
        command.env_remove(name);
    }
    command
}

pub fn done(command: &mut Command) -> Done {
    of(&command.output().unwrap())
}

fn of(output: &std::process::Output) -> Done {
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
