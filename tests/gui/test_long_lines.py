# SPDX-License-Identifier: Apache-2.0
"""A journal with lines of many megabytes: the window shows it in part and goes on meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from tests.gui.driver import Driver
from tests.support import journals as j

MIB = 1 << 20
#: The sizes of the one reply and of the one result.
REPLY, RESULT = 64 * MIB, 16 * MIB
#: What the process may grow by: some copies of the texts, but no layout of all their letters.
ROOM = 24 * (REPLY + RESULT)
#: Milliseconds between two beats.
BEAT = 5


class Heart:
    """Beats in the event loop; knows how often it did and the longest time that it could not."""

    def __init__(self) -> None:
        self.beats = 0
        self.doing, self.laps = "", dict[str, tuple[int, float]]()
        self._last = 0.0
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self._last = time.monotonic()
        self._timer.start(BEAT)

    def _beat(self) -> None:
        now = time.monotonic()
        gap, self._last = now - self._last, now
        self.beats += 1
        count, longest = self.laps.get(self.doing, (0, 0.0))
        self.laps[self.doing] = (count + 1, max(longest, gap))

    def stop(self) -> None:
        self._timer.stop()

    def lines(self) -> list[str]:
        return [f"{k}: {n} beats, longest gap {g * 1000:.0f} ms" for k, (n, g) in self.laps.items()]


@pytest.fixture
def heart() -> Iterator[Heart]:
    each = Heart()
    yield each
    each.stop()


def high_water() -> int:
    """The most bytes of memory that this process has had; 0 where the system does not tell."""
    try:
        words = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = [line.split()[1] for line in words.splitlines() if line.startswith("VmHWM:")]
    return int(found[0]) * 1024 if found else 0


def test_lines_of_many_megabytes_do_not_hold_the_window_up(
    qtbot: QtBot, tmp_path: Path, heart: Heart
) -> None:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    huge = [
        j.meta(run_id="huge", prompt="Say much"),
        j.assistant(2, [j.text("word " * (REPLY // 5)), j.call("toolu_1")]),
        j.result(3, "toolu_1", "x" * RESULT),
        j.assistant(4, [j.text("The end.")], iteration=1),
        j.terminal(5),
    ]
    put(folder, "huge", *huge)
    size = sum(map(len, huge))
    del huge
    put(folder, "small", *j.three_records(), j.terminal(4))
    before = high_water()

    heart.doing = "list"
    heart.start()
    window = Driver(qtbot, folder)
    window.until_listed("huge", "small")
    assert window.status("huge") == "suspended"
    detail = window.window.detail
    view = detail.transcript

    heart.doing = "transcript"
    window.click("huge")
    # The end of a run is shown before its beginning.
    window.until(lambda: any(b.kind == "tool_call" for b in view.blocks), "never loaded")
    assert any(b.text == "The end." for b in view.blocks)
    row = next(n for n, block in enumerate(view.blocks) if len(block.text) > MIB)
    view.scroll_to_row(row)
    view.grab()
    assert [link.text for link in view.shape_of(row).links] == ["Show all"]
    assert sum(len(part.text()) for part in view.shape_of(row).parts) < MIB
    view.scroll_to_row(next(n for n, b in enumerate(view.blocks) if b.kind == "tool_call"))
    view.grab()

    heart.doing = "a session beside it"
    window.click("small")
    window.until(lambda: "Look." in view.plain_text(), "the other session was not shown")
    put(folder, "later", *j.three_records(), j.terminal(4))
    window.until_listed("later")

    heart.doing = "records"
    window.click("huge")
    detail.tabs.setCurrentWidget(detail.records)
    window.until(lambda: detail.records.model.rowCount() == 5, "the records were not shown")
    assert len(detail.records.plain_text()) < MIB

    heart.doing = "activity"
    detail.tabs.setCurrentWidget(detail.activity)
    window.until(lambda: detail.activity.activity.turns, "the activity was not shown")

    heart.doing = ""
    print("\n".join(heart.lines()))
    print(f"{(high_water() - before) / size:.1f} times the file's size")
    assert heart.beats > 50
    assert high_water() - before < ROOM


def put(folder: Path, id: str, *lines: bytes) -> None:
    path = folder / f"{id}.json"
    path.write_bytes(b"".join(lines))
    path.chmod(0o600)
