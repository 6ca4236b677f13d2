# SPDX-License-Identifier: Apache-2.0
"""The bar above a damaged journal: what is wrong, what can be rescued, and the rescue.

Looking and repairing are the command line's: ``tenuto session doctor ID [--repair] --json``.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from tenuto.sources.pretty import Examined, examined
from tenuto.sources.raw import Row
from tenuto.text import visible
from tenuto_gui.command import CommandRunner, Outcome
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import damage_words, told_words
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.records import words
from tenuto_gui.refusals import nothing_changed
from tenuto_gui.runs.pieces import Ground, MarkLabel, RoleLabel, button
from tenuto_gui.style import PRIMARY

#: Below this width, in pixels at 10 pt, the buttons stand below the words.
_NARROW = 560


class RepairBar(Ground):
    """Hidden while nothing is wrong. A repair is told before it is done, and after."""

    #: The doctor answered: ``doctor`` is what it said.
    examined = Signal()
    #: The journal was changed: the run's id.
    repaired = Signal(str)

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context.theme, "damg_tint", parent)
        self.setObjectName("repairBar")
        self.commands = CommandRunner(context, self)
        self._id = ""
        self._journal = True
        self._live = False
        self._rows: list[Row] = []
        self._count = 0
        self._answer: object = None
        self.doctor: Examined | None = None
        self._asked_for: tuple[object, ...] = ()
        self._asking = False
        self._busy = False
        self._done = ""
        self._build()
        self.hide()

    def _build(self) -> None:
        theme = self._theme
        px = theme.fonts.px
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._sides.setContentsMargins(px(16), px(8), px(12), px(8))
        self._sides.setSpacing(px(8))
        row = QHBoxLayout()
        row.setSpacing(px(8))
        self._sides.addLayout(row, 1)
        self._mark = MarkLabel(theme, self)
        texts = QVBoxLayout()
        texts.setSpacing(px(2))
        self._title = RoleLabel(theme, "bold", "text", self)
        self._text = RoleLabel(theme, "body", "text", self)
        for label in (self._title, self._text):
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            texts.addWidget(label)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        tr = translate
        self.copy_button = button(theme, tr("Records", "Copy report"), "copyDoctorReport")
        self.cancel_button = button(theme, tr("Records", "Cancel"), "cancelRepair")
        self.repair_button = button(theme, tr("Records", "Repair\u2026"), "repairJournal")
        self.copy_button.clicked.connect(self._copy)
        self.cancel_button.clicked.connect(self._cancel)
        self.repair_button.clicked.connect(self._on_repair)
        buttons = QHBoxLayout()
        buttons.setSpacing(px(8))
        buttons.addStretch(1)
        for each in (self.copy_button, self.cancel_button, self.repair_button):
            buttons.addWidget(each, 0, Qt.AlignmentFlag.AlignVCenter)
        self._sides.addLayout(buttons)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < self._theme.fonts.px(_NARROW)
        way = QBoxLayout.Direction
        self._sides.setDirection(way.TopToBottom if narrow else way.LeftToRight)

    # --- what is wrong ---------------------------------------------------------------------------

    def set_run(self, id: str, *, journal: bool = True) -> None:
        """Another run, of which nothing is known. Only a ``journal`` is ever repaired."""
        self._journal = journal
        if id != self._id:
            self._done = ""
        self._id = id
        self._rows, self._count = [], 0
        self._answer, self.doctor = None, None
        self._asked_for = ()
        self._asking = False
        self._refresh()

    def set_damage(
        self, rows: list[Row], count: int, *, live: bool, state: tuple[object, ...]
    ) -> None:
        """The damaged rows of ``count``, as of ``state`` of the file; asks the doctor about it."""
        self._rows, self._count, self._live = rows, count, live
        if rows:
            self._done = ""
        if rows and self._journal and state != self._asked_for:
            self._asked_for = state
            id = self._id
            arguments = ["session", "doctor", id, "--json"]
            self.commands.run(arguments, lambda outcome: self._on_examined(state, outcome))
        elif not rows:
            self.doctor, self._asked_for = None, ()
        self._refresh()

    def _on_examined(self, state: tuple[object, ...], outcome: Outcome) -> None:
        if state != self._asked_for:
            return
        self._answer = outcome.result
        self.doctor = examined(outcome.result)
        self._refresh()
        self.examined.emit()

    # --- the repair ------------------------------------------------------------------------------

    def _why_not(self) -> str:
        """Why it cannot be repaired now, "" where it can."""
        if self._live:
            return translate("Records", "The run is in use: a running run is never repaired")
        if self.doctor is None:
            return translate("Records", "Looking for what can be rescued\u2026")
        if not self.doctor.findings:
            return translate("Records", "There is nothing that a repair would change")
        return "" if self.doctor.repairable else words.rescue(self.doctor)

    def _on_repair(self) -> None:
        if self._done:
            self._done = ""
            self._refresh()
            return
        if not self._asking:
            self._asking = True
            self._refresh()
            return
        self._asking, self._busy = False, True
        id = self._id
        arguments = ["session", "doctor", id, "--repair", "--json"]
        self.commands.run(arguments, lambda outcome: self._on_repaired(id, outcome))
        self._refresh()

    def _cancel(self) -> None:
        self._asking = False
        self._refresh()

    def _on_repaired(self, id: str, outcome: Outcome) -> None:
        self._busy = False
        answers = outcome.result if isinstance(outcome.result, list) else [outcome.result]
        answer = answers[0] if answers and isinstance(answers[0], dict) else {}
        made = answer.get("repaired")
        changed = isinstance(made, dict) and bool(made.get("changed"))
        if id == self._id:
            if isinstance(made, dict) and changed:
                self._rows = []
                self._done = words.repaired(made, id)
            else:
                self._failure(answer, outcome)
                return
            self._refresh()
        if changed:
            self.repaired.emit(id)

    def _failure(self, answer: dict[str, object], outcome: Outcome) -> None:
        self._refresh()
        why = told_words(answer) or outcome.message
        text = nothing_changed(visible(why, prose=True))
        self._say(translate("Records", "The journal could not be repaired"), text)

    def _copy(self) -> None:
        """The doctor's report, as text."""
        lines = [self._title.text(), self._text.text()]
        if self.doctor is not None:
            for found in self.doctor.findings:
                text = translate("Records", "line {line}, byte {offset}: {message}")
                lines.append(
                    text.format(
                        line=found.line,
                        offset=found.offset,
                        message=visible(damage_words(found.message)),
                    )
                )
        QGuiApplication.clipboard().setText("\n".join([self._id, *lines]))

    # --- what is said ----------------------------------------------------------------------------

    def _refresh(self) -> None:
        if not self._rows and not self._done and not self._busy:
            self.hide()
            return
        good = bool(self._done)
        self.token = "add_bg" if good else "damg_tint"
        self._mark.set_mark("completed" if good else "damaged")
        why = self._why_not()
        repair = self.repair_button
        self.copy_button.setVisible(not good and not self._asking)
        self.cancel_button.setVisible(self._asking)
        repair.setVisible(self._journal)
        repair.setEnabled(good or (not why and not self._busy))
        repair.setProperty(PRIMARY, not good and repair.isEnabled())
        repair.setToolTip(plain_tip("" if good or self._busy else why))
        if good:
            repair.setText(translate("Records", "Close"))
            self._say(translate("Records", "The journal is repaired"), self._done)
        elif self._busy:
            repair.setText(translate("Records", "Repairing\u2026"))
        elif self._asking and self.doctor is not None:
            repair.setText(translate("Records", "Repair"))
            plan = words.plan(self._id, self.doctor)
            self._say(translate("Records", "Repair this journal?"), plan)
        else:
            repair.setText(translate("Records", "Repair\u2026"))
            text = words.session_text(self._rows, self._count)
            if self._journal:
                text = words.damage_text(self._rows, self._count, self.doctor)
            self._say(words.damage_title(self._rows), text)
        self.show()
        self.update()

    def _say(self, title: str, text: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self.setAccessibleName(f"{title} {text}".strip())
