# SPDX-License-Identifier: Apache-2.0
"""Where list and detail are pages, a run that waits is named above both."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from tenuto_gui import icons
from tenuto_gui.plain import shows_focus
from tenuto_gui.sessions.model import SessionModel
from tenuto_gui.theme import Theme

_CENTRE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class WaitingBar(QAbstractButton):
    """Clicking it opens the session that waits longest."""

    asked_for = Signal(str)

    def __init__(self, sessions: SessionModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("waitingBar")
        self._sessions = sessions
        self._theme = theme
        self._narrow = False
        self._shown = ""
        self.session_id = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: self.asked_for.emit(self.session_id))
        sessions.counts_changed.connect(self.refresh)
        theme.changed.connect(self.updateGeometry)
        self.hide()

    def set_narrow(self, narrow: bool) -> None:
        """Whether list and detail are pages."""
        self._narrow = narrow
        self.refresh()

    def set_shown(self, session_id: str) -> None:
        """The session on the page that is shown, "" for the list."""
        self._shown = session_id
        self.refresh()

    def refresh(self) -> None:
        """Name the session, or hide where there is none, or where it is on show."""
        if not self._narrow:
            self.hide()
            return
        waiting = self._sessions.with_status("waiting")
        others = [summary for summary in waiting if summary.id != self._shown]
        self.session_id = min(others, key=lambda s: s.mtime_ns).id if others else ""
        if not others:
            self.hide()
            return
        summary = self._sessions.summary(self.session_id)
        name = (summary.title if summary else "") or self.session_id
        if len(others) == 1:
            self.setText(self.tr("\u201c{name}\u201d waits for you").format(name=name))
        else:
            self.setText(self.tr("%n session(s) wait for you", None, len(others)))
        self.setAccessibleName(self.text())
        self.show()
        self.update()

    def sizeHint(self) -> QSize:
        fonts = self._theme.fonts
        return QSize(fonts.px(200), max(fonts.px(32), fonts.line_height("body") + fonts.px(12)))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, fonts, px = self._theme, self._theme.fonts, self._theme.fonts.px
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("wait_tint"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        size = px(16)
        mark = icons.mark(theme, "waiting", size, self.devicePixelRatioF())
        painter.drawPixmap(px(12), (self.height() - size) // 2, mark)
        painter.setFont(fonts.font("demi"))
        painter.setPen(theme.color("wait"))
        room = self.rect().adjusted(px(36), 0, -px(28), 0)
        metrics = QFontMetricsF(fonts.font("demi"))
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _CENTRE, text)
        arrow = icons.pixmap(theme, "chevron-right", "wait", size, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - px(24), (self.height() - size) // 2, arrow)
        if shows_focus(self):
            painter.setPen(theme.color("focus"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -2))
        painter.end()
