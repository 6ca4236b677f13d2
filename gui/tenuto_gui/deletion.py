# SPDX-License-Identifier: Apache-2.0
"""Delete to Tenuto's trash, and the way back."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from tenuto.sources.base import SessionSummary
from tenuto_gui.command import CommandRunner, Outcome, entries, said
from tenuto_gui.notice import Button, Notice, NoticeBar

_KEY = "delete"
#: Sessions of one command: so many ids fit every command line.
_AT_ONCE = 500


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
        self._delete_next(parts, name, len(summaries), [], True)

    def _delete_next(
        self, parts: list[list[str]], name: str, count: int, answers: list[dict[str, Any]], ok: bool
    ) -> None:
        """A command takes sessions of one source, and so many only; the answers add up."""
        part, *rest = parts

        def done(outcome: Outcome) -> None:
            found = [*answers, *entries(outcome.result)]
            good = ok and outcome.ok
            if rest and outcome.exit_code >= 0:
                self._delete_next(rest, name, count, found, good)
                return
            self._deleted(count, name, found, "" if good else said(outcome), outcome.report)

        self._runner.run(["session", "rm", *part, "--json"], done)

    def _deleted(
        self, count: int, name: str, answers: list[dict[str, Any]], problem: str, report: str
    ) -> None:
        tokens = [str(entry["token"]) for entry in answers if entry.get("token")]
        gone = [str(entry["id"]) for entry in answers if entry.get("token") and entry.get("id")]
        if tokens:
            self._undo.append(tokens)
            self.changed.emit()
            self.moved.emit(set(gone))
        if len(gone) < count:
            refused = [str(entry["message"]) for entry in answers if entry.get("message")]
            self._say_failed(
                self.tr("%n session(s) could not be deleted", None, count - len(gone)),
                refused[0] if refused else problem,
                bool(tokens),
                report,
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
                self.tr("It is in the trash, nothing of it is lost.")
                if len(gone) == 1
                else self.tr("They are in the trash, nothing of them is lost."),
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
        tokens = self._undo.pop()
        self._restore_next(tokens, tokens, [])

    def forget(self, tokens: set[str]) -> None:
        """These are not in the trash any more: no undo is offered for them."""
        left = [[token for token in each if token not in tokens] for each in self._undo]
        if left == self._undo:
            return
        if not left[-1]:
            self._notices.retract(_KEY)
        self._undo = [each for each in left if each]
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
                self._undo.append(left)
                refused = [str(entry["message"]) for entry in found if entry.get("message")]
                self._say_failed(
                    self.tr("The deletion could not be undone"),
                    refused[0] if refused else said(outcome),
                    False,
                    outcome.report,
                )
            self._restoring = False
            self.changed.emit()
            if back:
                self.restored.emit({str(entry["id"]) for entry in back})

        self._runner.run(["session", "trash", "restore", *part, "--json"], done, bare=True)

    def _say_failed(self, title: str, why: str, undo: bool, report: str) -> None:
        buttons = (Button(self.tr("Undo"), self.undo, name="noticeUndo"),) if undo else ()
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
