# SPDX-License-Identifier: Apache-2.0
"""Following the trash, and what can be done with what is in it. Every change is a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from tenuto_gui import format as fmt
from tenuto_gui.command import CommandRunner, Outcome, entries, said
from tenuto_gui.context import AppContext
from tenuto_gui.dialogs.words import WordsDialog
from tenuto_gui.jobs import Jobs
from tenuto_gui.notice import Notice, NoticeBar
from tenuto_gui.report import of_error

if TYPE_CHECKING:
    from tenuto.sources.desk import Trashed

_KEY = "trash"
#: Milliseconds in which several changes of the folder become one look.
_SETTLE_MS = 150


class TrashControl(QObject):
    """Lists the trash in the background; restores and removes what is in it."""

    #: All that is in it: a list of ``Trashed``.
    listed = Signal(object)
    #: Ids that came back into the folder that is shown.
    restored = Signal(object)

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
        self._looking = self._again = False
        self._watch = QFileSystemWatcher(self)
        self._watch.directoryChanged.connect(self._on_change)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self.refresh)

    def _on_change(self) -> None:
        self._settle.start()

    def refresh(self) -> None:
        """Look again."""
        if self._looking:
            self._again = True
            return
        from tenuto.paths import trash_dir

        place = trash_dir()
        if not self._watch.directories() and place.is_dir():
            self._watch.addPath(str(place))
        self._looking = True

        def look() -> list[Trashed]:
            from tenuto.sources.desk import trashed

            return trashed(place)

        self._jobs.run(look, self._on_listed, self._on_failed)

    def _on_listed(self, items: list[Trashed]) -> None:
        self._looking = False
        self.listed.emit(items)
        if self._again:
            self._again = False
            self.refresh()

    def _on_failed(self, error: BaseException) -> None:
        self._looking = self._again = False
        self._say(self.tr("The trash cannot be read"), str(error), of_error(error))

    # --- deeds -----------------------------------------------------------------------------------

    def restore(self, items: list[Trashed]) -> None:
        """Bring sessions back into the folders they came from."""
        here = [item.token for item in items if not item.origin]
        home = [item.token for item in items if item.origin]
        by_token = {item.token: item for item in items}

        def done(outcome: Outcome) -> None:
            self._restored(by_token, outcome)

        if home:
            self._commands.run(["session", "trash", "restore", *home, "--json"], done, bare=True)
        if here:
            # What does not say where it came from goes to the folder that is shown.
            self._commands.run(["session", "trash", "restore", *here, "--json"], done)

    def _restored(self, by_token: dict[str, Trashed], outcome: Outcome) -> None:
        answers = entries(outcome.result)
        back = [each for each in answers if each.get("directory")]
        refused = [each for each in answers if each.get("error")]
        shown = str(self._context.runs_dir)
        self.restored.emit({str(each["id"]) for each in back if each["directory"] == shown})
        elsewhere = [each for each in back if each["directory"] != shown]
        self.refresh()
        if refused or not answers:
            self._refused(by_token, refused, outcome)
        elif elsewhere:
            title = self.tr("Restored %n session(s)", None, len(back))
            places = {fmt.home_path(str(each["directory"])) for each in elsewhere}
            self._notices.show_notice(
                Notice("info", title, self.tr("To {path}").format(path=", ".join(places)), key=_KEY)
            )

    def _refused(
        self, by_token: dict[str, Trashed], refused: list[dict[str, Any]], outcome: Outcome
    ) -> None:
        first = refused[0] if refused else {}
        token = str(first.get("token") or next(iter(by_token)))
        item = by_token.get(token)
        if first.get("error") == "exists" and len(by_token) == 1 and item is not None:
            self._ask_other_id(item)
            return
        count = max(1, len(refused))
        title = self.tr("%n session(s) could not be restored", None, count)
        self._say(title, str(first.get("message") or said(outcome)), outcome.report)

    def _ask_other_id(self, item: Trashed) -> None:
        dialog = WordsDialog(
            self._context.theme,
            self.tr("Restore {id} under another id").format(id=item.id),
            f"{item.id}-restored",
            hint=self.tr("There is a session called {id} again. Both can be kept.").format(
                id=item.id
            ),
            verb=self.tr("Restore"),
            limit=128,
            parent=self._window,
        )

        def go_on(new_id: str) -> None:
            words = ["session", "trash", "restore", item.token, f"--as={new_id.strip()}", "--json"]
            self._commands.run(
                words, lambda outcome: self._restored({item.token: item}, outcome), bare=True
            )

        dialog.given.connect(go_on)
        dialog.show()

    def purge(self, items: list[Trashed]) -> None:
        """Remove sessions for good. Ask before."""
        tokens = [item.token for item in items]
        self._commands.run(["session", "trash", "empty", *tokens, "--json"], self._purged)

    def empty(self) -> None:
        """Remove everything for good. Ask before."""
        self._commands.run(["session", "trash", "empty", "--json"], self._purged)

    def _purged(self, outcome: Outcome) -> None:
        self.refresh()
        if not outcome.ok:
            self._say(self.tr("The trash could not be emptied"), said(outcome), outcome.report)

    def _say(self, title: str, why: str, details: str) -> None:
        notice = Notice("failed", title, why, key=_KEY, details=details)
        self._notices.show_notice(notice)
