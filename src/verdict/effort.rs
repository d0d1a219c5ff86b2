//! A bound for scans of hostile text. At every brace the JSON parser may read on to the end of the text before it
//! fails, so that unlucky or crafted text would cost the square of its length.

/// How many times the length of the text may be read in vain. A reply that was cut off inside 30 objects within one
/// another still stays below it.
const TIMES: usize = 32;

/// What is left to be read in vain, in bytes.
pub(super) struct Effort(usize);

impl Effort {
    pub(super) fn for_text(text: &str) -> Self {
        Self(text.len().saturating_mul(TIMES).saturating_add(4096))
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
