//! What AgentUse takes for frontmatter: the rules of gray-matter 4 with its defaults.

/// Where the parts of an agent's file are, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// From the opening `---` to the end of the frontmatter.
    pub yaml: (usize, usize),
    /// Where the instructions begin.
    pub body: usize,
}

/// Splits a file; `None` where there is no frontmatter and all of it is instructions. `---` must be the first bytes (a
/// byte-order mark is dropped before), and no fourth `-` may follow. The first line break with `---` behind it closes,
/// whatever follows on that line belongs to the instructions; without one, all of the file is frontmatter.
pub fn split(text: &str) -> Option<Parts> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let inner = text.get(start..)?.strip_prefix("---")?;
    if inner.starts_with('-') {
        return None;
    }
    let Some(close) = inner.find("\n---") else {
        return Some(Parts { yaml: (start, text.len()), body: text.len() });
    };
    let end = start + 3 + close;
    let mut body = end + 4;
    let rest = text.get(body..).unwrap_or_default();
    body += usize::from(rest.starts_with('\r'));
    body += usize::from(text.get(body..).unwrap_or_default().starts_with('\n'));
    Some(Parts { yaml: (start, end + 1), body })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn as_gray_matter_does() {
        let table = [
            ("---\na: 1\n---\nbody", Some(("---\na: 1\n", "body"))),
            ("---\r\na: 1\r\n---\r\nbody", Some(("---\r\na: 1\r\n", "body"))),
            ("\u{feff}---\na: 1\n---\nbody", Some(("---\na: 1\n", "body"))),
            ("---\na: 1\n---body", Some(("---\na: 1\n", "body"))),
            ("---\na: 1\n----\nbody", Some(("---\na: 1\n", "-\nbody"))),
            ("---\na: 1", Some(("---\na: 1", ""))),
            ("---\n---\n", Some(("---\n", ""))),
            ("\n---\na: 1\n---\n", None),
            (" ---\na: 1\n---\n", None),
            ("----\na: 1\n---\n", None),
            ("", None),
            ("text", None),
        ];
        for (text, expected) in table {
            let parts = split(text).map(|parts| (&text[parts.yaml.0..parts.yaml.1], &text[parts.body..]));
            assert_eq!(parts, expected, "{text:?}");
        }
    }
}
