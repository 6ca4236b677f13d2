# SPDX-License-Identifier: Apache-2.0
"""How the window is started: all that the core knows of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def command(words: Sequence[str] = (), *, state_dir: str = "") -> list[str]:
    """The command line that opens the window; its first word is an absolute path.

    ``words``: at most one, the session to show. In a frozen app it is the same executable.
    """
    rest = [*(["--state-dir", os.path.abspath(state_dir)] if state_dir else []), *words]
    if getattr(sys, "frozen", False):
        return [sys.executable, "--window", *rest]
    return [sys.executable, "-m", "tenuto_gui", *rest]
