# SPDX-License-Identifier: Apache-2.0
"""The answers to a question: buttons, a list, a field. One builder for each kind (look.md)."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QWidget,
)

from tenuto.text import one_line, visible
from tenuto_gui.i18n import translate
from tenuto_gui.runs import protocol, questions
from tenuto_gui.runs.pieces import Ground, RoleLabel, button, calling, clear
from tenuto_gui.runs.questions import CallFacts
from tenuto_gui.theme import Theme

#: A reason is a sentence, not a document.
_MAX_REASON = 500
#: What is typed as an answer goes to the model.
_MAX_INPUT = 20_000
#: More options than this stand in a list.
MOST_BUTTONS = 5
_OPTION_CHARS = 120
_LIST_LINES = 6
_LEAST_EFFECT = 120

#: What an answer holds: a decision, or the value of a question asked in words.
Answer = dict[str, object]


class AnswerField(QLineEdit):
    """Enter sends nothing: an answer is given by its button (look.md, "Decision panels")."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hints: tuple[str, ...] = ()

    def set_hints(self, *hints: str) -> None:
        """What the empty field says, in the longest of these words that it has room for."""
        self._hints = hints
        self._choose_hint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._choose_hint()

    def _choose_hint(self) -> None:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_LineEditContents
        margins = self.textMargins()
        room = self.style().subElementRect(part, option, self).width()
        # Qt keeps two pixels free on each side of a line edit's text.
        room -= margins.left() + margins.right() + 4
        fits = (h for h in self._hints if self.fontMetrics().horizontalAdvance(h) <= room)
        if self._hints:
            self.setPlaceholderText(next(fits, self._hints[-1]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.accept()
            return
        super().keyPressEvent(event)


class AnswerList(QListWidget):
    """Options in a list; Enter on one does nothing either."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            event.accept()
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        line = max(self.sizeHintForRow(0), self.fontMetrics().height())
        return QSize(super().sizeHint().width(), line * min(self.count(), _LIST_LINES) + 4)


class Answers(Ground):
    """Fills itself for a question; what is chosen comes out as `given`."""

    #: An `Answer`.
    given = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "window", parent)
        self.top_line = ("line", 1)
        #: Buttons that run a command: they wait until all of it was seen.
        self.running: list[QPushButton] = []
        #: What each answer does, in words that are never cut.
        self._effects: list[QLabel] = []
        #: Where half an answer can be: a field, a list.
        self._typing: AnswerField | None = None
        self._choosing: AnswerList | None = None
        px = theme.fonts.px
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(px(16), px(10), px(12), px(10))
        self._grid.setHorizontalSpacing(px(8))
        self._grid.setVerticalSpacing(px(10))

    def clear(self) -> None:
        """No question, no answers."""
        clear(self._grid)
        self.running = []
        self._effects = []
        self._typing = None
        self._choosing = None

    def take_focus(self) -> None:
        """The first thing that answers has the keyboard."""
        first = next((each for each in self._fields() if each.isEnabled()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def draft(self) -> str:
        """What is typed or chosen and not sent: the text of the field, the row of the list."""
        if self._typing is not None:
            return self._typing.text()
        return str(self._choosing.currentRow()) if self._choosing is not None else ""

    def restore(self, draft: str) -> None:
        """Go on with the `draft` of this very question."""
        if self._typing is not None:
            self._typing.setText(draft)
        elif self._choosing is not None:
            self._choosing.setCurrentRow(int(draft))

    def follow(self, before: QWidget) -> None:
        """Let Tab come here from ``before``, and go on as it is read: new widgets are put last."""
        for each in self._fields():
            QWidget.setTabOrder(before, each)
            before = each

    def _fields(self) -> list[QWidget]:
        """What takes the focus, in the order in which it is read."""
        items = (self._grid.itemAt(place) for place in range(self._grid.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [each for each in widgets if each and each.focusPolicy() & Qt.FocusPolicy.TabFocus]

    def fill(self, ask: protocol.Ask, facts: CallFacts | None) -> None:
        """The answers to another question."""
        self.clear()
        # Columns of the last question's answers must not push these.
        for index in range(6):
            self._grid.setColumnStretch(index, 0)
        match ask.kind:
            case "outcome":
                self._outcome(ask, facts)
            case "approve":
                self._approve()
            case "confirm":
                self._confirm()
            case "select" if ask.options:
                self._select(ask)
            case "select" | "input":
                self._input(ask)
            case _:
                label = RoleLabel(self._theme, "body", "text2", self)
                label.setText(
                    translate(
                        "Runs", "Answer it in the terminal, or suspend the run and go on there."
                    )
                )
                self._grid.addWidget(label, 0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_whole()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keep_whole()

    def _keep_whole(self) -> None:
        """A layout squeezes lines that wrap; these need the height that their width asks for."""
        margins = self._grid.contentsMargins()
        room = self.width() - margins.left() - margins.right() - self._grid.horizontalSpacing()
        buttons = self.findChildren(QPushButton)
        room -= max((max(b.minimumWidth(), b.sizeHint().width()) for b in buttons), default=0)
        if room < self._theme.fonts.px(_LEAST_EFFECT):
            return  # not laid out yet
        for label in self._effects:
            label.setMinimumHeight(label.heightForWidth(room))

    # --- kinds -----------------------------------------------------------------------------------

    def _approve(self) -> None:
        theme = self._theme
        once = button(theme, translate("Runs", "Allow once"), "approveOnce", "play")
        always = button(theme, translate("Runs", "Allow for this run"), "approveRun")
        deny = button(theme, translate("Runs", "Deny"), "approveDeny")
        label = translate("Runs", "Reason for the model")
        reason = self._field("denyReason", label, label, _MAX_REASON)
        reason.set_hints(
            translate("Runs", "Reason for the model (optional)"),
            translate("Runs", "Reason (optional)"),
            translate("Runs", "Reason"),
        )
        reason.setMaximumWidth(theme.fonts.px(284))
        self._grid.addWidget(once, 0, 0)
        self._grid.addWidget(always, 0, 1)
        self._grid.setColumnStretch(2, 1)
        self._grid.addWidget(reason, 0, 3)
        self._grid.setColumnStretch(3, 2)
        self._grid.addWidget(deny, 0, 4)
        once.clicked.connect(lambda: self._give(decision="once"))
        always.clicked.connect(lambda: self._give(decision="run"))
        deny.clicked.connect(lambda: self._deny(reason.text()))
        self.running = [once, always]

    def _deny(self, reason: str) -> None:
        if reason.strip():
            self._give(decision="deny", reason=reason.strip())
        else:
            self._give(decision="deny")

    def _outcome(self, ask: protocol.Ask, facts: CallFacts | None) -> None:
        theme = self._theme
        for row, (decision, icon, verb, effect) in enumerate(questions.outcomes(ask, facts)):
            choice = button(theme, verb, f"outcome_{decision}", icon)
            choice.left_aligned = True
            choice.setMinimumSize(theme.fonts.px(224), theme.fonts.px(32))
            choice.setAccessibleDescription(effect)
            choice.clicked.connect(calling(self._decide, decision))
            label = RoleLabel(theme, "body", "text2", self)
            label.setText(effect)
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setContentsMargins(theme.fonts.px(8), 0, 0, 0)
            self._effects.append(label)
            self._grid.addWidget(choice, row, 0)
            self._grid.addWidget(label, row, 1)
            if decision == "run":
                self.running.append(choice)
        self._grid.setColumnStretch(1, 1)
        if self.isVisible():
            self._keep_whole()

    def _confirm(self) -> None:
        theme = self._theme
        yes = button(theme, translate("Runs", "Yes"), "confirmYes", "check")
        no = button(theme, translate("Runs", "No"), "confirmNo", "cross")
        for place, (choice, value) in enumerate(((yes, True), (no, False))):
            choice.setMinimumSize(theme.fonts.px(112), theme.fonts.px(32))
            choice.clicked.connect(lambda _checked=False, given=value: self._give(value=given))
            self._grid.addWidget(choice, 0, place)
        self._grid.setColumnStretch(2, 1)

    def _select(self, ask: protocol.Ask) -> None:
        theme = self._theme
        if len(ask.options) > MOST_BUTTONS:
            self._list(ask)
            return
        for row, option in enumerate(ask.options):
            words = one_line(option, _OPTION_CHARS) or translate("Runs", "(empty)")
            choice = button(theme, words.replace("&", "&&"), f"option_{row}")
            choice.left_aligned = True
            choice.setMinimumSize(theme.fonts.px(224), theme.fonts.px(32))
            choice.setAccessibleName(visible(option))
            choice.clicked.connect(lambda _checked=False, given=option: self._give(value=given))
            self._grid.addWidget(choice, row, 0)
        self._grid.setColumnStretch(1, 1)

    def _list(self, ask: protocol.Ask) -> None:
        theme = self._theme
        found = self._choosing = AnswerList(self)
        found.setObjectName("optionList")
        found.setAccessibleName(translate("Runs", "Options"))
        found.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for option in ask.options:
            found.addItem(one_line(option, _OPTION_CHARS) or translate("Runs", "(empty)"))
        send = button(theme, translate("Runs", "Send"), "answerSend", "check")
        send.setEnabled(False)
        found.itemSelectionChanged.connect(lambda: send.setEnabled(found.currentRow() >= 0))
        send.clicked.connect(lambda: self._give(value=ask.options[found.currentRow()]))
        self._grid.addWidget(found, 0, 0)
        self._grid.addWidget(send, 0, 1, Qt.AlignmentFlag.AlignBottom)
        self._grid.setColumnStretch(0, 1)

    def _input(self, ask: protocol.Ask) -> None:
        theme = self._theme
        words = translate("Runs", "Answer")
        field = self._field("answerField", words, words, _MAX_INPUT)
        field.setText(visible(ask.default or ""))
        send = button(theme, translate("Runs", "Send"), "answerSend", "check")
        send.clicked.connect(lambda: self._give(value=self._typed(field.text(), ask)))
        self._grid.addWidget(field, 0, 0)
        self._grid.addWidget(send, 0, 1)
        self._grid.setColumnStretch(0, 1)

    @staticmethod
    def _typed(text: str, ask: protocol.Ask) -> str:
        """What was typed; the default as it was given where nobody changed it."""
        default = ask.default or ""
        return default if text == visible(default) else text

    # --- pieces ----------------------------------------------------------------------------------

    def _field(self, name: str, hint: str, label: str, most: int) -> AnswerField:
        px = self._theme.fonts.px
        field = self._typing = AnswerField(self)
        field.setObjectName(name)
        field.setMaxLength(most)
        field.setPlaceholderText(hint)
        field.setAccessibleName(label)
        field.setMinimumHeight(px(28))
        field.setTextMargins(px(4), 0, px(4), 0)
        # Only a click or Tab goes there: what is typed elsewhere must not end up in an answer.
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return field

    def _decide(self, decision: str) -> None:
        self._give(decision=decision)

    def _give(self, **answer: object) -> None:
        self.given.emit(answer)
