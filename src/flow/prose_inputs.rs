//! Inputs that hold what a person wrote.

/// Whole names.
const NAMES: &[&str] = &[
    "task",
    "request",
    "goal",
    "prompt",
    "description",
    "question",
    "message",
    "comment",
    "instructions",
    "requirements",
    "feedback",
    "issue",
    "ticket",
    "story",
    "idea",
    "intent",
    "wish",
    "note",
    "notes",
    "body",
    "text",
    "query",
    "brief",
    "complaint",
    "mail",
    "email",
    "thread",
    "title",
];

/// What longer names end in.
const ENDINGS: &[&str] = &[
    "_description",
    "_title",
    "_request",
    "_prompt",
    "_text",
    "_body",
    "_message",
    "_comment",
    "_instructions",
    "_requirements",
    "_question",
    "_feedback",
    "_statement",
    "_goal",
    "_brief",
    "_notes",
    "_wish",
    "_story",
    "_mail",
];

/// Whether an input's name says that it holds what a person wrote in his own words. No engine knows of this: the names
/// are those that recipes use.
pub(super) fn is_prose_name(name: &str) -> bool {
    let name = name.to_lowercase().replace('-', "_");
    NAMES.contains(&name.as_str()) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}
