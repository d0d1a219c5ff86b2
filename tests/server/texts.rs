//! Recipes that the tests open.

/// Calls [`CHILD`] and shares its context with it.
pub const PARENT: &str = "\
name: parent
context:
  topic: \"\"
steps:
  - id: ask
    agent: team:reviewer
    prompt: |
      Look at {{topic}}.
      Print one JSON object as the very last thing: {\"verdict\": \"PASS\", \"note\": \"short\"}.
    output: report
  - id: show
    command: |
      printf '%s\\n' \"$REPORT\" \"$RECIPE_VAR_report\" \"{{report}}\"
  - id: below
    recipe: child
    condition: \"report != '' and len(topic) > 0\"
    output: below
";

pub const CHILD: &str = "\
name: child
context:
  report: \"\"
steps:
  - id: retell
    agent: team:writer
    prompt: \"Retell {{report}}\"
    output: story
  - id: print
    command: printf '%s' \"$RECIPE_VAR_report\"
";
