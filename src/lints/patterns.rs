//! What a pattern looks for, read without running it: words, or only kinds of characters.

/// Kinds of pattern language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// `grep`, `[[ =~ ]]`, JavaScript.
    Regex,
    /// `case`, `[[ == ]]`, `${x#…}`.
    Glob,
}

/// Runs of letters that stand for themselves, at least two long: outside of brackets, escapes and counts.
pub(crate) fn words(pattern: &str, language: Language) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut rest = pattern.chars().peekable();
    let mut end = |word: &mut String| {
        let letters = word.trim_matches(['_', '-']);
        if letters.chars().filter(|c| c.is_alphabetic()).count() >= 2 {
            words.push(letters.to_owned());
        }
        word.clear();
    };
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                let escaped = rest.next();
                match escaped {
                    // `\b`, `\s`, `\w`, `\d`, `\<`: classes and places, in a regex.
                    Some(e) if language == Language::Glob && e.is_alphanumeric() => word.push(e),
                    _ => end(&mut word),
                }
            }
            '[' => {
                if let Some(letter) = either_case(&rest) {
                    word.push(letter);
                    rest.nth(2);
                } else {
                    end(&mut word);
                    skip_bracket(&mut rest);
                }
            }
            '{' if language == Language::Regex => {
                end(&mut word);
                while rest.next().is_some_and(|c| c != '}') {}
            }
            // `(?i)`, `(?:`, `(?<name>`: no text.
            '(' if language == Language::Regex && rest.peek() == Some(&'?') => {
                end(&mut word);
                while rest.peek().is_some_and(|c| !matches!(c, ')' | ':' | '=' | '!')) {
                    rest.next();
                }
            }
            c if c.is_alphabetic() || ((c == '_' || c == '-') && !word.is_empty()) => word.push(c),
            _ => end(&mut word),
        }
    }
    end(&mut word);
    words
}

/// The letter of `[Bb]`, whose bracket has just been opened.
fn either_case(rest: &std::iter::Peekable<std::str::Chars<'_>>) -> Option<char> {
    let mut rest = rest.clone();
    let (a, b, close) = (rest.next()?, rest.next()?, rest.next()?);
    (close == ']' && a.is_alphabetic() && a != b && a.to_lowercase().eq(b.to_lowercase())).then_some(a)
}

fn skip_bracket(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let mut first = true;
    let mut nested = false;
    while let Some(c) = rest.next() {
        match c {
            '^' | '!' if first => continue,
            '[' if rest.peek() == Some(&':') => nested = true,
            ']' if nested => nested = false,
            ']' if !first => return,
            '\\' => {
                rest.next();
            }
            _ => {}
        }
        first = false;
    }
}

/// What a pattern looks for: its last word; where it has none and no class of characters either, the first sign that says
/// something, such as `P0` or an emoji.
pub(crate) fn needle(pattern: &str, language: Language) -> Option<String> {
    let classes: &[char] = match language {
        Language::Regex => &['[', '\\', '{'],
        Language::Glob => &['['],
    };
    words(pattern, language).pop().or_else(|| {
        let says = |c: char| c.is_alphanumeric() || !c.is_ascii();
        let start = pattern.find(says).filter(|_| !pattern.contains(classes))?;
        let rest = pattern.get(start..)?;
        rest.get(..rest.find(|c| !says(c)).unwrap_or(rest.len())).map(str::to_owned)
    })
}

/// A pattern that only says which characters may occur: checks of numbers, commit ids, names. It reads no meaning.
pub(crate) fn only_characters(pattern: &str, language: Language) -> bool {
    !pattern.is_empty()
        && match language {
            Language::Regex => words(pattern, language).is_empty(),
            Language::Glob => needle(pattern, language).is_none(),
        }
}

/// A regex that must match the whole text: equality with a fixed set. `^(PASS|OK)$`.
pub(crate) fn whole(pattern: &str) -> bool {
    let closed = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')).filter(|rest| !rest.ends_with('\\'));
    let Some(body) = closed else { return false };
    // `^PASS|FAIL$` anchors neither alternative at both ends.
    let mut depth = 0_i32;
    let mut escaped = false;
    for c in body.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '|' if depth == 0 => return false,
            _ => {}
        }
    }
    !body.contains(".*") && !body.contains(".+")
}

/// Whether a glob has no wildcard: it is compared for equality.
pub(crate) fn literal_glob(pattern: &str) -> bool {
    !pattern.contains(['*', '?', '['])
}

/// The parts of a tool's program that are patterns: what stands between slashes in awk, sed and perl, all of it for
/// `grep`, what is given to the functions that search in Python, Ruby and JavaScript.
pub(crate) fn regexes<'a>(tool: &str, program: &'a str) -> Vec<&'a str> {
    match tool {
        "awk" | "gawk" | "mawk" | "nawk" | "sed" | "gsed" | "perl" => program.split('/').skip(1).step_by(2).collect(),
        "python" | "python3" | "node" | "ruby" | "deno" | "bun" => searched(program),
        _ => vec![program],
    }
}

/// Functions of Python, Ruby and JavaScript whose first argument is looked for.
const SEARCHES: &[&str] = &[
    "re.search(",
    "re.match(",
    "re.findall(",
    "re.compile(",
    "re.fullmatch(",
    ".startswith(",
    ".endswith(",
    ".find(",
    ".includes(",
    ".startsWith(",
    ".endsWith(",
    ".indexOf(",
    ".match(",
    ".match?(",
    ".include?(",
];

/// What a program looks for: quoted texts and regular expressions given to functions that search, `"x" in text`,
/// `/x/.test(text)`.
fn searched(program: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for search in SEARCHES {
        for (at, _) in program.match_indices(search) {
            let rest = program.get(at + search.len()..).unwrap_or_default().trim_start_matches(['r', 'b', 'f']);
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '/')) else { continue };
            let body = rest.get(1..).unwrap_or_default();
            found.extend(body.find(quote).and_then(|end| body.get(..end)));
        }
    }
    for (at, _) in program.match_indices(" in ") {
        let before = program.get(..at).unwrap_or_default().trim_end();
        let before = before.strip_suffix("not").unwrap_or(before).trim_end();
        let Some(quote) = before.chars().next_back().filter(|c| matches!(c, '"' | '\'')) else { continue };
        let body = before.get(..before.len() - 1).unwrap_or_default();
        found.extend(body.rfind(quote).and_then(|start| body.get(start + 1..)));
    }
    for test in [".test(", ".exec("] {
        for (at, _) in program.match_indices(test) {
            let before = program.get(..at).unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_lowercase());
            let Some(body) = before.strip_suffix('/') else { continue };
            found.extend(body.rfind('/').and_then(|start| body.get(start + 1..)));
        }
    }
    found
}

/// Whether a program only takes lines out: `sed '/x/d'`, `awk '/x/ { next } { print }'`.
pub(crate) fn only_drops(tool: &str, program: &str) -> bool {
    match tool {
        "sed" | "gsed" => program.trim_end_matches(['\'', '"', ' ', ';']).ends_with("/d"),
        "awk" | "gawk" | "mawk" | "nawk" => program.contains("next"),
        _ => false,
    }
}

/// Whether a program only puts other text in the place of a value and keeps everything around it: `s/password=[^ ]*/password=***/g`.
pub(crate) fn masks(tool: &str, program: &str) -> bool {
    let substitutes = matches!(tool, "sed" | "gsed" | "perl");
    substitutes
        && program.split([';', '\n']).map(str::trim).filter(|part| !part.is_empty()).all(|part| {
            let mut fields = part.split('/');
            let (Some("s"), Some(pattern), Some(with)) = (fields.next(), fields.next(), fields.next()) else {
                return false;
            };
            let whole_line = pattern.starts_with(['^', '.']) || pattern.ends_with(".*") || pattern.ends_with('$');
            !whole_line && assigned_key(pattern).is_some_and(|key| with.contains(&key))
        })
}

/// The key that a pattern looks for in JSON text: `verdict` of `"verdict" *: *"(ok|bad)"`.
pub(crate) fn json_key(pattern: &str) -> Option<String> {
    let pattern = pattern.replace("\\\"", "\"");
    let mut parts = pattern.split('"');
    parts.next()?;
    while let (Some(key), rest) = (parts.next(), parts.clone().next()) {
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-' || c == '.');
        if is_key && rest.is_some_and(colon_follows) {
            return Some(key.to_owned());
        }
    }
    None
}

/// Whether a text begins with a colon, apart from blanks in any spelling of a pattern.
fn colon_follows(text: &str) -> bool {
    let mut text = text;
    loop {
        let shorter = ["[[:space:]]", "[[:blank:]]", "\\s", "[ ]", " ", "*", "+", "?", "\\"]
            .iter()
            .find_map(|blank| text.strip_prefix(blank));
        match shorter {
            Some(rest) => text = rest,
            None => return text.starts_with(':') || text.starts_with("[:"),
        }
    }
}

/// The name of a `NAME=value` field that a pattern looks for.
pub(crate) fn assigned_key(pattern: &str) -> Option<String> {
    let at = pattern.find('=')?;
    let before = pattern.get(..at)?;
    let name: String = before
        .chars()
        .rev()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    // `(?=…)`, `<=`, `==` are no fields.
    let named = name.len() >= 2 && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let compared = pattern.get(at + 1..).is_some_and(|rest| rest.starts_with('='));
    (named && !compared).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_outside_brackets_and_escapes() {
        for (pattern, expected) in [
            ("^[0-9a-f]{40}$", vec![]),
            ("^[[:alnum:]_-]+$", vec![]),
            ("nothing (here )?is misleading", vec!["nothing", "here", "is", "misleading"]),
            (r"\bPASS\b", vec!["PASS"]),
            (r"(?i)lgtm", vec!["lgtm"]),
            (r"score:\s*[1-3]\b", vec!["score"]),
        ] {
            assert_eq!(words(pattern, Language::Regex), expected, "{pattern}");
        }
        assert_eq!(words("*[!0-9]*", Language::Glob), Vec::<String>::new());
        assert_eq!(words("*READY", Language::Glob), vec!["READY"]);
        assert_eq!(words("/*", Language::Glob), Vec::<String>::new());
    }

    #[test]
    fn signs_are_looked_for_where_there_are_no_words() {
        for (pattern, language, expected) in [
            ("*PASS*", Language::Glob, Some("PASS")),
            ("*P0*", Language::Glob, Some("P0")),
            ("y*", Language::Glob, Some("y")),
            ("*10/10*", Language::Glob, Some("10")),
            ("*\u{2705}*", Language::Glob, Some("\u{2705}")),
            ("*[!0-9]*", Language::Glob, None),
            ("v[0-9]*", Language::Glob, None),
            ("*..*", Language::Glob, None),
            ("-*", Language::Glob, None),
            ("*\n*", Language::Glob, None),
            ("^P1", Language::Regex, Some("P1")),
            (r"^\d+$", Language::Regex, None),
            ("^v[0-9]+$", Language::Regex, None),
        ] {
            assert_eq!(needle(pattern, language).as_deref(), expected, "{pattern}");
        }
        assert!(only_characters("*[!a-z]*", Language::Glob) && !only_characters("n*", Language::Glob));
    }

    #[test]
    fn whole_matches_are_equality() {
        for (pattern, expected) in [
            ("^(PASS|OK)$", true),
            ("^PASS$", true),
            ("^PASS|OK$", false),
            ("^PASS", false),
            (r"^PASS\$", false),
            ("^PASS.*$", false),
        ] {
            assert_eq!(whole(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn programs_search_by_their_functions() {
        for (tool, program, expected) in [
            ("python3", r#"print("bug" if re.search(r"fix|crash", sys.argv[1]) else "")"#, vec!["fix|crash"]),
            ("python3", r#"sys.exit("hold off" not in text and 'wait' in text)"#, vec!["hold off", "wait"]),
            (
                "node",
                r#"process.exit(/urgent|asap/i.test(t) || t.includes("now") ? 0 : 1)"#,
                vec!["now", "urgent|asap"],
            ),
            ("node", "console.log(a / b / c)", vec![]),
            ("awk", "/urgent/ { f = 1 }", vec!["urgent"]),
        ] {
            assert_eq!(regexes(tool, program), expected, "{program}");
        }
    }

    #[test]
    fn a_mask_keeps_the_key_and_the_rest() {
        for (program, expected) in [
            ("s/token=[^ ]*/token=***/g", true),
            ("s/token=[^ ]*/token=***/; s/key=[a-z]*/key=x/", true),
            ("s/.*token=([a-z]*).*/\\1/", false),
            ("s/^token=//", false),
        ] {
            assert_eq!(masks("sed", program), expected, "{program}");
        }
    }

    #[test]
    fn keys_of_json_and_of_assignments() {
        assert_eq!(json_key(r#""status" *: *"ok""#).as_deref(), Some("status"));
        assert_eq!(json_key(r#"\"tree_id\"[[:space:]]*:[[:space:]]*\"[a-z]+\""#).as_deref(), Some("tree_id"));
        assert_eq!(json_key(r#"say "hello" now"#), None);
        assert_eq!(assigned_key("TREE_ID=[A-Za-z0-9]+").as_deref(), Some("TREE_ID"));
        assert_eq!(assigned_key("a == b"), None);
        assert_eq!(assigned_key("(?<=x)y"), None);
    }
}
