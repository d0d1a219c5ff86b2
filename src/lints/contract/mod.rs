//! What the prompt must ask for.

mod declared;
mod field_not_in_prompt;
mod invalid_output_example;
mod invalid_output_tag;
mod missing_output_tag;
mod missing_prompt_file;
mod multi_iteration_output;
mod multiple_output_contracts;
mod output_on_interactive;
mod producers;
pub(crate) mod prompt;
mod unclosed_output_tag;
mod unfilled_placeholder;
mod unresumable_retry;
mod value_not_in_prompt;

use super::lint::{Entry, page};

/// The group's lints.
pub(super) const LINTS: &[Entry] = &[
    (invalid_output_tag::ID, page!("invalid-output-tag"), invalid_output_tag::check),
    (missing_output_tag::ID, page!("missing-output-tag"), missing_output_tag::check),
    (missing_prompt_file::ID, page!("missing-prompt-file"), missing_prompt_file::check),
    (multi_iteration_output::ID, page!("multi-iteration-output"), multi_iteration_output::check),
    (output_on_interactive::ID, page!("output-on-interactive"), output_on_interactive::check),
    (unclosed_output_tag::ID, page!("unclosed-output-tag"), unclosed_output_tag::check),
    (unfilled_placeholder::ID, page!("unfilled-placeholder"), unfilled_placeholder::check),
    (unresumable_retry::ID, page!("unresumable-retry"), unresumable_retry::check),
    (field_not_in_prompt::ID, page!("field-not-in-prompt"), field_not_in_prompt::check),
    (invalid_output_example::ID, page!("invalid-output-example"), invalid_output_example::check),
    (multiple_output_contracts::ID, page!("multiple-output-contracts"), multiple_output_contracts::check),
    (value_not_in_prompt::ID, page!("value-not-in-prompt"), value_not_in_prompt::check),
];
