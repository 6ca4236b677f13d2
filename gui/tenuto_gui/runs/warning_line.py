# SPDX-License-Identifier: Apache-2.0
"""What a worker warns of, on one line above its figures: the last one, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from tenuto.text import one_line, visible
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.runs.pieces import MarkLabel, RoleLabel
from tenuto_gui.theme import Theme

_CHARS = 400
#: Warnings that the tooltip tells.
_TOLD = 12


class WarningLine(QWidget):
    """There only while there is something to warn of."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("warningLine")
        px = theme.fonts.px
        row = QHBoxLayout(self)
        row.setContentsMargins(px(2), 0, 0, px(2))
        row.setSpacing(px(10))
        mark = MarkLabel(theme, self)
        mark.set_icon("warn", "chg")
        self._text = RoleLabel(theme, "body", "text", self)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._more = RoleLabel(theme, "small", "text2", self)
        row.addWidget(mark)
        row.addWidget(self._text, 1)
        row.addWidget(self._more)
        self._shown: tuple[str, ...] = ()
        self.hide()

    def set_warnings(self, warnings: Sequence[str]) -> None:
        """All warnings of a worker, oldest first."""
        if self._shown == (found := tuple(warnings)):
            return
        self._shown = found
        self.setVisible(bool(found))
        if not found:
            return
        self._text.setText(one_line(found[-1], _CHARS))
        more = len(found) - 1
        self._more.setText(translate("Runs", "and %n more", n=more) if more else "")
        told = "\n".join(visible(each, prose=True) for each in reversed(found[-_TOLD:]))
        self.setToolTip(plain_tip(told))
        self.setAccessibleName(told)
