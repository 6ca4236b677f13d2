# SPDX-License-Identifier: Apache-2.0
"""The system's events about files: what `tenuto.watch` and `tenuto.watch_looks` wait for."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver

_EMITTER_LOGGER = "watchdog.observers.inotify"


class EventSource(Protocol):
    """Events of one folder, from its making until ``stop`` or the folder's end."""

    def is_alive(self) -> bool:
        """Whether events still come."""

    def stop(self) -> None:
        """Tell of nothing more, and close what is open. Once."""


def events_of(
    folder: str,
    note: Callable[[list[str]], None],
    lost: Callable[[], None],
    system: str = sys.platform,
) -> EventSource:
    """Have ``note`` called with names of ``folder`` that had events.

    ``lost`` is called when some were dropped, as far as the system says so. Both are called from
    other threads. Raises OSError, RuntimeError or ImportError where no events are to be had.
    """
    if system == "linux":
        from tenuto.watch_inotify import FolderEvents

        return FolderEvents(folder, note, lost)
    return _Observed(folder, note)


class _Observed:
    """Where there is no inotify: what watchdog has."""

    def __init__(self, folder: str, note: Callable[[list[str]], None]) -> None:
        self._note = note
        self._observer = quiet_observer({folder: False}, self._take)

    def _take(self, *paths: str | bytes) -> None:
        self._note([os.path.basename(os.fsdecode(path)) for path in paths if path])

    def is_alive(self) -> bool:
        return all(emitter.is_alive() for emitter in self._observer.emitters)

    def stop(self) -> None:
        self._observer.stop()
        self._observer.join()


class _StopNoise(logging.Filter):
    """Drops what watchdog logs as an error when its own stop wakes up a read."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "called when the thread is inactive" not in str(record.msg)


#: One for the process: adding it to the logger again changes nothing.
_stop_noise = _StopNoise()


def quiet_observer(roots: Mapping[str, bool], note: Callable[..., None]) -> BaseObserver:
    """A started observer that calls ``note`` with the paths of each event.

    ``roots``: folders, and whether all that lies below them counts, too.
    """
    # watchdog costs 67 ms to import: only those who watch pay for it.
    from watchdog.events import (
        FileCreatedEvent,
        FileDeletedEvent,
        FileModifiedEvent,
        FileMovedEvent,
        FileSystemEventHandler,
    )
    from watchdog.observers import Observer

    class Handler(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            note(event.src_path, event.dest_path)

    # Without this filter our own reading would be an event, and be answered by reading.
    wanted = [FileCreatedEvent, FileModifiedEvent, FileMovedEvent, FileDeletedEvent]
    logging.getLogger(_EMITTER_LOGGER).addFilter(_stop_noise)
    observer = Observer()
    try:
        for root, deep in roots.items():
            observer.schedule(Handler(), root, recursive=deep, event_filter=list(wanted))
        observer.start()
    except BaseException:
        observer.unschedule_all()
        raise
    return observer
