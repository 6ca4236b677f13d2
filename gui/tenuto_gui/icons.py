# SPDX-License-Identifier: Apache-2.0
"""The bundled icons and status marks, drawn in the theme's tokens (look.md, "Icons", "Status").

QtSvg does not know the palette, so the colour is put into the bytes before they are rendered.
Pixmaps are cached on the theme by (name, token, size, device pixel ratio) and go with it.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from tenuto_gui import resources
from tenuto_gui.theme import Theme

#: mark -> (token of outline and word, token of the fill, token of the glyph on it)
MARKS: dict[str, tuple[str, str | None, str | None]] = {
    "running": ("run", "run_fill", "run_glyph"),
    "waiting": ("wait", "wait_fill", "wait_glyph"),
    "suspended": ("susp", None, None),
    "interrupted": ("intr", None, None),
    "unknown": ("intr", "intr_fill", "intr_glyph"),
    "failed": ("fail", "fail_fill", "fail_glyph"),
    "budget": ("limit", None, None),
    "max_iterations": ("limit", None, None),
    "completed": ("done", None, None),
    "damaged": ("damg", "damg_fill", "damg_glyph"),
    "ready": ("text2", None, None),
    "newer": ("text2", None, None),
    "empty": ("text2", None, None),
    "pending": ("text2", None, None),
    "tenuto": ("text", "accent", None),
}


@cache
def _svg(folder: str, name: str) -> bytes:
    return resources.read(folder, f"{name}.svg")


def _render(svg: bytes, size: int, dpr: float) -> QPixmap:
    pixmap = QPixmap(round(size * dpr), round(size * dpr))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(svg)).render(painter, QRectF(0, 0, pixmap.width(), pixmap.height()))
    painter.end()
    pixmap.setDevicePixelRatio(dpr)
    return pixmap


def pixmap(
    theme: Theme, name: str, token: str = "text", size: int = 16, dpr: float = 1.0
) -> QPixmap:
    """An icon of look.md's list in one colour, ``size`` device-independent pixels square."""
    key = ("icon", name, token, size, dpr)
    found = theme.pixmaps.get(key)
    if found is None:
        svg = _svg("icons", name).replace(b"currentColor", theme.name(token).encode())
        found = theme.pixmaps[key] = _render(svg, size, dpr)
    return found


def icon(theme: Theme, name: str, token: str = "text", size: int = 16) -> QIcon:
    """A QIcon with its disabled and selected looks, sharp at 1x and 2x."""
    result = QIcon()
    modes = (
        (QIcon.Mode.Normal, token),
        (QIcon.Mode.Active, token),
        (QIcon.Mode.Disabled, "off"),
        (QIcon.Mode.Selected, "on_accent" if token == "on_accent" else token),
    )
    for mode, colour in modes:
        for dpr in (1.0, 2.0):
            result.addPixmap(pixmap(theme, name, colour, size, dpr), mode)
    return result


def mark(theme: Theme, status: str, size: int = 20, dpr: float = 1.0) -> QPixmap:
    """The mark of a status.

    Besides the statuses: ``unknown`` (interrupted, outcome unknown), ``pending`` (preview not
    built yet) and ``tenuto`` (the app's own).
    """
    key = ("mark", status, size, dpr)
    found = theme.pixmaps.get(key)
    if found is None:
        outline, fill, glyph = MARKS[status]
        svg = _svg("marks", status).replace(b"currentColor", theme.name(outline).encode())
        if fill is not None:
            svg = svg.replace(b"var(--fill)", theme.name(fill).encode())
        if glyph is not None:
            svg = svg.replace(b"var(--glyph)", theme.name(glyph).encode())
        found = theme.pixmaps[key] = _render(svg, size, dpr)
    return found


def word_token(status: str) -> str:
    """The token for the word of a status."""
    return MARKS[status][0]


def app_icon() -> QIcon:
    """The app's icon, in the sizes a desktop asks for."""
    result = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        result.addPixmap(_render(_svg("icons", "app"), size, 1.0))
    return result
