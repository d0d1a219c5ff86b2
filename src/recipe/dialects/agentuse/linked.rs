//! What is wrong with an agent only beside the other agents: judges and subagents that are not there, subagents in a circle.

use super::EXTENSION;
use crate::recipe::{File, FileId, Index, Mention, Problem};
use crate::text::Spanned;

/// Agents of a circle of subagents that are followed.
const MAX_AGENTS: usize = 1_000;

/// The problems of an agent beside the others, placed in the agent.
pub fn problems(file: &File, index: &Index) -> Vec<Problem> {
    let mut problems = Vec::new();
    let Some(agent) = &file.recipe.agent else { return problems };
    if let Some((_, path)) = agent.verify.as_ref().and_then(|verify| verify.judge.as_ref()) {
        let consequence = "the judge cannot run, and the output is delivered unverified";
        problems.extend(missing(file, index, path, "missing-judge", "judge", consequence));
    }
    // Subagents may be fetched from the network; judges may not.
    let local = |path: &&Spanned<String>| !path.value.starts_with("https://") && !path.value.starts_with("http://");
    for path in agent.subagents.iter().filter(local) {
        match missing(file, index, path, "unknown-reference", "subagent", "the agent is not loaded") {
            Some(problem) => problems.push(problem),
            None => problems.extend(circle(file, index, path)),
        }
    }
    problems
}

/// A path of another agent that leads nowhere; `None` where it does, or where that cannot be known.
fn missing(
    file: &File,
    index: &Index,
    path: &Spanned<String>,
    lint: &'static str,
    what: &str,
    consequence: &str,
) -> Option<Problem> {
    let written = path.value.as_str();
    if written.is_empty() {
        return None;
    }
    let problem = |why: &str| Problem::new(lint, path.span, format!("{why}: {consequence}"));
    if written.contains("${") || written.starts_with('~') {
        let why = format!("`{written}` is taken as it stands, nothing in it is filled in, so there is no such {what}");
        return Some(problem(&why).help("write the path relative to this file"));
    }
    if !written.ends_with(EXTENSION) {
        let why = format!("`{written}` is no agent: the name of a {what} must end with `{EXTENSION}`");
        return Some(problem(&why).help("move the instructions to a file with that extension"));
    }
    let mention = mention(file, path)?;
    if index.candidates(file, mention).is_empty() || index.mentioned(file, mention).is_some() {
        return None;
    }
    let problem = problem(&format!("there is no file `{written}`, seen from the folder of this file"));
    Some(match elsewhere(file, index, written) {
        Some(near) => problem.help(format!("`{near}` is meant?")),
        None => problem.help("paths are relative to the file that holds them, not to the working directory"),
    })
}

fn mention<'a>(file: &'a File, path: &Spanned<String>) -> Option<&'a Mention> {
    file.recipe.mentions.iter().find(|mention| mention.path == *path)
}

/// A file of the same name, as seen from the folder of this one.
fn elsewhere(file: &File, index: &Index, written: &str) -> Option<String> {
    let name = written.rsplit('/').next()?;
    let folder = file.location.as_deref()?.parent()?;
    let found = index.files().iter().filter_map(|other| other.location.as_deref());
    let found = found.filter(|path| {
        path.file_name().is_some_and(|other| other == name) && *path != file.location.as_deref().unwrap_or(path)
    });
    let near = found.min_by_key(|path| path.components().count())?;
    let common = folder.ancestors().find(|above| near.starts_with(above))?;
    let up = folder.strip_prefix(common).ok()?.components().count();
    let down = near.strip_prefix(common).ok()?.to_str()?;
    Some(if up == 0 { format!("./{down}") } else { format!("{}{down}", "../".repeat(up)) })
}

/// Whether a subagent leads back to the agent.
fn circle(file: &File, index: &Index, path: &Spanned<String>) -> Option<Problem> {
    let first = index.mentioned(file, mention(file, path)?)?;
    let mut seen: Vec<FileId> = vec![first.id];
    let mut open = vec![first.clone()];
    while let Some(next) = open.pop() {
        if next.id == file.id {
            let message = if first.id == file.id {
                "the agent is its own subagent: the run fails when it is called"
            } else {
                "the subagents call each other in a circle: the run fails when it is closed"
            };
            let problem = Problem::new("recipe-cycle", path.span, message);
            let others = seen.iter().filter(|id| **id != file.id).filter_map(|id| index.file(*id));
            return Some(
                others
                    .filter_map(|other| Some((other, back(other, index, file.id)?)))
                    .fold(problem, |problem, (other, span)| problem.elsewhere(other.id, span, "leads back here")),
            );
        }
        if seen.len() > MAX_AGENTS {
            return None;
        }
        for path in next.recipe.agent.iter().flat_map(|agent| &agent.subagents) {
            let found = mention(&next, path).and_then(|mention| index.mentioned(&next, mention));
            if let Some(found) = found.filter(|found| found.id == file.id || !seen.contains(&found.id)) {
                seen.push(found.id);
                open.push(found.clone());
            }
        }
    }
    None
}

/// The place of the subagent that names a file.
fn back(from: &File, index: &Index, to: FileId) -> Option<crate::text::Span> {
    let agent = from.recipe.agent.as_ref()?;
    agent
        .subagents
        .iter()
        .find(|path| {
            mention(from, path).and_then(|mention| index.mentioned(from, mention)).is_some_and(|file| file.id == to)
        })
        .map(|path| path.span)
}
