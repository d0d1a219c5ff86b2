//! What stays the same of a finding when lines move and blocks are indented anew: its lint, its file, its step, and the
//! text it is about. No line numbers.

use std::collections::HashMap;
use std::path::Path;

use crate::lints::Finding;
use crate::recipe::{File, Index};
use crate::text::Span;

/// A longer text is taken for less than its whole: its first bytes.
const MAX_TEXT: usize = 2_000;

/// One for each finding, 16 hexadecimal digits. Equal findings (the same command twice in one step) are told apart by
/// their order.
pub fn fingerprints(index: &Index, findings: &[Finding]) -> Vec<String> {
    let mut seen: HashMap<u64, u64> = HashMap::new();
    findings
        .iter()
        .map(|finding| {
            let Some(file) = index.file(finding.place.file) else { return String::new() };
            let mut hash = Fnv::default();
            hash.part(finding.lint);
            hash.part(&path_in_workspace(index, file));
            hash.part(step_of(file, finding.place.span).unwrap_or_default());
            for word in text_of(file, finding).split_whitespace() {
                hash.part(word);
            }
            let occurrence = seen.entry(hash.0).or_default();
            *occurrence += 1;
            if *occurrence > 1 {
                hash.part(&occurrence.to_string());
            }
            format!("{:016x}", hash.0)
        })
        .collect()
}

/// The path that fingerprints and baselines use: relative to the workspace's root, with `/`.
pub fn path_in_workspace(index: &Index, file: &File) -> String {
    let below = file.location.as_deref().zip(index.root()).and_then(|(path, root)| path.strip_prefix(root).ok());
    let path: &Path = below.unwrap_or(&file.source.path);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn step_of(file: &File, span: Span) -> Option<&str> {
    let step = file.recipe.steps.iter().find(|step| step.span.covers(span))?;
    step.id.as_ref().map(|id| id.value.as_str())
}

/// The command or key; where that is the primary place alone, its whole line.
fn text_of<'a>(file: &'a File, finding: &Finding) -> &'a str {
    let source = &file.source;
    let line = source.lines.span(source.lines.line(finding.place.span.start), &source.text);
    let span = if finding.scope == finding.place.span { line } else { finding.scope };
    let text = source.slice(span);
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// FNV-1a, 64 bits: stable between versions of Rust, unlike the hasher of its library.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a text and its end, so that `ab`, `c` and `a`, `bc` differ.
    fn part(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use super::*;
    use crate::flow::Place;
    use crate::recipe::{Dialect, FileId};
    use crate::text::Source;
    use crate::workspace::lower;

    /// The fingerprints of one finding at each place where `needle` stands.
    fn at(text: &str, needle: &str) -> Vec<String> {
        let source = Source::new("a.yaml", text);
        let file = lower(Path::new("/w/a.yaml"), source, Dialect::Amplihack);
        let index = Index::new(vec![Arc::new(file)]).with_root("/w");
        let findings: Vec<Finding> = text
            .match_indices(needle)
            .map(|(start, _)| Place { file: FileId(0), span: Span::new(start, start + needle.len()) })
            .map(|place| Finding::new("grep-agent-output", place, "m"))
            .collect();
        assert!(!findings.is_empty());
        fingerprints(&index, &findings)
    }

    const RECIPE: &str = "name: n\nsteps:\n  - id: a\n    command: |\n      grep x\n      grep y\n";

    #[test]
    fn lines_above_and_indentation_do_not_matter() {
        let before = at(RECIPE, "grep x");
        assert_eq!(before, at(&RECIPE.replace("name: n\n", "# one\n# two\nname: other\n"), "grep x"));
        assert_eq!(
            before,
            at("name: n\nsteps:\n    -   id: a\n        command: |\n            grep   x\n", "grep   x")
        );
        assert_eq!(before, at(&RECIPE.replace('\n', "\r\n"), "grep x"));
    }

    #[test]
    fn command_step_and_occurrence_do() {
        let before = at(RECIPE, "grep x");
        assert_ne!(before, at(RECIPE, "grep y"));
        assert_ne!(before, at(&RECIPE.replace("id: a", "id: b"), "grep x"));
        let twice = at(&RECIPE.replace("grep y", "grep x"), "grep x");
        assert_eq!(twice.len(), 2);
        assert_eq!(before.first(), twice.first());
        assert_ne!(twice.first(), twice.last());
    }
}
