# SPDX-License-Identifier: Apache-2.0
"""Draws the icon in the sizes that systems ask for: ``pictures.py FOLDER``.

tenuto-SIZE.png for Linux themes, tenuto.ico for Windows, tenuto.icns for macOS; session.* is the
icon of an exported session.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

RESOURCES = Path(__file__).resolve().parents[2] / "resources" / "tenuto_resources"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
#: Pixels of a side -> Apple's name for a PNG file of that size.
ICNS_TYPES = {32: b"ic11", 64: b"ic12", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def draw(svg: bytes, size: int) -> QImage:
    """The picture, ``size`` pixels square, on nothing."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(QByteArray(svg)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


def main() -> int:
    folder = Path(sys.argv[1])
    pictures = {
        "tenuto": RESOURCES / "icons" / "app.svg",
        "session": RESOURCES / "desktop" / "session.svg",
    }
    for name, file in pictures.items():
        svg = file.read_bytes()
        for size in SIZES:
            if not draw(svg, size).save(str(folder / f"{name}-{size}.png")):
                print(f"pictures.py: cannot write to {folder}", file=sys.stderr)
                return 1
        drawn = [(folder / f"{name}-{size}.png").read_bytes() for size in ICO_SIZES]
        (folder / f"{name}.ico").write_bytes(ico(ICO_SIZES, drawn))
        drawn = [(folder / f"{name}-{size}.png").read_bytes() for size in ICNS_TYPES]
        (folder / f"{name}.icns").write_bytes(icns(list(ICNS_TYPES.values()), drawn))
    return 0


def ico(sizes: Sequence[int], pictures: Sequence[bytes]) -> bytes:
    """An icon of Windows in several sizes, each a PNG file (Qt writes one size only).

    Sizes are pixels of a side, at most 256, which is written as 0.
    """
    directory = struct.pack("<HHH", 0, 1, len(pictures))
    place = len(directory) + 16 * len(pictures)
    for size, picture in zip(sizes, pictures, strict=True):
        directory += struct.pack(
            "<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), place
        )
        place += len(picture)
    return directory + b"".join(pictures)


def icns(kinds: Sequence[bytes], pictures: Sequence[bytes]) -> bytes:
    """An icon of macOS: a header, then each picture with its type and its length.

    Qt's own writer makes a table of contents that its reader warns of.
    """
    body = b"".join(
        kind + struct.pack(">I", 8 + len(picture)) + picture
        for kind, picture in zip(kinds, pictures, strict=True)
    )
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


if __name__ == "__main__":
    sys.exit(main())
