# SPDX-License-Identifier: Apache-2.0
"""A question about what the operator is about to do. Its default button does nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QLabel, QMessageBox, QSpacerItem, QWidget

#: Object name, verb, what it does.
_MARGINS = (0, 16, 20, 16)

Choice = tuple[str, str, Callable[[], object]]


def ask(
    parent: QWidget, title: str, text: str, verb: str, action: Callable[[], object]
) -> QMessageBox:
    """Show the question; ``action`` is called if the button with the verb is clicked."""
    return ask_choices(parent, title, text, [("questionYes", verb, action)])


def ask_choices(parent: QWidget, title: str, text: str, choices: Sequence[Choice]) -> QMessageBox:
    """Show a question with several verbs beside the one that does nothing."""
    box = QMessageBox(parent.window())
    box.setObjectName("questionDialog")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle("Tenuto")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(title)
    box.setInformativeText(text)
    label = box.findChild(QLabel, "qt_msgbox_label")
    if label is not None:
        font = label.font()
        font.setWeight(QFont.Weight.DemiBold)
        label.setFont(font)
    layout = box.layout()
    if isinstance(layout, QGridLayout):
        # A box is as wide as its title otherwise.
        # Qt leaves room for an icon at the left: the words begin where a button ends at the right.
        layout.setContentsMargins(*_MARGINS)
        room = QSpacerItem(box.fontMetrics().averageCharWidth() * 60, 0)
        layout.addItem(room, layout.rowCount(), 0, 1, layout.columnCount())
    for name, verb, action in choices:
        button = box.addButton(verb, QMessageBox.ButtonRole.AcceptRole)
        button.setObjectName(name)
        button.clicked.connect(action)
    no = box.addButton(QMessageBox.StandardButton.Cancel)
    no.setObjectName("questionNo")
    box.setDefaultButton(no)
    box.setEscapeButton(no)
    box.open()
    return box
