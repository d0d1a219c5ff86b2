//! What the engine will or will not do with a recipe.

pub(crate) mod duplicate_id;
pub(crate) mod invalid_condition;
pub(crate) mod invalid_shell;
pub(crate) mod invalid_value;
pub(crate) mod invalid_yaml;
pub(crate) mod missing_field;
mod nearest;
pub(crate) mod recipe_cycle;
mod scripts;
pub(crate) mod summary_output;
pub(crate) mod undefined_variable;
pub(crate) mod unknown_field;
pub(crate) mod unknown_reference;
pub(crate) mod unused_output;
pub(crate) mod use_before_output;

use super::registry::Entry;

/// The group.
pub(crate) const LINTS: &[Entry] = &[
    (duplicate_id::ID, include_str!("../../../lints/duplicate-id.md"), duplicate_id::check),
    (invalid_condition::ID, include_str!("../../../lints/invalid-condition.md"), invalid_condition::check),
    (invalid_shell::ID, include_str!("../../../lints/invalid-shell.md"), invalid_shell::check),
    (invalid_value::ID, include_str!("../../../lints/invalid-value.md"), invalid_value::check),
    (invalid_yaml::ID, include_str!("../../../lints/invalid-yaml.md"), invalid_yaml::check),
    (missing_field::ID, include_str!("../../../lints/missing-field.md"), missing_field::check),
    (recipe_cycle::ID, include_str!("../../../lints/recipe-cycle.md"), recipe_cycle::check),
    (summary_output::ID, include_str!("../../../lints/summary-output.md"), summary_output::check),
    (undefined_variable::ID, include_str!("../../../lints/undefined-variable.md"), undefined_variable::check),
    (unknown_field::ID, include_str!("../../../lints/unknown-field.md"), unknown_field::check),
    (unknown_reference::ID, include_str!("../../../lints/unknown-reference.md"), unknown_reference::check),
    (unused_output::ID, include_str!("../../../lints/unused-output.md"), unused_output::check),
    (use_before_output::ID, include_str!("../../../lints/use-before-output.md"), use_before_output::check),
];
