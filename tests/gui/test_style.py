# SPDX-License-Identifier: Apache-2.0
"""The controls as they are painted: rings for keys only, words and heights in line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tenuto_gui.style import PRIMARY, TenutoStyle
from tenuto_gui.theme import Theme

Make = Callable[[QWidget], QWidget]


def _button(parent: QWidget) -> QWidget:
    return QPushButton("Go", parent)


def _primary(parent: QWidget) -> QWidget:
    made = QPushButton("Go", parent)
    made.setProperty(PRIMARY, True)
    return made


def _tool_button(parent: QWidget) -> QWidget:
    made = QToolButton(parent)
    made.setText("Go")
    made.setAutoRaise(True)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


def _box(parent: QWidget) -> QWidget:
    made = QComboBox(parent)
    made.addItems(["one", "two"])
    return made


def _tabs(parent: QWidget) -> QWidget:
    made = QTabBar(parent)
    made.addTab("one")
    made.addTab("two")
    return made


KINDS: dict[str, Make] = {
    "button": _button,
    "primary": _primary,
    "tool button": _tool_button,
    "box": _box,
    "tabs": _tabs,
    "field": lambda parent: QLineEdit("Go", parent),
    "check box": lambda parent: QCheckBox("Go", parent),
    "radio button": lambda parent: QRadioButton("Go", parent),
}


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Theme]:
    before = qapp.style().name()
    made = Theme(qapp, request.param)
    qapp.setStyle(TenutoStyle(made))
    yield made
    qapp.setStyle(before)
    made.detach()


@pytest.fixture
def stage(theme: Theme, qtbot: QtBot) -> QWidget:
    """A window with a field that has the focus, and room for one more."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    first = QLineEdit(window)
    first.setObjectName("first")
    column.addWidget(first)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    return window


def put(stage: QWidget, make: Make) -> QWidget:
    made = make(stage)
    layout = stage.layout()
    assert layout is not None
    layout.addWidget(made)
    made.show()
    QApplication.processEvents()
    return made


def pixels(widget: QWidget) -> bytes:
    return bytes(widget.grab().toImage().constBits())


@pytest.mark.parametrize("kind", KINDS)
def test_a_ring_is_there_after_a_key_and_not_after_a_click(
    theme: Theme, stage: QWidget, kind: str
) -> None:
    made = put(stage, KINDS[kind])
    stage.findChild(QLineEdit, "first").setFocus(Qt.FocusReason.MouseFocusReason)
    made.setFocus(Qt.FocusReason.MouseFocusReason)
    assert made.hasFocus()
    clicked = pixels(made)
    first = stage.findChild(QLineEdit, "first")
    first.setFocus(Qt.FocusReason.MouseFocusReason)
    QTest.keyClick(first, Qt.Key.Key_Tab)
    assert made.hasFocus(), "Tab comes to it"
    keyed = made.grab().toImage()
    assert bytes(keyed.constBits()) != clicked, "nothing shows where the keyboard is"
    ring = theme.color("focus").rgb() if kind != "primary" else theme.color("on_accent").rgb()
    shown = sum(
        keyed.pixel(x, y) == ring for x in range(keyed.width()) for y in range(keyed.height())
    )
    assert shown > keyed.height(), "a ring of the token's colour"


def ink_starts(widget: QWidget, theme: Theme) -> int:
    """The first column within the frame that holds letters."""
    image = widget.grab().toImage()
    ground = theme.color("base").lightness()
    for x in range(4, image.width()):
        for y in range(6, image.height() - 6):
            if abs(image.pixelColor(x, y).lightness() - ground) > 60:
                return x
    raise AssertionError("no words")


def test_boxes_and_fields_have_their_words_in_one_line(theme: Theme, stage: QWidget) -> None:
    box, field = QComboBox(stage), QLineEdit("Hello", stage)
    box.addItem("Hello")
    for each in (box, field):
        put(stage, lambda _parent, each=each: each)
        each.setFixedWidth(220)
    QApplication.processEvents()
    assert ink_starts(box, theme) == ink_starts(field, theme)


def test_what_stands_in_a_row_is_equally_high(theme: Theme, stage: QWidget) -> None:
    heights = {
        kind: put(stage, KINDS[kind]).sizeHint().height()
        for kind in ("button", "box", "field", "tool button")
    }
    assert len(set(heights.values())) == 1, heights


def test_a_box_is_whole_right_to_left(theme: Theme, stage: QWidget) -> None:
    box = put(stage, KINDS["box"])
    box.setFixedWidth(200)
    plain = box.grab().toImage()
    box.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    turned = box.grab().toImage()

    def both_ends(image: QImage) -> bool:
        edge = 24
        left = [image.pixel(x, y) for x in range(4, edge) for y in range(6, image.height() - 6)]
        right = [
            image.pixel(image.width() - 1 - x, y)
            for x in range(4, edge)
            for y in range(6, image.height() - 6)
        ]
        return len(set(left)) > 1 and len(set(right)) > 1

    assert both_ends(plain)
    assert both_ends(turned)
    assert plain != turned


def test_a_disabled_box_is_faint(theme: Theme, stage: QWidget) -> None:
    box = put(stage, KINDS["box"])
    box.setEnabled(False)
    image = box.grab().toImage()
    wanted = theme.color("text").rgb()
    found = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    assert wanted not in found


def test_a_multi_line_field_has_an_edge_that_can_be_seen(theme: Theme, stage: QWidget) -> None:
    field = put(stage, lambda parent: QPlainTextEdit("Go", parent))
    image = field.grab().toImage()
    middle = image.height() // 2
    edge = (theme.color("edge").rgb(), theme.color("focus").rgb())
    assert image.pixel(0, middle) in edge
    assert image.pixel(middle, 0) in edge
    assert image.pixel(0, 0) == theme.color("window").rgb(), "its corners are round"
    assert theme.color("base").rgb() not in {image.pixel(n, n) for n in range(2)}


_ICONS = """
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from tenuto_gui.style import TenutoStyle
from tenuto_gui.theme import Theme
app = QApplication([])
def icons():
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    return not box.buttons()[0].icon().isNull()
app.setStyle("Fusion")
before = icons()
app.setStyle(TenutoStyle(Theme(app)))
print(before, icons())
"""


def test_buttons_of_dialogs_have_no_icons_of_the_desktop(x_display: str) -> None:
    """Drawn into memory they have none anyway: this needs a screen."""
    kept = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    done = subprocess.run(
        [sys.executable, "-c", _ICONS],
        env={**kept, "DISPLAY": x_display},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "False"]
