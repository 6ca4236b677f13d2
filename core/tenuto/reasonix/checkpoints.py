# SPDX-License-Identifier: Apache-2.0
"""Where the turns of a session begin: Reasonix's checkpoints, ``<id>.ckpt/turn-<n>.json``.

They are read for a fork's boundary and the next turn's number (reasonix.md, section 9); Tenuto
writes none, as it keeps no copies of files.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import Final

import msgspec

from tenuto.errors import NotAFile, StoreError
from tenuto.reasonix.model import Messages, turns
from tenuto.reasonix.names import CHECKPOINTS, sibling
from tenuto.runs.files import FileLayer

_NAME: Final = re.compile(r"turn-[0-9]{1,9}\.json")
#: Bytes: a checkpoint holds the files a turn changed, whole.
_LARGEST: Final = 64 << 20


class _Checkpoint(msgspec.Struct):
    """What of a checkpoint matters here."""

    turn: int = -1
    msgIndex: int = -1  # noqa: N815 (the key's name)


class Boundaries:
    """Turn number -> the place of its first message; and the number of the next turn."""

    def __init__(self, known: dict[int, int] | None = None, next_turn: int = 0) -> None:
        self.known = known if known is not None else {}
        self.next_turn = next_turn

    def begin(self, index: int) -> int:
        """A turn begins with the message at ``index``; its number."""
        turn = self.next_turn
        self.known[turn] = index
        self.next_turn += 1
        return turn


def read_boundaries(path: str, messages: Messages, *, layer: FileLayer | None = None) -> Boundaries:
    """The boundaries of the session at ``path``.

    One that was never checkpointed has them where its users' messages are.
    """
    layer = layer or FileLayer()
    found: dict[int, int] = {}
    where = os.path.realpath(sibling(path, CHECKPOINTS))
    with contextlib.suppress(OSError, NotAFile), layer.open_dir(where) as folder:
        with layer.scandir(folder) as entries:
            names = [entry.name for entry in entries if _NAME.fullmatch(entry.name)]
        for name in names:
            with contextlib.suppress(OSError, StoreError, msgspec.MsgspecError, UnicodeDecodeError):
                data = layer.read_all(folder, name, limit=_LARGEST)
                checkpoint = msgspec.json.decode(data, type=_Checkpoint)
                if checkpoint.turn >= 0 and checkpoint.msgIndex >= 0:
                    found[checkpoint.turn] = checkpoint.msgIndex
    if not found:
        found = dict(enumerate(turns(messages)))
    return Boundaries(found, max(found, default=-1) + 1)
