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
_REFERENCE_LINE = 18


def width_in_text(pixels: int, line_height: int) -> float:
    """A width as the breakpoints count it: large text makes a window narrow."""
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
        for name, splitter in self._splitters.items():
            value = store.value(name)
            if isinstance(value, QByteArray):
                splitter.restoreState(value)

    def save(self) -> None:
        """Keep the present state."""
        store = self._store()
        store.setValue("geometry", self._window.saveGeometry())
        for name, splitter in self._splitters.items():
            store.setValue(name, splitter.saveState())
