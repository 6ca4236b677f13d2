# SPDX-License-Identifier: Apache-2.0
"""The transcript's grid in pixels, for one font and one width (look.md, "Grid", "Anatomy")."""

from __future__ import annotations

from dataclasses import dataclass

from tenuto_gui.fonts import Fonts
from tenuto_gui.scroll_style import EXTENT

#: Text lines are at most this many characters wide.
MAX_COLUMNS = 100
#: Times leave below these widths, counted in text (look.md, "Narrow, short, large"): of the
#: transcript itself, and of the window with the list.
TIMES_FROM = 620
TIMES_FROM_WINDOW = 1200


@dataclass(frozen=True)
class Metrics:
    """Distances from the left edge of the viewport, heights, gaps: whole pixels."""

    width: int
    number_right: int
    rail: int
    rail_width: int
    arrow: int
    text: int
    text_width: int
    frame_width: int
    #: Where times end on the right, 0 where there is no room for them.
    time_right: int
    #: Indent of a tool's output inside its frame, equal to that of its name.
    indent: int
    icon: int
    line: int
    small_line: int
    mono_line: int
    header: int
    thinking: int
    marker: int
    pad: int
    gap: int
    turn_gap: int
    column: float
    mono_column: float

    @property
    def output_width(self) -> int:
        """Width of a tool's output."""
        return max(self.frame_width - self.indent - self.pad, 40)


def measure(fonts: Fonts, width: int, window: int = 0) -> Metrics:
    """The grid for a viewport of ``width`` pixels in a window of ``window`` (0: of any width)."""
    px = fonts.px
    line = fonts.line_height("body")
    mono_line = fonts.line_height("mono_small")
    column = fonts.metrics("body").averageCharWidth()
    scale = 18 / max(fonts.metrics("body").height(), 1)
    wide = width * scale >= TIMES_FROM and (not window or window * scale >= TIMES_FROM_WINDOW)
    text = px(64)
    right = px(84) + EXTENT if wide else max(px(16), EXTENT + px(4))
    frame_width = max(width - text - right, 80)
    return Metrics(
        width=width,
        number_right=px(30),
        rail=px(39),
        rail_width=max(2, px(2)),
        arrow=px(44),
        text=text,
        text_width=min(frame_width, round(MAX_COLUMNS * column)),
        frame_width=frame_width,
        time_right=width - px(4) - EXTENT if wide else 0,
        indent=px(32),
        icon=px(16),
        line=line,
        small_line=fonts.line_height("small"),
        mono_line=mono_line,
        header=max(px(26), mono_line + px(8)),
        thinking=max(px(22), line + px(4)),
        marker=max(px(24), line + px(8)),
        pad=px(8),
        gap=px(8),
        turn_gap=px(12),
        column=max(column, 1.0),
        mono_column=max(fonts.metrics("mono_small").averageCharWidth(), 1.0),
    )
