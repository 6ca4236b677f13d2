# SPDX-License-Identifier: Apache-2.0
"""Delete to Tenuto's trash, and the way back."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from tenuto.sources.base import SessionSummary
from tenuto_gui.command import CommandRunner, Outcome
from tenuto_gui.notice import Button, Notice, NoticeBar

_KEY = "delete"


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
        #: Trash tokens by deletion, the last one at the end.
        self._undo: list[list[str]] = []
        self._restoring = False

    @property
    def can_undo(self) -> bool:
        return bool(self._undo) and not self._restoring

    def delete(self, summaries: list[SessionSummary]) -> None:
        """Move sessions to the trash."""
        ids = [summary.id for summary in summaries]
        name = summaries[0].title or summaries[0].id
        self._runner.run(
            ["session", "rm", *ids, "--json"], lambda outcome: self._deleted(ids, name, outcome)
        )

    def _deleted(self, ids: list[str], name: str, outcome: Outcome) -> None:
        entries = _entries(outcome.result)
        tokens = [str(entry["token"]) for entry in entries if entry.get("token")]
        gone = [str(entry["id"]) for entry in entries if entry.get("token") and entry.get("id")]
        if tokens:
            self._undo.append(tokens)
            self.changed.emit()
            self.moved.emit(set(gone))
        if not outcome.ok or not tokens:
            refused = [str(entry["message"]) for entry in entries if entry.get("message")]
            self._say_failed(
                self.tr("%n session(s) could not be deleted", None, max(1, len(ids) - len(gone))),
                refused[0] if refused else outcome.message,
                bool(tokens),
            )
            return
        if len(gone) == 1:
            title = self.tr("Deleted \u201c{name}\u201d").format(name=name)
        else:
            title = self.tr("Deleted %n session(s)", None, len(gone))
        self._notices.show_notice(
            Notice(
                "info",
                title,
                self.tr("It is in Tenuto\u2019s trash, nothing of it is lost.")
                if len(gone) == 1
                else self.tr("They are in Tenuto\u2019s trash, nothing of them is lost."),
                (Button(self.tr("Undo"), self.undo, name="noticeUndo"),),
                _KEY,
            )
        )

    def undo(self) -> None:
        """Bring the last deletion back, one session after the other."""
        if not self.can_undo:
            return
        self._restoring = True
        self._notices.retract(_KEY)
        self.changed.emit()
        self._restore_next(self._undo.pop(), set())

    def _restore_next(self, tokens: list[str], back: set[str]) -> None:
        self._runner.run(
            ["session", "trash", "restore", tokens[0], "--json"],
            lambda outcome: self._restored(tokens, back, outcome),
        )

    def _restored(self, tokens: list[str], back: set[str], outcome: Outcome) -> None:
        answer = outcome.result if isinstance(outcome.result, dict) else {}
        if outcome.ok and answer.get("id"):
            back = back | {str(answer["id"])}
            if tokens[1:]:
                self._restore_next(tokens[1:], back)
                return
        else:
            # What is still in the trash can be tried again.
            self._undo.append(tokens)
            self._say_failed(
                self.tr("The deletion could not be undone"),
                str(answer.get("message") or outcome.message),
                False,
            )
        self._restoring = False
        self.changed.emit()
        if back:
            self.restored.emit(back)

    def _say_failed(self, title: str, why: str, undo: bool) -> None:
        buttons = (Button(self.tr("Undo"), self.undo, name="noticeUndo"),) if undo else ()
        text = f"{why} " if why else ""
        self._notices.show_notice(
            Notice(
                "failed",
                title,
                text + self.tr("Nothing else has been changed."),
                buttons,
                _KEY,
            )
        )


def _entries(result: Any) -> list[dict[str, Any]]:
    """What a command reported, one object a session."""
    if isinstance(result, dict):
        result = [result]
    if not isinstance(result, list):
        return []
    return [entry for entry in result if isinstance(entry, dict)]
