//! Examples of the pages.

use std::collections::BTreeSet;

use recipelint::lints::{Lint, lints};

use super::page::{HEADINGS, Page};
use super::workspace::{Mark, difference};

/// Lints that speak about the program itself or its configuration: no recipe can show them.
const WITHOUT_EXAMPLES: [&str; 2] = ["internal-error", "unused-configuration"];

#[test]
fn pages_are_whole() {
    for lint in lints() {
        let page = Page::read(lint.page);
        assert_eq!(page.title, lint.id, "the title of lints/{}.md", lint.id);
        for (key, allowed) in
            [("level", &["error", "warning", "info", "off"][..]), ("fix", &["no", "suggest", "safe"][..])]
        {
            let value = page.head(key).unwrap_or_default();
            assert!(allowed.contains(&value), "lints/{}.md: `{key}: {value}`", lint.id);
        }
        assert!(!lint.summary.is_empty(), "lints/{}.md has no summary", lint.id);
        let names: Vec<&str> = page.sections.iter().map(|(name, _)| name.as_str()).collect();
        let found: Vec<&str> = names.iter().copied().filter(|name| HEADINGS.contains(name)).collect();
        let wanted: Vec<&str> = HEADINGS
            .into_iter()
            .filter(|name| !WITHOUT_EXAMPLES.contains(&lint.id) || !["Bad", "Good"].contains(name))
            .collect();
        assert_eq!(found, wanted, "headings of lints/{}.md", lint.id);
    }
}

#[test]
fn bad_examples_are_found_and_good_ones_are_silent() {
    let mut wrong = Vec::new();
    for lint in lints().iter().filter(|lint| !WITHOUT_EXAMPLES.contains(&lint.id)) {
        wrong.extend(try_page(lint));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn try_page(lint: &Lint) -> Vec<String> {
    let page = Page::read(lint.page);
    let mut wrong = Vec::new();
    let mut bad = 0;
    for section in ["Bad", "Good"] {
        let workspaces = page.workspaces(section);
        if workspaces.is_empty() {
            wrong.push(format!("lints/{}.md has no example under {section}", lint.id));
        }
        for (number, workspace) in workspaces.iter().enumerate() {
            let expected = workspace.expected();
            let own: BTreeSet<Mark> = expected.into_iter().filter(|mark| mark.0 == lint.id).collect();
            let found: Vec<_> = workspace.found().into_iter().filter(|(mark, _)| mark.0 == lint.id).collect();
            bad += own.len();
            if section == "Good" && !own.is_empty() {
                wrong.push(format!("lints/{}.md: a mark in a good example", lint.id));
            }
            if let Some(difference) = difference(&own, &found) {
                wrong.push(format!("lints/{}.md, {section}, workspace {}:\n{difference}", lint.id, number + 1));
            }
        }
    }
    if bad == 0 {
        wrong.push(format!("lints/{}.md expects nothing", lint.id));
    }
    wrong
}
