# SPDX-License-Identifier: Apache-2.0
"""The same commit gives the same package, byte for byte, wherever it is built.

What is downloaded is locked by hashes (requirements/build.txt); here it is taken as it is.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.slow,
    pytest.mark.soak,
    pytest.mark.timeout(0),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Debian packages"),
]


def _build(place: Path, umask: int) -> bytes:
    subprocess.run(["git", "clone", "--quiet", str(REPOSITORY), str(place)], check=True)
    (place / "build").mkdir()
    (place / "build" / "venv").symlink_to(REPOSITORY / "build" / "venv")
    for script in ("pyinstaller/freeze.py", "linux/deb.py"):
        words = [sys.executable, str(place / "packaging" / script)]
        words += ["--level", "1"] if script.endswith("deb.py") else []
        subprocess.run(words, check=True, umask=umask, env={**os.environ, "TZ": "Asia/Tokyo"})
    (package,) = (place / "dist").glob("*.deb")
    return package.read_bytes()


def test_two_builds_of_a_commit_are_the_same_bytes(tmp_path: Path) -> None:
    if not (REPOSITORY / "build" / "venv" / "tenuto.stamp").exists():
        pytest.skip("make frozen makes the environment that is built with")
    first = _build(tmp_path / "first", 0o022)
    second = _build(tmp_path / "somewhere" / "else", 0o077)
    assert len(first) > 1_000_000
    assert first == second
