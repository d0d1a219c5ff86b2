//! One object, one field, one vocabulary, one safe default.

pub(crate) mod gate;
mod missing_default;
mod missing_parse_json;
mod missing_require_field;
mod no_verdict_passes;
mod open_default;
mod open_verdict_case;
mod require_field_mismatch;
mod substring_verdict;
mod swapped_normaliser;
mod unchecked_parse_json;
mod unnormalised_verdict;
mod unreachable_verdict;

use super::lint::{Entry, page};

/// The group's lints.
pub(super) const LINTS: &[Entry] = &[
    (missing_default::ID, page!("missing-default"), missing_default::check),
    (missing_parse_json::ID, page!("missing-parse-json"), missing_parse_json::check),
    (missing_require_field::ID, page!("missing-require-field"), missing_require_field::check),
    (no_verdict_passes::ID, page!("no-verdict-passes"), no_verdict_passes::check),
    (open_default::ID, page!("open-default"), open_default::check),
    (open_verdict_case::ID, page!("open-verdict-case"), open_verdict_case::check),
    (require_field_mismatch::ID, page!("require-field-mismatch"), require_field_mismatch::check),
    (substring_verdict::ID, page!("substring-verdict"), substring_verdict::check),
    (swapped_normaliser::ID, page!("swapped-normaliser"), swapped_normaliser::check),
    (unchecked_parse_json::ID, page!("unchecked-parse-json"), unchecked_parse_json::check),
    (unnormalised_verdict::ID, page!("unnormalised-verdict"), unnormalised_verdict::check),
    (unreachable_verdict::ID, page!("unreachable-verdict"), unreachable_verdict::check),
];
