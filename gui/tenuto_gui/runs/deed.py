# SPDX-License-Identifier: Apache-2.0
"""Panels for what an operator does to a run that rests: their build, and the two there are.

As the panels of questions they are no dialogs, take no focus, and have no default button (look.md,
"Decision panels").
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tenuto.sources.base import SessionSummary
from tenuto.text import visible
from tenuto_gui import format as figures
from tenuto_gui.context import AppContext
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.runs.approval import DEAD_TIME_MS
from tenuto_gui.runs.chat import PromptField
from tenuto_gui.runs.fact_list import FactList
from tenuto_gui.runs.force_facts import Fact
from tenuto_gui.runs.pieces import Ground, MarkLabel, PanelButton, RoleLabel, button


class DeedPanel(QWidget):
    """A header, a middle, buttons; there while its session is shown, until it is done or left."""

    #: The operator leaves it.
    left = Signal()

    def __init__(
        self, context: AppContext, icon: str, line: str, tint: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        theme = self._theme = context.theme
        px = theme.fonts.px
        self.session_id = ""
        self._shown_id = ""
        self._age = QElapsedTimer()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        header = self.header = Ground(theme, tint, self)
        header.top_line = (line, 2)
        row = QHBoxLayout(header)
        row.setContentsMargins(px(16), px(10), px(16), px(8))
        row.setSpacing(px(8))
        mark = MarkLabel(theme, header)
        mark.set_icon(icon, "text")
        mark.share_axis()
        self.title = RoleLabel(theme, "title", "text", header)
        self.sub = RoleLabel(theme, "body", "text2", header)
        self.sub.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(mark)
        row.addWidget(self.title)
        row.addWidget(self.sub, 1)
        self.column.addWidget(header)
        self._foot = Ground(theme, "window", self)
        self._foot.top_line = ("line", 1)
        self.buttons = QHBoxLayout(self._foot)
        self.buttons.setContentsMargins(px(16), px(10), px(12), px(10))
        self.buttons.setSpacing(px(8))
        self.hide()

    def finish_layout(self, deed: PanelButton, leave: PanelButton) -> None:
        """The deed at the left, the way out far from it."""
        leave.clicked.connect(self.leave)
        self.buttons.addWidget(deed)
        self.buttons.addStretch(1)
        self.buttons.addWidget(leave)
        self.column.addWidget(self._foot)

    def open_for(self, session_id: str) -> None:
        """It is about this session from now on."""
        self.session_id = session_id
        self._show()

    def set_session(self, summary: SessionSummary | None) -> None:
        """Follow the session that is shown."""
        self._shown_id = summary.id if summary is not None else ""
        self._show()

    def leave(self) -> None:
        """Nothing is done."""
        self.close_for(self.session_id)
        self.left.emit()

    def close_for(self, session_id: str) -> None:
        """It is of no use for this session any more."""
        if session_id == self.session_id:
            self.session_id = ""
            self._show()

    def _show(self) -> None:
        shown = bool(self.session_id) and self.session_id == self._shown_id
        if shown and self.isHidden():
            self._age.start()
        self.setVisible(shown)

    @property
    def is_ripe(self) -> bool:
        """Whether a click may mean it: one that was on its way when it opened does not."""
        return self._age.isValid() and self._age.elapsed() >= DEAD_TIME_MS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)


class ForcePanel(DeedPanel):
    """Going on under a changed configuration: what that means, and the deed in words."""

    #: session id, configuration
    confirmed = Signal(str, str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, "bolt", "chg", "chg_bg", parent)
        self.setObjectName("forcePanel")
        self.sub.set_role("mono_small")
        self.config = ""
        self.list = FactList(context.theme, self)
        self.column.addWidget(self.list)
        self._around: QWidget | None = None
        self.confirm = button(
            context.theme,
            translate("force", "Continue with today\u2019s configuration"),
            "confirmForce",
            "bolt",
        )
        self.confirm.clicked.connect(self._on_confirm)
        self.finish_layout(
            self.confirm, button(context.theme, translate("force", "Leave it"), "leaveForce")
        )

    def ask(self, session_id: str, config: str) -> None:
        """Begin; the deed waits for `set_facts`."""
        self.config = config
        self.title.setText(translate("force", "Continue under a changed configuration?"))
        path = visible(figures.home_path(config))
        self.sub.setText(path)
        self.sub.setToolTip(plain_tip(config))
        self.confirm.setEnabled(False)
        reading = translate("force", "Comparing, and looking which tools the run has called\u2026")
        self.list.set_facts([Fact("clock", "text2", reading)])
        self.open_for(session_id)

    def set_facts(self, facts: Sequence[Fact], why_not: str = "") -> None:
        """What it means; ``why_not`` says why it cannot be done."""
        self.list.set_facts(facts)
        self.confirm.setEnabled(not why_not)
        self.confirm.setToolTip(plain_tip(why_not))
        words = " ".join(f"{fact.mono} {fact.text}." for fact in facts)
        self.setAccessibleName(f"{self.title.text()} {words}")
        # What is to be read begins now.
        self._age.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        around = self.parentWidget()
        if around is not self._around and around is not None:
            self._around = around
            around.installEventFilter(self)
        self._give_room()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._around and self.isVisible():
            self._give_room()
        return super().eventFilter(watched, event)

    def _give_room(self) -> None:
        """At most 60 % of the height is the panel's (look.md); its header and buttons stay."""
        if self._around is not None:
            rest = self.header.sizeHint().height() + self._foot.sizeHint().height()
            self.list.set_room(self._around.height() * 6 // 10 - rest)

    def _on_confirm(self) -> None:
        if self.is_ripe:
            session_id = self.session_id
            self.close_for(session_id)
            self.confirmed.emit(session_id, self.config)


class SayPanel(DeedPanel):
    """Words of the operator with which a run goes on."""

    #: session id, what was typed
    said = Signal(str, str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, "prompt", "accent", "band", parent)
        self.setObjectName("sayPanel")
        #: Whose words the field holds: a resume that is refused for another reason loses none.
        self._words_of = ""
        theme = context.theme
        middle = _FieldGround(theme, "base", self)
        row = QHBoxLayout(middle)
        row.setContentsMargins(theme.fonts.px(18), theme.fonts.px(10), theme.fonts.px(14), 12)
        self.field = PromptField(theme, middle)
        self.field.setObjectName("sayField")
        self.field.setPlaceholderText(translate("say", "Your words to the model\u2026"))
        self.field.setAccessibleName(translate("say", "Message"))
        self.field.sent.connect(self._on_sent)
        self.field.textChanged.connect(self._refresh)
        middle.field = self.field
        row.addWidget(self.field)
        self.column.addWidget(middle)
        self.send = button(theme, translate("say", "Resume with these words"), "sayResume", "play")
        self.send.clicked.connect(lambda: self._on_sent(self.field.toPlainText().strip()))
        self.finish_layout(self.send, button(theme, translate("force", "Leave it"), "leaveSay"))
        self._refresh()

    def ask(self, session_id: str, why: str) -> None:
        """Open for a session; ``why`` words are wanted, or what becomes of them."""
        if session_id != self._words_of:
            self.field.clear()
            self._words_of = session_id
        self.title.setText(translate("say", "What comes next?"))
        self.sub.setText(why)
        self.sub.setToolTip(plain_tip(why))
        self.setAccessibleName(f"{self.title.text()} {why}")
        self.open_for(session_id)
        if self.isVisible():
            self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def forget(self, session_id: str) -> None:
        """The words arrived, or are not wanted any more."""
        self.close_for(session_id)
        if session_id == self._words_of:
            self.field.clear()

    def _refresh(self) -> None:
        empty = not self.field.toPlainText().strip()
        self.send.setEnabled(not empty)
        self.send.setToolTip(plain_tip(translate("say", "Type a message first") if empty else ""))

    def _on_sent(self, text: str) -> None:
        if text:
            session_id = self.session_id
            self.close_for(session_id)
            self.said.emit(session_id, text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
            return
        super().keyPressEvent(event)


class _FieldGround(Ground):
    """Draws the frame that its field has none of."""

    field: PromptField | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.field is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.field.hasFocus()
        token = "focus" if focused else "edge"
        painter.setPen(QPen(self._theme.color(token), 2 if focused else 1))
        painter.drawRoundedRect(self.field.geometry().adjusted(-5, -3, 5, 3), 5, 5)
        painter.end()
