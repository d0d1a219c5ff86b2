//! `{{ }}` holes in text: three grammars that look alike and differ in what they leave alone.

use crate::text::{Span, Spanned, SyntaxError};

/// A hole of a template, with byte offsets in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// From the first brace to the last.
    pub span: Span,
    /// What is named in it.
    pub name: String,
    /// The name without braces and white space.
    pub name_span: Span,
}

/// The holes that the amplihack engine fills: `{{` `[A-Za-z0-9_.-]+` `}}` without white space; anything else stays as
/// it is (`context.rs` of amplihack-recipe-runner 0.3.6).
pub fn holes(text: &str) -> Vec<Hole> {
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    scan(text, |inner| {
        let name = inner.get(..inner.find(|c| !name(c))?)?;
        inner.strip_prefix(name)?.starts_with("}}").then_some((0, name))
    })
}

/// What looks like a hole of the amplihack engine and is none: white space beside the name, or an index behind it. Text
/// of other template languages looks the same, so this tells something only of names that the recipe has. `${{ }}` is
/// never one.
pub fn near_holes(text: &str) -> Vec<Hole> {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let found = scan(text, |inner| {
        let trimmed = inner.trim_start_matches([' ', '\t']);
        let name = trimmed.get(..trimmed.find(|c| !part(c))?)?;
        let behind = trimmed.strip_prefix(name)?;
        let index = behind.starts_with('[').then(|| behind.find("}}")).flatten();
        let rest = behind.get(index.unwrap_or(0)..)?;
        let known = index.is_none_or(|end| behind.get(..end).is_some_and(|index| !index.contains(['\n', '{'])));
        let closed = known && rest.trim_start_matches([' ', '\t']).starts_with("}}");
        let differs = index.is_some() || trimmed.len() < inner.len() || !rest.starts_with("}}");
        (closed && differs && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
            .then_some((inner.len() - trimmed.len(), name))
    });
    let other = |hole: &Hole| text.get(..hole.span.start).is_some_and(|before| before.ends_with('$'));
    found.into_iter().filter(|hole| !other(hole)).collect()
}

/// The placeholders of a prompt file of Sandcastle (0.4.4 and newer) and of a brief file of Outpost: `{{ KEY }}` with
/// `KEY` = `[A-Za-z_][A-Za-z0-9_]*` and any white space around it, line breaks included; anything else stays as it is.
pub fn placeholders(text: &str) -> Vec<Hole> {
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    scan(text, |inner| {
        let trimmed = inner.trim_start();
        let key = trimmed.get(..trimmed.find(|c| !name(c))?)?;
        let closed = trimmed.strip_prefix(key)?.trim_start().starts_with("}}");
        (closed && !key.starts_with(|c: char| c.is_ascii_digit())).then_some((inner.len() - trimmed.len(), key))
    })
}

/// Tries `hole` behind every `{{`, from left to right and without overlaps. It gets the text behind the braces and
/// gives where the name starts in it, and the name.
fn scan<'a>(text: &'a str, hole: impl Fn(&'a str) -> Option<(usize, &'a str)>) -> Vec<Hole> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = opening(text, at) {
        let inner = text.get(start + 2..).unwrap_or_default();
        at = start + 1;
        if let Some((before, name)) = hole(inner).filter(|(_, name)| !name.is_empty()) {
            let name_span = Span::new(start + 2 + before, start + 2 + before + name.len());
            let close = text.get(name_span.end..).and_then(|rest| rest.find("}}")).unwrap_or(0);
            at = name_span.end + close + 2;
            found.push(Hole { span: Span::new(start, at), name: name.to_owned(), name_span });
        }
    }
    found
}

/// The next `{{` from an offset on. Every text of every file is asked several times, and most of it has no brace.
fn opening(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let behind = bytes.get(from..)?;
    let found = memchr::memchr_iter(b'{', behind).map(|offset| from + offset);
    found.into_iter().find(|start| bytes.get(start + 1) == Some(&b'{'))
}

/// What a reference of an Outpost recipe reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// `inputs.…`
    Inputs,
    /// `steps.…`
    Steps,
}

/// A reference in a text of an Outpost recipe, version 2 or 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// From the first brace to the last.
    pub span: Span,
    /// Inputs or steps.
    pub root: Root,
    /// What follows it, dot by dot, never empty. A key may hold dots itself, so several of these can be one key; the
    /// longest known key wins.
    pub path: Vec<Spanned<String>>,
}

/// The references of a text of an Outpost recipe, version 2 or 3 (in version 1 there are none), and what Outpost
/// refuses there: a `{{` that nothing closes, and everything between braces but `inputs.NAME` and `steps.KEY.FIELD`.
pub fn references(text: &str) -> (Vec<Reference>, Vec<SyntaxError>) {
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(start) = opening(text, at) {
        let inner = text.get(start + 2..).unwrap_or_default();
        let Some(length) = inner.find("}}") else {
            let line = inner.find('\n').unwrap_or(inner.len());
            let span = Span::new(start, start + 2 + inner.get(..line).unwrap_or_default().trim_end().len());
            errors.push(SyntaxError { span, message: "no `}}` closes this `{{`".to_owned() });
            break;
        };
        let span = Span::new(start, start + 2 + length + 2);
        at = span.end;
        match reference(inner.get(..length).unwrap_or_default(), start + 2) {
            Some((root, path)) => found.push(Reference { span, root, path }),
            None => errors.push(SyntaxError {
                span,
                message: "only `{{ inputs.NAME }}` and `{{ steps.KEY.FIELD }}` can stand between braces".to_owned(),
            }),
        }
    }
    (found, errors)
}

/// Reads what stands between the braces; `start` is its place.
fn reference(inner: &str, start: usize) -> Option<(Root, Vec<Spanned<String>>)> {
    let expression = inner.trim_start();
    let mut at = start + inner.len() - expression.len();
    let mut segments = Vec::new();
    for segment in expression.trim_end().split('.') {
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if segment.is_empty() || !segment.chars().all(name) {
            return None;
        }
        segments.push(Spanned::new(segment.to_owned(), Span::new(at, at + segment.len())));
        at += segment.len() + 1;
    }
    let path = segments.split_off(1);
    let root = match segments.first()?.value.as_str() {
        "inputs" if !path.is_empty() => Root::Inputs,
        "steps" if path.len() > 1 => Root::Steps,
        _ => return None,
    };
    Some((root, path))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    fn names(text: &str, holes: &[Hole]) -> Vec<String> {
        for hole in holes {
            assert_eq!(&text[hole.name_span.range()], hole.name);
            assert!(text[hole.span.range()].starts_with("{{") && text[hole.span.range()].ends_with("}}"));
        }
        holes.iter().map(|hole| text[hole.span.range()].to_owned()).collect()
    }

    #[test]
    fn the_engine_fills_names_without_white_space() {
        for (text, expected) in [
            ("a {{x}} b {{y-1.z_2}}", vec!["{{x}}", "{{y-1.z_2}}"]),
            ("😀{{1}}é{{.}}", vec!["{{1}}", "{{.}}"]),
            ("{{{x}}}", vec!["{{x}}"]),
            ("{{a{{b}}", vec!["{{b}}"]),
            ("{{x}}{{y}}", vec!["{{x}}", "{{y}}"]),
            ("{{ x }} {{}} {{x} } {{a b}} {x} {{é}} {{x", vec![]),
            ("'{{x}}'", vec!["{{x}}"]),
            ("{{x\n}}", vec![]),
        ] {
            assert_eq!(names(text, &holes(text)), expected, "{text}");
        }
    }

    #[test]
    fn prompt_files_allow_white_space_and_plain_keys_only() {
        for (text, expected) in [
            ("{{KEY}} {{ KEY }} {{\n KEY\t}}", vec!["{{KEY}}", "{{ KEY }}", "{{\n KEY\t}}"]),
            ("{{_a1}}", vec!["{{_a1}}"]),
            ("{{a-b}} {{a.b}} {{1X}} {{#if X}} {{}} {{ }} {{a b}}", vec![]),
            ("{{{A}}}", vec!["{{A}}"]),
            ("{{ {{A}} }}", vec!["{{A}}"]),
        ] {
            assert_eq!(names(text, &placeholders(text)), expected, "{text}");
        }
    }

    #[test]
    fn recipes_of_outpost_refuse_everything_else() {
        let text = "{{ inputs.goal }} and {{steps.run-a.stdout}} {{ steps.review.value.summary }}";
        let (found, errors) = references(text);
        assert_eq!(errors, []);
        let read: Vec<_> =
            found.iter().map(|found| (found.root, &text[found.span.range()], found.path.len())).collect();
        assert_eq!(
            read,
            [
                (Root::Inputs, "{{ inputs.goal }}", 1),
                (Root::Steps, "{{steps.run-a.stdout}}", 2),
                (Root::Steps, "{{ steps.review.value.summary }}", 3)
            ]
        );
        let segments = found.iter().flat_map(|found| &found.path);
        assert!(segments.clone().all(|segment| text[segment.span.range()] == segment.value));
        assert_eq!(segments.count(), 6);

        for text in
            ["{{ WORK_BRANCH }}", "{{ inputs }}", "{{ steps.a }}", "{{ inputs.a || 'x' }}", "{{}}", "{{ inputs..a }}"]
        {
            let (found, errors) = references(text);
            assert_eq!((found.len(), errors[0].span), (0, Span::new(0, text.len())), "{text}");
        }
        let (_, errors) = references("a {{ inputs.x\nnext line");
        assert_eq!((errors.len(), errors[0].span), (1, Span::new(2, 13)));
        assert_eq!(references("no { { holes }} here"), (vec![], vec![]));
    }

    proptest! {
        #[test]
        fn holes_are_in_order_and_inside(text in r"(\{\{|\}\}|[a-zé .{}\n-]|inputs\.|steps\.){0,30}") {
            for found in [holes(&text), placeholders(&text)] {
                names(&text, &found);
                prop_assert!(found.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
            }
            let (found, errors) = references(&text);
            prop_assert!(found.iter().map(|found| found.span).chain(errors.iter().map(|error| error.span))
                .all(|span| text.get(span.range()).is_some()));
        }
    }
}
