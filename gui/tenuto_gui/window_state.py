# SPDX-License-Identifier: Apache-2.0
"""Where the window was and how its parts were sized, kept between starts; and its breakpoints."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow, QSplitter

from tenuto.paths import config_dir

#: Widths at a body line of 18 px (look.md, "Narrow, short, large"): below them labels fold into
#: icons, the filter column into a button, list and detail into pages.
LABELS_FROM = 1200
COLUMN_FROM = 1000
PAGES_BELOW = 760
#: Below this height the run header is one line and the run strip joins the status line.
SHORT_BELOW = 600
_REFERENCE_LINE = 18


def in_text(pixels: int, line_height: int) -> float:
    """A width or height as the breakpoints count it: large text makes a window small."""
    return pixels * _REFERENCE_LINE / max(line_height, _REFERENCE_LINE)


class WindowState:
    """Opaque Qt state, so QSettings holds it and no settings file of ours."""

    def __init__(self, window: QMainWindow, splitters: dict[str, QSplitter]) -> None:
        self._window = window
        self._splitters = splitters

    @staticmethod
    def _store() -> QSettings:
        return QSettings(str(config_dir() / "window.ini"), QSettings.Format.IniFormat)

    def restore(self) -> None:
        """Take over what was saved; anything unusable is ignored by Qt."""
        store = self._store()
        geometry = store.value("geometry")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        self._window.menuBar().setVisible(store.value("menu_bar") != "hidden")
        for name, splitter in self._splitters.items():
            value = store.value(name)
            if isinstance(value, QByteArray):
                splitter.restoreState(value)

    def save(self) -> None:
        """Keep the present state."""
        store = self._store()
        store.setValue("geometry", self._window.saveGeometry())
        hidden = self._window.menuBar().isHidden()
        store.setValue("menu_bar", "hidden" if hidden else "shown")
        for name, splitter in self._splitters.items():
            store.setValue(name, splitter.saveState())
