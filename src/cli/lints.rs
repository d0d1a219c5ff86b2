//! `recipelint lints`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::Failure;
use crate::lints::lints;
use crate::report;

/// Arguments of `lints`.
#[derive(Debug, Args)]
pub struct Lints {
    /// How to list them
    #[arg(long, value_enum, default_value = "text")]
    format: ListFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ListFormat {
    /// A table
    Text,
    /// A JSON array
    Json,
}

impl Lints {
    /// Lists all lints.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let mut out = io::stdout().lock();
        match self.format {
            ListFormat::Text => {
                for lint in lints() {
                    let (level, fix, group) = (lint.level.name(), lint.fix.name(), lint.group.name());
                    writeln!(out, "{:<27} {level:<8} {fix:<8} {group:<9} {}", lint.id, lint.summary)?;
                }
            }
            ListFormat::Json => {
                let all: Vec<Value> = lints()
                    .iter()
                    .map(|lint| {
                        json!({
                            "id": lint.id,
                            "group": lint.group.name(),
                            "level": lint.level.name(),
                            "fix": lint.fix.name(),
                            "summary": lint.summary,
                            "url": report::url(lint.id),
                        })
                    })
                    .collect();
                let text = serde_json::to_string_pretty(&all).map_err(io::Error::from)?;
                writeln!(out, "{text}")?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
