# SPDX-License-Identifier: Apache-2.0
"""The bottom line: how many sessions are shown, of how many, from where, and what is not shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from tenuto.sources.base import Skipped
from tenuto_gui import format as fmt
from tenuto_gui.plain import ink, plain_label, plain_tip
from tenuto_gui.sessions.model import SessionModel
from tenuto_gui.skipped import line
from tenuto_gui.theme import Theme

#: So many names of skipped files fit a tooltip; the rest is counted.
_NAMED = 20


class CutLabel(QLabel):
    """One line that gives way where there is no room for it; its tooltip has the whole."""

    def __init__(self, cut: Qt.TextElideMode, parent: QWidget) -> None:
        super().__init__(parent)
        self._cut = cut
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        room = self.contentsRect()
        place = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), self._cut, room.width())
        painter.drawText(room, int(place), text)
        painter.end()


class StatusLine(QWidget):
    """Follows the session model; the window tells it the folder and what was skipped."""

    #: What is not shown, one line each with its reason, is asked for.
    skipped_asked = Signal(str)

    def __init__(self, sessions: SessionModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sessions = sessions
        self._theme = theme
        self._skipped: Sequence[Skipped] = ()
        self._pending = 0
        self._strip: QWidget | None = None
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(theme.fonts.px(12), 0, theme.fonts.px(12), 0)
        row.setSpacing(theme.fonts.px(4))
        self.counts = self._label("statusCounts")
        self.path = CutLabel(Qt.TextElideMode.ElideMiddle, self)
        self.path.setObjectName("statusPath")
        self.more = self._label("statusMoreFolders")
        self.hidden = QToolButton(self)
        self.hidden.setObjectName("statusSkipped")
        self.hidden.setAutoRaise(True)
        self.hidden.clicked.connect(self._on_skipped)
        self.notice = CutLabel(Qt.TextElideMode.ElideRight, self)
        self.notice.setObjectName("statusNotice")
        self.states = self._label("statusStates")
        self.previews = self._label("statusPending")
        row.addWidget(self.counts)
        row.addWidget(self.path)
        row.addWidget(self.more)
        row.addStretch(1)
        for label in (self.notice, self.states, self.previews):
            label.setContentsMargins(theme.fonts.px(12), 0, 0, 0)
        for each in (self.more, self.notice, self.hidden, self.states, self.previews):
            each.hide()
        for each in (self.notice, self.hidden, self.states, self.previews):
            row.addWidget(each)
        sessions.shown_changed.connect(self.refresh)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _label(self, name: str) -> QLabel:
        label = plain_label(parent=self)
        label.setObjectName(name)
        return label

    def set_folder(self, path: str) -> None:
        self.path.setText(fmt.home_path(path))
        self.path.setToolTip(plain_tip(path))

    def set_more_folders(self, folders: Sequence[str]) -> None:
        """Folders that are watched besides that one."""
        text = self.tr("and %n more folder(s)", None, len(folders)) if folders else ""
        _say(self.more, text)
        self.more.setToolTip(plain_tip("\n".join(map(fmt.home_path, folders))))

    def set_skipped(self, skipped: Sequence[Skipped]) -> None:
        """Entries of the folder that are no sessions, each with its reason."""
        self._skipped = skipped
        _say(
            self.hidden,
            self.tr("%n file(s) not shown", None, len(skipped)) if skipped else "",
        )
        lines = self._reasons(skipped[:_NAMED])
        if len(skipped) > _NAMED:
            lines.append(self.tr("and %n more", None, len(skipped) - _NAMED))
        self.hidden.setToolTip(plain_tip("\n".join(lines)))
        self.refresh()

    @staticmethod
    def _reasons(skipped: Sequence[Skipped]) -> list[str]:
        return [line(each) for each in skipped]

    def _on_skipped(self) -> None:
        self.skipped_asked.emit("\n".join(self._reasons(self._skipped)))

    def set_pending(self, count: int) -> None:
        """Previews still to be built."""
        self._pending = count
        _say(self.previews, self.tr("%n preview(s) pending", None, count) if count else "")

    def set_notice(self, text: str) -> None:
        """A lasting word on the folder or on how it is watched; "" takes it away."""
        _say(self.notice, text)
        self.notice.setToolTip(plain_tip(text))

    def take_strip(self, strip: QWidget | None) -> None:
        """Hold the run strip at the right end, where the window is short; None gives it back."""
        self._strip = strip
        if strip is not None:
            self._row.addWidget(strip)
        self._on_theme()

    def refresh(self) -> None:
        total, shown = self._sessions.total, self._sessions.shown_count
        if total == 0:
            text = self.tr("No sessions")
        else:
            text = self.tr("{shown} of %n session(s)", None, total).format(shown=fmt.exact(shown))
        hidden = total - shown
        why = self.tr("%n hidden by the filter", None, hidden) if hidden else ""
        text = f" {fmt.DOT} ".join(part for part in (text, why) if part)
        self.counts.setText(self.tr("{count} {dot} watching").format(count=text, dot=fmt.DOT))
        facets = self._sessions.facet_counts()
        parts = []
        if facets["running"]:
            parts.append(self.tr("%n running", None, facets["running"]))
        if facets["waiting"]:
            parts.append(self.tr("%n waiting", None, facets["waiting"]))
        _say(self.states, f" {fmt.DOT} ".join(parts))

    def _on_theme(self) -> None:
        fonts = self._theme.fonts
        height = max(fonts.px(26), fonts.line_height("small") + fonts.px(8))
        if self._strip is None:
            self.setFixedHeight(height)
        else:
            self.setMinimumHeight(height)
            self.setMaximumHeight(max(height, self._strip.sizeHint().height()))
        texts = (
            self.counts, self.more, self.hidden, self.notice, self.states, self.previews,
        )  # fmt: skip
        for label in texts:
            label.setFont(fonts.font("small"))
        self.path.setFont(fonts.font("mono_small"))
        for label in (*texts, self.path):
            ink(label, self._theme.color("text2"))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("window"))
        painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
        painter.end()


def _say(label: QLabel | QToolButton, text: str) -> None:
    """A label without words takes no room."""
    label.setText(text)
    label.setVisible(bool(text))
