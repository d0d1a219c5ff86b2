//! The block in a tag: `<verdict>…</verdict>`.

use serde_json::Value;

use super::{Reason, Verdict};

/// How a fence inside the tag may be written. Both systems want a line break after the opener and before the closing
/// backticks, and no language but `json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// Sandcastle (`extractStructuredOutput.ts`): `json` in lower case only; the closing backticks may be indented.
    Sandcastle,
    /// Outpost (`defineJsonResponse`): `json` in any case; the closing backticks stand at the start of the line.
    Outpost,
}

/// The text in the last complete pair of the tag, trimmed.
///
/// Pairs are read from the left: from the first opening tag to the next closing one, and so on behind it. A lone opening
/// tag in the prose therefore swallows the answer, and `</tag>` inside a JSON string cuts it. Tags are written exactly
/// so, without attributes.
pub fn tag_text<'a>(text: &'a str, tag: &str) -> Verdict<&'a str> {
    let (opening, closing) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut last = None;
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once(&opening)
        && let Some((inner, after)) = behind.split_once(&closing)
    {
        last = Some(inner.trim());
        rest = after;
    }
    last.map_or(Verdict::None(Reason::NoTag), Verdict::Found)
}

/// The JSON in the last complete pair of the tag, out of its fence if it has one. Nothing else is tolerated: no prose, no
/// trailing comma, no other value than JSON.
pub fn tag_json(text: &str, tag: &str, fence: Fence) -> Verdict<Value> {
    let inner = match tag_text(text, tag) {
        Verdict::Found(inner) => unfenced(inner, fence).unwrap_or(inner),
        Verdict::None(reason) => return Verdict::None(reason),
    };
    match serde_json::from_str(inner) {
        Ok(value) => Verdict::Found(value),
        Err(error) => Verdict::None(Reason::NotJson(error.to_string())),
    }
}

/// What stands between the lines of a fence, if the trimmed text is one.
fn unfenced(text: &str, fence: Fence) -> Option<&str> {
    let opened = text.strip_prefix("```")?;
    let language = opened.get(..4).filter(|word| match fence {
        Fence::Sandcastle => *word == "json",
        Fence::Outpost => word.eq_ignore_ascii_case("json"),
    });
    let (first_line, body) = opened.get(language.map_or(0, str::len)..)?.split_once('\n')?;
    let body = body.strip_suffix("```")?;
    let body = match fence {
        Fence::Sandcastle => body.trim_end_matches(|c: char| c != '\n' && c.is_whitespace()),
        Fence::Outpost => body,
    };
    (first_line.trim().is_empty() && (body.is_empty() || body.ends_with('\n'))).then_some(body)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_complete_pair_wins() {
        for (text, expected) in [
            ("<v> a </v>", Some("a")),
            ("<v>draft</v> prose <v>\n final\n</v> bye", Some("final")),
            ("<v>a</v> and <v>cut off", Some("a")),
            ("write it in <v> tags: <v>a</v>", Some("tags: <v>a")),
            ("first an empty <v></v>, then <v>a</v>", Some("a")),
            ("<v>a</v> that was <v></v>", Some("")),
            ("<v>{\"s\": \"</v>\"}</v>", Some("{\"s\": \"")),
            ("</v><v>a</v>", Some("a")),
            ("<v>é😀</v>", Some("é😀")),
            ("<V>a</V>", None),
            ("<v >a</v>", None),
            ("<v a=\"1\">a</v>", None),
            ("<v>a</v >", None),
            ("<v/>", None),
            ("<v>a", None),
            ("a</v>", None),
            ("", None),
        ] {
            let verdict = expected.map_or(Verdict::None(Reason::NoTag), Verdict::Found);
            assert_eq!(tag_text(text, "v"), verdict, "{text}");
        }
        assert_eq!(tag_text("<a.b>1</a.b> <axb>2</axb>", "a.b"), Verdict::Found("1"));
        assert_eq!(tag_text("<<v>>1</<v>>", "<v>"), Verdict::Found("1"));
    }

    #[test]
    fn a_fence_may_stand_around_the_json() {
        use Fence::{Outpost, Sandcastle};
        for (inner, accepted) in [
            ("{\"a\": 1}", vec![Sandcastle, Outpost]),
            ("\n{\"a\": 1}\n", vec![Sandcastle, Outpost]),
            ("```json\n{\"a\": 1}\n```", vec![Sandcastle, Outpost]),
            ("```\n{\"a\": 1}\n```\n", vec![Sandcastle, Outpost]),
            ("```json\r\n{\"a\": 1}\r\n```", vec![Sandcastle, Outpost]),
            ("```json  \n\n{\"a\": 1}\n\n```", vec![Sandcastle, Outpost]),
            ("```json\n{\"a\": 1}\n  ```", vec![Sandcastle]),
            ("```JSON\n{\"a\": 1}\n```", vec![Outpost]),
            ("```jsonc\n{\"a\": 1}\n```", vec![]),
            ("```json {\"a\": 1} ```", vec![]),
            ("```json\n{\"a\": 1}```", vec![]),
            ("~~~\n{\"a\": 1}\n~~~", vec![]),
            ("Here:\n```json\n{\"a\": 1}\n```", vec![]),
            ("```json\n{\"a\": 1}\n```\nDone.", vec![]),
            ("{\"a\": 1,}", vec![]),
            ("{\"a\": 1} // yes", vec![]),
            ("{'a': 1}", vec![]),
            ("```json\n```", vec![]),
            ("", vec![]),
        ] {
            for fence in [Sandcastle, Outpost] {
                let verdict = tag_json(&format!("<v>{inner}</v>"), "v", fence);
                if accepted.contains(&fence) {
                    assert_eq!(verdict, Verdict::Found(json!({"a": 1})), "{fence:?} {inner}");
                } else {
                    assert!(matches!(verdict, Verdict::None(Reason::NotJson(_))), "{fence:?} {inner}");
                }
            }
        }
        assert_eq!(tag_json("```json\n<v>[true]</v>\n```", "v", Sandcastle), Verdict::Found(json!([true])));
        assert_eq!(tag_json("none", "v", Outpost), Verdict::None(Reason::NoTag));
    }

    #[test]
    fn many_tags_are_read_in_time() {
        let text = "<v>".repeat(200_000);
        assert_eq!(tag_text(&text, "v"), Verdict::None(Reason::NoTag));
        assert_eq!(tag_text(&(text + "</v>"), "v").found().map(str::len), Some(3 * 199_999));
        assert_eq!(tag_text(&"<v>a</v>".repeat(100_000), "v"), Verdict::Found("a"));
    }
}
