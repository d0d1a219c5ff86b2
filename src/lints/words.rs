//! Words in which agents say yes and no. The tokens of the engine's normalisers come from `verdict`; the lists here
//! are the everyday words around them, so that a gate on `approve` is recognised as well as one on `WORK_VERIFIED`.

use super::Settings;
use crate::verdict::{Side, Vocabulary};

/// Upper case, with `_` between words: how tokens are compared.
pub(crate) fn token(word: &str) -> String {
    word.trim()
        .trim_matches(['"', '\''])
        .chars()
        .map(|c| if c == '-' || c == ' ' { '_' } else { c.to_ascii_uppercase() })
        .collect()
}

/// Which way a verdict word points; `None` for words that are no verdict.
pub(crate) fn side(settings: &Settings, word: &str) -> Option<Side> {
    let token = token(word);
    for vocabulary in &settings.vocabularies {
        for (name, synonyms, passes) in &vocabulary.tokens {
            if self::token(name) == token || synonyms.iter().any(|synonym| self::token(synonym) == token) {
                return Some(if *passes { Side::Pass } else { Side::Fail });
            }
        }
    }
    Vocabulary::work().side(&token).or_else(|| Vocabulary::of_loop().side(&token)).or_else(|| everyday(&token))
}

fn everyday(token: &str) -> Option<Side> {
    if PASS.contains(&token) {
        return Some(Side::Pass);
    }
    if UNSURE.contains(&token) {
        return Some(Side::Unsure);
    }
    if FAIL.contains(&token) || negated(token).is_some() {
        return Some(Side::Fail);
    }
    // `WORK_DONE`, `DOCS_OK`, `SHIP_IT`: a phrase points where its last telling word points.
    let parts: Vec<&str> = token.split('_').filter(|part| !part.is_empty()).collect();
    if (2..=3).contains(&parts.len()) && !parts.contains(&"NO") {
        return parts.iter().rev().find_map(|part| everyday(part));
    }
    None
}

/// The pass word inside a word that denies it: `READY` in `NOT_READY`, `VERIFIED` in `UNVERIFIED`.
pub(crate) fn negated(token: &str) -> Option<&str> {
    NEGATIONS.iter().find_map(|prefix| token.strip_prefix(prefix).filter(|rest| PASS.contains(rest)))
}

/// Words which contain `needle` and deny it, best known first: what containment would accept by mistake. Words of the
/// prompt that produced the text come before general ones.
pub(crate) fn accepted_by_mistake(settings: &Settings, needle: &str, prompt: Option<&str>) -> Vec<String> {
    let wanted = token(needle);
    if wanted.len() < 2 {
        return Vec::new();
    }
    let mut found: Vec<String> = Vec::new();
    let mut add = |word: &str| {
        let candidate = token(word);
        if candidate != wanted && candidate.contains(&wanted) && !found.iter().any(|known| token(known) == candidate) {
            found.push(word.to_owned());
        }
    };
    for word in prompt.unwrap_or_default().split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')) {
        add(word.trim_matches(['-', '_']));
    }
    for vocabulary in &settings.vocabularies {
        for (name, synonyms, _) in &vocabulary.tokens {
            add(name);
            for synonym in synonyms {
                add(synonym);
            }
        }
    }
    for vocabulary in [Vocabulary::work(), Vocabulary::of_loop()] {
        for word in vocabulary.lookalikes(&wanted) {
            add(word);
        }
    }
    for word in CONTRARY {
        add(word);
    }
    if found.is_empty() && side(settings, needle).is_some_and(Side::opens) {
        let word = if needle.chars().any(char::is_uppercase) { "NOT_" } else { "not " };
        found.push(format!("{word}{needle}"));
    }
    found.truncate(3);
    found
}

/// A word that is likely to occur in prose as well: what must not be looked for as a sentinel. Sentences, and words
/// with digits or signs, are exact enough.
pub(crate) fn lone_word(settings: &Settings, text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() {
        return true;
    }
    if text.split_whitespace().count() > 1 {
        return false;
    }
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    let plain = !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || c == '_' || c == '-');
    plain && (bare.split(['_', '-']).count() < 3 || side(settings, bare).is_some())
}

/// Names under which verdicts travel: what makes a `case` on a field a gate.
pub(crate) fn verdict_field(settings: &Settings, field: &str) -> bool {
    let field = field.to_ascii_lowercase();
    settings.vocabularies.iter().any(|vocabulary| vocabulary.fields.iter().any(|own| own.eq_ignore_ascii_case(&field)))
        || field.split(['_', '-', '.']).any(|part| VERDICT_FIELDS.contains(&part))
}

/// Fields whose truth allows something, such as `may_merge`; their safe default is `false`.
pub(crate) fn permission_field(field: &str) -> bool {
    let token = token(field);
    let mut parts = token.split('_');
    parts.clone().any(|part| PERMISSIONS.contains(&part)) || parts.any(|part| everyday(part) == Some(Side::Pass))
}

/// Fields whose truth stops something, such as `blocked` or `has_errors`; their safe default is `true`.
pub(crate) fn alarm_field(field: &str) -> bool {
    let token = token(field);
    token.split('_').any(|part| ALARMS.contains(&part) || everyday(part) == Some(Side::Fail))
}

#[rustfmt::skip]
const PASS: &[&str] = &[
    "ACCEPT", "ACCEPTABLE", "ACCEPTED", "ACHIEVED", "ADVANCE", "ALLOW", "ALLOWED", "ANOTHER_ROUND", "APPROVE",
    "APPROVED", "AUTHORIZED", "CLEAN", "CLEAR", "CLEARED", "COMPATIBLE", "COMPLETE", "COMPLETED", "COMPLIANT",
    "CONFIRMED", "CONTINUE", "CONTINUING", "CONVERGED", "CORRECT", "DEPLOY", "DONE", "FINE", "FINISHED", "FIXED",
    "GO", "GOOD", "GRANTED", "GREEN", "HARMLESS", "HEALTHY", "ITERATE", "KEEP_GOING", "LGTM", "MERGE", "MERGEABLE",
    "OK", "OKAY", "PASS", "PASSED", "PASSES", "PASSING", "PERMITTED", "PROCEED", "PUBLISH", "PUBLISHABLE", "READY",
    "RELEASE", "RESOLVED", "SAFE", "SATISFIED", "SHIP", "SOLVED", "SOUND", "STABLE", "SUCCEEDED", "SUCCESS",
    "SUCCESSFUL", "SUPPORTED", "TRUE", "TRUSTED", "UNBLOCKED", "VALID", "VERIFIED", "WORK_VERIFIED", "YES",
];

#[rustfmt::skip]
const FAIL: &[&str] = &[
    "ABORT", "BAD", "BLOCK", "BLOCKED", "BLOCKER", "BLOCKERS", "BLOCKING", "BROKEN", "CHANGES_REQUESTED", "COMPROMISED",
    "CONCERNS", "CONFLICT", "CONFLICTING", "CONFLICTS", "CORRUPT", "CORRUPTED", "CRITICAL", "DANGEROUS", "DECLINE",
    "DECLINED", "DEGRADED", "DENIED", "DENY", "DIRTY", "DISALLOWED", "DISAPPROVED", "DISCONTINUE", "DOWN", "EMPTY",
    "ERROR", "ERRORS", "FAIL", "FAILED", "FAILING", "FAILS", "FAILURE", "FALSE", "FLAKY", "FORBIDDEN", "HALT", "HIGH",
    "HOLD", "HOLLOW", "HOLLOW_SUCCESS", "ILLEGAL", "INADEQUATE", "INCOMPLETE", "INVALID", "MALICIOUS", "NACK", "NO",
    "NO_ARTIFACTS", "NO_GO", "NO_WORK", "POOR", "PROHIBITED", "RED", "REFUSED", "REJECT", "REJECTED", "REQUEST_CHANGES",
    "REVERT", "RISKY", "ROLLBACK", "SEVERE", "STALE", "STOP", "STUCK", "SUSPICIOUS", "UNDONE", "UNFIT", "UNMET",
    "VULNERABLE", "WAIT", "WARN", "WORSE", "WRONG",
];

#[rustfmt::skip]
const UNSURE: &[&str] = &[
    "CANNOT_TELL", "INCONCLUSIVE", "INSUFFICIENT", "INSUFFICIENT_EVIDENCE", "MAYBE", "MISSING", "NEEDS",
    "NEEDS_ATTENTION", "NEEDS_REVIEW", "NEEDS_WORK", "NONE", "OPEN", "PARTIAL", "PENDING", "UNCLEAR", "UNKNOWN",
    "UNSURE",
];

#[rustfmt::skip]
const NEGATIONS: &[&str] = &[
    "NOT_", "UN", "DO_NOT_", "CANNOT_", "CAN_NOT_", "SHOULD_NOT_", "NEVER_", "NON_", "NON", "DIS", "IN", "IM", "NO_",
];

/// Well-known words which hold another word and deny it.
#[rustfmt::skip]
const CONTRARY: &[&str] = &[
    "UNVERIFIED", "NOT_APPROVED", "NOT_DONE", "NOT_READY", "DISCONTINUE", "DO_NOT_CONTINUE", "UNSAFE", "UNHEALTHY",
    "INCOMPLETE", "INVALID", "UNSUCCESSFUL", "INCOMPATIBLE", "NOT_ACHIEVED", "NOT_OK", "NOT_COMPLIANT",
    "DO_NOT_MERGE", "UNSTABLE", "INCORRECT", "UNRESOLVED", "DISAPPROVED", "NOT_PASSED", "NOT CRITICAL", "NOT BLOCKED",
    "UNCLEAN", "NOT_FAILED", "UNACCEPTABLE", "UNSUPPORTED",
];

#[rustfmt::skip]
const VERDICT_FIELDS: &[&str] = &[
    "answer", "approval", "approved", "assessment", "conclusion", "decision", "gate", "grade", "health", "judgement",
    "judgment", "outcome", "rating", "readiness", "recommendation", "result", "risk", "severity", "state", "status",
    "verdict", "vote",
];

#[rustfmt::skip]
const PERMISSIONS: &[&str] = &[
    "MAY", "CAN", "ALLOWED", "ALLOW", "PERMIT", "SHOULD", "AUTO", "MERGE", "APPROVAL", "OKAY",
];

#[rustfmt::skip]
const ALARMS: &[&str] = &[
    "ABORT", "ALARM", "ALERT", "BLOCKER", "BLOCKERS", "BLOCKS", "BREAKING", "BREAKS", "CONCERN", "CONFLICT",
    "CONFLICTS", "DANGER", "ESCALATE", "ESCALATION", "HARMFUL", "HUMAN", "ISSUE", "ISSUES", "LEAK", "LEAKS",
    "MISSING", "NEEDS", "OVERSPENT", "PROBLEM", "PROBLEMS", "REGRESSED", "REGRESSION", "REQUIRES", "ROLLBACK",
    "SECRET", "SECRETS", "SPAM", "THREAT", "UNSAFE", "URGENT", "VIOLATION", "VIOLATIONS", "WARNING", "WARNINGS",
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]

    use super::*;

    #[test]
    fn words_point_one_way() {
        let settings = Settings::default();
        for (word, expected) in [
            ("approve", Some(Side::Pass)),
            ("WORK_VERIFIED", Some(Side::Pass)),
            ("lgtm", Some(Side::Pass)),
            ("UNVERIFIED", Some(Side::Fail)),
            ("NOT_READY", Some(Side::Fail)),
            ("not-safe", Some(Side::Fail)),
            ("INCOMPLETE", Some(Side::Fail)),
            ("INSUFFICIENT_EVIDENCE", Some(Side::Unsure)),
            ("main", None),
            ("blue", None),
            ("international", None),
        ] {
            assert_eq!(side(&settings, word), expected, "{word}");
        }
    }

    #[test]
    fn containment_accepts_the_contrary() {
        let settings = Settings::default();
        assert_eq!(accepted_by_mistake(&settings, "VERIFIED", None).first().unwrap(), "UNVERIFIED");
        let prompt = "Answer BOOKED or OVERBOOKED.";
        assert_eq!(accepted_by_mistake(&settings, "BOOKED", Some(prompt)).first().unwrap(), "OVERBOOKED");
        assert!(accepted_by_mistake(&settings, "x", None).is_empty());
    }

    #[test]
    fn sentences_and_codes_are_no_lone_words() {
        let settings = Settings::default();
        for (text, lone) in [
            ("APPROVED", true),
            ("unmitigated", true),
            ("NOT_READY", true),
            ("**PASS**", true),
            ("", true),
            ("No files were changed on purpose", false),
            ("NO_FILES_CHANGED_HERE", false),
            ("sentinel-7f3a", false),
        ] {
            assert_eq!(lone_word(&settings, text), lone, "{text}");
        }
    }
}
