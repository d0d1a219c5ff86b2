#!/usr/bin/env bash
set -e
lines=$(wc -l)
printf "%s lines\n" "$lines" >&2
if grep -q today "$HOME/calendar.txt"; then exit 1; fi
