//! Places where a text becomes code, program text or grammar.

use std::sync::Arc;

/// Ways to execute a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Execution {
    /// `eval`
    Eval,
    /// `source`, `.`
    Source,
    /// `bash -c`, `python -c`, … with it in the program text; the program.
    Program(Arc<str>),
    /// Standard input of a shell: `… | bash`.
    Stdin(Arc<str>),
    /// `xargs sh -c`, `find -exec sh -c`
    Spawned(Arc<str>),
    /// Command position.
    Command,
    /// `${!x}`
    Indirect,
    /// `declare "$x"`, `export "$x"`, `printf -v "$x"`, `read "$x"`
    Name(Arc<str>),
    /// `trap "$x"`
    Trap,
    /// `$(( ))`, `(( ))`, `[[ -eq ]]`, `let`, an array index
    Arithmetic,
    /// `ssh host "$x"`
    Remote,
    /// `git -c "$x"`, `ssh -o "$x"`
    Option(Arc<str>),
    /// `eval`, `new Function` in JavaScript.
    JavaScript,
}

/// Ways to paste a text into a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pasting {
    /// A quoted here-document's body: the engine writes the raw text there. The delimiter.
    Heredoc(Arc<str>),
    /// The program text of `bash -c '…'` and the like. The program.
    Program(Arc<str>),
    /// `${{ }}` in a `run:` script.
    Run,
    /// `${{ }}` in a `github-script` body.
    JavaScript,
}

/// Ways to misuse a text as grammar of the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// Unquoted: split and globbed.
    Split,
    /// `printf "$x"`
    Format,
    /// `echo "$x" | …`
    Echo,
    /// A leading `-` becomes an option.
    Option,
    /// As a pattern: `[[ y == $x ]]`, `case`, `${y#$x}`, `grep "$x"`.
    Pattern,
}
