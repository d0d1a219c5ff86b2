//! What a list of commands does, as far as gates care. Purely syntactic, functions are looked into.

use std::cell::Cell;
use std::collections::HashMap;

use super::shape::{plain_text, raw_text};
use super::words::changed;
use super::{Shell, Unit};
use crate::flow::Effect;
use crate::syntax::shell::ast::{
    AndOr, Command, CommandKind, Function, If, List, Pipeline, Redirect, RedirectKind, Simple, Word,
};

/// Deepest nesting that is looked into: what is deeper acts.
const DEEPEST: usize = 24;
/// Most commands that one question looks at: functions that call each other twice would double them at each level.
const MOST: usize = 1_000;

const PRINTS: Effect = Effect { prints: true, stops: false, passes: false, again: false, acts: false, sets: false };
const ACTS: Effect = Effect { prints: false, stops: false, passes: false, again: false, acts: true, sets: false };
const SETS: Effect = Effect { prints: false, stops: false, passes: false, again: false, acts: false, sets: true };

/// Commands that do nothing that a gate could protect.
const NEUTRAL: &[&str] = &[
    ":", "true", "set", "shopt", "shift", "local", "declare", "typeset", "readonly", "unset", "cd", "pushd", "popd",
    "sleep", "wait", "trap", "test", "[", "date", "hash", "type", "command", "umask", "ulimit", "sync", "getopts",
    "tput",
];

/// Commands that only print, where their output is not redirected into a file.
const PRINTERS: &[&str] = &[
    "echo", "printf", "cat", "head", "tail", "sed", "grep", "awk", "cut", "tr", "sort", "uniq", "wc", "column", "fold",
    "fmt", "jq", "ls", "pwd", "env", "printenv", "basename", "dirname", "realpath", "stat", "du", "df", "diff", "xxd",
    "od", "base64", "tee", "nl", "rev", "tac", "paste", "egrep", "fgrep", "rg", "logger", "log", "warn", "info",
    "debug",
];

/// Looks at commands without running them.
struct Effects<'s, 'a> {
    functions: &'s HashMap<&'a str, (&'a Function, Unit<'a>)>,
    /// What is printed goes into a pipe, a substitution or a step's output.
    captured: bool,
    /// Commands that may still be looked at.
    left: Cell<usize>,
}

/// What a whole script does.
pub(crate) fn effect_of_script(unit: Unit<'_>, captured: bool) -> Effect {
    let mut functions = HashMap::new();
    for item in &unit.tree.body.items {
        for command in item.first.commands.iter().chain(item.rest.iter().flat_map(|(_, pipeline)| &pipeline.commands)) {
            if let CommandKind::Function(function) = &command.kind {
                functions.insert(function.name.as_str(), (&**function, unit));
            }
        }
    }
    Effects { functions: &functions, captured, left: Cell::new(MOST) }.effect_list(&unit.tree.body, 0)
}

impl<'a> Shell<'a, '_> {
    fn effects(&self) -> Effects<'_, 'a> {
        Effects { functions: &self.state.functions, captured: self.captured(), left: Cell::new(MOST) }
    }

    pub(super) fn effect_of_list(&self, list: &List) -> Effect {
        self.effects().effect_list(list, 0)
    }

    pub(super) fn effect_of_and_or(&self, item: &AndOr) -> Effect {
        self.effects().effect_and_or(item, 0)
    }

    pub(super) fn effect_of_pipeline(&self, pipeline: &Pipeline) -> Effect {
        self.effects().effect_pipeline(pipeline, 0)
    }

    /// The numbers of the lists in which a command stands that also stands in `last` and does something.
    pub(super) fn alike<'l>(&self, lists: impl Iterator<Item = &'l List>, last: &List) -> Vec<usize> {
        let own = self.acting_commands(last);
        if own.is_empty() {
            return Vec::new();
        }
        let shares = |list: &List| self.acting_commands(list).iter().any(|command| own.contains(command));
        lists.enumerate().filter(|(_, list)| shares(list)).map(|(at, _)| at).collect()
    }

    /// The texts of a list's own commands that do something.
    fn acting_commands(&self, list: &List) -> Vec<&str> {
        let pipelines = list
            .items
            .iter()
            .flat_map(|item| std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline)));
        let acting = pipelines.flat_map(|pipeline| &pipeline.commands).filter(|command| {
            let effects = self.effects();
            effects.effect_command(command, 0).acts
        });
        acting.filter_map(|command| self.unit.fragment.text().get(command.span.range())).collect()
    }

    /// What happens when each test of an `if` is false: the later branches, or what follows the `fi`.
    pub(super) fn effects_of_rests(&self, branches: &If) -> Vec<Effect> {
        let mut rest = branches.otherwise.as_ref().map(|otherwise| self.effect_of_list(otherwise)).unwrap_or_default();
        let mut rests = Vec::with_capacity(branches.branches.len());
        for (_, body) in branches.branches.iter().rev() {
            rests.push(rest);
            rest = self.effect_of_list(body).then(rest);
        }
        rests.reverse();
        rests
    }
}

impl Effects<'_, '_> {
    fn effect_list(&self, list: &List, depth: usize) -> Effect {
        let mut effect = Effect::default();
        for item in &list.items {
            let next = self.effect_and_or(item, depth);
            effect = effect.then(next);
            let ends = item.rest.is_empty() && ends_script(&item.first);
            if ends {
                break;
            }
        }
        effect
    }

    fn effect_and_or(&self, item: &AndOr, depth: usize) -> Effect {
        let mut effect = self.effect_pipeline(&item.first, depth);
        for (_, pipeline) in &item.rest {
            effect = effect.then(self.effect_pipeline(pipeline, depth));
        }
        effect
    }

    fn effect_pipeline(&self, pipeline: &Pipeline, depth: usize) -> Effect {
        let mut effect = Effect::default();
        for (at, command) in pipeline.commands.iter().enumerate() {
            let mut next = self.effect_command(command, depth);
            // What a command prints into a pipe is the next one's matter, and what it assigns is lost with its subshell.
            next.sets = next.sets && (at + 1 == pipeline.commands.len() || writes_file(command));
            effect = effect.then(next);
        }
        effect
    }

    fn effect_command(&self, command: &Command, depth: usize) -> Effect {
        let left = self.left.get();
        if depth > DEEPEST || left == 0 {
            return ACTS;
        }
        self.left.set(left - 1);
        let depth = depth + 1;
        let effect = match &command.kind {
            CommandKind::Simple(simple) => self.effect_simple(simple, depth),
            CommandKind::If(branches) => {
                let mut effect = Effect::default();
                for (condition, body) in &branches.branches {
                    effect = effect.then(self.effect_list(condition, depth)).then(self.effect_list(body, depth));
                }
                if let Some(otherwise) = &branches.otherwise {
                    effect = effect.then(self.effect_list(otherwise, depth));
                }
                effect
            }
            CommandKind::While(body) => {
                self.effect_list(&body.condition, depth).then(self.effect_list(&body.body, depth))
            }
            CommandKind::For(body) => self.effect_list(&body.body, depth),
            CommandKind::ArithmeticFor(body) => self.effect_list(&body.body, depth),
            CommandKind::Case(case) => {
                case.arms.iter().fold(Effect::default(), |effect, arm| effect.then(self.effect_list(&arm.body, depth)))
            }
            CommandKind::Subshell(list) | CommandKind::Group(list) => self.effect_list(list, depth),
            CommandKind::Arithmetic(word) if changed(&raw_text(word)).next().is_some() => SETS,
            CommandKind::Arithmetic(_) | CommandKind::Test(_) | CommandKind::Function(_) => Effect::default(),
            CommandKind::Coproc(inner) => self.effect_command(inner, depth),
            CommandKind::Unreadable => ACTS,
        };
        redirected(effect, &command.redirects, self.captured)
    }

    fn effect_simple(&self, simple: &Simple, depth: usize) -> Effect {
        let Some(first) = simple.words.first() else { return SETS };
        let word = |at: usize| simple.words.get(at).and_then(plain_text);
        let Some(name) = plain_text(first) else {
            // The program's path is in a variable.
            return ACTS;
        };
        let name = name.rsplit('/').next().unwrap_or(name);
        if let Some((function, _)) = self.functions.get(name) {
            return self.effect_command(&function.body, depth);
        }
        match name {
            "exit" | "return" => match word(1) {
                Some("0") => Effect { passes: true, ..Effect::default() },
                // A bare `exit` hands on the last status; a computed one may be anything.
                None => Effect { stops: true, passes: true, ..Effect::default() },
                Some(_) => Effect { stops: true, ..Effect::default() },
            },
            "false" => Effect { stops: true, ..Effect::default() },
            "break" | "continue" => Effect { passes: true, again: true, ..Effect::default() },
            "export" | "read" | "mapfile" | "readarray" | "let" => SETS,
            "local" | "declare" | "typeset" | "readonly" if !simple.declared.is_empty() => SETS,
            "rm" if simple.words.iter().filter_map(plain_text).any(|word| word.contains("tmp")) => PRINTS,
            "gh" => match (word(1), word(2)) {
                (Some("pr" | "issue"), Some("comment" | "view" | "list" | "status" | "diff" | "checks")) => PRINTS,
                (Some("run" | "repo"), Some("view" | "list")) => PRINTS,
                _ => ACTS,
            },
            "git" => match word(1) {
                Some("status" | "log" | "diff" | "show" | "rev-parse" | "ls-files" | "describe") => PRINTS,
                Some("branch") if word(2).is_none_or(|option| option.starts_with("--") || is_listing(option)) => PRINTS,
                _ => ACTS,
            },
            "sed" | "gsed" | "perl" if simple.words.iter().skip(1).filter_map(plain_text).any(edits_in_place) => ACTS,
            _ if NEUTRAL.contains(&name) => Effect::default(),
            _ if PRINTERS.contains(&name) => PRINTS,
            _ => ACTS,
        }
    }
}

/// Printing into a file, a pipe or a substitution sets something that may be read later; printing elsewhere only shows.
fn redirected(effect: Effect, redirects: &[Redirect], captured: bool) -> Effect {
    let mut to_file = false;
    let mut elsewhere = false;
    let mut marks = false;
    for redirect in redirects {
        match &redirect.kind {
            RedirectKind::Output(word) | RedirectKind::Append(word) if redirect.fd.unwrap_or(1) == 1 => {
                marks |= matches!(redirect.kind, RedirectKind::Output(_)) && is_marker(word);
                if shown_target(word) {
                    elsewhere = true;
                } else {
                    to_file = true;
                }
            }
            RedirectKind::OutputAndError(word) | RedirectKind::AppendOutputAndError(word) => {
                if shown_target(word) {
                    elsewhere = true;
                } else {
                    to_file = true;
                }
            }
            RedirectKind::DuplicateOutput(word) if redirect.fd.unwrap_or(1) == 1 => {
                elsewhere = elsewhere || plain_text(word) == Some("2");
            }
            _ => {}
        }
    }
    if marks {
        return effect.then(ACTS);
    }
    if effect.prints && (to_file || (captured && !elsewhere)) { effect.then(SETS) } else { effect }
}

/// `-a`, `-vv` of `git branch`
fn is_listing(option: &str) -> bool {
    matches!(option, "-a" | "-r" | "-v" | "-vv" | "-l")
}

/// `sed -i`, `sed -Ei`, `perl -pi`
fn edits_in_place(option: &str) -> bool {
    let letters = option.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    option.starts_with("--in-place") || option.starts_with("-i") || letters.is_some_and(|rest| rest.ends_with('i'))
}

/// `> .approved`, `> ready`: a file that is a sign by being there.
fn is_marker(word: &Word) -> bool {
    let text = raw_text(word);
    let name = text.rsplit('/').next().unwrap_or_default();
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-'));
    plain && !text.starts_with("/tmp/") && !text.starts_with("/dev/") && !name.trim_start_matches('.').contains('.')
}

fn writes_file(command: &Command) -> bool {
    command.redirects.iter().any(|redirect| match &redirect.kind {
        RedirectKind::Output(word)
        | RedirectKind::Append(word)
        | RedirectKind::OutputAndError(word)
        | RedirectKind::AppendOutputAndError(word) => !shown_target(word),
        _ => false,
    })
}

fn shown_target(word: &Word) -> bool {
    let text = raw_text(word);
    text == "/dev/null"
        || text == "/dev/stderr"
        || text == "/dev/tty"
        || text.contains("GITHUB_STEP_SUMMARY")
        || text.rsplit('.').next().is_some_and(|ending| ending.eq_ignore_ascii_case("log"))
}

/// `exit`, `return`, `break`, `continue` as a command of its own.
fn ends_script(pipeline: &Pipeline) -> bool {
    matches!(pipeline.commands.as_slice(), [command] if matches!(&command.kind, CommandKind::Simple(simple)
        if matches!(simple.words.first().and_then(plain_text), Some("exit" | "return" | "break" | "continue"))))
}
