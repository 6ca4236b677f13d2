# SPDX-License-Identifier: Apache-2.0
"""Watching a runs folder: which sessions appeared, changed, went. Knows nothing of Qt.

Events are hints (reliability.md 4.2: queues overflow, a replaced folder goes silent, a raising
handler kills the dispatcher), so they only mark names as worth a look. One thread of ours does the
looking: at the marked names when events come; at everything every five seconds, after an overflow
and when the folder was replaced. Where the system's events are not to be had it looks at everything
every second instead, and says so.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

import msgspec

from tenuto.runs.mounts import mount_of
from tenuto.sentences import NOTHING, Sentence, reason_of, sentence
from tenuto.watch_events import EventSource, events_of
from tenuto.watch_folder import Difference, FolderState, session_of

_log = logging.getLogger(__name__)
#: More marked names than this, and one look at the whole folder is cheaper.
_MANY = 500
#: Seconds between attempts to get events again after they were refused.
_RETRY_EVENTS = 30.0

Mode = Literal["inotify", "polling"]


class Changes(msgspec.Struct, frozen=True):
    """What one callback reports. Ids of sessions."""

    appeared: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    #: Events were lost and everything was looked at.
    overflow: bool = False
    #: A sentence to show until a later change brings another: None is "nothing new",
    #: "" takes the last one back.
    notice: Sentence | None = None


class SessionWatcher:
    """Calls ``on_change`` when sessions appear, change or go.

    ``on_change`` runs in the watcher's own thread, at most once per ``interval`` seconds, the
    first time at once. What it raises is logged, and the same changes are reported again with the
    next look. ``start`` takes the first look before it returns: list the folder after it, and
    nothing falls between. Start and stop once each.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        on_change: Callable[[Changes], None],
        *,
        interval: float = 0.1,
        rescan: float = 5.0,
        poll: float = 1.0,
        events: bool = True,
    ) -> None:
        self.directory = Path(directory)
        self._on_change = on_change
        self._interval = interval
        self._rescan = rescan
        self._poll = poll
        self._want_events = events
        self._state = FolderState(self.directory)
        self._source: EventSource | None = None
        self._armed: tuple[int, int] | None = None
        self._retry_at = 0.0
        self._thread: threading.Thread | None = None
        # What the event threads tell ours, under the lock.
        self._wake = threading.Condition()
        self._names: set[str] = set()
        self._everything = False
        self._overflow = False
        self._stopped = False
        # Ours alone: what is to be reported, kept until a callback took it.
        self._unreported = Changes()
        self._said: Sentence | None = None

    @property
    def mode(self) -> Mode:
        """``inotify`` (the system's own events) or ``polling``."""
        return "inotify" if self._source is not None else "polling"

    def start(self) -> None:
        """Take the first look and begin to watch. The folder need not exist yet."""
        self._arm()
        try:
            self._state.look()
        except OSError as error:
            self._say(_unreadable(self.directory, error))
        self._thread = threading.Thread(target=self._run, name="session-watcher", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End all threads and close what is open.

        No callback runs once this has returned, unless it is called from within one.
        """
        with self._wake:
            self._stopped = True
            self._wake.notify()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._disarm()

    def rescan(self) -> None:
        """Look at everything now (the window came to the front, for example)."""
        with self._wake:
            self._everything = True
            self._wake.notify()

    # --- called by the threads of events ---------------------------------------------------------

    def _note_names(self, names: Iterable[str]) -> None:
        interesting = [name for name in names if session_of(name) is not None]
        if interesting:
            with self._wake:
                self._names.update(interesting)
                self._wake.notify()

    def _note_overflow(self) -> None:
        with self._wake:
            self._overflow = self._everything = True
            self._wake.notify()

    # --- our thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        next_full = time.monotonic() + (self._rescan if self._source else self._poll)
        next_tick = time.monotonic() + self._poll
        reported = 0.0
        if self._unreported != Changes():
            self._report()
        while True:
            now = time.monotonic()
            with self._wake:
                if not (self._names or self._everything or self._stopped):
                    self._wake.wait(max(0.0, min(next_tick, next_full) - now))
                # At most one report per interval: events gather meanwhile.
                quiet_until = reported + self._interval
                while not self._stopped and (left := quiet_until - time.monotonic()) > 0:
                    self._wake.wait(left)
                if self._stopped:
                    return
                names, self._names = self._names, set()
                everything, self._everything = self._everything, False
                overflow, self._overflow = self._overflow, False
            now = time.monotonic()
            ticked, full = now >= next_tick, everything or now >= next_full
            # With events to go by, the regular look asks known files for their times only.
            glance = not everything and self._source is not None and len(names) <= _MANY
            if ticked:
                next_tick = now + self._poll
                if self._rearm_if_replaced():
                    full, glance = True, False
            found = self._look(names, full=full or len(names) > _MANY, ticked=ticked, glance=glance)
            if full:
                next_full = time.monotonic() + (self._rescan if self._source else self._poll)
            self._add(found, overflow)
            if found or overflow or (full and self._unreported != Changes()) or self._new_notice:
                self._report()
                reported = time.monotonic()

    @property
    def _new_notice(self) -> bool:
        return self._unreported.notice is not None

    def _look(self, names: set[str], *, full: bool, ticked: bool, glance: bool) -> Difference:
        try:
            if full and glance:
                found = _both(self._state.look_at(names), self._state.glance())
                self._say_mode()
                return found
            if full:
                found = self._state.look()
                self._say_mode()
                return found
            found = self._state.look_at(names)
            if ticked and not found:
                found = self._state.look_at_locks()
            return found
        except OSError as error:
            # The sessions stay as last seen: they are not gone, only out of sight.
            self._say(_unreadable(self.directory, error))
            return Difference()
        except Exception:  # noqa: BLE001 - a watcher that died would look like a quiet folder
            _log.exception("looking at %s failed", self.directory)
            return Difference()

    def _add(self, found: Difference, overflow: bool) -> None:
        before = self._unreported
        # A session that went and came back between two reports has changed.
        back = before.gone & found.appeared
        appeared = (before.appeared | found.appeared) - found.gone - back
        changed = (before.changed | found.changed | back) - found.gone - appeared
        gone = (before.gone | found.gone) - found.appeared
        self._unreported = Changes(
            appeared, changed, gone, before.overflow or overflow, before.notice
        )

    def _report(self) -> None:
        changes = self._unreported
        try:
            self._on_change(changes)
        except Exception:  # noqa: BLE001 - the same: not ours to die of
            _log.exception("a session watcher's callback failed")
            # Reported again with the next full look, not at once: it may fail for ever.
            self._unreported = msgspec.structs.replace(changes, notice=None)
            self._said = None if changes.notice is not None else self._said
        else:
            self._unreported = Changes()

    def _say(self, notice: Sentence) -> None:
        if notice != (self._said or NOTHING):
            self._said = notice
            self._unreported = msgspec.structs.replace(self._unreported, notice=notice)

    def _say_mode(self) -> None:
        self._say(self._refused)

    # --- events on and off -----------------------------------------------------------------------

    #: Why there are no events, "" while there are.
    _refused = NOTHING

    def _rearm_if_replaced(self) -> bool:
        """Follow the folder's name to another folder; True if everything must be looked at."""
        # A folder that was deleted and made again may have the same inode number: then only the
        # source of events, which died with the old one, shows it.
        dead = self._source is not None and not self._source.is_alive()
        if dead or _identity(self.directory) != self._armed:
            self._disarm()
            self._arm()
            return True
        if self._source is None and self._refused and time.monotonic() >= self._retry_at:
            self._arm()
        return False

    def _arm(self) -> None:
        self._armed = _identity(self.directory)
        self._retry_at = time.monotonic() + _RETRY_EVENTS
        self._refused = NOTHING
        if self._armed is None or not self._want_events:
            return
        # There are no events for a path that is a symlink itself.
        root = os.path.realpath(self.directory)
        mount = mount_of(root)
        if mount is not None and mount.network:
            text = sentence("a network file system ({kind}) sends no events", kind=mount.kind)
            self._refuse(text)
            return
        try:
            self._source = events_of(root, self._note_names, self._note_overflow)
        except (OSError, RuntimeError, ImportError) as error:
            self._refuse(reason_of(error))

    def _refuse(self, reason: Sentence) -> None:
        self._refused = sentence(
            "Looking for changes every {seconds} s: {reason}.",
            seconds=f"{self._poll:g}",
            reason=reason,
        )
        self._say(self._refused)

    def _disarm(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            source.stop()


def _both(first: Difference, second: Difference) -> Difference:
    """What two looks, one after the other, found together."""
    appeared = (first.appeared - second.gone) | second.appeared
    gone = (first.gone - second.appeared) | second.gone
    changed = (first.changed | second.changed) - appeared - gone
    return Difference(appeared, changed, gone)


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def _unreadable(folder: Path, error: OSError) -> Sentence:
    return sentence(
        "{folder} cannot be read: {reason}.", folder=str(folder), reason=reason_of(error)
    )
