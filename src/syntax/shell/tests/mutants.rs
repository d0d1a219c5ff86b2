//! Single edits of whole scripts, judged by bash itself where bash 5.2 is installed.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use super::bash;

const SAMPLES: &str = include_str!("samples.sh");

/// Edits of each kind per script.
const EDITS: usize = 6;

fn samples() -> impl Iterator<Item = &'static str> {
    SAMPLES.split("#----\n")
}

/// A generator of numbers that are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// A line deleted, a special character deleted, any character deleted, the rest cut off, a character inserted.
fn mutants(text: &str, numbers: &mut Numbers) -> Vec<String> {
    let special = "\"'(){}[];$|&<>`";
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let specials: Vec<usize> = text.match_indices(|each| special.contains(each)).map(|(at, _)| at).collect();
    let mut found = Vec::new();
    for _ in 0..EDITS {
        let gone = numbers.below(lines.len());
        found.push(lines.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| *line).collect());
        let at = numbers.below(text.len());
        found.push(text[..at].to_owned());
        found.push(format!("{}{}", &text[..at], &text[at + 1..]));
        let new = special.as_bytes()[numbers.below(special.len())] as char;
        found.push(format!("{}{new}{}", &text[..at], &text[at..]));
        if let Some(at) = specials.get(numbers.below(specials.len())) {
            found.push(format!("{}{}", &text[..*at], &text[at + 1..]));
        }
    }
    found
}

/// Whether `bash -n` refuses each script; `None` without bash 5.2. A warning about a here-document is no refusal, a
/// message with exit status 0 (inside `[[ ]]`) is one.
fn bash_refuses(scripts: &[String]) -> Option<Vec<bool>> {
    let version = Command::new("bash").args(["-c", "echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"]).output().ok()?;
    if version.stdout != b"5.2\n" {
        return None;
    }
    let directory = tempfile::tempdir().unwrap();
    let mut run = String::new();
    for (number, script) in scripts.iter().enumerate() {
        std::fs::write(directory.path().join(number.to_string()), script).unwrap();
        writeln!(run, "bash -n {number} 2>&1; echo \"rc={number}:$?\"").unwrap();
    }
    std::fs::write(directory.path().join("run"), run).unwrap();
    let output = Command::new("bash")
        .arg("run")
        .current_dir(directory.path())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut refused = vec![false; scripts.len()];
    let mut number = 0;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(status) = line.strip_prefix(&format!("rc={number}:")) {
            refused[number] |= status != "0";
            number += 1;
        } else if line.starts_with(&format!("{number}: line ")) && !line.contains("warning:") {
            refused[number] = true;
        }
    }
    assert_eq!(number, scripts.len());
    Some(refused)
}

#[test]
fn samples_are_accepted() {
    for text in samples() {
        assert_eq!(bash(text).errors, [], "{text}");
    }
}

#[test]
fn verdicts_on_edited_scripts_are_those_of_bash() {
    let mut numbers = Numbers(7);
    let scripts: Vec<String> = samples().flat_map(|text| mutants(text, &mut numbers)).collect();
    let Some(refused) = bash_refuses(&scripts) else { return };
    for (script, refused) in scripts.iter().zip(&refused) {
        let errors = bash(script).errors;
        // Bash reports a missing expression only when it runs the line.
        if errors.iter().any(|error| error.message.contains("an expression is missing in `[[ ]]`: `]]`")) {
            continue;
        }
        assert_eq!(!errors.is_empty(), *refused, "{script}\n{errors:?}");
    }
    assert!(refused.iter().filter(|refused| **refused).count() > scripts.len() / 5);
}
