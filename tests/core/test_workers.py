# SPDX-License-Identifier: Apache-2.0
"""Runs that other processes hold: which are workers of ours, and asking one to suspend."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tenuto.agent import folder_choice
from tenuto.runs.file import FileRunStore
from tenuto.runs.workers import ask_to_suspend, names_worker
from tests.support.store import make_run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")

#: Holds a run's lock until its input ends, and says when it is interrupted.
HOLD = """
import fcntl, os, signal, sys
signal.signal(signal.SIGINT, lambda *_: print("interrupted", flush=True))
fd = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR, 0o600)
fcntl.flock(fd, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        (["/usr/bin/tenuto", "resume", "r1"], True),
        (["/usr/bin/python3", "/usr/bin/tenuto", "--state-dir", "runs", "run", "p"], True),
        (["python3", "-m", "tenuto", "resume", "r1"], True),
        (["python3", "-c", "from tenuto.cli.main import entry; entry()", "run", "p"], True),
        (["/usr/bin/tenuto", "session", "ls"], False),
        (["/usr/bin/fisk-ai", "run", "tenuto"], False),
        (["vim", "resume"], False),
        ([], False),
    ],
)
def test_a_worker_is_known_by_its_command_line(words: list[str], ours: bool) -> None:
    assert names_worker(words) is ours


@pytest.fixture
def store(tmp_path: Path) -> FileRunStore:
    made = FileRunStore(tmp_path / "runs")
    make_run(made)
    return made


def hold(store: FileRunStore, *words: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(Path(store.directory) / "run.lock"), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_a_worker_that_holds_the_run_is_interrupted(store: FileRunStore) -> None:
    with hold(store, "tenuto", "resume", "run") as process:
        assert ask_to_suspend(store.directory, "run") == "asked"
        assert process.stdout is not None
        assert process.stdout.readline() == b"interrupted\n"
        process.communicate()


def test_another_program_is_left_alone(store: FileRunStore) -> None:
    with hold(store, "fisk-ai", "resume", "run") as process:
        assert ask_to_suspend(store.directory, "run") == "foreign"
        out, _ = process.communicate()
        assert out == b""
        assert process.returncode != -signal.SIGINT


def test_nobody_holds_it(store: FileRunStore) -> None:
    assert ask_to_suspend(store.directory, "run") == "gone"


def test_the_configuration_of_a_folder_is_remembered(tmp_path: Path) -> None:
    data, runs, config = tmp_path / "data", tmp_path / "runs", tmp_path / "agent.yaml"
    runs.mkdir()
    config.write_text("identity: a\n")
    assert folder_choice.recall(runs, directory=data) is None
    assert folder_choice.remember(runs, str(config), directory=data)
    (tmp_path / "link").symlink_to(runs)
    assert folder_choice.recall(tmp_path / "link", directory=data) == str(config)
    assert folder_choice.recall(tmp_path, directory=data) is None
    config.unlink()
    assert folder_choice.recall(runs, directory=data) is None
    (data / "folder_configs.json").write_text("{")
    assert folder_choice.recall(runs, directory=data) is None
