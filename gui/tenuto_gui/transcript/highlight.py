# SPDX-License-Identifier: Apache-2.0
"""Colours code blocks that are on screen, in the background: the first frame does not wait."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from weakref import ref

from PySide6.QtCore import QObject, Signal

from tenuto_gui.jobs import Jobs
from tenuto_gui.render import code
from tenuto_gui.render.spans import Span
from tenuto_gui.transcript.document import SafeDocument
from tenuto_gui.transcript.pieces import Piece

#: Code blocks whose colours are kept.
_CAPACITY = 300

Colour = Callable[[SafeDocument, str, Sequence[Span]], None]


class Highlighter(QObject):
    """Asks for the colours of each text once, and lays them over its documents when they come."""

    #: A document on screen got its colours.
    coloured = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = Jobs(self, workers=1)
        self._known: OrderedDict[tuple[str, str], list[Span]] = OrderedDict()
        self._waiting: dict[tuple[str, str], list[tuple[ref[Piece], Colour]]] = {}

    def want(self, piece: Piece, document: SafeDocument, colour: Colour) -> None:
        """Colour a code block: now where its colours are known, else when they are."""
        if not code.is_coloured(piece.text, piece.language):
            return
        key = (piece.language, piece.text)
        spans = self._known.get(key)
        if spans is not None:
            self._known.move_to_end(key)
            colour(document, piece.text, spans)
            return
        waiting = self._waiting.setdefault(key, [])
        waiting.append((ref(piece), colour))
        if len(waiting) == 1:
            self._jobs.run(
                lambda: code.spans(key[1], key[0]),
                lambda spans: self._done(key, spans),
                lambda _error: self._done(key, []),
            )

    def _done(self, key: tuple[str, str], spans: list[Span]) -> None:
        self._known[key] = spans
        while len(self._known) > _CAPACITY:
            self._known.popitem(last=False)
        for waiting, colour in self._waiting.pop(key, ()):
            piece = waiting()
            if piece is not None and spans and isinstance(piece.document, SafeDocument):
                colour(piece.document, piece.text, spans)
                document = piece.document
                document.markContentsDirty(0, document.characterCount())
        self.coloured.emit()

    def stop(self) -> None:
        """End the thread, for good."""
        self._jobs.stop()
