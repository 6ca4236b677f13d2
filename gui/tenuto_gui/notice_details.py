# SPDX-License-Identifier: Apache-2.0
"""The fold of a notice: what exactly went wrong, to be read, selected and copied."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QToolButton, QWidget

from tenuto_gui import icons
from tenuto_gui.theme import Theme

#: Lines that are shown at once, and the share of the window they may take.
_MOST_LINES = 12
_LEAST_LINES = 3
_MOST_SHARE = 0.3


class _Text(QPlainTextEdit):
    """Read-only text. Tab leaves it; Esc closes the fold it is in."""

    def __init__(self, details: Details) -> None:
        super().__init__(details)
        self._details = details
        self.setObjectName("noticeReport")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._details.fold.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._details.fold.setChecked(False)
            return
        super().keyPressEvent(event)


class Details(QWidget):
    """Closed for each new notice; there is no fold where there is nothing to tell."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        px = theme.fonts.px
        #: What opens it; stands under the words of the notice.
        self.fold = QToolButton(parent)
        self.fold.setObjectName("noticeDetails")
        self.fold.setText(self.tr("Details"))
        self.fold.setCheckable(True)
        self.fold.setAutoRaise(True)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.toggled.connect(self._on_toggled)
        #: The fold with its arrow below the first letter of the words above.
        self.fold_row = QHBoxLayout()
        self.fold_row.setContentsMargins(-px(8), 0, 0, 0)
        self.fold_row.addWidget(self.fold)
        self.fold_row.addStretch(1)
        self.text = _Text(self)
        self.text.setAccessibleName(self.tr("Report"))
        self.copy = QPushButton(self.tr("Copy report"), self)
        self.copy.setObjectName("noticeCopyReport")
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(8))
        row.addWidget(self.text, 1)
        row.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._on_theme)
        parent.window().installEventFilter(self)
        self._on_theme()
        self.set_text("")

    def set_text(self, text: str) -> None:
        """The details of the notice that is shown."""
        self.text.setPlainText(text)
        self.fold.setChecked(False)
        self.fold.setVisible(bool(text))
        self.hide()

    def _on_toggled(self, opened: bool) -> None:
        self._on_theme()
        self._fit()
        self.setVisible(opened)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._fit()
        return False

    def _fit(self) -> None:
        """As high as its lines, within what the window can spare."""
        line = self.text.fontMetrics().lineSpacing()
        spare = int(self.window().height() * _MOST_SHARE / line)
        most = max(_LEAST_LINES, min(_MOST_LINES, spare))
        lines = min(most, self.text.blockCount())
        frame = 2 * (self.text.frameWidth() + round(self.text.document().documentMargin()))
        bar = self.text.horizontalScrollBar().sizeHint().height()
        self.text.setFixedHeight(lines * line + frame + bar)

    def _on_theme(self) -> None:
        size = self._theme.fonts.px(12)
        name = "chevron-down" if self.fold.isChecked() else "chevron-right"
        self.fold.setIcon(icons.icon(self._theme, name, "text2", size))
        self.fold.setIconSize(QSize(size, size))
        self.text.setFont(self._theme.fonts.font("mono_small"))
        if self.fold.isChecked():
            self._fit()
