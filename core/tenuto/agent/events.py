# SPDX-License-Identifier: Apache-2.0
"""What a worker tells the outside: one JSON object a line (design.md, "The worker").

Events are news, the journal is the truth: a reader that is slow, dead or gone never holds up a
run. A thread writes; unfinished text is dropped when the reader lags, everything else is kept.
"""

from __future__ import annotations

import json
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from tenuto import gojson
from tenuto.clock import rfc3339_now

#: Unfinished text that the transcript shows from the journal anyway.
_DROPPABLE = frozenset({"text", "thinking"})
#: Bytes that may wait for a slow reader before unfinished text is dropped.
BACKLOG = 1 << 20
#: Seconds that the end of a worker waits for a reader to take the last events.
FLUSH_TIMEOUT = 3.0


class Events(Protocol):
    """Where the loop reports to. Never raises, never waits for a reader."""

    def emit(self, event: str, /, **fields: Any) -> None: ...

    def close(self) -> None: ...


class NoEvents:
    """For a loop that nobody watches."""

    def emit(self, event: str, /, **fields: Any) -> None:
        """Said to nobody."""

    def close(self) -> None:
        """Nothing is held."""


class JsonlEvents:
    """The worker protocol on a file descriptor, which this object owns."""

    def __init__(self, descriptor: int, *, now: Callable[[], str] = rfc3339_now) -> None:
        self._descriptor = descriptor
        self._now = now
        self._changed = threading.Condition()
        self._queue: deque[bytes] = deque()
        self._backlog = 0
        self._closing = False
        self._broken = False
        self._thread = threading.Thread(target=self._write, name="events", daemon=True)
        self._thread.start()

    def emit(self, event: str, /, **fields: Any) -> None:
        line = encode_event(self._now(), event, fields)
        with self._changed:
            if self._broken or (event in _DROPPABLE and self._backlog > BACKLOG):
                return
            self._queue.append(line)
            self._backlog += len(line)
            self._changed.notify()

    def close(self) -> None:
        """Give the reader a moment to take what is left, then let go."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(FLUSH_TIMEOUT)

    def _write(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._closing)
                if not self._queue:
                    break
                data = b"".join(self._queue)
                self._queue.clear()
            try:
                _write_all(self._descriptor, data)
            except OSError:
                # Nobody reads any more. The run goes on; the journal has it all.
                with self._changed:
                    self._broken = True
                    self._queue.clear()
                break
            with self._changed:
                self._backlog -= len(data)
        os.close(self._descriptor)


def encode_event(time: str, event: str, fields: dict[str, Any]) -> bytes:
    """One line of the protocol."""
    text = json.dumps({"t": time, "type": event, **fields}, ensure_ascii=False)
    return gojson.replace_surrogates(text).encode() + b"\n"


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
