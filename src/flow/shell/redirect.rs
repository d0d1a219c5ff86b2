//! Redirections: where standard input comes from and standard output goes.

use std::sync::Arc;

use super::shape::process_of;
use super::state::Stream;
use super::{Output, Shell, Write};
use crate::flow::{Place, Value};
use crate::syntax::shell::ast::{Redirect, RedirectKind, Word};
use crate::text::Span;

/// Redirections of a command, read.
#[derive(Debug, Default)]
pub(super) struct Redirected {
    pub stdin: Option<Value>,
    pub stdout: Option<(Output, bool)>,
    /// Where `2>&1`, `&>` or `|&` stands.
    pub merged: Option<Span>,
    pub stderr: Option<Arc<str>>,
    /// The body of the here-document that is the standard input.
    pub document: Option<Span>,
}

impl<'a> Shell<'a, '_> {
    pub(super) fn written(&mut self, to: Output, append: bool, stream: Stream, span: Span) {
        let Stream { value, parts, .. } = stream;
        match to {
            Output::File(key) => self.write_file(key, append, value, parts, span),
            Output::Captured => {
                if let Some(stream) = self.state.streams.last_mut() {
                    stream.value.append(&value);
                }
            }
            Output::Shown | Output::Nowhere => {}
        }
    }

    /// A here-document that was written to a file may be a script that is run later.
    pub(super) fn keep_script(&mut self, key: Arc<str>, document: Span) {
        if let Some(unit) = self.unit.program(document) {
            self.state.scripts.insert(key, unit);
        }
    }

    pub(super) fn write_file(
        &mut self,
        key: Arc<str>,
        append: bool,
        value: Value,
        parts: Vec<(Value, Place)>,
        span: Span,
    ) {
        let place = self.unit.place(span);
        let controls = self.builder.controls.clone();
        self.state.writes.push(Write { file: key.clone(), value: value.clone(), place, controls, parts });
        let mut content = self.builder.name(crate::flow::Name::File(key.clone()), place, value);
        if append {
            let mut old = self.read_file(&key, span);
            if !old.is_plain() || old.literal.is_some() {
                old.append(&content);
                content = old;
            }
        }
        self.state.set_file(key, content);
    }

    pub(super) fn redirections(&mut self, redirects: &'a [Redirect]) -> Redirected {
        let mut result = Redirected::default();
        for redirect in redirects {
            match &redirect.kind {
                RedirectKind::HereDocument(document) => {
                    let value = self.here_document(document);
                    if redirect.fd.unwrap_or(0) == 0 {
                        result.document = Some(document.body.span);
                    }
                    self.input(redirect.fd, value, &mut result);
                }
                RedirectKind::HereString(word) => {
                    let value = self.word(word);
                    self.input(redirect.fd, value, &mut result);
                }
                RedirectKind::Input(word) | RedirectKind::ReadWrite(word) => {
                    let key = self.word_file(word);
                    let value = self.read_file(&key, word.span);
                    self.input(redirect.fd, value, &mut result);
                }
                RedirectKind::DuplicateInput(word) => {
                    if let Some(value) = self.descriptor(word) {
                        self.input(redirect.fd, value, &mut result);
                    }
                }
                RedirectKind::Output(word) | RedirectKind::Append(word) => {
                    let append = matches!(redirect.kind, RedirectKind::Append(_));
                    let to = self.output_to(word);
                    match redirect.fd.unwrap_or(1) {
                        1 => result.stdout = Some((to, append)),
                        2 => {
                            if let Output::File(key) = to {
                                result.stderr = Some(key);
                            }
                        }
                        _ => {}
                    }
                }
                RedirectKind::OutputAndError(word) | RedirectKind::AppendOutputAndError(word) => {
                    let append = matches!(redirect.kind, RedirectKind::AppendOutputAndError(_));
                    let to = self.output_to(word);
                    result.stdout = Some((to, append));
                    result.merged = Some(redirect.span);
                }
                RedirectKind::DuplicateOutput(word) => {
                    let target = self.word(word);
                    match (redirect.fd.unwrap_or(1), target.text().map(|text| &**text)) {
                        (1, Some("2")) => result.stdout = Some((Output::Shown, true)),
                        (2, Some("1")) => result.merged = Some(redirect.span),
                        _ => {}
                    }
                }
            }
        }
        result
    }

    fn output_to(&mut self, word: &'a Word) -> Output {
        if process_of(word).is_some() {
            return Output::Captured;
        }
        let key = self.word_file(word);
        match &*key {
            "/dev/null" => Output::Nowhere,
            "/dev/stderr" | "/dev/tty" | "$GITHUB_STEP_SUMMARY" => Output::Shown,
            "/dev/stdout" | "-" => self.state.streams.last().map_or(Output::Shown, |stream| stream.to.clone()),
            _ => Output::File(key),
        }
    }
}
