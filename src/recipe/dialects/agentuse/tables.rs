//! What AgentUse's parser takes of an agent's frontmatter (`src/parser.ts`, `src/tools/types.ts`, `src/verify/types.ts`,
//! `src/utils/duration.ts`, `src/scheduler/*.ts` of the releases up to 0.21). Most of it is not strict: keys that are not
//! known are dropped in silence.

use crate::recipe::fields::{Field, Ids, Kind, Object, Unknown, optional, required};

const COUNT: Kind = Kind::Int(1, i64::MAX);
const STRINGS: Kind = Kind::List(&Kind::Str, 0);
const FILLED: Kind = Kind::Grammar(is_filled, "text that is not empty");
const SECONDS: Kind = Kind::Either(
    &[Kind::Positive, Kind::Grammar(is_duration, "a duration")],
    "seconds, or a duration such as `10m` (`ms`, `s`, `m`, `h`, `d`)",
);
const REASONING: Kind = Kind::Word(&["none", "minimal", "low", "medium", "high", "xhigh", "max"]);

/// Levels of a strict object.
const fn strict(what: &'static str, fields: &'static [Field]) -> Object {
    Object { what, fields, unknown: Unknown::Refused }
}

/// Keys that are not known are dropped.
const fn loose(what: &'static str, fields: &'static [Field]) -> Object {
    Object { what, fields, unknown: Unknown::Dropped }
}

fn is_filled(text: &str) -> bool {
    !text.is_empty()
}

/// `^[a-zA-Z0-9][a-zA-Z0-9 _-]*$`
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-'))
}

/// Digits and a unit: `10m`.
fn is_duration(text: &str) -> bool {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.strip_prefix(digits).unwrap_or_default();
    let number = digits.trim_end();
    !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        && number.parse::<f64>().is_ok_and(|number| number > 0.0)
        && matches!(unit, "ms" | "s" | "m" | "h" | "d")
}

/// `5s`, `10m`, `2h` (seconds and minutes below 60, hours below 24), or a cron expression of 5 or 6 fields.
fn is_schedule(text: &str) -> bool {
    let text = text.trim();
    let interval = |unit: char, limit: u32| {
        text.strip_suffix(unit)
            .filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|digits| digits.parse().is_ok_and(|number: u32| number < limit && number > 0))
    };
    if let Some(fits) = interval('s', 60).or_else(|| interval('m', 60)).or_else(|| interval('h', 24)) {
        return fits;
    }
    let fields: Vec<_> = text.split_whitespace().collect();
    matches!(fields.len(), 5 | 6)
        && fields.iter().all(|field| field.chars().all(|c| c.is_ascii_digit() || matches!(c, '*' | '/' | ',' | '-')))
}

fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

const MCP: Object = loose(
    "an MCP server",
    &[
        optional("command", Kind::Str),
        optional("args", STRINGS),
        optional("env", Kind::Map(&Kind::Str)),
        optional("requiredEnvVars", STRINGS),
        optional("allowedEnvVars", STRINGS),
        optional("disallowedTools", STRINGS),
        optional("toolTimeout", SECONDS),
        optional("connectTimeout", SECONDS),
        optional("url", Kind::Grammar(is_url, "an address that begins with `http://` or `https://`")),
        optional("sessionId", Kind::Str),
        optional(
            "auth",
            Kind::Object(&loose("`auth`", &[optional("type", Kind::Word(&["bearer"])), optional("token", Kind::Str)])),
        ),
        optional("headers", Kind::Map(&Kind::Str)),
    ],
);

const TOOLS: Object = loose(
    "`tools`",
    &[
        optional(
            "filesystem",
            Kind::List(
                &Kind::Object(&loose(
                    "a path of `filesystem`",
                    &[
                        optional("path", Kind::Str),
                        optional("paths", STRINGS),
                        required("permissions", Kind::List(&Kind::Word(&["read", "write", "edit"]), 0)),
                    ],
                )),
                0,
            ),
        ),
        optional(
            "bash",
            Kind::Object(&loose(
                "`bash`",
                &[
                    optional("commands", STRINGS),
                    optional("gated", Kind::List(&FILLED, 1)),
                    optional(
                        "timeout",
                        Kind::Grammar(is_duration, "a duration with its unit, such as `30s` (since 0.16)"),
                    ),
                    optional("allowedPaths", STRINGS),
                ],
            )),
        ),
        optional("await_human", Kind::Bool),
        optional("await_external", Kind::Bool),
        optional(
            "artifacts",
            Kind::Either(
                &[Kind::Bool, Kind::Object(&loose("`artifacts`", &[optional("dir", Kind::Str)]))],
                "`true`, `false` or a mapping with `dir`",
            ),
        ),
        optional("metrics", Kind::Bool),
        optional("store", Kind::Any),
        optional("media", Kind::Any),
        optional("sandbox", Kind::Any),
    ],
);

const EVENT: Kind = Kind::Word(&["approval", "completion", "failure"]);
const SLACK: Object = strict(
    "`slack`",
    &[
        optional("enabled", Kind::Bool),
        optional(
            "events",
            Kind::Either(
                &[EVENT, Kind::List(&EVENT, 1)],
                "one of `approval`, `completion`, `failure`, or a list of them",
            ),
        ),
        optional("channel_id", Kind::Str),
    ],
);

/// `sandbox:` (`src/sandbox.ts`).
const SANDBOX: Object = loose(
    "`sandbox`",
    &[
        required("provider", Kind::Word(&["docker"])),
        optional("image", Kind::Str),
        optional("timeout", Kind::Any),
        optional("setup", Kind::Any),
        optional("env", Kind::Any),
    ],
);

/// The frontmatter of an agent. `verify` has a table of its own.
pub const AGENT: Object = loose(
    "an agent",
    &[
        optional("name", Kind::Grammar(is_name, "a letter or digit, then letters, digits, spaces, `_` or `-`")),
        optional("model", Kind::Str),
        optional("description", Kind::Str),
        optional("version", Kind::Str),
        optional("notes", Kind::Str),
        optional("metadata", Kind::Map(&Kind::Any)),
        optional("timeout", SECONDS),
        optional("maxSteps", COUNT),
        optional("maxOutputTokens", COUNT),
        optional("reasoning", REASONING),
        optional(
            "openai",
            Kind::Object(&strict(
                "`openai`",
                &[
                    optional("reasoningEffort", REASONING),
                    optional("reasoningSummary", Kind::Word(&["auto", "detailed"])),
                    optional("textVerbosity", Kind::Word(&["low", "medium", "high"])),
                    optional("promptCacheKey", FILLED),
                    optional("promptCacheRetention", Kind::Word(&["in_memory", "24h"])),
                ],
            )),
        ),
        optional(
            "anthropic",
            Kind::Object(&strict(
                "`anthropic`",
                &[optional(
                    "thinking",
                    Kind::Object(&strict("`thinking`", &[required("budgetTokens", Kind::Int(1024, i64::MAX))])),
                )],
            )),
        ),
        optional("mcpServers", Kind::Map(&Kind::Object(&MCP))),
        optional("mcp_servers", Kind::Map(&Kind::Object(&MCP))),
        optional(
            "subagents",
            Kind::List(
                &Kind::Object(&loose(
                    "a subagent",
                    &[required("path", Kind::Str), optional("name", Kind::Str), optional("maxSteps", Kind::Number)],
                )),
                0,
            ),
        ),
        optional("dependsOn", Kind::Either(&[FILLED, Kind::List(&FILLED, 0)], "a path or a list of paths")),
        optional("tools", Kind::Object(&TOOLS)),
        optional("intent", Kind::Bool),
        optional(
            "schedule",
            Kind::Grammar(is_schedule, "an interval (`5s`, `10m`, `2h`; below 60 s, 60 m, 24 h) or a cron expression"),
        ),
        optional("store", Kind::Either(&[Kind::Only(true), Kind::Str], "`true` or the name of a store")),
        optional("type", Kind::Word(&["manager"])),
        optional(
            "learning",
            Kind::Either(
                &[
                    Kind::Only(true),
                    Kind::Object(&strict(
                        "`learning`",
                        &[
                            optional(
                                "capture",
                                Kind::Either(&[Kind::Bool, Kind::Map(&Kind::Any)], "`true`, `false` or a mapping"),
                            ),
                            optional("apply", Kind::Bool),
                            optional("max", Kind::Int(1, 50)),
                            optional("model", FILLED),
                        ],
                    )),
                ],
                "`true` or a mapping",
            ),
        ),
        optional("verify", Kind::Any),
        optional("sandbox", Kind::Either(&[Kind::Only(true), Kind::Object(&SANDBOX)], "`true` or a mapping")),
        optional(
            "skills",
            Kind::Either(
                &[Kind::Word(&["auto", "trusted"]), STRINGS, Kind::Map(&Kind::Any)],
                "`auto`, `trusted`, a list of names or a mapping",
            ),
        ),
        optional(
            "approval",
            Kind::Either(
                &[Kind::Bool, Kind::Object(&strict("`approval`", &[optional("timeout", SECONDS)]))],
                "`true`, `false` or a mapping with `timeout`",
            ),
        ),
        optional(
            "channels",
            Kind::Either(
                &[
                    Kind::List(&Kind::Word(&["slack"]), 1),
                    Kind::Object(&strict(
                        "`channels`",
                        &[optional(
                            "slack",
                            Kind::Either(&[Kind::Bool, Kind::Object(&SLACK)], "`true`, `false` or a mapping"),
                        )],
                    )),
                ],
                "`[slack]` or a mapping with `slack`",
            ),
        ),
    ],
);

/// Lints that report what is wrong with `verify`.
pub const VERIFY_IDS: Ids = Ids { unknown: "invalid-verify", missing: "invalid-verify", invalid: "invalid-verify" };

/// `verify` as a mapping.
pub const VERIFY: Object = strict(
    "`verify`",
    &[
        optional("criteria", FILLED),
        optional("judge", FILLED),
        optional("at", Kind::Word(&["gate", "output", "both"])),
        optional("gateReview", Kind::Word(&["fresh"])),
        optional("maxRedos", Kind::Int(0, 10)),
        optional("model", FILLED),
    ],
);

/// What earlier releases took and newer ones refuse: the parent (empty: the root), the key, what to do.
pub const REMOVED: &[(&str, &str, &str)] = &[
    ("", "notifications", "use `channels`"),
    ("approval", "channel", "use `channels`"),
    ("approval", "channel_id", "use `channels`"),
    ("approval", "url", "use `channels`"),
    ("approval", "actions", "remove it: the actions are fixed now"),
    ("approval", "include", "remove it: the whole request is shown now"),
    ("approval", "on_comment", "remove it: a comment always brings a revision now"),
    ("learning", "criteria", "remove it; `capture` decides what is learnt"),
    ("learning", "file", "remove it; learnings have a fixed place now"),
    ("learning", "evaluate", "write `learning: true`, or use `capture`"),
];
