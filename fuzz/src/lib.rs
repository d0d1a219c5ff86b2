//! What the fuzz targets ask of a text. Parsers give a tree or an error, never a panic; spans lie in the text and on
//! characters; edits that are offered can be applied.
//!
//! `scripts/fuzz-seeds` makes the seeds; `cargo +nightly fuzz run TARGET` runs one target. The tests here run every
//! target on a few texts made at random from the same seeds; `cargo test --test fuzz` of the package above runs them too.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use recipelint::fix::{Policy, apply};
use recipelint::lints::Level;
use recipelint::lints::suppress::{Cover, suppress};
use recipelint::syntax::yaml::{Data, Document, Node, Scalar};
use recipelint::syntax::{condition, shell, template, yaml};
use recipelint::text::Span;
use recipelint::workspace::{Disk, Request, check, config::Choice, mend};

/// The YAML tree: spans and comments.
pub fn yaml_tree(text: &str) {
    let document = yaml::parse(text);
    each_node(&document, |node| inside(text, node.span));
    document.comments.iter().for_each(|comment| inside(text, comment.span));
    document.errors.iter().for_each(|error| inside(text, error.span));
}

/// The shell tree, with each kind of hole.
pub fn shell(text: &str) {
    for holes in [shell::Holes::None, shell::Holes::Template, shell::Holes::Expression] {
        let script = shell::parse(text, shell::Options { holes });
        for command in shell::visit::commands(&script.body) {
            inside(text, command.span);
        }
        script.errors.iter().for_each(|error| inside(text, error.span));
        script.comments.iter().for_each(|comment| inside(text, *comment));
    }
}

/// Conditions and templates.
pub fn conditions(text: &str) {
    let _ = condition::parse(text);
    let _ = template::placeholders(text);
    let _ = template::references(text);
    let _ = template::holes(text);
}

/// The map between a scalar's text and the file, both ways, and edits in the scalar's own style.
pub fn fragments(text: &str) {
    let document = yaml::parse(text);
    let mut scalars: Vec<Scalar> = Vec::new();
    each_node(&document, |node| {
        if let Data::Scalar(scalar) = &node.data {
            scalars.push(scalar.clone());
        }
    });
    for scalar in scalars.iter().take(20) {
        let fragment = &scalar.fragment;
        inside(text, fragment.span());
        for (at, letter) in fragment.text().char_indices().take(200) {
            let place = fragment.locate(at..at + letter.len_utf8());
            inside(text, place);
            assert!(fragment.span().covers(place), "{place:?} lies outside of {:?}", fragment.span());
        }
        if document.errors.is_empty()
            && let Ok((span, new)) = document.edit(text, scalar, 0..0, "x")
        {
            let changed = format!("{}{new}{}", &text[..span.start], &text[span.end..]);
            assert!(yaml::parse(&changed).errors.is_empty(), "{changed:?}");
        }
    }
}

/// The whole check of one recipe, its fixes, and the suppression of its first findings.
pub fn whole_check(text: &str) {
    let root = PathBuf::from("/recipelint-fuzz");
    let path = root.join("recipe.yaml");
    let disk = Disk::with_buffers(HashMap::from([(path.clone(), Arc::from(text))]));
    let request = Request { paths: vec![path], cwd: root, config: Choice::None, fixes: true, ..Request::default() };
    let outcome = check(&disk, &request, &|_, _| {}).expect("there is no configuration");
    for finding in outcome.findings.iter().take(3) {
        assert!(finding.lint != "internal-error" || finding.level == Level::Warning, "{}", finding.message);
        let Some(file) = outcome.index.file(finding.place.file) else { continue };
        inside(&file.source.text, finding.place.span);
        for cover in [Cover::Line, Cover::Step, Cover::File] {
            if let Some(edit) = suppress(file, finding, cover) {
                assert!(apply(&file.source.text, &[edit]).is_some(), "the suppression does not fit");
            }
        }
    }
    let _ = mend(&disk, &request, outcome, Policy::Suggested, &|_| {});
}

fn inside(text: &str, span: Span) {
    assert!(text.get(span.range()).is_some(), "{span:?} is no part of the text");
}

fn each_node(document: &Document, mut visit: impl FnMut(&Node)) {
    let mut stack: Vec<&Node> = document.root.iter().collect();
    while let Some(node) = stack.pop() {
        visit(node);
        stack.extend(node.items());
        stack.extend(node.entries().iter().flat_map(|entry| [&entry.key, &entry.value]));
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Texts of the repository: examples and pages.
    fn seeds() -> Vec<String> {
        let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let root = package.ancestors().find(|folder| folder.join("examples").is_dir()).unwrap();
        let mut seeds = Vec::new();
        for folder in ["examples", "lints", "tests/corpus/amplihack", "tests/corpus/workflows"] {
            let mut entries: Vec<_> = std::fs::read_dir(root.join(folder)).unwrap().flatten().collect();
            entries.sort_by_key(std::fs::DirEntry::path);
            seeds.extend(entries.iter().filter_map(|entry| std::fs::read_to_string(entry.path()).ok()));
        }
        // A page gives its fences.
        seeds
            .iter()
            .flat_map(|text| {
                text.split("```").map(|part| part.split_once('\n').map_or(part, |(_, body)| body).to_owned())
            })
            .filter(|text| text.len() > 40)
            .collect()
    }

    struct Dice(u64);

    impl Dice {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % limit.max(1) as u64) as usize
        }
    }

    /// A piece of one seed behind a piece of another, with characters put in, taken out and doubled.
    fn text(seeds: &[String], dice: &mut Dice) -> String {
        const PARTS: [&str; 24] = [
            "\"", "'", "$(", ")", "{{", "}}", "${{", "|", ">", "\t", "\r\n", "\u{feff}", "é", "😀", "<<EOF", "case",
            "esac", ": ", "- ", "#", "\\", "&a", "*a", "\0",
        ];
        let mut letters: Vec<char> = Vec::new();
        for _ in 0..=dice.below(2) {
            let seed: Vec<char> = seeds[dice.below(seeds.len())].chars().collect();
            let start = if dice.below(2) == 0 { 0 } else { dice.below(seed.len()) };
            letters.extend(seed[start..].iter().take(1 + dice.below(1500)));
        }
        for _ in 0..dice.below(8) {
            let at = dice.below(letters.len());
            match dice.below(3) {
                0 => drop(letters.splice(at..at, PARTS[dice.below(PARTS.len())].chars())),
                1 => drop(letters.drain(at..(at + dice.below(30)).min(letters.len()))),
                _ => {
                    let piece: Vec<char> = letters[at..(at + dice.below(60)).min(letters.len())].to_vec();
                    letters.splice(at..at, piece);
                }
            }
            if letters.is_empty() {
                letters.push(' ');
            }
        }
        letters.into_iter().collect()
    }

    /// A hundred texts for each target, and as many as fit into `FUZZ_SECONDS`.
    fn run(name: &str, target: fn(&str)) {
        let seeds = seeds();
        let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(0);
        let seed = std::env::var("FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1_u64);
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let end = Instant::now() + Duration::from_secs(seconds);
        let mut count = 0;
        while count < 100 || Instant::now() < end {
            let input = text(&seeds, &mut dice);
            if let Err(panic) = std::panic::catch_unwind(|| target(&input)) {
                eprintln!("{name} fails on {input:?}");
                std::panic::resume_unwind(panic);
            }
            count += 1;
        }
        println!("{name}: {count} texts");
    }

    #[test]
    fn yaml_trees() {
        run("yaml_tree", yaml_tree);
    }

    #[test]
    fn shells() {
        run("shell", shell);
    }

    #[test]
    fn all_conditions() {
        run("conditions", conditions);
    }

    #[test]
    fn all_fragments() {
        run("fragments", fragments);
    }

    #[test]
    fn whole_checks() {
        run("whole_check", whole_check);
    }
}
