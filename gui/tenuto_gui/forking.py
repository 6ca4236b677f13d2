# SPDX-License-Identifier: Apache-2.0
"""A new run out of the beginning of another one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tenuto.sources.base import Block, SessionSummary
from tenuto_gui import format as fmt
from tenuto_gui.command import CommandRunner, Outcome, said
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.dialogs.words import WordsDialog
from tenuto_gui.jobs import Jobs
from tenuto_gui.notice import Button, Notice, NoticeBar
from tenuto_gui.refusals import nothing_changed
from tenuto_gui.report import of_error

_KEY = "fork"
#: Bytes of a journal's end in which its last complete turn is looked for first.
_TAIL = 256 << 10
#: As long as an id may be.
_MAX_ID = 128


def last_whole(blocks: Sequence[Block]) -> int:
    """The last record after which no call lacks its result; 0 where there is none."""
    last = max((max(block.seq, block.result_seq or 0) for block in blocks), default=0)
    lacking = [b.seq for b in blocks if b.kind == "tool_call" and b.result is None]
    return min(lacking) - 1 if lacking else last


class Forking(QObject):
    """Asks for a name and runs ``session fork``. The old run is only read."""

    #: The id of the new run.
    made = Signal(str)
    #: The operator has something to say to it: its id.
    say_wanted = Signal(str)

    def __init__(
        self,
        context: AppContext,
        commands: CommandRunner,
        jobs: Jobs,
        notices: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._context = context
        self._commands = commands
        self._jobs = jobs
        self._notices = notices
        self._window = window

    def fork_at_end(self, summary: SessionSummary) -> None:
        """Fork at the last record that leaves nothing open."""
        source = self._context.source

        def look() -> int:
            transcript = source.open(summary.id)
            try:
                found = last_whole(transcript.tail_blocks(_TAIL))
                if not found:
                    transcript.refresh()
                    found = last_whole(transcript.blocks)
            finally:
                transcript.close()
            return found

        self._jobs.run(
            look,
            lambda seq: self.fork(summary, seq),
            lambda error: self._failed(error_words(error), of_error(error)),
        )

    def fork(self, summary: SessionSummary, seq: int) -> None:
        """Ask what the new run is to be called, and make it of the records up to ``seq``."""
        dialog = WordsDialog(
            self._context.theme,
            self.tr("Fork {name} at record {n}").format(
                name=summary.title or summary.id, n=fmt.exact(seq)
            ),
            "",
            hint=self.tr(
                "The id of the new run, or nothing for a new one. It holds what there is up to "
                "this record, suspended; the old run stays as it is."
            ),
            verb=self.tr("Fork"),
            limit=_MAX_ID,
            parent=self._window,
        )
        dialog.given.connect(lambda name: self._fork(summary, seq, name.strip()))
        dialog.show()

    def _fork(self, summary: SessionSummary, seq: int, name: str) -> None:
        words = [
            "session",
            "fork",
            self._context.source.word(summary.id),
            "--at",
            str(seq),
            "--json",
        ]
        if name:
            words.append(f"--name={name}")

        def done(outcome: Outcome) -> None:
            answer = outcome.result if isinstance(outcome.result, dict) else {}
            if not outcome.ok or not answer.get("id"):
                self._failed(said(outcome), outcome.report)
                return
            made = str(answer["id"])
            self._notices.show_notice(
                Notice(
                    "info",
                    self.tr("Forked as {id}").format(id=made),
                    self.tr("It goes on when it is resumed."),
                    (
                        Button(
                            self.tr("Resume with a message\u2026"),
                            lambda: self.say_wanted.emit(made),
                            name="forkSay",
                        ),
                    ),
                    _KEY,
                )
            )
            self.made.emit(made)

        self._commands.run(words, done)

    def _failed(self, why: str, details: str = "") -> None:
        title = self.tr("The session could not be forked")
        notice = Notice("failed", title, nothing_changed(why), key=_KEY, details=details)
        self._notices.show_notice(notice)
