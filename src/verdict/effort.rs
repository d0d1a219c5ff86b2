//! A bound for scans of hostile text. At every brace the JSON parser may read on to the end of the text before it
//! fails, so that unlucky or crafted text would cost the square of its length.

/// How many times the length of the text may be read in vain: a long reply that was cut off inside eight objects within
/// one another is still read.
const TIMES: usize = 8;

/// What may be read in vain of a text of any length, in bytes: enough for every reply of ordinary length.
const AT_LEAST: usize = 1_000_000;

/// What is left to be read in vain, in bytes.
pub(super) struct Effort(usize);

impl Effort {
    pub(super) fn for_text(text: &str) -> Self {
        Self(text.len().saturating_mul(TIMES).max(AT_LEAST))
    }

    /// Pays for an attempt on `slice` that failed with `error`; `false` once nothing is left.
    pub(super) fn spend(&mut self, slice: &str, error: &serde_json::Error) -> bool {
        let lines_before = error.line().saturating_sub(1);
        let line = match lines_before.checked_sub(1) {
            Some(nth) => slice.match_indices('\n').nth(nth).map_or(slice.len(), |(at, _)| at),
            None => 0,
        };
        self.0 = self.0.saturating_sub(line + error.column() + 1);
        self.0 > 0
    }
}
