# SPDX-License-Identifier: Apache-2.0
"""What a worker says before the journal says it: unfinished text, running calls, questions.

Qt-free. The journal is the truth. Live text stands at the end of the transcript until the record
that holds it was read; nothing of it is kept after that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tenuto.sources.base import Block, BlockKind

#: Live blocks number from here, so that no record's block has the same key.
LIVE_SEQ = 1 << 60
#: Where the worker began is not known: its text is newer than whatever is shown.
_UNKNOWN = 1 << 50


@dataclass
class _Piece:
    kind: str
    parts: list[str]
    #: The record that holds this text has a higher number than this.
    after: int


@dataclass
class LiveState:
    """The unfinished end of one run."""

    #: Call id -> monotonic seconds at which its tool was seen to start.
    started: dict[str, float] = field(default_factory=dict)
    #: Questions that are open: ask id -> call id ("" where it names none).
    asks: dict[str, str] = field(default_factory=dict)
    streaming: bool = False
    #: The worker holds the run and works.
    begun: bool = False
    _pieces: list[_Piece] = field(default_factory=list)
    _after: int = _UNKNOWN

    def delta(self, kind: str, text: str) -> None:
        """More text or thinking of the reply that is being written."""
        self.streaming = True
        if self._pieces and self._pieces[-1].kind == kind and self._pieces[-1].after == self._after:
            self._pieces[-1].parts.append(text)
        else:
            self._pieces.append(_Piece(kind, [text], self._after))

    def recorded(self, seq: int) -> None:
        """The reply is on disk as this record: text that comes now belongs to a later one."""
        self.streaming = False
        for piece in self._pieces:
            piece.after = min(piece.after, seq - 1)
        self._after = seq

    def settle(self, blocks: Sequence[Block]) -> None:
        """Drop what the journal's blocks (their end is enough) hold by now.

        Also words that came late: their record can be read before the worker's pipe is.
        """
        newest = max((block.seq for block in blocks if block.turn), default=0)
        self._pieces = [piece for piece in self._pieces if piece.after >= newest]

    def begin(self, blocks: Sequence[Block]) -> None:
        """The worker works; ``blocks`` is what was recorded before."""
        self.begun = True
        self._after = max((block.seq for block in blocks), default=_UNKNOWN)

    def stop(self) -> None:
        """The worker is gone: nothing unfinished will be finished."""
        self.started.clear()
        self.asks.clear()
        self._pieces.clear()
        self.streaming = self.begun = False

    def blocks(self, turn: int) -> list[Block]:
        """The live blocks, as the transcript shows them."""
        result = []
        for index, piece in enumerate(self._pieces):
            text = "".join(piece.parts)
            # One string from now on: the next delta does not join them all again.
            piece.parts[:] = [text]
            kind: BlockKind = "thinking" if piece.kind == "thinking" else "text"
            if text:
                result.append(
                    Block(kind=kind, seq=LIVE_SEQ + piece.after, index=index, turn=turn, text=text)
                )
        return result
