# SPDX-License-Identifier: Apache-2.0
"""Delete to Tenuto's trash, and the way back.

The rows of what is deleted go as soon as the folder tells of it, which may be before the command
has answered. From there on an operator may take it back: then it is, once the command has answered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Signal

from tenuto.sources.base import SessionSummary
from tenuto_gui.command import CommandRunner, Outcome, entries, said
from tenuto_gui.core_words import told_words
from tenuto_gui.notice import Button, Notice, NoticeBar

_KEY = "delete"
#: Sessions of one command: so many ids fit every command line.
_AT_ONCE = 500


class _Batch(msgspec.Struct, eq=False):
    """One deletion: what one undo takes back."""

    #: Of what is in the trash, known when all commands have answered.
    tokens: list[str] = msgspec.field(default_factory=list)
    answered: bool = False
    #: Tokens of what left the trash meanwhile, of this deletion or of others.
    left: set[str] = msgspec.field(default_factory=set)


class Deletion(QObject):
    """Runs ``session rm`` and ``session trash restore``; undo takes back the last deletion."""

    #: Ids that were moved to the trash, or came back.
    moved = Signal(object)
    restored = Signal(object)
    changed = Signal()

    def __init__(
        self, runner: CommandRunner, notices: NoticeBar, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._notices = notices
        #: What can be taken back, the last one that was begun at the end.
        self._undo: list[_Batch] = []
        #: What is being taken back.
        self._restoring: _Batch | None = None
        #: What the last notice offers to take back.
        self._offered: _Batch | None = None

    @property
    def can_undo(self) -> bool:
        return bool(self._undo) and self._restoring is None

    def delete(self, summaries: list[SessionSummary]) -> None:
        """Move sessions to the trash, as one deletion that one undo takes back."""
        source = self._runner.context.source
        words: dict[str, list[str]] = {}
        for summary in summaries:
            words.setdefault(summary.source, []).append(source.word(summary.id))
        parts = [
            each[start : start + _AT_ONCE]
            for each in words.values()
            for start in range(0, len(each), _AT_ONCE)
        ]
        name = summaries[0].title or summaries[0].id
        batch = _Batch()
        self._undo.append(batch)
        self.changed.emit()
        deleted = partial(self._deleted, batch, len(summaries), name)
        self._delete_next(parts, deleted, [], True)

    def _delete_next(
        self,
        parts: list[list[str]],
        deleted: Callable[[list[dict[str, Any]], str, str], None],
        answers: list[dict[str, Any]],
        ok: bool,
    ) -> None:
        """A command takes sessions of one source, and so many only; the answers add up."""
        part, *rest = parts

        def done(outcome: Outcome) -> None:
            found = [*answers, *entries(outcome.result)]
            good = ok and outcome.ok
            if rest and outcome.exit_code >= 0:
                self._delete_next(rest, deleted, found, good)
                return
            deleted(found, "" if good else said(outcome), outcome.report)

        self._runner.run(["session", "rm", *part, "--json"], done)

    def _deleted(
        self,
        batch: _Batch,
        count: int,
        name: str,
        answers: list[dict[str, Any]],
        problem: str,
        report: str,
    ) -> None:
        moved = [str(entry["token"]) for entry in answers if entry.get("token")]
        tokens = [token for token in moved if token not in batch.left]
        gone = [str(entry["id"]) for entry in answers if entry.get("token") and entry.get("id")]
        batch.tokens, batch.answered = tokens, True
        taken_back = self._restoring is batch
        if not tokens:
            self._drop(batch)
        self.changed.emit()
        if moved:
            self.moved.emit(set(gone))
        if taken_back and tokens:
            self._restore_next(tokens, tokens, [])
        if len(gone) < count:
            refused = [str(entry["message"]) for entry in answers if entry.get("message")]
            self._say_failed(
                self.tr("%n session(s) could not be deleted", None, count - len(gone)),
                refused[0] if refused else problem,
                batch if tokens and not taken_back else None,
                report,
            )
            return
        if taken_back or not tokens:
            return
        if len(gone) == 1:
            title = self.tr("Deleted \u201c{name}\u201d").format(name=name)
        else:
            title = self.tr("Deleted %n session(s)", None, len(gone))
        self._notices.show_notice(
            Notice(
                "info",
                title,
                self.tr("It is in the trash, nothing of it is lost.")
                if len(gone) == 1
                else self.tr("They are in the trash, nothing of them is lost."),
                (self._undo_button(batch),),
                _KEY,
            )
        )

    def undo(self) -> None:
        """Bring the last deletion back, one session after the other."""
        if self._undo:
            self._take_back(self._undo[-1])

    def _take_back(self, batch: _Batch) -> None:
        if self._restoring is not None or batch not in self._undo:
            return
        self._undo.remove(batch)
        self._restoring = batch
        self._notices.retract(_KEY)
        self.changed.emit()
        if batch.answered:
            self._restore_next(batch.tokens, batch.tokens, [])

    def _drop(self, batch: _Batch) -> None:
        """There is nothing of it to take back."""
        if self._restoring is batch:
            self._restoring = None
        else:
            self._undo.remove(batch)

    def forget(self, tokens: set[str]) -> None:
        """These are not in the trash any more: no undo is offered for them."""
        for batch in (*self._undo, self._restoring):
            if batch is not None and not batch.answered:
                batch.left |= tokens
        known = [each for each in self._undo if not tokens.isdisjoint(each.tokens)]
        if not known:
            return
        for batch in known:
            batch.tokens = [token for token in batch.tokens if token not in tokens]
        if self._offered in known and not self._offered.tokens:
            self._notices.retract(_KEY)
        self._undo = [each for each in self._undo if each.tokens or not each.answered]
        self.changed.emit()

    def _restore_next(
        self, tokens: list[str], whole: list[str], answers: list[dict[str, Any]]
    ) -> None:
        """Each goes back to the folder it came from."""
        part, rest = tokens[:_AT_ONCE], tokens[_AT_ONCE:]

        def done(outcome: Outcome) -> None:
            found = [*answers, *entries(outcome.result)]
            back = [entry for entry in found if entry.get("directory")]
            if rest and outcome.exit_code >= 0:
                self._restore_next(rest, whole, found)
                return
            # What is still in the trash can be tried again.
            came = {str(entry["token"]) for entry in back}
            left = [token for token in whole if token not in came]
            if left:
                self._undo.append(_Batch(left, True))
                refused = [told_words(entry) for entry in found if entry.get("message")]
                self._say_failed(
                    self.tr("The deletion could not be undone"),
                    refused[0] if refused else said(outcome),
                    None,
                    outcome.report,
                )
            self._restoring = None
            self.changed.emit()
            if back:
                self.restored.emit({str(entry["id"]) for entry in back})

        self._runner.run(["session", "trash", "restore", *part, "--json"], done, bare=True)

    def _undo_button(self, batch: _Batch) -> Button:
        """It means what the notice tells of, whatever was deleted after it."""
        self._offered = batch
        return Button(self.tr("Undo"), partial(self._take_back, batch), name="noticeUndo")

    def _say_failed(self, title: str, why: str, undo: _Batch | None, report: str) -> None:
        """``undo``: what can be taken back of it, None for nothing."""
        buttons = (self._undo_button(undo),) if undo is not None else ()
        text = f"{why} " if why else ""
        self._notices.show_notice(
            Notice(
                "failed",
                title,
                text + self.tr("Nothing else has been changed."),
                buttons,
                _KEY,
                report,
            )
        )
