#!/usr/bin/env bash
if grep -qi ripe <<< "$1"; then exit 0; fi #~ grep-agent-output
exit 1
