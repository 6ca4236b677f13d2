# SPDX-License-Identifier: Apache-2.0
"""The layers of ARCHITECTURE.md, held by what the modules import."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.imports import all_imports, modules, within
from tests.support.paths import FISK_REAL

QT = ("PySide6", "shiboken6", "tenuto_gui", "tenuto_resources")
MODEL = (
    "tenuto.careful",
    "tenuto.collector",
    "tenuto.decode",
    "tenuto.encode",
    "tenuto.errors",
    "tenuto.fingerprint",
    "tenuto.fold",
    "tenuto.gojson",
    "tenuto.goparse",
    "tenuto.guard",
    "tenuto.messages",
    "tenuto.payloads",
    "tenuto.records",
    "tenuto.sentences",
    "tenuto.state",
    "tenuto.wire",
)
GROUND = (
    "tenuto.clock",
    "tenuto.errors",
    "tenuto.paths",
    "tenuto.program",
    "tenuto.redact",
    "tenuto.sentences",
    "tenuto.settings",
    "tenuto.streams",
    "tenuto.text",
    "tenuto.version",
)
RUNS = ("tenuto.runs",)
REASONIX = ("tenuto.reasonix",)
WATCH = tuple(f"tenuto.watch{part}" for part in ("", "_events", "_folder", "_inotify", "_looks"))
SOURCES = ("tenuto.sources",)
AGENT = ("tenuto.agent",)
RENDER = ("tenuto.render",)
EXPORT = ("tenuto.export",)
#: Layer -> what of ours it may import besides itself.
ALLOWED: dict[tuple[str, ...], tuple[str, ...]] = {
    MODEL: (),
    # Settings are written as every other file of ours is: atomically, by the file layer.
    GROUND: ("tenuto.runs.files",),
    RUNS: MODEL + GROUND,
    REASONIX: MODEL + GROUND + RUNS,
    WATCH: GROUND + RUNS,
    SOURCES: MODEL + GROUND + RUNS + REASONIX + WATCH,
    RENDER: GROUND,
    EXPORT: MODEL + GROUND + RUNS + SOURCES + RENDER,
    AGENT: MODEL + GROUND + RUNS + REASONIX + SOURCES,
    ("tenuto.render",): GROUND,
    ("tenuto.demo",): MODEL + GROUND + RUNS + REASONIX + SOURCES + AGENT,
    ("tenuto.cli", "tenuto.__main__"): ("tenuto",),
}
#: What the window may know of core: it reads through sources, and changes by running commands.
#: Which configuration a run goes on with is asked in one place, by window and command line.
WINDOW = (*SOURCES, *WATCH, *RENDER, *GROUND, *MODEL, "tenuto.agent.choice")
#: Too slow for `tenuto session ls`, or a sign that something slow came along.
HEAVY = {
    "anthropic",
    "asyncio",
    "concurrent.futures",
    "httpx",
    "httpx2",
    "importlib.metadata",
    "keyring",
    "logging.config",
    "mcp",
    "markdown_it",
    "multiprocessing",
    "openai",
    "platformdirs",
    "pydantic",
    "PySide6",
    "re2",
    "regex",
    "ruamel.yaml",
    "ssl",
    "tenuto.agent",
    "tenuto_gui",
    "unittest",
    "watchdog",
    "zstandard",
}


def _layer(module: str) -> tuple[str, ...]:
    for layer in ALLOWED:
        if within(module, layer):
            return layer
    pytest.fail(f"{module} belongs to no layer: name it in ALLOWED, and in ARCHITECTURE.md")


def test_each_layer_of_core_imports_only_what_lies_below_it() -> None:
    wrong = [
        str(found)
        for found in all_imports("tenuto")
        if found.module != "tenuto"
        and within(found.imported, ("tenuto",))
        and found.imported != "tenuto"
        and not within(found.imported, _layer(found.module) + ALLOWED[_layer(found.module)])
    ]
    assert wrong == []


def test_core_knows_nothing_of_qt_but_how_to_start_the_window() -> None:
    found = [i for i in all_imports("tenuto") if within(i.imported, QT)]
    outside = [
        str(i)
        for i in found
        # The command line becomes the window, and unpacks the samples of `tenuto demo`.
        if not (within(i.module, ("tenuto.cli",)) and i.in_function)
        or within(i.imported, ("PySide6", "shiboken6"))
    ]
    assert outside == []


def test_the_window_reads_through_sources_and_writes_through_commands() -> None:
    wrong = [
        str(i)
        for i in all_imports("tenuto_gui")
        if within(i.imported, ("tenuto",)) and not within(i.imported, WINDOW)
    ]
    assert wrong == []


def test_resources_import_nothing_of_ours() -> None:
    wrong = [
        str(i)
        for i in all_imports("tenuto_resources")
        if within(i.imported, ("tenuto", "tenuto_gui"))
    ]
    assert wrong == []


def test_the_model_does_no_input_or_output() -> None:
    doors = ("os", "io", "pathlib", "socket", "subprocess", "shutil", "tempfile", "fcntl")
    wrong = [
        str(i)
        for i in all_imports("tenuto")
        if within(i.module, MODEL) and within(i.imported, doors)
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ["tenuto", "tenuto_gui"])
def test_the_packages_themselves_import_nothing(package: str) -> None:
    own = [str(i) for i in all_imports(package) if i.module == package]
    assert own == []
    assert len(modules(package)) > 1


def _modules_after(code: str) -> set[str]:
    """The modules loaded in a fresh interpreter that ran ``code``."""
    tail = "\nimport json, sys\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code + tail], capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_every_module_of_core_can_be_imported_without_qt() -> None:
    names = [name for name in modules("tenuto") if not name.endswith("__main__")]
    loaded = _modules_after("\n".join(f"import {name}" for name in names))
    assert "tenuto" in loaded
    assert not {name for name in loaded if within(name, QT)}


def test_listing_imports_nothing_heavy(tmp_path: Path) -> None:
    shutil.copytree(FISK_REAL / "runs", tmp_path / "runs")
    listing = f"""
from tenuto.cli.main import main
for _again in range(2):  # once with previews to build, once with none
    assert main(["session", "ls", "--state-dir", {str(tmp_path / "runs")!r}]) == 0
"""
    loaded = _modules_after(listing)
    assert "tenuto.sources.runs" in loaded
    assert sorted(loaded & HEAVY) == []
