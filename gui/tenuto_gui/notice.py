# SPDX-License-Identifier: Apache-2.0
"""The one calm place for what went wrong or can be taken back (look.md, "Notice bar")."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tenuto_gui import icons
from tenuto_gui.named import NamedLabel
from tenuto_gui.plain import plain_tip
from tenuto_gui.style import PRIMARY
from tenuto_gui.theme import Theme

if TYPE_CHECKING:
    from tenuto_gui.notice_details import Details

Kind = Literal["info", "changed", "differs", "wait", "limit", "unknown", "failed", "damaged"]

#: kind -> (tint, icon, or mark prefixed with a colon, token of the icon)
_LOOK: dict[str, tuple[str, str, str]] = {
    "info": ("band", "info", "text2"),
    "changed": ("chg_bg", "lock", "chg"),
    "differs": ("chg_bg", "not-equal", "chg"),
    "wait": ("wait_tint", ":waiting", "wait"),
    "limit": ("band", ":budget", "limit"),
    "unknown": ("intr_tint", ":unknown", "intr"),
    "failed": ("fail_tint", ":failed", "fail"),
    "damaged": ("damg_tint", ":damaged", "damg"),
}
_FADE_MS = 120


class Button(msgspec.Struct, frozen=True):
    """A button of a notice: a verb, and what it does. A filled one is the one that helps."""

    text: str
    action: Callable[[], None]
    primary: bool = False
    name: str = ""


class Notice(msgspec.Struct, frozen=True):
    """What happened, one more sentence, and at most two ways on. ``key`` names it for `retract`.

    ``details``: what a fold below it shows, word for word (`report`); "" for no fold.
    """

    kind: Kind
    title: str
    text: str = ""
    buttons: tuple[Button, ...] = ()
    key: str = ""
    details: str = ""


class NoticeBar(QFrame):
    """Shows one notice at a time; a new one takes the place of the last.

    What is in it is made for the first notice: the window stands before there is one.
    """

    def __init__(self, theme: Theme, *, fades: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._theme = theme
        self._fades = fades
        self.notice: Notice | None = None
        self._details: Details | None = None
        self.hide()

    @property
    def details(self) -> Details:
        """The fold of the notice that is shown."""
        if self._details is None:
            self._details = self._fill()
        return self._details

    def _fill(self) -> Details:
        from tenuto_gui.notice_details import Details

        theme = self._theme
        px = theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(8), px(12), px(8))
        column.setSpacing(px(6))
        row = QHBoxLayout()
        row.setSpacing(px(8))
        column.addLayout(row)
        self._icon = QLabel(self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        words = QVBoxLayout()
        words.setSpacing(px(2))
        self._title = NamedLabel(parent=self)
        self._text = NamedLabel(parent=self)
        for label in (self._title, self._text):
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            words.addWidget(label)
        details = Details(theme, self)
        words.addLayout(details.fold_row)
        row.addWidget(self._icon)
        row.addLayout(words, 1)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(px(8))
        row.addSpacing(px(4))
        row.addLayout(self._buttons)
        self._close = QToolButton(self)
        self._close.setAutoRaise(True)
        self._close.setAccessibleName(self.tr("Close this notice"))
        self._close.setToolTip(plain_tip(self.tr("Close this notice")))
        self._close.clicked.connect(self.clear)
        row.addWidget(self._close, 0, Qt.AlignmentFlag.AlignVCenter)
        column.addWidget(details)
        theme.changed.connect(self._on_theme)
        self._on_theme()
        return details

    def set_fades(self, fades: bool) -> None:
        """Whether a notice fades in."""
        self._fades = fades

    def show_notice(self, notice: Notice) -> None:
        """Put a notice into the bar."""
        from tenuto_gui.transcript.accessible import announce

        details = self.details
        self.notice = notice
        self._title.setText(notice.title)
        self._text.setText(notice.text)
        self._text.setVisible(bool(notice.text))
        self.setAccessibleName(f"{notice.title} {notice.text}".strip())
        details.set_text(notice.details)
        while (item := self._buttons.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for button in notice.buttons[:2]:
            made = QPushButton(button.text, self)
            made.setObjectName(button.name)
            made.setAutoDefault(False)
            made.setProperty(PRIMARY, button.primary)
            made.clicked.connect(button.action)
            self._buttons.addWidget(made, 0, Qt.AlignmentFlag.AlignVCenter)
            # A new widget is the last of its window to Tab; these come where they are seen.
            before = details.fold.previousInFocusChain()
            if before is not None:
                self.setTabOrder(before, made)
        self._on_theme()
        appearing = self.isHidden()
        self.show()
        if appearing and self._fades and self._animates():
            self._fade_in()
        announce(self, self.accessibleName())

    def in_tab_order(self) -> list[QWidget]:
        """What Tab comes to in it, besides the buttons of a notice, which come first."""
        details = self.details
        return [details.fold, details.text, details.copy, self._close]

    def retract(self, key: str) -> None:
        """Take back the notice of this key, if it is the one shown."""
        if self.notice is not None and self.notice.key == key:
            self.clear()

    def clear(self) -> None:
        self.notice = None
        self.hide()

    # --- look ----------------------------------------------------------------------------------

    def _animates(self) -> bool:
        hint = QStyle.StyleHint.SH_Widget_Animation_Duration
        return self.style().styleHint(hint, None, self) > 0

    def _fade_in(self) -> None:
        from PySide6.QtCore import QPropertyAnimation
        from PySide6.QtWidgets import QGraphicsOpacityEffect

        effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(effect)
        fade = QPropertyAnimation(effect, b"opacity", self)
        fade.setDuration(_FADE_MS)
        fade.setStartValue(0.0)
        fade.setEndValue(1.0)
        fade.finished.connect(self._end_fade)
        fade.start(QPropertyAnimation.DeletionPolicy.DeleteWhenStopped)

    def _end_fade(self) -> None:
        # An effect makes every repaint of its widget go through a pixmap.
        self.setGraphicsEffect(None)  # type: ignore[arg-type]  # the stubs forget None

    def _on_theme(self) -> None:
        theme = self._theme
        self._title.setFont(theme.fonts.font("bold"))
        self._text.setFont(theme.fonts.font("body"))
        size = theme.fonts.px(16)
        ratio = self.devicePixelRatioF()
        self._close.setIcon(icons.icon(theme, "cross", "text2", size))
        self._close.setIconSize(QSize(size, size))
        # An icon stands on the axis of the marks.
        self._icon.setFixedWidth(theme.fonts.px(20))
        if self.notice is not None:
            _tint, name, token = _LOOK[self.notice.kind]
            if name.startswith(":"):
                self._icon.setPixmap(icons.mark(theme, name[1:], theme.fonts.px(20), ratio))
            else:
                self._icon.setPixmap(icons.pixmap(theme, name, token, size, ratio))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        tint = _LOOK[self.notice.kind][0] if self.notice else "band"
        painter.fillRect(self.rect(), self._theme.color(tint))
        bottom = self.rect().adjusted(0, self.height() - 1, 0, 0)
        painter.fillRect(bottom, self._theme.color("line"))
        painter.end()
