# SPDX-License-Identifier: Apache-2.0
"""House rules that a reader should never have to check."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY

FOLDERS = (".ci", "benchmarks", "core", "docs", "gui", "packaging", "resources", "tests")
SOURCE_SUFFIXES = {".py", ".sh", ".toml", ".md", ".qss"}
SOURCE_NAMES = {"Makefile", "run"}
MOST_LINES = 450


def _sources() -> Iterator[Path]:
    for path in sorted(REPOSITORY.iterdir()):
        if path.is_file():
            yield path
    for folder in FOLDERS:
        for path in sorted((REPOSITORY / folder).rglob("*")):
            if path.is_file() and "data" not in path.relative_to(REPOSITORY).parts:
                yield path


def _texts() -> list[Path]:
    return [
        path for path in _sources() if path.suffix in SOURCE_SUFFIXES or path.name in SOURCE_NAMES
    ]


def test_files_stay_small() -> None:
    sizes = {path: path.read_bytes().count(b"\n") for path in _texts() if path.suffix != ".md"}
    assert len(sizes) > 50
    long = {str(path.relative_to(REPOSITORY)): n for path, n in sizes.items() if n > MOST_LINES}
    assert long == {}


def test_every_source_names_its_licence() -> None:
    bare = [
        str(path.relative_to(REPOSITORY))
        for path in _texts()
        if b"SPDX-License-Identifier: Apache-2.0" not in path.read_bytes()[:200]
    ]
    assert bare == []


@pytest.mark.parametrize("name", ["run", "dev", "build"])
def test_locked_dependencies_have_hashes_and_no_address(name: str) -> None:
    text = (REPOSITORY / "requirements" / f"{name}.txt").read_text()
    entries = re.findall(
        r"^([a-z0-9-]+)==\S+((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", text, re.MULTILINE
    )
    pinned = re.findall(r"^[A-Za-z0-9._-]+==", text, re.MULTILINE)
    assert len(entries) == len(pinned) > 20
    assert not re.search(r"://|--(extra-)?index-url|--find-links|file:/", text)


def test_the_lock_files_agree_and_hold_every_dependency() -> None:
    def pins(name: str) -> dict[str, str]:
        text = (REPOSITORY / "requirements" / f"{name}.txt").read_text()
        return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE))

    def wanted(words: list[str]) -> set[str]:
        names = (re.split(r"[<>=!~ ]", word)[0] for word in words)
        return {re.sub(r"[-_.]+", "-", name).lower() for name in names}

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    run, dev, build = pins("run"), pins("dev"), pins("build")
    assert run.items() <= dev.items()
    assert run.items() <= build.items()
    assert wanted(project["optional-dependencies"]["freeze"]) <= build.keys()
    assert wanted(project["dependencies"]) <= run.keys()
    assert wanted(project["optional-dependencies"]["dev"]) <= dev.keys()


def test_the_tests_that_architecture_names_are_there() -> None:
    text = (REPOSITORY / "ARCHITECTURE.md").read_text()
    named = re.findall(r"`([a-z0-9_/]+\.py)::(test_\w+)`", text)
    assert len(named) > 10
    missing = [
        f"{file}::{name}"
        for file, name in named
        if f"def {name}(" not in (REPOSITORY / "tests" / file).read_text()
    ]
    assert missing == []
