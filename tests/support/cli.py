# SPDX-License-Identifier: Apache-2.0
"""What tests of the command line share: runs on disk, and asking the command in this process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tenuto.cli.main import main
from tests.support import journals as j

Capture = pytest.CaptureFixture[str]


def put(runs: Path, id: str, *lines: bytes) -> Path:
    path = runs / f"{id}.json"
    path.write_bytes(b"".join(lines))
    path.chmod(0o600)
    return path


def suspended(runs: Path, id: str = "r", prompt: str = "Count the rice") -> Path:
    return put(
        runs,
        id,
        j.meta(run_id=id, prompt=prompt),
        j.assistant(2, [j.text("Look."), j.call("c1", {"match": "rice"})], stop_reason="tool_use"),
        j.result(3, "c1", '{"command":"stock list","exit_code":3,"output":"two bags\\n"}'),
        j.terminal(4),
    )


def crashed(runs: Path, id: str = "r") -> Path:
    return put(
        runs,
        id,
        j.meta(run_id=id),
        j.assistant(2, [j.call("c1", {"n": 1}), j.call("c2")], stop_reason="tool_use"),
    )


def ask(capsys: Capture, *words: str | Path) -> tuple[int, Any]:
    """Run with ``--json``; the exit code and the document."""
    code = main([*map(str, words), "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out.strip() else None


def tell(capsys: Capture, *words: str | Path) -> tuple[int, str, str]:
    code = main([*map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


@contextmanager
def held(path: Path) -> Iterator[int]:
    """Another process holds the lock, as fisk-ai does."""
    script = (
        "import fcntl,os,sys\n"
        "fd=os.open(sys.argv[1],os.O_RDWR|os.O_CREAT,0o600)\n"
        "fcntl.flock(fd,fcntl.LOCK_EX)\nprint('held',flush=True)\nsys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process.pid
    finally:
        process.communicate(timeout=30)
