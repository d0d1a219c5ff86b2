//! Vocabularies of verdicts: which words mean what, and what no verdict becomes. Words are compared as wholes, without
//! case: `UNVERIFIED` is not `VERIFIED`, and `DISCONTINUE` is not `CONTINUE`.

use std::sync::{Arc, LazyLock};

/// What an outcome does to the gate behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The work is accepted, the loop is finished: the gate opens.
    Pass,
    /// The work is refused.
    Fail,
    /// Nobody knows.
    Unsure,
    /// Another round is allowed: the gate opens.
    Continue,
    /// The loop must stop.
    Stop,
}

impl Side {
    /// Whether the gate opens.
    pub fn opens(self) -> bool {
        matches!(self, Self::Pass | Self::Continue)
    }
}

/// What a gate should do without a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Neither pass nor abort: go on with a warning. A slip of the verifier's form must not fail real work.
    Degrade,
    /// Stop. Going on would pay for another round of a loop that nobody judged.
    Stop,
}

/// One outcome and the words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What a normaliser prints.
    pub canonical: String,
    /// Other words for it.
    pub synonyms: Vec<String>,
    /// What it does.
    pub side: Side,
}

/// The words of one kind of verdict. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// The normaliser's name: `normalise-verdict`.
    pub name: String,
    /// All outcomes.
    pub outcomes: Arc<[Outcome]>,
    /// The canonical word for everything else, empty text included.
    pub default: String,
    /// What a gate should do without a verdict.
    pub direction: Direction,
    /// Words that agents use and that contain a word of another side.
    lookalikes: &'static [&'static str],
}

/// A row of a table: canonical word, synonyms, side.
type Row = (&'static str, &'static [&'static str], Side);

/// `normalise_verdict` in `commands/orch.rs` of amplihack-rs. The seed's table leaves `HOLLOW_SUCCESS` itself out; the
/// code takes it, so that normalising twice changes nothing.
const WORK: [Row; 3] = [
    ("WORK_VERIFIED", &["VERIFIED", "SUCCESS", "APPROVED", "PASS", "PASSED"], Side::Pass),
    ("HOLLOW_SUCCESS", &["HOLLOW", "FAILED", "FAIL", "NO_WORK", "NO_ARTIFACTS", "EMPTY"], Side::Fail),
    (
        "INSUFFICIENT_EVIDENCE",
        &["INSUFFICIENT", "INCONCLUSIVE", "PARTIAL", "UNKNOWN", "UNCLEAR", "NEEDS"],
        Side::Unsure,
    ),
];

/// `normalise_loop_verdict` in the same file.
const LOOP: [Row; 3] = [
    ("CONTINUE", &["CONTINUING", "PROCEED", "KEEP_GOING", "ANOTHER_ROUND", "ITERATE"], Side::Continue),
    ("DONE", &["COMPLETE", "COMPLETED", "FINISHED", "CONVERGED", "ADVANCE"], Side::Pass),
    ("STUCK", &[], Side::Stop),
];

const WORK_LOOKALIKES: &[&str] = &[
    "UNVERIFIED",
    "NOT_VERIFIED",
    "NOT_APPROVED",
    "UNAPPROVED",
    "DISAPPROVED",
    "UNSUCCESSFUL",
    "NOT_PASSED",
    "NOT_PASSING",
    "BYPASSED",
    "NOT_ACHIEVED",
    "NOT_READY",
    "NOT_MERGE_READY",
    "NOT_OK",
    "INVALID",
    "UNACCEPTABLE",
    "NOT_FAILED",
    "NOT_EMPTY",
    "IMPARTIAL",
];

const LOOP_LOOKALIKES: &[&str] = &[
    "DISCONTINUE",
    "CANNOT_CONTINUE",
    "DO_NOT_CONTINUE",
    "SHOULD_NOT_CONTINUE",
    "DO_NOT_PROCEED",
    "NOT_DONE",
    "UNDONE",
    "ABANDONED",
    "INCOMPLETE",
    "NOT_COMPLETE",
    "NOT_COMPLETED",
    "UNFINISHED",
    "NOT_FINISHED",
    "NOT_CONVERGED",
    "UNSTUCK",
];

static WORK_VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| table("normalise-verdict", &WORK, "INSUFFICIENT_EVIDENCE", Direction::Degrade, WORK_LOOKALIKES));

static LOOP_VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| table("normalise-loop-verdict", &LOOP, "STUCK", Direction::Stop, LOOP_LOOKALIKES));

fn table(
    name: &str,
    rows: &[Row],
    default: &str,
    direction: Direction,
    lookalikes: &'static [&'static str],
) -> Vocabulary {
    let outcomes = rows.iter().map(|(canonical, synonyms, side)| Outcome {
        canonical: (*canonical).to_owned(),
        synonyms: synonyms.iter().map(|word| (*word).to_owned()).collect(),
        side: *side,
    });
    Vocabulary {
        name: name.to_owned(),
        outcomes: outcomes.collect(),
        default: default.to_owned(),
        direction,
        lookalikes,
    }
}

impl Vocabulary {
    /// Verdicts on work: `normalise-verdict`.
    pub fn work() -> &'static Self {
        &WORK_VOCABULARY
    }

    /// Verdicts on a loop: `normalise-loop-verdict`.
    pub fn of_loop() -> &'static Self {
        &LOOP_VOCABULARY
    }

    /// A vocabulary from a configuration; without a verdict its gate stops.
    pub fn own(name: &str, outcomes: Vec<Outcome>, default: &str) -> Self {
        let (name, default) = (name.to_owned(), default.to_owned());
        Self { name, outcomes: outcomes.into(), default, direction: Direction::Stop, lookalikes: &[] }
    }

    /// The outcome that a word means; `None` for a word that is not in the vocabulary.
    pub fn outcome(&self, word: &str) -> Option<&Outcome> {
        let word = word.trim();
        self.outcomes.iter().find(|outcome| {
            let words = std::iter::once(&outcome.canonical).chain(&outcome.synonyms);
            words.into_iter().any(|known| known.eq_ignore_ascii_case(word))
        })
    }

    /// The canonical word for a word of the vocabulary.
    pub fn canonical(&self, word: &str) -> Option<&str> {
        self.outcome(word).map(|outcome| outcome.canonical.as_str())
    }

    /// What a word of the vocabulary does to a gate.
    pub fn side(&self, word: &str) -> Option<Side> {
        self.outcome(word).map(|outcome| outcome.side)
    }

    /// What the normaliser prints for a text: the canonical word, or the default. It always prints one.
    pub fn normalise(&self, text: &str) -> &str {
        self.canonical(text).unwrap_or(&self.default)
    }

    /// Whether the normaliser can ever print this text. It prints canonical words only, in their own case.
    pub fn can_yield(&self, text: &str) -> bool {
        self.default == text || self.outcomes.iter().any(|outcome| outcome.canonical == text)
    }

    /// Words that contain `part` and mean something else: those of the vocabulary with another side than `part` has, and
    /// known ones that no vocabulary has, such as `UNVERIFIED`. A containment test on `part` accepts them too.
    pub fn lookalikes(&self, part: &str) -> Vec<&str> {
        let needle = part.trim().to_ascii_uppercase();
        let side = self.side(&needle);
        let others = self.outcomes.iter().filter(|outcome| Some(outcome.side) != side);
        let others = others.flat_map(|outcome| std::iter::once(&outcome.canonical).chain(&outcome.synonyms));
        let words = self.lookalikes.iter().copied().chain(others.map(String::as_str));
        words.filter(|word| !needle.is_empty() && *word != needle && word.contains(&needle)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_on_work_have_three_outcomes() {
        let work = Vocabulary::work();
        for (words, expected) in [
            ("VERIFIED WORK_VERIFIED SUCCESS APPROVED PASS PASSED passed Approved", "WORK_VERIFIED"),
            ("HOLLOW FAILED FAIL NO_WORK NO_ARTIFACTS EMPTY HOLLOW_SUCCESS fail", "HOLLOW_SUCCESS"),
            ("INSUFFICIENT INCONCLUSIVE PARTIAL UNKNOWN UNCLEAR NEEDS INSUFFICIENT_EVIDENCE", "INSUFFICIENT_EVIDENCE"),
            ("UNVERIFIED NOT_APPROVED NOT_ACHIEVED NOT_VERIFIED UNSUCCESSFUL NEEDS_ATTENTION", "INSUFFICIENT_EVIDENCE"),
            ("PASS. **PASS** PASS,FAIL PASSES VERIFIED! {} null STUCK CONTINUE", "INSUFFICIENT_EVIDENCE"),
        ] {
            for word in words.split(' ') {
                assert_eq!(work.normalise(word), expected, "{word}");
            }
        }
        for text in ["", "  ", "\n", "PASS FAIL", "the work is VERIFIED", "PASS\u{0}", "ＰＡＳＳ"] {
            assert_eq!(work.normalise(text), "INSUFFICIENT_EVIDENCE", "{text:?}");
        }
        assert_eq!(work.normalise("  pass \r\n"), "WORK_VERIFIED");
    }

    #[test]
    fn verdicts_on_loops_fail_to_stuck() {
        let of_loop = Vocabulary::of_loop();
        for (words, expected) in [
            ("CONTINUE CONTINUING PROCEED KEEP_GOING ANOTHER_ROUND ITERATE continue", "CONTINUE"),
            ("DONE COMPLETE COMPLETED FINISHED CONVERGED ADVANCE done", "DONE"),
            ("STUCK STOP BLOCKED NO_PROGRESS ESCALATE UNKNOWN PASS WORK_VERIFIED INSUFFICIENT_EVIDENCE", "STUCK"),
            ("DISCONTINUE CANNOT_CONTINUE DO_NOT_CONTINUE SHOULD_NOT_CONTINUE NOT_DONE UNFINISHED", "STUCK"),
        ] {
            for word in words.split(' ') {
                assert_eq!(of_loop.normalise(word), expected, "{word}");
            }
        }
        assert_eq!(of_loop.normalise(""), "STUCK");
    }

    #[test]
    fn the_two_fail_in_opposite_directions() {
        let (work, of_loop) = (Vocabulary::work(), Vocabulary::of_loop());
        assert_eq!((work.direction, of_loop.direction), (Direction::Degrade, Direction::Stop));
        for vocabulary in [work, of_loop] {
            assert!(vocabulary.side(&vocabulary.default).is_some_and(|side| !side.opens()));
            for outcome in vocabulary.outcomes.iter() {
                assert_eq!(vocabulary.normalise(&outcome.canonical), outcome.canonical);
            }
        }
    }

    #[test]
    fn a_normaliser_yields_its_canonical_words_only() {
        let work = Vocabulary::work();
        assert!(work.can_yield("WORK_VERIFIED") && work.can_yield("INSUFFICIENT_EVIDENCE"));
        for never in ["NEEDS_ATTENTION", "VERIFIED", "PASS", "work_verified", "STUCK", ""] {
            assert!(!work.can_yield(never), "{never}");
        }
        assert!(Vocabulary::of_loop().can_yield("STUCK"));
    }

    #[test]
    fn sides_are_known_for_synonyms() {
        assert_eq!(Vocabulary::work().side("approved"), Some(Side::Pass));
        assert_eq!(Vocabulary::work().side("UNVERIFIED"), None);
        assert_eq!(Vocabulary::of_loop().side("iterate"), Some(Side::Continue));
        assert!(Side::Pass.opens() && Side::Continue.opens());
        assert!(!Side::Fail.opens() && !Side::Unsure.opens() && !Side::Stop.opens());
    }

    #[test]
    fn lookalikes_are_words_of_another_meaning() {
        let (work, of_loop) = (Vocabulary::work(), Vocabulary::of_loop());
        assert_eq!(work.lookalikes("verified"), ["UNVERIFIED", "NOT_VERIFIED"]);
        assert_eq!(work.lookalikes("SUCCESS"), ["UNSUCCESSFUL", "HOLLOW_SUCCESS"]);
        assert!(of_loop.lookalikes("DONE").contains(&"NOT_DONE"));
        assert!(of_loop.lookalikes("CONTINUE").contains(&"DISCONTINUE"));
        assert!(work.lookalikes("").is_empty() && work.lookalikes("banana").is_empty());
    }

    #[test]
    fn own_vocabularies_work_alike() {
        let outcome = |canonical: &str, side| Outcome { canonical: canonical.to_owned(), synonyms: vec![], side };
        let outcomes = vec![outcome("MERGE_READY", Side::Pass), outcome("NOT_MERGE_READY", Side::Fail)];
        let merge = Vocabulary::own("merge", outcomes, "NOT_MERGE_READY");
        assert_eq!(merge.normalise("merge_ready"), "MERGE_READY");
        assert_eq!(merge.normalise("maybe"), "NOT_MERGE_READY");
        assert_eq!(merge.lookalikes("MERGE_READY"), ["NOT_MERGE_READY"]);
    }
}
