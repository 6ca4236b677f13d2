# SPDX-License-Identifier: Apache-2.0
"""Pictures of the window as small files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

_COLOURS = 256
#: Of the most common colours so many are kept as they are: they are areas, not edges.
_EXACT = 64


def _few_colours(image: QImage) -> QImage:
    """The picture in a palette of its own: a third of the bytes, and no difference to be seen."""
    from PySide6.QtCore import Qt

    image = image.convertToFormat(image.Format.Format_RGB32)
    counted = Counter(memoryview(image.constBits()).cast("B").cast("I"))
    return image.convertToFormat(
        image.Format.Format_Indexed8, _palette(counted), Qt.ImageConversionFlag.AvoidDither
    )


def _palette(counted: Counter[int]) -> list[int]:
    """The themes' colours that are there, the most common ones, and one of each shade."""
    from PySide6.QtGui import QColor

    from tenuto_gui.theme import token_table

    # A mark that is there once is as true as what is there a thousand times.
    tokens = [QColor(colour).rgb() for table in token_table().values() for colour in table.values()]
    own = [colour for colour in tokens if colour in counted]
    common = [colour for colour, _count in counted.most_common()]
    # The soft edges of letters have thousands of colours that nobody tells apart.
    shades: dict[int, list[int]] = {}
    for colour in common:
        shades.setdefault(colour & 0xF0F0F0, []).append(colour)
    ranked = sorted(shades.values(), key=lambda shade: -sum(counted[one] for one in shade))
    return list(dict.fromkeys([*own, *common[:_EXACT], *(shade[0] for shade in ranked)]))[:_COLOURS]


def save(image: QImage, path: Path) -> None:
    """Write ``image`` as a PNG of at most 256 colours, and print where it is.

    Raises ``SystemExit`` where it cannot be written.
    """
    # 0: the smallest file.
    if not _few_colours(image).save(str(path), "PNG", 0):
        raise SystemExit(f"{path} cannot be written")
    print(path, flush=True)
