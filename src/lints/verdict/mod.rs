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

use super::registry::Entry;

/// The group.
pub(crate) const LINTS: &[Entry] = &[
    (missing_default::ID, include_str!("../../../lints/missing-default.md"), missing_default::check),
    (missing_parse_json::ID, include_str!("../../../lints/missing-parse-json.md"), missing_parse_json::check),
    (missing_require_field::ID, include_str!("../../../lints/missing-require-field.md"), missing_require_field::check),
    (no_verdict_passes::ID, include_str!("../../../lints/no-verdict-passes.md"), no_verdict_passes::check),
    (open_default::ID, include_str!("../../../lints/open-default.md"), open_default::check),
    (open_verdict_case::ID, include_str!("../../../lints/open-verdict-case.md"), open_verdict_case::check),
    (
        require_field_mismatch::ID,
        include_str!("../../../lints/require-field-mismatch.md"),
        require_field_mismatch::check,
    ),
    (substring_verdict::ID, include_str!("../../../lints/substring-verdict.md"), substring_verdict::check),
    (swapped_normaliser::ID, include_str!("../../../lints/swapped-normaliser.md"), swapped_normaliser::check),
    (unchecked_parse_json::ID, include_str!("../../../lints/unchecked-parse-json.md"), unchecked_parse_json::check),
    (unnormalised_verdict::ID, include_str!("../../../lints/unnormalised-verdict.md"), unnormalised_verdict::check),
    (unreachable_verdict::ID, include_str!("../../../lints/unreachable-verdict.md"), unreachable_verdict::check),
];
