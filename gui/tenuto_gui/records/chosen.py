# SPDX-License-Identifier: Apache-2.0
"""Below the table: the chosen line, where it is in the file, and how much of it is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tenuto.sources.raw import Row
from tenuto_gui import format as figures
from tenuto_gui.i18n import translate
from tenuto_gui.records import words
from tenuto_gui.records.page import MOST, Page
from tenuto_gui.records.pane import RecordText
from tenuto_gui.records.steps import FlatButton
from tenuto_gui.runs.pieces import Ground, RoleLabel, button
from tenuto_gui.theme import Theme


class ChosenLine(Ground):
    """A heading, the text, and a way to more of it."""

    copy_wanted = Signal()
    all_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "well", parent)
        px = theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(px(16), px(4), px(12), px(2))
        head.setSpacing(px(8))
        self._title = RoleLabel(theme, "small_demi", "text", self)
        self._place = RoleLabel(theme, "small", "text2", self)
        self._place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.copy_button = FlatButton(
            theme, "copyRecord", translate("Records", "Copy line"), "copy", self
        )
        self.copy_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.copy_button.clicked.connect(self.copy_wanted)
        head.addWidget(self._title)
        head.addWidget(self._place, 1)
        head.addWidget(self.copy_button)
        self.text = RecordText(theme, self)
        foot = QHBoxLayout()
        foot.setContentsMargins(px(16), px(2), px(12), px(4))
        self._more = RoleLabel(theme, "small", "text2", self)
        self._more.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.all_button = button(theme, translate("Records", "Show all"), "showAllOfRecord")
        self.all_button.clicked.connect(self.all_wanted)
        foot.addWidget(self._more, 1)
        foot.addWidget(self.all_button)
        column.addLayout(head)
        column.addWidget(self.text, 1)
        column.addLayout(foot)

    def show_row(self, row: Row, page: Page | None, limit: int) -> None:
        """Which line is chosen; ``page`` may still be that of another one."""
        self._title.setText(words.title(row))
        self._title.set_token("damg" if row.kind in ("damaged", "tail") else "text")
        self._place.setText(words.place(row))
        cut = page is not None and page.row == row and not page.whole
        more = cut and limit < min(row.readable, MOST)
        self._more.setVisible(cut)
        self.all_button.setVisible(more)
        if more:
            text = translate("Records", "The first {part} of {all}")
        else:
            text = translate(
                "Records", "The beginning of {all}: more is not shown, but can be copied"
            )
        whole = figures.size(row.readable)
        self._more.setText(text.format(part=figures.size(min(limit, row.readable)), all=whole))

    def said(self) -> str:
        """What is shown, in words."""
        more = self._more.text() if self._more.isVisible() else ""
        return f"{self._title.text()}\n{self._place.text()}\n{self.text.toPlainText()}\n{more}"
