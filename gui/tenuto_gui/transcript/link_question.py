# SPDX-License-Identifier: Apache-2.0
"""Asks before a link of a transcript is opened: where it leads, letter for letter."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from tenuto_gui.i18n import translate
from tenuto_gui.render import links


def _open(target: str) -> bool:
    return QDesktopServices.openUrl(QUrl(target))


class LinkQuestion(QMessageBox):
    """Not modal: a run's question may come meanwhile. Esc and the default button open nothing."""

    def __init__(
        self, target: str, parent: QWidget | None, opener: Callable[[str], object] = _open
    ) -> None:
        super().__init__(parent)
        self.setObjectName("linkQuestion")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setIcon(QMessageBox.Icon.NoIcon)
        self.setWindowTitle(translate("Transcript", "Open link"))
        self._target = target
        self._opener = opener
        where = translate("Transcript", "Open {host} in your browser?")
        if target.lower().startswith("mailto:"):
            where = translate("Transcript", "Write to {host}?")
        self.setText(where.format(host=links.host(target)))
        self.setInformativeText(links.real_target(target))
        role = QMessageBox.ButtonRole
        self._open_button = self.addButton(translate("Transcript", "Open"), role.AcceptRole)
        self._copy_button = self.addButton(translate("Transcript", "Copy link"), role.ActionRole)
        cancel = self.addButton(translate("Transcript", "Cancel"), role.RejectRole)
        self.setDefaultButton(cancel)
        self.setEscapeButton(cancel)
        self.buttonClicked.connect(self._on_clicked)

    def _on_clicked(self, button: object) -> None:
        if button is self._open_button:
            self._opener(self._target)
        elif button is self._copy_button:
            QGuiApplication.clipboard().setText(links.real_target(self._target))


def ask(target: str, parent: QWidget | None, opener: Callable[[str], object] = _open) -> None:
    """Ask, if the link is of a kind that may be opened at all."""
    if links.may_open(target):
        LinkQuestion(target, parent, opener).show()
