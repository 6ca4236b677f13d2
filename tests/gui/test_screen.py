# SPDX-License-Identifier: Apache-2.0
"""The first window on screens of several sizes: all of it is on the screen, whatever the text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSize

from tenuto.settings import Settings, save
from tenuto_gui.window_state import first_size

_SHOW = """
import json, sys
from tenuto_gui.app import build
app, window = build(["tenuto-gui", "--state-dir", sys.argv[1]])
room = window.screen().availableGeometry()
for _round in range(3):
    app.processEvents()
print(json.dumps({
    "size": window.size().toTuple(), "least": window.minimumSize().toTuple(),
    "room": room.size().toTuple(), "frame": window.frameGeometry().size().toTuple(),
}))
window.close()
"""


def shown(tmp_path: Path, width: int, height: int) -> dict[str, list[int]]:
    """Sizes of a first window on a screen of this size."""
    runs = tmp_path / "runs"
    runs.mkdir(mode=0o700, exist_ok=True)
    screen = tmp_path / "screen.json"
    desk = {"name": "s", "x": 0, "y": 0, "width": width, "height": height,
            "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}  # fmt: skip
    screen.write_text(json.dumps({"screens": [desk]}))
    done = subprocess.run(
        [sys.executable, "-c", _SHOW, str(runs)],
        env={**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={screen}"},
        stdout=subprocess.PIPE,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["room"] == [width, height]
    return dict(found)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1366, 768), (1024, 600)])
@pytest.mark.parametrize("text_size", [100, 200])
def test_the_first_window_is_whole_on_the_screen(
    tmp_path: Path, width: int, height: int, text_size: int
) -> None:
    save(Settings(text_size=text_size))
    found = shown(tmp_path, width, height)
    assert found["size"][0] <= width
    assert found["size"][1] < height, "with room for a title bar"
    assert found["least"][0] <= width
    assert found["least"][1] < height, "it can be made to fit by hand, too"
    assert found["size"][0] >= width * 0.9, "what there is, is used"
    assert found["size"][1] >= height * 0.8


def test_a_window_that_was_large_fits_a_smaller_screen_the_next_time(tmp_path: Path) -> None:
    large = shown(tmp_path, 1920, 1200)
    assert large["size"][0] > 1280, "on a large screen it is as large as it wants to be"
    small = shown(tmp_path, 1280, 720)
    assert small["frame"][0] <= 1280
    assert small["frame"][1] <= 720


def test_the_size_itself() -> None:
    wanted, least = QSize(1440, 900), QSize(480, 360)
    assert first_size(wanted, least, QSize(3840, 2160), 1.0) == (wanted, least)
    size, kept = first_size(wanted, least, QSize(400, 300), 1.0)
    assert size == kept == QSize(392, 260)
    size, kept = first_size(wanted * 2, least * 2, QSize(1280, 720), 2.0)
    assert size == QSize(1264, 640)
    assert kept == QSize(960, 640)
