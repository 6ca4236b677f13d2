# SPDX-License-Identifier: Apache-2.0
"""What a comparison comes to, above its table: a verdict, a way on, and why there is none."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tenuto.text import visible
from tenuto_gui import format as figures
from tenuto_gui.diff.words import Said
from tenuto_gui.i18n import translate
from tenuto_gui.named import joined, name_in
from tenuto_gui.notice_details import Details
from tenuto_gui.runs.pieces import Ground, MarkLabel, RoleLabel, button
from tenuto_gui.style import PRIMARY
from tenuto_gui.theme import Theme


class VerdictBar(Ground):
    """Looks like a notice, and stays as long as what it is about."""

    #: The configuration that was offered is to be compared with.
    use_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "band", parent)
        px = theme.fonts.px
        self._said: Said | None = None
        self._offered = ""
        self._back = False
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(8), px(12), px(8))
        column.setSpacing(px(6))
        row = QHBoxLayout()
        row.setSpacing(px(8))
        column.addLayout(row)
        self._icon = MarkLabel(theme, self)
        self._icon.share_axis()
        words = QVBoxLayout()
        words.setSpacing(px(2))
        self._title = RoleLabel(theme, "demi", "text", self)
        self._text = RoleLabel(theme, "body", "text", self)
        for label in (self._title, self._text):
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            words.addWidget(label)
        self.details = Details(theme, self)
        words.addLayout(self.details.fold_row)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        self.use_button = button(theme, translate("Configuration", "Use that one"), "useMatching")
        self.use_button.setProperty(PRIMARY, True)
        self.use_button.clicked.connect(lambda: self.use_asked.emit(self._offered))
        row.addWidget(self.use_button, 0, Qt.AlignmentFlag.AlignVCenter)
        column.addWidget(self.details)
        self.say(None)

    def say(self, said: Said | None, details: str = "") -> None:
        """Say this, or nothing. ``details``: a report, for who asks for it."""
        self._said, self._offered, self._back = said, "", False
        self.setVisible(said is not None)
        self.details.set_text(details)
        self._refresh()

    def offer(self, config: str, *, back: bool = False) -> None:
        """Add to a verdict that another configuration is the one; ``back``: it was shown before."""
        self._offered, self._back = config, back
        self._refresh()

    @property
    def offered(self) -> str:
        """The configuration that is offered, "" for none."""
        return self._offered

    def _refresh(self) -> None:
        said = self._said
        self.use_button.setVisible(bool(self._offered))
        words = translate("Configuration", "Use that one")
        if self._back:
            file = visible(os.path.basename(self._offered)).replace("&", "&&")
            words = translate("Configuration", "Back to {file}").format(file=file)
        self.use_button.setText(words)
        self.use_button.setProperty(PRIMARY, not self._back)
        if said is None:
            return
        text = said.text
        if self._offered and not self._back:
            matches = translate("Configuration", "{path} matches.")
            path = visible(figures.home_path(self._offered))
            text = joined([text, name_in(matches, "path", path)])
        self._icon.set_icon(said.icon, said.token)
        self.token = said.tint
        self.update()
        self._title.setText(said.title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self.setAccessibleName(f"{said.title} {text}".strip())
