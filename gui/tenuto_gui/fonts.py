# SPDX-License-Identifier: Apache-2.0
"""The type roles of look.md: sizes and weights relative to the application's font."""

from __future__ import annotations

from typing import Literal

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QGuiApplication

Role = Literal[
    "page_title", "title", "lead", "h1", "h2", "h3",
    "body", "medium", "bold", "demi",
    "small", "small_medium", "small_demi",
    "mono", "mono_small", "mono_small_demi",
]  # fmt: skip

_W = QFont.Weight

#: role -> (monospaced, points added to the application's font, weight)
_ROLES: dict[str, tuple[bool, float, QFont.Weight]] = {
    "page_title": (False, 5, _W.DemiBold),
    "title": (False, 1, _W.DemiBold),
    "lead": (False, 1, _W.Normal),
    "h1": (False, 3, _W.DemiBold),
    "h2": (False, 2, _W.DemiBold),
    "h3": (False, 1, _W.DemiBold),
    "body": (False, 0, _W.Normal),
    "medium": (False, 0, _W.Medium),
    "bold": (False, 0, _W.Bold),
    "demi": (False, 0, _W.DemiBold),
    "small": (False, -1, _W.Normal),
    "small_medium": (False, -1, _W.Medium),
    "small_demi": (False, -1, _W.DemiBold),
    "mono": (True, 0, _W.Normal),
    "mono_small": (True, -1, _W.Normal),
    "mono_small_demi": (True, -1, _W.DemiBold),
}

#: The grid of look.md is given for a 10 pt font at 96 dpi, which is this many pixels.
_REFERENCE_PIXELS = 10 * 96 / 72


class Fonts:
    """Fonts and metrics by role for one application font; made anew when that font changes."""

    def __init__(self, base: QFont) -> None:
        self._base = QFont(base)
        self._mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self._fonts: dict[str, QFont] = {}
        self._metrics: dict[str, QFontMetricsF] = {}

    def font(self, role: Role) -> QFont:
        """The font of a role. Shared: copy it before changing it."""
        font = self._fonts.get(role)
        if font is None:
            mono, step, weight = _ROLES[role]
            font = QFont(self._mono if mono else self._base)
            font.setPointSizeF(max(6.0, self.point_size() + step))
            font.setWeight(weight)
            if mono:
                # No ligatures: what a command or a file holds is shown letter by letter.
                for feature in ("liga", "calt", "dlig"):
                    font.setFeature(QFont.Tag(feature), 0)
            else:
                font.setFeature(QFont.Tag("tnum"), 1)
            self._fonts[role] = font
        return font

    def metrics(self, role: Role) -> QFontMetricsF:
        metrics = self._metrics.get(role)
        if metrics is None:
            metrics = self._metrics[role] = QFontMetricsF(self.font(role))
        return metrics

    def point_size(self) -> float:
        """Points of the application's font, also where it was set in pixels."""
        size = self._base.pointSizeF()
        return size if size > 0 else self._base.pixelSize() * 72 / 96

    def line_height(self, role: Role = "body") -> int:
        """Whole pixels of one line."""
        metrics = self.metrics(role)
        return round(metrics.ascent() + metrics.descent())

    @property
    def scale(self) -> float:
        """1.0 at a 10 pt font; everything of the grid grows with it."""
        pixels = float(self._base.pixelSize())
        if pixels <= 0:
            dpi = QGuiApplication.primaryScreen().logicalDotsPerInchY()
            pixels = self._base.pointSizeF() * dpi / 72
        return max(0.75, pixels / _REFERENCE_PIXELS)

    def px(self, pixels: float) -> int:
        """Pixels of look.md's grid (given at 10 pt) at the present size of the font."""
        return round(pixels * self.scale)
