//! `recipelint extract`: what a reply holds, read from standard input as the recipes' own helpers read it.

use std::io::{Read, Write};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::{Failure, input};
use crate::verdict::{self, Verdict};

/// Arguments of `extract`.
#[derive(Debug, Args)]
pub struct Extract {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the first JSON object of a reply, or {} if it has none (like `amplihack orch helper extract-json`)
    Json {
        /// Take the last object that has this field instead; use it for whatever decides
        #[arg(long, value_name = "FIELD")]
        require_field: Option<String>,
    },
    /// Print a field of one JSON object (like `amplihack orch helper extract-field`)
    Field {
        /// Name of the top-level field
        #[arg(long)]
        field: String,
        /// Printed if the field is missing or null, or if the input is no JSON object
        #[arg(long, default_value = "", allow_hyphen_values = true)]
        default: String,
    },
    /// Print what stands in the last complete <TAG>…</TAG>; exit code 1 if there is none
    Tag {
        /// Name of the tag, without angle brackets
        tag: String,
        /// Read it as JSON, out of its fence if it has one; exit code 1 if it is not JSON
        #[arg(long)]
        json: bool,
        /// Whose rules hold for the fence
        #[arg(long, value_enum, default_value = "sandcastle", requires = "json")]
        fence: Fence,
    },
    /// Print the last JSON object that parses; exit code 1 if there is none
    LastObject {
        /// Try the last object that opens with this key first
        #[arg(long, value_name = "KEY")]
        opens_with: Option<String>,
    },
    /// Print the verdict of an `AgentUse` judge; exit code 1 if there is none
    Judge,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Fence {
    Sandcastle,
    Outpost,
}

impl Extract {
    /// Reads a reply from `input` and prints to `out`. Without a result the reason goes to `notes` and the exit code
    /// is 1, except where a default is printed.
    pub fn run(self, input: &mut dyn Read, out: &mut dyn Write, notes: &mut dyn Write) -> Result<ExitCode, Failure> {
        let text = input::text(input)?;
        let found = match self.what {
            What::Json { require_field } => {
                let object = match require_field {
                    Some(field) => verdict::extract_json_requiring(&text, &field),
                    None => verdict::extract_json(&text),
                };
                Verdict::Found(compact(object.found().unwrap_or_default()))
            }
            What::Field { field, default } => {
                Verdict::Found(verdict::extract_field(&text, &field).found().unwrap_or(default))
            }
            What::Tag { tag, json: false, .. } => verdict::tag_text(&text, &tag).map(str::to_owned),
            What::Tag { tag, fence, .. } => {
                let fence = match fence {
                    Fence::Sandcastle => verdict::Fence::Sandcastle,
                    Fence::Outpost => verdict::Fence::Outpost,
                };
                verdict::tag_json(&text, &tag, fence).map(|value| verdict::compact(&value))
            }
            What::LastObject { opens_with } => verdict::last_object(&text, opens_with.as_deref()).map(compact),
            What::Judge => verdict::judgement(&text).map(|judgement| {
                let candidates: Vec<_> = judgement
                    .candidates
                    .iter()
                    .map(|one| json!({"id": one.id, "pass": one.pass, "critique": one.critique}))
                    .collect();
                verdict::compact(&json!({
                    "pass": judgement.pass, "critique": judgement.critique, "candidates": candidates
                }))
            }),
        };
        Ok(match found {
            Verdict::Found(printed) => {
                writeln!(out, "{printed}")?;
                ExitCode::SUCCESS
            }
            Verdict::None(reason) => {
                writeln!(notes, "recipelint: {reason}")?;
                ExitCode::from(1)
            }
        })
    }
}

fn compact(object: verdict::Object) -> String {
    verdict::compact(&Value::Object(object))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        extract: Extract,
    }

    /// Output, notes and whether the exit code is 0.
    fn run(arguments: &[&str], input: &str) -> (String, String, bool) {
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        let command = Command::try_parse_from([&["extract"], arguments].concat()).unwrap();
        let code = command.extract.run(&mut input.as_bytes(), &mut out, &mut notes).unwrap();
        (String::from_utf8(out).unwrap(), String::from_utf8(notes).unwrap(), code == ExitCode::SUCCESS)
    }

    #[test]
    fn json_always_prints_an_object() {
        let reply = "```json\n{\"v\": \"example\"}\n```\nNow: {\"v\": \"PASS\", \"a\": 1}";
        for (arguments, input, expected) in [
            (vec!["json"], reply, "{\"v\":\"example\"}\n"),
            (vec!["json", "--require-field", "v"], reply, "{\"a\":1,\"v\":\"PASS\"}\n"),
            (vec!["json", "--require-field", "w"], reply, "{}\n"),
            (vec!["json"], "I approve.", "{}\n"),
            (vec!["json"], "", "{}\n"),
        ] {
            assert_eq!(run(&arguments, input), (expected.to_owned(), String::new(), true), "{arguments:?}");
        }
    }

    #[test]
    fn field_prints_the_default_for_no_value() {
        for (arguments, input, expected) in [
            (vec!["field", "--field", "v"], "{\"v\":\"PASS\"}\n", "PASS\n"),
            (vec!["field", "--field", "v"], "{}", "\n"),
            (vec!["field", "--field", "v", "--default", "STUCK"], "{}", "STUCK\n"),
            (vec!["field", "--field", "v", "--default", "STUCK"], "{\"v\":null}", "STUCK\n"),
            (vec!["field", "--field", "v", "--default", "-1"], "prose", "-1\n"),
        ] {
            assert_eq!(run(&arguments, input), (expected.to_owned(), String::new(), true), "{arguments:?} {input}");
        }
    }

    #[test]
    fn tag_and_last_object_say_that_there_is_nothing() {
        for (arguments, input, expected) in [
            (vec!["tag", "v"], "<v>draft</v> <v>\n final\n</v>", Ok("final\n")),
            (vec!["tag", "v"], "<v></v>", Ok("\n")),
            (vec!["tag", "v"], "<v>cut", Err("no complete pair of the tag")),
            (vec!["tag", "v", "--json"], "<v>```json\n{\"b\": 1, \"a\": 2}\n```</v>", Ok("{\"a\":2,\"b\":1}\n")),
            (vec!["tag", "v", "--json"], "<v>{\"b\": 1,}</v>", Err("not JSON: trailing comma")),
            (vec!["tag", "v", "--json"], "<v>```JSON\n1\n```</v>", Err("not JSON")),
            (vec!["tag", "v", "--json", "--fence", "outpost"], "<v>```JSON\n1\n```</v>", Ok("1\n")),
            (vec!["last-object"], "{x} {\"v\": 1} {\"v\": 2} done", Ok("{\"v\":2}\n")),
            (vec!["last-object"], "}{", Err("no JSON object")),
            (vec!["last-object", "--opens-with", "v"], "{\"v\": \"}}}\"}", Ok("{\"v\":\"}}}\"}\n")),
            (vec!["judge"], "{\"pass\": true}", Ok("{\"candidates\":[],\"critique\":null,\"pass\":true}\n")),
            (vec!["judge"], "{\"pass\": false}", Err("without a critique")),
        ] {
            let (out, notes, ok) = run(&arguments, input);
            match expected {
                Ok(printed) => assert_eq!((out.as_str(), notes.as_str(), ok), (printed, "", true), "{arguments:?}"),
                Err(reason) => {
                    assert!(notes.contains(reason), "{arguments:?} {notes}");
                    assert_eq!((out.as_str(), ok), ("", false), "{arguments:?}");
                }
            }
        }
    }

    #[test]
    fn long_and_foreign_input_is_refused_as_a_whole() {
        let run = |bytes: &[u8]| {
            let (mut out, mut notes) = (Vec::new(), Vec::new());
            let command = Command::try_parse_from(["extract", "json"]).unwrap();
            let failure = command.extract.run(&mut &*bytes, &mut out, &mut notes).unwrap_err();
            assert!(out.is_empty());
            format!("{failure:?}")
        };
        assert!(run(b"{\"v\": \"\xff\"}").contains("not UTF-8: byte 7"));
        let long = vec![b' '; usize::try_from(input::LIMIT).unwrap() + 1];
        assert!(run(&long).contains("longer than 10485760 bytes"));
    }
}
