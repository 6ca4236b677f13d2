# SPDX-License-Identifier: Apache-2.0
"""Watching a tree of folders by looks: what differs between one look and the next.

For sources whose sessions lie in several folders, some of which come and go. As in
:mod:`tenuto.watch`, the system's events are hints: each only asks for the next look, and one is
made every few seconds regardless.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from tenuto.watch import Changes
from tenuto.watch_events import quiet_observer

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

_log = logging.getLogger(__name__)
#: A look may take this share of the time: the pause after it is as many times as long.
_PAUSE = 10

Mode = Literal["inotify", "polling"]
#: Session id -> whatever changes with it.
Look = Mapping[str, Any]


class LooksWatcher:
    """Calls ``on_change`` from a thread of its own when two looks differ.

    ``look`` answers what there is now; ``folders`` which folders (and whether all that is below
    them) may have news. Start and stop once each; ``start`` takes the first look, so list after it.
    What ``on_change`` raises is logged, and the same changes are reported again.
    """

    def __init__(
        self,
        look: Callable[[], Look],
        folders: Callable[[], Iterable[tuple[str, bool]]],
        on_change: Callable[[Changes], None],
        *,
        interval: float = 0.1,
        rescan: float = 5.0,
        poll: float = 1.0,
        events: bool = True,
    ) -> None:
        self._look = look
        self._folders = folders
        self._on_change = on_change
        self._interval = interval
        self._rescan = rescan
        self._poll = poll
        self._want_events = events
        self._wake = threading.Condition()
        self._marked = False
        self._stopped = False
        self._known: dict[str, Any] = {}
        self._observer: BaseObserver | None = None
        self._armed: dict[str, bool] = {}
        self._thread: threading.Thread | None = None

    @property
    def mode(self) -> Mode:
        """``inotify`` (the system's own events) or ``polling``."""
        return "inotify" if self._observer is not None else "polling"

    def start(self) -> None:
        """Take the first look and begin to watch. Nothing need exist yet."""
        self._arm()
        self._known = dict(self._look())
        self._thread = threading.Thread(target=self._run, name="looks-watcher", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End all threads; no callback runs once this has returned."""
        with self._wake:
            self._stopped = True
            self._wake.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._disarm()

    def rescan(self) -> None:
        """Look now."""
        with self._wake:
            self._marked = True
            self._wake.notify()

    # --- the thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        pause = self._interval
        while True:
            every = self._rescan if self._observer is not None else self._poll
            # What comes within the pause is one look's.
            if self._waited(every, until_marked=True) or self._waited(pause):
                return
            before = time.monotonic()
            self._step()
            pause = max(self._interval, _PAUSE * (time.monotonic() - before))

    def _waited(self, seconds: float, *, until_marked: bool = False) -> bool:
        """Wait; whether it is all over."""
        with self._wake:
            self._wake.wait_for(lambda: self._stopped or (until_marked and self._marked), seconds)
            if not until_marked:
                self._marked = False
            return self._stopped

    def _step(self) -> None:
        try:
            self._arm()
            found = dict(self._look())
            changes = difference(self._known, found)
            if changes is not None:
                self._on_change(changes)
            self._known = found
        except Exception:  # noqa: BLE001 - the next look may do better, and says so otherwise
            _log.exception("a look at %s failed", ", ".join(self._armed))

    # --- events ----------------------------------------------------------------------------------

    def _arm(self) -> None:
        """Have events from the folders that there are now; without them the looks are enough."""
        if not self._want_events:
            return
        wanted = {os.path.realpath(path): deep for path, deep in self._folders()}
        alive = self._observer is not None and all(
            emitter.is_alive() for emitter in self._observer.emitters
        )
        if wanted == self._armed and alive:
            return
        self._disarm()
        self._armed = wanted
        if not wanted:
            return
        try:
            self._observer = quiet_observer(wanted, lambda *_paths: self.rescan())
        except (OSError, RuntimeError, ImportError) as error:
            _log.warning("looking for changes every %g s: %s", self._poll, error)

    def _disarm(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join()


def difference(before: Look, after: Look) -> Changes | None:
    """What one look has and another has not; None where they are the same."""
    appeared = frozenset(after.keys() - before.keys())
    gone = frozenset(before.keys() - after.keys())
    changed = frozenset(id for id, state in after.items() if before.get(id, state) != state)
    if not (appeared or gone or changed):
        return None
    return Changes(appeared, changed, gone)
