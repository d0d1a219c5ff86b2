//! Which names are read at all.

use std::collections::BTreeSet;

use super::environment::{alias, environment_name};
use super::names::{Names, Spelling};

/// Names that are read somewhere in a group of recipes that run each other.
#[derive(Clone, Debug, Default)]
pub struct Readers {
    /// Names as conditions and templates write them.
    names: BTreeSet<String>,
    /// What follows `RECIPE_VAR_`, and aliases.
    environment: BTreeSet<String>,
    everything: bool,
}

impl Readers {
    /// Whether a name is read somewhere in the group.
    pub fn reads(&self, name: &str) -> bool {
        let variable = environment_name(name);
        let fields = format!("{variable}__");
        self.everything
            || self.names.contains(name)
            || self.environment.contains(&variable)
            || self.environment.range(fields.clone()..).next().is_some_and(|next| next.starts_with(&fields))
            || alias(name).is_some_and(|alias| self.environment.contains(&alias))
    }

    /// Adds what one of the recipes reads.
    pub(super) fn add(&mut self, names: &Names) {
        for one in names.uses.iter().filter(|one| one.role.is_read()) {
            match one.spelling {
                Spelling::Variable | Spelling::Alias => self.environment.insert(one.name.clone()),
                _ => self.names.insert(one.name.clone()) | self.names.insert(one.whole()),
            };
        }
        self.environment.extend(names.mentioned.iter().cloned());
        self.names.extend(names.mentioned.iter().cloned());
        self.everything |= names.reads_everything;
    }
}
