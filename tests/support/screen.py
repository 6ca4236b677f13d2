# SPDX-License-Identifier: Apache-2.0
"""A virtual X screen, for tests that start the app as its users do."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest


@pytest.fixture
def x_display() -> Iterator[str]:
    """The name of a virtual X screen, for tests that start the app as its users do."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("Xvfb is not installed")
    reader, writer = os.pipe()
    words = [server, "-displayfd", str(writer), "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    with subprocess.Popen(
        words, pass_fds=[writer], stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    ) as process:
        os.close(writer)
        try:
            with os.fdopen(reader) as numbers:
                number = numbers.readline().strip()
            assert number, "Xvfb did not start"
            yield f":{number}"
        finally:
            process.terminate()
            process.wait()
