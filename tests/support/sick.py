# SPDX-License-Identifier: Apache-2.0
"""Workers that fall ill: Python code run in every ``tenuto`` process that a test starts.

The process is the real one; only what is named goes wrong in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: The loop runs into what nobody expected.
CRASH = """
import tenuto.agent.loop as loop
def talk(self, conversation):
    raise RuntimeError("the shelf fell down, password=hunter2hunter2")
loop.AgentLoop._talk = talk
"""


@contextmanager
def workers(folder: Path, code: str) -> Iterator[None]:
    """While this lasts, workers run ``code`` before anything else. ``folder``: one of our own."""
    folder.mkdir()
    lines = ["import sys", 'if "--events" in sys.orig_argv:']
    lines += [f"    {line}" for line in code.strip().splitlines()]
    (folder / "sitecustomize.py").write_text("\n".join(lines) + "\n")
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(part for part in (str(folder), before) if part)
    try:
        yield
    finally:
        if before:
            os.environ["PYTHONPATH"] = before
        else:
            del os.environ["PYTHONPATH"]
