//! grep, awk, sed and the tools that only cut.

use std::sync::Arc;

use super::line::Line;
use super::test::exact_words;
use super::words::is_white_space;
use super::{Shell, Status};
use crate::flow::{Execution, Misuse, NodeKind, Pass, TextTool, Trust, Value};
use crate::syntax::shell::ast::Word;

/// A command line of a text tool, read.
#[derive(Debug, Default)]
struct Read<'a> {
    tool: TextTool,
    patterns: Vec<(&'a Word, Value)>,
    files: Vec<(&'a Word, Value)>,
    recursive: bool,
    in_place: bool,
    /// What it looks for cannot become an option: `--`, `-e`.
    guarded: bool,
}

impl Default for TextTool {
    fn default() -> Self {
        Self {
            tool: "".into(),
            pattern_based: true,
            fixed: false,
            whole_line: false,
            inverted: false,
            patterns: Vec::new(),
            quiet: false,
            numeric: false,
            separator: None,
        }
    }
}

impl<'a> Shell<'a, '_> {
    pub(super) fn text_tool(&mut self, line: &Line<'a, '_>) -> Status {
        let name = line.name().unwrap_or_default();
        let mut read = match name {
            "grep" | "egrep" | "fgrep" | "rg" | "ag" | "pcregrep" | "zgrep" => grep_arguments(line),
            "sed" | "gsed" | "awk" | "gawk" | "mawk" | "nawk" => program_arguments(line),
            "tr" => Read { patterns: operands(line, &[]), ..Read::default() },
            "expr" => return self.expr(line),
            _ => Read { files: operands(line, options_with_values(name)), ..Read::default() },
        };
        read.tool.tool = name.into();
        read.tool.pattern_based = matches!(
            name,
            "grep"
                | "egrep"
                | "fgrep"
                | "rg"
                | "ag"
                | "pcregrep"
                | "zgrep"
                | "sed"
                | "gsed"
                | "awk"
                | "gawk"
                | "mawk"
                | "nawk"
        );
        read.tool.fixed |= name == "fgrep";
        read.tool.numeric |= name == "wc" || (name == "tr" && keeps_digits(line));
        read.tool.patterns = read.patterns.iter().map(|(_, value)| value.text().cloned()).collect();
        for (word, value) in &read.patterns {
            if self.builder.trust(value) >= Trust::Extracted {
                // awk has `system()`.
                let kind = match name {
                    _ if name.ends_with("awk") => NodeKind::Execute(Execution::Program(name.into())),
                    _ if read.tool.fixed && read.guarded => continue,
                    _ if read.tool.fixed => NodeKind::Unquoted(Misuse::Option),
                    _ => NodeKind::Unquoted(Misuse::Pattern),
                };
                self.builder.on(kind, self.unit.place(word.span), value);
            }
        }
        let mut input = Value::default();
        if read.files.is_empty() {
            if !read.recursive {
                input = self.state.stdin.clone();
            }
        } else {
            for (word, path) in &read.files {
                let content = self.content(word, path);
                input.add_nodes(&content.nodes);
                if input.literal.is_none() {
                    input.literal = content.literal;
                }
            }
        }
        if input.is_plain() {
            self.print(Value { literal: None, ..Value::default() }, line.span);
            return Status::default();
        }
        if read.in_place {
            for (word, path) in &read.files {
                let key = self.file_key(path, word);
                let old = self.read_file(&key, word.span);
                let id = self.builder.on(NodeKind::Text(Box::new(read.tool.clone())), self.unit.place(line.span), &old);
                self.state.set_file(key, Value::node(id));
            }
            return Status::default();
        }
        if let Some(pass) = harmless(name, line, &read) {
            let value = self.pass(pass, input, line.span);
            self.print(value, line.span);
            return Status::default();
        }
        if name == "wc" && asks_for_size(line) {
            self.print(Value::default(), line.span);
            return Status::default();
        }
        let place = self.unit.place(line.span);
        if read.tool.pattern_based && asks_presence(&read.tool) {
            let id =
                self.builder.with_trust(NodeKind::Presence { empty: read.tool.inverted }, place, &input, Trust::Clean);
            return Status::of(Some(id));
        }
        if read.tool.pattern_based && asks_for_failures(&read.tool) {
            let value = self.pass(Pass::Print, input, line.span);
            if !read.tool.quiet {
                self.print(value, line.span);
            }
            return Status::default();
        }
        let quiet = read.tool.quiet;
        let tells = matches!(name, "grep" | "egrep" | "fgrep" | "rg" | "ag" | "pcregrep" | "zgrep");
        // `grep -qx PASS` on a field is equality.
        if quiet
            && tells
            && !read.tool.inverted
            && self.builder.trust(&input) == Trust::Extracted
            && !ignores_case(line)
            && let [(word, value)] = read.patterns.as_slice()
            && let Some(pattern) = value.text().filter(|_| !read.tool.fixed || read.tool.whole_line)
            && let Some(words) = exact_words(pattern, read.tool.whole_line)
        {
            return Status::of(self.is_one_of(&words, false, &input, (word.span, line.span)));
        }
        let programs = || read.tool.patterns.iter().flatten();
        let decides_itself = match name {
            "awk" | "gawk" | "mawk" | "nawk" => programs().any(|program| program.contains("exit")),
            // `q1` of GNU sed is an exit status.
            "sed" | "gsed" => programs().any(|program| {
                let mut ends = program.match_indices(['q', 'Q']).filter_map(|(at, _)| program.get(at + 1..));
                ends.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            }),
            _ => false,
        };
        let id = self.builder.on(NodeKind::Text(Box::new(read.tool)), place, &input);
        if !quiet {
            self.print(Value::node(id), line.span);
        }
        Status::of((tells || decides_itself).then_some(id))
    }

    /// `expr "$x" : 're'`
    fn expr(&mut self, line: &Line<'a, '_>) -> Status {
        let all = line.all();
        if all.is_plain() {
            return Status::default();
        }
        let place = self.unit.place(line.span);
        let pattern =
            line.words.iter().position(|(_, value)| value.text().is_some_and(|text| matches!(&**text, ":" | "match")));
        let Some(at) = pattern else {
            let value = self.pass(Pass::Command, all, line.span);
            self.print(value, line.span);
            return Status::default();
        };
        let patterns = vec![line.words.get(at + 1).and_then(|(_, value)| value.text().cloned())];
        let found = crate::flow::Match { how: crate::flow::MatchHow::Expr, patterns, negated: false };
        let id = self.builder.on(NodeKind::Match(Box::new(found)), place, &all);
        self.print(Value::node(id), line.span);
        Status::of(Some(id))
    }
}

/// `grep -i`
fn ignores_case(line: &Line<'_, '_>) -> bool {
    line.arguments().iter().filter_map(|(_, value)| value.text()).any(|text| {
        &**text == "--ignore-case" || (text.starts_with('-') && !text.starts_with("--") && text.contains('i'))
    })
}

/// Whether `wc` counts bytes, characters or words: how long a text is says nothing of what it says.
fn asks_for_size(line: &Line<'_, '_>) -> bool {
    let mut options =
        line.arguments().iter().filter_map(|(_, value)| value.text()).filter(|text| text.starts_with('-')).peekable();
    options.peek().is_some()
        && options.all(|text| matches!(&**text, "--bytes" | "--chars" | "--words") || !text.starts_with("--"))
        && !line.arguments().iter().any(|(_, value)| {
            value.text().is_some_and(|text| text.starts_with('-') && !text.starts_with("--") && text.contains('l'))
        })
}

/// Options of cutting tools whose value is the next word.
fn options_with_values(name: &str) -> &'static [&'static str] {
    match name {
        "head" | "tail" => &["-n", "-c"],
        "cut" => &["-d", "-f", "-c", "-b"],
        "sort" => &["-k", "-t", "-o"],
        "column" => &["-t", "-s"],
        "fold" | "fmt" => &["-w"],
        _ => &[],
    }
}

fn operands<'a>(line: &Line<'a, '_>, with_value: &[&str]) -> Vec<(&'a Word, Value)> {
    let mut found = Vec::new();
    let mut skip = false;
    let mut only_operands = false;
    for (word, value) in line.arguments() {
        let text = value.text().map(|text| &**text);
        if skip {
            skip = false;
        } else if only_operands {
            found.push((*word, value.clone()));
        } else if text == Some("--") {
            only_operands = true;
        } else if text.is_some_and(|text| text.starts_with('-') && text.len() > 1) {
            skip = text.is_some_and(|text| with_value.contains(&text));
        } else {
            found.push((*word, value.clone()));
        }
    }
    found
}

fn grep_arguments<'a>(line: &Line<'a, '_>) -> Read<'a> {
    let mut read = Read::default();
    let mut operands = Vec::new();
    let mut explicit = false;
    let mut only_operands = false;
    let mut arguments = line.arguments().iter();
    while let Some((word, value)) = arguments.next() {
        let text = value.text().map(|text| &**text);
        let Some(option) = text.filter(|text| !only_operands && text.starts_with('-') && text.len() > 1) else {
            operands.push((*word, value.clone()));
            continue;
        };
        if option == "--" {
            only_operands = true;
            continue;
        }
        if let Some(long) = option.strip_prefix("--") {
            match long.split_once('=').map_or(long, |(name, _)| name) {
                "fixed-strings" => read.tool.fixed = true,
                "line-regexp" => read.tool.whole_line = true,
                "invert-match" => read.tool.inverted = true,
                "quiet" | "silent" => read.tool.quiet = true,
                "count" => read.tool.numeric = true,
                "recursive" => read.recursive = true,
                "regexp" => {
                    explicit = true;
                    match long.split_once('=') {
                        Some((_, pattern)) => read.patterns.push((word, Value::literal(pattern))),
                        None => read.patterns.extend(arguments.next().map(|(word, value)| (*word, value.clone()))),
                    }
                }
                "file" | "max-count" | "after-context" | "before-context" | "context" if !long.contains('=') => {
                    arguments.next();
                }
                _ => {}
            }
            continue;
        }
        let letters: Vec<char> = option.chars().skip(1).collect();
        for (at, letter) in letters.iter().enumerate() {
            match letter {
                'F' => read.tool.fixed = true,
                'x' => read.tool.whole_line = true,
                'v' => read.tool.inverted = true,
                'q' => read.tool.quiet = true,
                'c' => read.tool.numeric = true,
                'r' | 'R' => read.recursive = true,
                'e' | 'f' | 'm' | 'A' | 'B' | 'C' => {
                    let attached: String = letters.iter().skip(at + 1).collect();
                    let next = if attached.is_empty() {
                        arguments.next().map(|(word, value)| (*word, value.clone()))
                    } else {
                        Some((*word, Value::literal(attached)))
                    };
                    if *letter == 'e' {
                        explicit = true;
                        read.patterns.extend(next);
                    } else if *letter == 'f' {
                        explicit = true;
                        read.patterns.extend(next.map(|(word, _)| (word, Value::default())));
                    }
                    break;
                }
                _ => {}
            }
        }
    }
    read.guarded = explicit || only_operands;
    let mut operands = operands.into_iter();
    if !explicit {
        read.patterns.extend(operands.next());
    }
    read.files = operands.collect();
    read
}

/// sed and awk: the program is the first operand unless `-e`/`-f` gave it.
fn program_arguments<'a>(line: &Line<'a, '_>) -> Read<'a> {
    let mut read = Read::default();
    let mut operands = Vec::new();
    let mut explicit = false;
    let awk = line.name().is_some_and(|name| name.ends_with("awk"));
    let mut arguments = line.arguments().iter();
    while let Some((word, value)) = arguments.next() {
        let text = value.text().map(|text| &**text);
        match text {
            Some("--") => {}
            Some(option) if option.starts_with('-') && option.len() > 1 => {
                if awk && option == "-v" {
                    arguments.next();
                } else if awk && option == "-F" {
                    read.tool.separator = arguments.next().and_then(|(_, value)| value.text().cloned());
                } else if awk && option.starts_with("-F") {
                    read.tool.separator = option.strip_prefix("-F").map(Arc::from);
                } else if awk && option.starts_with("-v") {
                    // The value is attached.
                } else if option == "-f" || option == "--file" {
                    explicit = true;
                    arguments.next();
                } else if !awk && (option == "--expression" || (option.ends_with('e') && !option.starts_with("--"))) {
                    explicit = true;
                    read.patterns.extend(arguments.next().map(|(word, value)| (*word, value.clone())));
                } else if !awk && (option.starts_with("-i") || option.starts_with("--in-place")) {
                    read.in_place = true;
                }
            }
            _ => operands.push((*word, value.clone())),
        }
    }
    let mut operands = operands.into_iter();
    if !explicit {
        read.patterns.extend(operands.next());
    }
    // `awk '…' name=value file`
    read.files = operands
        .filter(|(_, value)| !(awk && value.text().or(value.prefix.as_ref()).is_some_and(|text| text.contains('='))))
        .collect();
    read
}

/// Whether only white space or case changes, or the order of lines.
fn harmless(name: &str, line: &Line<'_, '_>, read: &Read<'_>) -> Option<Pass> {
    let pattern = |at: usize| read.tool.patterns.get(at).and_then(|pattern| pattern.as_deref());
    match name {
        "tr" => {
            let delete = line.arguments().iter().any(|(_, value)| {
                value.text().is_some_and(|text| {
                    text.starts_with('-') && text.contains('d') && !text.contains('c') && !text.contains('C')
                })
            });
            let complement = line.arguments().iter().any(|(_, value)| {
                value.text().is_some_and(|text| text.starts_with('-') && (text.contains('c') || text.contains('C')))
            });
            if complement {
                return None;
            }
            let first = pattern(0)?;
            if delete {
                return white_set(first).then_some(Pass::Trim);
            }
            let case = |set: &str| matches!(set, "A-Z" | "a-z" | "[:upper:]" | "[:lower:]" | "[A-Z]" | "[a-z]");
            let second = pattern(1).unwrap_or_default();
            if (case(first) && case(second)) || white_set(first) || (second.is_empty() && white_set(first)) {
                return Some(Pass::Trim);
            }
            // `tr '-' '_'`, `tr ' ' '-'`: characters are spelled otherwise, nothing is cut.
            (first.chars().count() <= 2 && second.chars().count() <= 2 && !second.is_empty()).then_some(Pass::Trim)
        }
        "sed" | "gsed" => {
            let programs: Option<Vec<&str>> = read.tool.patterns.iter().map(|pattern| pattern.as_deref()).collect();
            programs?.iter().all(|program| trims(program)).then_some(Pass::Trim)
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            matches!(pattern(0)?, "{$1=$1};1" | "{$1=$1;print}" | "1").then_some(Pass::Trim)
        }
        "fold" | "fmt" | "nl" | "tac" | "column" | "iconv" | "dos2unix" | "base64" | "rev" => Some(Pass::Print),
        _ => None,
    }
}

/// Words of transport errors, limits and leaked keys: whoever looks for them asks how the program ran or what must not
/// be published, and not what the agent decided.
const FAILURES: &[&str] = &[
    "rate.limit",
    "rate limit",
    "ratelimit",
    "usage limit",
    "session limit",
    "hit your limit",
    "quota",
    "429",
    "503",
    "529",
    "5[0-9]",
    "too many requests",
    "[tt]oo [mm]any [rr]equests",
    "overloaded",
    "nauthorized",
    "orbidden",
    "unknown configuration",
    "unknown option",
    "nrecognized",
    "command not found",
    "econnre",
    "etimedout",
    "timed out",
    "max_turns",
    "credit balance",
    "authentication",
    "api key",
    "ghp_",
    "github_pat_",
    "sk-",
    "akia",
    "private key",
];

/// Words that are a verdict wherever they stand.
const VERDICTS: &[&str] =
    &["pass", "approve", "reject", "verdict", "lgtm", "block", "severity", "critical", "ship", "merge", "safe"];

fn asks_for_failures(tool: &TextTool) -> bool {
    // A text that only the run knows, taken as it is: a secret that must not leak, a marker made at random.
    let unknown = tool.fixed && !tool.patterns.is_empty() && tool.patterns.iter().all(Option::is_none);
    if unknown {
        return true;
    }
    !tool.patterns.is_empty()
        && tool.patterns.iter().all(|pattern| {
            pattern.as_deref().is_some_and(|pattern| {
                let pattern = pattern.to_lowercase();
                FAILURES.iter().any(|word| pattern.contains(word))
                    && !VERDICTS.iter().any(|word| pattern.contains(word))
            })
        })
}

/// `tr -dc '0-9'`
fn keeps_digits(line: &Line<'_, '_>) -> bool {
    let texts: Vec<&str> = line.arguments().iter().filter_map(|(_, value)| value.text().map(|text| &**text)).collect();
    matches!(texts.as_slice(), ["-dc" | "-cd", "0-9" | "[:digit:]" | "0-9\\n" | "[0-9]"])
}

fn white_set(set: &str) -> bool {
    let rest =
        set.replace("[:space:]", "").replace("[:blank:]", "").replace("\\n", "").replace("\\r", "").replace("\\t", "");
    !set.is_empty()
        && rest.chars().all(|c| c.is_whitespace() || c == '"' || c == '\'' || c == '`' || c == '*' || c == '.')
}

/// A sed program that only strips white space, quotes or indents: `s/^[[:space:]]*//; s/ *$//`.
fn trims(program: &str) -> bool {
    program.split([';', '\n']).map(str::trim).filter(|part| !part.is_empty()).all(|part| {
        let Some(rest) = part.strip_prefix('s') else { return false };
        let Some(separator) = rest.chars().next() else { return false };
        let mut fields = rest.get(separator.len_utf8()..).unwrap_or_default().split(separator);
        let (Some(pattern), Some(with)) = (fields.next(), fields.next()) else { return false };
        let bare = pattern.trim_start_matches('^').trim_end_matches('$');
        let white =
            bare.is_empty() || is_white_space(bare) || matches!(bare, "\\r" | "\\s*" | "\\s\\+" | "\\s+" | "[ \\t]*");
        white && with.chars().all(|c| c.is_whitespace() || matches!(c, '|' | '>' | '-' | '#'))
    })
}

/// `grep -q .`: is there any text?
fn asks_presence(tool: &TextTool) -> bool {
    !tool.patterns.is_empty()
        && tool.patterns.iter().all(|pattern| {
            matches!(
                pattern.as_deref(),
                Some("." | "" | "[^[:space:]]" | "\\S" | "[[:alnum:]]" | "[^ ]" | ".*" | "NF" | "[[:graph:]]")
            )
        })
        && !tool.tool.ends_with("sed")
        && !tool.tool.ends_with("awk")
}

/// Kept for messages: the name of a tool as an `Arc`.
pub(super) fn tool_name(name: Option<&str>) -> Arc<str> {
    name.unwrap_or("command").into()
}
