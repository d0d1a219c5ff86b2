//! Recipes that the tests open.

/// One finding: `grep-agent-output` in line 8 (from 0).
pub const BAD: &str = "\
name: gate
steps:
  - id: review
    agent: team:reviewer
    prompt: Say whether the change may go out.
    output: review
  - id: act
    command: |
      if printf '%s' \"$REVIEW\" | grep -q 'APPROVED'; then
        ./release.sh
      fi
";

/// No finding.
pub const GOOD: &str = "\
name: list
steps:
  - id: show
    command: ls
";

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
