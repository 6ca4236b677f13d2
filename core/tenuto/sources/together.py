# SPDX-License-Identifier: Apache-2.0
"""Several sources as one list: a folder of runs, and Reasonix's sessions beside them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from tenuto.errors import RunNotFound, StoreError
from tenuto.sentences import Sentence, all_of, sentence
from tenuto.sources.base import (
    ActivityReader,
    Capabilities,
    Changed,
    Listing,
    RecordReader,
    SessionSource,
    SessionSummary,
    Skipped,
    SourceName,
    Transcript,
    Watch,
)

if TYPE_CHECKING:
    from tenuto.settings import Settings
    from tenuto.sources.ahead import Ahead
    from tenuto.sources.trashed import TrashListing
    from tenuto.watch import Changes


def sessions_with(
    runs: str | os.PathLike[str], chosen: str = "", ahead: Ahead | None = None
) -> Together:
    """The runs in a folder and this user's Reasonix sessions; or the samples of both.

    ``chosen``: the settings' ``reasonix_dir``. ``ahead``: a look at ``runs`` that is going on.
    """
    from tenuto.sources.runs import RunSource

    def reasonix() -> SessionSource:
        from tenuto.reasonix.folders import sessions_root
        from tenuto.sources.reasonix import ReasonixSource

        return ReasonixSource(sessions_root(runs, chosen))

    return Together(RunSource(runs, note_times=True), later=reasonix, ahead=ahead)


class Place(NamedTuple):
    """A folder that is looked at. ``look``: what has to be there for any session to be there."""

    path: str
    kind: Literal["runs", "reasonix", "projects"]
    look: str
    #: The settings name it.
    chosen: bool


def places(runs: str | os.PathLike[str], settings: Settings) -> list[Place]:
    """Where :func:`sessions_with` looks, for whoever has to say so. Looks at no session."""
    from tenuto.paths import runs_dir
    from tenuto.reasonix.folders import sessions_root

    own = os.path.abspath(runs)
    chosen = bool(settings.runs_dir) and own == os.fspath(runs_dir(settings=settings))
    found = [Place(own, "runs", own, chosen)]
    root = os.fspath(sessions_root(runs, settings.reasonix_dir))
    chosen = bool(settings.reasonix_dir) and root == os.fspath(
        sessions_root(chosen=settings.reasonix_dir)
    )
    sessions, projects = os.path.join(root, "sessions"), os.path.join(root, "projects")
    if chosen and os.path.isdir(root) and not any(map(os.path.isdir, (sessions, projects))):
        # A folder of sessions itself.
        return [*found, Place(root, "reasonix", root, chosen)]
    found.append(Place(sessions, "reasonix", sessions, chosen))
    by_project = os.path.join(projects, "*", "sessions")
    return [*found, Place(by_project, "projects", projects, chosen)]


def usual_reasonix_dir() -> str:
    """Where Reasonix sessions are looked for while the settings name no folder of them."""
    from tenuto.reasonix.folders import sessions_root

    return os.fspath(sessions_root())


def session_at(
    path: str | os.PathLike[str], runs: str | os.PathLike[str], chosen: str = ""
) -> str | None:
    """The id under which :func:`sessions_with` lists the Reasonix session at ``path``.

    None where that is no such session, or not one that is listed with the runs in ``runs``.
    """
    from tenuto.reasonix.folders import sessions_root
    from tenuto.reasonix.names import is_session_name
    from tenuto.reasonix.v4 import FRAMES
    from tenuto.sources.reasonix import ReasonixSource

    name = os.fspath(path)
    if not is_session_name(name) and not os.path.isfile(os.path.join(name, FRAMES)):
        return None
    return ReasonixSource(sessions_root(runs, chosen)).id_of(name)


class Together:
    """A source made of others; the first one is the main one. Thread-safe as they are.

    An id belongs to the first source that has it; what a later one calls the same is skipped.
    """

    def __init__(
        self,
        *sources: SessionSource,
        later: Callable[[], SessionSource] | None = None,
        ahead: Ahead | None = None,
    ) -> None:
        """``later`` makes one more source when it is first needed: the newest rows are not.

        ``ahead``: a look for these rows at the main source's folder that is going on already.
        """
        self._known = sources
        self._later = later
        self._ahead = ahead
        self._loading = threading.Lock()
        self._guard = threading.Lock()
        self._owners: dict[str, SessionSource] = {}

    @property
    def _sources(self) -> tuple[SessionSource, ...]:
        with self._loading:
            if self._later is not None:
                self._known = (*self._known, self._later())
                self._later = None
            return self._known

    @property
    def name(self) -> SourceName:
        """The main source's."""
        return self._known[0].name

    @property
    def directory(self) -> str:
        """The main source's."""
        return self._known[0].directory

    # --- the list --------------------------------------------------------------------------------

    def list(self) -> Listing:
        """All sessions of all sources, newest activity first."""
        rows: list[SessionSummary] = []
        skipped: list[Skipped] = []
        pending: set[str] = set()
        notices: list[Sentence] = []
        folders: list[str] = []
        owners: dict[str, SessionSource] = {}
        for source in self._sources:
            found = source.list()
            skipped += found.skipped
            notices += [found.notice] if found.notice else []
            folders += found.folders
            for row in found.summaries:
                if owners.setdefault(row.id, source) is source:
                    rows.append(row)
                else:
                    skipped.append(Skipped(row.id, "another session has this id"))
            pending |= {id for id in found.pending if owners.get(id) is source}
        if any(owner is not self._sources[0] for owner in owners.values()):
            # Their orders were worked out apart.
            rows.sort(key=lambda row: row.activity_key)
        with self._guard:
            self._owners = owners
        notice = all_of(notices)
        # A root that is not there is one of no sessions, and nothing that is watched.
        there = tuple(each for each in folders if os.path.isdir(each))
        return Listing(rows, skipped, frozenset(pending), notice, there)

    def newest(self, count: int) -> Sequence[SessionSummary]:
        """The newest rows of the main source, where it can tell them before it lists all."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None and (found := ahead.take()) is not None:
            return found
        glance = getattr(self._known[0], "newest", None)
        rows: Sequence[SessionSummary] = glance(count) if glance is not None else ()
        return rows

    def build_pending(
        self,
        ids: Iterable[str] | None = None,
        *,
        on_built: Callable[[SessionSummary], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Changed:
        """Each source makes its own."""
        wanted = None if ids is None else self._shared_out(ids)
        answers = []
        for source in self._sources:
            mine = None if wanted is None else wanted.get(source.name, {})
            if mine is None or mine:
                answers.append(source.build_pending(mine, on_built=on_built, stop=stop))
        return _added(answers)

    def changes(self, ids: Iterable[str]) -> Changed:
        """Each source is asked for what no other one before it has."""
        left = dict.fromkeys(ids)
        answers = []
        for source in self._sources:
            found = source.changes(left)
            with self._guard:
                self._owners.update((row.id, source) for row in found.updated)
            for row in found.updated:
                left.pop(row.id, None)
            answers.append(found)
        gone = frozenset(left)
        with self._guard:
            for id in gone:
                self._owners.pop(id, None)
        added = _added(answers)
        return Changed(added.updated, gone, added.pending)

    def _shared_out(self, ids: Iterable[str]) -> dict[SourceName, dict[str, None]]:
        shares: dict[SourceName, dict[str, None]] = {}
        for id in ids:
            shares.setdefault(self._owner(id).name, {})[id] = None
        return shares

    def _owner(self, id: str) -> SessionSource:
        with self._guard:
            known = self._owners.get(id)
        if known is not None:
            return known
        for source in self._sources:
            try:
                if os.path.lexists(source.path(id)):
                    return source
            except StoreError:
                continue
        return self._sources[0]

    def watch(self, on_change: Callable[[Changes], None]) -> Watch:
        """A watcher of every source, not started yet."""
        return _Watches([source.watch(on_change) for source in self._sources])

    # --- one session -----------------------------------------------------------------------------

    def path(self, id: str) -> str:
        return self._owner(id).path(id)

    def word(self, id: str) -> str:
        return self._owner(id).word(id)

    def note(self, id: str) -> str:
        return self._owner(id).note(id)

    def trashed(self) -> TrashListing:
        """What every source has in its trash, newest deletion first."""
        from tenuto.sources.trashed import joined

        return joined(source.trashed() for source in self._sources)

    def trash_places(self) -> Sequence[str]:
        return [place for source in self._sources for place in source.trash_places()]

    def open(self, id: str) -> Transcript:
        return self._owner(id).open(id)

    def activity(self, id: str) -> ActivityReader:
        return self._owner(id).activity(id)

    def records(self, id: str) -> RecordReader:
        return self._owner(id).records(id)

    def capabilities(self, summary: SessionSummary) -> Capabilities:
        """Raises RunNotFound for a row of a source that is none of these."""
        for source in self._sources:
            if source.name == summary.source:
                return source.capabilities(summary)
        raise RunNotFound(
            sentence("there is no source {source}", source=summary.source), id=summary.id
        )


def _added(answers: Sequence[Changed]) -> Changed:
    """What all of them say; gone is what nobody has."""
    updated = [row for answer in answers for row in answer.updated]
    here = {row.id for row in updated}
    gone = frozenset[str]().union(*(answer.gone for answer in answers)) - here
    pending = frozenset[str]().union(*(answer.pending for answer in answers))
    return Changed(updated, gone, pending)


class _Watches:
    """Several watchers as one; their callbacks may come from several threads."""

    def __init__(self, watches: list[Watch]) -> None:
        self._watches = watches
        self._started: list[Watch] = []

    def start(self) -> None:
        for watch in self._watches:
            watch.start()
            self._started.append(watch)

    def stop(self) -> None:
        while self._started:
            self._started.pop().stop()

    def rescan(self) -> None:
        for watch in self._started:
            watch.rescan()
