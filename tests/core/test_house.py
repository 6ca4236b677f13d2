# SPDX-License-Identifier: Apache-2.0
"""The suite's own guards do fail a test: a copy of it runs on tests that misbehave."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY

MISBEHAVING = """
import logging, os, socket, subprocess, sys, threading, time, warnings
import pytest

def test_leaves_a_thread():
    threading.Thread(target=time.sleep, args=(20,), name="lazy", daemon=True).start()

def test_leaves_a_child():
    test_leaves_a_child.process = subprocess.Popen(["sleep", "60"])

def test_leaves_an_orphan():
    subprocess.run(["sh", "-c", "setsid sleep 61 >/dev/null 2>&1 &"], check=True)

def test_logs():
    logging.getLogger("some.where").warning("unheard of")

def test_warns():
    warnings.warn("old")

def test_calls_home():
    with pytest.raises(AssertionError, match="tried to connect"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)

@pytest.mark.allow_log("heard of")
def test_declares_what_it_logs():
    logging.getLogger("some.where").warning("heard of")

def test_has_a_home_of_its_own(home):
    assert os.environ["HOME"] == str(home)
    assert not [name for name in os.environ if name.startswith("ANTHROPIC_")]
    assert not list((home / ".local" / "state").iterdir())
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are seen in /proc")
def test_what_a_test_leaves_behind_fails_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not for tests")
    monkeypatch.setenv("LEAK_GRACE", "0.3")
    (tmp_path / "test_misbehaving.py").write_text(MISBEHAVING)
    words = ["-p", "tests.conftest", "-p", "no:cacheprovider", "-q"]
    words += ["-c", str(REPOSITORY / "pyproject.toml"), "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
    )
    failed = re.findall(r"^(?:FAILED|ERROR) \S+::(\S+)", done.stdout, re.MULTILINE)
    assert sorted(failed) == [
        "test_leaves_a_child",
        "test_leaves_a_thread",
        "test_leaves_an_orphan",
        "test_logs",
        "test_warns",
    ], done.stdout + done.stderr
    assert "leaked thread: lazy" in done.stdout
    assert re.search(r"leaked process \d+: sleep 61", done.stdout)
    assert "unexpected log record: some.where: unheard of" in done.stdout
