//! The files of the repository that the shell scripts of a workflow or recipe run, and the prompts that workflows hand
//! to agents.

use crate::recipe::{Action, Base, Mention, MentionKind, Recipe, Script};
use crate::syntax::shell::ast::{Command, CommandKind, RedirectKind, Word};
use crate::syntax::shell::visit;
use crate::text::{Fragment, Spanned};

/// More files of one workflow are not looked for.
const MOST: usize = 100;
/// Endings of programs.
const PROGRAMS: &[&str] = &[".sh", ".bash", ".js", ".mjs", ".cjs", ".ts", ".py"];
/// Endings of prompts.
const PROMPTS: &[&str] = &[".md", ".txt", ".prompt"];
/// Names under which the checkout is known, with what follows them in a path.
const ROOTS: &[&str] =
    &["${GITHUB_WORKSPACE}/", "$GITHUB_WORKSPACE/", "${{ github.workspace }}/", "${{github.workspace}}/", "./"];
/// The same for the folder of a composite action.
const ACTION: &[&str] =
    &["${GITHUB_ACTION_PATH}/", "$GITHUB_ACTION_PATH/", "${{ github.action_path }}/", "${{github.action_path}}/"];
/// Programs that run agents; what is read into their arguments is a prompt.
const AGENTS: &[&str] = &["claude", "gemini", "codex", "copilot", "cursor-agent", "opencode", "aider", "goose", "llm"];

/// The programs that the scripts of an amplihack recipe run: below the folder in which the engine was started, which is
/// the recipe's or one above it.
pub(super) fn programs(recipe: &Recipe) -> Vec<Mention> {
    let names_one = |script: &Script| PROGRAMS.iter().any(|ending| script.fragment.text().contains(ending));
    let mut found = mentions_of(recipe, names_one);
    found.retain(|mention| mention.kind == MentionKind::Script);
    for mention in &mut found {
        mention.base = Base::Upward;
    }
    found
}

/// The mentions of all scripts of a workflow or action.
pub(super) fn mentions(recipe: &Recipe) -> Vec<Mention> {
    mentions_of(recipe, |_| true)
}

fn mentions_of(recipe: &Recipe, wanted: impl Fn(&Script) -> bool) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for step in &recipe.steps {
        let Action::Script(script) = &step.action else { continue };
        if !wanted(script) {
            continue;
        }
        for command in visit::commands(&script.tree().body) {
            for mention in of_command(command, &script.fragment) {
                let known =
                    found.iter().any(|known| known.path.value == mention.path.value && known.kind == mention.kind);
                if !known && found.len() < MOST {
                    found.push(mention);
                }
            }
        }
    }
    found
}

fn of_command(command: &Command, fragment: &Fragment) -> Vec<Mention> {
    let CommandKind::Simple(simple) = &command.kind else { return Vec::new() };
    let mut found = Vec::new();
    let written = |word: &Word| fragment.text().get(word.span.range()).unwrap_or_default();
    let agent = simple.words.iter().take(6).any(|word| AGENTS.contains(&written(word)));
    for (at, word) in simple.words.iter().enumerate() {
        let mut text = written(word).trim_matches(['"', '\'']);
        if agent && let Some(read) = read_file(text) {
            found.extend(mention(read, MentionKind::Prompt, word, fragment));
        }
        // The program itself may have no ending.
        let bare = at == 0 && text.contains('/') && !text.starts_with('/') && !last_part(text).contains('.');
        // `bash -c "scripts/gate.sh x"` is a program of its own.
        text = text.split_whitespace().next().unwrap_or_default();
        if bare || PROGRAMS.iter().any(|ending| text.ends_with(ending)) {
            found.extend(mention(text, MentionKind::Script, word, fragment));
        }
    }
    if agent {
        for redirect in &command.redirects {
            if let RedirectKind::Input(word) = &redirect.kind {
                found.extend(mention(written(word).trim_matches(['"', '\'']), MentionKind::Prompt, word, fragment));
            }
        }
    }
    found
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `$(cat FILE)`, `$(< FILE)`
fn read_file(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("$(")?.strip_suffix(')')?.trim();
    let path = inside.strip_prefix("cat ").or_else(|| inside.strip_prefix('<'))?.trim();
    Some(path.trim_matches(['"', '\'']))
}

fn mention(written: &str, kind: MentionKind, word: &Word, fragment: &Fragment) -> Option<Mention> {
    let strip = |roots: &[&str]| roots.iter().find_map(|root| written.strip_prefix(root));
    let (path, base) = match strip(ACTION) {
        Some(path) => (path, Base::Here),
        None => (strip(ROOTS).unwrap_or(written), Base::Root),
    };
    let plain = !path.is_empty() && !path.starts_with('/') && !path.contains(['$', '`', '*', '?', ' ', '\n', '~', '|']);
    let ends = kind == MentionKind::Script || PROMPTS.iter().any(|ending| path.ends_with(ending));
    (plain && ends).then(|| Mention { path: Spanned::new(path.to_owned(), fragment.locate(word.span)), base, kind })
}
