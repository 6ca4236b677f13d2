# SPDX-License-Identifier: Apache-2.0
"""What every test gets: a machine of its own, and a failure for whatever it leaves behind.

A test declares what it expects to be logged with ``@pytest.mark.allow_log("regex")``, and Qt's
messages with pytest-qt's ``@pytest.mark.qt_log_ignore("regex")``; anything else at WARNING or above
fails it.
"""

from __future__ import annotations

import os
import shutil

# Before anything can import Qt: the suite draws into memory. Tests that need a screen start Xvfb
# and a process of their own (``x_display``). The screen that Qt thinks of by itself is 800 x 800.
os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={os.path.dirname(__file__)}/data/screen.json"
os.environ["QT_SCALE_FACTOR"] = "1"
# The tests start some hundred processes: each would compile the whole program anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.support import isolation, leaks, logfail, room, screen

# Before pytest asks for its folder. Processes that share the tests inherit it.
room.use_memory()

# Deadlines measure the machine, not the code: two slow cores shared with other work miss them.
hypothesis.settings.register_profile("suite", deadline=None, derandomize=True, max_examples=100)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=200, print_blob=True)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=20_000, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


x_display = screen.x_display
_FAILED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add ``--soak``, and keep Qt out of a run that only names core tests.

    pytest-qt imports PySide6 when pytest is configured. A run of ``tests/core`` works on a machine
    without Qt's system libraries, and starts faster, when it is taken out before that.
    """
    parser.addoption("--soak", action="store_true", help="run the tests marked 'soak' too")
    core = Path(__file__).parent / "core"
    named = [Path(word.split("::")[0]).absolute() for word in sys.argv[1:] if word[:1] != "-"]
    paths = [path for path in named if path.exists()]
    if paths and all(path.is_relative_to(core) for path in paths):
        pluginmanager.unregister(name="pytest-qt")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "packaging" not in config.option.markexpr:
        skip = pytest.mark.skip(reason="builds packages: make test-packages")
        for item in items:
            if item.get_closest_marker("packaging"):
                item.add_marker(skip)
    if config.getoption("--soak"):
        return
    skip = pytest.mark.skip(reason="long version: make soak")
    for item in items:
        if item.get_closest_marker("soak"):
            item.add_marker(skip)


@pytest.fixture(scope="session", autouse=True)
def _loopback_only() -> Iterator[None]:
    """No test reaches beyond this machine."""
    with isolation.loopback_only():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport]:
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


@pytest.fixture(autouse=True)
def home(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Path]:
    """A fresh home with the XDG folders in it, and an environment without a user's settings.

    As with ``tmp_path``, only that of a failed test is kept: what is removed at once is hardly
    ever written to the disk, and the next run need not clear it away.
    """
    folder = tmp_path_factory.mktemp("home", numbered=True)
    isolation.enter(folder, monkeypatch)
    yield folder
    if not request.node.stash.get(_FAILED, False):
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def _nothing_left_behind(request: pytest.FixtureRequest, home: Path) -> Iterator[None]:
    """Fail a test that leaves a thread or a process running, or logs what it did not declare."""
    patterns = [p for mark in request.node.iter_markers("allow_log") for p in mark.args]
    before = leaks.snapshot(home)
    with logfail.recording() as records:
        yield
        found = leaks.wait_and_collect(before)
    problems = [*found, *logfail.unexpected(records, patterns)]
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)
