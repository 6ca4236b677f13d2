# SPDX-License-Identifier: Apache-2.0
"""One open session: resumed, grown, saved, forked (reasonix.md, sections 2.4, 6.2 and 9).

The list of messages is the truth while a session is open; the file follows it. Every method may be
called from any thread.
"""

from __future__ import annotations

import contextlib
import copy
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Final, Self

import msgspec

from tenuto.errors import NoBoundary, SessionConflict, StoreError
from tenuto.reasonix.autosave import Autosave
from tenuto.reasonix.checkpoints import Boundaries, read_boundaries
from tenuto.reasonix.cold import ColdResume, Pruned
from tenuto.reasonix.conflict import check_unchanged, file_state
from tenuto.reasonix.eventlog import refuse_logged
from tenuto.reasonix.lease import Lease, save_lock
from tenuto.reasonix.meta import SCHEMA, BadMeta, Meta
from tenuto.reasonix.model import Message
from tenuto.reasonix.names import continue_session_path, new_session_path, session_id
from tenuto.reasonix.normalise import normalize_session
from tenuto.reasonix.previews import preview
from tenuto.reasonix.sidecar import counted, update_meta
from tenuto.reasonix.store import FileState, Saved, Session, save_session, sweep_temps
from tenuto.runs.files import FileLayer
from tenuto.sentences import sentence

#: ``fork_turn`` of a branch at the tip: no turn's beginning.
_AT_TIP: Final = -1


class Resumed(msgspec.Struct, frozen=True):
    """What a resume did. ``read_only`` says why nothing will be saved, None where it will."""

    path: str
    messages: int
    next_turn: int
    read_only: StoreError | None = None
    pruned: Pruned | None = None
    #: Why a prune that was due did not happen.
    prune_problem: str = ""


class Snapshot(msgspec.Struct, frozen=True):
    """What a save wrote. ``meta_problem``: why the metadata was left as it is; "" mostly."""

    path: str
    messages: int
    preview: str
    turns: int
    meta_problem: str = ""


class Controller:
    """Holds one session at a time. A context manager; :meth:`close` lets the session go.

    ``dir``: where new sessions go; "" for a conversation that is never saved. ``model``: as in the
    metadata, ``provider/model``. ``cold``: when and how a resume prunes.
    """

    def __init__(
        self,
        dir: str | os.PathLike[str],
        model: str = "",
        *,
        system: str = "",
        cold: ColdResume | None = None,
        layer: FileLayer | None = None,
    ) -> None:
        self.dir = os.fspath(dir)
        self.model = model
        self._layer = layer or FileLayer()
        self._cold = cold or ColdResume(self.dir)
        self._guard = threading.RLock()
        self._saving = threading.Lock()
        #: Open todos of the conversation; they end with it.
        self.todos: list[str] = []
        #: Counts the conversations held so far: what a provider keeps of one is void in the next.
        self.epoch = 0
        self._lease: Lease | None = None
        self._read_only: StoreError | None = None
        self._begin([_system(system)] if system else [], new_session_path(self.dir, model), None)
        if self.dir:
            sweep_temps(self.dir, layer=self._layer)

    # --- what is open ----------------------------------------------------------------------------

    @property
    def session_path(self) -> str:
        """Where the session is saved; "" where it is not."""
        with self._guard:
            return self._path

    @property
    def read_only(self) -> StoreError | None:
        """Why the session cannot be saved; None where it can."""
        with self._guard:
            return self._read_only

    def history(self) -> list[Message]:
        """A copy of every message, to do with as one likes."""
        with self._guard:
            messages = list(self._messages)
        return copy.deepcopy(messages)

    def messages(self) -> Sequence[Message]:
        """Every message, not copied: for reading only."""
        with self._guard:
            return tuple(self._messages)

    def _begin(self, messages: list[Message], path: str, state: FileState | None) -> None:
        """Hold another conversation: nothing of the one before it leaks into it."""
        self._let_go()
        self._messages = messages
        self._path = path
        #: The file as it was last read or written, and the change that it has.
        self._state = state
        self._changes = 0
        self._saved_changes = -1
        self._read_only = None
        self._boundaries = Boundaries()
        self.todos.clear()
        self.epoch += 1

    # --- growing ---------------------------------------------------------------------------------

    def append(self, *messages: Message) -> int:
        """Add messages; how many there are now. They are on disk with the next snapshot."""
        with self._guard:
            self._messages.extend(messages)
            self._changes += 1
            return len(self._messages)

    @contextlib.contextmanager
    def turn(self, *, every: float = 30.0) -> Iterator[int]:
        """One turn: saved every so many seconds while it runs and, if it added anything, after it.

        Gives the turn's number. What a save in between raises is logged; the last one's is raised.
        """
        with self._guard:
            before = len(self._messages)
            number = self._boundaries.begin(before)
        with Autosave(self.snapshot, every):
            yield number
        with self._guard:
            grew = len(self._messages) > before
        if grew:
            self.snapshot(mark_activity=True)

    # --- saving ----------------------------------------------------------------------------------

    def snapshot(self, mark_activity: bool = False) -> Snapshot | None:
        """Save the session; None where there is nothing to save but instructions.

        ``mark_activity``: it was used just now, and moves up in lists.

        :raises Leased: another program has it open.
        :raises SessionConflict: another program changed it.
        :raises ValueError: there are messages, and no folder to save them in.
        :raises StoreIO: the system said no.
        """
        with self._saving:
            return self._snapshot(mark_activity)

    def _snapshot(self, mark_activity: bool) -> Snapshot | None:
        with self._guard:
            messages, path = list(self._messages), self._path
            state, changes = self._state, self._changes
            same = changes == self._saved_changes
        if all(message.get("role") == "system" for message in messages):
            return None
        if not path:
            raise ValueError("there is no folder to save this session in")
        self._hold()
        saved = None
        if not same or state is None or file_state(path) != state:
            with save_lock(path, layer=self._layer):
                check_unchanged(path, state, messages, layer=self._layer)
                saved = save_session(path, messages, layer=self._layer)
            with self._guard:
                self._state, self._saved_changes = saved.state, changes
        text, turns = preview(messages)
        problem = self._write_meta(path, counted(self.model, text, turns), saved, mark_activity)
        return Snapshot(path, len(messages), text, turns, problem)

    def _write_meta(
        self, path: str, change: Callable[[Meta], Meta], saved: Saved | None, touch: bool
    ) -> str:
        try:
            update_meta(path, change, touch=touch, saved=saved, layer=self._layer)
        except BadMeta as error:
            # The session itself is safe; what is wrong in its metadata may be of use to somebody.
            return f"the metadata of {session_id(path)} makes no sense: {error}"
        return ""

    def _hold(self) -> None:
        """Have the lease of the session. Raises why it cannot be written."""
        with self._guard:
            if self._read_only is not None:
                raise self._read_only
            if self._lease is None:
                self._lease = Lease.acquire(self._path, layer=self._layer)

    def _let_go(self) -> None:
        lease, self._lease = self._lease, None
        if lease is not None:
            lease.release()

    # --- another session -------------------------------------------------------------------------

    def resume(self, session: list[Message], path: str | os.PathLike[str]) -> Resumed:
        """Go on with ``session``, loaded from ``path``: saves go there from now on.

        A session that another program has open can be read and forked, not saved. A session that
        was left alone for long is pruned, where the model's window is known.

        Raises as :meth:`snapshot` where what was open until now cannot be saved.
        """
        self._leave()
        return self._resume(session, os.fspath(path))

    def _resume(self, session: list[Message], target: str) -> Resumed:
        with self._saving, self._guard:
            state = session.state if isinstance(session, Session) else file_state(target)
            dirty = isinstance(session, Session) and session.dirty
            repaired = normalize_session(session)
            self._begin(list(repaired), target, state)
            if state is not None and not dirty and repaired is session:
                self._saved_changes = self._changes
            try:
                refuse_logged(target)
                self._hold()
            except StoreError as error:
                self._read_only = error
            self._boundaries = read_boundaries(target, repaired, layer=self._layer)
            read_only = self._read_only
            pruned, problem = (None, "") if read_only else self._prune()
        if pruned is not None:
            try:
                self.snapshot(mark_activity=False)
            except StoreError as error:
                # It stays pruned in memory; the next save says what is wrong, if it still is.
                problem = error.message
        return Resumed(
            target, len(repaired), self._boundaries.next_turn, read_only, pruned, problem
        )

    def _prune(self) -> tuple[Pruned | None, str]:
        try:
            messages, pruned = self._cold.prune(self._path, self._messages, layer=self._layer)
        except StoreError as error:
            return None, error.message
        if pruned is not None:
            self._messages = messages
            self._changes += 1
        return pruned, ""

    def new(self) -> str:
        """Save this session and begin a fresh one with the same instructions; its path."""
        self._leave()
        with self._saving, self._guard:
            first = [m for m in self._messages[:1] if m.get("role") == "system"]
            self._begin(first, new_session_path(self.dir, self.model), None)
            return self._path

    def continue_with_model(self, model: str) -> str:
        """Go on with another model, in the same file; its path."""
        with self._saving, self._guard:
            self._path = continue_session_path(self._path, self.dir, model)
            self.model = model
            self.epoch += 1
            return self._path

    def branch(self, name: str = "") -> str:
        """Go on in a copy of this session as it is now; its path.

        :raises ValueError: there is nothing to copy.
        """
        with self._guard:
            messages = list(self._messages)
        if all(message.get("role") == "system" for message in messages):
            raise ValueError("an empty session cannot be branched")
        # The way out where another program changed the file: all of it is in the copy.
        with contextlib.suppress(SessionConflict):
            self._leave()
        return self._copy(messages, name, _AT_TIP)

    def adopt(self, messages: list[Message], parent: str, name: str = "") -> str:
        """Go on in a session of generation A holding ``messages``, read from any other; its path.

        ``parent``: the id of the session they are from.
        """
        self._leave()
        return self._copy(normalize_session(messages), name, _AT_TIP, parent)

    def fork(self, turn: int, name: str = "") -> str:
        """Go on in a copy of this session as it was before ``turn``; its path.

        :raises NoBoundary: nobody knows where that turn begins.
        """
        with self._guard:
            index = self._boundaries.known.get(turn)
            messages = list(self._messages)
        if index is None:
            raise NoBoundary(
                sentence("there is no checkpoint of turn {turn}", turn=turn), turn=turn
            )
        if index > len(messages):
            raise NoBoundary(sentence("turn {turn} was compacted away", turn=turn), turn=turn)
        self._leave()
        return self._copy(messages[:index], name, turn)

    def _copy(self, messages: list[Message], name: str, turn: int, parent: str = "") -> str:
        if not parent:
            path = self.session_path
            parent = session_id(path) if path else ""
        target = new_session_path(self.dir, self.model)
        if not target:
            raise ValueError("there is no folder to save a copy in")
        save_session(target, messages, layer=self._layer)
        text, turns = preview(messages)

        def change(meta: Meta) -> Meta:
            return msgspec.structs.replace(
                meta,
                name=name,
                parent_id=parent,
                fork_turn=turn,
                fork_message_index=len(messages),
                model=self.model or meta.model,
                preview=text,
                turns=turns,
                schema_version=SCHEMA,
            )

        update_meta(target, change, touch=True, layer=self._layer)
        self._resume(messages, target)
        return target

    def _leave(self) -> None:
        """Save what is open before something else is. What is read only stays as it is."""
        with self._guard:
            needed = self._read_only is None and self._changes != self._saved_changes
        if needed:
            self.snapshot(mark_activity=False)

    # --- the end ---------------------------------------------------------------------------------

    def close(self) -> None:
        """Let the session go. Nothing is saved here; once is enough, twice does no harm."""
        with self._saving, self._guard:
            self._let_go()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _system(text: str) -> Message:
    return {"role": "system", "content": text}
