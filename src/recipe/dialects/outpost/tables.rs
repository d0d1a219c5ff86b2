//! What Outpost's readers of `recipe.yaml` and `outpost.yaml` take, from its sources of the release after 11.0.1
//! (`domain/recipe.constants.ts`, `domain/recipe.ts`, `domain/recipe-inputs.ts`, `application/recipe-configuration*.ts`,
//! `application/recipes/{project,file-configuration}.ts`, `domain/recipes/schema.constants.ts`). Everything else is
//! refused.

use crate::recipe::fields::{Field, Kind, Object, Unknown, optional, required};

/// Largest file that is read: 1 MiB.
pub const MAX_BYTES: usize = 1_048_576;
/// Most tasks of a recipe.
pub const MAX_TASKS: usize = 1_000;

const ANY_NUMBER: i64 = 9_007_199_254_740_991;
const COUNT: Kind = Kind::Int(1, ANY_NUMBER);
const STRINGS: Kind = Kind::List(&Kind::Str, 0);
const VARIABLE: Kind = Kind::Grammar(is_variable, "the name of an environment variable");
const COMPONENT: Kind = Kind::Map(&Kind::Any);

/// `^[A-Za-z0-9][A-Za-z0-9._-]*$`
pub fn is_task_key(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

/// `^[A-Za-z_][A-Za-z0-9_-]*$`
pub fn is_input_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// `^[A-Za-z_][A-Za-z0-9_]*$`
pub fn is_variable(text: &str) -> bool {
    is_input_name(text) && !text.contains('-')
}

const RECIPE_WHAT: &str = "a recipe";
const TASKS: Field = required("tasks", Kind::List(&Kind::Map(&Kind::Any), 1));
const VERSION: Field = required("version", Kind::Int(1, 3));
const NAME: Field = required("name", Kind::Text);

/// A recipe of version 1.
pub const RECIPE_1: Object =
    Object { what: "a recipe of version 1", fields: &[VERSION, NAME, TASKS], unknown: Unknown::Refused };
/// A recipe of version 2.
pub const RECIPE_2: Object = Object {
    what: "a recipe of version 2",
    fields: &[
        VERSION,
        NAME,
        TASKS,
        optional("description", Kind::Text),
        optional("recipeVersion", Kind::Text),
        optional("inputs", Kind::Map(&Kind::Map(&Kind::Any))),
        optional("$schema", Kind::Text),
    ],
    unknown: Unknown::Refused,
};
/// A recipe of version 3.
pub const RECIPE_3: Object = Object {
    what: RECIPE_WHAT,
    fields: &[
        VERSION,
        NAME,
        TASKS,
        optional("description", Kind::Text),
        optional("recipeVersion", Kind::Text),
        optional("inputs", Kind::Map(&Kind::Map(&Kind::Any))),
        optional("$schema", Kind::Text),
        optional("workflow", Kind::Object(&WORKFLOW)),
    ],
    unknown: Unknown::Refused,
};

const WORKFLOW: Object = Object {
    what: "`workflow`",
    fields: &[
        optional(
            "checkpoint",
            Kind::Object(&Object {
                what: "a checkpoint",
                fields: &[required("runId", Kind::Text), required("version", Kind::Text)],
                unknown: Unknown::Open,
            }),
        ),
        optional("concurrency", COUNT),
        optional("timeoutMs", COUNT),
        optional("answers", Kind::List(&Kind::Any, 1)),
        optional("decisions", Kind::List(&Kind::Any, 1)),
    ],
    unknown: Unknown::Open,
};

/// Types of inputs in version 2.
pub const INPUT_TYPES: &[&str] = &["string", "number", "boolean"];
/// Types of inputs in version 3.
pub const INPUT_TYPES_3: &[&str] = &["string", "number", "boolean", "object", "array", "null"];

/// An input of version 2.
pub const INPUT_2: Object = Object {
    what: "an input",
    fields: &[
        required("type", Kind::Word(INPUT_TYPES)),
        required("description", Kind::Text),
        optional("default", Kind::Any),
        optional("enum", Kind::List(&Kind::Any, 1)),
    ],
    unknown: Unknown::Refused,
};
/// An input of version 3.
pub const INPUT_3: Object = Object {
    what: "an input",
    fields: &[
        required("type", Kind::Word(INPUT_TYPES_3)),
        required("description", Kind::Text),
        optional("default", Kind::Any),
        optional("enum", Kind::List(&Kind::Any, 1)),
        optional("schema", COMPONENT),
    ],
    unknown: Unknown::Refused,
};

const COMMAND: Object = Object {
    what: "a command",
    fields: &[
        required("executable", Kind::Text),
        optional("arguments", STRINGS),
        optional("stdin", Kind::Str),
        optional("directory", Kind::Text),
        optional("variables", Kind::Map(&Kind::Str)),
        optional("deadlineMs", COUNT),
    ],
    unknown: Unknown::Refused,
};
const RETRY: Object = Object {
    what: "`retry`",
    fields: &[required("attempts", COUNT), optional("delayMs", Kind::Int(0, ANY_NUMBER))],
    unknown: Unknown::Refused,
};
const KEY: Field =
    required("key", Kind::Grammar(is_task_key, "a letter or digit, then letters, digits, `.`, `_` or `-`"));
const AFTER: Field = optional("after", STRINGS);
const AGENT: Field = optional("agent", Kind::Text);
const BRIEF: Field = optional("brief", Kind::Text);
const TIMEOUT: Field = optional("timeoutMs", COUNT);

/// A task of versions 1 and 2.
pub const TASK: Object = Object {
    what: "a task",
    fields: &[
        KEY,
        AFTER,
        optional("command", Kind::Object(&COMMAND)),
        AGENT,
        BRIEF,
        TIMEOUT,
        optional("retry", Kind::Object(&RETRY)),
    ],
    unknown: Unknown::Refused,
};
/// A task of version 3.
pub const TASK_3: Object = Object {
    what: "a task",
    fields: &[
        KEY,
        AFTER,
        optional("command", Kind::Object(&COMMAND)),
        AGENT,
        BRIEF,
        TIMEOUT,
        optional("retry", Kind::Object(&RETRY)),
        optional("dispatch", Kind::Object(&DISPATCH)),
        optional("when", Kind::Either(&[Kind::Bool, COMPONENT], "a condition: `true`, `false` or one operator")),
        optional("options", COMPONENT),
        optional("value", Kind::Any),
        optional("call", COMPONENT),
        optional("arguments", Kind::Any),
        optional("loop", COMPONENT),
        optional("decision", COMPONENT),
        optional("state", Kind::Any),
        optional("isolated", COMPONENT),
        optional("gate", COMPONENT),
        optional("interactive", COMPONENT),
        optional("artifact", COMPONENT),
        optional("data", Kind::Any),
        optional("speculation", COMPONENT),
        optional("queued", COMPONENT),
        optional("quotaResume", Kind::Word(&["continue", "restart"])),
    ],
    unknown: Unknown::Refused,
};
/// What a task does: exactly one of these. Versions 1 and 2 know the first two.
pub const ACTIONS: &[&str] = &[
    "command",
    "agent",
    "value",
    "call",
    "loop",
    "decision",
    "isolated",
    "gate",
    "interactive",
    "artifact",
    "speculation",
    "queued",
];

const DISPATCH: Object = Object {
    what: "`dispatch`",
    fields: &[
        optional("response", COMPONENT),
        optional(
            "continuation",
            Kind::Object(&Object {
                what: "`continuation`",
                fields: &[required("id", Kind::Text), optional("fork", Kind::Bool)],
                unknown: Unknown::Refused,
            }),
        ),
        optional("passes", Kind::Number),
        optional("until", Kind::Either(&[Kind::Text, Kind::List(&Kind::Text, 1)], "a marker or a list of markers")),
        optional(
            "watchdog",
            Kind::Object(&Object {
                what: "`watchdog`",
                fields: &[required("repetition", Kind::Object(&REPETITION)), required("onStuck", ON_STUCK)],
                unknown: Unknown::Refused,
            }),
        ),
        optional(
            "prices",
            Kind::Object(&Object {
                what: "`prices`",
                fields: &[required("currency", Kind::Word(&["EUR", "USD"])), required("models", COMPONENT)],
                unknown: Unknown::Refused,
            }),
        ),
        optional("redact", Kind::List(&COMPONENT, 0)),
        optional(
            "logging",
            Kind::Either(&[Kind::Only(false), Kind::Word(&["stdout"]), COMPONENT], "`false`, `stdout` or a mapping"),
        ),
        optional("label", Kind::Str),
        optional("idleMs", Kind::Number),
        optional("idleWarningMs", Kind::Number),
        optional("settleMs", Kind::Number),
        optional("deadlineMs", Kind::Number),
        optional("expansionMs", Kind::Number),
        optional("steering", COMPONENT),
        optional("telemetry", COMPONENT),
        optional("observe", COMPONENT),
        optional("warn", COMPONENT),
        optional("diagnostic", COMPONENT),
    ],
    unknown: Unknown::Refused,
};

const REPETITION: Object = Object {
    what: "`repetition`",
    fields: &[required("window", Kind::Number), required("maxRepeats", Kind::Number)],
    unknown: Unknown::Refused,
};
const ON_STUCK: Kind = Kind::Either(
    &[
        Kind::Word(&["stop", "warn"]),
        Kind::Object(&Object {
            what: "`onStuck`",
            fields: &[required("instruction", Kind::Text), optional("maxInterventions", Kind::Number)],
            unknown: Unknown::Refused,
        }),
    ],
    "`stop`, `warn` or a mapping with `instruction`",
);

const REPAIRS: Field = optional("repairs", Kind::Int(0, ANY_NUMBER));
/// A response of `type: json`.
pub const RESPONSE_JSON: Object = Object {
    what: "a JSON response",
    fields: &[
        required("type", Kind::Word(&["json"])),
        required("tag", Kind::Any),
        required("jsonSchema", COMPONENT),
        REPAIRS,
        optional("schema", COMPONENT),
    ],
    unknown: Unknown::Refused,
};
/// A response of `type: text`.
pub const RESPONSE_TEXT: Object = Object {
    what: "a text response",
    fields: &[required("type", Kind::Word(&["text"])), required("tag", Kind::Any), REPAIRS],
    unknown: Unknown::Refused,
};

/// What the output of an agent's task has in version 3 (`application/recipes/workflow.constants.ts`).
pub const AGENT_OUTPUT_3: &[&str] = &[
    "text",
    "value",
    "turns",
    "usage",
    "conversation",
    "completed",
    "completion",
    "branch",
    "directory",
    "commits",
    "transcript",
    "transcriptReference",
    "logReference",
    "retainedDirectory",
    "fallback",
    "workspaceInfo",
    "fileOutputs",
];
/// What the output of a command has.
pub const COMMAND_OUTPUT: &[&str] = &["stdout", "stderr", "status"];

/// Component families of a configuration of version 2 and up.
pub const FAMILIES: &[&str] = &[
    "agents",
    "speculations",
    "isolatedTasks",
    "sandboxProviders",
    "observations",
    "sinks",
    "profiles",
    "harnesses",
    "models",
    "transports",
    "stores",
    "caches",
    "artifactStores",
    "secrets",
    "variables",
    "tools",
    "toolsets",
    "permissions",
    "hooks",
    "skills",
    "contexts",
    "instructions",
    "conversations",
    "responses",
    "decisions",
    "questions",
    "routings",
    "subagents",
    "queues",
    "jobs",
    "crons",
    "schedules",
    "triggers",
    "routes",
    "resolvers",
    "verifiers",
    "guards",
    "artifacts",
    "services",
    "functions",
    "steerings",
];
/// Other root fields of a configuration, by the version that brought them.
pub const CONFIG_ROOT: &[(&str, i64)] = &[
    ("$schema", 1),
    ("version", 1),
    ("repository", 1),
    ("sandbox", 1),
    ("agents", 1),
    ("branch", 1),
    ("environment", 1),
    ("observation", 2),
    ("reports", 2),
    ("extensions", 2),
    ("experimental", 2),
    ("integration", 2),
    ("workspace", 2),
    ("runtime", 3),
    ("outputs", 3),
];

/// Built-in harnesses (`adapters/agents/catalog.ts`).
pub const HARNESSES: &[&str] = &["codex", "claude", "agy", "copilot", "kimi"];
/// Levels of reasoning.
const REASONING: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh", "max"];

const MODEL: Kind = Kind::Either(
    &[
        Kind::Text,
        Kind::Object(&Object {
            what: "a model",
            fields: &[
                required("name", Kind::Text),
                optional("reasoning", Kind::Word(REASONING)),
                optional("maxOutputTokens", COUNT),
            ],
            unknown: Unknown::Refused,
        }),
    ],
    "the name of a model or a mapping with `name`",
);
const AUTHENTICATION: Kind = Kind::Either(
    &[
        Kind::Word(&["account", "usage"]),
        Kind::Object(&Object {
            what: "`authentication`",
            fields: &[
                optional(
                    "account",
                    Kind::Object(&Object {
                        what: "an account",
                        fields: &[optional("file", Kind::Text), optional("variable", VARIABLE)],
                        unknown: Unknown::Refused,
                    }),
                ),
                optional(
                    "usage",
                    Kind::Object(&Object {
                        what: "`usage`",
                        fields: &[required("variable", VARIABLE)],
                        unknown: Unknown::Refused,
                    }),
                ),
            ],
            unknown: Unknown::Refused,
        }),
    ],
    "`account`, `usage` or a mapping with one of them",
);

/// An agent of a configuration of version 1.
pub const AGENT_1: Object = Object {
    what: "an agent",
    fields: &[
        required("harness", Kind::Word(HARNESSES)),
        required("authentication", AUTHENTICATION),
        optional("model", MODEL),
    ],
    unknown: Unknown::Refused,
};
/// Fields of an agent of version 2 and up, whatever it is made of: the simple form, the composed one, a fallback.
pub const AGENT_KEYS: &[&str] = &["type", "harness", "authentication", "model", "agents", "on", "$ref"];
/// Fields of the sandbox of version 2 and up that every provider has.
pub const SANDBOX_KEYS: &[&str] = &["provider", "image", "cpus", "memoryMb", "$ref"];
/// The sandbox of a configuration of version 1.
pub const SANDBOX_1: Object = Object {
    what: "`sandbox`",
    fields: &[
        required("provider", Kind::Word(&["docker", "podman", "local", "vercel", "daytona"])),
        optional("image", Kind::Text),
        optional("cpus", COUNT),
        optional("memoryMb", COUNT),
    ],
    unknown: Unknown::Refused,
};
/// `branch` of a configuration of versions 1 and 2.
pub const BRANCH: Object = Object {
    what: "`branch`",
    fields: &[
        required("mode", Kind::Word(&["current", "named", "integrate"])),
        optional("name", Kind::Text),
        optional("from", Kind::Text),
    ],
    unknown: Unknown::Refused,
};
/// `environment`: the names of variables, never secrets.
pub const ENVIRONMENT: Kind = Kind::Map(&VARIABLE);
/// An extension.
pub const EXTENSION: Object = Object {
    what: "an extension",
    fields: &[
        required("module", Kind::Text),
        required("export", Kind::Text),
        required("kind", Kind::Text),
        required("version", Kind::Text),
        optional("contract", Kind::Text),
        optional("factory", Kind::Bool),
        optional("schema", COMPONENT),
        optional("options", COMPONENT),
        optional("dispose", Kind::Text),
    ],
    unknown: Unknown::Refused,
};
