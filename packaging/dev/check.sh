#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the named checks, all of them even when one fails: lint, types, tests (its words follow).
# Two processes share the tests, a file at a time; `-n 0` behind `tests` brings one back.
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
      check tests .venv/bin/python -m pytest -n 2 --dist loadfile "$@"
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
