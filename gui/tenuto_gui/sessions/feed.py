# SPDX-License-Identifier: Apache-2.0
"""Keeps the list live: the source and its watcher, off the GUI thread.

The watcher only says which ids are worth a look. Those ids gather in a set, and one background job
at a time asks the source what became of them, so a storm of events costs one job after another and
never a queue of them. What they find gathers, too: the list takes it in a few times a second.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from tenuto.sources.base import GLANCE
from tenuto_gui.core_words import error_words, words
from tenuto_gui.courtesy import courtesy
from tenuto_gui.jobs import Jobs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tenuto.sources.base import Changed, Listing, SessionSource, SessionSummary, Watch
    from tenuto.watch import Changes

#: Built previews reach the list in batches of this many, so that a row costs no event of its own.
_BUILT_BATCH = 50
#: Sessions that a job looks at between two chances for the GUI thread: about two milliseconds.
_LOOK_SLICE = 40
#: Milliseconds between two changes of the list: as many as a look at it needs, whatever goes on.
_EVERY_MS = 60
#: Seconds that their paint is waited for before the rest is read; a covered window has none.
_PAINT_S = 1.0


class SessionFeed(QObject):
    """A source's sessions, followed. Make one per folder; `stop` it before the next."""

    #: The newest rows of a large folder, while the rest is still being read.
    glanced = Signal(object)
    listed = Signal(object)
    changed = Signal(object)
    #: A sentence about the folder or the watching of it; "" when there is nothing to say.
    notice = Signal(str)
    #: Previews still to be built.
    pending_changed = Signal(int)

    def __init__(self, source: SessionSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._jobs = Jobs(self, workers=2)
        self._watcher: Watch | None = None
        self._dirty: set[str] = set()
        self._looking = False
        self._pending: set[str] = set()
        self._building = False
        #: What the list has not been told yet.
        self._ready: dict[str, SessionSummary] = {}
        self._lost: set[str] = set()
        self._said_pending = 0
        self._courtesy = courtesy()
        self._painted = threading.Event()
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(_EVERY_MS)
        self._due.timeout.connect(self._on_due)

    def start(self) -> None:
        """Watch first, then list, so that nothing falls between."""
        self._jobs.run(self._watch_and_list, self._on_listing)

    def go_on(self) -> None:
        """The newest rows are on screen, or nobody waits for them: read the rest."""
        self._painted.set()

    def look_again(self) -> None:
        """List everything anew: a fresh look when the window comes to the front."""
        if self._watcher is not None:
            self._jobs.run(self._source.list, self._on_listing)

    def stop(self) -> None:
        """End the watcher and the jobs. Waits for the step that is going on."""
        # The job that makes the watcher may be the one going on.
        self._painted.set()
        self._jobs.stop()
        self._due.stop()
        if self._watcher is not None:
            self._watcher.stop()

    def look_at(self, ids: set[str]) -> None:
        """Ask the source about these sessions soon."""
        self._dirty |= ids
        self._look()

    # --- background ----------------------------------------------------------------------------

    def _watch_and_list(self) -> Listing:
        # What can be painted comes first; not every source can tell it apart.
        newest = getattr(self._source, "newest", None)
        first = newest(GLANCE) if newest is not None else ()
        if first:
            self._jobs.post(lambda: self.glanced.emit(first))
            # Leave the interpreter to the paint of these rows.
            self._painted.wait(_PAINT_S)
        watcher = self._source.watch(self._on_watcher)
        watcher.start()
        self._watcher = watcher
        return self._source.list()

    def _on_watcher(self, changes: Changes) -> None:
        """In the watcher's thread: hand it over, nothing else."""
        self._jobs.post(lambda: self._take(changes))

    def _build(self, ids: list[str]) -> Changed:
        batch: list[SessionSummary] = []

        def built(summary: SessionSummary) -> None:
            batch.append(summary)
            if len(batch) >= _BUILT_BATCH:
                ready = batch.copy()
                batch.clear()
                self._jobs.post(lambda: self._on_built(ready))

        return self._source.build_pending(ids, on_built=built, stop=self._jobs.step_aside)

    def _changes(self, ids: list[str]) -> Changed:
        from tenuto.sources.base import Changed

        updated: list[SessionSummary] = []
        gone: set[str] = set()
        pending: set[str] = set()
        for start in range(0, len(ids), _LOOK_SLICE):
            self._jobs.step_aside()
            found = self._source.changes(ids[start : start + _LOOK_SLICE])
            updated += found.updated
            gone |= found.gone
            pending |= found.pending
        return Changed(updated, frozenset(gone), frozenset(pending))

    # --- GUI thread ----------------------------------------------------------------------------

    def _on_listing(self, listing: Listing) -> None:
        self._tell()
        self._pending = set(listing.pending)
        self.listed.emit(listing)
        self.notice.emit(words(listing.notice or ""))
        self._tell()
        self._build_next()

    def _take(self, changes: Changes) -> None:
        if changes.notice is not None:
            self.notice.emit(words(changes.notice))
        self.look_at(set(changes.appeared | changes.changed | changes.gone))

    def _look(self) -> None:
        if self._looking or not self._dirty:
            return
        ids, self._dirty = sorted(self._dirty), set()
        self._looking = True
        self._jobs.run(lambda: self._changes(ids), self._on_changed, self._on_failed)

    def _on_changed(self, changed: Changed) -> None:
        self._looking = False
        self._pending |= changed.pending
        self._offer(changed.updated, changed.gone)
        self._build_next()
        self._look()

    def _on_failed(self, error: BaseException) -> None:
        self._looking = False
        self.notice.emit(error_words(error))

    def _build_next(self) -> None:
        if self._building or not self._pending:
            return
        self._building = True
        ids = sorted(self._pending)
        self._jobs.run(lambda: self._build(ids), lambda changed: self._on_build_done(ids, changed))

    def _on_built(self, summaries: list[SessionSummary]) -> None:
        self._pending -= {summary.id for summary in summaries}
        self._offer(summaries, frozenset())

    def _on_build_done(self, ids: list[str], changed: Changed) -> None:
        self._building = False
        self._pending -= set(ids)
        self._pending |= changed.pending - set(ids)
        self._offer(changed.updated, changed.gone)
        self._build_next()

    # --- telling the list ----------------------------------------------------------------------

    def _offer(self, updated: Iterable[SessionSummary], gone: frozenset[str]) -> None:
        """Have the list told: at once, if it was left alone for a while."""
        for summary in updated:
            self._ready[summary.id] = summary
            self._lost.discard(summary.id)
        for session_id in gone:
            self._ready.pop(session_id, None)
        self._lost |= gone
        if not self._due.isActive():
            self._tell()
            self._due.start()

    def _on_due(self) -> None:
        if self._ready or self._lost or self._said_pending != len(self._pending):
            self._tell()
            self._due.start()

    def _tell(self) -> None:
        from tenuto.sources.base import Changed

        self._courtesy.begin()
        if self._ready or self._lost:
            found = Changed(list(self._ready.values()), frozenset(self._lost))
            self._ready, self._lost = {}, set()
            self.changed.emit(found)
        if self._said_pending != len(self._pending):
            self._said_pending = len(self._pending)
            self.pending_changed.emit(self._said_pending)
