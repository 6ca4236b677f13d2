# SPDX-License-Identifier: Apache-2.0
# make run opens the window; make test runs everything that must hold. Both set up .venv first.

PYTHON_VENV := .venv/bin/python
SETUP := packaging/dev/setup.sh

.DEFAULT_GOAL := help
.PHONY: help run test lint types format bench soak lock clean setup setup-dev

help: ## show this
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

run: setup ## open the window on your sessions; ARGS=demo on samples, ARGS="session ls" the command line
	@exec .venv/bin/tenuto $(ARGS)

test: setup-dev ## set up, lint, types and the whole suite; PYTEST="-k words" narrows it
	@packaging/dev/check.sh lint types tests $(PYTEST)

lint: setup-dev ## ruff
	@packaging/dev/check.sh lint

types: setup-dev ## mypy
	@packaging/dev/check.sh types

format: setup-dev ## let ruff lay out the code and mend what it can
	@.venv/bin/ruff format . && .venv/bin/ruff check --fix .

bench: setup-dev ## measure against floors taken in the same run
	@$(PYTHON_VENV) -m benchmarks core $(ARGS)
	@$(PYTHON_VENV) -m benchmarks agent $(ARGS)
	@$(PYTHON_VENV) -m benchmarks reasonix $(ARGS)

soak: setup-dev ## the long versions: thousands of kills, power cuts and mutations
	@HYPOTHESIS_PROFILE=soak $(PYTHON_VENV) -m pytest --soak -m soak --timeout=0 tests $(PYTEST)

lock: setup-dev ## resolve pyproject.toml anew into requirements/*.txt (ARGS=--upgrade)
	@packaging/dev/lock.sh $(ARGS)

clean: ## remove what these commands made
	rm -rf .venv build dist htmlcov .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find core gui resources tests benchmarks packaging -name __pycache__ -type d -prune -exec rm -rf {} +

setup:
	@$(SETUP) run
	@$(PYTHON_VENV) packaging/dev/system_libraries.py

setup-dev:
	@$(SETUP) dev
	@$(PYTHON_VENV) packaging/dev/system_libraries.py --tools
