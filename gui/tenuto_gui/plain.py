# SPDX-License-Identifier: Apache-2.0
"""Foreign text where Qt would guess whether it is HTML; labels and where they stand."""

from __future__ import annotations

from unicodedata import east_asian_width

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from tenuto_gui.theme import Theme

#: Lines up to this many characters are not wrapped in a tooltip.
_TIP_COLUMNS = 72


def plain_tip(text: str) -> str:
    """Text for a tooltip, shown letter for letter: tooltips have no plain-text mode."""
    if not text:
        return ""
    # Qt wraps into a tall column whatever may wrap: short lines stay lines.
    longest = max(map(_columns, text.split("\n")))
    space = "pre" if longest <= _TIP_COLUMNS else "pre-wrap"
    return f'<p style="white-space:{space}; margin:0">{escape(text)}</p>'


def escape(text: str) -> str:
    """Text that stands for itself in HTML."""
    # `html` comes with a name for every letter, and would be the first to need it.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _columns(line: str) -> int:
    """About how wide a line is, in characters; those of East Asia count for two."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in line)


def cut_path(path: str, metrics: QFontMetricsF, room: float) -> str:
    """A path in ``room`` pixels: whole parts are left out at its left, for an ellipsis.

    Only where its last part alone has no room is that cut itself.
    """
    if metrics.horizontalAdvance(path) <= room:
        return path
    parts = path.rstrip("/").split("/")
    text = path
    for first in range(1, len(parts)):
        text = "/".join(("\u2026", *parts[first:]))
        if metrics.horizontalAdvance(text) <= room:
            return text
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)


def plain_label(text: str = "", parent: QWidget | None = None) -> QLabel:
    """A label that never takes its text for HTML."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    return label


def ink(widget: QWidget, colour: QColor) -> None:
    """Write a widget's words in this colour, whichever role its ground makes it take."""
    palette = widget.palette()
    for role in (
        palette.ColorRole.WindowText,
        palette.ColorRole.Text,
        palette.ColorRole.ButtonText,
    ):
        palette.setColor(palette.ColorGroup.Active, role, colour)
        palette.setColor(palette.ColorGroup.Inactive, role, colour)
    widget.setPalette(palette)


def words_start(box: QAbstractButton) -> int:
    """Where the words of a check box or radio button start, from its left edge."""
    radio = isinstance(box, QRadioButton)
    part = QStyle.SubElement
    option = QStyleOptionButton()
    option.initFrom(box)
    which = part.SE_RadioButtonContents if radio else part.SE_CheckBoxContents
    return box.style().subElementRect(which, option, box).left() - option.rect.left()


def outline_chosen(painter: QPainter, theme: Theme, rect: QRectF, radius: float = 0) -> None:
    """With high contrast, frame what is chosen in a view that has not the focus.

    Its ground is that of all rows then: the system has no second colour for what is chosen.
    """
    if not theme.high_contrast:
        return
    painter.save()
    painter.setPen(QPen(theme.color("text"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.restore()


def shows_focus(widget: QWidget) -> bool:
    """Whether a widget that paints itself has a ring: it has the focus, and keys are what is used.

    The reason of the focus does not tell: it also falls to a widget when what had it is hidden.
    """
    by_key = widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    return widget.hasFocus() and by_key
