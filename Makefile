# SPDX-License-Identifier: Apache-2.0
# make run opens the window; make test runs everything that must hold. Both set up .venv first.

PYTHON_VENV := .venv/bin/python
SETUP := packaging/dev/setup.sh
LEVEL := 6
# What reads bytes that anybody may have written: `make soak` gives it 20,000 examples each.
PROPERTIES := $(addprefix tests/core/test_,fold.py reader.py records.py decode_fuzz.py)

.DEFAULT_GOAL := help
.PHONY: help run test lint types format bench soak lock clean setup setup-dev \
	frozen deb tarball test-packages

help: ## show this
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

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
	@$(PYTHON_VENV) -m benchmarks gui $(ARGS)

soak: setup-dev ## the long versions: thousands of kills, power cuts and mutations
	@$(PYTHON_VENV) -m pytest --soak -m soak --timeout=0 tests $(PYTEST)
	@HYPOTHESIS_PROFILE=soak $(PYTHON_VENV) -m pytest --timeout=0 $(PROPERTIES) $(PYTEST)

frozen: setup ## the app in one folder, dist/tenuto, with a Python and a Qt of its own
	@$(PYTHON_VENV) packaging/dev/system_libraries.py --packages
	@$(PYTHON_VENV) packaging/pyinstaller/freeze.py

deb: frozen ## dist/tenuto_*.deb, for apt install; LEVEL=1 compresses less and sooner
	@$(PYTHON_VENV) packaging/linux/deb.py --level $(LEVEL)

tarball: frozen ## dist/tenuto-*.tar.xz, for other Linux systems
	@$(PYTHON_VENV) packaging/linux/tarball.py

test-packages: LEVEL := 1
test-packages: setup-dev deb ## build the package, install it beside, use it, remove it
	@$(PYTHON_VENV) packaging/dev/system_libraries.py --tools --packages
	@$(PYTHON_VENV) -m pytest -m packaging tests/packaging $(PYTEST)

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
