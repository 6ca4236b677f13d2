# SPDX-License-Identifier: Apache-2.0
"""Files that a writer who was killed left under the name they had before they got their own."""

from __future__ import annotations

import contextlib
import re
import time
from typing import Final

from tenuto.errors import NotAFile
from tenuto.runs.companions import temp_name
from tenuto.runs.files import FileLayer, Folder

#: Seconds after which nobody is writing a file any more that was not written to since.
ABANDONED: Final = 3600


def sweep_leftovers(layer: FileLayer, folder: Folder, name: str) -> None:
    """Remove what writings of ``name`` that were broken off left an hour ago or earlier.

    Best effort: they are in nobody's way, but what they hold should not stay for ever.
    """
    start, end = temp_name(name, "\0").split("\0")
    pattern = re.compile(re.escape(start) + "[0-9a-f]{16}" + re.escape(end))
    with contextlib.suppress(OSError):
        with layer.scandir(folder) as entries:
            found = [entry.name for entry in entries if pattern.fullmatch(entry.name)]
        for each in found:
            with contextlib.suppress(OSError, NotAFile):
                status = layer.lstat(folder, each)
                layer.check_regular(folder, each, status)
                if time.time() - status.st_mtime > ABANDONED:
                    layer.unlink(folder, each)
