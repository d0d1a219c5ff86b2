//! What holds of every fix on every text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use recipelint::fix::Policy;
use recipelint::lints::{Finding, FixKind, lints};
use recipelint::recipe::Dialect;
use recipelint::syntax::yaml;
use recipelint::workspace::{Disk, Outcome, Request, check, mend};

use super::change::{Dice, changed};
use super::material::{Case, cases, root};

/// Applies fixes to a case, twice; the number of fixes applied and what was wrong.
fn try_case(case: &Case, policy: Policy) -> (usize, Vec<String>) {
    let (disk, request, before) = case.check();
    if !before.findings.iter().any(|finding| policy.allows(finding).is_some()) {
        return (0, Vec::new());
    }
    let old = counts(&before);
    let first = mend(&disk, &request, before, policy, &|_| {}).unwrap();
    let mut wrong = Vec::new();
    for (key, count) in counts(&first.outcome) {
        if old.get(&key).copied().unwrap_or_default() < count {
            wrong.push(format!("more findings of {key:?}"));
        }
    }
    for (path, (old, new)) in &first.changed {
        wrong.extend(compare(&path.display().to_string(), old, new));
    }
    let mut buffers = disk.buffers().clone();
    buffers.extend(first.changed.iter().map(|(path, (_, new))| (path.clone(), new.clone())));
    let again = mend(&Disk::with_buffers(buffers), &request, first.outcome.clone(), policy, &|_| {}).unwrap();
    if !again.changed.is_empty() {
        wrong.push(format!("a second run changes {:?}", again.changed.keys()));
    }
    (first.applied, wrong)
}

fn counts(outcome: &Outcome) -> BTreeMap<(String, &'static str), usize> {
    let mut counts = BTreeMap::new();
    for finding in &outcome.findings {
        let path = outcome.index.file(finding.place.file).unwrap().source.path.display().to_string();
        *counts.entry((path, finding.lint)).or_default() += 1;
    }
    counts
}

fn compare(path: &str, old: &str, new: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    if path.ends_with(".yaml") || path.ends_with(".yml") {
        let (before, after) = (yaml::parse(old), yaml::parse(new));
        if before.errors.is_empty() && !after.errors.is_empty() {
            wrong.push(format!("{path} is no YAML any more: {:?}", after.errors.first()));
        }
    }
    if old.starts_with('\u{feff}') != new.starts_with('\u{feff}') {
        wrong.push(format!("{path}: the byte order mark changed"));
    }
    let bare = |text: &str| text.matches('\n').count() - text.matches("\r\n").count();
    if bare(old) == 0 && old.contains("\r\n") && bare(new) > 0 || !old.contains("\r\n") && new.contains("\r\n") {
        wrong.push(format!("{path}: line ends changed"));
    }
    for remark in old.lines().filter_map(|line| line.split_once("# remark ")).map(|(_, remark)| remark) {
        if !new.contains(remark) {
            wrong.push(format!("{path}: the comment \"{remark}\" is gone"));
        }
    }
    wrong
}

fn both(case: &Case, wrong: &mut String) -> usize {
    let mut applied = 0;
    for policy in [Policy::Safe, Policy::Suggested] {
        let (count, faults) = try_case(case, policy);
        applied += count;
        for fault in faults {
            writeln!(wrong, "{} ({policy:?}): {fault}", case.name).unwrap();
        }
    }
    applied
}

#[test]
fn fixes_hold_on_every_example() {
    let mut wrong = String::new();
    let applied: usize = cases().iter().map(|case| both(case, &mut wrong)).sum();
    println!("{applied} fixes applied to examples");
    assert!(applied > 100, "only {applied}");
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Fixes applied to changed copies; `RECIPELINT_FIX_ROUNDS` sets how many copies of each example are made, or which
/// (`100..200`), so that a long run can be made in parts.
#[test]
fn fixes_hold_on_changed_copies() {
    let wanted = std::env::var("RECIPELINT_FIX_ROUNDS").unwrap_or_else(|_| "10".to_owned());
    let (first, last) = wanted.split_once("..").unwrap_or(("0", &wanted));
    let rounds: std::ops::Range<usize> = first.parse().unwrap()..last.parse().unwrap();
    let cases: Vec<Case> = cases()
        .into_iter()
        .filter(|case| case.check().2.findings.iter().any(|finding| finding.fix.is_some()))
        .collect();
    let mut applied = 0;
    let mut wrong = String::new();
    for round in rounds.clone() {
        for (at, case) in cases.iter().enumerate() {
            let mut dice = Dice::new((round * 10_007 + at + 1) as u64);
            let files = case.files.iter().map(|(path, text)| (path.clone(), changed(path, text, &mut dice)));
            let mut copy = case.with(files.collect());
            copy.name = format!("{} copy {round}", case.name);
            applied += both(&copy, &mut wrong);
        }
        let faults = wrong.lines().count();
        assert!(faults < 50, "\n{wrong}");
    }
    println!("{applied} fixes applied to {} changed copies of each of {} examples", rounds.len(), cases.len());
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn findings_are_the_same_where_nobody_wants_fixes() {
    let mut fixes = 0;
    for case in cases() {
        let (disk, request, with) = case.check();
        let without = check(&disk, &Request { fixes: false, ..request }, &|_, _| {}).unwrap();
        let bare = with.findings.into_iter().map(|finding| {
            fixes += usize::from(finding.fix.is_some());
            Finding { fix: None, ..finding }
        });
        let left = without.findings.into_iter().map(|finding| Finding { fix: None, ..finding });
        assert_eq!(left.collect::<Vec<_>>(), bare.collect::<Vec<_>>(), "{}", case.name);
    }
    assert!(fixes > 100, "only {fixes} findings had a fix");
}

#[test]
fn lints_keep_the_promise_of_their_page() {
    let mut offered: BTreeMap<&str, BTreeSet<bool>> = BTreeMap::new();
    let mut mended: BTreeSet<&str> = BTreeSet::new();
    for case in cases() {
        let Some((lint, true)) = case.lint else { continue };
        let (disk, request, outcome) = case.check();
        for finding in outcome.findings.iter().filter(|finding| finding.lint == lint) {
            offered.entry(lint).or_default().insert(finding.fix.is_some());
        }
        let count = |outcome: &Outcome| outcome.findings.iter().filter(|finding| finding.lint == lint).count();
        let old = count(&outcome);
        let result = mend(&disk, &request, outcome, Policy::Suggested, &|_| {}).unwrap();
        if count(&result.outcome) < old {
            mended.insert(lint);
        }
        for skipped in result.skipped.iter().filter(|skipped| skipped.lint == lint) {
            println!("{}: {} line {}: {}", case.name, skipped.path.display(), skipped.line, skipped.reason);
        }
    }
    let silent: BTreeSet<&str> = lints()
        .iter()
        .filter(|lint| lint.fix != FixKind::No && !mended.contains(lint.id))
        .map(|lint| lint.id)
        .collect();
    let surplus: BTreeSet<&str> =
        lints().iter().filter(|lint| lint.fix == FixKind::No && mended.contains(lint.id)).map(|lint| lint.id).collect();
    println!("offered: {offered:?}\nmended: {mended:?}\nsurplus: {surplus:?}");
    assert_eq!(silent, BTreeSet::new(), "they promise a fix and give none for their own examples");
}

#[test]
fn fixes_of_programs_and_prompts_keep_the_rest_of_the_text() {
    for case in cases() {
        let (_, _, outcome) = case.check();
        for finding in &outcome.findings {
            let (Some(fix), Some(file)) = (&finding.fix, outcome.index.file(finding.place.file)) else { continue };
            for edit in &fix.edits {
                let target = outcome.index.file(edit.place.file).unwrap();
                assert!(target.source.text.get(edit.place.span.range()).is_some(), "{}: {edit:?}", case.name);
                let same = edit.place.file == finding.place.file;
                assert!(same || file.dialect != Dialect::Unknown, "{}: {finding:?}", case.name);
            }
            assert!(!fix.edits.is_empty() && !fix.title.is_empty(), "{}: {finding:?}", case.name);
        }
    }
    assert!(root().is_absolute());
}
