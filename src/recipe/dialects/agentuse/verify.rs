//! `verify:`: what it may hold, and what it is (`src/verify/types.ts`).

use super::CONSEQUENCE;
use super::tables::{VERIFY, VERIFY_IDS};
use crate::recipe::fields::{Check, spanned};
use crate::recipe::scalar::Value;
use crate::recipe::{GateKind, Problem, Verify, VerifyForm};
use crate::syntax::yaml::{Entry, Node, Style};
use crate::text::Span;

/// The lint that reports.
const LINT: &str = "invalid-verify";
/// Words that YAML 1.1 takes for booleans and this reader takes for text.
const BOOLEAN_WORDS: &[&str] = &["yes", "no", "on", "off", "y", "n"];

/// Reads the entry and says what is wrong with it.
pub fn lower(entry: &Entry, problems: &mut Vec<Problem>) -> Verify {
    let node = &entry.value;
    let mut verify = Verify {
        key: entry.key.span,
        span: entry.span(),
        form: VerifyForm::Invalid,
        criteria: None,
        judge: None,
        model: None,
        at: None,
        gate_review: None,
    };
    match Value::of(node) {
        Value::Bool(true) => verify.form = VerifyForm::Generic,
        Value::Bool(false) => {
            let message = format!("`verify: false` is refused; {CONSEQUENCE}");
            problems
                .push(Problem::new(LINT, node.span, message).help("delete the key: without it nothing is verified"));
        }
        Value::Str(text) if is_boolean_word(node, text) => {
            verify.form = VerifyForm::Text;
            let message = format!("`{text}` is text here: the output is judged by the rubric \"{text}\"");
            let help = if matches!(text.to_lowercase().as_str(), "yes" | "on" | "y") {
                "write `true` for the generic rubric"
            } else {
                "delete the key: without it nothing is verified"
            };
            problems.push(Problem::new(LINT, node.span, message).help(help));
        }
        Value::Str("") => {
            let message = format!("`verify` holds an empty text; {CONSEQUENCE}");
            problems.push(Problem::new(LINT, node.span, message).help("write a rubric, `true`, or delete the key"));
        }
        Value::Str(_) => {
            verify.form = VerifyForm::Text;
            verify.criteria = node.scalar().map(|scalar| (entry.key.span, scalar.fragment.clone()));
        }
        Value::Mapping => options(node, entry.key.span, &mut verify, problems),
        Value::Alias => {}
        Value::Null | Value::Int(_) | Value::Float(_) | Value::Sequence => {
            let place = if node.scalar().is_some() && !node.span.is_empty() { node.span } else { entry.key.span };
            let message = format!("`verify` must be `true`, a rubric or a mapping; {CONSEQUENCE}");
            problems.push(Problem::new(LINT, place, message).help("write a rubric, `true`, or delete the key"));
        }
    }
    verify
}

fn is_boolean_word(node: &Node, text: &str) -> bool {
    let plain = node.scalar().is_some_and(|scalar| scalar.style == Style::Plain);
    plain && BOOLEAN_WORDS.contains(&text.to_lowercase().as_str())
}

fn options(node: &Node, key: Span, verify: &mut Verify, problems: &mut Vec<Problem>) {
    verify.form = if node.entries().is_empty() { VerifyForm::Generic } else { VerifyForm::Options };
    Check { ids: VERIFY_IDS, consequence: CONSEQUENCE, problems }.object(key, node, &VERIFY);
    for entry in node.entries() {
        match entry.key.text() {
            Some("criteria") => {
                verify.criteria = entry.value.scalar().map(|scalar| (entry.key.span, scalar.fragment.clone()));
            }
            Some("judge") => verify.judge = spanned(&entry.value).map(|path| (entry.key.span, path)),
            Some("model") => verify.model = Some(entry.span()),
            Some("at") => verify.at = spanned(&entry.value),
            Some("gateReview") => verify.gate_review = Some(entry.span()),
            _ => {}
        }
    }
}

/// A gate that is asked for and is not there: `at: gate` (or `both`) and `gateReview` do nothing without one.
pub fn check_gate(verify: &Verify, gates: &[(GateKind, Span)], problems: &mut Vec<Problem>) {
    let help = "give the agent a gate (`approval: true`), or verify the output (`at: output`)";
    if let Some(at) = verify.at.as_ref().filter(|at| gates.is_empty() && matches!(at.value.as_str(), "gate" | "both")) {
        let message = if at.value == "gate" {
            "the agent has no gate, so verification never runs"
        } else {
            "the agent has no gate, so only its output is verified"
        };
        problems.push(Problem::new(LINT, at.span, message).help(help));
    }
    let output_only = verify.at.as_ref().is_some_and(|at| at.value == "output");
    if let Some(review) = verify.gate_review.filter(|_| gates.is_empty() || output_only) {
        let message = if gates.is_empty() {
            "`gateReview` is about gates, and the agent has none: it does nothing"
        } else {
            "`gateReview` is about gates, and only the output is verified: it does nothing"
        };
        problems.push(Problem::new(LINT, review, message).help("remove it, or verify the gate (`at: gate`)"));
    }
}
