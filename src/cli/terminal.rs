//! What the terminal can show: colours by `--color`, `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`; hyperlinks on terminals
//! that are known to have them.

use std::io::IsTerminal;

use crate::report::Style;

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The style of standard output.
pub fn style(color: Color) -> Style {
    let terminal = std::io::stdout().is_terminal();
    choose(color, terminal, |name| std::env::var(name).ok().filter(|value| !value.is_empty()))
}

/// An explicit flag beats `NO_COLOR` (<https://no-color.org>), which beats `CLICOLOR_FORCE` and `CLICOLOR`
/// (<https://bixense.com/clicolors>).
fn choose(color: Color, terminal: bool, get: impl Fn(&str) -> Option<String>) -> Style {
    let is = |name: &str, value: &str| get(name).is_some_and(|found| found == value);
    let color = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if get("NO_COLOR").is_some() => false,
        Color::Auto if get("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        Color::Auto => terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb"),
    };
    let known = ["vscode", "iTerm.app", "WezTerm", "ghostty", "Hyper"].iter().any(|name| is("TERM_PROGRAM", name))
        || get("VTE_VERSION").and_then(|version| version.parse::<u32>().ok()).is_some_and(|version| version >= 5000)
        || ["WT_SESSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID"].iter().any(|name| get(name).is_some());
    Style { color, links: color && terminal && known }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours() {
        for (color, terminal, variables, wanted) in [
            (Color::Auto, true, &[][..], true),
            (Color::Auto, false, &[], false),
            (Color::Auto, true, &[("NO_COLOR", "1")], false),
            (Color::Auto, true, &[("NO_COLOR", "")], true),
            (Color::Auto, false, &[("CLICOLOR_FORCE", "1")], true),
            (Color::Auto, false, &[("CLICOLOR_FORCE", "0")], false),
            (Color::Auto, false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
            (Color::Auto, true, &[("CLICOLOR", "0")], false),
            (Color::Auto, true, &[("TERM", "dumb")], false),
            (Color::Always, false, &[("NO_COLOR", "1")], true),
            (Color::Never, true, &[("CLICOLOR_FORCE", "1")], false),
        ] {
            let get = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned()).filter(|value| !value.is_empty())
            };
            assert_eq!(choose(color, terminal, get).color, wanted, "{color:?} {terminal} {variables:?}");
        }
    }

    #[test]
    fn links_only_where_they_are_known_to_work() {
        let with = |name: &'static str, value: &'static str| {
            choose(Color::Auto, true, move |asked| (asked == name).then(|| value.to_owned())).links
        };
        assert!(with("TERM_PROGRAM", "vscode"));
        assert!(with("VTE_VERSION", "7600"));
        assert!(!with("VTE_VERSION", "4000"));
        assert!(!with("TERM_PROGRAM", "Apple_Terminal"));
        assert!(!choose(Color::Always, false, |_| Some("1".to_owned())).links);
    }
}
