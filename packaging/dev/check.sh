#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the named checks, all of them even when one fails: lint, types, tests (its words follow).
# One process more than there are cores shares the tests, as many of them wait for other processes;
# who is done takes over from who is not. `-n 0` behind `tests` brings one process back.
set -uo pipefail
cd "$(dirname "$0")/../.."

failed=()
check() {
  local name=$1
  shift
  echo "== $name"
  "$@" || failed+=("$name")
}

while [ $# -gt 0 ]; do
  case $1 in
    lint)
      check lint .venv/bin/ruff check .
      check format .venv/bin/ruff format --check .
      ;;
    types) check types .venv/bin/mypy ;;
    tests)
      shift
      workers=$(($(getconf _NPROCESSORS_ONLN) + 1))
      check tests .venv/bin/python -m pytest -n "$workers" --dist worksteal "$@"
      break
      ;;
    *)
      echo "check.sh: what is '$1'?" >&2
      exit 2
      ;;
  esac
  shift
done

if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}" >&2
  exit 1
fi
