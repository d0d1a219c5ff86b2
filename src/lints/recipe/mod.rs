//! What the engine will or will not do with a recipe.

pub(crate) mod duplicate_id;
pub(crate) mod invalid_condition;
pub(crate) mod invalid_shell;
pub(crate) mod invalid_value;
pub(crate) mod invalid_yaml;
pub(crate) mod missing_field;
mod nearest;
pub(crate) mod recipe_cycle;
pub(crate) mod summary_output;
pub(crate) mod undefined_variable;
pub(crate) mod unknown_field;
pub(crate) mod unknown_reference;
pub(crate) mod unused_output;
pub(crate) mod use_before_output;

use super::lint::{Entry, page};

/// The group's lints.
pub(super) const LINTS: &[Entry] = &[
    (duplicate_id::ID, page!("duplicate-id"), duplicate_id::check),
    (invalid_condition::ID, page!("invalid-condition"), invalid_condition::check),
    (invalid_shell::ID, page!("invalid-shell"), invalid_shell::check),
    (invalid_value::ID, page!("invalid-value"), invalid_value::check),
    (invalid_yaml::ID, page!("invalid-yaml"), invalid_yaml::check),
    (missing_field::ID, page!("missing-field"), missing_field::check),
    (recipe_cycle::ID, page!("recipe-cycle"), recipe_cycle::check),
    (summary_output::ID, page!("summary-output"), summary_output::check),
    (undefined_variable::ID, page!("undefined-variable"), undefined_variable::check),
    (unknown_field::ID, page!("unknown-field"), unknown_field::check),
    (unknown_reference::ID, page!("unknown-reference"), unknown_reference::check),
    (unused_output::ID, page!("unused-output"), unused_output::check),
    (use_before_output::ID, page!("use-before-output"), use_before_output::check),
];
