# SPDX-License-Identifier: Apache-2.0
"""What the operator adds to a session: a title, a pin, a note. Never kept in the session itself."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tenuto.sources.base import SessionSummary
from tenuto_gui.command import CommandRunner, Outcome, said
from tenuto_gui.context import AppContext
from tenuto_gui.dialogs.words import WordsDialog
from tenuto_gui.notice import Notice, NoticeBar
from tenuto_gui.refusals import nothing_changed

#: As long as the command takes them.
_MAX_TITLE = 200


class Annotation(QObject):
    """Asks for the words and has them written by ``session rename`` and ``session note``."""

    #: Ids whose notes are others now.
    changed = Signal(object)

    def __init__(
        self,
        context: AppContext,
        commands: CommandRunner,
        notices: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._context = context
        self._commands = commands
        self._notices = notices
        self._window = window

    def rename(self, summary: SessionSummary) -> None:
        """Ask for a title."""
        dialog = WordsDialog(
            self._context.theme,
            self.tr("Rename {id}").format(id=summary.id),
            summary.title,
            hint=self.tr(
                "The title is kept beside the session, which stays as it is. Without one it is "
                "called by its prompt."
            ),
            verb=self.tr("Rename"),
            limit=_MAX_TITLE,
            parent=self._window,
        )
        # The prompt itself is no title of the operator's.
        dialog.given.connect(
            lambda text: self._rename(summary, "" if text.strip() == summary.prompt else text)
        )
        dialog.show()

    def _rename(self, summary: SessionSummary, title: str) -> None:
        words = ["session", "rename", "--json", "--", self._word(summary), title]
        self._run(summary, words, self.tr("The session could not be renamed"))

    def set_pinned(self, summary: SessionSummary, pinned: bool) -> None:
        """Keep it on top of the list, or let it go to its place."""
        words = ["session", "note", self._word(summary), "--pin" if pinned else "--unpin", "--json"]
        self._run(summary, words, self.tr("The session could not be pinned"))

    def note(self, summary: SessionSummary) -> None:
        """Ask for a note; the whole of the present one is shown."""
        dialog = WordsDialog(
            self._context.theme,
            self.tr("Note on {name}").format(name=summary.title or summary.id),
            self._context.source.note(summary.id),
            hint=self.tr(
                "The note is kept by Tenuto, not in the session, and shown in the session's head."
            ),
            verb=self.tr("Keep note"),
            long=True,
            parent=self._window,
        )
        dialog.given.connect(lambda text: self._note(summary, text))
        dialog.show()

    def _note(self, summary: SessionSummary, text: str) -> None:
        words = ["session", "note", self._word(summary), f"--text={text}", "--json"]
        self._run(summary, words, self.tr("The note could not be kept"))

    def _word(self, summary: SessionSummary) -> str:
        return self._context.source.word(summary.id)

    def _run(self, summary: SessionSummary, words: list[str], failed: str) -> None:
        def done(outcome: Outcome) -> None:
            if outcome.ok:
                self.changed.emit({summary.id})
                return
            why = nothing_changed(said(outcome))
            self._notices.show_notice(
                Notice("failed", failed, why, key="annotate", details=outcome.report)
            )

        self._commands.run(words, done)
