# SPDX-License-Identifier: Apache-2.0
"""What Reasonix's own sidecars do not tell of its sessions, kept in Tenuto's cache folder.

One file for all sessions under a root: whether the last turn ended, what is wrong with a file. It
is a cache; anything doubtful about it and it is made anew. Nothing is written beside the sessions:
looking at them changes nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os

import msgspec

from tenuto.errors import StoreError
from tenuto.reasonix.names import as_text, is_text
from tenuto.runs.files import FileLayer
from tenuto.sources.reasonix_facts import Facts

#: Another number where facts come to something else than before: 2, digests are checked.
_SCHEMA = 2


class _Index(msgspec.Struct, gc=False):
    schema: int
    root: str
    facts: dict[str, Facts]


_decode = msgspec.json.Decoder(_Index).decode


class FactsCache:
    """Session id -> its facts, for one root."""

    def __init__(
        self, root: str, directory: str | os.PathLike[str] | None, layer: FileLayer
    ) -> None:
        self._root = root
        self._given = directory
        self._layer = layer
        self._known: dict[str, Facts] | None = None

    def get(self) -> dict[str, Facts]:
        """All facts; read once."""
        if self._known is None:
            self._known = self._read()
        return self._known

    def put(self, facts: dict[str, Facts], gone: frozenset[str] = frozenset()) -> None:
        """Add facts and forget sessions; written best effort, as a cache is."""
        known = {id: found for id, found in self.get().items() if id not in gone} | facts
        self._known = known
        kept = {id: found for id, found in known.items() if is_text(id)}
        data = msgspec.json.encode(_Index(_SCHEMA, as_text(self._root), kept))
        with (
            contextlib.suppress(OSError, StoreError),
            self._layer.make_dir(os.path.realpath(self._directory())) as folder,
        ):
            self._layer.atomic_write(folder, self._name(), data, sync_dir=False)

    def _read(self) -> dict[str, Facts]:
        with contextlib.suppress(
            OSError, StoreError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError
        ):
            with self._layer.open_dir(os.path.realpath(self._directory())) as folder:
                index = _decode(self._layer.read_all(folder, self._name()))
            if index.schema == _SCHEMA and index.root == as_text(self._root):
                return index.facts
        return {}

    def _directory(self) -> str:
        if self._given is not None:
            return os.path.join(self._given, "reasonix")
        from tenuto.paths import cache_dir

        return os.path.join(cache_dir(), "reasonix")

    def _name(self) -> str:
        return hashlib.sha256(os.fsencode(self._root)).hexdigest()[:32] + ".json"
