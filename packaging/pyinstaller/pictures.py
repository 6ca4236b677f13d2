# SPDX-License-Identifier: Apache-2.0
"""Draws the icon in the sizes that systems ask for: ``pictures.py FOLDER``.

tenuto-SIZE.png for Linux themes, tenuto.ico for Windows, tenuto.icns for macOS; session-SIZE.png is
the icon of an exported session.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

RESOURCES = Path(__file__).resolve().parents[2] / "resources" / "tenuto_resources"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


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
    app = draw(pictures["tenuto"].read_bytes(), 256)
    return (
        0 if app.save(str(folder / "tenuto.ico")) and app.save(str(folder / "tenuto.icns")) else 1
    )


if __name__ == "__main__":
    sys.exit(main())
