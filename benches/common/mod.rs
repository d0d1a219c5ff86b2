//! Recipes of realistic size and shape, made by rule so that every run measures the same texts.

use std::fmt::Write;

/// A recipe of about 15 kB: agents, long prompts, bash with functions, pipelines, here-documents, conditions.
pub fn recipe(number: usize) -> String {
    let mut text = format!(
        "name: made-{number}\ndescription: Recipe number {number} of the benchmark.\ncontext:\n  repo_path: \".\"\n  task_description: \"\"\nsteps:\n"
    );
    for part in 0..6 {
        let _ = write!(
            text,
            r#"  - id: work-{part}
    agent: bench:worker
    prompt: |
      Work on part {part} of {{{{task_description}}}} in {{{{repo_path}}}}.
{filler}
      Print one JSON object as the very last thing: {{"verdict": "PASS"}} or {{"verdict": "FAIL"}}.
    output: report_{part}

  - id: gate-{part}
    command: |
      set -euo pipefail
      cd "$REPO_PATH"
      log() {{ printf '[gate-{part}] %s\n' "$1" >&2; }}
      raw="${{REPORT_{part}:-${{RECIPE_VAR_report_{part}:-}}}}"
      verdict=$(printf '%s' "$raw" \
        | amplihack orch helper extract-json --require-field verdict \
        | amplihack orch helper extract-field --field verdict --default INSUFFICIENT_EVIDENCE \
        | amplihack orch helper normalise-verdict)
      for file in $(git diff --name-only HEAD~1); do
        case "$file" in
          *.md) log "documentation: $file" ;;
          *.rs) cargo fmt --check -- "$file" || log "not formatted: $file" ;;
          *) log "other: $file" ;;
        esac
      done
      cat > "notes-{part}.md" <<NOTES
      # Notes of part {part}
      {{{{report_{part}}}}}
      NOTES
      changed=$(git status --porcelain | awk '$1 == "M" {{ n++ }} END {{ print n + 0 }}')
      if [[ "$changed" -gt 0 && -n "${{CI:-}}" ]]; then
        log "$changed files changed"
      fi
      case "$verdict" in
        WORK_VERIFIED) log verified ;;
        HOLLOW_SUCCESS) log hollow; exit 1 ;;
        *) log "no proof: $verdict" ;;
      esac
      {bad}
    output: gate_{part}

  - id: follow-{part}
    condition: "gate_{part} and 'done' not in task_description"
    agent: bench:worker
    prompt: "Go on with {{{{report_{part}}}}}"
    output: follow_{part}

"#,
            filler = "      Keep to the rules of the repository, explain what you do, and name the files that you touched.\n".repeat(9),
            bad = if number.is_multiple_of(10) { "grep -q PASS <<< \"$raw\" || exit 1" } else { "true" },
        );
    }
    text
}
