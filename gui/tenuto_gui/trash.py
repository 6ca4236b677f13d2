# SPDX-License-Identifier: Apache-2.0
"""Following the trash, and what can be done with what is in it. Every change is a command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from tenuto.errors import StoreError
from tenuto.sentences import Sentence
from tenuto_gui import format as fmt
from tenuto_gui.command import CommandRunner, Outcome, entries, said
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words, told_words, words
from tenuto_gui.dialogs.words import WordsDialog
from tenuto_gui.i18n import enumerated
from tenuto_gui.jobs import Jobs
from tenuto_gui.named import name_in
from tenuto_gui.notice import Notice, NoticeBar
from tenuto_gui.report import of_error

if TYPE_CHECKING:
    from tenuto.sources.trashed import TrashItem, TrashListing

_KEY = "trash"
#: Milliseconds in which several changes of the folder become one look.
_SETTLE_MS = 150
#: Entries of one command: so many paths fit every command line.
_AT_ONCE = 200


class TrashControl(QObject):
    """Lists the trash in the background; restores and removes what is in it."""

    #: All that is in it: a list of ``TrashItem``.
    listed = Signal(object)
    #: Ids that came back into the folder that is shown.
    restored = Signal(object)
    #: Tokens of what is not in it any more.
    left = Signal(object)

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
        #: What was said of a trash that cannot be read: once is enough.
        self._told: Sentence | None = None
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
        self._looking = True
        source = self._context.source

        def look() -> tuple[TrashListing, set[str]]:
            return source.trashed(), {path for path in source.trash_places() if os.path.isdir(path)}

        self._jobs.run(look, self._on_listed, self._on_failed)

    def _on_listed(self, found: tuple[TrashListing, set[str]]) -> None:
        self._looking = False
        listing, places = found
        watched = set(self._watch.directories())
        if lost := watched - places:
            self._watch.removePaths(sorted(lost))
        if new := places - watched:
            self._watch.addPaths(sorted(new))
        self.listed.emit(listing.items)
        if listing.notice != self._told:
            self._told = listing.notice
            if listing.notice is not None:
                self._say(self.tr("The trash cannot be read"), words(listing.notice), "")
        if self._again:
            self._again = False
            self.refresh()

    def _on_failed(self, error: BaseException) -> None:
        self._looking = self._again = False
        self._say(self.tr("The trash cannot be read"), error_words(error), of_error(error))

    # --- deeds -----------------------------------------------------------------------------------

    def restore(self, items: list[TrashItem]) -> None:
        """Bring sessions back into the folders they came from."""
        here = [item.token for item in items if not item.origin]
        home = [item.token for item in items if item.origin]
        by_token = {item.token: item for item in items}

        def done(outcome: Outcome) -> None:
            self._restored(by_token, outcome)

        for tokens in _parts(home):
            words = ["session", "trash", "restore", *tokens, "--json"]
            self._commands.run(words, done, bare=True)
        for tokens in _parts(here):
            # What does not say where it came from goes to the folder that is shown.
            self._commands.run(["session", "trash", "restore", *tokens, "--json"], done)

    def _restored(self, by_token: dict[str, TrashItem], outcome: Outcome) -> None:
        answers = entries(outcome.result)
        back = [each for each in answers if each.get("directory")]
        refused = [each for each in answers if each.get("error")]
        self.left.emit({str(each["token"]) for each in back})
        shown = [each for each in back if self._is_shown(each)]
        if shown:
            self.restored.emit({str(each["id"]) for each in shown})
        elsewhere = [each for each in back if each not in shown]
        self.refresh()
        if refused or not answers:
            self._refused(by_token, refused, outcome)
        elif elsewhere:
            title = self.tr("Restored %n session(s)", None, len(back))
            places = {fmt.home_path(str(each["directory"])) for each in elsewhere}
            self._notices.show_notice(
                Notice(
                    "info",
                    title,
                    name_in(self.tr("To {path}"), "path", enumerated(places)),
                    key=_KEY,
                )
            )

    def _is_shown(self, back: dict[str, Any]) -> bool:
        """Whether a session came back into a folder that is listed."""
        try:
            path = self._context.source.path(str(back["id"]))
        except StoreError:
            return False
        folder, origin = os.path.dirname(path), str(back["directory"])
        return os.path.realpath(folder) == os.path.realpath(origin)

    def _refused(
        self, by_token: dict[str, TrashItem], refused: list[dict[str, Any]], outcome: Outcome
    ) -> None:
        first = refused[0] if refused else {}
        token = str(first.get("token") or next(iter(by_token)))
        item = by_token.get(token)
        alone = item if len(by_token) == 1 else None
        if first.get("error") == "exists" and alone is not None and alone.other_id:
            self._ask_other_id(alone)
            return
        count = max(1, len(refused))
        title = self.tr("%n session(s) could not be restored", None, count)
        self._say(title, told_words(first) or said(outcome), outcome.report)

    def _ask_other_id(self, item: TrashItem) -> None:
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

    def purge(self, items: list[TrashItem]) -> None:
        """Remove sessions for good: these, and nothing that came since. Ask before."""
        self._purge_next(_parts([item.token for item in items]), [])

    def _purge_next(self, parts: list[list[str]], failed: list[str]) -> None:
        part, *rest = parts

        def done(outcome: Outcome) -> None:
            failures = [*failed, *_failures(outcome)]
            self.left.emit(_purged(outcome))
            if rest and outcome.exit_code >= 0:
                self._purge_next(rest, failures)
                return
            self.refresh()
            if failures:
                title = self.tr("Not everything could be deleted for good")
                self._say(title, failures[0], outcome.report)

        self._commands.run(["session", "trash", "empty", *part, "--json"], done)

    def _say(self, title: str, why: str, details: str) -> None:
        notice = Notice("failed", title, why, key=_KEY, details=details)
        self._notices.show_notice(notice)


def _parts(tokens: list[str]) -> list[list[str]]:
    """As many at a time as fit a command line."""
    return [tokens[start : start + _AT_ONCE] for start in range(0, len(tokens), _AT_ONCE)]


def _failures(outcome: Outcome) -> list[str]:
    """Why some of them are still there, in a sentence each."""
    answer = outcome.result if isinstance(outcome.result, dict) else {}
    found = [told_words(each) for each in entries(answer.get("failed"))]
    return found or ([] if outcome.ok else [said(outcome)])


def _purged(outcome: Outcome) -> set[str]:
    answer = outcome.result if isinstance(outcome.result, dict) else {}
    tokens = answer.get("purged")
    return {str(token) for token in tokens} if isinstance(tokens, list) else set()
