# SPDX-License-Identifier: Apache-2.0
"""Sessions to files, and files to sessions."""

from __future__ import annotations

import os
from itertools import zip_longest
from typing import Any

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from tenuto.sources.base import SessionSummary
from tenuto_gui import format as fmt
from tenuto_gui.command import CommandRunner, Outcome, entries, said
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import in_parts
from tenuto_gui.dialogs.export import ENDINGS, ExportDialog, format_words
from tenuto_gui.i18n import enumerated, in_turn, translate
from tenuto_gui.named import joined, name_in
from tenuto_gui.notice import Button, Notice, NoticeBar
from tenuto_gui.refusals import nothing_changed

_KEY = "export"


class Exporting(QObject):
    """Runs ``session export``; `open_requested` carries the path of a file to look into."""

    open_requested = Signal(str)

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

    def export(self, summary: SessionSummary) -> None:
        """Ask as what, then where to."""
        dialog = ExportDialog(
            self._context.theme,
            summary.title or summary.id,
            redact=self._context.settings.redact_exports,
            why_not_complete=self._why_not_complete(summary),
            parent=self._window,
        )
        dialog.chosen.connect(lambda form, redact: self._ask_file(summary, form, redact))
        dialog.show()

    def _why_not_complete(self, summary: SessionSummary) -> str:
        if summary.source == "fisk-ai":
            return ""
        return self.tr(
            "Of runs only: another program\u2019s session is moved by copying its files."
        )

    def _ask_file(self, summary: SessionSummary, form: str, redact: bool) -> None:
        ending = ENDINGS[form]
        start = os.path.join(os.path.expanduser("~"), _file_name(summary) + ending)
        dialog = QFileDialog(self._window, self.tr("Export to"), start)
        dialog.setObjectName("exportFile")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([f"{format_words(form)[0]} (*{ending})"])
        dialog.setDefaultSuffix(ending[1:])
        dialog.selectFile(start)
        dialog.fileSelected.connect(lambda path: self.write(summary, form, redact, path))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def write(self, summary: SessionSummary, form: str, redact: bool, path: str) -> None:
        """Have the file written. The file dialog has asked before it let an old one be chosen."""
        word = self._context.source.word(summary.id)
        words = ["session", "export", word, f"--to={path}", "--format", form, "--json"]
        if not redact and form != "tenuto":
            words.append("--no-redact")
        if os.path.lexists(path):
            words.append("--force")
        self._commands.run(words, lambda outcome: self._written(path, outcome))

    def _written(self, path: str, outcome: Outcome) -> None:
        answer = outcome.result if isinstance(outcome.result, dict) else {}
        if not outcome.ok:
            self._notices.show_notice(
                Notice(
                    "failed",
                    self.tr("The session could not be exported"),
                    nothing_changed(said(outcome)),
                    key=_KEY,
                    details=outcome.report,
                )
            )
            return
        place = str(answer.get("path") or path)
        size = answer.get("size")
        title = name_in(self.tr("Exported to {path}"), "path", fmt.home_path(place))
        if isinstance(size, int):
            title = joined([title, f"({fmt.size(size)})"])
        warnings = _warnings(answer)
        parts = [self._redacted(answer.get("redacted")), *warnings]
        folder = QUrl.fromLocalFile(os.path.dirname(place))
        self._notices.show_notice(
            Notice(
                "info",
                title,
                in_turn(*(_sentence(part) for part in parts if part)),
                (
                    Button(
                        self.tr("Show the folder"),
                        lambda: _open(folder),
                        name="showExport",
                    ),
                ),
                _KEY,
            )
        )

    def _redacted(self, found: object) -> str:
        """How much was taken out; "" where nothing was looked for."""
        if not isinstance(found, dict):
            return ""
        total = sum(count for count in found.values() if isinstance(count, int))
        if not total:
            return self.tr("No keys, passwords or tokens were found in it.")
        kinds = enumerated(f"{count} {kind}" for kind, count in sorted(found.items()))
        text = self.tr("%n secret(s) taken out: {kinds}.", None, total)
        return text.format(kinds=kinds)

    def ask_import(self) -> None:
        """Choose an exported session to look into."""
        dialog = QFileDialog(self._window, self.tr("Open an exported session"))
        dialog.setObjectName("importFile")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Tenuto sessions (*.tenuto)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(self.open_requested)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _file_name(summary: SessionSummary) -> str:
    """An id may have folders before its name."""
    return summary.id.rpartition("/")[2]


def _warnings(answer: dict[str, Any]) -> list[str]:
    """What is to be known of the place of an export, and of what is in it."""
    found = [each for each in answer.get("warnings") or [] if isinstance(each, str)]
    parts = entries(answer.get("warning_parts"))
    told = [in_parts(each.get("sentence"), each.get("facts")) for each in parts]
    return [words or text for words, text in zip_longest(told, found, fillvalue="")]


def _open(folder: QUrl) -> None:
    QDesktopServices.openUrl(folder)


def _sentence(text: str) -> str:
    if text.endswith((".", "!", "?", "\u3002")):
        return text
    return translate("export", "{text}.").format(text=text[:1].upper() + text[1:])
