# SPDX-License-Identifier: Apache-2.0
"""The agent loop's records as messages of a session: one loop, two kinds of store."""

from __future__ import annotations

import time
from typing import Final

from tenuto.reasonix.controller import Controller
from tenuto.reasonix.convert import record_messages
from tenuto.reasonix.model import calls_of, text_of
from tenuto.records import Assistant, Payload, Terminal

#: A save that took longer, in seconds, is not repeated for each result: the next turn and the
#: autosave take them along.
_QUICK: Final = 0.1


class SessionRecorder:
    """Takes what the loop records, as a run journal does, and keeps a controller's session.

    A reply is on disk before any call in it runs, so that after a crash it can be told which call
    may have happened.
    """

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._cost = 0.0
        #: Whether something was said that has no answer yet.
        self._turn = False
        #: Whether a save was put off.
        self._behind = False

    def append(self, record: Payload, *, ms: int | None = None) -> int:
        """Add one record; the number of messages so far. Raises as ``Controller.snapshot``."""
        messages = record_messages(record, self._name_of)
        count = self._controller.append(*messages)
        calls = any("tool_calls" in message for message in messages)
        # A reply without calls ends a turn, and that is what counts as activity.
        ended = isinstance(record, Assistant) and not calls
        needed = calls or ended or isinstance(record, Terminal)
        self._turn = not ended and not isinstance(record, Terminal)
        self._save(needed=needed, mark_activity=ended)
        return count

    def autosave(self) -> None:
        """Save while a turn runs: a session in which nothing is said stays as it is.

        Raises as ``Controller.snapshot``.
        """
        if self._turn:
            self._controller.snapshot(mark_activity=False)

    def close(self) -> None:
        """Save what was put off, however the conversation ended. Raises as :meth:`append`."""
        if self._behind:
            self._save(needed=True, mark_activity=False)

    def _save(self, *, needed: bool, mark_activity: bool) -> None:
        self._behind = not needed and self._cost > _QUICK
        if self._behind:
            return
        start = time.monotonic()
        self._controller.snapshot(mark_activity)
        self._cost = time.monotonic() - start

    def _name_of(self, id: str) -> str:
        for message in reversed(self._controller.messages()):
            for call in calls_of(message):
                if call.get("id") == id:
                    return text_of(call, "name")
        return ""
