//! The answer is looked for between tags that the prompt never shows: the run is refused at entry.

use super::prompt::{self, Joined};
use crate::lints::{Context, Edit, Finding, Fix, Safety, Sink, problems};
use crate::recipe::{ContractText, Known, OutputKind, OutputSpec};

pub(super) const ID: &str = "missing-output-tag";

/// A tag with its attributes is not longer, in bytes.
const MAX_TAG: usize = 120;

pub(super) fn check(context: &Context<'_>, sink: &mut Sink) {
    for contract in &context.file.recipe.contracts {
        let (Known::Known(output), Known::Known(source)) = (&contract.output, &contract.prompt) else { continue };
        let Some(tag) = output.tag.known() else { continue };
        if !contract.call.value.reads_output() || tag.value.is_empty() || tag.value.contains(['<', '>']) {
            continue;
        }
        if prompt::demands_tag(context, contract) != Some(true) {
            continue;
        }
        let Some(text) = prompt::text(context, contract) else { continue };
        let opening = format!("<{}>", tag.value);
        if text.text.contains(&opening) {
            continue;
        }
        let near = near_miss(&text.text, &tag.value);
        let whose = match &source.text {
            ContractText::File(path) => format!("the prompt file `{}`", path.value),
            ContractText::Inline(_) => "the prompt".to_owned(),
        };
        let mut message =
            format!("{whose} never shows `{opening}`, so {} refuses to start", contract.call.value.name());
        if let Some(near) = &near {
            message = format!("{message}: {}", near.why);
        }
        // Options that several calls share are written once; what is wrong is this call.
        let at = if contract.span.covers(source.key) { source.key } else { contract.call.span };
        let mut finding = Finding::new(ID, context.place(at), message)
            .help(format!("show the agent where the answer goes: {}", example(output, &tag.value)));
        finding = finding.related(context.place(tag.span), "the tag is configured here".to_owned());
        if let Some(original) = contract.inherited_from {
            finding = finding.related(context.place(original), "`output` is taken over from this run".to_owned());
        }
        let place = match &near {
            Some(near) => text.place(near.span.range()),
            None if text.is_inline() => text.end(),
            None => text.place(0..0),
        };
        if !text.is_inline() || near.is_some() {
            let what = if near.is_some() { "this is not the tag" } else { "the prompt that is sent" };
            finding = finding.related(place, what);
        }
        finding = finding.fix(fix(&text, near.as_ref(), output, &tag.value));
        sink.push(finding);
    }
    problems(context, sink, ID);
}

/// Something that looks like the tag and is not.
struct NearMiss {
    span: crate::text::Span,
    why: String,
    /// The tag in its place is all that is needed.
    replaceable: bool,
}

fn near_miss(text: &str, tag: &str) -> Option<NearMiss> {
    let found = |start: usize, end: usize, why: String, replaceable: bool| {
        Some(NearMiss { span: crate::text::Span::new(start, end), why, replaceable })
    };
    let lower = text.to_ascii_lowercase();
    let wanted = tag.to_ascii_lowercase();
    for (start, _) in lower.match_indices(&format!("<{wanted}")) {
        let after = start + 1 + wanted.len();
        let rest = text.get(after..).unwrap_or_default();
        let Some(close) = rest.bytes().take(MAX_TAG).take_while(|byte| *byte != b'\n').position(|byte| byte == b'>')
        else {
            continue;
        };
        let end = after + close + 1;
        let written = text.get(start..end).unwrap_or_default();
        if rest.starts_with('>') {
            return found(start, end, format!("`{written}` is another tag, case matters"), true);
        }
        if rest.trim_start().starts_with("/>") {
            return found(start, end, format!("`{written}` opens nothing"), true);
        }
        if rest.starts_with(char::is_whitespace) {
            return found(
                start,
                end,
                format!("`{written}` is not read as the tag, it must be exactly `<{tag}>`"),
                true,
            );
        }
    }
    if let Some(start) = lower.find(&format!("&lt;{wanted}&gt;")) {
        let end = start + wanted.len() + 8;
        return found(start, end, "the tag is written with entities, which nobody decodes".to_owned(), true);
    }
    if let Some(start) = text.find(&format!("</{tag}>")) {
        return found(start, start + tag.len() + 3, "it shows the closing tag only".to_owned(), false);
    }
    for (start, _) in text.match_indices("<{{") {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        if let Some(close) = rest.windows(3).take(MAX_TAG).position(|window| window == b"}}>") {
            let end = start + close + 3;
            let why = "placeholders are filled after the tag was looked for, the raw text must hold it".to_owned();
            return found(start, end, why, true);
        }
    }
    None
}

fn example(output: &OutputSpec, tag: &str) -> String {
    match output.kind {
        OutputKind::Json => format!("Put the JSON between <{tag}> and </{tag}>."),
        OutputKind::Text | OutputKind::Unknown => format!("Put the answer between <{tag}> and </{tag}>."),
    }
}

/// Writes the tag in place of what looks like it, or a sentence at the end.
fn fix(text: &Joined<'_>, near: Option<&NearMiss>, output: &OutputSpec, tag: &str) -> Fix {
    if let Some(near) = near.filter(|near| near.replaceable) {
        let edits = vec![Edit { place: text.place(near.span.range()), text: format!("<{tag}>") }];
        return Fix { title: format!("Write `<{tag}>`"), safety: Safety::Suggest, edits };
    }
    let sentence = example(output, tag);
    let added = if text.is_inline() {
        format!(" {sentence}")
    } else {
        let ending = if text.text.contains("\r\n") { "\r\n" } else { "\n" };
        let last = if text.text.ends_with('\n') { "" } else { ending };
        format!("{last}{ending}{sentence}{ending}")
    };
    let edits = vec![Edit { place: text.end(), text: added }];
    Fix { title: format!("Ask for `<{tag}>` at the end of the prompt"), safety: Safety::Suggest, edits }
}
