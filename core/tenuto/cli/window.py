# SPDX-License-Identifier: Apache-2.0
"""How the window is started: all that the core knows of it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tenuto.program import window_line


def command(words: Sequence[str] = (), *, state_dir: str = "") -> list[str]:
    """The command line that opens the window; its first word is an absolute path.

    ``words``: at most one, the session to show. In a frozen app it is the same executable.
    """
    folder = ["--state-dir", os.path.abspath(state_dir)] if state_dir else []
    return [*window_line(), *folder, *words]
