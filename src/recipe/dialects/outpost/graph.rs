//! Keys and `after`: unique, known, without cycles. References to later tasks are fine.

use std::collections::{HashMap, HashSet};

use super::REFUSED;
use super::tables::MAX_TASKS;
use crate::recipe::fields::nearest;
use crate::recipe::{Problem, Step};
use crate::text::Span;

/// Checks the tasks' order.
pub fn check(steps: &[Step], problems: &mut Vec<Problem>) {
    let mut first: HashMap<&str, (usize, Span)> = HashMap::new();
    for (at, step) in steps.iter().enumerate() {
        let Some(id) = &step.id else { continue };
        if let Some((_, earlier)) = first.get(id.value.as_str()) {
            let message = format!("two tasks have the key `{}`; {REFUSED}", id.value);
            problems.push(Problem::new("duplicate-id", id.span, message).related(*earlier, "the first one"));
        } else {
            first.insert(&id.value, (at, id.span));
        }
    }
    for step in steps {
        let mut seen = HashSet::new();
        for wait in &step.after {
            if !first.contains_key(wait.value.as_str()) {
                let message = format!("`after` names `{}`, and there is no such task; {REFUSED}", wait.value);
                let problem = Problem::new("unknown-reference", wait.span, message);
                problems.push(match nearest(&wait.value, first.keys().copied()) {
                    Some(near) => problem.help(format!("`{near}` is meant?")).fix(wait.span, near, false),
                    None => problem,
                });
            } else if !seen.insert(wait.value.as_str()) {
                let message = format!("`after` names `{}` twice; {REFUSED}", wait.value);
                problems.push(Problem::new("invalid-value", wait.span, message));
            }
        }
    }
    if steps.len() <= MAX_TASKS {
        cycles(steps, &first, problems);
    }
}

/// One problem per group of tasks that wait for each other, at the `after` that points forward: without it the tasks
/// could run in the order in which they stand.
fn cycles(steps: &[Step], index: &HashMap<&str, (usize, Span)>, problems: &mut Vec<Problem>) {
    let waits: Vec<Vec<usize>> = steps
        .iter()
        .map(|step| step.after.iter().filter_map(|wait| index.get(wait.value.as_str())).map(|(at, _)| *at).collect())
        .collect();
    let mut reported: HashSet<usize> = HashSet::new();
    for (at, step) in steps.iter().enumerate() {
        if reported.contains(&at) {
            continue;
        }
        let forward = step.after.iter().filter_map(|wait| Some((wait, index.get(wait.value.as_str())?.0)));
        for (wait, target) in forward.filter(|(_, target)| *target >= at) {
            let Some(way) = way(&waits, target, at) else { continue };
            reported.extend(&way);
            let names: Vec<_> =
                way.iter().rev().filter_map(|at| steps.get(*at)?.id.as_ref()).map(|id| &id.value).collect();
            let name = step.id.as_ref().map_or("?", |id| id.value.as_str());
            let message = if target == at {
                format!("task `{name}` waits for itself; {REFUSED}")
            } else {
                let chain: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("the tasks wait for each other in a circle: {} and back; {REFUSED}", chain.join(", "))
            };
            let mut problem = Problem::new("recipe-cycle", wait.span, message);
            for other in way.iter().filter(|other| **other != at) {
                if let Some(id) = steps.get(*other).and_then(|step| step.id.as_ref()) {
                    problem = problem.related(id.span, "waits, too");
                }
            }
            problems.push(problem);
            break;
        }
    }
}

/// The shortest way along `after` from one task to another, both included.
fn way(waits: &[Vec<usize>], from: usize, to: usize) -> Option<Vec<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; waits.len()];
    let mut seen = vec![false; waits.len()];
    let mut queue = std::collections::VecDeque::from([from]);
    *seen.get_mut(from)? = true;
    while let Some(at) = queue.pop_front() {
        if at == to {
            let mut path = vec![at];
            let mut at = at;
            while let Some(parent) = parents.get(at).copied().flatten() {
                path.push(parent);
                at = parent;
            }
            return Some(path);
        }
        for next in waits.get(at)? {
            let known = seen.get_mut(*next)?;
            if !*known {
                *known = true;
                *parents.get_mut(*next)? = Some(at);
                queue.push_back(*next);
            }
        }
    }
    None
}
