# SPDX-License-Identifier: Apache-2.0
"""What the tests of the trash share: runs with companions, and a trash on another disk."""

import errno
import os
from pathlib import Path

from tests.support.store import FaultLayer, make_run

EXTRA = {
    ".notes.json": b'{"title":"My run"}\n',
    ".torn": b"# offset 1, 1 bytes, x\nx",
}


class OtherDisk(FaultLayer):
    """The trash is on another file system: no rename between two folders."""

    def rename(self, source, name, target, new):
        if source.path != target.path:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        super().rename(source, name, target, new)


LAYERS = {"rename": FaultLayer, "copy": OtherDisk}


def fill(store, id="run"):
    make_run(store, id)
    for suffix, data in EXTRA.items():
        Path(store.directory, id + suffix).write_bytes(data)


def whole(store, id="run"):
    """The files of the run by suffix, the lock left out."""
    return {
        name.removeprefix(id): Path(store.directory, name).read_bytes()
        for name in os.listdir(store.directory)
        if name.startswith(id + ".") and not name.endswith(".lock")
    }


def made(way, **options):
    return LAYERS[way](**options) if options else LAYERS[way](only=())
