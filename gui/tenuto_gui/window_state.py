# SPDX-License-Identifier: Apache-2.0
"""Where the window was and how its parts were sized, kept between starts; and its breakpoints."""

from __future__ import annotations

from math import isfinite

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtWidgets import QMainWindow

from tenuto.paths import config_dir

#: Widths at a body line of 18 px (look.md, "Narrow, short, large"): below them labels fold into
#: icons, the filter column into a button, list and detail into pages.
LABELS_FROM = 1200
COLUMN_FROM = 1000
PAGES_BELOW = 760
#: Below this height the run header is one line and the run strip joins the status line.
SHORT_BELOW = 600
REFERENCE_LINE = 18
#: What a title bar and edges take, at most, at the usual size of text.
_FRAME_WIDTH, _FRAME_HEIGHT = 8, 40
#: The filters, the list, and what the operator left of the session beside a wide list.
_WIDTHS = ("filters", "sessions", "session_least")


def in_text(pixels: int, line_height: int) -> float:
    """A width or height as the breakpoints count it: large text makes a window small."""
    return pixels * REFERENCE_LINE / max(line_height, REFERENCE_LINE)


def first_size(wanted: QSize, least: QSize, room: QSize, scale: float) -> tuple[QSize, QSize]:
    """Size and least size of a window that was never sized by hand, in pixels.

    ``room`` is what the screen has beside its panels, ``scale`` that of the text. The window
    system's frame comes on top of a window and is not known before it is shown.
    """
    most = room - QSize(round(_FRAME_WIDTH * scale), round(_FRAME_HEIGHT * scale))
    least = least.boundedTo(most)
    return wanted.boundedTo(most).expandedTo(least), least


class WindowState:
    """Opaque Qt state beside some widths, so QSettings holds it and no settings file of ours."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window

    @staticmethod
    def _store() -> QSettings:
        return QSettings(str(config_dir() / "window.ini"), QSettings.Format.IniFormat)

    def restore(self) -> list[float]:
        """Take over what was saved; anything unusable is ignored. Returns as `save` was given."""
        store = self._store()
        geometry = store.value("geometry")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        self._window.menuBar().setVisible(store.value("menu_bar") != "hidden")
        return [_number(store.value(name)) for name in _WIDTHS]

    def save(self, *widths: float) -> None:
        """Keep the present state, and the columns' widths in look.md's pixels."""
        store = self._store()
        store.setValue("geometry", self._window.saveGeometry())
        hidden = self._window.menuBar().isHidden()
        store.setValue("menu_bar", "hidden" if hidden else "shown")
        for name, width in zip(_WIDTHS, widths, strict=True):
            store.setValue(name, round(width, 1))


def _number(value: object) -> float:
    """0 for what is no number."""
    try:
        number = float(str(value))
    except ValueError:
        return 0.0
    return number if isfinite(number) else 0.0
