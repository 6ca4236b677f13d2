#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes .venv from the lock files, every download checked by its hash, and installs Tenuto editable.
#
#   packaging/dev/setup.sh run     what the program needs
#   packaging/dev/setup.sh dev     that, and the tools of tests, lint and benchmarks
#
# Does nothing when .venv already is what the lock files say. $PYTHON names another interpreter.
set -euo pipefail
cd "$(dirname "$0")/../.."

level=${1:?run or dev}
venv=.venv
stamp=$venv/tenuto-$level.stamp

fail() {
  printf 'tenuto: %s\n' "$@" >&2
  exit 1
}

usable() { # Python 3.11 or newer, on PATH
  command -v "$1" >/dev/null 2>&1 &&
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
  local name
  if [ -n "${PYTHON:-}" ]; then
    usable "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.11 or newer."
    printf '%s' "$PYTHON"
    return
  fi
  for name in python3 python3.13 python3.12 python3.11 python3.14; do
    if usable "$name"; then
      printf '%s' "$name"
      return
    fi
  done
  fail "Python 3.11 or newer is needed; python3 here is $(python3 --version 2>&1 || true)." \
    "Install it (Debian 12 and newer: apt-get install python3 python3-venv) or name one: PYTHON=/path/to/python3 make run"
}

wanted() { # what the stamp must say
  cat requirements/run.txt requirements/dev.txt pyproject.toml
}

digest() { wanted | "$venv/bin/python" -c 'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())'; }

# An interpreter that starts, and programs whose first line names this folder, not one it was moved from.
works() {
  usable "$venv/bin/python" && { [ ! -f "$venv/tenuto-home" ] || [ "$(cat "$venv/tenuto-home")" = "$PWD" ]; }
}

make_venv() {
  local python
  python=$(find_python)
  "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 || fail \
    "$python has no venv or ensurepip module, which .venv is made with." \
    "Debian and Ubuntu keep them in a package of their own: apt-get install python3-venv"
  echo "tenuto: making $venv with $("$python" --version)" >&2
  "$python" -m venv --clear "$venv"
  printf '%s\n' "$PWD" >"$venv/tenuto-home"
}

works || make_venv
digest=$(digest)
for done in "$stamp" "$venv/tenuto-dev.stamp"; do # the tools' set holds the program's
  if [ -f "$done" ] && [ "$(cat "$done")" = "$digest" ]; then
    exit 0
  fi
done

rm -f "$venv"/tenuto-*.stamp
pip=("$venv/bin/python" -m pip --disable-pip-version-check --no-input)
echo "tenuto: installing requirements/$level.txt into $venv" >&2
"${pip[@]}" install --quiet --require-hashes --only-binary :all: --no-deps \
  --requirement "requirements/$level.txt"
"${pip[@]}" install --quiet --no-deps --no-build-isolation --editable .
# pip does so for what it copies. Without it each start compiles anew where nothing may be written.
"$venv/bin/python" -m compileall -q core gui resources
printf '%s\n' "$digest" >"$stamp"
