# SPDX-License-Identifier: Apache-2.0
"""One key out of a file of ``KEY=value`` lines, a ``.env``.

Nothing else of the file is taken, and nothing of it gets into an environment: not into this
process's, and so into no tool's.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Final

#: A file of keys is small; what is larger is something else.
_MOST: Final = 1 << 20
_LINE: Final = re.compile(
    r"""[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_.]*)[ \t]*=[ \t]*
    (?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>[^']*)'|(?P<plain>[^\n]*))""",
    re.VERBOSE,
)
_COMMENT: Final = re.compile(r"(?:^|[ \t])#.*")
_ESCAPE: Final = re.compile(r"\\(.)")


def key_in(path: Path, name: str) -> str | None:
    """The value that the file at ``path`` gives ``name``, the last one; None where it gives none.

    A file that is not there, or cannot be read, or is no plain file, gives none.
    """
    found = None
    for line in _text(path).splitlines():
        match = _LINE.match(line)
        if match is not None and match["name"] == name:
            found = _value(match)
    return found or None


def _value(match: re.Match[str]) -> str:
    if match["double"] is not None:
        return _ESCAPE.sub(r"\1", match["double"])
    if match["single"] is not None:
        return match["single"]
    return _COMMENT.sub("", match["plain"]).strip()


def _text(path: Path) -> str:
    try:
        # A FIFO must not keep us waiting.
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return ""
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return ""
        data = b""
        while len(data) <= _MOST and (part := os.read(fd, _MOST)):
            data += part
    except OSError:
        return ""
    finally:
        os.close(fd)
    if len(data) > _MOST:
        return ""
    return data.decode("utf-8-sig", "replace")
