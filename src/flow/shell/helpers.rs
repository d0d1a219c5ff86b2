//! Stages of the canonical pipeline.

use std::sync::Arc;

use super::line::Line;
use super::{Shell, Status};
use crate::flow::{DefaultValue, NodeKind, Normaliser, Stage, Trust, Value};

impl<'a> Shell<'a, '_> {
    /// The stage that a command is: `amplihack orch helper …` by whatever path, `recipelint extract|normalise …`, or a
    /// helper of the configuration.
    pub(super) fn stage(&self, line: &Line<'a, '_>) -> Option<Stage> {
        let texts: Vec<&str> = (0..line.words.len().min(8)).map(|at| line.text(at).unwrap_or_default()).collect();
        if let Some(at) = texts.windows(2).position(|pair| pair == ["orch", "helper"]) {
            return match *texts.get(at + 2)? {
                "extract-json" => Some(Stage::ExtractJson),
                "extract-field" => Some(Stage::ExtractField),
                "normalise-verdict" | "normalize-verdict" => Some(Stage::NormaliseVerdict),
                "normalise-loop-verdict" | "normalize-loop-verdict" => Some(Stage::NormaliseLoop),
                "normalise-type" | "normalize-type" => Some(Stage::NormaliseType),
                _ => None,
            };
        }
        if line.name() == Some("recipelint") {
            return match (*texts.get(1)?, *texts.get(2)?) {
                ("extract", "json") => Some(Stage::ExtractJson),
                ("extract", "field") => Some(Stage::ExtractField),
                ("extract", "tag" | "last-object") => Some(Stage::ExtractWhole),
                ("normalise", "verdict") => Some(Stage::NormaliseVerdict),
                ("normalise", "loop-verdict") => Some(Stage::NormaliseLoop),
                _ => None,
            };
        }
        self.options.helpers.iter().find_map(|helper| {
            let matches = !helper.command.is_empty()
                && helper.command.iter().enumerate().all(|(at, word)| {
                    let text = texts.get(at).copied().unwrap_or_default();
                    text == word || (at == 0 && line.name() == Some(word))
                });
            matches.then(|| helper.stage.clone())
        })
    }

    /// A helper that is no stage: counting, reclassifying, building files. What it prints is its own.
    pub(super) fn is_other_helper(&self, line: &Line<'a, '_>) -> bool {
        (1..line.words.len().min(8)).any(|at| line.text(at) == Some("orch") && line.text(at + 1) == Some("helper"))
    }

    pub(super) fn helper(&mut self, line: &Line<'a, '_>, stage: &Stage) -> Status {
        let input = self.state.stdin.clone();
        let place = self.unit.place(line.span);
        let option = |name: &str| {
            let with = format!("{name}=");
            line.words.iter().enumerate().find_map(|(at, (word, value))| {
                let text = value.text().or(value.prefix.as_ref())?;
                if &**text == name {
                    let next = line.words.get(at + 1);
                    next.map(|(word, value)| {
                        (value.written.unwrap_or(self.unit.place(word.span)), value.text().cloned())
                    })
                } else {
                    let rest = text.strip_prefix(&with)?;
                    Some((self.unit.place(word.span), value.text().map(|_| Arc::from(rest))))
                }
            })
        };
        let (kind, trust) = match stage {
            Stage::ExtractJson => {
                let require = option("--require-field").map(|(_, field)| field);
                (NodeKind::ExtractJson { require }, Trust::Extracted)
            }
            Stage::ExtractField => {
                let field = option("--field").and_then(|(_, field)| field);
                let default = option("--default").map(|(place, literal)| DefaultValue { literal, place });
                (NodeKind::ExtractField { field, default }, Trust::Extracted)
            }
            Stage::NormaliseVerdict => (NodeKind::Normalise(Normaliser::Verdict), Trust::Extracted),
            Stage::NormaliseLoop => (NodeKind::Normalise(Normaliser::Loop), Trust::Extracted),
            Stage::NormaliseType => (NodeKind::Normalise(Normaliser::Type), Trust::Clean),
            Stage::Normalise(name) => (NodeKind::Normalise(Normaliser::Custom(name.as_str().into())), Trust::Extracted),
            Stage::ExtractWhole => (NodeKind::ExtractJson { require: Some(None) }, Trust::Extracted),
        };
        if input.is_plain() {
            self.print(Value::default(), line.span);
            return Status::default();
        }
        // A stage never makes a text less trusted than what it was given.
        let trust = trust.min(self.builder.trust(&input).max(Trust::Clean));
        let id = self.builder.with_trust(kind, place, &input, trust);
        self.print(Value::node(id), line.span);
        Status::default()
    }
}
