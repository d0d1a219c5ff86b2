//! Under which names a bash step finds the variables of the context (`src/context.rs` of amplihack-recipe-runner 0.3.6,
//! `shell_env_vars`).

/// What stands before a variable's name in the environment.
pub const PREFIX: &str = "RECIPE_VAR_";

/// Names for which the engine makes no alias, and so none of `LC_*`.
const RESERVED: &[&str] = &[
    "PATH", "HOME", "PWD", "OLDPWD", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TMP", "LANG", "MAIL", "EDITOR",
    "VISUAL", "DISPLAY", "HOSTNAME", "IFS", "PS1", "PS2", "PS3", "PS4",
];

/// A variable's name behind [`PREFIX`]: `.` is written `__`, `-` is written `_`. Fields of an object follow with `__`.
pub fn environment_name(variable: &str) -> String {
    variable.replace('.', "__").replace('-', "_")
}

/// The alias in capitals that the engine adds for a variable, if it holds a text, number, boolean or null, and its name
/// can be one in the shell.
pub fn alias(variable: &str) -> Option<String> {
    let first = variable.chars().next()?;
    let identifier = (first.is_ascii_alphabetic() || first == '_')
        && variable.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    let alias = variable.to_ascii_uppercase();
    (identifier && !RESERVED.contains(&alias.as_str()) && !alias.starts_with("LC_")).then_some(alias)
}

/// Whether `name` is the alias of a variable.
pub fn is_alias(variable: &str, name: &str) -> bool {
    variable.eq_ignore_ascii_case(name) && alias(variable).as_deref() == Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(environment_name("goal-status.x"), "goal_status__x");
        assert_eq!(alias("plan_2").as_deref(), Some("PLAN_2"));
        for variable in ["", "a-b", "2nd", "path", "lc_time", "ps1", "é"] {
            assert_eq!(alias(variable), None, "{variable}");
        }
    }
}
