//! What a scrape is after: the field that says the same, the words that are tested, and what stands for no answer.

use std::sync::Arc;

use super::super::Context;
use super::super::patterns::{json_key, regexes};
use super::super::words::{alarm_field, side, verdict_field};
use super::{normaliser, safe_default};
use crate::verdict::{Side, Vocabulary};

/// More words do not make a name.
const MOST_WORDS: usize = 5;

/// A field that an agent is asked for, and that is read instead of its prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// Its name.
    pub name: String,
    /// What stands for a missing field.
    pub default: String,
    /// The stage behind it.
    pub normaliser: Option<&'static str>,
    /// What the prompt offers where it does not say it already.
    pub offered: Vec<String>,
}

impl Field {
    /// A field of this name, with what belongs to it.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            default: safe_default(name).to_owned(),
            normaliser: normaliser(name),
            offered: Vec::new(),
        }
    }
}

/// What a value must be for the scrape to have found what it looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    /// The word.
    pub token: String,
    /// Anything but the word.
    pub negated: bool,
}

/// What patterns look for.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Target {
    /// A JSON key, or the word before a colon or an equals sign, in lower case.
    pub name: Option<String>,
    /// The words or phrases that stand behind the name, or alone; each alternative once.
    pub phrases: Vec<String>,
}

impl Target {
    /// Reads the patterns of a tool (empty for the shell's own matches).
    pub fn read(tool: &str, patterns: &[Option<Arc<str>>]) -> Self {
        let known = || patterns.iter().flatten();
        let programs = known().flat_map(|program| regexes(tool, program));
        let mut target = Self::default();
        for pattern in programs {
            if let Some(key) = json_key(pattern) {
                let value = pattern.rsplit(':').next().unwrap_or_default();
                target.add(Some(key), value);
            } else {
                let plain = plain(pattern);
                match label(&plain) {
                    Some((name, value)) => target.add(Some(name), value),
                    None => target.add(None, &plain),
                }
            }
        }
        target
    }

    fn add(&mut self, name: Option<String>, value: &str) {
        if self.name.is_none() {
            self.name = name;
        }
        for phrase in alternatives(&plain(value)) {
            let words: Vec<&str> = phrase.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
            let phrase = words.join(" ");
            let said = phrase.chars().filter(|c| c.is_alphanumeric()).count() >= 2;
            if said && !self.phrases.iter().any(|known| known.eq_ignore_ascii_case(&phrase)) {
                self.phrases.push(phrase);
            }
        }
    }

    /// The field for a test of whether the words are there. `opens`: whether finding them lets something happen.
    pub fn truth(&self, opens: Option<bool>) -> Option<(Field, Test)> {
        let first = self.phrases.first()?;
        let shared = |vocabulary: &Vocabulary| {
            let canonical = vocabulary.canonical(first)?.to_owned();
            self.phrases.iter().all(|word| vocabulary.canonical(word) == Some(&canonical)).then_some(canonical)
        };
        for vocabulary in [Vocabulary::work(), Vocabulary::of_loop()] {
            let name = field_of(vocabulary);
            if self.name.as_deref().is_none_or(|own| own == name)
                && let Some(canonical) = shared(vocabulary)
            {
                return Some((normalised(vocabulary), closed(vocabulary, canonical, opens)?));
            }
        }
        let [word] = self.phrases.as_slice() else {
            // Alternatives of a name are values; alone they are wordings of one answer.
            return self.name.is_none().then(|| switch(first, opens)).flatten();
        };
        let open = |name: String, token: String, offered: Vec<String>| {
            let default = if opens == Some(false) { token.clone() } else { safe_default(&name).to_owned() };
            (Field { name, default, normaliser: None, offered }, Test { token, negated: false })
        };
        match &self.name {
            Some(name) if !word.contains(' ') => Some(open(name.clone(), word.clone(), vec![word.clone()])),
            Some(_) => None,
            None if matches!(word.to_ascii_lowercase().as_str(), "yes" | "no") => {
                let offered = vec!["yes".to_owned(), "no".to_owned()];
                Some(open("answer".to_owned(), word.to_ascii_lowercase(), offered))
            }
            None => switch(word, opens),
        }
    }

    /// The field for a text that is cut out, from the words that it is tested for and the variable that it is put in.
    /// Also what the tested words become.
    pub fn value(
        &self,
        cx: &Context<'_>,
        tested: &[Arc<str>],
        variable: Option<&str>,
        fallback: Option<&str>,
    ) -> Option<(Field, Vec<(Arc<str>, String)>)> {
        let bare: Vec<(Arc<str>, String)> =
            tested.iter().map(|word| (word.clone(), self.without_label(word).to_owned())).collect();
        if bare.iter().any(|(_, word)| word.is_empty() || word.contains(char::is_whitespace)) {
            return None;
        }
        for vocabulary in [Vocabulary::work(), Vocabulary::of_loop()] {
            let named = self.name.as_deref().is_none_or(|own| own == field_of(vocabulary));
            if named && !bare.is_empty() && bare.iter().all(|(_, word)| vocabulary.canonical(word).is_some()) {
                let canonical = |word: &String| vocabulary.canonical(word).unwrap_or(word).to_owned();
                return Some((
                    normalised(vocabulary),
                    bare.iter().map(|(old, word)| (old.clone(), canonical(word))).collect(),
                ));
            }
        }
        let variable = variable.map(str::to_ascii_lowercase).filter(|name| verdict_field(cx.settings, name));
        let name = match &self.name {
            Some(name) => name.clone(),
            // Without a word that is tested nobody knows what the value means.
            None if bare.is_empty() => return None,
            None => variable.unwrap_or_else(|| "verdict".to_owned()),
        };
        let default = fallback.map(|text| self.without_label(text)).filter(|text| is_plain(text));
        let default = default.unwrap_or_else(|| safe_default(&name)).to_owned();
        let mut offered: Vec<String> = self.phrases.iter().filter(|word| !word.contains(' ')).cloned().collect();
        if offered.is_empty() {
            offered = bare.iter().map(|(_, word)| word.clone()).collect();
            offered.dedup();
        }
        Some((Field { name, default, normaliser: None, offered }, bare))
    }

    /// `SHIP` of `VERDICT: SHIP`.
    fn without_label<'t>(&self, text: &'t str) -> &'t str {
        let Some(name) = &self.name else { return text };
        let Some((label, value)) = text.split_once([':', '=']) else { return text };
        if label.trim().trim_matches('"').eq_ignore_ascii_case(name) { value.trim().trim_matches('"') } else { text }
    }
}

/// A text that needs no quotes in a script.
pub(super) fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// The field that a vocabulary belongs to.
fn field_of(vocabulary: &Vocabulary) -> &'static str {
    if vocabulary.name == Vocabulary::of_loop().name { "loop_verdict" } else { "verdict" }
}

/// The field of a vocabulary, behind its normaliser.
pub(super) fn normalised(vocabulary: &Vocabulary) -> Field {
    let name = field_of(vocabulary);
    let offered: &[&str] =
        if name == "verdict" { &["PASS", "FAIL", "UNCLEAR"] } else { &["CONTINUE", "DONE", "STUCK"] };
    Field {
        name: name.to_owned(),
        default: vocabulary.default.clone(),
        normaliser: normaliser(name),
        offered: offered.iter().map(ToString::to_string).collect(),
    }
}

/// The test for a word of a vocabulary. A gate that opened when a bad word was not there opens only for the good one.
fn closed(vocabulary: &Vocabulary, token: String, opens: Option<bool>) -> Option<Test> {
    if opens != Some(false) {
        return Some(Test { token, negated: false });
    }
    let good = vocabulary.outcomes.iter().find(|outcome| outcome.side.opens())?;
    (good.canonical != token).then(|| Test { token: good.canonical.clone(), negated: true })
}

/// A field that is true or false, named after a phrase.
fn switch(phrase: &str, opens: Option<bool>) -> Option<(Field, Test)> {
    let words: Vec<String> = phrase
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .map(str::to_ascii_lowercase)
        .collect();
    let name = words.join("_");
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.len() < 2 {
        return None;
    }
    let missing = opens.map_or_else(|| alarm_field(&name), |opens| !opens);
    Some((
        Field {
            name,
            default: missing.to_string(),
            normaliser: None,
            offered: vec!["true".to_owned(), "false".to_owned()],
        },
        Test { token: "true".to_owned(), negated: false },
    ))
}

/// More alternatives are not told apart.
const MOST_ALTERNATIVES: usize = 16;

/// What a text with groups can be, each written out: `a (b|c)` is `a b` and `a c`.
fn alternatives(text: &str) -> Vec<String> {
    // For each open group: what is done of it, and the alternative that is being read.
    let mut open: Vec<(Vec<String>, Vec<String>)> = vec![(Vec::new(), vec![String::new()])];
    for c in text.chars() {
        let depth = open.len();
        let Some((done, current)) = open.last_mut() else { break };
        match c {
            '|' | '\n' => {
                done.append(current);
                current.push(String::new());
            }
            '(' if depth < MOST_ALTERNATIVES => open.push((Vec::new(), vec![String::new()])),
            ')' if depth > 1 => close(&mut open),
            '(' | ')' => {}
            other => current.iter_mut().for_each(|text| text.push(other)),
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop()
        .map(|(mut done, current)| {
            done.extend(current);
            done.truncate(MOST_ALTERNATIVES);
            done
        })
        .unwrap_or_default()
}

/// Ends the innermost group.
fn close(open: &mut Vec<(Vec<String>, Vec<String>)>) {
    let Some((mut inner, last)) = open.pop() else { return };
    inner.extend(last);
    let Some((_, current)) = open.last_mut() else { return };
    let joined = current.iter().flat_map(|start| inner.iter().map(move |end| format!("{start}{end}")));
    *current = joined.take(MOST_ALTERNATIVES).collect();
}

/// A pattern without its grammar: classes, anchors, repetitions and quotes are blanks.
fn plain(pattern: &str) -> String {
    let mut text = String::with_capacity(pattern.len());
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                // `\b`, `\s`, `\w`: no letters of the text.
                if rest.peek().is_some_and(char::is_ascii_alphabetic) {
                    rest.next();
                }
                text.push(' ');
            }
            '[' => {
                let mut first = true;
                while let Some(c) = rest.next() {
                    match c {
                        '[' if rest.peek() == Some(&':') => while rest.next().is_some_and(|c| c != ']') {},
                        ']' if !first => break,
                        _ => {}
                    }
                    first = c == '^' || c == '!';
                }
                text.push(' ');
            }
            '{' => {
                while rest.next().is_some_and(|c| c != '}') {}
                text.push(' ');
            }
            '^' | '$' | '*' | '+' | '?' | '"' | '\'' | '`' | '.' | '<' | '>' => text.push(' '),
            other => text.push(other),
        }
    }
    text
}

/// `severity` and what follows it in `Severity: high`.
fn label(pattern: &str) -> Option<(String, &str)> {
    let at = pattern.find([':', '='])?;
    let (before, after) = (pattern.get(..at)?.trim_end(), pattern.get(at + 1..)?);
    let start = before.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
    let name = before.get(start..)?.trim_matches('-').to_ascii_lowercase().replace('-', "_");
    let named = name.len() >= 2 && name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.is_ascii();
    (named && !after.starts_with(['=', '~', ':'])).then_some((name, after))
}

/// The word that lets the gate of a vocabulary open.
pub(super) fn passing(vocabulary: &Vocabulary) -> Option<&str> {
    vocabulary.outcomes.iter().find(|outcome| outcome.side.opens()).map(|outcome| outcome.canonical.as_str())
}

/// The one word among these that passes.
pub(super) fn only_passing(cx: &Context<'_>, words: &[String]) -> Option<String> {
    let mut passing = words.iter().filter(|word| side(cx.settings, word).is_some_and(Side::opens));
    passing.next().filter(|_| passing.next().is_none()).cloned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn target(tool: &str, pattern: &str) -> (Option<String>, Vec<String>) {
        let Target { name, phrases } = Target::read(tool, &[Some(Arc::from(pattern))]);
        (name, phrases)
    }

    #[test]
    fn names_and_words_of_patterns() {
        for (tool, pattern, name, phrases) in [
            ("grep", "VERDICT: (SHIP|HOLD)", Some("verdict"), vec!["SHIP", "HOLD"]),
            ("grep", r#""status" *: *"ok""#, Some("status"), vec!["ok"]),
            ("sed", "s/^Queue: *//p", Some("queue"), vec![]),
            ("awk", "/^RESULT:/ { r = $2 } END { print r }", Some("result"), vec![]),
            ("awk", "NR == 1 { print tolower($1) }", None, vec![]),
            ("grep", "nothing (here )?is misleading", None, vec!["nothing here is misleading"]),
            ("", "(online|without[[:space:]]downtime)", None, vec!["online", "without downtime"]),
            ("", "*Risk: ", Some("risk"), vec![]),
            ("", "*no migrations*", None, vec!["no migrations"]),
            ("grep", "^BLOCKER", None, vec!["BLOCKER"]),
            ("grep", "^(all )?tests (pass|are green)", None, vec!["all tests pass", "all tests are green"]),
            ("grep", "(a|", None, vec![]),
            ("grep", r"\bAPPROVED\b", None, vec!["APPROVED"]),
            ("grep", "TREE_ID=[A-Za-z0-9]+", Some("tree_id"), vec![]),
        ] {
            let found = target(tool, pattern);
            assert_eq!(
                (found.0.as_deref(), found.1),
                (name, phrases.iter().map(ToString::to_string).collect()),
                "{pattern}"
            );
        }
    }

    #[test]
    fn truths_are_closed_when_nothing_is_said() {
        for (pattern, opens, field, default, token, negated) in [
            ("APPROVED", Some(true), "verdict", "INSUFFICIENT_EVIDENCE", "WORK_VERIFIED", false),
            ("FAIL", Some(false), "verdict", "INSUFFICIENT_EVIDENCE", "WORK_VERIFIED", true),
            ("PASS|APPROVED", None, "verdict", "INSUFFICIENT_EVIDENCE", "WORK_VERIFIED", false),
            ("STUCK", Some(false), "loop_verdict", "STUCK", "CONTINUE", true),
            ("COMPLIANT", Some(true), "compliant", "false", "true", false),
            ("BLOCKER", Some(false), "blocker", "true", "true", false),
            ("BLOCKER", None, "blocker", "true", "true", false),
            ("no blocking issues", Some(true), "no_blocking_issues", "false", "true", false),
            ("Severity: high", Some(true), "severity", "unknown", "high", false),
            ("Severity: high", Some(false), "severity", "high", "high", false),
            ("yes", Some(true), "answer", "unknown", "yes", false),
        ] {
            let (found, test) = Target::read("grep", &[Some(Arc::from(pattern))]).truth(opens).unwrap();
            let found = (found.name.as_str(), found.default.as_str(), test.token.as_str(), test.negated);
            assert_eq!(found, (field, default, token, negated), "{pattern}");
        }
        assert_eq!(Target::read("grep", &[Some(Arc::from("Severity: (high|low)"))]).truth(None), None);
        assert_eq!(Target::read("grep", &[Some(Arc::from("PASS"))]).truth(Some(false)), None);
        assert_eq!(Target::read("grep", &[None]).truth(None), None);
    }
}
