#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Resolves pyproject.toml into requirements/*.txt, every file of every release with its hash.
# Nothing of the machine goes into them: no index address, no path.
set -euo pipefail
cd "$(dirname "$0")/../.."

compile() { # compile OUTPUT EXTRA... -- MORE OPTIONS
  local output=$1
  shift
  CUSTOM_COMPILE_COMMAND="make lock" .venv/bin/pip-compile --quiet --no-config --strip-extras \
    --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host \
    --no-emit-find-links --resolver=backtracking --output-file "$output" "$@" pyproject.toml
}

compile requirements/dev.txt --extra build --extra dev "${@}"
compile requirements/run.txt --extra build --constraint requirements/dev.txt "${@}"
compile requirements/build.txt --extra build --extra freeze --constraint requirements/dev.txt "${@}"
