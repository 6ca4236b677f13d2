# SPDX-License-Identifier: Apache-2.0
"""Files that come with the window. They lie on disk, as Qt reads translations from there itself.

`importlib.resources` would find the same, and takes as long to load as a hundred rows to paint.
"""

from __future__ import annotations

import os

import tenuto_resources


def path_of(*names: str) -> str:
    """Where a bundled file or folder is, by its names below ``tenuto_resources``."""
    return os.path.join(*tenuto_resources.__path__, *names)


def read(*names: str) -> bytes:
    """A bundled file.

    :raises OSError: it is not there.
    """
    with open(path_of(*names), "rb") as file:
        return file.read()
