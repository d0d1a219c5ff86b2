//! `recipelint normalise`: one word in, the canonical word of its vocabulary out.

use std::io::{Read, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::{Failure, input};
use crate::verdict::Vocabulary;

/// Arguments of `normalise`.
#[derive(Debug, Args)]
pub struct Normalise {
    /// Which vocabulary
    #[arg(value_enum)]
    kind: Kind,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// A verdict on work: `WORK_VERIFIED`, `HOLLOW_SUCCESS`, or `INSUFFICIENT_EVIDENCE` for everything else
    Verdict,
    /// A verdict on a loop: `CONTINUE`, `DONE`, or `STUCK` for everything else
    LoopVerdict,
}

impl Normalise {
    /// Reads a word from `input` and prints its canonical form. There is no input without one: what is too long or not
    /// UTF-8 is no word of the vocabulary.
    pub fn run(self, input: &mut dyn Read, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        let vocabulary = match self.kind {
            Kind::Verdict => Vocabulary::work(),
            Kind::LoopVerdict => Vocabulary::of_loop(),
        };
        let bytes = input::bytes(input)?.unwrap_or_default();
        let word = std::str::from_utf8(&bytes).unwrap_or_default();
        writeln!(out, "{}", vocabulary.normalise(word))?;
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn run(kind: Kind, input: &[u8]) -> String {
        let mut out = Vec::new();
        let code = Normalise { kind }.run(&mut &*input, &mut out).unwrap();
        assert_eq!(code, ExitCode::SUCCESS);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn there_is_always_a_word_and_exit_code_0() {
        for (input, work, of_loop) in [
            ("APPROVED\n", "WORK_VERIFIED\n", "STUCK\n"),
            ("failed", "HOLLOW_SUCCESS\n", "STUCK\n"),
            ("continue \n", "INSUFFICIENT_EVIDENCE\n", "CONTINUE\n"),
            ("converged", "INSUFFICIENT_EVIDENCE\n", "DONE\n"),
            ("UNVERIFIED", "INSUFFICIENT_EVIDENCE\n", "STUCK\n"),
            ("", "INSUFFICIENT_EVIDENCE\n", "STUCK\n"),
        ] {
            assert_eq!(run(Kind::Verdict, input.as_bytes()), work, "{input}");
            assert_eq!(run(Kind::LoopVerdict, input.as_bytes()), of_loop, "{input}");
        }
        assert_eq!(run(Kind::LoopVerdict, b"CONTINUE\xff"), "STUCK\n");
        let mut long = b"PASS".to_vec();
        long.resize(usize::try_from(input::LIMIT).unwrap() + 1, b' ');
        assert_eq!(run(Kind::Verdict, &long), "INSUFFICIENT_EVIDENCE\n");
    }
}
