# SPDX-License-Identifier: Apache-2.0
"""The transcript view: opening, scrolling, jumping, following, another width, a large journal.

A frame's figure is the time of its thread: what other programs take meanwhile is not counted.
Beside it: how many times the least that a scroll area can do, which is to paint itself, empty, in
the same run and at the same size.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import corpora
from benchmarks.harness import Result
from benchmarks.suite import Bench, Suite
from tenuto.sources.base import Block, SessionSummary

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SUITE = Suite()

#: The view's place in a window of 1440 x 900.
_SIZE = (868, 700)
_BLOCKS = 100_001
_SAMPLES = 200

_PROSE = """The stream grew by **3.1 GiB** (8 %) since last Monday. Two consumers need a look:

- `billing-eu` was renamed to `billing-eu-2`; the dashboard asks for the old name.
- `audit-archive` falls behind by about 9,000 messages an hour.
"""
_TABLE = """| Consumer | Owner | Pending |
|---|---|---:|
| `billing-eu-2` | Billing | 1,204 |
| `audit-archive` | Archive | 412,880 |
"""
_CODE = """```python
def late(consumers: list[Consumer]) -> list[str]:
    # behind by more than a day
    return [each.name for each in consumers if each.lag > 86_400]
```
"""
_OUTPUTS = (
    "State:\n  Messages: 18,402,117\n  Bytes: 41.6 GiB\n",
    "".join(f"line {n}\n" for n in range(38)),
    '{"items":[{"name":"rice","count":3,"fresh":true},{"name":"tea","count":2.5}]}',
    "\x1b[32mok\x1b[0m shelf_test\n\x1b[31mFAIL\x1b[0m tea_test\n",
    "--- a/shelf.py\n+++ b/shelf.py\n@@ -1,2 +1,2 @@\n-for item in shelf:\n+for item in all:\n x\n",
)


def _turn(number: int) -> list[Block]:
    """Four blocks: what a turn of an agent looks like, Markdown of every kind among them."""
    seq = number * 2
    words = (_PROSE, _PROSE + _CODE, "I look at the next one.", f"## Week {number}\n\n{_TABLE}")
    think, text = "First the size, then the consumers.\nThen a report.", words[number % 4]
    output = _OUTPUTS[number % len(_OUTPUTS)]
    return [
        Block(kind="thinking", seq=seq, turn=number, text=think),
        Block(kind="text", seq=seq, index=1, turn=number, text=f"{text}\n\nTurn {number}."),
        *(
            Block(
                kind="tool_call",
                seq=seq,
                index=index,
                turn=number,
                call_id=f"c{number}-{index}",
                name="stream_info",
                input=b'{"name":"ORDERS"}',
                result=output,
                result_seq=seq + 1,
                state="done",
            )
            for index in (2, 3)
        ),
    ]


def _blocks(count: int) -> list[Block]:
    blocks = [Block(kind="prompt", seq=1, text="Report on the ORDERS stream")]
    number = 1
    while len(blocks) < count:
        blocks += _turn(number)
        number += 1
    return blocks[:count]


class _Stage:
    """A transcript view and an empty scroll area of the same size, and how long they paint."""

    def __init__(self, folder: Path) -> None:
        from PySide6.QtWidgets import QAbstractScrollArea, QApplication

        from tenuto.settings import Settings
        from tenuto.sources.runs import RunSource
        from tenuto_gui import i18n
        from tenuto_gui.collector import Collector
        from tenuto_gui.context import AppContext, Workspace
        from tenuto_gui.preferences import Preferences
        from tenuto_gui.theme import Theme
        from tenuto_gui.transcript.view import TranscriptView

        known = QApplication.instance()
        self.app = known if isinstance(known, QApplication) else QApplication(["benchmarks"])
        i18n.install(self.app)
        self.source = RunSource(folder)
        self.theme = Theme(self.app, "light")
        workspace = Workspace(folder, self.source)
        self.context = AppContext(self.theme, Preferences(Settings()), workspace, ("tenuto",))
        self.view = TranscriptView(self.context)
        self.empty = QAbstractScrollArea()
        for widget in (self.view, self.empty):
            widget.resize(*_SIZE)
            widget.show()
        # As in the window: no collection in the middle of a frame.
        self.collector = Collector(self.view)
        self.spin()

    def close(self) -> None:
        self.collector.stop()
        self.view.shutdown()
        self.view.close()
        self.empty.close()
        self.theme.detach()

    def spin(self, seconds: float = 0.0) -> None:
        """Let the window do what it does by itself, at least for so long."""
        end = time.perf_counter() + seconds
        while True:
            self.app.processEvents()
            if time.perf_counter() >= end:
                return
            time.sleep(0.001)

    def longest(self, seconds: float) -> float:
        """The longest time of so many seconds in which the window did not answer."""
        worst = 0.0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            start = time.thread_time()
            self.app.processEvents()
            worst = max(worst, time.thread_time() - start)
            time.sleep(0.0005)
        return worst

    def summary(self, session: str) -> SessionSummary:
        """A session's row, its preview built."""
        self.source.build_pending(self.source.list().pending)
        return next(each for each in self.source.list().summaries if each.id == session)

    def paint(self) -> float:
        """Seconds that the view takes to paint all of itself."""
        start = time.perf_counter()
        self.view.viewport().grab()
        return time.perf_counter() - start

    def floor(self) -> float:
        """Seconds that the empty scroll area takes, the middle of some frames."""
        frames = []
        for _ in range(40):
            start = time.thread_time()
            self.empty.viewport().grab()
            frames.append(time.thread_time() - start)
        return statistics.median(frames)

    def frames(self, count: int, before: Callable[[int], object]) -> list[float]:
        """Seconds of this thread for ``before`` and one frame, so many times.

        Idle work is done in between.
        """
        seconds = []
        for number in range(count):
            start = time.thread_time()
            before(number)
            self.view.viewport().grab()
            seconds.append(time.thread_time() - start)
            self.app.processEvents()
        return seconds


@contextmanager
def staged(bench: Bench) -> Iterator[_Stage]:
    stage = _Stage(bench.folder)
    try:
        yield stage
    finally:
        stage.close()


def _share(frames: list[float], share: float) -> float:
    return sorted(frames)[min(int(len(frames) * share), len(frames) - 1)]


def _result(name: str, seconds: list[float], floor: float, limit_ms: float) -> Result:
    """p95 in ms against a limit, with the ratio to an empty frame beside it."""
    worst = _share(seconds, 0.95)
    return Result(
        name,
        worst * 1e3,
        "ms p95",
        limit_ms,
        "<=",
        {
            "p50_ms": statistics.median(seconds) * 1e3,
            "max_ms": max(seconds) * 1e3,
            "x_empty_frame": worst / floor,
        },
    )


@SUITE.add
def transcript_blocks(bench: Bench) -> list[Result]:
    """100,001 blocks: open, scroll, jump, append, stream, another width, find."""
    blocks = _blocks(bench.count(_BLOCKS))
    with staged(bench) as stage:
        floor = stage.floor()
        view = stage.view
        start = time.perf_counter()
        view.reset_blocks(blocks)
        stage.paint()
        opened = time.perf_counter() - start
        rng = random.Random(7)
        count = bench.samples(_SAMPLES)
        scroll = stage.frames(count, lambda _n: view.scroll_by(-120))
        jumps = stage.frames(count, lambda _n: view.scroll_to_row(rng.randrange(len(view.blocks))))
        width = stage.frames(
            bench.samples(20), lambda n: view.resize(_SIZE[0] + 10 * (n % 2 + 1), _SIZE[1])
        )
        view.resize(*_SIZE)
        view.go_to_end()
        number = len(blocks)

        def append(rank: int) -> None:
            view.replace_blocks(len(view.blocks), 0, _turn(number + rank))

        appended = stage.frames(count, append)
        limit = 16.0
        return [
            Result(
                "transcript_open",
                opened * 1e3,
                "ms",
                300,
                "<=",
                {"blocks": len(blocks), "empty_frame_ms": floor * 1e3},
            ),
            _result("transcript_scroll", scroll, floor, limit),
            _result("transcript_jump", jumps, floor, limit),
            _result("transcript_append", appended, floor, limit),
            _result("transcript_width", width, floor, 50),
            _find(stage),
        ]


def _find(stage: _Stage) -> Result:
    """All hits of a word counted, and the longest time that the window did not answer."""
    view = stage.view
    view.open_find()
    view.find_bar.field.setText("archive")
    start = last = time.perf_counter()
    longest = 0.0
    while not view.finder.complete:
        stage.app.processEvents()
        now = time.perf_counter()
        longest = max(longest, now - last)
        last = now
    view.close_find()
    return Result(
        "transcript_find",
        longest * 1e3,
        "ms longest gap",
        50,
        "<=",
        {"seconds": last - start},
    )


@SUITE.add
def transcript_stream(bench: Bench) -> list[Result]:
    """A reply that streams in: 300 deltas of a growing text with Markdown of every kind."""
    from tenuto_gui.runs import protocol

    path = corpora.huge_run(bench.folder, 20)
    with staged(bench) as stage:
        floor = stage.floor()
        view = stage.view
        view.set_session(stage.summary(path.stem))
        while not view.blocks:
            stage.spin()
        words = "".join(_turn(number)[1].text for number in range(1, 12))
        size = len(words) // 300
        view.on_run_event(path.stem, protocol.Starting(run_id=path.stem))
        busy = []
        for number in range(bench.samples(300)):
            piece = words[number * size : (number + 1) * size]
            view.on_run_event(path.stem, protocol.TextDelta(delta=piece))
            busy.append(stage.longest(0.035))
        return [_result("transcript_stream", busy, floor, 16)]


@SUITE.add
def transcript_journal(bench: Bench) -> list[Result]:
    """A journal of 108 MB: its end on screen, all of it read, memory; a new record on screen."""
    turns = bench.count(27_000)
    path = corpora.huge_run(bench.folder, turns)
    size = path.stat().st_size
    with staged(bench) as stage:
        view = stage.view
        summary = stage.summary(path.stem)
        before = _resident()
        start = last = time.perf_counter()
        first = complete = longest = 0.0
        view.set_session(summary)
        while not complete:
            stage.app.processEvents()
            now = time.perf_counter()
            longest = max(longest, now - last)
            last = now
            if view.blocks and not first:
                stage.paint()
                first = time.perf_counter() - start
                last = time.perf_counter()
            if len(view.blocks) >= turns:
                complete = time.perf_counter() - start
            time.sleep(0.0005)
        grown = _resident() - before
        shown = [_arrives(stage, path, number) for number in range(bench.samples(20))]
        return [
            Result("journal_tail", first * 1e3, "ms", 300, "<=", {"megabytes": size / 1e6}),
            Result("journal_whole", complete, "s", 5, "<=", {"blocks": len(view.blocks)}),
            Result("journal_gap", longest * 1e3, "ms longest gap", 100, "<=", {}),
            Result(
                "journal_memory",
                _resident() / 1e6,
                "MB resident",
                400,
                "<=",
                {"for_it_MB": grown / 1e6},
            ),
            _result("journal_new_record", shown, stage.floor(), 150),
        ]


@SUITE.add
def transcript_scroll_while_read(bench: Bench) -> list[Result]:
    """The end of a journal of 108 MB is scrolled through while all of it is still being read.

    By the clock, not by the thread's own time: what is measured is who waits for whom. Beside it
    the same scrolling when everything is read.
    """
    turns = bench.count(27_000)
    path = corpora.huge_run(bench.folder, turns)
    with staged(bench) as stage:
        view = stage.view
        summary = stage.summary(path.stem)
        meanwhile: list[float] = []
        for _ in range(max(1, min(bench.repeat, 3))):
            view.set_session(None)
            view.set_session(summary)
            while not view.blocks:
                stage.spin()
            stage.paint()
            # A small journal may be read by now; a large one never is.
            reading = True
            while reading:
                meanwhile.append(_step(stage, len(meanwhile)))
                reading = len(view.blocks) < turns
        rest = [_step(stage, number) for number in range(bench.samples(_SAMPLES))]
        result = _result("scroll_while_read", meanwhile, stage.floor(), 16)
        result.details["frames"] = len(meanwhile)
        result.details["p95_when_read_ms"] = _share(rest, 0.95) * 1e3
        return [result]


#: Seconds between two frames of a screen.
_FRAME = 1 / 60


def _step(stage: _Stage, number: int) -> float:
    """Scroll up for a while, then down, a frame at a time; seconds that one frame takes."""
    start = time.perf_counter()
    stage.view.scroll_by(-120 if number % 40 < 20 else 120)
    stage.view.viewport().grab()
    taken = time.perf_counter() - start
    stage.spin(max(0.0, _FRAME - taken))
    return taken


def _arrives(stage: _Stage, path: Path, number: int) -> float:
    """Seconds from a record's append to its words on screen, the watcher's part left out."""
    view = stage.view
    last = max(block.seq for block in view.blocks[-20:])
    last = max([last, *(block.result_seq or 0 for block in view.blocks[-20:])])
    words = f"It arrived as number {number}."
    message = {"role": "assistant", "content": [{"text": {"text": words}}]}
    reply: dict[str, object] = {"iteration": last, "message": message}
    with path.open("ab") as file:
        file.write(corpora.line(last + 1, "assistant", reply))
    start = time.perf_counter()
    view.refresh()
    while not any(block.text == words for block in view.blocks[-3:]):
        stage.app.processEvents()
        time.sleep(0.0005)
    stage.paint()
    return time.perf_counter() - start


def _resident() -> int:
    """Bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
