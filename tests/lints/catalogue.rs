//! Every lint of the catalogue has a page and a function.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use recipelint::lints::{FixKind, Level, lints};

/// Ids are part of what users write: they never change. Level and fix as the catalogue has them.
const CATALOGUE: &str = "
grep-agent-output error suggest
match-agent-output error suggest
jq-agent-output error safe
eval-agent-output error no
interpolated-agent-output error suggest
quoted-template warning safe
object-alias warning safe
unquoted-agent-output warning safe
scraped-json warning suggest
prose-intent warning no
substring-verdict error suggest
missing-require-field error safe
require-field-mismatch error safe
missing-default error suggest
open-default error suggest
unnormalised-verdict warning suggest
unreachable-verdict error no
open-verdict-case error suggest
swapped-normaliser error suggest
no-verdict-passes warning no
missing-parse-json error safe
unchecked-parse-json info safe
missing-output-tag error suggest
unclosed-output-tag warning suggest
invalid-output-tag error no
multi-iteration-output error safe
invalid-output-example warning no
multiple-output-contracts info no
field-not-in-prompt error no
value-not-in-prompt warning no
missing-prompt-file error no
unfilled-placeholder error no
unresumable-retry error no
output-on-interactive error no
judge-with-criteria error no
judge-with-model error safe
judge-with-approval error no
nested-verify warning safe
missing-judge error no
judge-without-verdict warning no
invalid-verify error no
toolless-judge info no
invalid-yaml error no
unknown-field warning safe
missing-field error no
invalid-value error no
duplicate-id error no
invalid-condition error no
summary-output warning no
undefined-variable warning no
use-before-output warning no
unknown-reference error no
recipe-cycle error no
invalid-shell error no
unused-output info no
unused-suppression warning safe
unknown-output error suggest
dead-default warning suggest
fixed-delimiter warning safe
ignored-schema error no
unguarded-json warning suggest
agent-writes-env error no
merged-streams warning suggest
";

#[test]
fn every_lint_of_the_catalogue_exists() {
    let mut wrong = Vec::new();
    for line in CATALOGUE.lines().filter(|line| !line.is_empty()) {
        let mut words = line.split(' ');
        let (id, level, fix) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        match lints().iter().find(|lint| lint.id == id) {
            None => wrong.push(format!("{id} is missing")),
            Some(lint) => {
                if lint.level != level_of(level) || lint.fix != fix_of(fix) {
                    wrong.push(format!("{id}: level {:?}, fix {:?}, expected {level}, {fix}", lint.level, lint.fix));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_page_belongs_to_a_lint() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lints");
    let known: BTreeSet<String> = lints().iter().map(|lint| format!("{}.md", lint.id)).collect();
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        assert!(known.contains(&name), "lints/{name} belongs to no lint");
    }
}

fn level_of(name: &str) -> Level {
    match name {
        "error" => Level::Error,
        "warning" => Level::Warning,
        _ => Level::Info,
    }
}

fn fix_of(name: &str) -> FixKind {
    match name {
        "safe" => FixKind::Safe,
        "suggest" => FixKind::Suggest,
        _ => FixKind::No,
    }
}
