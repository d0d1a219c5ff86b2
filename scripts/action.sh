#!/usr/bin/env bash
# What the GitHub action runs: installs recipelint where it is missing, checks, and leaves a SARIF file when asked.
set -euo pipefail

if ! command -v recipelint > /dev/null; then
  python3 -m pip install --quiet --disable-pip-version-check "recipelint${RECIPELINT_VERSION:+==$RECIPELINT_VERSION}"
fi

arguments=(--format github --fail-on "${RECIPELINT_FAIL_ON:-warning}")
if [ -n "${RECIPELINT_CHANGED_SINCE:-}" ]; then
  arguments+=(--changed-since "$RECIPELINT_CHANGED_SINCE")
fi
if [ -n "${RECIPELINT_BASELINE:-}" ]; then
  arguments+=(--baseline "$RECIPELINT_BASELINE")
fi
if [ "${RECIPELINT_SARIF:-false}" = true ]; then
  sarif="${RUNNER_TEMP:-/tmp}/recipelint.sarif"
  arguments+=(--output "sarif=$sarif")
  printf 'sarif-file=%s\n' "$sarif" >> "${GITHUB_OUTPUT:-/dev/null}"
fi

# Paths are separated by blanks; a glob stays one word, recipelint reads it itself.
read -r -a paths <<< "${RECIPELINT_PATHS:-.}"
exec recipelint check "${arguments[@]}" -- "${paths[@]}"
